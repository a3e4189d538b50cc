"""Generated skinning matrices: the integers of SPEC.md in every format, joints that follow others,
banks that do not fit."""
from __future__ import annotations

import re
import struct
from pathlib import Path

import numpy as np
import pytest
from bank_builder import SkeletonSpec, bank_bytes, biped, random_clips, random_skeleton, random_skin
from c_programs import SANITIZERS
from compiling import compile_strict, run
from thinned import thinned

import fixed
from ossicle.bank.file import BankProblem, describe, parse_bank
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.model.clip import Skeleton
from ossicle.base.problem import SettingProblem
from ossicle.generate.plans.skin import FOLLOW_TOLERANCE
from ossicle.generate.matrix_formats import parse_matrices
from ossicle.model.mesh.skinning import ONE_Q20, inverse_bind_q20
from mentions import mentioning, mentions

DRIVER = Path(__file__).with_name("skin_driver.c")
POSES = 20

SKELETONS = {
    "one joint": random_skeleton(1, 1, density=1.0),
    "several roots": random_skeleton(12, 2, roots=4),
    "41 joints": random_skeleton(41, 3, density=0.5),
    "scale": random_skeleton(20, 4, has_scale=True),
    "300 joints": random_skeleton(300, 8, roots=2, density=0.3),
}


def undone(spec: SkeletonSpec) -> list[int]:
    """SKIN that undoes the bind pose, so that nothing is moved in it."""
    bind = np.array([(*record, *([ONE_Q20] * 3))[:10] for record in spec.bind]) / ONE_Q20
    skeleton = Skeleton(tuple(spec.names), np.array(spec.parents), bind)
    return inverse_bind_q20(skeleton).ravel().tolist()


def play(folder: Path, spec: SkeletonSpec, skin: list[int], matrices: str, unroll: str = "full",
         rigid: bool = False) -> list[dict[str, list[int]]]:
    """The driver's output for each pose: words by kind."""
    (folder / "hero.ossb").write_bytes(bank_bytes(spec, random_clips(spec, 11), skin=skin))
    written = generate(folder / "hero.ossb", folder, Code(embed=True, unroll=[unroll], matrices=matrices, rigid=rigid))
    assert folder / "hero_skin.c" in written
    compile_strict("gcc", [path for path in written if path.suffix == ".c"] + [DRIVER], folder / "play", "-O1")
    poses: list[dict[str, list[int]]] = []
    for line in run([folder / "play"]).stdout.splitlines():
        what, *words = line.split()
        if what == "rotations":
            poses.append({})
        poses[-1][what] = list(map(int, words))
    assert len(poses) == POSES
    return poses


def in_parts(words: list[int], size: int) -> list[list[int]]:
    return [words[i:i + size] for i in range(0, len(words), size)]


def expected_skinning(spec: SkeletonSpec, skin: list[int], pose: dict[str, list[int]],
                      matrices: str, bits: int) -> list[int]:
    """The words of the matrices of one pose, made with integers that have no width."""
    small = matrices == "q14"
    multiply = fixed.matrix_multiply_q14 if small else fixed.matrix_multiply
    models: list[list[int]] = []
    words: list[int] = []
    scales = in_parts(pose["scales"], 3) if spec.has_scale else [None] * len(spec.parents)
    for parent, q, t, k, inverse in zip(
            spec.parents, in_parts(pose["rotations"], 4), in_parts(pose["translations"], 3), scales,
            in_parts(skin, 12), strict=True):
        local = fixed.local_matrix_q14(q, t, k, bits) if small else fixed.local_matrix(q, t, k)
        models.append(local if parent < 0 else multiply(models[parent], local))
        if small:
            result = fixed.skin_matrix_q14(models[-1], inverse, bits)
            words += struct.unpack("<8i", struct.pack("<9hh3i", *result[:9], 0, *result[9:]))
            continue
        result = multiply(models[-1], inverse)
        if matrices == "20.12":
            result = [fixed.q12_of_q20(result[4 * row + column]) for column in range(4) for row in range(3)]
        words += result
    return words


@pytest.mark.parametrize(("case", "matrices", "unroll"),
                         thinned(sorted(SKELETONS), ["q20", "20.12", "q14"], ["full", "loop"]))
def test_matrices_are_those_of_the_specification(case: str, matrices: str, unroll: str, tmp_path: Path) -> None:
    spec = SKELETONS[case]
    skin = random_skin(spec, 5)
    if matrices == "q14" and spec.has_scale:
        skin = [word // 2 for word in skin]
    poses = play(tmp_path, spec, skin, matrices, unroll)
    header = (tmp_path / "hero.h").read_text(encoding="utf-8")
    found = re.search(r"HERO_SKIN_BITS (\d+)u", header)
    bits = int(found.group(1)) if found else 0
    assert (bits > 0) == (matrices == "q14")
    for pose in poses[::5]:
        assert pose["skinning"] == expected_skinning(spec, skin, pose, matrices, bits)


@pytest.mark.parametrize(("matrices", "rigid"), [("q20", False), ("20.12", True), ("q14", False), ("q14", True)])
def test_matrices_that_do_not_turn(matrices: str, rigid: bool, tmp_path: Path) -> None:
    spec = SKELETONS["41 joints"]
    skin = [(ONE_Q20 if i % 12 in (0, 5, 10) else 0) if i % 4 < 3 else word
            for i, word in enumerate(random_skin(spec, 5))]
    poses = play(tmp_path, spec, skin, matrices, rigid=rigid)
    bits = int((re.findall(r"HERO_SKIN_BITS (\d+)u", (tmp_path / "hero.h").read_text(encoding="utf-8")) or "0")[0])
    assert "osc_skin_offset" in (tmp_path / "hero_skin.c").read_text(encoding="utf-8")
    for pose in poses[::5]:
        assert pose["skinning"] == expected_skinning(spec, skin, pose, matrices, bits)
    skin[12 * 40 + 1] = 1
    play(tmp_path, spec, skin, matrices)
    assert "osc_skin_offset" not in (tmp_path / "hero_skin.c").read_text(encoding="utf-8")


@pytest.mark.parametrize(("case", "matrices", "unroll"),
                         thinned(["41 joints", "scale", "several roots"], ["q20", "20.12"], ["full", "loop"]))
def test_joints_that_nothing_moves_follow_their_parents(case: str, matrices: str, unroll: str, tmp_path: Path) -> None:
    spec = SKELETONS[case]
    skin = undone(spec)
    poses = play(tmp_path, spec, skin, matrices, unroll, rigid=True)
    code = (tmp_path / "hero_skin.c").read_text(encoding="utf-8")
    still = {j for j, parent in enumerate(spec.parents)
             if parent >= 0 and not any(j in subtracks for subtracks in spec.subtracks)}
    followers = re.search(r"followers\[(\d+)\]", code)
    assert followers and int(followers.group(1)) == len(still) > 2
    unit = ONE_Q20 if matrices == "q20" else 1 << 12
    depth_error = 12 * FOLLOW_TOLERANCE
    for pose in poses[::5]:
        exact = np.array(in_parts(expected_skinning(spec, skin, pose, matrices, 0), 12)) / unit
        result = np.array(in_parts(pose["skinning"], 12)) / unit
        own = [j for j in range(len(spec.parents)) if j not in still]
        np.testing.assert_array_equal(result[own], exact[own])
        assert np.abs(result - exact).max() <= depth_error * max(1.0, np.abs(exact).max())
        for joint in still:
            np.testing.assert_array_equal(result[joint], result[spec.parents[joint]])


def test_joints_whose_matrices_disagree_do_not_follow(tmp_path: Path) -> None:
    spec = SKELETONS["41 joints"]
    play(tmp_path, spec, random_skin(spec, 9), "q20", rigid=True)
    assert "followers" not in (tmp_path / "hero_skin.c").read_text(encoding="utf-8")


@pytest.mark.exhaustive
def test_every_compiler_and_level_gives_the_same_matrices(tmp_path: Path) -> None:
    spec = SKELETONS["scale"]
    (tmp_path / "hero.ossb").write_bytes(bank_bytes(spec, random_clips(spec, 11), skin=undone(spec)))
    results = set()
    written = generate(tmp_path / "hero.ossb", tmp_path, Code(embed=True, matrices="20.12"))
    sources = [path for path in written if path.suffix == ".c"] + [DRIVER]
    for compiler, *flags in (("gcc", "-O0"), ("gcc", "-O3"), ("clang", "-O2"), ("clang", *SANITIZERS)):
        compile_strict(compiler, sources, tmp_path / "play", *flags)
        results.add(run([tmp_path / "play"]).stdout)
    assert len(results) == 1


def bank_of(spec: SkeletonSpec, skin: list[int] | None) -> bytes:
    return bank_bytes(spec, random_clips(spec, 11), skin=skin)


def problem_of(folder: Path, bank: bytes, **options: object) -> str:
    (folder / "hero.ossb").write_bytes(bank)
    with pytest.raises(SettingProblem) as problem:
        generate(folder / "hero.ossb", folder / "out", Code(**options))
    assert not (folder / "out").exists()
    return str(problem.value)


def test_what_is_asked_of_a_bank_without_matrices(tmp_path: Path) -> None:
    bank = bank_of(biped(), None)
    assert "--skin-matrices" in problem_of(tmp_path, bank, matrices="20.12")
    assert "--rigid" in problem_of(tmp_path, bank, rigid=True)
    assert parse_bank(bank).inverse_bind is None and describe(parse_bank(bank))["skin_crc"] is None


def test_matrices_are_made_where_the_bank_has_them_and_they_are_wanted(tmp_path: Path) -> None:
    (tmp_path / "hero.ossb").write_bytes(bank_of(biped(), undone(biped())))
    assert tmp_path / "hero_skin.c" in generate(tmp_path / "hero.ossb", tmp_path)
    written = generate(tmp_path / "hero.ossb", tmp_path / "none", Code(matrices="none"))
    assert tmp_path / "none" / "hero_skin.c" not in written
    header = (tmp_path / "none" / "hero.h").read_text(encoding="utf-8")
    assert "hero_skin_joints" in header and "skin_" not in header.replace("hero_skin_joints", "").lower()


def test_what_small_matrices_cannot_hold(tmp_path: Path) -> None:
    far = [0] * (12 * 18)
    far[3 * 12 + 7] = 400 * ONE_Q20
    assert "translations reach 400 m" in problem_of(tmp_path, bank_of(biped(), far), matrices="q14")
    large = [0] * (12 * 18)
    large[5] = 2 * ONE_Q20
    assert mentions(problem_of(tmp_path, bank_of(biped(), large), matrices="q14"), "Hips 2 q14 --matrices q20")


def test_an_unknown_format_has_a_nearest_one() -> None:
    with pytest.raises(SettingProblem, match=mentioning("matrices q15 q14")):
        parse_matrices("q15")


@pytest.mark.parametrize("words", [0, 12 * 18 - 1, 12 * 18 + 1])
def test_a_skin_of_another_size_is_refused(words: int, runtime_verdict) -> None:
    bank = bank_of(biped(), [1] * words)
    assert runtime_verdict(bank) == -7
    with pytest.raises(BankProblem, match=mentioning(f"{words} 18 216")):
        parse_bank(bank)


def test_the_matrices_read_back(runtime_verdict) -> None:
    skin = random_skin(biped(), 3, 1 << 31)
    bank = bank_of(biped(), skin)
    assert runtime_verdict(bank) == 0
    read = parse_bank(bank)
    assert [word for matrix in read.inverse_bind or () for word in matrix] == skin
    assert read.skin_crc == fixed.crc32(word & fixed.MASK for word in skin)
    assert read.layout_crc == parse_bank(bank_of(biped(), None)).layout_crc
