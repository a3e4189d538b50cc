"""Agreement with an independent reader on real files, where they are present."""
from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import import_matrices as matrices
import numpy as np
import pytest
from ossicle import rawclip
from ossicle.importer import read_clips
from ossicle.model import ROTATION, TRANSLATION, Imported, ImportOptions

# Both sides are exact to double precision; the reference file holds float32.
TOLERANCE = 1e-6
ASSIMP = Path("/usr/share/assimp/models")
ASSIMP_BVH = ("01_01.bvh", "Boxing_Toes.bvh")


@pytest.fixture(scope="module")
def reference(shared: Path) -> ModuleType:
    path = shared / "tools" / "rawclip.py"
    if not path.is_file():
        pytest.skip("no tools/rawclip.py beside the checkout")
    spec = importlib.util.spec_from_file_location("reference_rawclip", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def corpus(shared: Path, name: str) -> Path:
    path = shared / "corpus" / name
    if not path.exists():
        pytest.skip(f"no corpus/{name} beside the checkout")
    return path


def deviation(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Largest difference of transforms [..., 10]; a quaternion equals its negative."""
    assert ours.shape == theirs.shape
    a, b = ours[..., ROTATION], theirs[..., ROTATION]
    sign = np.where(np.sum(a * b, axis=-1, keepdims=True) < 0, -1.0, 1.0)
    rest = slice(TRANSLATION.start, None)
    return max(np.abs(sign * a - b).max(), np.abs(ours[..., rest] - theirs[..., rest]).max())


def agree(imported: Imported, clip: int, theirs: dict[str, Any]) -> None:
    skeleton = imported.skeleton
    assert skeleton.parents.tolist() == theirs["parents"].tolist()
    assert imported.clips[clip].rate == pytest.approx(theirs["fps"], rel=1e-6)
    assert deviation(skeleton.bind, theirs["bind"]) < TOLERANCE
    assert deviation(imported.clips[clip].frames, theirs["frames"]) < TOLERANCE


@pytest.mark.parametrize(
    ("name", "ancestors", "clips", "joints"),
    [("Knight.glb", "fold", 76, 41), ("cesium_man.gltf", "drop", 1, 19)],
)
def test_gltf(
    tmp_path: Path,
    shared: Path,
    reference: ModuleType,
    name: str,
    ancestors: Any,
    clips: int,
    joints: int,
) -> None:
    path = corpus(shared, name)
    imported = read_clips([path], ImportOptions(ancestors=ancestors))
    assert (len(imported.clips), len(imported.skeleton.names)) == (clips, joints)
    assert imported.warnings == []
    written = reference.conv_gltf(str(path), str(tmp_path), imported.clips[0].rate)
    assert len(written) == clips
    for clip, (file, _, _) in enumerate(written):
        agree(imported, clip, reference.read(file))


def test_cesium_man_stands_upright_when_folded(shared: Path) -> None:
    """Its ancestors turn Z-up to Y-up; without them he lies, and Z is his height."""
    path = corpus(shared, "cesium_man.gltf")
    height = {}
    for ancestors, axis in (("fold", 1), ("drop", 2)):
        skeleton = read_clips([path], ImportOptions(ancestors=ancestors)).skeleton
        height[ancestors] = matrices.model_pose(skeleton.parents, skeleton.bind)[:, axis, 3]
    assert 1.0 < height["fold"].max() < 2.0 and height["fold"].min() > -0.05
    np.testing.assert_allclose(height["fold"], height["drop"], atol=1e-6)


def bvh_files() -> list[Path]:
    folder = Path(__file__).resolve().parents[3] / "shared" / "corpus" / "bandai"
    known = sorted(folder.glob("*.bvh"))[::4] if folder.is_dir() else []
    return known + [p for p in (ASSIMP / "BVH" / n for n in ASSIMP_BVH) if p.is_file()]


@pytest.mark.parametrize("path", bvh_files(), ids=lambda path: path.name)
def test_bvh(tmp_path: Path, reference: ModuleType, path: Path) -> None:
    imported = read_clips([path])
    file = tmp_path / "theirs.rawclip"
    reference.conv_bvh(str(path), str(file))
    theirs = reference.read(file)
    assert list(imported.skeleton.names) == theirs["names"]
    agree(imported, 0, theirs)


def test_rawclip_is_read_by_the_reference(
    tmp_path: Path, shared: Path, reference: ModuleType
) -> None:
    imported = read_clips([corpus(shared, "cesium_man.gltf")])
    clip = imported.clips[0]
    file = tmp_path / "ours.rawclip"
    rawclip.write(file, imported.skeleton, clip.frames, clip.rate)
    theirs = reference.read(file)
    assert tuple(theirs["names"]) == imported.skeleton.names
    assert theirs["parents"].tolist() == imported.skeleton.parents.tolist()
    np.testing.assert_array_equal(theirs["frames"], clip.frames.astype("<f4"))
    np.testing.assert_array_equal(theirs["bind"], imported.skeleton.bind.astype("<f4"))
    assert theirs["fps"] == clip.rate
