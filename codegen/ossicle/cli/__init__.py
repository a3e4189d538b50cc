"""The command, its options and its configuration file."""
