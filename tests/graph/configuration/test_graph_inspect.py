"""`ossicle inspect` of a bank with a graph."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from graph_character import EVENTS, GRAPH, write_character
from mentions import mentions
from running import run_inside

BLEND = GRAPH.replace("idle = {", 'go = { by = "speed", blend = { Walk = 1.4, Run = 4.5 } }\nidle = {').replace(
    "transitions = [", 'transitions = [\n    { from = "idle", to = "go", when = "jump and not grounded" },\n'
                       '    { from = "go", to = "idle" },')


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank with the graph of a small game and a blend."""
    folder = tmp_path_factory.mktemp("inspect")
    ran = run_inside("build", write_character(folder, BLEND, EVENTS), "--quiet")
    assert ran.status == 0, ran.err
    return folder / "hero.ossb"


def test_the_graph_as_json(bank: Path) -> None:
    content: dict[str, Any] = json.loads(run_inside("inspect", bank, "--json").out)
    graph = content["graph"]
    assert (graph["start"], graph["longest_step_us"]) == ("idle", 250_000) and graph["step_events"] > 0
    assert content["character_bytes"] > content["player_bytes"]
    step = content["worst_step"]
    assert step["step_us"] == 250_000 and 0 < step["rows"] < step["cost"] and step["target"] == "mps2_an386"
    assert [(one["name"], one["kind"]) for one in graph["parameters"]] == [
        ("jump", "trigger"), ("attack", "trigger"), ("speed", "number"), ("pace", "number"), ("grounded", "flag"),
        ("stance", "choice")]
    assert graph["parameters"][1]["waits_us"] == 300_000
    assert graph["parameters"][2] == {"name": "speed", "kind": "number", "range": [0.0, 6.0], "default": 0.0,
                                      "unit": "m/s", "slew_us": 500_000}
    assert graph["parameters"][4]["default"] is True
    assert graph["parameters"][5] == {"name": "stance", "kind": "choice", "values": ["relaxed", "armed"],
                                      "default": "relaxed"}
    states = {state["name"]: state for state in graph["states"]}
    assert states["go"]["clips"] == ["Walk", "Run"] and states["go"]["by"] == ["speed"]
    assert [round(at, 4) for [at] in states["go"]["at"]] == [1.4, 4.5]
    assert states["idle"] == {"name": "idle", "clips": ["Idle"], "loops": None, "speed": 1.0}
    assert (states["move.walk"]["speed"], states["combat.stab"]["speed"]) == ("pace", -0.5)
    assert states["leap"]["loops"] == 1
    assert graph["groups"] == [{"name": "move", "states": ["move.walk", "move.run"]},
                               {"name": "combat", "states": ["combat.cut", "combat.stab"]}]
    assert [one["when"] for one in graph["transitions"]] == [
        "jump and not grounded", "", "jump and grounded", "speed >= 3 and stance != armed",
        "speed >= 0.2 and speed < 3", "speed < 0.2", "attack", "attack and inside(combo)", "finished or after(1.5s)"]
    assert graph["transitions"][7] == {
        "from": ["combat.cut"], "to": "combat.stab", "when": "attack and inside(combo)", "kind": "inertia",
        "over_us": 200_000, "start_frame": 10.0, "hold_us": 200_000}
    assert graph["transitions"][6]["kind"] == "cut" and graph["transitions"][6]["over_us"] == 0


def test_the_graph_as_tables(bank: Path) -> None:
    content = json.loads(run_inside("inspect", bank, "--json").out)
    lines = run_inside("inspect", bank).out.splitlines()
    head = next(line for line in lines if "250 ms" in line and "transitions" in line)
    assert mentions(head, f"idle 6 7 2 9 250 ms {content['character_bytes']:,}")
    for facts in ("go speed Walk 1.4 Run 4.5", "move.walk Walk forever pace", "combat.stab Attack2 1 -0.5",
                  "speed number 0 6 m/s 500 ms 0", "attack trigger 300 ms", "grounded flag true",
                  "stance choice relaxed armed relaxed", "2 go idle always inertia 200 ms",
                  "4 move.walk move.run speed >= 3 and stance != armed inertia 200 ms",
                  "8 combat.cut combat.stab attack and inside(combo) inertia 200 ms frame 10 200 ms"):
        assert mentions(lines, facts), facts


def test_a_blend_by_two_numbers(tmp_path: Path) -> None:
    text = GRAPH.replace("idle = {", 'go = { by = ["speed", "pace"], blend = { Walk = [0, 1], Run = [4.5, 0.5], Idle = '
                         '[6, 2] } }\nidle = {').replace(
        "transitions = [", 'transitions = [\n    { from = "idle", to = "go", when = "jump and not grounded" },')
    ran = run_inside("build", write_character(tmp_path, text, EVENTS), "--quiet")
    assert ran.status == 0, ran.err
    graph = json.loads(run_inside("inspect", tmp_path / "hero.ossb", "--json").out)["graph"]
    [go] = (state for state in graph["states"] if state["name"] == "go")
    assert go["by"] == ["speed", "pace"]
    places = dict(zip(go["clips"], go["at"]))
    assert places == {"Walk": pytest.approx([0, 1], abs=1e-3), "Run": pytest.approx([4.5, 0.5], abs=1e-3),
                      "Idle": pytest.approx([6, 2], abs=1e-3)}
    lines = run_inside("inspect", tmp_path / "hero.ossb").out.splitlines()
    assert mentions(lines, "go speed and pace Walk 0 1 Idle 6 2")


def test_layers(bank: Path, tmp_path: Path) -> None:
    layers = """
[[graph.layers]]
name = "gesture"
fade = "120ms"
while = "not in(combat)"
one_shot = { wave = "Attack2" }
[[graph.layers]]
name = "nod"
play = "Nod"
weight = 0.5
"""
    text = GRAPH.replace('jump = "trigger"', 'jump = "trigger"\nwave = "trigger"') + layers
    ran = run_inside("build", write_character(tmp_path, text, EVENTS), "--quiet")
    assert ran.status == 0, ran.err
    graph = json.loads(run_inside("inspect", tmp_path / "hero.ossb", "--json").out)["graph"]
    assert graph["layers"] == [
        {"name": "gesture", "start": "gesture.none", "states": ["gesture.none", "gesture.wave"], "mask": None,
         "additive": False, "weight": 1.0, "fade_us": 120_000, "while": "not in(combat)"},
        {"name": "nod", "start": "nod.play", "states": ["nod.play"], "mask": None, "additive": True, "weight": 0.5,
         "fade_us": 200_000, "while": ""}]
    assert {"name": "gesture.none", "clips": []} in graph["states"]
    lines = run_inside("inspect", tmp_path / "hero.ossb").out.splitlines()
    for facts in ("gesture.none nothing", "gesture 1 120 ms not in(combat) gesture.none, gesture.wave",
                  "nod adds 0.5 200 ms always nod.play"):
        assert mentions(lines, facts), facts


def test_a_bank_without_a_graph(bank: Path) -> None:
    assert run_inside("encode", bank.with_name("hero.glb"), "-o", bank.with_name("plain.ossb"), "--quiet").status == 0
    plain = bank.with_name("plain.ossb")
    assert json.loads(run_inside("inspect", plain, "--json").out)["graph"] is None
    assert "transition" not in run_inside("inspect", plain).out
