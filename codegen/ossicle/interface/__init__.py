"""Ossicle for Python programs: `import ossicle` offers what this package does. Commands are written on top of it."""
