"""`ossicle build`: finds characters that are not current and encodes them, in this process or on workers."""
