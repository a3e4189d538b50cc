"""Motion of one skeleton on another."""
