"""Animation graphs of configuration files: read, checked, and compiled for a bank."""
