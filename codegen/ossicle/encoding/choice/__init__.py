"""The choice of codecs for the clips of a bank."""
