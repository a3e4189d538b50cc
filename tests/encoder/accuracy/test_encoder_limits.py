"""The ends of the range: tolerances, lengths, chains and skeletons as large as they get."""
from __future__ import annotations

import numpy as np
import pytest

from encoding import axis_angle, encode_source, make_source, rest, try_encode, write_one
from ossicle.encoding import native
from ossicle.base.codec import OWN_CODECS
from ossicle.encoding.sections import names_section
from ossicle.encoding.scheme import Scheme
from mentions import mentioning

STEP_M = 2.0**-20  # of Q20
FINEST_ERROR_M = 2e-5  # what the finest steps leave on a chain of a metre


def waving_chain(joints: int, frame_count: int, bone_m: float) -> np.ndarray:
    """A chain whose joints swing about different axes."""
    frames = rest(frame_count, joints)
    time = np.arange(frame_count)
    for joint in range(joints):
        axis = np.array([np.cos(joint), np.sin(joint), 0.3])
        frames[:, joint, :4] = axis_angle(axis, 0.2 * np.sin(time * 0.2 + joint))
    frames[:, 1:, 4] = bone_m
    return frames


def chain_parents(joints: int) -> list[int]:
    return list(range(-1, joints - 1))


def test_a_millionth_of_a_metre_is_refused_with_the_error_that_is_possible() -> None:
    source = make_source(chain_parents(6), waving_chain(6, 40, 0.2))
    status, clip, report = try_encode(source, 1e-6)
    assert status == native.ERROR_TOLERANCE and clip is None
    assert 1e-6 < report.error_m < FINEST_ERROR_M
    assert 0 <= report.joint < 6 and 0 <= report.frame <= 39


def test_a_clip_that_the_steps_hit_exactly_holds_any_tolerance() -> None:
    frames = rest(20, 2)
    frames[:, 1, 4] = 0.25 + np.arange(20) * STEP_M * 64
    encoded = encode_source(make_source([-1, 0], frames), 1e-9)
    # midpoints of an arithmetic progression of even multiples are exact as well
    assert encoded.error_m == 0.0 and encoded.report.error_m == 0.0


def test_ten_metres_leave_nothing_to_store() -> None:
    source = make_source(chain_parents(6), waving_chain(6, 40, 0.2))
    encoded = encode_source(source, 10.0)
    assert encoded.error_m <= 10.0 and encoded.verified
    assert set(encoded.subtrack_kinds.values()) == {"default"}


def test_a_clip_in_the_bind_pose_has_no_lane() -> None:
    for frame_count in (1, 2, 65):
        frames = rest(frame_count, 3)
        frames[:, 1:, 5] = 0.3
        encoded = encode_source(make_source([-1, 0, 0], frames), 1e-4)
        assert encoded.bank.subtracks == () and encoded.bank.clips[0].tracks == ()
        assert encoded.verified and encoded.error_m <= STEP_M


@pytest.mark.parametrize("animated", [(0, 299), (70, 135, 270), tuple(range(300))])
def test_three_hundred_joints(animated: tuple[int, ...]) -> None:
    """Gaps of more sub-tracks than a track record can pass over: another clip has them."""
    joints, frame_count = 300, 12
    parents = [-1] + [(j - 1) // 3 for j in range(1, joints)]
    frames = rest(frame_count, joints)
    frames[:, :, 4] = 0.05
    bind = frames[0].copy()
    everything = frames.copy()
    everything[:, :, :4] = axis_angle(np.array([0.3, 1.0, 0.2]),
                                      0.3 * np.sin(np.arange(frame_count)[:, None]
                                                   + np.arange(joints)))
    for joint in animated:
        frames[:, joint, :4] = everything[:, joint, :4]
    sources = [make_source(parents, f, bind) for f in (everything, frames)]
    skeleton = native.Skeleton(sources[0].parents, bind)
    clips = []
    for source in sources:
        status, clip, _ = native.encode_clip(
            skeleton, native.ClipInput(source.frames, source.steps), native.EncodeSettings(1e-3, effort="fast"))
        assert status == native.OK and clip is not None
        clips.append(clip)
    names = b"".join(n.to_bytes(4, "little") for n in (joints, 2))
    names += b"".join(b"j%d\0" % j for j in range(joints)) + b"a\0b\0"
    entries = [(0xE40C292C, 30 << 16, 263882790), (0xE70C2DE5, 30 << 16, 263882790)]
    words = native.bank_words(native.write_bank(skeleton, clips, entries, names + bytes(-len(names) % 4)))
    assert native.verify_clips(words, clips) is None
    for index, (source, clip) in enumerate(zip(sources, clips)):
        assert clip.report.error_m <= 1e-3
        assert clip.report.animated_tracks == (joints if index == 0 else len(animated))
        played = native.decode_clip(words, index, joints, False).astype(float)
        still = np.setdiff1d(np.arange(joints), animated)
        if index == 1 and len(still):
            assert np.abs(played[:, still, :4] - bind[still, :4]).max() == 0.0


def test_a_long_chain_gets_steps_as_fine_as_it_needs() -> None:
    """Each of 300 joints may take only a three-hundredth of what one alone could."""
    joints = 300
    frames = rest(3, joints)
    frames[:, :, :4] = axis_angle(np.array([0.0, 0.0, 1.0]), np.full((3, joints), 0.0123456))
    frames[:, 1:, 4] = 0.0101234
    bind = rest(1, joints)[0]
    encoded = encode_source(make_source(chain_parents(joints), frames, bind), 1e-3)
    assert encoded.error_m <= 1e-3 and encoded.verified


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_a_scaled_root_keeps_the_tolerance(scale: float) -> None:
    """As exporters write centimetres: one scale at the root, everything below in other units."""
    frames = waving_chain(5, 40, 0.2 / scale)
    frames[:, 0, 7:10] = scale
    frames[:, 1:, 4] += 0.01 / scale * np.sin(np.arange(40))[:, None]
    shell_m = 0.03 / max(scale, 1.0)
    encoded = encode_source(make_source(chain_parents(5), frames), 1e-3, shell_m=shell_m)
    assert encoded.error_m <= 1e-3 and encoded.verified


def test_a_magnified_leaf_keeps_the_tolerance() -> None:
    """The shell is magnified with the joint, and so is the error of its own rotation."""
    frames = waving_chain(3, 40, 0.001)
    frames[:, 0, 7:10] = 100.0
    encoded = encode_source(make_source(chain_parents(3), frames), 1e-3)
    assert encoded.error_m <= 1e-3 and encoded.verified


@pytest.mark.parametrize("kind, part, value", [(1, 4, 2047.5), (1, 6, -3000.0), (2, 8, 1e9),
                                               (1, 5, np.nan), (2, 7, np.inf)])
def test_characters_that_do_not_fit_are_named(kind: int, part: int, value: float) -> None:
    frames = rest(9, 3)
    frames[4, 2, part] = value
    status, clip, report = try_encode(make_source([-1, 0, 1], frames), 1e-3)
    assert status == native.ERROR_RANGE and clip is None
    assert (report.joint, report.frame, report.kind) == (2, 4.0, kind)
    assert report.value == value or np.isnan(value)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("part", range(4, 10))
def test_the_bind_pose_is_held_within_the_range(part: int, sign: int) -> None:
    """Numbers of 32 bits would wrap there; no clip uses these values."""
    bind = rest(1, 2)[0]
    for beyond, kept in ((2046.5, 2046.5), (2047.0, 2047.0), (2047.5, 2047.0), (2049.0, 2047.0), (1e12, 2047.0)):
        bind[1, part] = sign * beyond
        encoded = encode_source(make_source([-1, 0], rest(3, 2), bind), 1e-3)
        assert encoded.bank.joints[1].bind[part] == sign * kept * 2**20
        assert encoded.verified and encoded.error_m == 0.0


def test_far_from_the_origin_still_holds() -> None:
    frames = rest(9, 1)
    frames[:, 0, 4] = 2046.9 + np.linspace(0.0, 0.05, 9)
    encoded = encode_source(make_source([-1], frames), 1e-2)
    assert encoded.report.error_m <= 1e-2 and encoded.verified


def test_no_frame_at_all_is_refused() -> None:
    status, clip, _ = try_encode(make_source([-1], rest(1, 1)), 1e-3)
    assert status == native.OK and clip is not None
    empty = make_source([-1], rest(0, 1), rest(1, 1)[0])
    assert try_encode(empty, 1e-3)[0] == native.ERROR_TOO_LARGE


@pytest.mark.parametrize("codec", OWN_CODECS)
def test_five_hundred_joints(codec: str) -> None:
    """A trunk with many limbs, as crowds of tentacles and long tails have."""
    joints, limb = 500, 12
    frames = waving_chain(joints, 20, 0.02)
    parents = [-1 if j == 0 else 0 if j % limb == 0 else j - 1 for j in range(joints)]
    encoded = encode_source(make_source(parents, frames), 1e-3, codecs=(codec,), effort="fast")
    assert encoded.verified and encoded.error_m <= 1e-3
    assert len(encoded.bank.joints) == joints


def test_a_bank_has_64_rates() -> None:
    frames = rest(2, 1)
    status, clip, _ = try_encode(make_source([-1], frames), 1e-3)
    assert status == native.OK and clip is not None
    for count in (64, 65):
        entries = [(number, number << 16, number << 10) for number in range(count)]
        clips, names = [clip] * count, names_section(["joint"], [f"{n}" for n in range(count)])
        if count == 64:
            assert len(parse_bank_words(native.write_bank(clip.skeleton, clips, entries, names))) == 64
        else:
            with pytest.raises(native.NativeProblem, match=mentioning("65,535 256 16,383 32")):
                native.write_bank(clip.skeleton, clips, entries, names)


def parse_bank_words(data: bytes) -> set[int]:
    """The rates in the directory of a bank."""
    words = np.frombuffer(data, "<u4")
    at = next(int(words[i + 1]) & 0x7FFFFFFF for i in range(5, len(words), 3)
              if words[i] == 0x50494C43)  # "CLIP"
    return {int(rate) for rate in words[at + 1:at + 1 + 2 * int(words[at]):2]}


def test_track_headers_that_do_not_fit_are_refused() -> None:
    """A thousand joints whose formats say the ranges of all their components."""
    joints = 1000
    frames = rest(3, joints)
    time = np.arange(3)[:, None] + np.arange(joints)
    frames[:, :, :4] = axis_angle(np.array([0.3, 1.0, 0.2]), 0.3 * np.sin(time))
    frames[:, :, 4] = 0.05 * np.cos(time)
    source = make_source([-1] * joints, frames, rest(1, joints)[0])
    scheme = Scheme("dense", "ranged48", "ranged48", fixed=True)
    status, clip, _ = try_encode(source, 1.0, scheme=scheme)
    assert status == native.OK and clip is not None
    with pytest.raises(native.NativeProblem, match=mentioning("32 KB")):
        write_one(clip, joints)


def test_ten_minutes() -> None:
    """18,000 frames at 30 Hz; every restart point plays."""
    frames = waving_chain(2, 18000, 0.3)
    encoded = encode_source(make_source([-1, 0], frames), 1e-3, effort="fast")
    assert encoded.verified and encoded.error_m <= 1e-3
    assert encoded.bank.clips[0].frame_count == 18000
