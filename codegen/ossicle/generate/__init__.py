"""From a bank to C."""
