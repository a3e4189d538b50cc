"""Reads meshes and their materials from glTF files."""
