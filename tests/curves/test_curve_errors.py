"""Curves hold their tolerances from the file to what a game reads: at every key and midpoint."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from curve_files import FPS, add_mesh, add_sides, nod, wave, weighted, weights
from curve_programs import lines_of, numbers_in

from ossicle.bank.file import parse_bank
from ossicle.base.problem import SettingProblem
from ossicle.encoding.curves.rules import StatedCurve
from ossicle.encoding.curves.bank_curves import layout_of
from ossicle.encoding.encoder import encode
from ossicle.encoding.problems import EncodeProblem
from ossicle.encoding.results import BankResult
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.export.played import play
from ossicle.generate.code import Code
from ossicle.generate.emit import code_files
from ossicle.model.curves.rule import DEFAULT_TOLERANCE, CurveRule
from ossicle.model.editing.mirroring import sides_of
from ossicle.model.sides import Mirror
from mentions import mentioning

FRAMES = 31
TOLERANCES = {"smile": 0.01, "blink_l": DEFAULT_TOLERANCE, "blink_r": DEFAULT_TOLERANCE, "lamp": DEFAULT_TOLERANCE,
              "flash": DEFAULT_TOLERANCE, "glow": 0.001}
REST = {"smile": 0.0, "blink_l": 0.5, "blink_r": 0.0, "lamp": 0.0, "flash": 0.0, "glow": 0.0}
GLOW = [(0.0, 0.0), (11.0 / FPS, 1.0), (0.5, 1.0), (0.5, 0.0), (0.9, 0.25)]


def linear() -> np.ndarray:
    """[frame, curve]: of smile, blink_l and blink_r."""
    return np.stack([wave(FRAMES, 0.0), 0.5 * wave(FRAMES, 1.0), -3.0 * wave(FRAMES, 2.0, 0.1)], axis=1)


def steps() -> np.ndarray:
    return np.where(np.arange(FRAMES) % 7 < 3, 1.0, 0.0)[:, None]


def fast() -> np.ndarray:
    """Changes by 1 from frame to frame, and blends."""
    return (np.arange(FRAMES) % 9 == 4)[:, None] * 1.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("curves")


def source(folder: Path) -> Path:
    g, face = weighted(["smile", "blink_l", "blink_r"], [0.0, 0.5, 0.0])
    lamp, flash = add_mesh(g, ["lamp"], node="Lamp"), add_mesh(g, ["flash"], node="Flash")
    g.animation("Walk", nod(FRAMES), weights(face, linear()), weights(lamp, steps(), interpolation="STEP"),
                weights(flash, fast()))
    g.animation("Idle", nod(11))
    return g.write_glb(folder)


def settings(**options: object) -> Settings:
    rules = (CurveRule("smile", 0.01), CurveRule("glow", 0.001))
    stated = ClipRule("Walk", curves=(StatedCurve("glow", tuple(GLOW), "glow"),))
    return replace(Settings(curve_rules=rules, clips=(stated,)), **options)


def expected(name: str, seconds: np.ndarray) -> np.ndarray:
    """Values of the file, linear between keys; at a jump, those after it."""
    times = np.arange(FRAMES) / FPS
    if name == "glow":
        values = np.interp(seconds, [time for time, _ in GLOW], [value for _, value in GLOW])
        return np.where(np.abs(seconds - 0.5) < 1e-6, 0.0, values)
    if name == "lamp":
        return steps()[np.minimum((seconds * FPS + 1e-6).astype(int), FRAMES - 1), 0]
    columns = {"smile": linear()[:, 0], "blink_l": linear()[:, 1], "blink_r": linear()[:, 2], "flash": fast()[:, 0]}
    return np.interp(seconds, times, columns[name])


def played(result: BankResult, folder: Path) -> tuple[dict[str, int], np.ndarray]:
    """The number of each curve, and rows of clip, position in Q11, and values, from generated code."""
    lines = lines_of(result.bank, "curves_driver.c", folder)
    return numbers_in(lines), np.array([line for line in lines if len(line) > 1], int)


@pytest.mark.parametrize("codec", ["delta", "curve", "transform"])
def test_values_hold_their_tolerances_at_frames_and_midpoints(folder: Path, codec: str) -> None:
    result = encode([source(folder)], settings(codec=codec))
    numbers, rows = played(result, folder)
    assert set(numbers) == set(TOLERANCES)
    walk = next(clip for clip in result.clips if clip.name == "Walk")
    assert walk.rate == 2 * FPS  # flash changes by 1 in a thirtieth of a second
    for clip, name in enumerate(("Walk", "Idle")):
        some = rows[rows[:, 0] == clip]
        rate = next(item for item in result.clips if item.name == name).rate
        seconds = some[:, 1] / 2048.0 / rate
        for curve, tolerance in TOLERANCES.items():
            values = some[:, 2 + numbers[curve]] / 2.0**20
            wanted = expected(curve, seconds) if name == "Walk" else np.full(len(seconds), REST[curve])
            assert np.abs(values - wanted).max() <= tolerance, (name, curve)


def test_the_report_has_the_errors_that_are_measured(folder: Path) -> None:
    result = encode([source(folder)], settings())
    numbers, rows = played(result, folder)
    walk = rows[rows[:, 0] == 0]
    for error in result.clips[0].curves:
        seconds = walk[:, 1] / 2048.0 / result.clips[0].rate
        apart = np.abs(walk[:, 2 + numbers[error.name]] / 2.0**20 - expected(error.name, seconds))
        assert error.tolerance == TOLERANCES[error.name]
        assert apart.max() <= error.error + 2.0**-19
    assert result.clips[0].error_joint in ("root", "head")
    assert not any("mm" in warning for warning in result.warnings)


def test_curves_of_one_tolerance_share_joints_and_jumps_disturb_no_others(folder: Path) -> None:
    joints = [joint.name for joint in parse_bank(encode([source(folder)], settings()).bank).joints]
    assert joints == ["root", "head", "curve:smile", "curve:blink_l,blink_r,flash", "curve:lamp", "curve:glow"]


def test_matrices_do_not_grow(folder: Path) -> None:
    result = encode([source(folder)], settings(skinning=True))
    header = code_files(parse_bank(result.bank), Code("hero", matrices="q14"))["hero.h"].decode()
    assert "#define HERO_MATRIX_COUNT 2\n" in header
    assert "#define HERO_SKINNING_BYTES 64\n" in header
    assert "HERO_JOINT_CURVE" not in header and "HERO_CURVE_BLINK_L" in header


def test_curves_stay_outside_of_patterns_of_joints(folder: Path) -> None:
    bank = parse_bank(encode([source(folder)], settings()).bank)
    code = code_files(bank, Code("hero", sets={"all": ["*"]}, masks={}))["hero_pose.c"].decode()
    evaluates = code[code.index("hero_evaluate_all"):]
    assert "HERO_VALUES" not in evaluates.split("hero_compose")[0].split("{", 1)[1].split("\n}")[0]


def test_a_loop_closes_its_curves(folder: Path) -> None:
    g, face = weighted(["smile"])
    g.animation("Turn", nod(1), weights(face, np.linspace(0.0, 0.2, 11)[:, None]))
    path = g.write_glb(folder, "open.glb")
    with pytest.raises(EncodeProblem, match=mentioning("smile 10 0.2 0")):
        encode([path], Settings(clips=(ClipRule("Turn", loop=True),)))
    assert encode([path], Settings(clips=(ClipRule("Turn", loop="close"),))).clips[0].loop


def test_a_mirror_exchanges_curves_of_left_and_right(folder: Path) -> None:
    g, face = weighted(["blink_l", "smile", "frown", "blink_r"])
    add_sides(g)
    g.animation("Walk", nod(FRAMES), weights(face, np.stack([wave(FRAMES, phase) for phase in range(4)], axis=1)))
    result = encode([g.write_glb(folder, "sides.glb")], Settings())
    assert [joint.name for joint in parse_bank(result.bank).joints][3:] == [
        "curve:blink_l,blink_r,smile", "curve:frown"]
    rows = lines_of(result.bank, "mirror_driver.c", folder / "mirrored", mirror=Mirror())
    before, after = ({name: values[number] for name, *values in rows} for number in range(2))
    swapped = {"blink_l": "blink_r", "blink_r": "blink_l"}
    assert after == {name: before[swapped.get(name, name)] for name in before}


SIDES = {"blink_l": "blink_r", "brow_l": "brow_r", "smile": "smile", "frown": "frown"}
SIDES |= {other: name for name, other in SIDES.items()}


def two_sides(folder: Path) -> Path:
    """Brows that both jump and move."""
    g, face = weighted(["blink_l", "smile", "brow_l", "brow_r", "frown", "blink_r"])
    add_sides(g)
    values = np.stack([wave(FRAMES, phase) for phase in range(6)], axis=1)
    values[10:, 2] += 20.0
    values[20:, 3] += 20.0
    g.animation("Walk", nod(FRAMES), weights(face, values))
    return g.write_glb(folder)


@pytest.mark.parametrize("tolerances", [{}, {"blink_l": 0.02}, {"*_r": 0.02}, {"blink_r": 0.001, "brow_*": 0.02}])
def test_a_mirror_exchanges_curves_that_share_no_joint(tmp_path: Path, tolerances: dict[str, float]) -> None:
    rules = tuple(CurveRule(pattern, tolerance) for pattern, tolerance in tolerances.items())
    chosen = Settings(curve_rules=rules, clips=(ClipRule("Walked", mirror_of="Walk"),))
    result = encode([two_sides(tmp_path)], chosen)
    bank = parse_bank(result.bank)
    rows = lines_of(result.bank, "mirror_driver.c", tmp_path / "mirrored")
    before, after = ({name: values[number] for name, *values in rows} for number in range(2))
    assert after == {name: before[SIDES[name]] for name in before} and len(set(before.values())) == len(SIDES)
    names = [curve.name for curve in result.clips[0].curves]
    walk, walked = (clip.frames[:, bank.real_joints:, 4:7].reshape(len(clip.frames), -1)
                    for clip in play(bank, [0, 1], "bank"))
    numbers = {name: 3 * joint + axis for joint, held in enumerate(layout_of([joint.name for joint in bank.joints]))
               for axis, name in enumerate(held)}
    assert set(numbers) == set(SIDES) == set(names)
    assert all((walked[:, numbers[name]] == walk[:, numbers[SIDES[name]]]).all() for name in names)
    left, other = ({curve.name: (curve.error, curve.frame, curve.tolerance) for curve in clip.curves}
                   for clip in result.clips)
    assert other == {name: left[SIDES[name]] for name in names}
    assert all(error <= tolerance for error, _, tolerance in other.values())
    for clip, first, second in zip(result.clips, (10, 20), (20, 10)):
        assert [(frame, joint) for frame, joint, _ in sorted(clip.breaks)] == sorted(
            [(first, "curve:brow_l"), (second, "curve:brow_r")])


def test_many_sides_of_two_tolerances_share_joints(tmp_path: Path) -> None:
    names = [f"{name}_{side}" for name in ("brow", "eye", "lip", "nose") for side in "lr"]
    g, face = weighted(names)
    g.animation("Walk", nod(FRAMES), weights(face, np.stack([wave(FRAMES, phase) for phase in range(8)], axis=1)))
    result = encode([g.write_glb(tmp_path)], Settings(curve_rules=(CurveRule("*_r", 0.02),)))
    assert [joint.name for joint in parse_bank(result.bank).joints][2:] == [
        "curve:brow_l,eye_l,lip_l", "curve:brow_r,eye_r,lip_r", "curve:nose_l", "curve:nose_r"]


def test_curves_of_left_and_right_stand_in_their_order(tmp_path: Path) -> None:
    names = ["a", "blink_l", *"bcdefg", "blink_r"]
    g, face = weighted(names)
    g.animation("Walk", nod(FRAMES), weights(face, np.stack([wave(FRAMES, phase) for phase in range(9)], axis=1)))
    joints = [joint.name for joint in parse_bank(encode([g.write_glb(tmp_path)], Settings()).bank).joints]
    assert joints[2:] == ["curve:a,blink_l,blink_r", "curve:b,c,d", "curve:e,f,g"]


def test_curves_that_no_mirror_can_exchange_are_named() -> None:
    """Only banks that were laid out otherwise have them."""
    names = ["root", "hand.l", "hand.r", "curve:blink_l,smile", "curve:blink_r"]
    bind = np.tile([0.0, 0, 0, 1, 0, 0, 0], (5, 1))
    bind[1:3, 4] = 0.5, -0.5
    with pytest.raises(SettingProblem, match=mentioning("blink_l blink_r")):
        sides_of(names, [None, 0, 0, None, None], bind, Mirror())
