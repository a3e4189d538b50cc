"""Reads the table [graph] of a configuration file."""
