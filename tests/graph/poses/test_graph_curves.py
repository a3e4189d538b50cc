"""The curves of clips go through the layers of a graph as joints do."""
from __future__ import annotations

from pathlib import Path

import pytest
from graph_character import EVENTS, write_character
from graph_game import started
from mentions import mentions
from running import run_inside

ONE_Q20 = 1 << 20
CURVES = ('clips."Idle" = { loop = true }', 'clips."Idle" = { loop = true, curves = { glow = [[0.0, 0.25]] } }'), (
    'clips."Walk" = {', 'clips."Walk" = { curves = { glow = [[0.0, 1.0]] },')
GRAPH = """\
[sets]
all = ["*"]
[masks]
without = { set = "all" }
with = { set = "all", weights = { "curve:glow" = 1.0 } }
[graph]
start = "idle"
states = { idle = { play = "Idle" } }
[[graph.layers]]
name = "above"
mask = "MASK"
play = "Walk"
weight = 0.5
fade = "16ms"
"""


@pytest.mark.parametrize(("mask", "glow"), [("with", 0.625), ("without", 0.25)])
def test_a_layer_mixes_curves_by_its_mask(driver: Path, tmp_path: Path, mask: str, glow: float) -> None:
    clips = EVENTS
    for old, new in CURVES:
        assert old in clips
        clips = clips.replace(old, new)
    with started(driver, tmp_path, GRAPH.replace("MASK", mask), clips) as game:
        for _ in range(4):
            game.step()
            game.player.pose(16_000)
        values = [int(word) / ONE_Q20 for word in game.player.ask("joints")]
    assert values[6] == pytest.approx(glow, abs=2 / 256)  # the first component of the third joint


def test_a_curve_cannot_look(tmp_path: Path) -> None:
    """A model pose ends before the joints of curves."""
    clips = EVENTS.replace(*CURVES[0])
    look = '[graph.parameters]\neyes = "point"\n[graph.looks.a]\nat = "eyes"\nchain = { "curve:glow" = 1.0 }\n'
    graph = '[graph]\nstart = "idle"\nstates = { idle = { play = "Idle" } }\n'
    ran = run_inside("build", write_character(tmp_path, graph + look, clips), "--quiet")
    assert ran.status == 1 and mentions(ran.err.splitlines()[-1], "hero.toml [graph] looks.a chain.curve:glow joint")
