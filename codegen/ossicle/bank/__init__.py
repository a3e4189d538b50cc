"""Reads banks."""
