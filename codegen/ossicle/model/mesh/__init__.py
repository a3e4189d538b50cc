"""Meshes with joints, their bind matrices and their colours."""
