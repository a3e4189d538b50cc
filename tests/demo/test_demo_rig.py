"""The rig that authors the demo character: it refuses keys that would make a bad clip."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "codegen" / "demo"))

from hero import legs, quat, skeleton, tracks  # noqa: E402
from hero.clip import ClipBuilder  # noqa: E402


def test_leg_reaches_the_foot_it_is_given() -> None:
    hips = skeleton.JOINTS[skeleton.INDEX["hips"]]
    turn = quat.euler(12.0, 70.0, -5.0)
    position = hips.head + np.array([0.02, -0.12, 0.03])
    foot = legs.rolled("right", np.array([-0.05, 0.0, 0.10]), 0.05, 25.0, 60.0)
    turns = legs.solve("right", position, turn, foot, "test")
    where, total = position, turn
    for name, end in (("upper_leg", "lower_leg"), ("lower_leg", "foot")):
        joint, child = (skeleton.JOINTS[skeleton.INDEX[f"right_{n}"]] for n in (name, end))
        if name == "upper_leg":
            where = where + quat.rotate(turn, joint.head - hips.head)
        total = quat.mul(total, turns[f"right_{name}"])
        where = where + quat.rotate(total, child.head - joint.head)
    assert np.allclose(where, foot.ankle, atol=1e-12)
    total = quat.mul(total, turns["right_foot"])
    assert abs(abs(total @ foot.rotation) - 1) < 1e-12


def test_leg_out_of_reach_names_clip_and_frame() -> None:
    foot = legs.rolled("left", np.array([0.1, 0.0, 1.0]), 0.0, 0.0)
    home = skeleton.JOINTS[skeleton.INDEX["hips"]].head
    with pytest.raises(ValueError, match="Walk, frame 7: the left ankle is .* shorten the step"):
        legs.solve("left", home, quat.IDENTITY, foot, "Walk, frame 7")


@pytest.mark.parametrize("pitch", [-30.0, -5.0, 5.0, 60.0])
def test_rolling_foot_keeps_its_pivot_on_the_ground(pitch: float) -> None:
    ground = np.array([0.1, 0.0, 0.2])
    foot = legs.rolled("left", ground, 0.0, pitch, 20.0)
    pivot_m = legs.TOE_M if pitch > 0 else legs.HEEL_M
    below = np.array([0.0, -legs.ankle_home("left")[1], pivot_m])
    pivot = foot.ankle + quat.rotate(foot.rotation, below)
    flat = ground + quat.rotate(quat.about(quat.Y_AXIS, 20.0), np.array([0.0, 0.0, pivot_m]))
    assert np.allclose(pivot, flat, atol=1e-12)


@pytest.mark.parametrize("loop, keys, message", [
    (True, {0: (0, 0, 0), 10: (5, 0, 0)}, "does not close"),
    (False, {0: (0, 0, 0), 9: (5, 0, 0)}, "expected 0 to 10"),
    (False, {2: (0, 0, 0), 10: (5, 0, 0)}, "from frame 2"),
])
def test_builder_refuses_bad_keys(loop: bool, keys: dict, message: str) -> None:
    builder = ClipBuilder("Test", 10, loop)
    with pytest.raises(ValueError, match=f"Test: head rotation .*{message}"):
        builder.turn("head", keys)


def test_builder_refuses_a_joint_keyed_twice() -> None:
    builder = ClipBuilder("Test", 10, False)
    builder.turn("head", {0: (0, 0, 0), 10: (5, 0, 0)})
    with pytest.raises(ValueError, match="head rotation is keyed twice"):
        builder.turn("head", {0: (0, 0, 0), 10: (5, 0, 0)})


def test_a_held_pose_stays_still() -> None:
    track = tracks.make("head", "rotation", "CUBICSPLINE", {
        0: quat.euler(0, 0, 0), 5: quat.euler(0, 60, 0), 25: quat.euler(0, 60, 0),
        30: quat.euler(0, 0, 0)}, loop=False)
    for frame in range(5, 26):
        assert np.allclose(tracks.evaluate(track, frame), quat.euler(0, 60, 0), atol=1e-12)


def test_blends_take_the_shorter_arc() -> None:
    """Whichever of its two quaternions a rotation has."""
    begin, end = quat.euler(0, 10, 0), quat.euler(0, 70, 0)
    for other in (end, -end):
        for share in (0.0, 0.25, 0.5, 1.0):
            blended = quat.slerp(begin, other, share)
            assert abs(np.dot(blended, quat.euler(0, 10 + 60 * share, 0))) == pytest.approx(1.0, abs=1e-12)


def test_foot_curves_do_not_overshoot() -> None:
    keys = {0.0: 0.0, 0.4: 0.0, 0.6: 44.0, 0.7: 45.0, 0.9: -18.0}
    values = [tracks.curve(keys, t / 200, 1.0) for t in range(200)]
    assert min(values) >= -18.0 and max(values) <= 45.0
    assert all(value == 0.0 for value in values[:80])
