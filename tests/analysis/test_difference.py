"""Two banks: which bytes have changed, and how far apart poses are."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from bank_writer import Clip, Constant, Skeleton, Track, write_bank
from published.dense_sample import dense_sample
from encoding import make_source, rest, try_encode, write_one
from samples.frozen_banks import frozen_sample
from samples.sample_banks import IDENTITY, ONE, samples
from test_bits import CODECS, encoded, siblings

from ossicle.analysis.apart import Apart, Comparison
from ossicle.analysis.difference import Change, Difference, difference
from ossicle.bank.file import Bank, parse_bank
from ossicle.bank.strip import without_tiers
from ossicle.encoding import native

SHELL_M = 0.03
QUANTUM_M = 1e-5  # steps of what is encoded to 1 µm, and single precision
NAMES = ["hips", "arm", "hand"]


def moving_bank(codec: str = "delta", moved_m: float = 0.0, frame: int = 7, frames: int = 12) -> Bank:
    """A clip in which the hips go along x, and the second joint stands off by this much at a frame."""
    local = rest(frames, 2)
    local[:, 0, 4], local[:, 1, 5] = 0.1 * np.arange(frames), 0.5
    local[frame, 1, 6] += moved_m
    status, clip, _ = try_encode(make_source([-1, 0], local), 1e-6, codecs=(codec,))
    assert status == native.OK and clip is not None
    return parse_bank(write_one(clip, 2))


def check_sums(result: Difference) -> None:
    for parts in ([*result.clips, *result.beside_clips], [*result.joints, *result.beside_joints]):
        assert sum(part.before_bits or 0 for part in parts) == result.whole.before_bits
        assert sum(part.after_bits or 0 for part in parts) == result.whole.after_bits


def changed(parts: list[Change]) -> dict[str, tuple[int | None, int | None]]:
    return {part.name: (part.before_bits, part.after_bits) for part in parts if part.before_bits != part.after_bits}


@pytest.mark.parametrize("name", ["curve", "transform", "velocity"])
def test_a_bank_is_the_same_as_itself_without_being_played(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "decode_clip", None)
    bank = parse_bank(frozen_sample(name).bank)
    result = difference(bank, bank, SHELL_M)
    check_sums(result)
    assert all(clip.is_same for clip in result.clips) and not changed(result.joints)


@pytest.mark.parametrize("frame", [7, 11])
def test_poses_are_apart_where_a_joint_has_moved(frame: int) -> None:
    result = difference(moving_bank(), moving_bank(moved_m=0.05, frame=frame), SHELL_M)
    check_sums(result)
    apart = result.clips[0].apart
    assert isinstance(apart, Apart) and not result.clips[0].is_same
    assert (apart.joint, apart.frame) == ("joint1", frame) and abs(apart.metres - 0.05) < QUANTUM_M
    assert "joint1" in changed(result.joints)


def test_poses_at_midpoints_are_compared() -> None:
    """A break holds until its frame, where a movement is half done."""
    def bank(breaks: list[tuple[int, int]]) -> Bank:
        track = Track(0, 5, 10, [(0, 0, 0)] * 3 + [(100, 0, 0)] * 3, rice=(9, 0, 0), width=12)
        return parse_bank(write_bank(Skeleton([-1], [[*IDENTITY, 0, 0, 0]], ([], [0], [])),
                                     [Clip(6, name="jump", breaks=breaks, tracks=[track])]))
    apart = difference(bank([]), bank([(3, 0)]), SHELL_M).clips[0].apart
    assert isinstance(apart, Apart) and apart.frame == 2.5
    assert abs(apart.metres - 50 * 1024 / ONE) < QUANTUM_M


@pytest.mark.parametrize("frames", [12, 1])
def test_codecs_are_compared(frames: int) -> None:
    """Even those of a motionless clip, which is the same in both."""
    banks = [moving_bank(codec, frame=0, frames=frames) for codec in ("delta", "curve")]
    clip = difference(*banks, SHELL_M).clips[0]
    assert clip.codecs == ("delta", "curve") and not clip.is_same
    assert isinstance(clip.apart, Apart) and clip.apart.metres < QUANTUM_M
    assert frames > 1 or clip.growth_bits == 0 and clip.apart.metres == 0.0


@pytest.mark.parametrize("codec", CODECS)
def test_every_codec_is_played(codec: str) -> None:
    first, other = (encoded(siblings(size, 0.8), codec, 4) for size in (0.5, 0.52))
    apart = difference(first, other, SHELL_M).clips[0].apart
    assert isinstance(apart, Apart) and apart.joint == "joint1" and 0.0 < apart.metres < 0.01


def hand_bank(names: list[str], clips: list[str]) -> Bank:
    """A chain of these joints, of which the last one is turned in all clips."""
    count = len(names)
    skeleton = Skeleton([joint - 1 for joint in range(count)], [[*IDENTITY, 0, ONE, 0]] * count,
                        ([count - 1], [], []), names=names)
    return parse_bank(write_bank(skeleton, [
        Clip(3, name=name, constants=[Constant(0, 10, (0, number, 0))]) for number, name in enumerate(clips)]))


def test_clips_and_joints_come_and_go() -> None:
    result = difference(hand_bank(NAMES, ["walk", "run"]), hand_bank(["hips", "hand", "tip"], ["run", "swim"]), SHELL_M)
    check_sums(result)
    assert [clip.name for clip in result.clips] == ["walk", "run", "swim"]
    walk, run, swim = result.clips
    assert walk.after_bits is None and swim.before_bits is None and walk.apart is swim.apart is None
    assert walk.codecs == ("delta", None) and isinstance(run.apart, Apart)
    assert [joint.name for joint in result.joints] == [*NAMES, "tip"]
    assert result.joints[1].after_bits is None and result.joints[3].before_bits is None


def test_joints_are_compared_in_the_place_that_both_banks_give_them() -> None:
    """A removed joint has no position; its length moved the joints below it."""
    longer, shorter = hand_bank(["hips", "arm", "hand"], ["walk"]), hand_bank(["hips", "hand"], ["walk"])
    apart = Comparison(longer, shorter, SHELL_M).apart("walk")
    assert isinstance(apart, Apart) and apart.joint == "hand" and abs(apart.metres - 1.0) < QUANTUM_M


def test_incomparable_banks_are_reported_with_the_reason() -> None:
    short, long = moving_bank(), moving_bank(frames=13)
    assert difference(short, long, SHELL_M).clips[0].apart == "12 and 13 frames"
    other = replace(short, joints=tuple(replace(joint, name=joint.name + "x") for joint in short.joints))
    assert isinstance(Comparison(short, other, SHELL_M).apart("clip"), str)


def test_the_same_words_play_otherwise_in_other_skeletons_and_without_tiers() -> None:
    bank = parse_bank(dense_sample().bank)
    small = difference(bank, parse_bank(without_tiers(bank, 0)[0]), SHELL_M)
    check_sums(small)
    assert {clip.name for clip in small.clips if not clip.is_same} == {"far", "near"}
    assert all(isinstance(clip.apart, Apart) and clip.apart.metres > 0.0 for clip in small.clips
               if clip.name in ("far", "near"))
    longer = Skeleton([-1, 0], [[*IDENTITY, 0, 2 * ONE, 0]] * 2, ([1], [], []), names=["hips", "hand"])
    result = Comparison(hand_bank(["hips", "hand"], ["walk"]), parse_bank(write_bank(
        longer, [Clip(3, name="walk", constants=[Constant(0, 10, (0, 0, 0))])])), SHELL_M).apart("walk")
    assert isinstance(result, Apart) and result.joint == "hand" and abs(result.metres - 2.0) < QUANTUM_M


def test_all_samples_against_each_other() -> None:
    banks = [parse_bank(sample.bank) for sample in samples()]
    for before in banks:
        for after in banks:
            check_sums(difference(before, after, SHELL_M))
