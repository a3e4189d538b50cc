"""Codecs and presets side by side."""
