"""Control joints, which travel, and some of which are at one place, in other files of the same skeleton."""
from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from captures import hero
from disguises import UPRIGHT, Z_UP, disguise
from ossicle.base.arrays import Array
from ossicle.model.clip import ROTATION, TRANSLATION, Imported, Skeleton
from ossicle.retargeting.joint_pairs import AnimatedRig
from ossicle.retargeting.options import RetargetOptions
from ossicle.retargeting.retarget import retarget
from ossicle.retargeting.rig import rig_of
from ossicle.retargeting.same_skeleton import same_skeleton
from test_same_skeleton import assert_same, posed_bind

# Name, place of the joint above in this list (hips: -1), and place in the bind pose.
CONTROLS = [
    ("knee left", -1, (0.1, -0.4, 0.6)), ("knee right", -1, (-0.1, -0.4, 0.6)), ("hand left", -1, (0.7, 0.4, 0.1)),
    ("hand right", -1, (-0.7, 0.4, 0.1)), ("elbow left", -1, (0.5, 0.3, -0.5)), ("elbow right", -1, (-0.5, 0.3, -0.5)),
    ("roll left", -1, (0.1, -0.8, 0.1)), ("roll right", -1, (-0.1, -0.8, 0.1)),
    ("heel left", 6, (0.0, 0.05, -0.1)), ("sole left", 6, (0.0, 0.05, -0.1)), ("toe left", 6, (0.0, 0.05, -0.1)),
    ("heel right", 7, (0.0, 0.05, -0.1)), ("sole right", 7, (0.0, 0.05, -0.1)),
    ("bend a", 6, (0.0, 0.1, 0.0)), ("bend b", 6, (0.0, 0.1, 0.0)), ("end a", 13, (0.02, 0.0, 0.0)),
    ("end b", 14, (0.0, 0.0, 0.02))]
BENDS = 4  # the last ones, which only one bind pose tells apart
TRAVELS = 8  # the first ones
CLIPS = ("Idle", "Walk", "Jump")
MOVING = {"heel left": "Walk", "sole right": "Jump"}  # only in this clip


@lru_cache(maxsize=None)
def with_controls(count: int = len(CONTROLS)) -> Imported:
    """Returns the demo character with this many control joints."""
    skeleton, first, controls = hero().skeleton, len(hero().skeleton.names), CONTROLS[:count]
    rows = np.array([[*UPRIGHT, *place, 1.0, 1.0, 1.0] for _, _, place in controls])
    parents = [0 if above < 0 else first + above for _, above, _ in controls]
    longer = Skeleton((*skeleton.names, *(name for name, _, _ in controls)),
                      np.append(skeleton.parents, np.array(parents, np.int32)), np.concatenate([skeleton.bind, rows]))
    clips = []
    for clip in hero().clips:
        if clip.name in CLIPS:
            old = np.asarray(clip.frames)
            frames = np.concatenate([old, np.repeat(rows[None], len(old), axis=0)], axis=1)
            time = np.linspace(0.0, 2.0 * np.pi, len(old))
            for number, (name, _, _) in enumerate(controls):
                if number < TRAVELS or MOVING.get(name) == clip.name:
                    path = np.sin(time[:, None] + (0.0, 0.5, 1.0)) * (0.05 + 0.03 * number)
                    frames[:, first + number, TRANSLATION] += path
                    frames[:, first + number, ROTATION] = np.stack(
                        [0.1 * number * np.sin(time), 0 * time, 0 * time, 1 + 0 * time], axis=1)
            frames[..., ROTATION] /= np.linalg.norm(frames[..., ROTATION], axis=-1, keepdims=True)
            clips.append(replace(clip, frames=frames, steps=np.zeros((*frames.shape[:2], 3), bool), curve=None))
    return Imported(longer, clips)


@pytest.mark.parametrize("kind", [{}, {"mirrored": True, "world": Z_UP, "scale": 0.5}])
@pytest.mark.parametrize("seed", range(3))
def test_joints_at_one_place_are_told_by_their_clips_and_by_the_joints_below(kind: dict[str, object], seed: int
                                                                             ) -> None:
    """Though neither names, nor axes, nor order are the same."""
    source = with_controls()
    other = disguise(source.skeleton, seed, **kind).imported(source)
    assert_same(other.skeleton, retarget(source, other).imported.clips, other.clips)
    assert_same(source.skeleton, retarget(other, source).imported.clips, source.clips)


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("clip, frame", [("Walk", 8), ("Jump", 20)])
def test_another_bind_pose_in_which_controls_are_elsewhere(clip: str, frame: int, named: bool) -> None:
    """Their places tell neither the size of the skeleton nor which they are."""
    source = with_controls(len(CONTROLS) - BENDS)
    pose = np.asarray(next(read for read in source.clips if read.name == clip).frames)[frame].copy()
    made = disguise(source.skeleton, 5)
    other = made.imported(replace(source, skeleton=posed_bind(source.skeleton, pose)))
    if named:
        names = tuple(source.skeleton.names[old] for old in made.order)
        other = replace(other, skeleton=replace(other.skeleton, names=names))
    found = retarget(source, other).imported.clips
    assert_same(other.skeleton, found, other.clips, rotations=False)
    exact = retarget(source, other, RetargetOptions(rest_pose=pose)).imported.clips
    assert_same(other.skeleton, exact, other.clips)


def test_without_clips_of_the_character_its_body_moves_as_before() -> None:
    """Nothing tells its controls at one place apart then; the body is found by places."""
    source = with_controls()
    made = disguise(source.skeleton, 2)
    other = made.imported(source)
    body = [joint for joint, old in enumerate(made.order) if old < len(hero().skeleton.names)]
    result = retarget(source, replace(other, clips=[])).imported.clips
    for ours, theirs in zip(result, other.clips, strict=True):
        assert np.abs(np.asarray(ours.frames)[:, body] - np.asarray(theirs.frames)[:, body]).max() < 1e-6


def with_two_controls(names: str, size: float, controls: Array, moves: Array, count: int = 2) -> AnimatedRig:
    """Returns a skeleton of two bones with a clip. controls: the places of two more joints [2, 3]; moves: the sine of
    half of the turn of each, and its travel in sizes, per frame [2, 2], forth and back; count: of frames."""
    places = size * np.array([(0.0, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.5, 0.3), *controls])
    bind = np.hstack([np.tile(UPRIGHT, (5, 1)), places, np.ones((5, 3))])
    frames = np.repeat(bind[None], count, axis=0)
    frames[1::2, 3:, ROTATION] = [(sine, 0.0, 0.0, np.sqrt(1.0 - sine * sine)) for sine, _ in moves]
    frames[1::2, 3:, TRANSLATION] += size * moves[:, 1:] * (0.0, 0.0, 1.0)
    return AnimatedRig(rig_of(Skeleton(tuple(names), np.array([-1, 0, 1, 0, 0], np.int32), bind)), [frames])


@pytest.mark.parametrize("size", [0.01, 1.0, 100.0])
def test_the_size_of_a_character_does_not_tell_which_control_moves_alike(size: float) -> None:
    """One choice differs in its turn, the other one, by more, in its travel."""
    source = with_two_controls("abcde", 1.0, np.array([(0.1, 0.0, 0.0), (-0.1, 0.0, 0.0)]),
                               np.array([(0.05, 0.013), (0.051, 0.01)]))
    target = with_two_controls("vwxyz", size, np.array([(0.1, 0.0, 0.1), (-0.1, 0.0, 0.1)]),
                               np.array([(0.05, 0.01), (0.05, 0.02)]))
    same = same_skeleton(source, target)
    assert same is not None and same.joints == [0, 1, 2, 4, 3]


def test_the_length_of_clips_does_not_tell_which_control_moves_alike() -> None:
    moves = np.array([(0.05, 0.05), (0.02, 0.02)])
    source = with_two_controls("abcde", 1.0, np.array([(0.1, 0.0, 0.0), (-0.1, 0.0, 0.0)]), moves)
    target = with_two_controls("vwxyz", 1.0, np.array([(0.1, 0.0, 0.1), (-0.1, 0.0, 0.1)]), moves[::-1], 12)
    same = same_skeleton(source, target)
    assert same is not None and same.joints == [0, 1, 2, 4, 3]
