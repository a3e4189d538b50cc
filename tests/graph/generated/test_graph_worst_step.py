"""The most that a step of a graph costs: its estimate, and the limit of it."""
from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from graph_character import EVENTS, GRAPH, write_character
from mentions import mentions
from ossicle.bank.file import Bank, read_bank
from ossicle.bank.graph.steps import WorstStep, worst_step
from ossicle.machines import known_step_costs
from running import run_inside

MACHINE = 'target = "microbit"\n' + EVENTS
COSTS = known_step_costs("microbit")


@pytest.fixture(scope="module")
def report(built_encoder: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Bank, dict]:
    folder = tmp_path_factory.mktemp("hero")
    path = write_character(folder, GRAPH, MACHINE)
    ran = run_inside("build", path, "--json", folder / "report.json")
    assert ran.status == 0, ran.err
    content = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert mentions(ran.out, f"{content['worst_step']['cost']:,} instructions microbit 250 ms "
                             f"{content['worst_step']['rows']:,}")
    return read_bank(folder / "hero.ossb"), content


def estimate(bank: Bank, step_us: int | None = None) -> WorstStep:
    step = worst_step(bank, COSTS, step_us)
    assert step is not None
    return step


def test_the_report_has_the_worst_step(report: tuple[Bank, dict]) -> None:
    bank, content = report
    step = content["worst_step"]
    assert step["step_us"] == 250_000 and (step["unit"], step["target"]) == ("instructions", "microbit")
    assert step == json.loads(json.dumps(vars(estimate(bank))))
    assert sum(step["machines"]) + step["composing"] + step["looks"] <= step["cost"]


def test_longer_steps_cost_more(report: tuple[Bank, dict]) -> None:
    bank, _ = report
    steps = [estimate(bank, step_us) for step_us in (1, 16_667, 250_000, 1_000_000)]
    assert [step.cost for step in steps] == sorted(step.cost for step in steps) and steps[0].cost < steps[-1].cost
    assert [step.rows for step in steps] == sorted(step.rows for step in steps)


IN_STEP = """\
[graph]
start = "move"
parameters = { speed = { range = [1.2, 3.0] } }
states.move = { by = "speed", blend = { Walk = 1.2, Run = 3.0 }, sync = ["left_foot", "right_foot"] }
"""


def test_a_clip_in_step_may_begin_with_any_mark(built_encoder: None, tmp_path: Path) -> None:
    steps = []
    for left, right in (("0", '"0.3s"'), ('"0.3s"', "0")):
        run = f'events = [{{ time = {left}, name = "left_foot" }}, {{ time = {right}, name = "right_foot" }}] }}'
        events = re.sub(r'(?<=^clips."Run" = { loop = true, ).*', run, EVENTS, flags=re.MULTILINE)
        ran = run_inside("build", write_character(tmp_path, IN_STEP, events), "--quiet")
        assert ran.status == 0, ran.err
        steps.append(estimate(read_bank(tmp_path / "hero.ossb")))
    assert steps[0] == steps[1]


def test_a_bank_without_a_graph_has_no_step(report: tuple[Bank, dict]) -> None:
    assert worst_step(replace(report[0], graph=None), COSTS) is None


FADING = """\
[graph]
start = "stand"
transitions = [
    { from = "stand", to = "move", when = "speed >= 0.2 and go", kind = "fade", over = "100ms" },
    { from = "move", to = "stand", when = "speed < 0.2" },
]
[graph.parameters]
speed = { range = [0.0, 6.0] }
go = true
[graph.states]
stand = { play = "Idle" }
move = { by = "speed", blend = { Idle = 0.0, Walk = 1.2, Run = 3.0 } }
"""
NODS = """\
[[graph.layers]]
name = "nods"
fade = "100ms"
start = "still"
states = { still = { play = "none" }, nod = { play = "Nod" } }
transitions = [
    { from = "still", to = "nod", when = "go" },
    { from = "nod", to = "still", when = "not go" },
]
"""
SWITCHES, ATOMS = 4, 2  # of a machine in a step; of the state that has the most


def counted(folder: Path, graph: str, part: str, layer: int = 0) -> int:
    """How often a machine does this in the worst step, of a microsecond."""
    ran = run_inside("build", write_character(folder, graph), "--quiet")
    assert ran.status == 0, ran.err
    parts = dict.fromkeys(COSTS.parts, 0.0) | {part: 1.0}
    costs = replace(COSTS, parts=parts, row=dict.fromkeys(COSTS.row, 0.0))
    step = worst_step(read_bank(folder / "hero.ossb"), costs, 1)
    assert step is not None
    return step.machines[layer]


def test_two_clips_of_each_state_pass_in_a_fade(built_encoder: None, tmp_path: Path) -> None:
    """Of three clips that one number blends, two play. A step can pass one mark."""
    assert counted(tmp_path, FADING, "part") == (1 + SWITCHES + 1) * 2 * 2
    assert counted(tmp_path, FADING.replace('kind = "fade"', 'kind = "inertia"'), "part") == (1 + SWITCHES + 1) * 2


def test_transitions_are_examined_where_a_hold_ends(built_encoder: None, tmp_path: Path) -> None:
    held = FADING.replace('"speed < 0.2" }', '"speed < 0.2", hold = "50ms" }')
    assert counted(tmp_path, FADING, "look") == (1 + SWITCHES) * ATOMS
    assert counted(tmp_path, held, "look") == (1 + SWITCHES + SWITCHES) * ATOMS


def test_a_layer_is_examined_where_the_base_switches(built_encoder: None, tmp_path: Path) -> None:
    """And where it has faded out, which every second switch of both can begin."""
    assert counted(tmp_path, FADING + NODS, "look") == (1 + SWITCHES) * ATOMS
    assert counted(tmp_path, FADING + NODS, "look", 1) == 1 + SWITCHES + SWITCHES + 1 + SWITCHES


def test_a_state_that_a_step_enters_again_reaches_its_watches_again(built_encoder: None, tmp_path: Path) -> None:
    timed = FADING.replace('"speed < 0.2" }', '"speed < 0.2 and after(50ms)" }')
    assert counted(tmp_path, timed, "look") == (1 + SWITCHES) * (1 + 1) * ATOMS
    clip = timed.replace("after(50ms)", "at(land)").replace(
        'by = "speed", blend = { Idle = 0.0, Walk = 1.2, Run = 3.0 }', 'play = "Jump"')
    assert counted(tmp_path, clip, "look") == ((1 + SWITCHES) * (1 + 1) + 1) * ATOMS  # and in the next loop


def test_a_layer_that_has_faded_out_begins_again(built_encoder: None, tmp_path: Path) -> None:
    closed = NODS.replace('start = "still"', 'start = "still"\nwhile = "in(move)"')
    assert counted(tmp_path, FADING + NODS, "switch", 1) == SWITCHES
    assert counted(tmp_path, FADING + closed, "switch", 1) == SWITCHES + 1 + SWITCHES // 2


def test_a_step_that_costs_more_than_it_may(built_encoder: None, tmp_path: Path, report: tuple[Bank, dict]) -> None:
    needed = report[1]["worst_step"]["cost"]
    for limit, works in ((needed, True), (needed - 1, False)):
        text = GRAPH.replace("[graph]\n", f"[graph]\nmax_step_cycles = {limit}\n")
        ran = run_inside("build", write_character(tmp_path, text, MACHINE), "--quiet")
        assert (ran.status == 0) is works
    line = ran.err.splitlines()[-1]
    assert mentions(line, f"hero.toml [graph] max_step_cycles {needed - 1} hero.glb {needed} instructions microbit "
                          f"base matrices rows allow {needed} longest_step restart") and "looks" not in line


def test_rows_whose_cost_is_not_known(built_encoder: None, tmp_path: Path) -> None:
    """Only a limit makes that an error."""
    clips = 'codec = "velocity"\n' + EVENTS
    ran = run_inside("build", write_character(tmp_path, GRAPH, clips))
    assert ran.status == 0 and "velocity" in ran.out
    limited = GRAPH.replace("[graph]\n", "[graph]\nmax_step_cycles = 99999999\n")
    ran = run_inside("build", write_character(tmp_path, limited, clips), "--quiet")
    assert ran.status == 1 and mentions(ran.err, "hero.toml max_step_cycles velocity hero.glb delta curve transform")
