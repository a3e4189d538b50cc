"""Foot contacts: found on heights, as events of clips that games keep in step by."""
from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import GltfBuilder, turn
from hypothesis import given
from hypothesis import strategies as st
from ossicle.bank.events import ClipEvent
from ossicle.bank.file import Bank, parse_bank
from ossicle.base.problem import SettingProblem
from ossicle.encoding.events.contacts import contact_events
from ossicle.encoding.events.contact_rules import ContactRule, parse_contacts
from ossicle.encoding.edits import edited
from ossicle.encoding.encoder import BankResult, encode_clips
from ossicle.encoding.events.rules import parse_events
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.generate.code import Code
from ossicle.generate.plan import make_plan
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Imported
from ossicle.model.contacts import LEAST_RISE_M, Contact, ground_spans, touch_downs
from running import HERO, run_inside
from mentions import mentioning, mentions

RATE = 30.0
FRAMES = 33  # of a made walk of one second and a bit, whose last frame is its first
STANCE = 16
RISE_M = 0.15
# The left foot comes down at frame 4, the right one half a walk later.
LEFT = [RISE_M * math.sin(math.pi * max(0, (frame - 4) % 32 - STANCE) / STANCE) for frame in range(FRAMES)]
RIGHT = [LEFT[(frame + STANCE) % 32] for frame in range(FRAMES)]


def walk(folder: Path, names: tuple[str, str] = ("left_foot", "right_foot"), travels_m: float = 0.0,
         events: list[dict[str, Any]] | None = None) -> Path:
    """A root that sways, turned and lifted off the ground, under which two feet go up and down."""
    g = GltfBuilder()
    g.node("Root", translation=[0, 0.2, 0], rotation=turn("y", 40), children=[1, 3])
    g.node(names[0], children=[2])
    g.node("left_toe_foot", translation=[0, 0, 0.1])
    g.node(names[1])
    g.skin([0, 1, 2, 3])
    times = np.arange(FRAMES) / RATE
    share = times / times[-1]
    feet = [[[side, height, 0.3 * math.sin(2 * math.pi * s)] for s, height in zip(share, heights)]
            for side, heights in ((0.1, LEFT), (-0.1, RIGHT))]
    path = [[0.0, 0.2, travels_m * s] for s in share]
    g.animation("Walk", (1, "translation", times, feet[0], "LINEAR"), (3, "translation", times, feet[1], "LINEAR"),
                (0, "translation", times, path, "LINEAR"))
    g.document["animations"][0]["extras"] = {"events": events or []}
    return g.write_glb(folder)


def contacts(value: Any) -> Any:
    return parse_contacts(value, "contacts")


def result_of(path: Path, value: Any = True, **rule: Any) -> BankResult:
    rules = (ClipRule("Walk", contacts=contacts(value), **({"loop": True} | rule)),)
    return encode_clips(read_clips([path]), Settings(clips=rules, effort="fast"))


def bank_of(*contacts: Any, **rule: Any) -> Bank:
    return parse_bank(result_of(*contacts, **rule).bank)


def found(bank: Bank) -> dict[str, list[int]]:
    frames: dict[str, list[int]] = {}
    for event in bank.events.of(0):
        assert event.end_q11 is None and event.position_q11 % 2048 == 0
        frames.setdefault(event.name, []).append(event.position_q11 >> 11)
    return frames


# heights

def at(*hundredths: float) -> np.ndarray:
    """Heights in hundredths of a rise of 10 cm."""
    return np.array(hundredths) * 1e-3


@pytest.mark.parametrize(("heights", "frames"), [
    ((0, 0, 40, 100, 40, 5, 0, 0, 60, 90, 30, 9, 0), (5, 11)),
    ((0, 20, 0, 24, 9, 0, 100, 0), (7,)),  # it was never in the air before
    ((100, 50, 20, 0), (3,)),  # it begins in the air
    ((0, 100, 40, 12, 26, 12, 0), (6,)),  # the foot swings low
    ((0, 100, 60, 13, 13, 12, 12, 11, 11, 10, 9, 5, 0), (3,)),  # a stance that sinks
    ((0, 100, 60, 13, 18, 14, 0), (6,)),  # the toes are up before the heel comes down
    ((0, 100, 60, 6, 6, 9, 8, 4, 0), (7,)),  # also near the ground
    ((0, 100, 60, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 7, 3, 0), (3,)),  # but not later
    ((0, 100, 60, 5, 2, 5, 30, 60, 100, 1), (3, 9)),  # a short step
    ((0, 50, 100), ()),
    ((5,), ()),
])
def test_heights(heights: tuple[int, ...], frames: tuple[int, ...]) -> None:
    assert touch_downs(at(*heights), RATE, False) == frames


def test_small_rises_are_ignored() -> None:
    step = np.array([0.0, 1.0, 0.0])
    assert touch_downs(step * (LEAST_RISE_M - 1e-6), RATE, False) == ()
    assert touch_downs(step * (LEAST_RISE_M + 1e-6), RATE, False) == (2,)


@given(st.lists(st.integers(0, 100), min_size=2, max_size=40), st.integers(0, 39), st.sampled_from((10.0, 30.0, 120.0)))
def test_loops_have_no_seam(shares: list[int], turned: int, rate: float) -> None:
    """A loop has the same contacts wherever it begins."""
    turned %= len(shares)
    heights, other = at(*shares, shares[0]), at(*shares[turned:], *shares[:turned], shares[turned])
    frames = touch_downs(heights, rate, True)
    assert len(set(frames)) == len(frames) and all(0 <= frame < len(shares) for frame in frames)
    assert sorted((frame + turned) % len(shares) for frame in touch_downs(other, rate, True)) == list(frames)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=60))
def test_contacts_follow_the_air(shares: list[int]) -> None:
    """Between two contacts of any heights the joint was in the air."""
    heights = at(*shares) / 10.0
    frames = touch_downs(heights, RATE, False)
    assert list(frames) == sorted(set(frames))
    if frames:
        low, rise = heights.min(), np.ptp(heights)
        for first, last in zip((0, *frames), frames):
            assert heights[first:last].max() > low + 0.25 * rise - 1e-12 and heights[last] <= low + 0.15 * rise + 1e-12


@pytest.mark.parametrize(("heights", "spans"), [
    ((0, 0, 40, 100, 40, 5, 0, 0, 60, 90, 30, 9, 0), ((0, 1), (5, 7), (11, 12))),
    ((0, 20, 0, 24, 9, 0, 100, 0), ((0, 5),)),  # one frame at the end is no time
    ((100, 50, 20, 0, 0), ((3, 4),)),
    ((20, 0, 0, 100, 20), ((0, 2),)),  # it begins between ground and air
    ((100, 0, 0, 20, 15), ((1, 4),)),
    ((100, 60, 13, 9, 5, 0, 2, 6, 12, 30, 100), ((2, 7),)),  # a stance that sinks and rises
    ((100, 20, 60), ()),  # never low enough
    ((0, 50, 100), ()),
    ((0, 0, 100), ((0, 1),)),
    ((5,), ()),
])
def test_spans_of_heights(heights: tuple[int, ...], spans: tuple[tuple[int, int], ...]) -> None:
    assert ground_spans(at(*heights), RATE, False) == spans


def test_spans_need_a_rise() -> None:
    step = np.array([0.0, 0.0, 1.0, 0.0, 0.0])
    assert ground_spans(step * (LEAST_RISE_M - 1e-6), RATE, False) == ()
    assert ground_spans(step * (LEAST_RISE_M + 1e-6), RATE, False) == ((0, 1), (3, 4))


@given(st.lists(st.integers(0, 100), min_size=1, max_size=60), st.booleans(), st.sampled_from((10.0, 30.0, 120.0)))
def test_spans_are_the_same_backward(shares: list[int], loop: bool, rate: float) -> None:
    """They are in order, do not overlap, begin where the joint touches down, and a clip in reverse has the same."""
    heights = at(*shares, shares[0]) if loop else at(*shares)
    last, spans = len(heights) - 1, ground_spans(heights, rate, loop)
    assert all(0 <= begin < end for begin, end in spans)
    assert all(end < begin for (_, end), (begin, _) in zip(spans, spans[1:]))
    assert {begin for begin, _ in spans} <= {*touch_downs(heights, rate, loop), *([] if loop else [0])}
    assert not spans or spans[-1][1] < (spans[0][0] + last if loop else last + 1)
    mirrored = {((last - end) % last if loop else last - end, end - begin)
                for begin, end in ground_spans(heights[::-1], rate, loop)}
    assert mirrored == {(begin, end - begin) for begin, end in spans}


@given(st.lists(st.integers(0, 100), min_size=2, max_size=40), st.integers(0, 39))
def test_spans_have_no_seam(shares: list[int], turned: int) -> None:
    turned %= len(shares)
    heights, other = at(*shares, shares[0]), at(*shares[turned:], *shares[:turned], shares[turned])
    spans = [((begin + turned) % len(shares), end - begin) for begin, end in ground_spans(other, RATE, True)]
    assert sorted(spans) == [(begin, end - begin) for begin, end in ground_spans(heights, RATE, True)]


# clips

STEPS = {"left_foot_down": [4], "right_foot_down": [20]}


@pytest.mark.parametrize("options", [{}, {"travels_m": 1.5}])
def test_made_walks(tmp_path: Path, options: dict[str, float]) -> None:
    path = walk(tmp_path, **options)
    assert found(bank_of(path, loop=not options)) == STEPS


@pytest.mark.parametrize(("options", "motion"), [({"travels_m": 1.5}, ("x", "z", "yaw")), ({}, ("y",))])
def test_trajectories_change_nothing(tmp_path: Path, options: dict[str, float], motion: tuple[str, ...]) -> None:
    path = walk(tmp_path, **options)
    assert found(bank_of(path, root_motion=motion, root_joint="Root", loop=True)) == STEPS


def test_parts_of_clips(tmp_path: Path) -> None:
    path = walk(tmp_path)
    assert found(bank_of(path, start_s=10 / RATE, loop=False)) == {"right_foot_down": [10]}
    assert found(bank_of(path, reverse=True))["left_foot_down"] == [12]  # where it took off: 20


def test_the_demo_character_keeps_step(tmp_path: Path) -> None:
    """Walk and Run have the same events in the same order, half a clip apart, and Idle has none."""
    config, bank, report = tmp_path / "hero.toml", tmp_path / "hero.ossb", tmp_path / "hero.json"
    config.write_text('contacts = ["*_foot"]\n[clips."Walk"]\nloop = true\n[clips."Run"]\nloop = true\n'
                      '[clips."Spin"]\ncontacts = false\n', encoding="utf-8")
    ran = run_inside("encode", HERO, "-o", bank, "--config", config, "--json", report)
    assert ran.status == 0
    clips = {clip.name: number for number, clip in enumerate(parse_bank(bank.read_bytes()).clips)}
    events = parse_bank(bank.read_bytes()).events
    frames = {name: [(event.name, event.position_q11 >> 11) for event in events.of(number)]
              for name, number in clips.items()}
    assert frames["Walk"] == [("left_foot_down", 0), ("right_foot_down", 15)]
    assert frames["Run"] == [("right_foot_down", 10), ("left_foot_down", 20)]
    assert frames["Jump"] == [("left_foot_down", 31), ("right_foot_down", 31)]
    assert frames["Idle"] == frames["Spin"] == []
    lines = {tuple(line.split()) for line in ran.out.splitlines()}
    assert ("Walk", "right_foot_down", "right_foot", "15") in lines
    assert ("Idle", "left_foot_down", "left_foot", "none:", "rises", "by", "0.2", "mm") in lines
    reported = {clip["name"]: clip["contacts"] for clip in json.loads(report.read_text(encoding="utf-8"))["clips"]}
    assert reported["Walk"][1] == {"joint": "right_foot", "event": "right_foot_down",
                                   "rises_mm": pytest.approx(127.3, abs=0.1), "frames": [15], "replaced": False,
                                   "ends": None}
    assert reported["Idle"][0]["frames"] == reported["Spin"] == []
    shown = json.loads(run_inside("inspect", bank, "--json").out)["clips"][clips["Walk"]]["events"]
    assert [(event["name"], event["frame"]) for event in shown] == frames["Walk"]


def spans_of(bank: Bank) -> list[tuple[str, float, float]]:
    return [(event.name, event.position_q11 / 2048, event.end_q11 / 2048) for event in bank.events.of(0)
            if event.end_q11 is not None]  # in the order of their beginnings


def test_spans_of_made_walks(tmp_path: Path) -> None:
    """The left foot leaves the ground at frame 20, the right one at frame 36, which is in the next loop."""
    path = walk(tmp_path)
    spans = [("left_foot_planted", 4, 20), ("right_foot_planted", 20, 4)]
    assert spans_of(bank_of(path, False, contact_spans=True)) == spans
    both = bank_of(path, contact_spans=contacts(["right_*"]))
    assert spans_of(both) == spans[1:]
    assert {event.name for event in both.events.of(0)} == {"left_foot_down", "right_foot_down", "right_foot_planted"}
    named = bank_of(path, False, contact_spans=contacts({"left_foot": "ground"}), loop=False)
    assert spans_of(named) == [("ground", 4, 20)]
    assert spans_of(bank_of(path, False, contact_spans=True, loop=False)) == [
        ("right_foot_planted", 0, 4), ("left_foot_planted", 4, 20), ("right_foot_planted", 20, 32)]


def test_spans_of_the_demo_character(tmp_path: Path) -> None:
    config, bank, report = tmp_path / "hero.toml", tmp_path / "hero.ossb", tmp_path / "hero.json"
    config.write_text('contact_spans = true\n[clips."Walk"]\nloop = true\n', encoding="utf-8")
    ran = run_inside("encode", HERO, "-o", bank, "--config", config, "--json", report)
    assert ran.status == 0, ran
    reported = {clip["name"]: clip["contacts"] for clip in json.loads(report.read_text(encoding="utf-8"))["clips"]}
    left, right = reported["Walk"]
    assert (left["event"], right["event"]) == ("left_foot_planted", "right_foot_planted")
    assert left["frames"] == [0] and right["frames"] == [15]
    assert [end - 15 for end in right["ends"]] == left["ends"] and 10 < left["ends"][0] < 25
    assert reported["Idle"][0]["frames"] == reported["Idle"][0]["ends"] == []
    assert reported["Jump"][0]["frames"] == [0, 31] and reported["Jump"][0]["ends"][0] < 31
    lines = {tuple(line.split()) for line in ran.out.splitlines()}
    assert ("Walk", "left_foot_planted", "left_foot", f"0-{left['ends'][0]}") in lines


def test_spans_at_a_lower_rate(tmp_path: Path) -> None:
    """A span that becomes shorter than a frame is no span."""
    contact = Contact("left_foot", "left_foot_planted", 150.0, (3, 10), ends=(4, 21)).at_rate(0.5)
    assert contact.frames == (2, 5) and contact.ends == (2, 10)
    clip = replace(read_clips([walk(tmp_path)]).clips[0], contacts=(contact,))
    assert [(event.seconds, event.length_s) for event in contact_events(clip)] == [(5 / RATE, 5 / RATE)]


# names

def test_names(tmp_path: Path) -> None:
    path = walk(tmp_path, ("rig:Foot.L", "rig:Foot.R"))
    bank = bank_of(path)
    assert found(bank) == {"rig_Foot_L_down": [4], "rig_Foot_R_down": [20]}
    assert [event.identifier for event in make_plan(bank, Code("hero")).events] == [
        "HERO_EVENT_RIG_FOOT_L_DOWN", "HERO_EVENT_RIG_FOOT_R_DOWN"]
    assert found(bank_of(path, {"*:Foot.?": "step", "rig:Foot.R": "right step"})) == {"step": [4], "right step": [20]}
    assert found(bank_of(path, "rig:Foot.L")) == {"rig_Foot_L_down": [4]}


def test_long_names_need_others(tmp_path: Path) -> None:
    path = walk(tmp_path, ("f" * 60, "right_foot"))
    with pytest.raises(SettingProblem, match=mentioning(f"Walk {'f' * 60}_down 63")):
        bank_of(path, ["fff*"])
    assert found(bank_of(path, {"fff*": "left"})) == {"left": [4]}


def feet_of(path: Path, carrying: frozenset[str] | None = None) -> list[str]:
    imported: Imported = replace(read_clips([path]), carrying=carrying)
    return [contact.joint for contact in edited(imported, Settings(contacts=True)).imported.clips[0].contacts]


def test_feet_are_found_by_name(tmp_path: Path) -> None:
    """The topmost joints count, and those that carry vertices, if that is known."""
    assert feet_of(walk(tmp_path)) == ["left_foot", "right_foot"]
    assert feet_of(walk(tmp_path, ("FOOT_L", "IK-foot")), frozenset(["left_toe_foot"])) == ["FOOT_L"]
    assert feet_of(walk(tmp_path, ("LeftAnkle", "RightToe"))) == ["left_toe_foot"]
    assert feet_of(walk(tmp_path, ("LeftAnkle", "RightAnkle")), frozenset(["LeftAnkle", "RightAnkle"])) == [
        "LeftAnkle", "RightAnkle"]
    assert feet_of(walk(tmp_path, ("a", "RightToe")), frozenset(["RightToe"])) == ["RightToe"]
    with pytest.raises(SettingProblem, match=mentioning("Walk contacts foot toe")):
        feet_of(walk(tmp_path, ("a", "b")), frozenset(["a", "b"]))


# what else a clip has

def test_other_events_of_the_name_win(tmp_path: Path) -> None:
    stated = parse_events([{"frame": 6, "name": "left_foot_down", "value": 3}], "events")
    result = result_of(walk(tmp_path), events=stated)
    assert parse_bank(result.bank).events.of(0) == (ClipEvent("left_foot_down", 6 << 11, 3),
                                                    ClipEvent("right_foot_down", 20 << 11))
    assert [contact.replaced for contact in result.clips[0].contacts] == [True, False]
    path = walk(tmp_path, events=[{"time": 0.5, "name": "right_foot_down"}, {"time": 0.1, "name": "glow"}])
    assert found(bank_of(path)) == {"glow": [3], "left_foot_down": [4], "right_foot_down": [15]}


def test_clips_have_their_own(tmp_path: Path) -> None:
    settings = Settings(contacts=True, clips=(ClipRule("Wal?", contacts=()), ClipRule("Walk", loop=True)))
    imported = read_clips([walk(tmp_path)])
    assert edited(imported, settings).imported.clips[0].contacts == ()
    single = replace(settings, clips=(ClipRule("Walk", loop=True, contacts=(ContactRule("right_foot"),)),))
    assert [contact.frames for contact in edited(imported, single).imported.clips[0].contacts] == [(20,)]
    assert parse_bank(encode_clips(imported, replace(settings, effort="fast")).bank).events.names == ()


@pytest.mark.parametrize(("contacts", "problem"), [
    ('["left_fot"]', "Walk left_fot left_foot"),
    ('{ "*_hand" = "a" }', "Walk *_hand"),
    ("1", "contacts 1 left_foot right_foot"),
    ("[1]", "1"),
    ('[""]', "contacts"),
    ("{ left_foot = 1 }", "contacts left_foot 1"),
    ('{ left_foot = "" }', "contacts left_foot"),
])
def test_bad_contacts_are_refused(tmp_path: Path, contacts: str, problem: str) -> None:
    config = tmp_path / "hero.toml"
    config.write_text(f"contacts = {contacts}\n", encoding="utf-8")
    ran = run_inside("encode", walk(tmp_path), "-o", tmp_path / "a.ossb", "--config", config)
    assert ran.status != 0 and mentions(ran.line, problem), ran.line
