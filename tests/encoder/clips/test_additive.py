"""Additive clips: the tolerance holds for the pose with its differences, by the tests' own measure."""
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from encoding import Source, closed, make_source, rest, write_one
from ossicle.bank.file import parse_bank
from ossicle.encoding import native
from ossicle.encoding.presets import PRESETS
from random_clips import multiply, sources
from shell_measure import chain_errors, shell_errors, with_midpoints
from test_encoder_round_trip import SAME_ERROR_M, SLOW
from test_layers import swinging_chain

CODECS = ("delta", "curve", "transform", "velocity")
SCHEMES = {name: preset.schemes[0] for name, preset in PRESETS.items() if preset.schemes and not preset.fixed}
BACK = np.array([-1.0, -1.0, -1.0, 1.0])
NOTHING = rest(1, 1)[0, 0]
LEAST_SCALE = 0.05  # of a reference; smaller ones give scales that a bank cannot hold


def difference(pose: np.ndarray, frames: np.ndarray) -> np.ndarray:
    """The difference between a pose [J, 10] and frames [F, J, 10]."""
    turns = multiply(np.broadcast_to(pose[:, :4] * BACK, frames[..., :4].shape), frames[..., :4])
    return np.concatenate([turns, frames[..., 4:7] - pose[:, 4:7], frames[..., 7:] / pose[:, 7:]], -1)


def with_difference(pose: np.ndarray, frames: np.ndarray) -> np.ndarray:
    turns = multiply(np.broadcast_to(pose[:, :4], frames[..., :4].shape), frames[..., :4])
    return np.concatenate([turns, pose[:, 4:7] + frames[..., 4:7], pose[:, 7:] * frames[..., 7:]], -1)


def additive_of(source: Source, pose: np.ndarray) -> Source:
    return Source(source.parents, source.bind, difference(pose, source.frames), source.steps)


def encode_over(source: Source, pose: np.ndarray, settings: native.EncodeSettings, loop: bool = False) \
        -> tuple[native.EncodedClip, np.ndarray, bytes]:
    """Encodes the differences; returns the clip, its errors in the pose by this test's measure, and the bank.
    Tolerances hold, the encoder's report agrees, and the bank is verified."""
    apart = additive_of(source, pose)
    skeleton = native.Skeleton(source.parents, source.bind)
    status, clip, report = native.encode_clip(
        skeleton, native.ClipInput(apart.frames, apart.steps, loop, over=pose), settings)
    assert status == native.OK and clip is not None, (status, report.tight_error_m, report.tight_joint)
    data = write_one(clip, len(source.parents))
    bank, words = parse_bank(data), native.bank_words(data)
    assert bank.clips[0].additive and native.check_bank(words)[0] == 0
    assert native.verify_clips(words, [clip]) is None
    played = native.decode_clip(words, 0, len(source.parents), True).astype(np.float64)
    for joint, item in enumerate(bank.joints):
        for has, part in zip(item.subtracks, (slice(0, 4), slice(4, 7), slice(7, 10))):
            if not has:
                played[:, joint, part] = NOTHING[part]
    reference = with_difference(pose, with_midpoints(apart.frames, apart.breaks))
    measure = chain_errors if settings.layer else shell_errors
    errors = measure(source.parents, reference, with_difference(pose, played), bind=source.bind)
    assert errors.max() <= settings.tolerance_m
    assert settings.layer or abs(errors.max() - report.error_m) <= SAME_ERROR_M + 1e-6 * np.abs(reference).max()
    return clip, errors, data


def bent(joints: int, seed: int) -> np.ndarray:
    """A pose whose joints are far from the identity, with bones of different lengths."""
    rng = np.random.default_rng(seed)
    pose = rest(1, joints)[0]
    turns = rng.normal(size=(joints, 4))
    pose[:, :4] = turns / np.linalg.norm(turns, axis=-1, keepdims=True)
    pose[1:, 4:7] = rng.uniform(-0.3, 0.3, (joints - 1, 3))
    return pose


def moving_in(pose: np.ndarray, frames: int, seed: int) -> Source:
    """A clip that swings about a pose."""
    swinging = swinging_chain(len(pose), frames, seed)
    swinging[..., 4:7] = 0.01 * np.sin(np.arange(frames) / 5)[:, None, None]
    return make_source(list(range(-1, len(pose) - 1)), with_difference(pose, swinging), bind=bent(len(pose), seed + 1))


@pytest.mark.parametrize("layer", (False, True))
@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("tolerance_m", (1e-4, 1e-3, 1e-2))
def test_the_tolerance_holds_in_the_pose(codec: str, tolerance_m: float, layer: bool) -> None:
    pose = bent(6, 3)
    source = moving_in(pose, 40, 5)
    encode_over(source, pose, native.EncodeSettings(tolerance_m, codecs=(codec,), layer=layer))
    encode_over(source, source.frames[17], native.EncodeSettings(tolerance_m, codecs=(codec,), layer=layer))


@pytest.mark.parametrize("effort", native.EFFORTS)
@pytest.mark.parametrize("codec", CODECS)
def test_loops_stay_loops(codec: str, effort: str) -> None:
    pose = bent(5, 7)
    source = closed(moving_in(pose, 33, 8))
    _, _, data = encode_over(source, pose, native.EncodeSettings(1e-3, codecs=(codec,), effort=effort), loop=True)
    assert parse_bank(data).clips[0].loop


@pytest.mark.parametrize("name", SCHEMES)
def test_published_schemes(name: str) -> None:
    pose, scheme = bent(4, 1), SCHEMES[name]
    source = moving_in(pose, 30, 2)
    encode_over(source, pose, native.EncodeSettings(2e-3, codecs=(scheme.codec,), scheme=scheme))


@SLOW
@given(source=sources(), seed=st.integers(0, 9), tolerance_m=st.sampled_from((1e-3, 5e-3)),
       codec=st.sampled_from(CODECS), layer=st.booleans())
def test_any_clip_over_any_pose(source: Source, seed: int, tolerance_m: float, codec: str, layer: bool) -> None:
    pose = source.frames[seed % len(source.frames)] if seed % 2 else bent(len(source.parents), seed)
    pose = pose.copy()
    pose[:, 7:] = np.where(np.abs(pose[:, 7:]) < LEAST_SCALE, LEAST_SCALE, pose[:, 7:])
    encode_over(source, pose, native.EncodeSettings(tolerance_m, codecs=(codec,), effort="fast", layer=layer))


def test_a_clip_that_keeps_the_pose_takes_nothing() -> None:
    """With any bind pose: not even a constant."""
    pose = bent(6, 4)
    source = make_source(list(range(-1, 5)), np.repeat(pose[None], 20, 0), bind=bent(6, 9))
    clip, _, data = encode_over(source, pose, native.EncodeSettings(1e-4))
    assert clip.report.default_tracks == 18 and parse_bank(data).subtracks == ()


def test_the_same_bits_as_a_clip_of_poses_over_nothing() -> None:
    """Added to the identity, differences are poses: only the flag differs."""
    source = make_source(list(range(-1, 5)), swinging_chain(), bind=rest(1, 6)[0])
    skeleton = native.Skeleton(source.parents, source.bind)
    for codec in CODECS:
        settings, banks = native.EncodeSettings(1e-3, codecs=(codec,)), []
        for over in (None, rest(1, 6)[0]):
            _, clip, _ = native.encode_clip(skeleton, native.ClipInput(source.frames, source.steps, over=over),
                                            settings)
            banks.append(parse_bank(write_one(clip, 6)))
        different = [first ^ other for first, other in zip(banks[0].words, banks[1].words) if first != other]
        assert len(banks[0].words) == len(banks[1].words)
        assert len(different) == 2 and 1 << 29 in different  # the flag, and the checksum


def test_a_pinned_joint_is_pinned_in_the_pose() -> None:
    pose = bent(6, 11)
    source = moving_in(pose, 40, 12)
    pinned, tolerances = np.arange(6) == 5, np.full(6, 4e-3)
    tolerances[5] = 4e-4
    settings = native.EncodeSettings(4e-3, codecs=("curve",), pinned=pinned, joint_tolerance_m=tolerances)
    _, errors, _ = encode_over(source, pose, settings)
    assert errors[:, 5].max() <= 4e-4


@pytest.mark.parametrize("codec", CODECS)
def test_joints_make_up_for_each_other_in_the_pose(codec: str) -> None:
    """As in a clip of poses, the same motion takes no more room, even if the pose is far from the bind pose."""
    plain = additive = 0
    for seed in range(6):
        pose = bent(6, seed + 20)
        source = moving_in(pose, 40, seed)
        settings = native.EncodeSettings(1e-3, codecs=(codec,))
        _, clip, _ = native.encode_clip(native.Skeleton(source.parents, source.bind),
                                        native.ClipInput(source.frames, source.steps), settings)
        plain += len(write_one(clip, 6))
        additive += len(encode_over(source, pose, settings)[2])
    assert additive <= plain
