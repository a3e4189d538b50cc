"""Plans for parts of the generated code: the names, tables and sizes that templates write."""
