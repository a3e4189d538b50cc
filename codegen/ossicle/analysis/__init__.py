"""Analyses the content and the errors of a bank: the data of reports and of the viewer."""
