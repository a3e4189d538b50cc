"""From clips to a bank."""
