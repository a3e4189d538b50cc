"""Events: from glTF files and configuration files to the bank and the header."""
from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from gltf_builder import GltfBuilder, turn
from ossicle.bank.assembling import with_sections
from ossicle.bank.events import MOST_PER_FRAME, TAG, ClipEvent, pack_events
from ossicle.bank.file import Bank, parse_bank
from ossicle.bank.strip import without_tiers
from ossicle.bank.words import BankProblem
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.events.rules import parse_events
from ossicle.encoding.problems import EncodeProblem
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.generate.code import Code
from ossicle.generate.plan import make_plan
from ossicle.importers.importer import read_clips
from running import run_inside
from mentions import mentioning, mentions

FRAMES = 31
END_Q11 = (FRAMES - 1) << 11


def wave(folder: Path, events: list[dict[str, Any]] | None = None) -> Path:
    """A clip of one second that loops, with these events in its extras."""
    g = GltfBuilder()
    g.node("Body", children=[1])
    g.node("Arm", translation=[0.4, 0, 0])
    g.skin([0, 1])
    times = np.arange(FRAMES) / 30
    g.animation("Wave", (1, "rotation", times, [turn("z", 40 * np.sin(2 * np.pi * t)) for t in times], "LINEAR"))
    if events is not None:
        g.document["animations"][0]["extras"] = {"events": events}
    return g.write_glb(folder)


def encoded(path: Path, events: list[dict[str, Any]] = [], **rule: Any) -> Bank:  # noqa: B006
    rules = (ClipRule("Wave", events=parse_events(events, "events"), **rule),)
    return parse_bank(encode_clips(read_clips([path]), Settings(clips=rules, effort="fast")).bank)


def test_both_sources_meet(tmp_path: Path) -> None:
    path = wave(tmp_path, [{"time": 0.5, "name": "Hit", "value": -7}, {"time": 0.1, "name": "glow", "length": 0.3}])
    bank = encoded(path, [{"time": "0.25s", "name": "step left"}, {"frame": "last", "name": "Hit", "value": 3},
                          {"frame": 3, "until": 9, "name": "step left"}, {"time": 0, "until": "500ms", "name": "glow"}])
    assert bank.events.names == ("Hit", "glow", "step left")
    assert bank.events.of(0) == (
        ClipEvent("glow", 0, 0, 15 << 11), ClipEvent("glow", 3 << 11, 0, 12 << 11),
        ClipEvent("step left", 3 << 11, 0, 9 << 11), ClipEvent("step left", 15 << 10, 0),
        ClipEvent("Hit", 15 << 11, -7), ClipEvent("Hit", END_Q11, 3))
    plan = make_plan(bank, Code("hero"))
    assert [event.identifier for event in plan.events] == ["HERO_EVENT_HIT", "HERO_EVENT_GLOW", "HERO_EVENT_STEP_LEFT"]


def test_a_frame_has_a_bounded_number_of_events(tmp_path: Path) -> None:
    """At most 32 marks: a span has two. The message names clip, time and events."""
    path = wave(tmp_path)
    within = [{"time": 0.1 + i * 0.001, "name": f"spark {i}"} for i in range(MOST_PER_FRAME)]
    assert len(encoded(path, within).events.of(0)) == MOST_PER_FRAME
    assert len(encoded(path, [*within, {"time": 0.1 + 1 / 30, "name": "next"}]).events.of(0)) == MOST_PER_FRAME + 1
    for one_more in ({"time": "110ms", "name": "hit"}, {"time": 0.0, "until": "110ms", "name": "hit"}):
        with pytest.raises(EncodeProblem) as raised:
            encoded(path, [*within, one_more])
        for part in ("hero.glb", "clip Wave", "0.1 s", "hit", str(MOST_PER_FRAME)):
            assert part in str(raised.value)
    crowded = pack_events({0: tuple(ClipEvent("hit", i) for i in range(MOST_PER_FRAME + 1))})
    with pytest.raises(BankProblem):
        parse_bank(with_sections(encode_clips(read_clips([path]), Settings(effort="fast")).bank, {TAG: crowded}))


def test_events_of_the_file_are_cut_with_it(tmp_path: Path) -> None:
    path = wave(tmp_path, [{"time": 0.1, "name": "gone"}, {"time": 0.1, "name": "half", "length": 0.3},
                           {"time": 0.5, "name": "hit"}])
    assert encoded(path, start_s=0.2, end_s=0.6, speed=2.0).events.of(0) == (
        ClipEvent("half", 0, 0, 6 << 11), ClipEvent("hit", 9 << 11))
    assert encoded(path, start_s=0.2, end_s=0.6, reverse=True).events.of(0) == (
        ClipEvent("hit", 3 << 11), ClipEvent("half", 6 << 11, 0, 12 << 11))


def test_spans_go_round_a_loop(tmp_path: Path) -> None:
    path = wave(tmp_path)
    span = [{"time": 0.9, "length": "0.3s", "name": "contact"}]
    assert encoded(path, span, loop=True).events.of(0) == (ClipEvent("contact", 27 << 11, 0, 6 << 11),)
    ran = run_inside("encode", path, "-o", tmp_path / "a.ossb", "--config", _config(tmp_path, span))
    assert mentions(ran.line, "hero.glb Wave contact 0.9s 1.2s 1s 31 30 [clips.'Wave'] events[0]")


def test_ends_of_spans_and_of_clips(tmp_path: Path) -> None:
    """A span may end where its loop does, or before it begins; half a frame beyond the end of a clip is its end."""
    path, frame_s, position_s = wave(tmp_path), 1.0 / 30.0, 1.0 / 30.0 / 2048.0
    assert encoded(path, [{"time": 0.9, "until": 0.2, "name": "a"}], loop=True).events.of(0) == (
        ClipEvent("a", 27 << 11, 0, 6 << 11),)
    assert encoded(path, [{"time": 0.5, "until": 1.0, "name": "a"}], loop=True).events.of(0) == (
        ClipEvent("a", 15 << 11, 0, END_Q11),)
    assert encoded(path, [{"time": 0.0, "length": 1.0 - frame_s, "name": "a"}], loop=True).events.of(0) == (
        ClipEvent("a", 0, 0, 29 << 11),)
    assert encoded(path, [{"time": 1.0 + 0.4 * frame_s, "name": "a"}]).events.of(0) == (ClipEvent("a", END_Q11),)
    assert encoded(path, [{"time": 0.5, "length": 0.5 + 0.4 * frame_s, "name": "a"}]).events.of(0) == (
        ClipEvent("a", 15 << 11, 0, END_Q11),)
    assert encoded(path, [{"time": 0.5, "length": 3.0 * position_s, "name": "a"}]).events.of(0) == (
        ClipEvent("a", 15 << 11, 0, (15 << 11) + 3),)


@pytest.mark.parametrize(("event", "loop"), [
    ({"time": 0.0, "length": 1.0}, True), ({"time": 0.3, "length": 1.0}, True), ({"time": 0.3, "length": 1.2}, True),
    ({"time": 0.3, "length": 1.9 / 30.0 / 2048.0}, False), ({"time": 1.0 + 0.6 / 30.0}, False),
    ({"time": 0.5, "length": 0.5 + 0.6 / 30.0}, False), ({"time": 0.5, "until": 0.2}, False)])
def test_spans_that_no_clip_has(tmp_path: Path, event: dict[str, Any], loop: bool) -> None:
    """Spans as long as their loop or longer, shorter than two positions, and beyond the end."""
    with pytest.raises(EncodeProblem, match=mentioning("events[0]")):
        encoded(wave(tmp_path), [event | {"name": "a"}], loop=loop)


def _config(folder: Path, events: list[dict[str, Any]]) -> Path:
    def value(given: Any) -> str:
        return json.dumps(given)
    tables = "".join("[[clips.\"Wave\".events]]\n" + "".join(f"{key} = {value(item)}\n" for key, item in event.items())
                     for event in events)
    path = folder / "events.toml"
    path.write_text(tables, encoding="utf-8")
    return path


@pytest.mark.parametrize(("event", "problem"), [
    ({"time": "0.4s"}, "events[0] name footstep_left"),
    ({"time": "0.4s", "name": ""}, "events[0] name"),
    ({"time": "0.4s", "name": "a" * 64}, f"events[0] name {'a' * 64} 63"),
    ({"name": "hit"}, "events[0] time 0.4s"),
    ({"name": "hit", "time": 1, "frame": 1}, "events[0] time 0.4s"),
    ({"name": "hit", "time": "4 m"},
     "events[0] time 4m 0.4s 0"),
    ({"name": "hit", "frame": -1}, "events[0] frame -1 0"),
    ({"name": "hit", "frame": 1, "value": 2**31},
     "events[0] value 2147483648 32 -2147483648 2147483647"),
    ({"name": "hit", "frame": 1, "length": 1, "until": 2},
     "events[0]"),
    ({"name": "hit", "frame": 1, "vlaue": 2}, "events[0] vlaue value"),
])
def test_bad_events_are_refused(tmp_path: Path, event: dict[str, Any], problem: str) -> None:
    config = _config(tmp_path, [event])
    ran = run_inside("encode", wave(tmp_path), "-o", tmp_path / "a.ossb", "--config", config)
    assert ran.status != 0 and mentions(ran.line, f"{config} [clips.'Wave'] {problem}")


@pytest.mark.parametrize(("event", "problem"), [
    ({"time": "1.5s", "name": "hit"}, "1.5s 1s 31 30"),
    ({"frame": 9, "until": 9, "name": "hit"},
     "0.3s 0s 0"),
])
def test_events_outside_their_clip_are_refused(tmp_path: Path, event: dict[str, Any], problem: str) -> None:
    ran = run_inside("encode", wave(tmp_path), "-o", tmp_path / "a.ossb", "--config", _config(tmp_path, [event]))
    assert mentions(ran.line, f"hero.glb Wave {problem} [clips.'Wave'] events[0]")


@pytest.mark.parametrize(("event", "problem"), [
    ({"time": 0.1}, "extras.events[0]"), ({"name": "hit"}, "extras.events[0] None"),
    ({"name": "hit", "time": -1}, "extras.events[0] -1"),
    ({"name": "hit", "time": 1, "value": 0.5}, "extras.events[0]"),
    ({"name": "hit", "time": 1, "length": 0}, "extras.events[0] hit 0"),
])
def test_bad_extras_are_refused(tmp_path: Path, event: dict[str, Any], problem: str) -> None:
    ran = run_inside("encode", wave(tmp_path, [event]), "-o", tmp_path / "a.ossb")
    assert mentions(ran.line, "hero.glb Wave") and mentions(ran.line, problem)


def test_extras_of_other_programs_are_left_alone(tmp_path: Path) -> None:
    assert encoded(wave(tmp_path, [1, "x"])).events.names == ()  # type: ignore[list-item]


def test_tools_carry_and_show_events(tmp_path: Path) -> None:
    bank = tmp_path / "hero.ossb"
    config = _config(tmp_path, [{"frame": 3, "name": "hit", "value": 5}])
    assert run_inside("encode", wave(tmp_path), "-o", bank, "--config", config, "--preset", "acl-2.1-tiers",
                      "--quiet").status == 0
    assert "hit" in run_inside("inspect", bank).out
    shown = json.loads(run_inside("inspect", bank, "--json").out)
    assert shown["clips"][0]["events"] == [{"name": "hit", "frame": 3, "value": 5, "until": None}]
    stripped = tmp_path / "small.ossb"
    assert run_inside("strip", bank, "-o", stripped, "--tiers", "0").status == 0
    assert parse_bank(stripped.read_bytes()).events == parse_bank(bank.read_bytes()).events
    bases = tmp_path / "bases"
    assert run_inside("pack", bank, "-o", tmp_path / "card.img", "--bases", bases, "--quiet").status == 0
    assert parse_bank((bases / "hero.base.ossb").read_bytes()).events == parse_bank(bank.read_bytes()).events


def test_unknown_sections_are_carried(tmp_path: Path) -> None:
    bank = with_sections(encode_clips(read_clips([wave(tmp_path)]), Settings(effort="fast")).bank, {"XTRA": b"1234"})
    base, _ = without_tiers(parse_bank(bank), 0)
    assert base == bank and parse_bank(bank).sections[-1].cut(parse_bank(bank).words) == (0x34333231,)


def test_damage_is_a_problem(tmp_path: Path) -> None:
    """Any damage gives a message, or events of the clip."""
    bank = encode_clips(read_clips([wave(tmp_path)]), Settings(effort="fast")).bank
    body = pack_events({0: (ClipEvent("hit", 5), ClipEvent("glow", 3, -1, 900), ClipEvent("hit", 7, 2))})
    whole = parse_bank(with_sections(bank, {TAG: body}))
    assert whole.events.of(0) == (ClipEvent("glow", 3, -1, 900), ClipEvent("hit", 5), ClipEvent("hit", 7, 2))
    random, refused = Random(4), 0
    for _ in range(600):
        damaged = bytearray(body[:random.randrange(0, len(body) + 1, 4)] if random.random() < 0.2 else body)
        for _ in range(random.randrange(1, 4) if damaged else 0):
            damaged[random.randrange(len(damaged))] ^= 1 << random.randrange(8)
        try:
            parse_bank(with_sections(bank, {TAG: bytes(damaged)}))
        except BankProblem as problem:
            refused += 1
            assert mentions(str(problem), "encode")
    assert refused > 300
