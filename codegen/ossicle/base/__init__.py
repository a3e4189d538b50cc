"""The foundation of all other packages: problems, files, exact arithmetic."""
