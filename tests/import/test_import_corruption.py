"""Damaged files never cause anything but an ImportProblem or a valid result."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import FLOAT, I16, U8, GltfBuilder, turn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ossicle.importers.importer import read_clips
from ossicle.model.clip import ROTATION, ImportProblem
from ossicle.model.import_options import ImportOptions

# A numeric warning would be a second line on the user's screen.
pytestmark = pytest.mark.filterwarnings("error")

EXAMPLES = settings(
    max_examples=300, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], )


def rich() -> GltfBuilder:
    """A small file with most features."""
    g = GltfBuilder()
    g.node("Hips", translation=[0, 1, 0], rotation=turn("y", 20), children=[1])
    g.node("Plain", scale=[2, 2, 2], children=[2])
    g.node("Leg", matrix=np.eye(4).ravel().tolist())
    g.node("Armature", rotation=turn("x", -90), children=[0])
    g.skin([0, 2], np.repeat(np.eye(4)[None], 2, axis=0), "Body")
    g.animation(
        "Walk", (0, "rotation", [0, 0.1, 0.2], [turn("z", 0), turn("z", 90), turn("z", 10)], "LINEAR"),
        (2, "translation", [0, 0.2], [[[0] * 3, [1, 2, 3], [1] * 3]] * 2, "CUBICSPLINE"),
        (2, "scale", [0.1, 0.2], [[1, 1, 1], [2, 2, 2]], "STEP"), )
    g.animation("Jump")
    packed = g.accessor([[0, 0, 0, 32767]] * 3, component=I16, normalized=True)
    g.channel(1, 2, "rotation", 1, packed, "LINEAR")
    moved = g.raw_accessor(componentType=FLOAT, type="VEC3", count=3)
    g.document["accessors"][moved]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": g.view(b"\x01"), "componentType": U8},
        "values": {"bufferView": g.view(np.ones(3, "<f4").tobytes())},
    }
    g.channel(1, 0, "translation", 1, moved, "LINEAR")
    return g


BVH = b"""HIERARCHY
ROOT Hips
{
  OFFSET 0 1 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Leg
  {
    OFFSET 0 -5 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -1 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.0333333
0 1 0 0 0 0 0 0 0
0 1 0 0 90 0 1e1 0 0
"""


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged key time may make a clip of hours, which is valid and slow."""
    monkeypatch.setattr("ossicle.model.clip.MAX_JOINT_FRAMES", 10_000)
    monkeypatch.setattr("ossicle.importers.gltf.accessors._MAX_VALUES", 10_000)


def check(path: Path, options: ImportOptions = ImportOptions()) -> bool:
    """True if the file was read; then the result keeps the promises of the data model."""
    try:
        imported = read_clips([path], options)
    except ImportProblem as problem:
        text = str(problem)
        assert text.startswith(f"{path}: ") and text.isprintable() and len(text) < 700
        return False
    skeleton = imported.skeleton
    joints = len(skeleton.names)
    assert len(set(skeleton.names)) == joints > 0
    assert (skeleton.parents < np.arange(joints)).all() and (skeleton.parents >= -1).all()
    assert skeleton.inverse_bind is None or np.isfinite(skeleton.inverse_bind).all()
    assert imported.clips
    for values in [skeleton.bind[None], *(clip.frames for clip in imported.clips)]:
        assert values.shape[1:] == (joints, 10) and len(values) > 0
        assert np.isfinite(values).all()
        np.testing.assert_allclose(np.linalg.norm(values[..., ROTATION], axis=-1), 1, atol=1e-9)
    for clip in imported.clips:
        assert clip.steps.shape == (len(clip.frames), joints, 3) and not clip.steps[0].any()
        assert np.isfinite(clip.rate) and clip.rate > 0
    return True


def test_the_undamaged_files_are_read(tmp_path: Path) -> None:
    assert check(rich().write_glb(tmp_path))
    path = tmp_path / "walk.bvh"
    path.write_bytes(BVH)
    assert check(path)


def damage(data: bytes, flips: list[tuple[int, int]], cut: int | None) -> bytes:
    broken = bytearray(data)
    for position, value in flips:
        broken[position % len(broken)] ^= value
    return bytes(broken if cut is None else broken[: cut % (len(broken) + 1)])


FLIPS = st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(1, 255)), max_size=4)
CUT = st.none() | st.integers(0, 1 << 20)


@EXAMPLES
@given(flips=FLIPS, cut=CUT)
def test_damaged_glb(tmp_path: Path, flips: list[tuple[int, int]], cut: int | None) -> None:
    path = tmp_path / "hero.glb"
    path.write_bytes(damage(rich().glb_bytes(), flips, cut))
    check(path)


@EXAMPLES
@given(flips=FLIPS)
def test_damaged_binary_chunk(tmp_path: Path, flips: list[tuple[int, int]]) -> None:
    """Flips in the keys only, most of which stay valid glTF."""
    g = rich()
    g.binary[:] = damage(bytes(g.binary), flips, None)
    check(g.write_glb(tmp_path), ImportOptions(up="z", scale=0.5))


@EXAMPLES
@given(flips=FLIPS, cut=CUT)
def test_damaged_bvh(tmp_path: Path, flips: list[tuple[int, int]], cut: int | None) -> None:
    path = tmp_path / "walk.bvh"
    path.write_bytes(damage(BVH, flips, cut))
    check(path, ImportOptions(fps=60))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths to everything inside a JSON value."""
    found = [path] if path else []
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in entries:
        if isinstance(inner, (dict, list)):
            found += places(inner, (*path, key))
        else:
            found.append((*path, key))
    return found


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 20)
    | st.sampled_from([5120, 5121, 5123, 5125, 5126, 10**30, 1 << 31, 1e300, -1e-300, 0.5, 2.0])
    | st.sampled_from(["", "VEC3", "VEC4", "MAT4", "STEP", "CUBICSPLINE", "scale"])
    | st.sampled_from(["x" * 999, "\0", "data:,"]), lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["node", "count", "sparse", "uri"]), inner, max_size=2), max_leaves=3, )


@EXAMPLES
@given(data=st.data())
def test_changed_json_values(tmp_path: Path, data: st.DataObject) -> None:
    """Well-formed JSON with other values, and entries missing, where byte flips rarely get."""
    g = rich()
    document = json.loads(json.dumps(g.document))
    for path in data.draw(st.lists(st.sampled_from(places(document)), min_size=1, max_size=3)):
        owner = document
        try:
            for key in path[:-1]:
                owner = owner[key]
            owner[path[-1]]
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change removed it
        if data.draw(st.integers(0, 3)) == 0:
            del owner[path[-1]]
        else:
            owner[path[-1]] = data.draw(ANYTHING)
    g.document = document
    check(g.write_glb(tmp_path))
