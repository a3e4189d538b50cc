"""Generates C from a bank."""
