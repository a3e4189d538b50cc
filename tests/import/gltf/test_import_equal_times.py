"""Keys with equal times in glTF: one key if their values agree, otherwise a jump to the last value."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import GltfBuilder, turn
from ossicle.importers.importer import read_clips
from ossicle.model.clip import ROTATION, TRANSLATION, Imported, ImportProblem
from mentions import mentioning, mentions

TIMES = [0.0, 0.25, 0.25, 0.5, 0.75]
PARTS = {"rotation": ROTATION, "translation": TRANSLATION}


def chain(*channels: Any) -> GltfBuilder:
    g = GltfBuilder()
    g.node("Root", children=[1])
    g.node("Arm", translation=[0, 0.5, 0], children=[2])
    g.node("Hand", translation=[0, 0.4, 0])
    g.animation("Dup", *channels)
    return g


def read(folder: Path, *channels: Any) -> Imported:
    return read_clips([chain(*channels).write_glb(folder)])


def along_x(values: list[float]) -> list[list[float]]:
    return [[value, 0.5, 0.0] for value in values]


def tangents(values: list[list[float]], speeds: list[tuple[float, float]]) -> list[list[list[float]]]:
    """Keys of a spline: in-tangent, value, out-tangent along x."""
    return [[[into, 0, 0], value, [out, 0, 0]] for value, (into, out) in zip(values, speeds)]


def test_keys_that_agree_are_one(tmp_path: Path) -> None:
    """The famous sample's differ by up to 1.2e-7; a track that moves on evenly has no jump there."""
    values = [turn("z", angle) for angle in (0, 20, 20, 40, 60)]
    values[2][3] += 1.2e-7
    imported = read(tmp_path, (1, "rotation", TIMES, values, "LINEAR"))
    (clip,) = imported.clips
    at = np.array([0.1, 0.25, 0.3, 0.5])
    np.testing.assert_allclose(clip.curve.at(at)[:, 1, ROTATION], [turn("z", 80 * second) for second in at], atol=2e-7)
    assert not clip.steps.any() and clip.curve.times.tolist() == [0.0, 0.25, 0.5, 0.75]
    (warning,) = imported.warnings
    assert all(word in warning for word in ("hero.glb", "clip Dup", "Arm", "rotation", "0.25 s"))


def test_a_quaternion_agrees_with_its_negative(tmp_path: Path) -> None:
    values = [turn("z", 0), turn("z", 20), [-part for part in turn("z", 20)], turn("z", 40), turn("z", 60)]
    (clip,) = read(tmp_path, (1, "rotation", TIMES, values, "LINEAR")).clips
    assert not clip.steps.any() and len(clip.curve.times) == 4


@pytest.mark.parametrize("times", [TIMES, [0.0, 0.25, 0.25, 0.25, 0.75], [0.0, 0.2499999, 0.25, 0.25, 0.75]])
def test_other_values_jump_to_the_last(tmp_path: Path, times: list[float]) -> None:
    values = along_x([0.0, 1.0, 3.0, 4.0, 5.0])
    imported = read(tmp_path, (1, "translation", times, values, "LINEAR"))
    (clip,) = imported.clips
    last = max(key for key, time in enumerate(times) if time == 0.25)
    held = values[times.index(0.25)][0]
    x = clip.curve.at(np.array([0.125, 0.25 - 1e-5, 0.25]))[:, 1, TRANSLATION.start]
    np.testing.assert_allclose(x, [0.5, held if 0.2499999 not in times else 1.0, values[last][0]], atol=1e-3)
    frame = round(0.25 * clip.rate)
    assert np.argwhere(clip.steps).tolist() == [[frame, 1, 1]]
    assert any("jump" in warning and "Arm" in warning and mentions(warning, "0.25s") for warning in imported.warnings)


def test_two_keys_at_the_start_have_the_last_value(tmp_path: Path) -> None:
    imported = read(tmp_path, (1, "translation", [0, 0, 1], along_x([7.0, 1.0, 2.0]), "LINEAR"))
    (clip,) = imported.clips
    np.testing.assert_allclose(clip.frames[[0, -1], 1, TRANSLATION.start], [1.0, 2.0])
    assert not clip.steps.any() and len(imported.warnings) == 1


def test_steps_take_the_last_value(tmp_path: Path) -> None:
    imported = read(tmp_path, (1, "translation", TIMES, along_x([0.0, 9.0, 3.0, 3.0, 3.0]), "STEP"))
    (clip,) = imported.clips
    assert set(clip.frames[:, 1, TRANSLATION.start].tolist()) == {0.0, 3.0}
    assert np.argwhere(clip.steps).tolist() == [[round(0.25 * clip.rate), 1, 1]]
    assert len(imported.warnings) == 1


def hermite(u: float, span: float, start: float, out: float, into: float, end: float) -> float:
    return ((2 * u**3 - 3 * u**2 + 1) * start + (u**3 - 2 * u**2 + u) * span * out
            + (3 * u**2 - 2 * u**3) * end + (u**3 - u**2) * span * into)


@pytest.mark.parametrize("second", [1.0, 3.0])
def test_splines_keep_both_tangents(tmp_path: Path, second: float) -> None:
    """The segment before ends with the first key's in-tangent, the one behind begins with the last one's
    out-tangent."""
    keys = tangents(along_x([0.0, 1.0, second, 4.0]), [(0, 2), (3, 99), (98, -5), (1, 0)])
    imported = read(tmp_path, (1, "translation", [0.0, 0.25, 0.25, 0.75], keys, "CUBICSPLINE"))
    (clip,) = imported.clips
    x = clip.curve.at(np.array([0.125, 0.25, 0.5]))[:, 1, TRANSLATION.start]
    np.testing.assert_allclose(x, [hermite(0.5, 0.25, 0.0, 2, 3, 1.0), second, hermite(0.5, 0.5, second, -5, 1, 4.0)],
                               atol=1e-4)
    assert clip.steps.any() == (second != 1.0) and len(imported.warnings) == 1


def test_channels_with_common_times_are_judged_by_their_own_values(tmp_path: Path) -> None:
    g = chain()
    keys = g.accessor(TIMES)
    for node, values in ((0, [0.0, 1.0, 1.0, 2.0, 3.0]), (1, [0.0, 1.0, 2.0, 3.0, 4.0])):
        g.channel(0, node, "translation", keys, g.accessor(along_x(values)), "LINEAR")
    imported = read_clips([g.write_glb(tmp_path)])
    (clip,) = imported.clips
    assert np.argwhere(clip.steps)[:, 1].tolist() == [1]
    assert len(imported.warnings) == 2


def test_many_channels_give_one_line(tmp_path: Path) -> None:
    imported = read(tmp_path, *((node, "translation", TIMES, along_x([0.0, 1.0, 1.0, 2.0, 3.0]), "LINEAR")
                                for node in range(3)))
    assert len(imported.warnings) == 1


def test_weights_jump_one_by_one(tmp_path: Path) -> None:
    g = chain((1, "rotation", [0, 1], [turn("z", 0), turn("z", 30)], "LINEAR"))
    target = {"POSITION": g.accessor([[0, 0, 0]] * 3)}
    g.document["meshes"] = [{"primitives": [{"attributes": dict(target), "targets": [target] * 2}],
                             "extras": {"targetNames": ["smile", "frown"]}}]
    face = g.node("Face", mesh=0)
    values = [0.0, 0.0, 0.5, 0.1, 0.5, 0.9, 1.0, 1.0, 1.0, 1.0]
    g.channel(0, face, "weights", g.accessor(TIMES), g.accessor(values), "LINEAR")
    imported = read_clips([g.write_glb(tmp_path)])
    curves = imported.clips[0].curves
    assert len(curves["smile"].times) == 4 and len(curves["frown"].times) == 5
    np.testing.assert_allclose(curves["smile"].at(np.array([0.125, 0.25, 0.5])), [0.25, 0.5, 1.0], atol=1e-6)
    np.testing.assert_allclose(curves["frown"].at(np.array([0.25 - 1e-5, 0.25])), [0.1, 0.9], atol=1e-3)
    assert sum(mentions(warning, "0.25s") and mentions(warning, "Dup") for warning in imported.warnings) == 2


def test_times_that_fall_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(ImportProblem, match=mentioning("hero.glb Dup 3 0.2s")):
        read(tmp_path, (1, "translation", [0, 0.25, 0.25, 0.2, 0.5], along_x([0.0] * 5), "LINEAR"))
