"""The functions that `import ossicle` offers. Commands that do the same call them."""
