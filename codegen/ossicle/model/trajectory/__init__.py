"""Trajectories: the motion of a clip over the ground."""
