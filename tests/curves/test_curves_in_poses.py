"""Blends, masks, transitions, shared rows, contacts and root motion, with curves among the joints."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from curve_files import FPS, nod, wave, weighted, weights
from curve_programs import lines_of, numbers_in

from ossicle.bank.file import parse_bank
from ossicle.base.problem import SettingProblem
from ossicle.encoding.events.contact_rules import ContactRule
from ossicle.encoding.encoder import encode
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.export.played import play
from ossicle.generate.code import Code
from ossicle.generate.emit import code_files
from ossicle.model.masks import Mask
from ossicle.model.curves.rule import DEFAULT_TOLERANCE, CurveRule
from mentions import mentioning

FRAMES = 31
CURVES = ("smile", "frown")
WEIGHT = 3 / 8
ROUNDING = 2.0**-20
SWITCH = 2.0**-13  # the offset of a transition is rounded once, and applied once


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    """Output of blend_driver.c, by the first word of its lines. The curves have joints of their own, so that a mask may
    tell them apart."""
    folder = tmp_path_factory.mktemp("poses")
    g, face = weighted(CURVES)
    for name, phase in (("Walk", 0.0), ("Run", 2.0)):
        g.animation(name, nod(FRAMES),
                    weights(face, np.stack([wave(FRAMES, phase), 2 * wave(FRAMES, phase + 1)], axis=1)))
    result = encode([g.write_glb(folder)], Settings(curve_rules=(CurveRule("smile", 0.01),)))
    masks = {"body": Mask("body"), "smile": Mask(weights=(("curve:smile", 1.0),))}
    lines = lines_of(result.bank, "blend_driver.c", folder, sets={"body": ["*"]}, masks=masks)
    numbers = numbers_in(lines)
    values = {line[0]: np.array(line[1:], float) / 2.0**20 for line in lines if len(line) > 1}
    return {what: some[[numbers[name] for name in CURVES]] for what, some in values.items()}


def test_a_blend_is_linear(played: dict[str, np.ndarray]) -> None:
    wanted = (1.0 - WEIGHT) * played["first"] + WEIGHT * played["second"]
    assert np.abs(played["first"] - played["second"]).min() > 0.1
    assert np.abs(played["blended"] - wanted).max() <= ROUNDING


def test_a_mask_moves_the_curves_that_it_names(played: dict[str, np.ndarray]) -> None:
    assert (played["body"] == played["first"]).all()
    assert (played["smile"] == [played["blended"][0], played["first"][1]]).all()


def test_a_switch_does_not_jump(played: dict[str, np.ndarray]) -> None:
    assert np.abs(played["switched"] - played["first"]).max() <= SWITCH
    assert (played["faded"] == played["second"]).all()


@pytest.mark.parametrize(("compiler", "unroll"), [("gcc", "loop"), ("clang", "full")])
def test_a_set_of_curves_alone_is_evaluated_and_has_nothing_to_compose(compiler: str, unroll: str,
                                                                       tmp_path: Path) -> None:
    g, face = weighted(CURVES)
    g.animation("Walk", nod(FRAMES), weights(face, np.stack([wave(FRAMES, 0.0), wave(FRAMES, 1.0)], axis=1)))
    bank, sets = encode([g.write_glb(tmp_path)], Settings()).bank, {"face": ["curve:*"]}
    lines = lines_of(bank, "set_driver.c", tmp_path, compiler=compiler, unroll=[unroll], sets=sets)
    assert [name for name, _ in lines] == list(CURVES)
    assert all(0 < int(value) < 2**20 for _, value in lines)
    header = code_files(parse_bank(bank), Code("hero", sets=sets))["hero.h"].decode()
    assert "hero_evaluate_face" in header and "hero_compose_face" not in header


def feet(folder: Path) -> Path:
    """A foot that steps, beside curves that are called as feet are."""
    g, face = weighted(["foot_l", "toe"])
    g.document["nodes"][1]["name"] = "foot.r"
    height = 0.2 * wave(FRAMES, 0.0, 0.6)
    g.animation("Walk", (1, "translation", (np.arange(FRAMES) / FPS).tolist(), [[0, y, 0] for y in height], "LINEAR"),
                weights(face, np.stack([wave(FRAMES, 1, 0.6), wave(FRAMES, 2, 0.6)], axis=1)))
    return g.write_glb(folder)


def test_curves_touch_no_ground(tmp_path: Path) -> None:
    path = feet(tmp_path)
    (clip,) = encode([path], Settings(contacts=True)).clips
    assert [(contact.joint, contact.event) for contact in clip.contacts] == [("foot.r", "foot_r_down")]
    assert clip.contacts[0].frames and len(clip.curves) == 2
    (clip,) = encode([path], Settings(contacts=(ContactRule("*"),))).clips
    assert [contact.joint for contact in clip.contacts] == ["root", "foot.r"]
    with pytest.raises(SettingProblem, match=mentioning("curve:*")):
        encode([path], Settings(contacts=(ContactRule("curve:*"),)))


def test_curves_are_not_root_motion(tmp_path: Path) -> None:
    """If only curves move, no root motion can be extracted, and no setting may name a joint for it."""
    g, face = weighted(["smile"])
    values = np.linspace(0.0, 1.0, FRAMES)
    g.animation("Walk", nod(FRAMES), weights(face, values[:, None]))
    path, chosen = g.write_glb(tmp_path), Settings(root_motion=("x", "y", "z"))
    bank = parse_bank(encode([path], chosen).bank)
    (clip,) = play(bank, [0], "bank")
    assert not bank.trajectories
    np.testing.assert_allclose(clip.frames[:, bank.real_joints, 4], values, atol=DEFAULT_TOLERANCE)
    with pytest.raises(SettingProblem, match=mentioning("root_joint curve:smile")):
        encode([path], replace(chosen, root_joint="curve:smile"))


def test_contacts_and_curves_of_a_clip_that_is_denser(tmp_path: Path) -> None:
    """Contacts stay at their times where a fast curve makes its clip denser."""
    g, face = weighted(["foot_l", "flash"])
    g.document["nodes"][1]["name"] = "foot.r"
    height = 0.2 * wave(FRAMES, 0.0, 0.6)
    flash = (np.arange(FRAMES) % 9 == 4) * 1.0
    g.animation("Walk", (1, "translation", (np.arange(FRAMES) / FPS).tolist(), [[0, y, 0] for y in height], "LINEAR"),
                weights(face, np.stack([0 * flash, flash], axis=1)))
    result = encode([g.write_glb(tmp_path)], Settings(clips=(ClipRule("Walk", contacts=True),)))
    bank = parse_bank(result.bank)
    (contact,) = result.clips[0].contacts
    assert result.clips[0].rate == 2 * FPS and contact.frames
    assert [event.position_q11 for event in bank.events.of(0)] == [2 * 2048 * frame for frame in contact.frames]
