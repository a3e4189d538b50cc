"""Clips from files."""
