"""The tolerance holds against the file, also for joints that took over the motion of another one. The
judge reads the source itself."""
from __future__ import annotations

from pathlib import Path

import bvh_reader
import numpy as np
import pytest
from gltf_builder import GltfBuilder, turn
from judging import SAME_M, SHELL_M, judge
from made_clips import write_capture
from ossicle.encoding import native
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.settings import Settings
from ossicle.importers.bvh import CENTIMETRE
from ossicle.importers.importer import read_clips
from ossicle.model.import_options import ImportOptions
from ossicle.model.lengths import Tolerance
from shell_measure import distances, model_matrices

LIMIT_M = 0.001


def windmill(folder: Path, interpolation: str) -> Path:
    """Arm turns about x on a Hub that turns about z, a quarter of a turn between keys."""
    g = GltfBuilder()
    g.node("Base", children=[1])
    g.node("Hub", translation=[0, 1, 0], children=[2])
    g.node("Arm", translation=[0.3, 0, 0], children=[3])
    g.node("Hand", translation=[0.2, 0.1, 0])
    g.skin([0, 1, 2, 3])
    times = np.arange(5) / 4
    g.animation("Spin", *((joint, "rotation", times, [turn(axis, 80 * key) for key in range(5)], interpolation)
                          for joint, axis in ((1, "z"), (2, "x"))))
    return g.write_glb(folder)


@pytest.mark.parametrize("interpolation", ["LINEAR", "STEP"])
@pytest.mark.parametrize("drop", ["Hub", "Arm", "[BH]*"])
def test_the_tolerance_holds_without_a_joint(tmp_path: Path, interpolation: str, drop: str) -> None:
    settings = Settings(tolerance=Tolerance(metres=LIMIT_M), importing=ImportOptions(drop=(drop,)))
    assert judge([windmill(tmp_path, interpolation)], settings).error_m <= LIMIT_M


def test_the_tolerance_holds_for_motion_capture(tmp_path: Path) -> None:
    path = write_capture(tmp_path / "capture.bvh", frames=40)
    names = read_clips([path]).skeleton.names
    settings = Settings(tolerance=Tolerance(metres=LIMIT_M), importing=ImportOptions(drop=(names[1], names[2])))
    imported = read_clips([path], settings.importing)
    result = encode_clips(imported, settings)
    stayed, parents = [names.index(name) for name in imported.skeleton.names], imported.skeleton.parents
    assert set(names) - set(imported.skeleton.names) == {names[1], names[2]}
    reference = bvh_reader.read(path).model_matrices(CENTIMETRE)[:, stayed, :3]
    played = native.decode_clip(native.bank_words(result.bank), 0, len(stayed), False).astype(np.float64)
    multiple = round(result.sources[0].rate / imported.clips[0].rate)
    assert len(played) == multiple * (len(reference) - 1) + 1
    errors = distances(reference, model_matrices(parents, played[::multiple]), SHELL_M)
    assert 0.0 < errors.max() <= LIMIT_M + SAME_M
