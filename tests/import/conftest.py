"""Modules of this folder are found from the folders in it."""
