"""Imports clips from files."""
