"""A character's motion on the same character in disguise is the same."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from captures import hero
from disguises import UPRIGHT, Z_UP, Disguise, disguise, models
from ossicle.base.arrays import Array
from ossicle.model.clip import ROTATION, TRANSLATION, Clip, Imported, Skeleton
from ossicle.model.rotations import multiply, rotate
from ossicle.retargeting.options import RetargetOptions
from ossicle.retargeting.retarget import retarget
from test_mapping import fox
from walkers import over_ground

NEAR_M, NEAR_DEGREES = 1e-4, 0.01
KINDS = [{}, {"scale": 1.3}, {"world": Z_UP}, {"mirrored": True}, {"mirrored": True, "world": Z_UP, "scale": 0.5}]


def assert_same(skeleton: Skeleton, found: Sequence[Clip], wanted: Sequence[Clip], rotations: bool = True) -> None:
    for ours, theirs in zip(found, wanted, strict=True):
        a, b = models(skeleton, ours.frames), models(skeleton, theirs.frames)
        assert np.abs(a[..., 3] - b[..., 3]).max() < NEAR_M
        if rotations:
            assert np.abs(a[..., :3] - b[..., :3]).max() < np.radians(NEAR_DEGREES) * np.abs(b[..., :3]).max()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_a_disguised_character_moves_as_before(kind: dict[str, object], seed: int) -> None:
    made = disguise(hero().skeleton, seed, **kind)
    other = made.imported(hero())
    assert_same(other.skeleton, retarget(hero(), other).imported.clips, other.clips)
    assert_same(hero().skeleton, retarget(other, hero()).imported.clips, hero().clips)


@pytest.mark.parametrize("prefix", ["", "hero:"])
def test_joints_of_the_same_names_are_the_same(prefix: str) -> None:
    """Even where places do not tell, as of two joints at one place."""
    bind = np.tile([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0], (4, 1))
    bind[1, 5] = 1.0
    skeleton = Skeleton(("root", "arm", "a", "b"), np.array([-1, 0, 1, 1], np.int32), bind)
    frames = np.repeat(bind[None], 2, axis=0)
    frames[:, 2, ROTATION] = (1.0, 0.0, 0.0, 0.0)
    source = Imported(skeleton, [Clip("c", 30.0, frames, np.zeros((2, 4, 3), bool), "")])
    target = replace(skeleton, names=tuple(f"{prefix}{name}" for name in ("root", "arm", "b", "a")))
    clip, = retarget(source, Imported(target, [])).imported.clips
    assert np.array_equal(np.asarray(clip.frames)[:, 3, ROTATION], frames[:, 2, ROTATION])


def test_joints_at_one_place_are_those_with_the_same_axes() -> None:
    """Their names do not tell, nor does their order."""
    bind = np.tile([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0], (4, 1))
    bind[1:, 5] = 1.0
    bind[2, ROTATION] = (0.6, 0.0, 0.0, 0.8)
    skeleton = Skeleton(("root", "arm", "a", "b"), np.array([-1, 0, 1, 1], np.int32), bind)
    frames = np.repeat(bind[None], 2, axis=0)
    frames[1, 2, ROTATION] = (1.0, 0.0, 0.0, 0.0)
    source = Imported(skeleton, [Clip("c", 30.0, frames, np.zeros((2, 4, 3), bool), "")])
    target = Skeleton(("1", "2", "3", "4"), skeleton.parents, bind[[0, 1, 3, 2]])
    clip, = retarget(source, Imported(target, [])).imported.clips
    assert np.abs(np.asarray(clip.frames)[:, 3, ROTATION] - frames[:, 2, ROTATION]).max() < 1e-9


def test_an_equal_file_stays_as_it_is() -> None:
    for ours, theirs in zip(retarget(hero(), hero()).imported.clips, hero().clips, strict=True):
        assert np.abs(np.asarray(ours.frames) - np.asarray(theirs.frames)).max() < 1e-6


def posed_bind(skeleton: Skeleton, pose: Array) -> Skeleton:
    """Returns a skeleton with this bind pose."""
    return replace(skeleton, bind=pose, inverse_bind=None)


@pytest.mark.parametrize("clip, frame", [("Walk", 8), ("Jump", 20), ("Wave", 40)])
def test_another_bind_pose_keeps_positions(clip: str, frame: int) -> None:
    """With a rest pose also orientations: the axes of joints are those of the other bind pose."""
    pose = np.asarray(next(read for read in hero().clips if read.name == clip).frames)[frame].copy()
    made = disguise(hero().skeleton, 5)
    other = made.imported(replace(hero(), skeleton=posed_bind(hero().skeleton, pose)))
    found = retarget(hero(), other).imported.clips
    assert_same(other.skeleton, found, other.clips, rotations=False)
    exact = retarget(hero(), other, RetargetOptions(rest_pose=pose)).imported.clips
    assert_same(other.skeleton, exact, other.clips)


def test_the_travel_may_be_given() -> None:
    """Feet then step as far as the character travels."""
    made = Disguise(tuple(range(18)), np.tile(UPRIGHT, (18, 1)), 2.0)
    source = over_ground("Walk")
    clip, = retarget(source, made.imported(hero()), RetargetOptions(scale=1.0)).imported.clips
    ours, theirs = (np.ptp(np.asarray(one.frames)[:, 0, TRANSLATION], axis=0) for one in (clip, source.clips[0]))
    assert abs(ours[2] / theirs[2] - 1.0) < 0.02 and abs(ours[1] / theirs[1] - 2.0) < 0.5
    assert clip.measure is not None and clip.measure.slide_mm < 2.0


def test_a_character_that_faces_elsewhere_looks_along_its_motion() -> None:
    """The bind pose is turned by a quarter, the motion is not."""
    quarter = np.array([0.0, np.sqrt(0.5), 0.0, np.sqrt(0.5)])
    bind = hero().skeleton.bind.copy()
    bind[0, ROTATION] = multiply(quarter, bind[0, ROTATION])
    bind[0, TRANSLATION] = rotate(quarter, bind[0, TRANSLATION])
    other = posed_bind(hero().skeleton, bind)
    assert_same(other, retarget(hero(), Imported(other, [])).imported.clips, hero().clips)


def test_joints_that_one_file_lacks() -> None:
    """A socket that only the character has keeps its bind pose; one that only the source has is left out."""
    clip = hero().clips[1]
    socket = np.array([[0.0, 0.6, 0.0, 0.8, 0.1, 0.0, 0.0, 1.0, 1.0, 1.0]])
    skeleton = hero().skeleton
    longer = Skeleton((*skeleton.names, "socket"), np.append(skeleton.parents, np.int32(8)),
                      np.concatenate([skeleton.bind, socket]))
    frames = np.concatenate([clip.frames, np.repeat(socket[None], len(clip.frames), axis=0)], axis=1)
    moved = Imported(longer, [replace(clip, frames=frames, steps=np.zeros((*frames.shape[:2], 3), bool))])
    with_socket = retarget(replace(hero(), clips=[clip]), Imported(longer, [])).imported
    assert_same(longer, with_socket.clips, moved.clips)
    assert_same(skeleton, retarget(moved, hero()).imported.clips, [clip])


def test_animals_of_other_proportions_turn_their_joints_alike() -> None:
    """Bones keep their lengths, and the root travels by the ratio of lengths."""
    source = fox(names=True)
    bind = source.bind.copy()
    bind[1:, TRANSLATION] *= np.linspace(1.5, 2.5, len(bind) - 1)[:, None]
    frames = np.repeat(source.bind[None], 3, axis=0)
    frames[1:, 2, ROTATION] = (0.6, 0.0, 0.0, 0.8)
    frames[2, 0, TRANSLATION] += (0.0, 0.0, 1.0)
    clip = Clip("turn", 30.0, frames, np.zeros((*frames.shape[:2], 3), bool), "fox.glb")
    larger = replace(source, bind=bind)
    moved = np.asarray(retarget(Imported(source, [clip]), Imported(larger, [])).imported.clips[0].frames)
    assert np.abs(moved[..., ROTATION] - frames[..., ROTATION]).max() < 1e-9
    assert np.abs(moved[:, 1:, TRANSLATION] - bind[1:, TRANSLATION]).max() < 1e-9
    assert 1.5 < moved[2, 0, TRANSLATION][2] - moved[1, 0, TRANSLATION][2] < 2.5
