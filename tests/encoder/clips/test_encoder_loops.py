"""Loops: the last frame is the first one, which has to serve both; turns end in other signs."""
from __future__ import annotations

import numpy as np
import pytest

from encoding import axis_angle, encode_source, make_source, rest, try_encode
from ossicle.encoding import native

TOLERANCE_M = 1e-3
FRAMES = 40
CODECS = ("delta", "curve", "transform")


def swaying(frame_count: int = FRAMES, turns: float = 0.0) -> np.ndarray:
    """Three joints in a chain; the first turns, the others sway, and all are back at the end."""
    frames = rest(frame_count, 3)
    phase = 2 * np.pi * np.arange(frame_count) / (frame_count - 1)
    frames[:, 0, :4] = axis_angle(np.array([0.2, 1.0, 0.1]), turns * phase)
    frames[:, 0, 4] = 0.4 * np.sin(phase)
    frames[:, 1:, 5] = 0.3
    frames[:, 1, :4] = axis_angle(np.array([1.0, 0.1, 0.0]), 0.8 * np.sin(phase + 1.0))
    frames[:, 2, :4] = axis_angle(np.array([0.0, 0.3, 1.0]), 0.5 * np.cos(2 * phase))
    return frames


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("frame_count", [2, 3, 9, 10, 17, 40, 65, 66, 130])
def test_a_loop_ends_in_its_first_frame(codec: str, frame_count: int) -> None:
    frames = swaying(frame_count)
    frames[-1] = frames[0]
    encoded = encode_source(make_source([-1, 0, 1], frames), TOLERANCE_M, 5, "fast", codecs=(codec,), loop=True)
    clip = encoded.bank.clips[0]
    assert encoded.verified and encoded.error_m <= TOLERANCE_M
    assert (clip.loop, clip.frame_count) == (True, frame_count)
    assert len(encoded.played) == 2 * frame_count - 1
    assert np.array_equal(encoded.played[-1], encoded.played[0])


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("turns", [1, 2, 3, -1])
@pytest.mark.parametrize("frame_count", [FRAMES, FRAMES + 1])
def test_whole_turns_wrap_without_a_break(codec: str, turns: int, frame_count: int) -> None:
    frames = swaying(frame_count, turns)
    encoded = encode_source(make_source([-1, 0, 1], frames), TOLERANCE_M, codecs=(codec,), loop=True)
    assert encoded.error_m <= TOLERANCE_M and encoded.breaks == []
    before, middle, last = encoded.played[-3:, 0, :4]
    assert before @ last > 0 and middle @ last > 0  # the pair that wraps lies in one hemisphere


@pytest.mark.parametrize("codec", CODECS)
def test_frames_left_out_of_a_loop_are_not_stored(codec: str) -> None:
    """Without loop the last frame of `delta` costs bits; of no codec is a loop the larger one."""
    source = make_source([-1, 0, 1], swaying(26))
    sizes = [len(encode_source(source, TOLERANCE_M, codecs=(codec,), loop=loop).data) for loop in (False, True)]
    assert sizes[1] < sizes[0] if codec == "delta" else sizes[1] <= sizes[0]


@pytest.mark.parametrize("codec", CODECS)
def test_layers_loop(codec: str) -> None:
    encoded = encode_source(make_source([-1, 0, 1], swaying(turns=1)), TOLERANCE_M, codecs=(codec,),
                            loop=True, layer=True)
    clip = encoded.bank.clips[0]
    assert clip.loop and clip.layer and encoded.verified and encoded.error_m <= TOLERANCE_M
    assert encoded.report.chain_error_m <= TOLERANCE_M
    assert np.array_equal(encoded.played[-1], encoded.played[0])


@pytest.mark.parametrize("share", [0.5, 0.9, 0.99])
@pytest.mark.parametrize("part", [slice(4, 5), slice(0, 4)])
def test_distant_ends_meet_in_the_middle(share: float, part: slice) -> None:
    """Both ends are within the tolerance of the row that replaces them."""
    frames = swaying()
    if part.start:
        frames[:, 0, part] += share * TOLERANCE_M * np.linspace(0, 1, FRAMES)[:, None]
    else:  # the hand of a chain of 0.6 m
        frames[:, 0, part] = axis_angle(np.array([0.0, 0.0, 1.0]), share * TOLERANCE_M / 0.75
                                        * np.linspace(0, 1, FRAMES))
    encoded = encode_source(make_source([-1, 0, 1], frames), TOLERANCE_M, loop=True)
    assert encoded.verified and encoded.error_m <= TOLERANCE_M
    assert encoded.error_m > share * TOLERANCE_M * 0.4  # one of the ends is half the gap off
    assert encoded.report.error_m == pytest.approx(encoded.error_m, abs=1e-6)


def test_ends_too_far_apart_are_refused_with_joint_and_gap() -> None:
    frames = swaying()
    frames[:, 1, 6] += 1.1 * TOLERANCE_M * np.linspace(0, 1, FRAMES)
    status, clip, report = try_encode(make_source([-1, 0, 1], frames), TOLERANCE_M, loop=True)
    assert status == native.ERROR_LOOP and clip is None
    assert report.joint in (1, 2) and report.frame == FRAMES - 1
    assert report.error_m == pytest.approx(1.1 * TOLERANCE_M, rel=0.01)


def test_the_gap_is_judged_by_the_joint_s_own_tolerance() -> None:
    frames = swaying()
    frames[:, 2, 6] += 0.5 * TOLERANCE_M * np.linspace(0, 1, FRAMES)
    source = make_source([-1, 0, 1], frames)
    skeleton = native.Skeleton(source.parents, source.bind)
    for tolerance_m, wanted in ((0.8, native.OK), (0.2, native.ERROR_LOOP)):
        joints = np.array([1.0, 1.0, tolerance_m]) * TOLERANCE_M
        status, _, report = native.encode_clip(
            skeleton, native.ClipInput(frames, source.steps, True),
            native.EncodeSettings(TOLERANCE_M, joint_tolerance_m=joints))
        assert status == wanted
        assert report.error_m <= 0.8 * TOLERANCE_M and (wanted == native.OK or report.joint == 2)


def test_a_track_may_jump_where_the_loop_wraps() -> None:
    frames = swaying()
    frames[:-1, 0, 4] += np.linspace(0, 1.5, FRAMES - 1)
    encoded = encode_source(make_source([-1, 0, 1], frames), TOLERANCE_M, loop=True)
    assert encoded.error_m <= TOLERANCE_M
    assert encoded.breaks == [(FRAMES - 1, 0, "translation")]
    assert list(encoded.bank.clips[0].breaks) == [(FRAMES - 1, encoded.bank.subtracks.index(("translation", 0)))]
    assert np.array_equal(encoded.played[-2, 0, 4:7], encoded.played[-3, 0, 4:7])


def test_a_step_that_hardly_blends_does_so_across_the_seam() -> None:
    """Coarse steps would stretch it beyond a metre, which no pair can blend."""
    frames = rest(4, 1)
    frames[:, 0, 4] = [0.0, 0.3, 0.6, 0.0]
    frames[:3, 0, 4] *= 0.979 / 0.6
    encoded = encode_source(make_source([-1], frames), 0.05, codecs=("delta",), loop=True)
    assert encoded.error_m <= 0.05 and encoded.breaks == []
    assert abs(encoded.played[-3, 0, 4] - encoded.played[-1, 0, 4]) < 1.0


def test_a_single_frame_is_no_loop() -> None:
    encoded = encode_source(make_source([-1, 0, 1], swaying(2)[:1]), TOLERANCE_M, loop=True)
    assert not encoded.bank.clips[0].loop and len(encoded.played) == 1
