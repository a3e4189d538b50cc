"""The curves of an additive clip are differences from their values in the pose that it is added to."""
from __future__ import annotations

import base64
import json
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from curve_files import FPS, add_sides, nod, wave, weighted, weights
from curve_programs import lines_of, numbers_in

from ossicle.analysis.analysis import analyse
from ossicle.analysis.apart import Comparison
from ossicle.analysis.subject import encoded_subject, matched_subject
from ossicle.bank.file import parse_bank
from ossicle.cli.main import main
from ossicle.encoding.derived.additive_rules import AdditiveRule
from ossicle.encoding.curves.rules import parse_curves
from ossicle.encoding.encoder import encode, encode_clips
from ossicle.encoding.problems import EncodeProblem
from ossicle.encoding.results import BankResult
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.model.sides import Mirror
from ossicle.importers.importer import read_clips
from ossicle.model.import_options import ImportOptions
from ossicle.model.curves.rule import DEFAULT_TOLERANCE
from ossicle.view.payload import Pixels, payload
from mentions import mentioning, mentions

FRAMES, FRAME = 31, 5
LAMP, ALARM = 0.75, [(0.0, 0.0), (0.5, 1.5), (1.0, 0.25)]
CURVES = ("smile", "blink_l", "blink_r")
REST = (0.0, 0.5, 0.0)
# What the runtime rounds in a sum: a step of the pose, one of the difference, and half a one of the product.
ROUNDING = 2.5 * 2.0**-20


def face_of(phase: float) -> np.ndarray:
    """[frame, curve]"""
    return np.stack([wave(FRAMES, phase), 0.5 + 0.4 * wave(FRAMES, phase + 1), -wave(FRAMES, phase + 2, 0.1)], axis=1)


def source(folder: Path, **clips: np.ndarray | None) -> Path:
    """A file with a face of three curves. clips: the weights of each; None for a clip without them."""
    g, face = weighted(CURVES, REST)
    add_sides(g)
    for name, values in clips.items():
        g.animation(name, nod(FRAMES), *([] if values is None else [weights(face, values)]))
    return g.write_glb(folder)


def settings(additive: AdditiveRule = AdditiveRule("Idle", FRAME), **options: Any) -> Settings:
    """Talk is added to a pose, in which a lamp is on, and states an alarm."""
    lamp = parse_curves({"lamp": [[0.0, 0.0], [FRAME / FPS, LAMP], [1.0, 0.0]]}, "curves")
    alarm = parse_curves({"alarm": [list(key) for key in ALARM]}, "curves")
    return Settings(clips=(ClipRule("Idle", curves=lamp), ClipRule("Talk", additive=additive, curves=alarm)), **options)


@pytest.fixture(scope="module")
def hero(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return source(tmp_path_factory.mktemp("additive"), Idle=face_of(0.0), Talk=face_of(1.5))


def talk(seconds: np.ndarray) -> dict[str, np.ndarray]:
    """The curves of Talk as its sources say, at times."""
    times = np.arange(FRAMES) / FPS
    of_file = {name: np.interp(seconds, times, column) for name, column in zip(CURVES, face_of(1.5).T)}
    return of_file | {"alarm": np.interp(seconds, *np.transpose(ALARM)), "lamp": np.zeros(len(seconds))}


def added(result: BankResult, folder: Path) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Times, and of each curve the values [row, 4]: in the base pose, in the sum, in the half sum, in the mirrored
    sum."""
    lines = lines_of(result.bank, "additive_driver.c", folder, f"-DFRAME={FRAME}", mirror=Mirror())
    numbers = numbers_in(lines)
    rows = np.array([line for line in lines if len(line) > 1], float)
    parts = np.stack(np.split(rows[:, 1:] / 2.0**20, 4, axis=1), axis=2)
    return rows[:, 0] / 2048.0 / result.clips[1].rate, {name: parts[:, at] for name, at in numbers.items()}


@pytest.mark.parametrize("codec", ["delta", "curve", "transform"])
def test_the_sum_has_the_values_of_the_source(hero: Path, tmp_path: Path, codec: str) -> None:
    """Also where the clip has no keys of a curve that the other clip moves: it is at rest there."""
    seconds, played = added(encode([hero], settings(codec=codec)), tmp_path)
    swapped = {"blink_l": "blink_r", "blink_r": "blink_l"}
    assert set(played) == {*CURVES, "lamp", "alarm"}
    for name, wanted in talk(seconds).items():
        base, whole, half, mirrored = played[name].T
        assert np.abs(whole - wanted).max() <= 2.0 * DEFAULT_TOLERANCE + ROUNDING, name
        assert np.abs(half - (base + whole) / 2.0).max() <= ROUNDING, name
        assert (mirrored == played[swapped.get(name, name)][:, 1]).all(), name


def test_errors_are_those_of_the_differences(hero: Path) -> None:
    """Errors of a bank that was just encoded, and of one that is matched with its sources."""
    imported = read_clips([hero])
    result = encode_clips(imported, settings())
    for subject in (encoded_subject("hero", result, imported, settings(), [hero]),
                    matched_subject("hero", parse_bank(result.bank), imported, settings(), [hero])):
        for clip, measured in zip(result.clips, analyse(subject)["clips"]):
            assert [curve["name"] for curve in measured["curves"]] == [curve.name for curve in clip.curves]
            for curve, error in zip(measured["curves"], clip.curves):
                assert curve["error"] == error.error <= error.tolerance == DEFAULT_TOLERANCE


def test_a_reference_beside_the_bank_has_its_curves(hero: Path) -> None:
    """A reference that is not encoded still has its curves, but no warning names it."""
    lamp = parse_curves({"lamp": [[0.0, 0.0], [0.51, 0.01], [1.0, 0.0]]}, "curves")  # a key between frames
    rules = (ClipRule("Idle", curves=lamp), ClipRule("Talk", additive=AdditiveRule("Idle", FRAME)))
    alone = replace(Settings(clips=rules), importing=ImportOptions(only=("Talk",)))
    result = encode([hero], alone)
    assert [clip.name for clip in result.clips] == ["Talk"] and not any("Idle" in line for line in result.warnings)
    assert [curve.name for curve in result.clips[0].curves] == [*CURVES, "lamp"]
    assert all(curve.error <= DEFAULT_TOLERANCE for curve in result.clips[0].curves)
    unused = replace(alone, clips=(*rules, ClipRule("Talk", additive=None)))
    assert unused.reading.references == ("Idle",)
    assert encode([hero], unused).bank == encode([hero], Settings(importing=alone.importing)).bank


def test_a_fast_difference_makes_the_clip_denser(tmp_path: Path) -> None:
    flash = np.tile(REST, (FRAMES, 1))
    flash[4::9, 0] = 1.0
    path = source(tmp_path, Idle=face_of(0.0), Talk=flash)
    result = encode([path], Settings(clips=(ClipRule("Talk", additive=AdditiveRule("Idle", FRAME)),)))
    assert [clip.rate for clip in result.clips] == [FPS, 2 * FPS] and result.clips[1].additive == f"Idle, frame {FRAME}"
    assert all(curve.error <= DEFAULT_TOLERANCE for curve in result.clips[1].curves)


def hardly_moved(folder: Path) -> tuple[Path, Settings]:
    """All curves stay near their rest, one of which is not 0: no clip needs them."""
    idle = np.tile(REST, (FRAMES, 1))
    path = source(folder, Idle=idle, Talk=idle + 1e-3 * np.sin(np.arange(FRAMES))[:, None])
    return path, Settings(clips=(ClipRule("Talk", additive=AdditiveRule("Idle")),))


def test_a_curve_that_no_clip_moves_makes_no_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, chosen = hardly_moved(tmp_path)
    result = encode([path], chosen)
    bank = parse_bank(result.bank)
    assert not any(joint.subtracks[1] for joint in bank.joints[bank.real_joints:])
    assert all(curve.error <= 1.001e-3 for clip in result.clips for curve in clip.curves)
    (tmp_path / "hero.ossb").write_bytes(result.bank)
    assert main(["decode", str(tmp_path / "hero.ossb"), "--clip", "Talk",
                 "-o", str(tmp_path / "talk.csv")]) in (None, 0)
    assert mentions(capsys.readouterr().out, "Idle 0")
    rows = (tmp_path / "talk.csv").read_text(encoding="utf-8").splitlines()
    assert {row.partition(",")[2] for row in rows[1:]} == {"0,0,0"}


def test_banks_differ_by_differences(tmp_path: Path) -> None:
    """A curve that only one bank holds for a clip is no difference in the other one."""
    path, chosen = hardly_moved(tmp_path)
    moved = replace(chosen, clips=(*chosen.clips, ClipRule(
        "Talk", curves=parse_curves({"blink_l": [[0.0, 0.5], [0.5, 0.75]]}, "curves"))))
    banks = [parse_bank(encode([path], item).bank) for item in (chosen, moved)]
    apart = Comparison(*banks, 0.03).apart("Talk")
    assert apart.curve == "blink_l" and abs(apart.value - 0.25) <= 2.0 * DEFAULT_TOLERANCE


def test_a_loop_of_differences_closes(tmp_path: Path) -> None:
    gap = np.linspace(0.0, 0.2, FRAMES)[:, None] * [1.0, 0.0, 0.0] + REST
    path = source(tmp_path, Idle=face_of(0.0), Turn=gap)
    additive = AdditiveRule("Idle", FRAME)
    with pytest.raises(EncodeProblem, match=mentioning("smile 0.2")):
        encode([path], Settings(clips=(ClipRule("Turn", loop=True, additive=additive),)))
    assert encode([path], Settings(clips=(ClipRule("Turn", loop="close", additive=additive),))).clips[1].loop


def test_differences_that_do_not_fit_name_the_curve(tmp_path: Path) -> None:
    path = source(tmp_path, Idle=None, Talk=None)
    rules = [ClipRule(name, curves=parse_curves({"wide": [[0.0, value]]}, "curves"))
             for name, value in (("Idle", -2000.0), ("Talk", 2000.0))]
    with pytest.raises(EncodeProblem, match=mentioning("hero.glb 0 4000 Idle +-2047")):
        encode([path], Settings(clips=(*rules, ClipRule("Talk", additive=AdditiveRule("Idle")))))


def test_the_page_has_the_pose_with_its_curves(hero: Path) -> None:
    imported = read_clips([hero])
    result = encode_clips(imported, settings())
    subject = encoded_subject("hero", result, imported, settings(), [hero])
    assert subject.source is not None and subject.source.clips[1].reference is not None
    assert subject.source.clips[1].reference.pose.shape == (len(subject.bank.joints), 10)
    text, _ = payload([subject], Pixels(320, 240))
    data = zlib.decompress(base64.b64decode(text))
    size = int.from_bytes(data[:4], "little")
    document = json.loads(data[4:4 + size])
    place, start = document["sources"][1]["over"], -(-(4 + size) // 8) * 8
    over = np.frombuffer(data, "<i4", place["bytes"] // 4, start + place["at"]).reshape(-1, 10)
    curves = [joint["curves"] for joint in document["joints"]]
    assert len(over) == len(curves) == len(subject.bank.joints)
    (lamp,) = (joint for joint, entry in enumerate(document["joints"]) if entry["curves"] and "lamp" in entry["name"])
    assert round(LAMP * 2**20) in over[lamp, 4:7]
    assert document["banks"][0]["clips"][1]["additive"] == "additive over Idle, frame 5"
    assert not curves[document["banks"][0]["clips"][1]["errors"]["joint"]]
