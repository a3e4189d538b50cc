"""Input beyond a limit is refused before anything is encoded; input at the limit is not."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from encoding import rest
from ossicle.bank.clips import MAX_RATES
from ossicle.bank.file import parse_bank
from ossicle.bank.names import MAX_NAME_BYTES
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.problems import MAX_JOINTS, MAX_RATE, MIN_RATE, EncodeProblem, check_input
from ossicle.model.clip import Clip, Imported, Skeleton
from ossicle.encoding.settings import Settings
from mentions import mentions


def skeleton_of(joints: int) -> Skeleton:
    return Skeleton(tuple(f"joint{j}" for j in range(joints)), np.full(joints, -1, np.int32), rest(1, joints)[0])


def clip_of(joints: int, name: str = "clip", rate: float = 30.0) -> Clip:
    return Clip(name, rate, rest(2, joints), np.zeros((2, joints, 3), bool), "source.bvh")


def refused(skeleton: Skeleton, *clips: Clip) -> str | None:
    """The message of the check; None if it passes."""
    try:
        check_input(skeleton, clips, Settings())
    except EncodeProblem as problem:
        return str(problem)
    return None


def test_joints() -> None:
    assert MAX_JOINTS == 1024
    assert refused(skeleton_of(MAX_JOINTS), clip_of(MAX_JOINTS)) is None
    assert mentions(refused(skeleton_of(MAX_JOINTS + 1), clip_of(MAX_JOINTS + 1)), "source.bvh 1025 1024")


def test_rates_of_a_bank() -> None:
    clips = [clip_of(1, f"clip{i}", 10.0 + i) for i in range(MAX_RATES + 1)]
    assert refused(skeleton_of(1), *clips[:MAX_RATES]) is None
    message = refused(skeleton_of(1), *clips)
    assert message is not None and mentions(message, "65 64")


@pytest.mark.parametrize("rate, fits", [(MAX_RATE, True), (MAX_RATE * 1.001, False), (MIN_RATE, True),
                                        (MIN_RATE * 0.999, False)])
def test_the_rate_of_a_clip(rate: float, fits: bool) -> None:
    message = refused(skeleton_of(1), clip_of(1, rate=rate))
    assert (message is None) == fits
    assert fits or mentions(message, "--fps") and mentions(message, "--fps")


@pytest.mark.parametrize("frames, fits", [(4, True), (5, False)])
def test_the_last_time_of_a_clip(frames: int, fits: bool) -> None:
    """At this rate the fourth frame is the last position that a player can be set to."""
    clip = replace(clip_of(1, rate=12289e6 / 2**43), frames=rest(frames, 1), steps=np.zeros((frames, 1, 3), bool))
    message = refused(skeleton_of(1), clip)
    assert message is None if fits else message is not None and mentions(message, "clip 35 min")


@pytest.mark.parametrize("letter", ["x", "\u00fc"])
def test_names(letter: str) -> None:
    fits = letter * (MAX_NAME_BYTES // len(letter.encode()))
    skeleton = skeleton_of(1)
    assert refused(replace(skeleton, names=(fits,)), clip_of(1, fits)) is None
    for message in (refused(replace(skeleton, names=(fits + "x",)), clip_of(1)),
                    refused(skeleton, clip_of(1, fits + "x"))):
        assert message is not None and mentions(message, f"{MAX_NAME_BYTES + 1} {MAX_NAME_BYTES}")


def test_nothing_to_encode() -> None:
    assert mentions(refused(skeleton_of(1)), "input")


def test_names_that_begin_alike_are_read_back() -> None:
    """A name lends at most 255 bytes to the next one."""
    names = tuple("x" * length + end for length in (254, 255, 256, 300) for end in "ab")
    skeleton = replace(skeleton_of(len(names)), names=names)
    clips = [clip_of(len(names), f"{name}!") for name in names]
    bank = parse_bank(encode_clips(Imported(skeleton, clips), Settings()).bank)
    assert tuple(joint.name for joint in bank.joints) == names
    assert [clip.name for clip in bank.clips] == [f"{name}!" for name in names]
