"""A page with an animation graph of the demo character."""
from __future__ import annotations

from pathlib import Path

from ossicle.cli.main import main
from written import HERO, write_page

CONFIG = f"""
inputs = ['{HERO}']
output = "hero.ossb"
generate = "."
codec = "delta"
[import]
clips = ["Idle", "Walk", "Run", "Jump", "Wave"]
[sets]
upper = ["chest", "upper_chest", "neck", "head", "*_arm", "*_hand"]
[masks]
upper = {{ set = "upper", feather = 2 }}
[clips.Idle]
loop = true
[clips.Walk]
loop = true
events = [{{ frame = 0, name = "left_foot" }}, {{ frame = 15, name = "right_foot" }}]
[clips.Run]
loop = true
events = [{{ frame = 0, name = "left_foot" }}, {{ time = "0.35s", name = "right_foot" }}]
[clips.Jump]
root_motion = "y"
events = [{{ frame = 16, until = 31, name = "air" }}, {{ frame = 31, name = "land" }}]
"""
GRAPH = """
[graph]
start = "idle"
transitions = [
    { from = ["idle", "move"], to = "leap", when = "jump and grounded", over = "120ms" },
    { from = "idle", to = "move", when = "speed >= 0.2" },
    { from = "move", to = "idle", when = "speed < 0.2" },
    { from = "idle", to = "greet", when = "wave and not stance == armed" },
    { from = "greet.once", to = "greet.again", when = "wave and after(0.4s)", kind = "cut" },
    { from = ["leap", "greet"], to = "idle", when = "finished" },
]
[graph.parameters]
speed = { range = [0.0, 6.0], unit = "m/s", slew = "500ms" }
grounded = true
stance = ["relaxed", "armed"]
jump = "trigger"
wave = { trigger = "300ms" }
nod = "trigger"
look = "world point"
[graph.states]
idle = { play = "Idle" }
leap = { play = "Jump" }
greet = { start = "once", states = { once = { play = "Wave" }, again = { play = "Wave", speed = 1.5 } } }
[graph.states.move]
by = "speed"
blend = { Walk = 1.4, Run = 4.5 }
sync = ["left_foot", "right_foot"]
stride = { Walk = "60cm", Run = "105cm" }
[[graph.layers]]
name = "gesture"
mask = "upper"
one_shot = { nod = "Wave" }
while = "not in(leap)"
[graph.looks.head]
at = "look"
chain = { head = [0.6, "60deg"], neck = [0.4, "30deg"] }
"""


def write_graph_page(folder: Path, graph: str = GRAPH) -> Path:
    """The page of a graph, beside hero.toml and its bank."""
    config = folder / "hero.toml"
    config.write_text(CONFIG + graph, encoding="utf-8")
    assert main(["build", str(config), "--quiet"]) == 0
    return write_page(folder, config)
