"""The document of `ossicle report --json`: its bytes are the bank, its errors those of the encoder."""
from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import U8, GltfBuilder, turn
from made_clips import write_capture
from running import HERO

from ossicle.analysis.analysis import SCHEMA, analyse, analysis_json
from ossicle.analysis.subject import Subject, encoded_subject, matched_subject
from ossicle.bank.file import parse_bank
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.settings import Settings
from ossicle.importers.importer import read_clips
from ossicle.model.import_options import ImportOptions
from ossicle.model.joint_rules import parse_joint_rule
from ossicle.model.lengths import Tolerance

SAME_MM = 1e-5  # the encoder measures the same poses in another order of operations


def encoded(path: Path, settings: Settings = Settings()) -> Subject:
    imported = read_clips([path], settings.importing)
    return encoded_subject(path.stem, encode_clips(imported, settings), imported, settings, [path])


@pytest.fixture(scope="module")
def hero() -> Subject:
    return encoded(HERO)


@pytest.fixture(scope="module")
def captured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_capture(tmp_path_factory.mktemp("captured") / "walk.bvh", frames=40)


def controlled(folder: Path) -> Path:
    """Hips and Leg below Root have vertices; a control Pole and a chain Target - Tip have none; all of them turn."""
    g = GltfBuilder()
    g.node("Root", children=[1, 3, 4])
    g.node("Hips", children=[2])
    g.node("Leg", translation=[0, -0.5, 0])
    g.node("Pole", translation=[0, 0, 1])
    g.node("Target", children=[5])
    g.node("Tip", translation=[0.2, 0, 0])
    g.node("Body", mesh=0, skin=0)
    g.skin(list(range(6)))
    g.document["meshes"] = [{"primitives": [{"attributes": {
        "JOINTS_0": g.accessor([[1, 2, 0, 0]], U8), "WEIGHTS_0": g.accessor([[0.5, 0.5, 0, 0]])}}]}]
    times = [frame / 30 for frame in range(20)]
    g.animation("Walk", *((joint, "rotation", times, [turn("z", (7 + joint) * frame % 40) for frame in range(20)],
                           "LINEAR") for joint in range(6)))
    return g.write_glb(folder)


def bits_in(document: dict[str, Any]) -> int:
    """All bits of a document, each of its fields for bits once."""
    if isinstance(document, dict):
        return sum(value if key.endswith("_bits") and isinstance(value, int) else
                   sum(value.values()) if key == "other_bits" else bits_in(value) for key, value in document.items())
    return sum(map(bits_in, document)) if isinstance(document, list) else 0


def test_the_bits_are_the_bank(hero: Subject) -> None:
    document = analyse(hero)
    assert document["schema"] == SCHEMA
    assert bits_in(document) == 8 * document["bank"]["bytes"] == 8 * hero.bank.size_bytes
    for clip, in_bank in zip(document["clips"], hero.bank.clips, strict=True):
        assert bits_in(clip) - clip["entry_bits"] == 8 * clip["bytes"] == 8 * in_bank.size_bytes


def test_joints_have_their_tracks_and_data_outside_the_clips(hero: Subject) -> None:
    document = analyse(hero)
    for number, joint in enumerate(document["joints"]):
        tracks = [track for clip in document["clips"] for track in clip["tracks"] if track["joint"] == number]
        assert tracks and 8 * joint["bytes"] == bits_in(tracks) + bits_in(joint)
        assert joint["share"] == pytest.approx(joint["bytes"] / document["bank"]["bytes"], abs=1e-6)


def test_the_errors_are_those_of_the_encoder(hero: Subject) -> None:
    document = analyse(hero)
    for clip, result in zip(document["clips"], hero.source.results, strict=True):
        worst = clip["worst"]
        assert worst["error_mm"] == pytest.approx(result.error_mm, abs=SAME_MM)
        assert document["joints"][worst["joint"]]["name"] == result.error_joint
        assert worst["frame"] == result.error_frame
        assert max(clip["over_time_mm"]) == max(clip["joint_errors_mm"]) == worst["error_mm"]
        assert len(clip["over_time_mm"]) == 2 * clip["frames"] - 1
        assert clip["over_time_mm"].index(worst["error_mm"]) / 2 == worst["frame"]
        assert 0.0 < clip["mean_mm"] < worst["error_mm"] <= worst["tolerance_mm"] == clip["tolerance_mm"] == 1.0
    assert document["bank"]["worst"]["error_mm"] == max(clip["worst"]["error_mm"] for clip in document["clips"])
    for number, joint in enumerate(document["joints"]):
        errors = [clip["joint_errors_mm"][number] for clip in document["clips"]]
        assert (joint["worst"]["error_mm"], joint["worst"]["clip"]) == (max(errors), errors.index(max(errors)))


def test_a_bank_and_its_source_give_the_same_document(hero: Subject) -> None:
    imported = read_clips([HERO])
    again = matched_subject(hero.name, parse_bank(hero.words.tobytes()), imported, Settings(), [HERO])
    text = analysis_json(analyse(again))
    assert text == analysis_json(analyse(hero)) and json.loads(text) == analyse(hero)


def test_a_bank_alone_has_no_errors(hero: Subject) -> None:
    document, whole = analyse(Subject("alone", hero.bank)), analyse(hero)
    assert bits_in(document) == bits_in(whole) and document["drops"] is None
    assert {joint["carries"] for joint in document["joints"]} == {None}
    for clip, other in zip(document["clips"], whole["clips"]):
        assert set(clip) == set(other)
        unknown = {key for key in clip if clip[key] != other[key]}
        assert unknown == {"source", "tolerance_mm", "mean_mm", "worst", "nearest", "over_time_mm", "used_over_time",
                           "joint_errors_mm", "tier_errors_mm", "curves"}
        assert {clip[key] for key in unknown} == {None}


@pytest.mark.parametrize(("options", "idle"), [
    ({}, {"Pole", "Target", "Tip"}), ({"drop": ("Leg",), "keep": ("Tip",)}, {"Pole"}),
    ({"drop": ("unweighted",)}, set())])
def test_joints_that_carry_nothing_may_be_dropped(tmp_path: Path, options: dict[str, Any], idle: set[str]) -> None:
    document = analyse(encoded(controlled(tmp_path), Settings(importing=ImportOptions(**options))))
    joints, drops = document["joints"], document["drops"]
    assert {joints[joint["joint"]]["name"] for joint in drops["joints"]} == idle
    assert all(joint["bytes"] == joints[joint["joint"]]["bytes"] > 10 for joint in drops["joints"])
    assert drops["bytes"] == sum(joint["bytes"] for joint in drops["joints"])
    assert drops["share"] == pytest.approx(drops["bytes"] / document["bank"]["bytes"], abs=1e-6)
    carrying = {joint["name"] for joint in joints if joint["carries"]}
    assert carrying == {joint["name"] for joint in joints} & {"Hips", "Leg"}


def test_extra_data_of_captures_is_unknown(captured: Path) -> None:
    document = analyse(encoded(captured))
    assert document["drops"] is None and {joint["carries"] for joint in document["joints"]} == {None}
    assert document["clips"][0]["source"] == "walk.bvh" and document["bank"]["sources"] == ["walk.bvh"]


def test_errors_are_compared_with_the_tolerance_of_their_joint(captured: Path) -> None:
    settings = Settings(tolerance=Tolerance(metres=0.01), joints=(parse_joint_rule("*_hand=0.5mm", ""),))
    clip = (document := analyse(encoded(captured, settings)))["clips"][0]
    assert clip["tolerance_mm"] == 10.0 == clip["worst"]["tolerance_mm"]
    nearest, shares = clip["nearest"], clip["used_over_time"]
    used = [error / (0.5 if joint["name"].endswith("_hand") else 10.0)
            for joint, error in zip(document["joints"], clip["joint_errors_mm"])]
    assert nearest["joint"] == used.index(max(used)) and max(shares) == pytest.approx(max(used), abs=1e-5)
    assert nearest["error_mm"] / nearest["tolerance_mm"] == pytest.approx(max(shares), abs=1e-5)
    assert document["joints"][nearest["joint"]]["nearest"] == nearest == document["bank"]["nearest"]


def test_without_a_tolerance_errors_are_in_millimetres_alone(captured: Path) -> None:
    settings = Settings(tolerance=Tolerance(metres=float("inf"))).with_preset("unreal4-bitwise", "")
    clip = analyse(encoded(captured, settings))["clips"][0]
    assert clip["tolerance_mm"] is clip["used_over_time"] is clip["worst"]["tolerance_mm"] is None
    assert clip["nearest"] == clip["worst"] and clip["worst"]["error_mm"] > 0.0


def test_without_a_tolerance_the_largest_error_is_the_nearest(hero: Subject) -> None:
    source = replace(hero.source, limits_m=[np.full_like(limits, np.inf) for limits in hero.source.limits_m])
    document = analyse(replace(hero, source=source))
    for item in (document["bank"], *document["joints"], *document["clips"]):
        assert item["nearest"] == item["worst"]


def test_errors_without_tiers(captured: Path) -> None:
    subject = encoded(captured, Settings().with_preset("acl-2.1-tiers", ""))
    document, result = analyse(subject), subject.source.results[0]
    clip = document["clips"][0]
    assert len(document["bank"]["tiers"]) == len(clip["tier_errors_mm"]) == len(result.tier_errors_mm) == 2
    assert clip["tier_errors_mm"] == pytest.approx(result.tier_errors_mm, abs=SAME_MM)
    assert clip["tier_errors_mm"][0] > clip["tier_errors_mm"][1] > clip["worst"]["error_mm"]
    assert bits_in(document) == 8 * document["bank"]["bytes"]
