"""Reads files of other formats through the library Assimp, which converts them to glTF."""
