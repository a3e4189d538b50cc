"""Tolerances of single joints, and pinned joints, by a measure of the tests' own."""
from __future__ import annotations

import numpy as np
import pytest

from encoding import axis_angle, make_source, rest, write_one
from ossicle.encoding import native
from ossicle.model.joints import joint_tolerances, pinned_joints
from ossicle.model.joint_rules import JointRule
from ossicle.model.lengths import Screen, Tolerance
from shell_measure import shell_errors, with_midpoints

JOINTS, FRAMES, LAST = 6, 50, 5
TOLERANCE_M, TIGHT_M = 2e-3, 1e-4
PARENTS = list(range(-1, JOINTS - 1))


def swinging_chain(seed: int) -> np.ndarray:
    """A chain of bones of 0.3 m whose joints all turn."""
    rng = np.random.default_rng(seed)
    frames = rest(FRAMES, JOINTS)
    time = np.arange(FRAMES)
    for joint in range(JOINTS):
        angle = 0.4 * np.sin(time * rng.uniform(0.1, 0.4) + rng.uniform(0, 6))
        frames[:, joint, :4] = axis_angle(rng.normal(size=3), angle)
    frames[:, 1:, 5] = 0.3
    return frames


def encode_joints(frames: np.ndarray, tolerances: np.ndarray | None, pinned: np.ndarray | None
                  ) -> tuple[np.ndarray, native.Report, int]:
    """Largest error of each joint at frames and midpoints, the report, the bytes of the bank."""
    source = make_source(PARENTS, frames)
    skeleton = native.Skeleton(source.parents, source.bind)
    settings = native.EncodeSettings(TOLERANCE_M, codecs=("delta", "curve", "transform"),
                                     joint_tolerance_m=tolerances, pinned=pinned)
    status, clip, report = native.encode_clip(skeleton, native.ClipInput(frames, source.steps), settings)
    assert status == native.OK and clip is not None
    bank = write_one(clip, JOINTS)
    words = native.bank_words(bank)
    assert native.verify_clips(words, [clip]) is None
    played = native.decode_clip(words, 0, JOINTS, True).astype(np.float64)
    errors = shell_errors(source.parents, with_midpoints(frames, source.breaks), played)
    return errors.max(axis=0), report, len(bank)


def last_joint(value: object, others: object) -> np.ndarray:
    return np.array([others] * LAST + [value])


@pytest.mark.parametrize("seed", range(4))
def test_a_joint_keeps_its_own_tolerance(seed: int) -> None:
    tolerances = last_joint(TIGHT_M, TOLERANCE_M)
    errors, report, _ = encode_joints(swinging_chain(seed), tolerances, None)
    assert (errors <= tolerances).all()
    assert report.pinned_joint == -1


@pytest.mark.parametrize("seed", range(4))
def test_the_report_has_the_largest_error_and_the_tightest_joint(seed: int) -> None:
    """A joint that may be far off has the largest error, though others are nearer to their limit."""
    tolerances = last_joint(20 * TOLERANCE_M, TOLERANCE_M)
    errors, report, _ = encode_joints(swinging_chain(seed), tolerances, None)
    used = errors / tolerances
    assert errors.argmax() != used.argmax()
    assert report.joint == errors.argmax()
    assert report.error_m == pytest.approx(errors.max(), abs=1e-6)
    assert report.tight_start == -1  # no chain, but a joint's place in the model
    assert report.tight_error_m == pytest.approx(errors[report.tight_joint], abs=1e-6)
    assert report.tight_error_m / tolerances[report.tight_joint] == pytest.approx(used.max(), abs=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_a_pinned_joint_is_exact_and_its_ancestors_need_not_be(seed: int) -> None:
    frames, tolerances = swinging_chain(seed), last_joint(TIGHT_M, TOLERANCE_M)
    errors, report, size = encode_joints(frames, tolerances, last_joint(True, False))
    assert (errors <= tolerances).all()
    assert errors[:LAST].max() > TIGHT_M
    assert report.pinned_joint == LAST
    assert report.pinned_error_m == pytest.approx(errors[LAST], abs=1e-6)
    _, _, everywhere = encode_joints(frames, np.full(JOINTS, TIGHT_M), None)
    assert size < everywhere


def test_names_in_rules() -> None:
    joints = ("hips", "foot.l", "foot.r", "toe.l")
    rules = [JointRule("*.l", Tolerance(metres=3e-4)), JointRule("toe.*", Tolerance(metres=2e-4))]
    limits = joint_tolerances(joints, 1e-3, rules, ["foot.*"], Screen())
    assert limits == pytest.approx([1e-3, 3e-4, 1e-4, 2e-4])
    assert pinned_joints(joints, ["foot.*"]).tolist() == [False, True, True, False]


@pytest.mark.parametrize("seed", range(4))
def test_a_rotation_is_fitted_for_the_joint_that_is_nearest_to_its_tolerance(seed: int) -> None:
    """A layer's rotation is fitted for the joints that it moves farthest in proportion to their tolerances: a distant
    joint with a large tolerance changes nothing."""
    frames = rest(FRAMES, 3)
    frames[:, 0, :4] = swinging_chain(seed)[:, 0, :4]
    frames[:, 1, :4] = swinging_chain(seed)[:, 1, :4]
    frames[:, 1, 5], frames[:, 2, 4] = 0.5, 1.0
    played = []
    for joints in (2, 3):
        source = make_source([-1, 0, 0][:joints], frames[:, :joints])
        settings = native.EncodeSettings(TOLERANCE_M, layer=True,
                                         joint_tolerance_m=np.array([1e-2, TIGHT_M, 2e-2][:joints]))
        status, clip, _ = native.encode_clip(native.Skeleton(source.parents, source.bind),
                                             native.ClipInput(source.frames, source.steps), settings)
        assert status == native.OK and clip is not None
        played.append(native.decode_clip(native.bank_words(write_one(clip, joints)), 0, joints, True)[:, :2])
    assert np.array_equal(*played)
