"""Clips and skeletons in memory, and what is measured on them."""
