"""Clips and skeletons in memory, and measurements of them."""
