"""The command, and what it reads."""
