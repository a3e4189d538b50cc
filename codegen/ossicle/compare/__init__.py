"""Compares codecs and presets."""
