"""Finds joints of the body in a skeleton, by names and by shape."""
