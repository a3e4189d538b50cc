"""Decoded clips as files for other programs: glTF and BVH."""
