"""Encoding of single tracks: default, constant, animated; breaks; loops."""
from __future__ import annotations

import numpy as np
import pytest

from encoding import axis_angle, encode_source, make_source, rest, try_encode
from ossicle.encoding import native

X = np.array([1.0, 0.0, 0.0])
TOLERANCE_M = 1e-3


def two_joints(frame_count: int) -> np.ndarray:
    frames = rest(frame_count, 2)
    frames[:, 1, 5] = 0.4
    return frames


def test_tracks_are_default_constant_or_animated() -> None:
    bind = two_joints(1)[0]
    frames = two_joints(50)
    time = np.arange(50)
    frames[:, 0, :4] = axis_angle(X, 0.3 * np.sin(time * 0.2))
    frames[:, 0, 4:7] = (0.5, -0.2, 0.1)
    frames[:, 1, :4] = axis_angle(X, np.full(50, 0.7))
    frames[:, 1, 7:10] = 1.0 + 0.2 * np.sin(time * 0.1)[:, None]
    encoded = encode_source(make_source([-1, 0], frames, bind), TOLERANCE_M)
    assert encoded.subtrack_kinds == {
        (0, "rotation"): "animated", (0, "translation"): "constant", (0, "scale"): "default",
        (1, "rotation"): "constant", (1, "translation"): "default", (1, "scale"): "animated",
    }
    assert encoded.bank.has_scale


def test_motion_below_the_tolerance_costs_nothing() -> None:
    frames = two_joints(50)
    bind = frames[0].copy()
    frames[:, 0, 4] = 2e-4 * np.sin(np.arange(50))
    encoded = encode_source(make_source([-1, 0], frames, bind), TOLERANCE_M)
    assert set(encoded.subtrack_kinds.values()) == {"default"}


def test_the_opposite_bind_rotation_is_the_same_rotation() -> None:
    frames = two_joints(10)
    bind = frames[0].copy()
    frames[::2, 0, :4] *= -1.0
    encoded = encode_source(make_source([-1, 0], frames, bind), 1e-5)
    assert set(encoded.subtrack_kinds.values()) == {"default"} and not encoded.breaks


def test_a_small_wobble_around_another_pose_is_constant() -> None:
    bind = two_joints(1)[0]
    frames = two_joints(50)
    frames[:, 0, 4] = 0.3 + 2e-4 * np.sin(np.arange(50))
    encoded = encode_source(make_source([-1, 0], frames, bind), TOLERANCE_M)
    assert encoded.subtrack_kinds[0, "translation"] == "constant"


def test_a_bind_scale_is_kept_where_no_clip_scales() -> None:
    frames = two_joints(5)
    frames[:, 0, 7:10] = (2.0, 0.5, -1.0)
    encoded = encode_source(make_source([-1, 0], frames), 1e-4)
    assert encoded.bank.has_scale and encoded.bank.subtracks == ()
    assert encoded.played[0, 0, 7:10].tolist() == [2.0, 0.5, -1.0]


def test_marked_steps_break_and_hold() -> None:
    bind = two_joints(1)[0]
    frames = two_joints(20)
    steps = np.zeros((20, 2, 3), bool)
    frames[7:, 0, :4] = axis_angle(X, np.full(13, 0.2))
    frames[12:, 0, 4] = 0.3
    frames[15:, 1, 7:10] = 1.4
    steps[7, 0, 0] = steps[12, 0, 1] = steps[15, 1, 2] = True
    encoded = encode_source(make_source([-1, 0], frames, bind, steps), 1e-4)
    assert encoded.breaks == [(7, 0, "rotation"), (12, 0, "translation"), (15, 1, "scale")]
    assert [frame for frame, _ in encoded.bank.clips[0].breaks] == [7, 12, 15]
    for sample, part in ((13, slice(0, 4)), (23, slice(4, 7)), (29, slice(7, 10))):
        joint = 1 if sample == 29 else 0
        assert np.array_equal(encoded.played[sample, joint, part], encoded.played[sample - 1, joint, part])


def test_an_unmarked_step_blends() -> None:
    frames = two_joints(20)
    frames[7:, 0, :4] = axis_angle(X, np.full(13, 0.2))
    encoded = encode_source(make_source([-1, 0], frames), 1e-4)
    assert encoded.breaks == []
    assert not np.array_equal(encoded.played[13, 0, :4], encoded.played[12, 0, :4])


@pytest.mark.parametrize("degrees, expected", [(95.0, []), (110.0, [5]), (180.0, [5]),
                                               (-180.0, [5]), (270.0, []), (359.0, [])])
def test_swings_break_from_about_a_hundred_degrees(degrees: float, expected: list[int]) -> None:
    """A swing is judged by the shorter arc."""
    frames = two_joints(10)
    frames[5:, 0, :4] = axis_angle(X, np.full(5, np.radians(degrees)))
    encoded = encode_source(make_source([-1, 0], frames), 1e-4)
    assert [b[0] for b in encoded.breaks] == expected


@pytest.mark.parametrize("frame", [1, 2, 10, 19])
def test_teleports_break(frame: int) -> None:
    frames = two_joints(30)
    frames[frame:20, 0, 4:7] = (3.0, 0.0, -5.0)
    frames[20:, 0, 4:7] = (3.0, 0.9, -5.0)  # nine tenths of a metre still blend
    encoded = encode_source(make_source([-1, 0], frames), 1e-3)
    assert encoded.breaks == [(frame, 0, "translation")]


@pytest.mark.parametrize("part", [4, 6, 8])
@pytest.mark.parametrize("step, breaks", [(0.97, False), (0.985, True), (1.2, True), (1.5, True)])
@pytest.mark.parametrize("sign", [1, -1])
def test_steps_break_from_nearly_one(part: int, step: float, breaks: bool, sign: int) -> None:
    """A metre, or a unit of scale, is more than the evaluator blends."""
    frames = two_joints(20)
    frames[10:, 0, part] += sign * step
    encoded = encode_source(make_source([-1, 0], frames), 1e-3)
    assert [b[0] for b in encoded.breaks] == ([10] if breaks else [])
    assert encoded.error_m <= 1e-3 and encoded.verified


@pytest.mark.parametrize("largest", range(4))
@pytest.mark.parametrize("sign", [1, -1])
def test_a_constant_rotation_may_have_either_sign(largest: int, sign: int) -> None:
    """With any component left out, and with either sign in the source."""
    frames = two_joints(12)
    turn = np.full(4, 0.2)
    turn[largest] = 0.9
    frames[:, 0, :4] = sign * turn / np.linalg.norm(turn)
    encoded = encode_source(make_source([-1, 0], frames, two_joints(1)[0]), 1e-3)
    assert encoded.subtrack_kinds[0, "rotation"] == "constant"
    assert encoded.error_m <= 1e-3 and encoded.verified


@pytest.mark.parametrize("codec", ["delta", "curve", "transform"])
def test_components_next_to_one_in_coarse_steps(codec: str) -> None:
    """A component that is kept may be nearly one: coarse steps round it to one itself."""
    for degrees in (140.0, 150.0, 154.0, 156.0):
        frames = two_joints(30)
        angle = np.radians(degrees + 6.0 * np.sin(np.arange(30) * 0.5))
        frames[:, 0, :4] = axis_angle(X, angle)
        for tolerance_m in (1e-3, 4e-3, 1e-2):
            encoded = encode_source(make_source([-1, 0], frames), tolerance_m, codecs=(codec,))
            assert encoded.error_m <= tolerance_m and encoded.verified


def test_every_frame_a_break() -> None:
    frames = two_joints(70)
    frames[:, 0, 4] = np.arange(70) % 2 * 2.0
    frames[:, 1, :4] = axis_angle(X, np.arange(70) * np.pi)
    encoded = encode_source(make_source([-1, 0], frames), 1e-3)
    assert len(encoded.breaks) == 2 * 69 and encoded.bank.max_held == 2
    assert encoded.error_m <= 1e-3 and encoded.verified


def turning(frame_count: int, turns: float) -> np.ndarray:
    frames = two_joints(frame_count)
    frames[:, 0, :4] = axis_angle(np.array([0.2, 1.0, 0.1]), np.linspace(0, 2 * np.pi * turns, frame_count))
    return frames


def test_a_loop_closes() -> None:
    status, clip, _ = try_encode(make_source([-1, 0], turning(40, 2.0)), TOLERANCE_M, loop=True)
    assert status == native.OK and clip is not None  # also where its sign is the other one
    assert try_encode(make_source([-1, 0], turning(40, 1.0)), TOLERANCE_M, loop=True)[0] == 0


def test_an_open_loop_is_refused_with_its_gap() -> None:
    status, clip, report = try_encode(make_source([-1, 0], turning(40, 0.9)), TOLERANCE_M, loop=True)
    assert status == native.ERROR_LOOP and clip is None
    assert report.joint in (0, 1) and report.frame == 39
    assert 1e-2 < report.error_m < 1.0


@pytest.mark.parametrize("restart_log2", [0, 1, 2, 6, 31])
@pytest.mark.parametrize("frame_count", [1, 2, 63, 64, 65, 128, 129])
def test_restart_points(restart_log2: int, frame_count: int) -> None:
    encoded = encode_source(make_source([-1, 0], turning(frame_count, 0.6),
                                        two_joints(1)[0]), TOLERANCE_M, restart_log2)
    assert encoded.error_m <= TOLERANCE_M and encoded.verified
    assert encoded.bank.clips[0].restart_frames == 1 << restart_log2
    words = native.bank_words(encoded.data)
    assert native.check_bank(words)[0] == 0


def test_effort_pays() -> None:
    frames = turning(120, 1.7)
    frames[:, 1, :4] = axis_angle(X, 0.4 * np.sin(np.arange(120) * 0.17))
    source = make_source([-1, 0], frames)
    fast, default, most = (encode_source(source, 2e-4, effort=effort).report for effort in native.EFFORTS)
    sizes = [len(encode_source(source, 2e-4, effort=effort).data) for effort in native.EFFORTS]
    assert sizes[0] >= sizes[1] >= sizes[2]
    assert max(r.error_m for r in (fast, default, most)) <= 2e-4


def test_a_constant_in_the_finest_steps() -> None:
    """Each of its components is an odd number of 2^-20 m, and a step of 2^-19 m is off by more than the tolerance."""
    bind, frames = two_joints(1)[0], two_joints(12)
    frames[:, 0, 4:7] = np.array([300001, -200001, 100001]) / 2**20
    encoded = encode_source(make_source([-1, 0], frames, bind), 1e-6)
    assert encoded.subtrack_kinds[0, "translation"] == "constant"


def test_the_heaviest_of_many_children_count() -> None:
    """Otherwise the rotation of the root would take more bits."""
    rng, time = np.random.default_rng(1), np.arange(20) / 30.0
    frames = rest(20, rng.integers(8, 14))
    joints = frames.shape[1]
    frames[:, 1:, 4:7] = 0.5 * rng.normal(size=(joints - 1, 3))
    frames[:, 0, :4] = axis_angle(rng.normal(size=3), 0.5 * np.sin(4.0 * time))
    for joint in range(1, joints):
        frames[:, joint, :4] = axis_angle(rng.normal(size=3), 0.5 * np.sin(time * rng.uniform(1.0, 6.0) + joint))
    encoded = encode_source(make_source([-1] + [0] * (joints - 1), frames), 1e-3, 31, codecs=("transform",))
    assert len(encoded.data) == 600


def test_errors_too_small_for_delta_are_shared_as_transform_needs_them() -> None:
    """With the shares that another codec would need, the clip takes a few words more."""
    rng = np.random.default_rng(6)
    joints, count = rng.integers(2, 7), rng.integers(3, 10)
    frames, time = rest(count, joints), np.arange(count) / 30.0
    frames[:, 1:, 5] = rng.uniform(0.05, 2.0, size=joints - 1)
    for joint in range(joints):
        frames[:, joint, :4] = axis_angle(rng.normal(size=3), rng.uniform(0.05, 2.0) * np.sin(
            time * rng.uniform(1.0, 20.0) + rng.uniform(0.0, 6.0)))
    encoded = encode_source(make_source([*range(-1, joints - 1)], frames), 3.6e-6, 31, codecs=("transform",))
    assert len(encoded.data) == 496
