"""The cache of encoded clips."""
