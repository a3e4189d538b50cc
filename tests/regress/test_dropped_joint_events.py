"""Leaving joints out samples a clip again, which once lost its events; all its other data must be kept, too."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder, turn

from ossicle.bank.additive import Over
from ossicle.bank.file import Bank, parse_bank
from ossicle.encoding.derived.additive_rules import AdditiveRule
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.importers.importer import read_clips
from ossicle.model.import_options import ImportOptions
from ossicle.model.contacts import Contact
from ossicle.model.editing.dropping import without_joints

RATE, FAST = 30, 60
DOWN, END = 12, 24  # frames of the foot: it comes down, and the clip ends


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A foot that comes down once, and an antenna above it with twice as many keys; each clip has an event."""
    g = GltfBuilder()
    g.node("hips", children=[1, 2])
    g.node("foot")
    g.node("antenna", translation=[0, 1, 0])
    g.skin([0, 1, 2])
    times, fast = np.arange(END + 1) / RATE, np.arange(2 * END + 1) / FAST
    height = [[0.1, 0.2 * max(0.0, 1.0 - frame / DOWN), 0.0] for frame in range(END + 1)]
    for name, travel in (("Stand", 0.0), ("Step", 0.1)):
        places = [[x + travel * number, y, z] for number, (x, y, z) in enumerate(height)]
        g.animation(name, (1, "translation", times, places, "LINEAR"),
                    (2, "rotation", fast, [turn("x", 40 * np.sin(key)) for key in range(2 * END + 1)], "LINEAR"))
        g.document["animations"][-1]["extras"] = {"events": [{"time": 0.1, "name": f"{name}_begins"}]}
    return g.write_glb(tmp_path_factory.mktemp("steps"))


def bank_of(path: Path, *rules: ClipRule, drop: tuple[str, ...]) -> Bank:
    importing = ImportOptions(drop=drop)
    return parse_bank(encode_clips(read_clips([path], importing), Settings(clips=rules, importing=importing)).bank)


@pytest.mark.parametrize("drop", [(), ("antenna",), ("hips",)])
def test_events_stay(steps: Path, drop: tuple[str, ...]) -> None:
    """Those of the file and those of contacts, also in an additive clip."""
    contacts = ClipRule("*", contacts=True)
    bank = bank_of(steps, contacts, ClipRule("Step", additive=AdditiveRule("Stand", 2)), drop=drop)
    assert [joint.name for joint in bank.joints] == [name for name in ("hips", "foot", "antenna") if name not in drop]
    rate = bank.clips[0].rate_q16 >> 16
    assert rate == (RATE if "antenna" in drop else FAST)
    for clip, name in enumerate(("Stand", "Step")):
        found = {event.name: event.position_q11 / 2048 / rate for event in bank.events.of(clip)}
        assert found.keys() == {f"{name}_begins", "foot_down"} and abs(found[f"{name}_begins"] - 0.1) < 1e-3
        assert abs(found["foot_down"] - DOWN / RATE) < 2.0 / RATE
    assert bank.clips[1].additive and bank.over == {1: Over("Stand", 2 << 11)}


def test_contacts_stay_at_their_times(steps: Path) -> None:
    imported = read_clips([steps])
    clips = [replace(clip, contacts=(Contact("foot", "foot_down", 200.0, (24,)),)) for clip in imported.clips]
    (stand, _) = without_joints(replace(imported, clips=clips), frozenset({"antenna"})).clips
    assert stand.rate == RATE and stand.contacts[0].frames == (12,)
