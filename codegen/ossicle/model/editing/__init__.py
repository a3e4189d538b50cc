"""Changes of skeletons and clips."""
