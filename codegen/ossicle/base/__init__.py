"""What everything else stands on: problems, files, exact arithmetic."""
