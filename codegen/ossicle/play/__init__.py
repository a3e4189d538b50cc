"""Plays the graph of a character from a script of inputs, and compares what happens with what was expected."""
