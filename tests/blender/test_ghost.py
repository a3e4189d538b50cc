"""The ghost of the Blender add-on plays what the device plays, on the bones of the artist's armature."""
import numpy as np
import pytest
from figures import figure

from ossicle.bank.file import read_bank
from ossicle.export.played import play, skeleton_of, with_units
from ossicle.model.shell import model_matrices

LIMIT_MM = figure("blender.ghost_mm")
TOLERANCE_MM = 1.0  # in the model
Z_UP = np.array([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1.0]])
SCALE = 1.5  # of the armature object of rigs.py: bones have it, joints of the bank are in metres
MODEL_SCALE = 2.5  # of the bank `moved`, which also lacks the armature object
SHELL = 0.03 / SCALE
AXES = np.array([[0, 0, 0, 1], [SHELL, 0, 0, 1], [0, SHELL, 0, 1], [0, 0, SHELL, 1]]).T
OTHERS = "moved", "turned", "uneven"


def device_matrices(bank, clip):
    """Returns the matrices [F, J, 4, 4] of joints in the model at each frame, and the names of joints."""
    index = [item.name for item in bank.clips].index(clip)
    skeleton, (decoded,) = with_units(bank, skeleton_of(bank), play(bank, [index], ""))
    rows = model_matrices(skeleton.parents, decoded.frames)
    last = np.broadcast_to([0, 0, 0, 1.0], (*rows.shape[:2], 1, 4))
    return np.concatenate([rows, last], axis=2), skeleton.names


def of_bones(frames, which, names):
    return np.array([[frame[which][name] for name in names] for frame in frames])


def largest_mm(one, other, points=4):
    """Returns the largest distance of joints, and of points 3 cm from them along their axes."""
    return 1e3 * np.linalg.norm((one - other) @ AXES[:, :points], axis=-2).max()


@pytest.mark.parametrize("clip", ["Walk", "Idle", "Wave"])
def test_ghost_is_what_the_device_plays(artist, clip):
    folder, results = artist
    frames = results["arbitrary"]["clips"][clip]["frames"]
    expected, names = device_matrices(read_bank(folder / "arbitrary/character.ossb"), clip)
    assert len(frames) == len(expected)
    assert sorted(names) == sorted(results["arbitrary"]["deforms"])
    assert largest_mm(of_bones(frames, "ghost", names), Z_UP @ expected @ np.diag([SCALE, SCALE, SCALE, 1])) < LIMIT_MM


@pytest.mark.parametrize("rig", ["arbitrary", *OTHERS])
def test_ghost_is_within_the_tolerance_of_the_armature(artist, rig):
    """Points 3 cm from bones of the armature; only the bones, if the points of the joints are elsewhere."""
    _, results = artist
    for clip in results[rig]["clips"].values():
        names = results[rig]["deforms"]
        one, other = (of_bones(clip["frames"], which, names) for which in ("rig", "ghost"))
        limit = TOLERANCE_MM * SCALE / MODEL_SCALE if rig == "moved" else TOLERANCE_MM
        assert 0.0 < largest_mm(one, other, 4 if rig == "arbitrary" else 1) <= limit


@pytest.mark.parametrize("rig", OTHERS)
def test_joints_of_the_ghost_are_where_the_device_has_them(artist, rig):
    folder, results = artist
    larger = np.diag([MODEL_SCALE, MODEL_SCALE, MODEL_SCALE, 1])
    world = larger @ np.linalg.inv(results[rig]["world"]) if rig == "moved" else np.eye(4)
    expected, names = device_matrices(read_bank(folder / rig / "character.ossb"), "Small")
    names = [name for name in names if name in results[rig]["deforms"]]
    assert names
    kept = Z_UP @ expected[:, -len(names):]
    ghost = world @ of_bones(results[rig]["clips"]["Small"]["frames"], "ghost", names)
    assert 1e3 * np.abs(kept[..., :3, 3] - ghost[..., :3, 3]).max() < LIMIT_MM


def test_every_frame_has_a_key(artist):
    _, results = artist
    for name, frames in (("Walk", 17), ("Idle", 21), ("Wave", 11)):
        clip = results["arbitrary"]["clips"][name]
        assert set(clip["keys"]) <= {1, frames}
        assert frames in clip["keys"]
