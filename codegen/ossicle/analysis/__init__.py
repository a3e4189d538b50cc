"""What a bank holds and how near it comes to its source: the data of reports and of the viewer."""
