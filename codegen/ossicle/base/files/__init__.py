"""Reads and writes files and folders safely."""
