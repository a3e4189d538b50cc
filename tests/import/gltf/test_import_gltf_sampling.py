"""Key interpolation, clip lengths, steps: expectations calculated by hand."""
from __future__ import annotations

import gc
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import I16, Channel, GltfBuilder, simple, turn
from ossicle.importers.gltf.file import GltfFile
from ossicle.importers.importer import read_clips
from ossicle.model.clip import ROTATION, SCALE, TRANSLATION, Clip, ImportProblem
from ossicle.model.import_options import ImportOptions
from mentions import mention_each, mentioning, mentions

HALF = np.sqrt(0.5)


def sample(tmp_path: Path, *channels: Channel, fps: float = 4.0) -> Clip:
    """One clip of a lone joint."""
    g = GltfBuilder()
    g.node("Leg", translation=[9, 9, 9], scale=[2, 2, 2])
    g.animation("Walk", *channels)
    (clip,) = read_clips([g.write_glb(tmp_path)], ImportOptions(fps=fps)).clips
    return clip


def test_clips_do_not_keep_their_file(tmp_path: Path) -> None:
    """Its JSON takes many times the memory of the keys."""
    clip = sample(tmp_path, (0, "translation", [0, 0.3, 1], [[0, 0, 0], [4, 8, -4], [0, 0, 0]], "LINEAR"))
    gc.collect()
    assert not [kept for kept in gc.get_objects() if isinstance(kept, GltfFile)]
    assert clip.curve is not None
    np.testing.assert_allclose(clip.curve.at(np.array([0.15]))[0, 0, TRANSLATION], [2, 4, -2])


def test_names_of_clips_and_joints_are_no_strings_of_the_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Strings between the objects of the JSON would keep the memory around them."""
    parsed: list[str] = []

    def collect(value: Any) -> None:
        if isinstance(value, str):
            parsed.append(value)
        elif isinstance(value, (dict, list)):
            for inner in value.values() if isinstance(value, dict) else value:
                collect(inner)
    loads = json.loads

    def collected(*arguments: Any, **options: Any) -> Any:
        root = loads(*arguments, **options)
        collect(root)
        return root
    monkeypatch.setattr(json, "loads", collected)
    g = GltfBuilder()
    g.node("Leg")
    g.animation("Walk", (0, "translation", [0, 1], [[0, 0, 0], [4, 8, -4]], "LINEAR"))
    imported = read_clips([g.write_glb(tmp_path)], ImportOptions(fps=4.0))
    names = [imported.clips[0].name, *imported.skeleton.names]
    assert names == ["Walk", "Leg"] and set(names) <= set(parsed)
    assert not {id(name) for name in names} & {id(text) for text in parsed}


def test_keys_are_as_precise_as_the_file(tmp_path: Path) -> None:
    """Single precision holds 0.1 of a file, but not a normalised integer."""
    single = float(np.float32(0.1))
    clip = sample(tmp_path, (0, "translation", [0, 1], [[0.1, 0, 0]] * 2, "LINEAR"))
    assert clip.curve is not None
    assert clip.curve.at(np.zeros(1))[0, 0, TRANSLATION.start] == single
    g = GltfBuilder()
    g.node("Leg")
    g.channel(g.animation("Walk"), 0, "translation", g.accessor([0, 1]),
              g.accessor([[1, 0, 0]] * 2, I16, normalized=True), "LINEAR")
    (clip,) = read_clips([g.write_glb(tmp_path)], ImportOptions(fps=4.0)).clips
    assert clip.frames[0, 0, TRANSLATION.start] == 1.0 / 32767.0


def test_linear_translation_and_scale(tmp_path: Path) -> None:
    clip = sample(
        tmp_path, (0, "translation", [0, 1], [[0, 0, 0], [4, 8, -4]], "LINEAR"),
        (0, "scale", [0, 1], [[1, 1, 1], [3, 1, 1]], "LINEAR"), )
    steps = [0, 1, 2, 3, 4]
    np.testing.assert_allclose(clip.frames[:, 0, TRANSLATION], [[k, 2 * k, -k] for k in steps])
    np.testing.assert_allclose(clip.frames[:, 0, SCALE], [[1 + k / 2, 1, 1] for k in steps])
    np.testing.assert_allclose(clip.frames[:, 0, ROTATION], [[0, 0, 0, 1]] * 5)
    assert not clip.steps.any()
    assert clip.steps.shape == (5, 1, 3)


def test_linear_rotation_has_constant_speed(tmp_path: Path) -> None:
    clip = sample(tmp_path, (0, "rotation", [0, 1], [turn("y", 0), turn("y", 120)], "LINEAR"))
    expected = [turn("y", 30 * k) for k in range(5)]
    np.testing.assert_allclose(clip.frames[:, 0, ROTATION], expected, atol=1e-7)


def test_linear_rotation_takes_the_shorter_arc(tmp_path: Path) -> None:
    far = [-c for c in turn("y", 40)]
    clip = sample(tmp_path, (0, "rotation", [0, 1], [turn("y", 0), far], "LINEAR"))
    np.testing.assert_allclose(clip.frames[2, 0, ROTATION], turn("y", 20), atol=1e-7)
    assert not clip.steps.any()


def test_equal_and_almost_equal_rotation_keys(tmp_path: Path) -> None:
    keys = [turn("x", 10), turn("x", 10), turn("x", 10.0001)]
    clip = sample(tmp_path, (0, "rotation", [0, 1, 2], keys, "LINEAR"))
    np.testing.assert_allclose(clip.frames[:, 0, ROTATION], [turn("x", 10)] * 9, atol=2e-6)
    np.testing.assert_allclose(np.linalg.norm(clip.frames[:, 0, ROTATION], axis=1), 1, atol=1e-15)


def test_rotation_keys_are_normalised_before_slerp(tmp_path: Path) -> None:
    keys = [[0, 0, 0, 2], [0, 0, 0.5, 0]]
    clip = sample(tmp_path, (0, "rotation", [0, 1], keys, "LINEAR"))
    np.testing.assert_allclose(clip.frames[2, 0, ROTATION], [0, 0, HALF, HALF], atol=1e-12)


def test_step_holds_and_marks_the_jump(tmp_path: Path) -> None:
    clip = sample(tmp_path, (0, "translation", [0, 0.5, 0.75, 1], [[0, 0, 0], [5, 0, 0], [5, 0, 0], [6, 0, 0]], "STEP"))
    np.testing.assert_allclose(clip.frames[:, 0, TRANSLATION.start], [0, 0, 5, 5, 6])
    assert clip.steps[:, 0, 1].tolist() == [False, False, True, False, True]
    assert not clip.steps[:, 0, [0, 2]].any()


def test_step_between_frames_marks_the_next_frame(tmp_path: Path) -> None:
    clip = sample(tmp_path, (0, "scale", [0, 0.3, 1], [[1, 1, 1], [2, 2, 2], [2, 2, 2]], "STEP"))
    np.testing.assert_allclose(clip.frames[:, 0, SCALE.start], [1, 1, 2, 2, 2])
    assert clip.steps[:, 0, 2].tolist() == [False, False, True, False, False]


def test_two_linear_keys_in_one_are_a_jump(tmp_path: Path) -> None:
    """The value before holds until the second key, where only a track that changes jumps."""
    times = [0, 0.5 - 1e-4, 0.5, 1]
    clip = sample(tmp_path, (0, "translation", times, [[0, 0, 0], [0, 0, 0], [8, 0, 0], [9, 0, 0]], "LINEAR"),
                  (0, "scale", times, [[1, 1, 1], [1, 1, 1], [1, 1, 1], [2, 1, 1]], "LINEAR"),
                  (0, "rotation", [0, 0.5 - 1e-3, 0.5, 1], [turn("x", angle) for angle in (0, 0, 50, 50)], "LINEAR"))
    np.testing.assert_allclose(clip.frames[:, 0, TRANSLATION.start], [0, 0, 8, 8.5, 9])
    assert np.argwhere(clip.steps).tolist() == [[2, 0, 1]]
    between = clip.curve.at(np.array([0.5 - 5e-5, 0.5 - 5e-4]))
    assert between[0, 0, TRANSLATION.start] == 0 and 0 < between[1, 0, ROTATION.start] < turn("x", 50)[0]


def test_step_rotation_to_its_negative_is_no_step(tmp_path: Path) -> None:
    q = turn("x", 50)
    keys = [q, [-c for c in q], turn("x", 51)]
    clip = sample(tmp_path, (0, "rotation", [0, 0.5, 1], keys, "STEP"))
    assert clip.steps[:, 0, 0].tolist() == [False, False, False, False, True]


def test_float32_key_time_just_after_the_frame_counts(tmp_path: Path) -> None:
    """1/30 as float32 is a little more than the time of frame 1."""
    assert float(np.float32(1 / 30)) > 1 / 30
    keys = [[0, 0, 0], [1, 0, 0]]
    clip = sample(tmp_path, (0, "translation", [0, 1 / 30], keys, "STEP"), fps=30)
    np.testing.assert_allclose(clip.frames[:, 0, TRANSLATION.start], [0, 1])


def test_cubic_spline_translation(tmp_path: Path) -> None:
    """From 0 to 2 in 2 s with tangents 3 and -1 a second: p(u) = 6u + ... by the Hermite basis."""
    keys = [[[9, 9, 9], [0, 0, 0], [3, 0, 0]], [[-1, 0, 0], [2, 0, 0], [9, 9, 9]]]
    clip = sample(tmp_path, (0, "translation", [0, 2], keys, "CUBICSPLINE"), fps=2)
    u = np.arange(5) / 4
    expected = (u**3 - 2 * u**2 + u) * 6 + (3 * u**2 - 2 * u**3) * 2 + (u**3 - u**2) * -2
    np.testing.assert_allclose(clip.frames[:, 0, TRANSLATION.start], expected, atol=1e-12)
    assert expected[2] == 2.0
    assert not clip.steps.any()


def test_cubic_spline_rotation_is_normalised(tmp_path: Path) -> None:
    flat = [[0, 0, 0, 0], None, [0, 0, 0, 0]]
    keys = [[flat[0], q, flat[2]] for q in (turn("z", 0), turn("z", 90))]
    clip = sample(tmp_path, (0, "rotation", [0, 1], keys, "CUBICSPLINE"))
    np.testing.assert_allclose(clip.frames[2, 0, ROTATION], turn("z", 45), atol=1e-7)
    middle = 0.84375 * np.array(turn("z", 0)) + 0.15625 * np.array(turn("z", 90))
    np.testing.assert_allclose(clip.frames[1, 0, ROTATION], middle / np.linalg.norm(middle), atol=1e-7)


def test_cubic_spline_through_zero_quaternion_is_refused(tmp_path: Path) -> None:
    zero = [0, 0, 0, 0]
    keys = [[zero, [0, 0, 0, 1], zero], [zero, [0, 0, 0, -1], zero]]
    with pytest.raises(ImportProblem, match=mentioning("hero.glb Walk Leg 0.5s")):
        sample(tmp_path, (0, "rotation", [0, 1], keys, "CUBICSPLINE"))


@pytest.mark.parametrize("interpolation", ["LINEAR", "STEP", "CUBICSPLINE"])
def test_single_key(tmp_path: Path, interpolation: str) -> None:
    key = [[[7, 7, 7], [1, 2, 3], [8, 8, 8]]] if interpolation == "CUBICSPLINE" else [[1, 2, 3]]
    clip = sample(
        tmp_path, (0, "translation", [0.25], key, interpolation), (0, "scale", [0, 1], [[1, 1, 1]] * 2, "LINEAR"), )
    np.testing.assert_allclose(clip.frames[:, 0, TRANSLATION], [[1, 2, 3]] * 5)
    assert not clip.steps.any()


def test_single_key_at_zero_is_one_frame(tmp_path: Path) -> None:
    clip = sample(tmp_path, (0, "translation", [0], [[1, 2, 3]], "LINEAR"))
    assert clip.frames.shape == (1, 1, 10)


def test_channels_hold_outside_their_keys(tmp_path: Path) -> None:
    clip = sample(
        tmp_path, (0, "translation", [0.5, 1], [[1, 0, 0], [3, 0, 0]], "LINEAR"),
        (0, "scale", [0.25, 2], [[1, 1, 1], [8, 1, 1]], "LINEAR"), )
    assert clip.frames.shape[0] == 9
    np.testing.assert_allclose(clip.frames[:, 0, TRANSLATION.start], [1, 1, 1, 2, 3, 3, 3, 3, 3])
    np.testing.assert_allclose(clip.frames[:, 0, SCALE.start], [1, 1, 2, 3, 4, 5, 6, 7, 8])


@pytest.mark.parametrize(("duration", "count"), [(1.0, 5), (1.1, 6), (1.2, 6), (0.1, 2)])
def test_the_last_frame_is_not_before_the_last_key(tmp_path: Path, duration: float, count: int) -> None:
    keys = [[0, 0, 0], [1, 0, 0]]
    clip = sample(tmp_path, (0, "translation", [0, duration], keys, "LINEAR"))
    assert len(clip.frames) == count
    expected = np.minimum(np.arange(count) / 4 / duration, 1)
    np.testing.assert_allclose(clip.frames[:, 0, TRANSLATION.start], expected, atol=1e-6)


def test_clips_have_their_own_length_and_bind_pose_elsewhere(tmp_path: Path) -> None:
    g = simple()
    g.animation("Jump", (0, "translation", [0, 2], [[0, 1, 0], [0, 3, 0]], "LINEAR"))
    walk, jump = read_clips([g.write_glb(tmp_path)]).clips
    assert (len(walk.frames), len(jump.frames)) == (31, 61)
    np.testing.assert_allclose(jump.frames[:, 1, TRANSLATION], [[0, -0.5, 0]] * 61)
    np.testing.assert_allclose(jump.frames[:, 1, ROTATION], [[0, 0, 0, 1]] * 61)
    np.testing.assert_allclose(jump.frames[30, 0, TRANSLATION], [0, 2, 0])


def test_channels_of_one_clip_may_share_key_times(tmp_path: Path) -> None:
    g = simple()
    g.animation("Both")
    keys = g.accessor([0, 1])
    ends = [g.accessor([[0, 0, 0], [x, 0, 0]]) for x in (1, 2)]
    for node, end in enumerate(ends):
        g.channel(1, node, "translation", keys, end, "LINEAR")
    frames = read_clips([g.write_glb(tmp_path)]).clips[1].frames
    np.testing.assert_allclose(frames[15, :, TRANSLATION.start], [0.5, 1.0])


def test_batches_of_long_clips_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    g = simple()
    g.animation("Both")
    keys = g.accessor([0, 1])
    for node in (0, 1):
        g.channel(1, node, "translation", keys, g.accessor([[0, node, 0], [1, 2, 3]]), "STEP")
    path = g.write_glb(tmp_path)
    whole = read_clips([path]).clips[1]
    monkeypatch.setattr("ossicle.importers.gltf.sampling._BATCH_VALUES", 1)
    single = read_clips([path]).clips[1]
    np.testing.assert_array_equal(whole.frames, single.frames)
    np.testing.assert_array_equal(whole.steps, single.steps)
    assert whole.steps[30, :, 1].all()


def test_names_of_unnamed_clips_and_joints(tmp_path: Path) -> None:
    g = GltfBuilder()
    g.node(children=[1])
    g.node("")
    keys = [[0, 0, 0], [1, 0, 0]]
    g.animation(None, (1, "translation", [0, 1], keys, "LINEAR"))
    g.animation("", (1, "translation", [0, 1], keys, "LINEAR"))
    imported = read_clips([g.write_glb(tmp_path)])
    assert imported.skeleton.names == ("node0", "node1")
    assert [clip.name for clip in imported.clips] == ["animation0", "animation1"]


def test_weights_and_targetless_channels_are_ignored(tmp_path: Path) -> None:
    g = simple()
    g.channel(0, 1, "weights", g.accessor([0, 5]), g.accessor([0, 1]), "LINEAR")
    g.channel(0, 1, "translation", g.accessor([0, 5]), g.accessor([[0, 0, 0]] * 2), "LINEAR")
    del g.document["animations"][0]["channels"][-1]["target"]["node"]
    (clip,) = read_clips([g.write_glb(tmp_path)]).clips
    assert len(clip.frames) == 31


def test_animation_pointer_is_an_ordinary_channel(tmp_path: Path) -> None:
    g = simple()
    g.document["extensionsRequired"] = ["KHR_animation_pointer"]
    for pointer in ("/nodes/0/translation", "/materials/0/alphaCutoff"):
        g.channel(0, 0, "pointer", g.accessor([0, 2]), g.accessor([[0, 0, 0], [4, 0, 0]]), "LINEAR")
        g.document["animations"][0]["channels"][-1]["target"] = {
            "path": "pointer",
            "extensions": {"KHR_animation_pointer": {"pointer": pointer}},
        }
    imported = read_clips([g.write_glb(tmp_path)])
    np.testing.assert_allclose(imported.clips[0].frames[-1, 0, TRANSLATION], [4, 0, 0])
    (warning,) = imported.warnings
    assert mentions(warning, "/materials/0/alphaCutoff")


def test_clip_that_moves_no_joint_is_skipped(tmp_path: Path) -> None:
    g = simple()
    camera = g.node("Camera")
    g.animation("Pan", (camera, "translation", [0, 1], [[0, 0, 0], [0, 0, 1]], "LINEAR"))
    imported = read_clips([g.write_glb(tmp_path)])
    assert [clip.name for clip in imported.clips] == ["Walk"]
    assert mention_each(imported.warnings, ["hero.glb Pan", "hero.glb Camera --socket"])
