"""The .fbx and .dae files of Debian's assimp-testmodels: read, or refused with a message."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from import_matrices import model_pose
from ossicle.importers.importer import read_clips
from ossicle.importers.suffixes import CONVERTED
from ossicle.model.clip import ImportProblem

pytestmark = pytest.mark.usefixtures("assimp")

MODELS = Path("/usr/share/assimp/models")
FILES = sorted(path for path in MODELS.rglob("*") if path.suffix.lower() in CONVERTED)
# joints, rate and frames of the files with animations
READ = {"animation_with_skeleton.fbx": (14, 24.0, 21), "huesitos.fbx": (9, 25.0, 40),
        "anims_with_full_rotations_between_keys.DAE": (64, 60.0, 719)}
# a joint of huesitos.fbx in metres where Blender 3.4 has it after importing the file, by frame
TIP = "Bone.008"
PLACES = {0: (-0.04024, 4.62308, -3.07135), 13: (-1.75406, 4.0818, -3.07135), 39: (-0.01348, 1.10071, 0.73267)}
CLOSE_M = 5e-5


@pytest.mark.skipif(not FILES, reason="assimp-testmodels is not installed")
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(MODELS)))
def test_files_are_read_or_refused(path: Path) -> None:
    if path.name not in READ:
        with pytest.raises(ImportProblem, match=path.name):
            read_clips([path])
        return
    imported = read_clips([path])
    (clip,) = imported.clips
    assert (len(imported.skeleton.names), clip.rate, len(clip.frames)) == READ[path.name]
    assert imported.warnings == []
    if path.name == "huesitos.fbx":
        joint = imported.skeleton.names.index(TIP)
        for frame, place in PLACES.items():
            ours = model_pose(imported.skeleton.parents, np.asarray(clip.frames)[frame])
            np.testing.assert_allclose(ours[joint, :3, 3], place, atol=CLOSE_M)
