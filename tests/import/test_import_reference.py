"""Agreement with the tests' own readers, which share no code with the project's, on whole files."""
from __future__ import annotations

from pathlib import Path

import bvh_reader
import import_matrices as matrices
import made_clips
import numpy as np
import pytest
import rawclip_reader
from gltf_reader import Gltf
from installed import installed_model

from ossicle.importers import rawclip
from ossicle.importers.bvh import CENTIMETRE
from ossicle.importers.importer import read_clips
from ossicle.model.import_options import ImportOptions

SAME = 1e-9  # both sides are exact to double precision
HERO = Path(__file__).resolve().parents[2] / "codegen/demo/hero.glb"


@pytest.fixture(scope="module")
def actions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_clips.write_actions(tmp_path_factory.mktemp("actions") / "actions.glb")


def gltf_file(name: str, actions: Path) -> Path:
    return {"hero": HERO, "actions": actions}.get(name) or installed_model(name)


@pytest.mark.parametrize("ancestors", ["fold", "drop"])
@pytest.mark.parametrize(("name", "clips", "joints"), [
    ("hero", 7, 18), ("actions", made_clips.ACTIONS, 40), ("glTF2/simple_skin/simple_skin.gltf", 1, 2)])
def test_gltf(name: str, clips: int, joints: int, ancestors: str, actions: Path) -> None:
    """Positions of joints in model space, independent of how the importer splits transforms among them."""
    path = gltf_file(name, actions)
    imported, source = read_clips([path], ImportOptions(ancestors=ancestors)), Gltf(path)
    skeleton = imported.skeleton
    assert (len(imported.clips), len(skeleton.names)) == (clips, joints)
    skin = source.document["skins"][0]["joints"]
    node_of = {source.nodes[node].get("name", f"node{node}"): node for node in skin}
    nodes = [node_of[name] for name in skeleton.names]
    above = source.parents.get(nodes[0]) if ancestors == "drop" else None
    for clip, animation in zip(imported.clips, source.animations, strict=True):
        times = np.arange(len(clip.frames)) / clip.rate
        times[-1] = max(times[-1], source.duration_s(animation))  # key times are single precision
        models = source.models(animation, times)
        theirs = np.stack([models[node] for node in nodes], 1)
        if above is not None:  # what is dropped is undone by its inverse
            theirs = np.linalg.inv(models[above])[:, None] @ theirs
        for f in (*range(0, len(times), 5), len(times) - 1):
            same_places(matrices.model_pose(skeleton.parents, clip.frames[f]), theirs[f])


def same_places(ours: np.ndarray, theirs: np.ndarray) -> None:
    """Compares matrices [J, 4, 4]. The scale of folded nodes is in lengths, no longer in the joint: the
    columns of a joint may differ by it."""
    np.testing.assert_allclose(ours[:, :3, 3], theirs[:, :3, 3], atol=SAME)
    sizes = [np.linalg.norm(side[:, :3, :3], axis=(1, 2))[:, None, None] for side in (ours, theirs)]
    np.testing.assert_allclose(ours[:, :3, :3] / sizes[0], theirs[:, :3, :3] / sizes[1], atol=SAME)


def test_nodes_above_the_joints_are_folded_or_dropped(actions: Path) -> None:
    """The armature turns the character round and makes metres of centimetres."""
    pose = {}
    for ancestors in ("fold", "drop"):
        skeleton = read_clips([actions], ImportOptions(ancestors=ancestors)).skeleton
        pose[ancestors] = matrices.model_pose(skeleton.parents, skeleton.bind)[:, :3, 3]
    assert 1.4 < np.ptp(pose["fold"][:, 1]) < 2.0
    turned = pose["drop"] * (-CENTIMETRE, CENTIMETRE, -CENTIMETRE)
    np.testing.assert_allclose(pose["fold"], turned, atol=SAME)


@pytest.mark.parametrize("name", ["capture", "BVH/01_01.bvh", "BVH/01_03.bvh", "BVH/Boxing_Toes.bvh"])
def test_bvh(name: str, tmp_path: Path) -> None:
    path = (made_clips.write_capture(tmp_path / "capture.bvh") if name == "capture" else installed_model(name))
    imported, source = read_clips([path]), bvh_reader.read(path)
    skeleton, [clip] = imported.skeleton, imported.clips
    assert list(skeleton.names) == [joint.name for joint in source.joints]
    assert skeleton.parents.tolist() == [joint.parent for joint in source.joints]
    assert clip.rate == round(source.rate) == pytest.approx(source.rate, rel=2e-5)  # as the file rounds it
    assert len(clip.frames) == len(source.values)
    theirs = source.model_matrices(CENTIMETRE)
    for f in range(0, len(clip.frames), 7):
        np.testing.assert_allclose(matrices.model_pose(skeleton.parents, clip.frames[f]), theirs[f], atol=SAME)


def test_rawclip_is_read_by_another_reader(tmp_path: Path, actions: Path) -> None:
    imported = read_clips([actions])
    clip, file = imported.clips[0], tmp_path / "ours.rawclip"
    rawclip.write(file, imported.skeleton, clip.frames, clip.rate)
    theirs = rawclip_reader.read(file)
    assert tuple(theirs.names) == imported.skeleton.names
    assert theirs.parents == imported.skeleton.parents.tolist()
    np.testing.assert_array_equal(theirs.frames, clip.frames.astype("<f4"))
    np.testing.assert_array_equal(theirs.bind, imported.skeleton.bind.astype("<f4"))
    assert theirs.rate == clip.rate
