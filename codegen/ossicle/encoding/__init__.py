"""Encodes clips into a bank."""
