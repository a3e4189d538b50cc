"""Streaming tiers: chooses the content of the base and of each tier."""
