"""Ossicle: compresses skeletal animation and generates the C that plays it on small devices."""
