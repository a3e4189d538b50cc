"""Motion of .dae files: units and axes that the file states."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from import_matrices import model_pose
from ossicle.importers.importer import read_clips

pytestmark = pytest.mark.usefixtures("assimp")

ANGLES = (0, 30, 90)
CLOSE_M = 1e-6


def turn(degrees: float) -> np.ndarray:
    """A rotation about z, 40 units above the joint before."""
    sine, cosine = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
    return np.array([[cosine, -sine, 0, 0], [sine, cosine, 0, 0], [0, 0, 1, 40], [0, 0, 0, 1.0]])


def write_dae(path: Path) -> None:
    def floats(name: str, values: object, parameter: str, kind: str) -> str:
        numbers = np.ravel(values)
        width = 16 if kind == "float4x4" else 1
        return (f'<source id="{name}"><float_array id="{name}-a" count="{len(numbers)}">'
                f'{" ".join(f"{number:.8f}" for number in numbers)}</float_array><technique_common>'
                f'<accessor source="#{name}-a" count="{len(numbers) // width}" stride="{width}">'
                f'<param name="{parameter}" type="{kind}"/></accessor></technique_common></source>')

    def matrix(values: np.ndarray) -> str:
        return f'<matrix sid="transform">{" ".join(f"{number:.8f}" for number in values.ravel())}</matrix>'

    joint = '<node id="{0}" name="{0}" sid="{0}" type="JOINT">'.format
    path.write_text(
        '<?xml version="1.0" encoding="utf-8"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" '
        'version="1.4.1"><asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>'
        '<library_animations><animation id="Nod" name="Nod">'
        + floats("in", np.arange(len(ANGLES)) / 30, "TIME", "float")
        + floats("out", [turn(angle) for angle in ANGLES], "TRANSFORM", "float4x4")
        + '<source id="kind"><Name_array id="kind-a" count="3">LINEAR LINEAR LINEAR</Name_array><technique_common>'
        '<accessor source="#kind-a" count="3" stride="1"><param name="INTERPOLATION" type="name"/></accessor>'
        '</technique_common></source><sampler id="sampler"><input semantic="INPUT" source="#in"/>'
        '<input semantic="OUTPUT" source="#out"/><input semantic="INTERPOLATION" source="#kind"/></sampler>'
        '<channel source="#sampler" target="Spine/transform"/></animation></library_animations>'
        '<library_visual_scenes><visual_scene id="Scene" name="Scene">'
        + joint("Hips") + matrix(turn(0) + np.array([[0, 0, 0, 5.0]] + [[0] * 4] * 3))
        + joint("Spine") + matrix(turn(0)) + joint("Head") + matrix(turn(0) + np.array([[0] * 4, [0, 0, 0, 7.0],
                                                                                        [0] * 4, [0] * 4]))
        + '</node></node></node></visual_scene></library_visual_scenes>'
        '<scene><instance_visual_scene url="#Scene"/></scene></COLLADA>', encoding="utf-8")


def test_units_and_axes(tmp_path: Path) -> None:
    path = tmp_path / "hero.dae"
    write_dae(path)
    imported = read_clips([path])
    (clip,) = imported.clips
    assert (clip.rate, len(clip.frames)) == (30.0, len(ANGLES))
    joint = imported.skeleton.names.index("Spine")
    for frame, angle in zip(np.asarray(clip.frames), ANGLES):
        pose = model_pose(imported.skeleton.parents, frame)
        np.testing.assert_allclose(pose[joint, :3, 3], [0.05, 0.8, 0.0], atol=CLOSE_M)
        sine, cosine = np.sin(np.radians(angle)), np.cos(np.radians(angle))
        # z of the file is y here, and y is -z
        np.testing.assert_allclose(pose[joint, :3, 0] / np.linalg.norm(pose[joint, :3, 0]), [cosine, 0.0, -sine],
                                   atol=1e-5)
