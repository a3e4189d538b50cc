"""Imports glTF 2.0 files."""
