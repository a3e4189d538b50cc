"""Skins of .fbx files: each mesh has its own axes, and the bind pose differs from the pose of the nodes."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fbx_pose import models
from fbx_writer import WEIGHT, FbxJoint, FbxMesh, write_fbx
from import_matrices import model_pose
from ossicle.importers.importer import read_clips, read_mesh, read_surfaces

pytestmark = pytest.mark.usefixtures("assimp")

CLOSE_M = 1e-6
POINTS = {"Hips": (5.0, 80.0, 1.0), "Head": (0.0, 140.0, 3.0)}
BIND = {("Hips", "R", "Y"): [(0.0, 30.0)], ("Head", "R", "X"): [(0.0, -20.0)]}  # the joints when the mesh was bound
NOD = {("Head", "R", "X"): [(0.0, 0.0), (1.0, 60.0)]}
HAT = FbxJoint("Hat", "", {"Lcl Translation": (3.0, 20.0, -5.0), "Lcl Rotation": (20.0, 10.0, 5.0)})
BODY = FbxJoint("Body")


def rig() -> list[FbxJoint]:
    return [FbxJoint("Hips", "", {"Lcl Translation": (0.0, 90.0, 0.0), "PreRotation": (10.0, 0.0, 0.0)}),
            FbxJoint("Head", "Hips", {"Lcl Translation": (0.0, 40.0, 5.0)}), FbxJoint("Ear", "Head")]


def mesh(node: FbxJoint, joints: list[FbxJoint]) -> FbxMesh:
    bind, axes = models(joints, BIND, 0.0), models([node], {}, 0.0)[node.name]
    matrices = {joint: (np.linalg.inv(bind[joint]) @ axes).T.ravel().tolist() for joint in POINTS}
    return FbxMesh(node.name, POINTS, matrices, node.properties)


def test_every_mesh_is_skinned_in_its_own_axes(tmp_path: Path) -> None:
    joints, path = rig(), tmp_path / "hero.fbx"
    write_fbx(path, joints, {"Nod": NOD}, meshes=[mesh(BODY, joints), mesh(HAT, joints)])
    imported = read_clips([path])
    surfaces, _, warnings = read_surfaces(path, imported.skeleton)
    assert len(surfaces) == 2 and warnings == []
    names, (clip,) = imported.skeleton.names, imported.clips
    pose = model_pose(imported.skeleton.parents, np.asarray(clip.frames)[-1])
    bind, end = models(joints, BIND, 0.0), models(joints, NOD, 1.0)
    for node, surface in zip((BODY, HAT), surfaces):
        axes = models([node], {}, 0.0)[node.name]
        for joint, point in POINTS.items():
            expected = (end[joint] @ np.linalg.inv(bind[joint]) @ axes @ [*point, 1.0])[:3] / 100
            number = names.index(joint)
            assert imported.skeleton.inverse_bind is not None
            matrix = pose[number] @ imported.skeleton.inverse_bind[number]
            ours = [(matrix @ [*position, 1.0])[:3] for position in surface.positions[surface.joints[:, 0] == number]]
            assert min(np.abs(position - expected).max() for position in ours) < CLOSE_M
    assert len(read_mesh(path, imported.skeleton)[0].triangles) == 4


def test_the_rest_pose_is_the_bind_pose(tmp_path: Path) -> None:
    joints, path = rig(), tmp_path / "hero.fbx"
    write_fbx(path, joints, {"Nod": NOD}, meshes=[mesh(BODY, joints)])
    imported = read_clips([path])
    assert imported.skeleton.names == ("Hips", "Head")
    ours = model_pose(imported.skeleton.parents, imported.skeleton.bind)
    for number, model in enumerate(list(models(joints, BIND, 0.0).values())[:2]):
        np.testing.assert_allclose(ours[number, :3, 3], model[:3, 3] / 100, atol=CLOSE_M)
    # the hips, which the clip does not move, keep the pose of their node
    still = model_pose(imported.skeleton.parents, np.asarray(imported.clips[0].frames)[0])
    np.testing.assert_allclose(still[0, :3, :3], models(joints, {}, 0.0)["Hips"][:3, :3], atol=1e-5)


def test_weights_of_blend_shapes_are_curves(tmp_path: Path) -> None:
    joints, path = rig(), tmp_path / "hero.fbx"
    smiling = replace(mesh(BODY, joints), shapes={"Smile": (0.0, 2.0, 0.0)})
    write_fbx(path, joints, {"Nod": {**NOD, ("Smile", WEIGHT, WEIGHT): [(0.0, 0.0), (0.5, 80.0), (1.0, 20.0)]},
                             "Still": NOD}, meshes=[smiling])
    imported = read_clips([path])
    nod, still = imported.clips
    keys = nod.curves["Smile"]
    np.testing.assert_allclose(keys.times, [0.0, 0.5, 1.0])
    np.testing.assert_allclose(keys.values.ravel(), [0.0, 0.8, 0.2], atol=1e-6)
    assert imported.curves == {"Smile": 0.0} and not still.curves
