"""Characters whose documents together have every field, and every kind of value of each field."""
from __future__ import annotations

from pathlib import Path

import numpy as np
from boxes import add_box
from captures import hero, write_capture
from curve_files import nod, wave, weighted, weights
from gltf_builder import GltfBuilder, turn
from ossicle.export import gltf
from ossicle.model.clip import Skeleton
from running import HERO, run_inside, write_bvh

SETTINGS = """\
tolerance = "2mm"
effort = "fast"
pin = ["*_foot"]
contacts = ["left_foot"]
contact_spans = ["right_foot"]
skinning = true
masks = { upper = { set = "upper" } }
sets = { upper = ["chest", "*_arm"] }
[import]
clips = ["Idle", "Walk", "Wave", "Signal", "Jump", "Captured"]
rename = { "walk.bvh:*" = "Captured" }
[screen]
height = 240
fov = 60
distance = "2m"
[joints."*_hand"]
tolerance = "1px"
[joints."head"]
tolerance = "1mm"
[clips."Idle"]
loop = true
[clips."Captured"]
root_motion = "xz"
[clips."Walk"]
loop = "close"
tolerance = "0.5px"
events = [{ time = "0.2s", name = "left" }, { time = "0.4s", until = "0.5s", name = "planted", value = 3 }]
[clips."Wave"]
mode = "layer"
[clips."Signal"]
additive = "Idle"
[clips."Wave2"]
mirror_of = "Wave"
[clips."Jump"]
curves = { glow = [[0.0, 0.0], ["0.5s", 1.0]] }
[[retarget]]
inputs = ["walk.bvh"]
"""
GRAPH = """\
[graph]
start = "idle"
transitions = [
    { from = "idle", to = "move", when = "speed >= 0.2 and grounded and stance == armed" },
    { from = "move", to = "idle", when = "speed < 0.2 or stance != armed" },
    { from = ["idle", "move"], to = "leap", when = "jump" },
    { from = ["idle", "move"], to = "turns", when = "act and grounded" },
    { from = ["idle", "move"], to = "acts", when = "act" },
    { from = ["idle", "move"], to = "drive", when = "not grounded", kind = "fade" },
    { from = "idle", to = "waves", when = "hail" },
    { from = ["leap", "acts", "turns", "waves"], to = "idle", when = "finished" },
    { from = "drive", to = "idle", when = "grounded", kind = "cut" },
]
[graph.parameters]
speed = { range = [0.0, 6.0], unit = "m/s", slew = "500ms" }
share = { range = [0.0, 1.0] }
pace = { range = [0.5, 2.0], default = 1.0 }
grounded = true
stance = ["relaxed", "armed"]
jump = "trigger"
act = { trigger = "forever" }
hail = "trigger"
wave = "trigger"
look = "world point"
reach = "point"
[graph.states]
idle = { play = "Idle" }
move = { by = "speed", blend = { Idle = 0.5, Walk = 1.4 } }
leap = { play = "Jump", speed = "pace" }
acts = { random = { Jump = 3, Walk = 1 }, loops = 1 }
turns = { sequence = ["Jump", "Walk"], loops = 1 }
drive = { play = "Jump", position = "share" }
waves = { play = "Wave", mirror = "grounded" }
[[graph.layers]]
name = "gesture"
mask = "upper"
one_shot = { wave = "Wave" }
while = "not in(leap)"
[[graph.layers]]
name = "breath"
play = "Signal"
weight = "share"
[graph.looks.head]
at = "look"
chain = { head = [0.6, "60deg"], neck = [0.4, "30deg"] }
[graph.limbs.left_leg]
joints = ["left_upper_leg", "left_lower_leg", "left_foot"]
lock = "planted"
[graph.limbs.right_arm]
joints = ["right_upper_arm", "right_lower_arm", "right_hand"]
to = "reach"
bend = "z"
"""
SCRIPT = """\
length = "2s"
inputs = [{ at = "0.2s", set = { wave = true, speed = 2.0 } }, { at = "0.5s", set = { stance = "armed" } }]
"""


def write_characters() -> None:
    """Writes files to the current folder: hero.toml, with all that it names; dog.toml, which allows any error; and two
    characters that are simpler."""
    write_capture(Path("walk.bvh"), step_m=0.01)
    Path("hero.toml").write_text(f'inputs = ["{HERO}"]\n{SETTINGS}{GRAPH}', encoding="utf-8")
    Path("script.toml").write_text(SCRIPT, encoding="utf-8")
    write_bvh(Path("dog.bvh"))
    write_bvh(Path("short.bvh"), frames=20, travel_cm=150.0)
    Path("short.toml").write_text('loop_limit = "100m"\nrename = { "short" = "dog" }\n[clips."dog"]\nloop = "close"\n',
                                  encoding="utf-8")
    Path("dog.toml").write_text('inputs = ["dog.bvh"]\ntolerance = "none"\npreset = "unreal4-identity"\n',
                                encoding="utf-8")
    Path("bare.glb").write_bytes(gltf.pack(_with_tail(hero().skeleton), []))
    made = run_inside("encode", HERO, "-o", "other.ossb", "--clips", "[JR]*", "--effort", "fast", "--tolerance", "1mm",
                      "--cache", "kept", "--quiet")
    assert made.status == 0, made.err
    Path("tiers.toml").write_text('inputs = ["dog.bvh"]\npreset = "acl-2.1-tiers"\n', encoding="utf-8")
    write_still(Path("still.glb"))
    write_box(Path("box.glb"))
    g, face = weighted(["smile"])
    g.animation("Talk", nod(31), weights(face, wave(31, 0)[:, None]))
    g.write_glb(Path.cwd(), "face.glb")
    Path("face.toml").write_text('inputs = ["face.glb"]\ntolerance = "none"\npreset = "unreal4-identity"\n',
                                 encoding="utf-8")


def write_still(path: Path) -> None:
    """Writes a clip of the skeleton of dog.bvh that turns a joint, with keys at no common rate."""
    g = GltfBuilder()
    g.node("hips", children=[1])
    g.node("spine", translation=[0, 0.6, 0])
    g.skin([0, 1])
    g.animation("look", (1, "rotation", [0.0, 0.101, 0.33], [turn("z", angle) for angle in (0, 20, 5)], "LINEAR"))
    path.write_bytes(g.glb_bytes())


def write_box(path: Path) -> None:
    """Writes a box that two joints move, with a third joint that carries nothing."""
    g = GltfBuilder()
    g.node("Upper", translation=[0, 0.2, 0], children=[1, 2])
    g.node("Lower", translation=[0, 0.5, 0])
    g.node("Control", translation=[0, 0.1, 0])
    g.node("Box", mesh=add_box(g, 0), skin=g.skin([0, 1, 2]))
    swing = [turn("z", angle) for angle in (0, 40, 10)]
    g.animation("Bend", *((joint, "rotation", [0.0, 0.2, 0.4], swing, "LINEAR") for joint in (1, 2)))
    path.write_bytes(g.glb_bytes())


def _with_tail(skeleton: Skeleton) -> Skeleton:
    """Returns a skeleton with another joint below the first one."""
    return Skeleton((*skeleton.names, "tail"), np.append(skeleton.parents, 0).astype(np.int32),
                    np.concatenate([skeleton.bind, skeleton.bind[:1]]))
