"""A character of two joints with the clips and the graph of a small game: idle, walk and run, a jump, two attacks."""
from __future__ import annotations

from pathlib import Path

import numpy as np
from gltf_builder import GltfBuilder, turn

RATE_HZ = 100
LENGTHS_S = {"Idle": 2.0, "Walk": 1.0, "Run": 0.6, "Jump": 0.9, "Attack": 0.6, "Attack2": 0.7, "Nod": 0.5, "Stand": 0.0}
EVENTS = """\
inputs = ["hero.glb"]
effort = "fast"
clips."Idle" = { loop = true }
clips."Walk" = { loop = true, events = [{ time = 0, name = "left_foot" }, { time = "0.5s", name = "right_foot" }] }
clips."Run" = { loop = true, events = [{ time = 0, name = "left_foot" }, { time = "0.3s", name = "right_foot" }] }
clips."Nod" = { additive = "bind" }
[clips."Jump"]
events = [
    { time = "0.2s", until = "0.7s", name = "air" }, { time = "0.7s", name = "land" }, { frame = "last", name = "end" }]
[clips."Attack"]
events = [{ time = "0.2s", until = "0.3s", name = "hit" }, { time = "0.3s", until = "0.5s", name = "combo" }]
[clips."Attack2"]
events = [{ time = "0.3s", until = "0.4s", name = "hit" }]
"""
GRAPH = """\
[graph]
start = "idle"
transitions = [
    { from = ["idle", "move.*"], to = "leap", when = "jump and grounded", over = "120ms" },
    { from = "move.*", to = "move.run", when = "speed >= 3 and stance != armed" },
    { from = ["idle", "move.run"], to = "move", when = "speed >= 0.2 and speed < 3" },
    { from = "move", to = "idle", when = "speed < 0.2" },
    { from = ["idle", "move"], to = "combat", when = "attack", kind = "cut" },
    { from = "combat.cut", to = "combat.stab", when = "attack and inside(combo)", start_at = "0.1s", hold = "0.2s" },
    { from = ["leap", "combat"], to = "idle", when = "finished or after(1.5s)" },
]
[graph.parameters]
speed = { range = [0.0, 6.0], unit = "m/s", slew = "500ms" }
pace = { range = [0.5, 2.0], default = 1.0 }
grounded = true
stance = ["relaxed", "armed"]
jump = "trigger"
attack = { trigger = "300ms" }
[graph.states]
idle = { play = "Idle" }
leap = { play = "Jump" }
[graph.states.move]
start = "walk"
states = { walk = { play = "Walk", speed = "pace" }, run = { play = "Run" } }
[graph.states.combat]
start = "cut"
states = { cut = { play = "Attack" }, stab = { play = "Attack2", speed = -0.5 } }
"""


def write_clips(folder: Path, arms: tuple[str, ...] = ("Arm",)) -> Path:
    """Writes hero.glb. Each clip has a frame at each multiple of its interval. arms: one that moves, or also one on the
    other side."""
    g = GltfBuilder()
    g.node("Body", children=[*range(1, len(arms) + 1)])
    for name, side in zip(arms, (0.4, -0.4)):
        g.node(name, translation=[side, 0, 0])
    g.skin([*range(len(arms) + 1)])
    for number, (name, length_s) in enumerate(LENGTHS_S.items()):
        times = np.arange(round(length_s * RATE_HZ) + 1) / RATE_HZ
        swing = [turn("z", (20 + 9 * number) * np.sin(2 * np.pi * time / (length_s or 1.0))) for time in times]
        g.animation(name, (1, "rotation", times, swing, "LINEAR"))
    return g.write_glb(folder)


def write_character(folder: Path, graph: str = GRAPH, clips: str = EVENTS, arms: tuple[str, ...] = ("Arm",)) -> Path:
    """Writes hero.glb, and hero.toml with this text of its tables. arms: of write_clips."""
    write_clips(folder, arms)
    path = folder / "hero.toml"
    path.write_text(clips + graph, encoding="utf-8")
    return path
