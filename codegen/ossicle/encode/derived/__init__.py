"""Clips that are made from others: differences and mirror images."""
