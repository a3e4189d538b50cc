"""Clips with axes of joints that are parallel to the model's in the bind pose move the same points."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ossicle.importers.importer import read_clips, read_groups
from ossicle.model.clip import Clip, Imported, ImportProblem
from ossicle.model.editing.aligning import aligned
from ossicle.model.import_options import ImportOptions
from ossicle.model.mesh.skinning import inverse_bind_q20, skinning_of
from shell_measure import compose, model_matrices
from mentions import mentions
from tools.demo import HERO

ALIGNED = ImportOptions(axes="model")
OFF_M = 2e-6
IDENTITY_Q20 = (1 << 20) * np.eye(3, dtype=int)


@pytest.fixture(scope="module")
def hero() -> Imported:
    return read_clips([HERO])


@pytest.fixture(scope="module")
def turned() -> Imported:
    return read_clips([HERO], ALIGNED)


def skinned(imported: Imported, frames: np.ndarray) -> np.ndarray:
    """Where each joint moves four points that lie around it in the bind pose, [F, J, 3, 4]."""
    inverse = skinning_of(imported.skeleton)
    around = np.linalg.inv(inverse)[:, :3, 3][:, :, None] + np.hstack([np.zeros((3, 1)), 0.1 * np.eye(3)])
    points = np.concatenate([around, np.ones((len(around), 1, 4))], axis=1)
    return compose(model_matrices(imported.skeleton.parents, frames), inverse[:, :3]) @ points


def times_of(clip: Clip) -> np.ndarray:
    return np.union1d(clip.curve.times, clip.curve.halves)


def test_the_mesh_moves_the_same(hero: Imported, turned: Imported) -> None:
    for before, after in zip(hero.clips, turned.clips, strict=True):
        assert not np.allclose(before.frames, after.frames, atol=0.1)
        at = times_of(before)
        for ours, theirs in ((after.frames, before.frames), (after.curve.at(at), before.curve.at(at)),
                             (after.curve.sampled(at, 0.0)[0], before.curve.sampled(at, 0.0)[0])):
            assert np.abs(skinned(turned, ours) - skinned(hero, theirs)).max() < OFF_M


def test_matrices_only_translate(hero: Imported, turned: Imported) -> None:
    found = inverse_bind_q20(turned.skeleton).reshape(-1, 3, 4)
    assert (found[:, :, :3] == IDENTITY_Q20).all()
    joints = np.linalg.inv(hero.skeleton.inverse_bind)[:, :3, 3]
    assert np.abs(found[:, :, 3] / (1 << 20) + joints).max() < OFF_M
    assert not (inverse_bind_q20(hero.skeleton).reshape(-1, 3, 4)[:, :, :3] == IDENTITY_Q20).all(axis=(1, 2)).any()


def test_a_skeleton_without_a_skin_has_the_axes_of_its_bind_pose(hero: Imported) -> None:
    result = aligned(replace(hero, skeleton=replace(hero.skeleton, inverse_bind=None)))
    assert result.skeleton.inverse_bind is None
    assert (inverse_bind_q20(result.skeleton).reshape(-1, 3, 4)[:, :, :3] == IDENTITY_Q20).all()


def test_curves_are_reordered(turned: Imported) -> None:
    curve, order = turned.clips[0].curve, np.arange(len(turned.skeleton.names))[::-1]
    assert curve.joints == len(order)
    at = curve.times[:3]
    np.testing.assert_array_equal(curve.reordered(order).at(at), curve.at(at)[:, order])


def test_groups_are_aligned(turned: Imported) -> None:
    [group], _ = read_groups([HERO], ALIGNED)
    np.testing.assert_array_equal(group.skeleton.bind, turned.skeleton.bind)


@pytest.mark.parametrize("factors", [(2.0, 2.0, 2.0), (2.0, -1.0, 0.5), (1.0, 1.0, 0.0)])
def test_matrices_may_do_more_than_turn(hero: Imported, factors: tuple[float, ...]) -> None:
    inverse = hero.skeleton.inverse_bind.copy()
    inverse[3, :3, :3] *= factors
    before = replace(hero, skeleton=replace(hero.skeleton, inverse_bind=inverse))
    expected, moved = (
        compose(model_matrices(imported.skeleton.parents, imported.clips[0].frames),
                imported.skeleton.inverse_bind[:, :3])
        for imported in (before, aligned(before)))
    assert np.abs(moved - expected).max() < OFF_M


@pytest.mark.parametrize("where", ["bind", "clip"])
def test_uneven_scales_are_refused(hero: Imported, where: str) -> None:
    skeleton, [clip, *_] = hero.skeleton, hero.clips
    bind, frames = skeleton.bind.copy(), clip.frames.copy()
    if where == "bind":
        bind[3, 7] = 1.5
    else:
        frames[5, 3, 8] = 1.5
    with pytest.raises(ImportProblem) as problem:
        aligned(replace(hero, skeleton=replace(skeleton, bind=bind), clips=[replace(clip, frames=frames)]))
    assert mentions(str(problem.value), f"{skeleton.names[3]} --joint-axes")
    assert mentions(str(problem.value), clip.name) == (where == "clip")
