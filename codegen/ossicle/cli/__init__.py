"""The command `ossicle`."""
