"""Curves, their keys, and the joints that store them."""
