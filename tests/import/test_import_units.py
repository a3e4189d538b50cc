"""Units of length in the bind pose: they are removed from the joints, and nothing else changes."""
from __future__ import annotations

from pathlib import Path

import import_matrices as matrices
import numpy as np
import pytest
from gltf_builder import GltfBuilder, turn
from hypothesis import given
from hypothesis import strategies as st
from rescaled import rescale

from ossicle.bank.units import LEAST, MOST, pack_units, parse_units
from ossicle.bank.words import BankProblem
from ossicle.importers.importer import read_clips
from ossicle.model.clip import SCALE, TRANSLATION, Imported
from ossicle.model.import_options import ImportOptions

SINGLE = 2.0**-22  # relative, of float32 in files
DIGITS = 4e-5  # relative, of a unit in a bank that is no short decimal


def arm(folder: Path) -> Path:
    g = GltfBuilder()
    g.node("root", translation=[0.1, 0.9, 0.0], rotation=turn("z", 20), children=[1])
    g.node("upper", translation=[0.0, 0.3, 0.0], rotation=turn("x", 30), children=[2])
    g.node("plain", translation=[0.0, 0.1, 0.05], children=[3])
    g.node("hand", translation=[0.0, 0.2, 0.0])
    g.skin([0, 1, 3], np.tile(np.eye(4), (3, 1, 1)))
    g.animation("Move", (1, "translation", [0, 1], [[0, 0.3, 0], [0.5, 0.3, 0]], "LINEAR"),
                (3, "scale", [0, 1], [[1, 1, 1], [1, 2, 1]], "LINEAR"),
                (3, "rotation", [0, 1], [turn("y", 0), turn("y", 80)], "LINEAR"))
    return g.write_embedded(folder)


def scaled(folder: Path, units: dict[str, float], **options: object) -> Imported:
    return read_clips([rescale(arm(folder), folder / "scaled.gltf", units)], ImportOptions(**options))


@pytest.mark.parametrize("units", [{"root": 0.01}, {"root": 100.0, "hand": 0.001}, {"upper": 39.37, "plain": 0.1},
                                   {"root": 0.0005, "upper": 2000.0, "hand": 0.19}])
def test_a_rig_in_other_units_is_the_same(tmp_path: Path, units: dict[str, float]) -> None:
    plain, other = read_clips([arm(tmp_path)]), scaled(tmp_path, units)
    np.testing.assert_allclose(other.skeleton.bind, plain.skeleton.bind, rtol=0, atol=4 * SINGLE)
    np.testing.assert_allclose(other.clips[0].frames, plain.clips[0].frames, rtol=0, atol=4 * SINGLE)
    assert other.skeleton.units is not None and plain.skeleton.units.tolist() == [1.0, 1.0, 1.0]
    own = [units.get(name, 1.0) for name in ("root", "upper", "hand")]
    np.testing.assert_allclose(other.skeleton.units, np.cumprod(own), rtol=SINGLE)


@pytest.mark.parametrize("scale", [1.0, 0.2, 5.0, 0.7, 0.0004, 3000.0, 0.0])
def test_proportions_and_hidden_joints_keep_their_scale(tmp_path: Path, scale: float) -> None:
    g = GltfBuilder()
    g.node("root", scale=[scale] * 3)
    g.animation("Turn", (0, "rotation", [0, 1], [turn("y", 0), turn("y", 80)], "LINEAR"))
    skeleton = read_clips([g.write_embedded(tmp_path)]).skeleton
    assert skeleton.bind[0, SCALE].tolist() == [scale] * 3 and skeleton.units.tolist() == [1.0]


def test_the_middle_component_is_the_unit(tmp_path: Path) -> None:
    g = GltfBuilder()
    g.node("root", scale=[0.03, -0.01, 0.002], children=[1])
    g.node("tip", translation=[1.0, 2.0, 3.0])
    g.animation("Turn", (1, "rotation", [0, 1], [turn("y", 0), turn("y", 80)], "LINEAR"))
    skeleton = read_clips([g.write_embedded(tmp_path)]).skeleton
    np.testing.assert_allclose(skeleton.bind[0, SCALE], [3.0, -1.0, 0.2])
    np.testing.assert_allclose(skeleton.bind[1, TRANSLATION], [0.01, 0.02, 0.03])


def test_a_skin_stays_where_it_is(tmp_path: Path) -> None:
    imported = scaled(tmp_path, {"root": 0.01, "upper": 100.0})
    plain = read_clips([arm(tmp_path)])
    for first, other in zip((imported, plain), (plain, imported)):
        model = matrices.model_pose(first.skeleton.parents, first.clips[0].frames[-1])
        theirs = matrices.model_pose(other.skeleton.parents, other.clips[0].frames[-1])
        np.testing.assert_allclose(model @ first.skeleton.inverse_bind, theirs @ other.skeleton.inverse_bind, atol=1e-6)


def test_units_outlive_dropped_joints(tmp_path: Path) -> None:
    imported = scaled(tmp_path, {"root": 0.01, "upper": 10.0}, drop=("upper",))
    assert imported.skeleton.names == ("root", "hand")
    np.testing.assert_allclose(imported.skeleton.units, [0.01, 0.1], rtol=SINGLE)


@given(st.lists(st.tuples(st.integers(-1, 8), st.sampled_from([1.0, 1.0, 0.01, 100.0, 0.0254, 1 / 3, 7.0])), min_size=1,
                max_size=12))
def test_a_bank_has_the_units_again(joints: list[tuple[int, float]]) -> None:
    parents = [min(parent, joint - 1) for joint, (parent, _) in enumerate(joints)]
    units: list[float] = []
    for parent, (_, unit) in zip(parents, joints):
        units.append(unit * (1.0 if parent < 0 else units[parent]))
    packed = pack_units(parents, np.array(units))
    read = parse_units(packed + bytes(-len(packed) % 4), [None if p < 0 else p for p in parents], 2)
    if any(unit != 1.0 for _, unit in joints):
        np.testing.assert_allclose(read, units, rtol=len(joints) * DIGITS)
    else:
        assert packed == b"" and read is None


def test_usual_units_are_exact_and_take_two_bytes() -> None:
    for unit, size in ((0.01, 2), (100.0, 2), (0.001, 2), (0.0254, 3), (39.37, 4)):
        packed = pack_units([-1], np.array([unit]))
        assert len(packed) == size and parse_units(packed, [None], 2) == (unit,)


@given(st.binary(max_size=16))
def test_any_bytes_give_units_or_one_problem(data: bytes) -> None:
    parents = [None, 0, 1, 1]
    try:
        units = parse_units(data, parents, 6)
    except BankProblem:
        return
    assert units is None or all(LEAST <= unit <= MOST for unit in units) and len(units) == len(parents)


@pytest.mark.parametrize("data", [b"\x01", b"\x06\x32", b"\x01\x32\0\0\0\0", b"\x01\x32\0\x01", b"\x01\x80",
                                  b"\x01\x20" + b"\x01\x20" * 3, b"\x01\xff\xff\xff\x7f"])
def test_damaged_units_are_refused(data: bytes) -> None:
    with pytest.raises(BankProblem):
        parse_units(data, [None, 0, 1, 2], 6)
