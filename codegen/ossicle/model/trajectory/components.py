"""The components of a trajectory, and the references of its yaw."""
from __future__ import annotations

COMPONENTS = ("x", "y", "z", "yaw")
FIRST, BIND = "first", "bind"
YAWS = (FIRST, BIND, "x", "y", "z")  # the reference of a yaw: a pose, or an axis of the joint
