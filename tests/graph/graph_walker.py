"""A character of two legs and an arm that walks with sliding feet, for limbs of graphs."""
from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from gltf_builder import GltfBuilder, turn

RATE_HZ = 50
THIGH_M, SHIN_M, HIP_M = 0.45, math.hypot(0.45, 0.03), 0.82
STRIDE_M, STEP_M, LIFT_M = 1.0, 0.34, 0.12  # in a cycle of a second; how far a foot on the ground moves back
JOINTS = ("root", "hips", "thigh_l", "shin_l", "foot_l", "toe_l", "thigh_r", "shin_r", "foot_r", "toe_r", "upper_arm",
          "lower_arm", "hand")
TABLES = """\
inputs = ["hero.glb"]
effort = "fast"
tolerance = "0.05mm"
root_motion = "xz yaw"
root_joint = "root"
[clips."Walk"]
loop = true
contact_spans = ["foot_l", "foot_r"]
[clips."Stand"]
"""


def write_walker(folder: Path, graph: str, scale: float = 1.0) -> Path:
    """Writes hero.glb, and hero.toml with a graph. scale: of the joint above all others."""
    g = GltfBuilder()
    g.node("root", children=[1], scale=[scale] * 3)
    g.node("hips", translation=[0, HIP_M, 0], children=[2, 6, 10])
    for side, x in (("l", 0.1), ("r", -0.1)):
        first = len(g.document["nodes"])
        g.node(f"thigh_{side}", translation=[x, 0, 0], children=[first + 1])
        g.node(f"shin_{side}", translation=[0, -THIGH_M, 0], children=[first + 2])
        g.node(f"foot_{side}", translation=[0, -0.45, -0.03], children=[first + 3])
        g.node(f"toe_{side}", translation=[0, -0.05, 0.15])
    g.node("upper_arm", translation=[0.2, 0.5, 0], children=[11])
    g.node("lower_arm", translation=[0.3, 0, 0], children=[12])  # straight in the bind pose
    g.node("hand", translation=[0.25, 0, 0])
    g.skin(list(range(len(JOINTS))))
    times = np.arange(RATE_HZ + 1) / RATE_HZ
    path = [[0, 0, STRIDE_M * scale * time] for time in times]
    channels = [(0, "translation", times, path, "LINEAR")]
    for thigh, late in ((2, 0.0), (6, 0.5)):
        bent = [_leg((time + late) % 1.0) for time in times]
        channels += [(thigh + at, "rotation", times, [turn("x", angles[at]) for angles in bent], "LINEAR")
                     for at in range(2)]
    g.animation("Walk", *channels)
    g.animation("Stand", (11, "rotation", np.array([0.0]), [turn("y", -20)], "LINEAR"))
    g.write_glb(folder)
    path_of_file = folder / "hero.toml"
    path_of_file.write_text(TABLES + graph, encoding="utf-8")
    return path_of_file


def _leg(time: float) -> tuple[float, float]:
    """The rotations of thigh and shin about x, in degrees, that bring a foot where it is at a time of its cycle: half
    of it on the ground, half in the air."""
    if time < 0.5:
        y, z = -HIP_M, STEP_M * (0.5 - 2.0 * time)
    else:
        share = 2.0 * time - 1.0
        y, z = LIFT_M * math.sin(math.pi * share) - HIP_M, -STEP_M / 2.0 * math.cos(math.pi * share)
    distance = math.hypot(y, z)
    inner = math.acos((THIGH_M**2 + distance**2 - SHIN_M**2) / (2.0 * THIGH_M * distance))
    thigh = math.atan2(-z, -y) - inner
    knee_y, knee_z = -THIGH_M * math.cos(thigh), -THIGH_M * math.sin(thigh)
    shin = math.atan2(knee_z - z, knee_y - y) - math.atan2(0.03, 0.45)
    return math.degrees(thigh), math.degrees(shin - thigh)
