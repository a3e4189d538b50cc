"""Blends of configuration files, as they are in the bank, and what they are refused for."""
from __future__ import annotations

from pathlib import Path

import pytest
from graph_character import EVENTS, write_character
from mentions import mentions
from ossicle.bank.clips import ONE_Q11
from ossicle.bank.file import Bank, read_bank
from ossicle.bank.graph.records import AT, PLANE_ONE, Member, Sync
from running import run_inside

FRAME = ONE_Q11
ONE_Q16, ONE_Q20 = 1 << 16, 1 << 20
FRAME_US = 10_000  # at 100 frames a second
STATES = """\
[graph]
start = "idle"
transitions = [
    { from = "idle", to = "move", when = "speed >= 0.2" },
    { from = "move", to = "idle", when = "speed < 0.2 and at(left_foot)" },
]
[graph.parameters]
speed = { range = [0.0, 6.0], unit = "m/s", slew = "500ms" }
calm = true
[graph.states]
idle = { play = "Idle" }
"""
MOVE = 'move = { by = "speed", blend = { Run = 4.5, Walk = 1.4 }, sync = ["left_foot", "right_foot"], ' \
    'stride = { Walk = "60cm", Run = "105cm" } }\n'


def built(folder: Path, move: str = MOVE, clips: str = EVENTS, states: str = STATES) -> Bank:
    ran = run_inside("build", write_character(folder, states + move, clips), "--quiet")
    assert ran.status == 0, ran.err
    return read_bank(folder / "hero.ossb")


def test_a_blend_is_in_the_bank(tmp_path: Path) -> None:
    bank = built(tmp_path)
    assert bank.graph is not None
    clips = [clip.name for clip in bank.clips]
    move = bank.graph.states[1]
    assert bank.graph.parameters[move.blend or 0].name == "speed"
    assert move.members == (
        Member(clips.index("Walk"), round(1.4 * ONE_Q16), Sync((0, 50 * FRAME), 100 * FRAME, FRAME_US),
               round(0.6 * ONE_Q20)),
        Member(clips.index("Run"), round(4.5 * ONE_Q16), Sync((0, 30 * FRAME), 60 * FRAME, FRAME_US),
               round(1.05 * ONE_Q20)))
    assert move.positions_q11 == (0,) and move.transitions == (1,)
    assert [atom.operation for atom in bank.graph.transitions[1].clauses[0]].count(AT) == 1


def test_without_marks_a_clip_is_one_step(tmp_path: Path) -> None:
    bank = built(tmp_path, 'move = { by = "speed", blend = { Walk = 0, Run = 6 } }\n',
                 states=STATES.replace(" and at(left_foot)", ""))
    assert bank.graph is not None
    assert [member.sync.marks_q11 for member in bank.graph.states[1].members] == [(0,), (0,)]
    assert [member.stride_q20 for member in bank.graph.states[1].members] == [0, 0]
    assert bank.graph.states[1].positions_q11 == ()


def test_marks_begin_with_the_first_name(tmp_path: Path) -> None:
    bank = built(tmp_path, MOVE.replace('["left_foot", "right_foot"]', '["right_foot", "left_foot"]'))
    assert bank.graph is not None
    assert [member.sync.marks_q11 for member in bank.graph.states[1].members] == [(50 * FRAME, 0), (30 * FRAME, 0)]


@pytest.mark.parametrize(("old", "new", "named"), [
    ("Run", "Rum", ("blend.Rum", "Run")),
    ("Run", "Nod", ("blend.Nod", "additive")),
    ("Run", "Stand", ("blend.Stand", "one frame")),
    ('Walk = "60cm"', 'Walk = "2047.9999999m"', ("stride.Walk", "2048")),
    ('Walk = "60cm"', 'Walk = "0.4um"', ("stride.Walk", "0.4um")),
    ("Run = 4.5", "Run = 7", ("blend.Run", "7", "0 to 6")),
    ("Run = 4.5", "Run = 1.4", ("Walk", "Run", "1.4")),
    ("Run = 4.5", 'Run = "fast"', ("blend.Run", "fast")),
    ('by = "speed"', 'by = "sped"', ("by", "sped", "speed")),
    ('by = "speed"', 'by = "calm"', ("by", "calm", "range")),
    ('by = "speed", ', "", ("by",)),
    ("Run = 4.5, Walk = 1.4", "", ("blend", "Walk = 1.4")),
    ('"left_foot", "right_foot"', '"left_foot", "rigth_foot"', ("sync", "rigth_foot", "right_foot")),
    ('"left_foot", "right_foot"', '"left_foot", "left_foot"', ("sync", "left_foot", "twice")),
    ('["left_foot", "right_foot"]', "3", ("sync", "length")),
    ('Walk = "60cm"', "Walk = 60", ("stride.Walk", "60cm")),
    ('Walk = "60cm"', 'Wlak = "60cm"', ("stride.Wlak", "Walk")),
    ("Walk = 1.4", "Wlak = 1.4", ("blend.Wlak", "Walk")),
    ('Walk = "60cm"', 'Walk = "3000m"', ("stride.Walk", "2048")),
    ('by = "speed"', 'by = "speed", loops = 1', ("blend", "loops")),
    ('blend = { Run = 4.5, Walk = 1.4 }', 'play = "Walk"', ("by", "blend")),
])
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, named: tuple[str, ...]) -> None:
    assert old in MOVE
    ran = run_inside("build", write_character(tmp_path, STATES + MOVE.replace(old, new)), "--quiet")
    assert ran.status == 1 and mentions(ran.err, " ".join(["hero.toml", "states.move", *named]))


@pytest.mark.parametrize(("condition", "named"), [
    ("finished", ("finished", "move")), ("inside(air)", ("inside(air)", "move")),
    ("at(land)", ("at(land)", "move", "sync")),
])
def test_conditions_that_no_blend_fulfils(tmp_path: Path, condition: str, named: tuple[str, ...]) -> None:
    states = STATES.replace("speed < 0.2 and at(left_foot)", condition)
    ran = run_inside("build", write_character(tmp_path, states + MOVE), "--quiet")
    assert ran.status == 1 and mentions(ran.err, " ".join(["hero.toml", *named]))


def test_a_blend_begins_at_its_first_mark(tmp_path: Path) -> None:
    states = STATES.replace('when = "speed >= 0.2"', 'when = "speed >= 0.2", start_at = "0.1s"')
    ran = run_inside("build", write_character(tmp_path, states + MOVE), "--quiet")
    assert ran.status == 1 and mentions(ran.err, "start_at move")


def test_marks_out_of_order(tmp_path: Path) -> None:
    clips = EVENTS.replace('{ time = "0.3s", name = "right_foot" }',
                           '{ time = "0.2s", name = "left_foot" }, { time = "0.3s", name = "right_foot" }')
    ran = run_inside("build", write_character(tmp_path, STATES + MOVE, clips), "--quiet")
    assert ran.status == 1 and mentions(ran.err, "sync Run order")


def test_marks_too_close(tmp_path: Path) -> None:
    clips = EVENTS.replace('{ time = "0.3s", name = "right_foot" }', '{ time = "0.001s", name = "right_foot" }')
    ran = run_inside("build", write_character(tmp_path, STATES + MOVE, clips), "--quiet")
    assert ran.status == 1 and mentions(ran.err, "sync Run 10 ms")


def test_steps_that_are_too_long(tmp_path: Path) -> None:
    """A phase counts at most 16.8 s, and 2047 frames, from mark to mark."""
    clips = EVENTS.replace('clips."Walk" = { ', 'clips."Walk" = { speed = 0.01, ')
    ran = run_inside("build", write_character(tmp_path, STATES + MOVE, clips), "--quiet")
    assert ran.status == 1 and mentions(ran.err, "sync Walk 2047 16.8")


# ---- two numbers ----

PLANE_STATES = STATES.replace('calm = true', 'calm = true\nstrafe = { range = [-2.0, 2.0], unit = "m/s" }')
PLANE = 'move = { by = ["strafe", "speed"], ' \
    'blend = { Idle = [0, 0], Walk = [0.0, 3], Run = [-2, 6], Jump = [2, 6] } }\n'
UNMARKED = PLANE_STATES.replace(" and at(left_foot)", "")


def test_a_blend_by_two_numbers_is_in_the_bank(tmp_path: Path) -> None:
    bank = built(tmp_path, PLANE, states=UNMARKED)
    assert bank.graph is not None and bank.graph.player_count == 3
    clips, names = [clip.name for clip in bank.clips], [parameter.name for parameter in bank.graph.parameters]
    move = bank.graph.states[1]
    assert (move.blend, move.second) == (names.index("strafe"), names.index("speed"))
    points = {clips[member.clip]: member.point for member in move.members}
    assert points == {"Idle": (PLANE_ONE // 2, 0), "Walk": (PLANE_ONE // 2, PLANE_ONE // 2),
                      "Run": (0, PLANE_ONE), "Jump": (PLANE_ONE, PLANE_ONE)}
    corners = [{clips[move.members[corner].clip] for corner in triangle.corners} for triangle in move.triangles]
    assert sorted(map(sorted, corners)) == [["Idle", "Jump", "Walk"], ["Idle", "Run", "Walk"], ["Jump", "Run", "Walk"]]
    for triangle in move.triangles:  # all edges from the Walk are shared
        for corner, alone in zip(triangle.corners, triangle.hull):
            assert alone == (clips[move.members[corner].clip] == "Walk")


def test_equal_graphs_have_equal_bytes(tmp_path: Path) -> None:
    """The order in which the file names the clips does not matter."""
    one = built(tmp_path, PLANE, states=UNMARKED)
    other = built(tmp_path, PLANE.replace("Idle = [0, 0], Walk = [0.0, 3], ", "").replace(
        "Jump = [2, 6]", "Jump = [2, 6], Walk = [0, 3], Idle = [0, 0]"), states=UNMARKED)
    assert one.graph == other.graph


@pytest.mark.parametrize(("old", "new", "named"), [
    ("[0.0, 3]", "3", ("blend.Walk", "strafe", "speed")),
    ("[0.0, 3]", "[0.0, 3, 1]", ("blend.Walk", "strafe", "speed")),
    ("[0.0, 3]", '[0.0, "3"]', ("blend.Walk", "3")),
    ("[0.0, 3]", "[0, 0]", ("Walk", "Idle", "[0, 0]")),
    ("[0.0, 3]", "[0, 0.0001]", ("Walk", "Idle", "1/16384", "ranges")),
    ("[0.0, 3]", "[3, 3]", ("blend.Walk", "strafe", "-2 to 2")),
    ("[0.0, 3]", "[0, 7]", ("blend.Walk", "speed", "0 to 6")),
    ("Run = [-2, 6], Jump = [2, 6]", "Run = [0, 6], Jump = [0, 1]", ("blend", "line")),
    (", Run = [-2, 6], Jump = [2, 6]", "", ("blend", "line")),
    ('["strafe", "speed"]', '["strafe", "sped"]', ("by", "sped", "speed")),
    ('["strafe", "speed"]', '["strafe", "calm"]', ("by", "calm", "range")),
    ('["strafe", "speed"]', '["speed", "speed"]', ("by", "different")),
    ('["strafe", "speed"]', '["strafe", "speed", "calm"]', ("by", "two")),
    ('["strafe", "speed"]', "[]", ("by",)),
    ('["strafe", "speed"]', "[1, 2]", ("by",)),
    ('["strafe", "speed"]', '"speed"', ("blend.Idle", "[0, 0]")),
])
def test_what_is_wrong_with_two_numbers_is_named(tmp_path: Path, old: str, new: str, named: tuple[str, ...]) -> None:
    assert old in PLANE
    ran = run_inside("build", write_character(tmp_path, UNMARKED + PLANE.replace(old, new)), "--quiet")
    assert ran.status == 1 and mentions(ran.err, " ".join(["hero.toml", "states.move", *named]))
