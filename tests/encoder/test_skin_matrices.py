"""Inverse bind matrices from source files to banks, and the accuracy of the small formats."""
from __future__ import annotations

import dataclasses
import subprocess
from pathlib import Path

import numpy as np
import pytest

from c_programs import ROOT, RUNTIME, build_program
from figures import figure
from ossicle.bank.file import parse_bank
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.encoding.encoder import encode_clips
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Imported, ImportProblem, Skeleton
from ossicle.model.import_options import ImportOptions
from ossicle.encoding.settings import Settings
from ossicle.model.mesh.skinning import ONE_Q20, inverse_bind_q20
from mentions import mentioning

HERE = Path(__file__).parent
FAST = Settings(effort="fast", codec="transform", skinning=True)


@pytest.fixture(scope="module")
def hero() -> Imported:
    return read_clips([ROOT / "codegen/demo/hero.glb"], ImportOptions())


def test_the_bank_holds_the_skin_of_the_source(hero: Imported) -> None:
    single = dataclasses.replace(hero, clips=hero.clips[:1])
    with_skin = encode_clips(single, FAST).bank
    without = encode_clips(single, dataclasses.replace(FAST, skinning=False)).bank
    joints = len(hero.skeleton.names)
    assert len(with_skin) == len(without) + 48 * joints + 12
    read = parse_bank(with_skin)
    assert parse_bank(without).inverse_bind is None
    assert read.layout_crc == parse_bank(without).layout_crc
    assert [section.tag for section in read.sections] == ["SKEL", "CLIP", "DATA", "SKIN", "NAME"]
    assert not read.sections[3].required
    exact = np.asarray(hero.skeleton.inverse_bind)[:, :3].reshape(joints, 12)
    stored = np.array(read.inverse_bind) / ONE_Q20
    assert np.abs(stored - exact).max() <= 0.5 / ONE_Q20


def model_matrices(skeleton: Skeleton) -> np.ndarray:
    models = []
    for parent, bind in zip(skeleton.parents, skeleton.bind):
        x, y, z, w = bind[:4]
        local = np.eye(4)
        local[:3, :3] = np.array([
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z]])
        local[:3, :3] *= bind[7:10]
        local[:3, 3] = bind[4:7]
        models.append(local if parent < 0 else models[parent] @ local)
    return np.array(models)


def random_source(scale: bool) -> Skeleton:
    rng = np.random.default_rng(3)
    parents = np.array([-1, 0, 1, 1, -1, 4, 5])
    bind = np.concatenate([rng.normal(size=(7, 4)), rng.normal(size=(7, 3)),
                           rng.uniform(0.5, 2, (7, 3)) if scale else np.ones((7, 3))], axis=1)
    bind[:, :4] /= np.linalg.norm(bind[:, :4], axis=1, keepdims=True)
    return Skeleton(tuple("abcdefg"), parents, bind)


@pytest.mark.parametrize("scale", [False, True])
def test_without_a_skin_the_bind_pose_is_undone(scale: bool) -> None:
    skeleton = random_source(scale)
    stored = inverse_bind_q20(skeleton).reshape(-1, 3, 4) / ONE_Q20
    rows = np.concatenate([stored, np.tile([[[0, 0, 0, 1]]], (7, 1, 1))], axis=1)
    product = model_matrices(skeleton) @ rows
    assert np.abs(product - np.eye(4)).max() < 1e-4


def test_matrices_that_cannot_be_stored() -> None:
    skeleton = random_source(False)
    matrices = np.tile(np.eye(4), (7, 1, 1))
    matrices[2, 3, 0] = 0.5
    with pytest.raises(ImportProblem, match=mentioning("0.5 0 1")):
        inverse_bind_q20(dataclasses.replace(skeleton, inverse_bind=matrices))
    large = skeleton.bind.copy()
    large[:, 4:7] *= 100.0
    for value in (2048.0, np.nan, np.inf):
        matrices = np.tile(np.eye(4), (7, 1, 1))
        matrices[5, 1, 3] = value
        with pytest.raises(ImportProblem, match=mentioning("2047")):
            inverse_bind_q20(dataclasses.replace(skeleton, inverse_bind=matrices))
        with pytest.raises(ImportProblem, match=mentioning("2047 --scale")):
            inverse_bind_q20(dataclasses.replace(skeleton, inverse_bind=matrices, bind=large))
    flat = skeleton.bind.copy()
    flat[4, 8] = 0.0
    with pytest.raises(ImportProblem, match=mentioning("0")):
        inverse_bind_q20(dataclasses.replace(skeleton, bind=flat))


@pytest.mark.exhaustive
def test_small_formats_are_as_accurate_as_stated(hero: Imported, tmp_path: Path) -> None:
    (tmp_path / "hero.ossb").write_bytes(encode_clips(hero, FAST).bank)
    written = generate(tmp_path / "hero.ossb", tmp_path, Code(embed=True, matrices="q14"))
    program = build_program(
        "gcc", ["-std=c99", "-O2", "-Wall", "-Wextra", f"-I{ROOT / 'runtime'}",
                f"-I{ROOT / 'platforms/scalar'}", f"-I{tmp_path}"],
        [HERE / "skin_error.c", *(path for path in written if path.suffix == ".c"), *RUNTIME],
        tmp_path / "error", ["-lm"])
    output = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    found_um = dict(zip(("q14", "20_12"), map(float, output.split()), strict=True))
    for form, error_um in found_um.items():
        most_mm = figure(f"skinning.error_{form}_mm")
        assert 0.95 * most_mm <= error_um * 1e-3 <= most_mm
