"""Reading banks."""
