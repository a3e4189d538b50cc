"""`ossicle build`: which characters are not current, and who encodes them, here or on workers."""
