"""Clips derived from others: differences and mirror images."""
