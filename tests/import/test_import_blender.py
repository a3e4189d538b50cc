"""The instructions for Blender in codegen/ARTISTS.md, with files that Blender 3.4 exported (blender/make_rig.py)."""
from __future__ import annotations

from pathlib import Path

import numpy as np
from ossicle.importers.importer import read_clips
from ossicle.model.bind_size import bind_size
from ossicle.model.clip import Imported
from ossicle.model.import_options import ImportOptions

FILES = Path(__file__).parent / "blender"
DEFORMING = ("hips", "spine", "thigh.L", "shin.L", "foot.L")


def read(name: str, **options: object) -> Imported:
    return read_clips([FILES / f"{name}.glb"], ImportOptions(**options))


def moving(imported: Imported, clip: str) -> set[str]:
    [frames] = [item.frames for item in imported.clips if item.name == clip]
    return {name for joint, name in enumerate(imported.skeleton.names) if np.ptp(frames[:, joint], axis=0).max() > 1e-3}


def test_clips_have_the_names_of_actions_or_of_renamed_tracks() -> None:
    assert {clip.name for clip in read("all_bones").clips} == {"Stroll", "Idle", "Spare"}


def test_deforming_bones_alone_keep_the_motion_of_controls() -> None:
    every, few = read("all_bones"), read("deform_bones")
    assert set(every.skeleton.names) == {"root", "IK_foot.L", *DEFORMING}
    assert few.skeleton.names == DEFORMING
    assert moving(few, "Stroll") == moving(every, "Stroll") - {"IK_foot.L"} == {"spine", "thigh.L", "shin.L"}


def test_without_sampling_inverse_kinematics_is_lost() -> None:
    assert moving(read("not_sampled"), "Stroll") == {"spine", "IK_foot.L"}


def test_actions_begin_at_frame_0_or_stand_still_first() -> None:
    clips = {clip.name: clip for clip in read("deform_bones").clips}
    assert len(clips["Stroll"].frames) == 12 + 1 and len(clips["Idle"].frames) == 16 + 1 + 1
    np.testing.assert_array_equal(clips["Idle"].frames[0], clips["Idle"].frames[1])
    assert not np.array_equal(clips["Stroll"].frames[0], clips["Stroll"].frames[1])
    assert {clip.rate for clip in clips.values()} == {24.0}


def test_the_scale_of_the_armature_counts() -> None:
    size = bind_size(read("deform_bones").skeleton)
    np.testing.assert_allclose(bind_size(read("small").skeleton), np.array(size) / 100, rtol=1e-4)
    np.testing.assert_allclose(bind_size(read("small", scale=100.0).skeleton), size, rtol=1e-4)


def test_an_armature_that_moves_is_a_joint_or_left_out() -> None:
    assert "Rig" in moving(read("moving"), "Stroll")
    dropped = read("moving", ancestors="drop")
    assert any("Rig" in warning for warning in dropped.warnings) and "hips" not in moving(dropped, "Stroll")
