"""Functions for sets of joints give the bits of those for all joints, and touch nothing else."""
from __future__ import annotations

import random
from pathlib import Path

import pytest
from bank_builder import SkeletonSpec, bank_bytes, biped, random_clips, random_skeleton
from c_programs import SANITIZERS, SANITIZING
from compiling import INCLUDES, compile_strict, run
from thinned import thinned

from ossicle.bank.file import parse_bank
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.model.joint_sets import joints_of, parse_joint_sets, with_ancestors
from ossicle.generate.plan import Plan, in_fours, make_plan
from ossicle.base.problem import SettingProblem
from mentions import mentions

DRIVER = Path(__file__).with_name("sets_driver.c")

SKELETONS = {
    "several roots": random_skeleton(12, 2, roots=4),
    "all roots": random_skeleton(5, 9, roots=5),
    "41 joints with breaks": random_skeleton(41, 3, density=0.8, max_held=5),
    "scale": random_skeleton(33, 4, has_scale=True, max_held=3),
    "nothing animated, scale": random_skeleton(7, 5, density=0.0, has_scale=True),
    "300 joints": random_skeleton(300, 8, roots=2, density=0.9),
    "biped": biped(),
}
BIPED_SETS = {"legs": ("*Leg", "*Foot"), "left": ("Left*",), "all": ("*",), "hips": ("Hips",)}


def random_sets(spec: SkeletonSpec, seed: int) -> dict[str, tuple[str, ...]]:
    """A single joint, a run, a random half, all but one, and everything."""
    rng = random.Random(seed)
    names = spec.names
    first = rng.randrange(len(names))
    chosen = {"one": [rng.choice(names)], "run": names[first:first + 9],
              "half": rng.sample(names, (len(names) + 1) // 2),
              "most": [name for name in names if name != names[first]], "all": ["*"]}
    return {name: tuple(patterns) for name, patterns in chosen.items()}


def write_sets(folder: Path, spec: SkeletonSpec, sets: dict[str, tuple[str, ...]]) -> None:
    """sets.h for the driver: the functions of each set, and which joints they write."""
    parents = [None if parent < 0 else parent for parent in spec.parents]
    rows = []
    for name, patterns in sets.items():
        chosen = joints_of(patterns, spec.names)
        masks = [", ".join(str(int(joint in members)) for joint in range(len(parents)))
                 for members in (set(chosen), set(with_ancestors(chosen, parents)))]
        rows.append(f"{{hero_evaluate_{name}, hero_shared_evaluate_{name}, hero_compose_{name}, "
                    f"{{{masks[0]}}}, {{{masks[1]}}}}},")
    (folder / "sets.h").write_text("\n".join([
        "static const struct {",
        "void (*evaluate)(const hero_player *, hero_pose *);",
        "void (*rows_evaluate)(const osc_shared_rows *, int32_t, hero_pose *);",
        "void (*compose)(const hero_pose *, hero_model *);",
        "unsigned char chosen[HERO_JOINT_COUNT], composed[HERO_JOINT_COUNT];",
        "} sets[] = {", *rows, "};", ""]), encoding="utf-8")


def build(folder: Path, spec: SkeletonSpec, sets: dict[str, tuple[str, ...]], *unroll: str) -> list[Path]:
    (folder / "hero.ossb").write_bytes(bank_bytes(spec, random_clips(spec, 11)))
    written = generate(folder / "hero.ossb", folder, Code(embed=True, unroll=unroll, sets=sets))
    write_sets(folder, spec, sets)
    return [path for path in written if path.suffix == ".c"] + [DRIVER]


def plan_of(spec: SkeletonSpec, **sets: tuple[str, ...]) -> Plan:
    return make_plan(parse_bank(bank_bytes(spec, [])), Code("hero", sets=sets))


@pytest.mark.parametrize(("case", "unroll"), thinned(sorted(SKELETONS), ["full", "loop"]))
def test_a_set_has_the_bits_of_the_whole(case: str, unroll: str, tmp_path: Path) -> None:
    spec = SKELETONS[case]
    sets = random_sets(spec, len(case)) | (BIPED_SETS if case == "biped" else {})
    compile_strict("gcc", build(tmp_path, spec, sets, unroll), tmp_path / "play", "-O1")
    assert run([tmp_path / "play"]).stdout == "180 poses\n"


@pytest.mark.exhaustive
@pytest.mark.parametrize("unroll", ["full", "loop"])
def test_clang_and_the_sanitisers_agree(unroll: str, tmp_path: Path) -> None:
    spec = SKELETONS["scale"]
    sources = build(tmp_path, spec, random_sets(spec, 1), unroll)
    compile_strict("clang", sources, tmp_path / "play", "-O2")
    run([tmp_path / "play"])
    compile_strict(SANITIZING, sources, tmp_path / "play", *SANITIZERS)
    run([tmp_path / "play"])


@pytest.mark.parametrize(("wrong", "right", "expected"), [
    ("hero_evaluate_left(const hero_player *player, hero_pose *pose)\n{",
     "hero_evaluate_left(const hero_player *player, hero_pose *pose)\n"
     "{\n    pose->rotations[0].x = 0;", "pose differs: joint 0"),
    ("hero_evaluate_pair_left(const osc_row_pair *pair, hero_pose *pose)\n{",
     "hero_evaluate_pair_left(const osc_row_pair *pair, hero_pose *pose)\n"
     "{\n    pose->rotations[0].x = 0;", "pose of rows differs: joint 0"),
    ("hero_compose_left(const hero_pose *pose, hero_model *model)\n{",
     "hero_compose_left(const hero_pose *pose, hero_model *model)\n"
     "{\n    model->joints[3].m[0] = 0;", "model differs: joint 3"),
])
def test_the_driver_detects_wrong_writes(wrong: str, right: str, expected: str, tmp_path: Path) -> None:
    sources = build(tmp_path, biped(), BIPED_SETS)
    pose = tmp_path / "hero_pose.c"
    text = pose.read_text(encoding="utf-8")
    assert text.count(wrong) == 1
    pose.write_text(text.replace(wrong, right), encoding="utf-8")
    compile_strict("gcc", sources, tmp_path / "play", "-O1")
    assert expected in run([tmp_path / "play"], expect=1).stdout


def test_the_header_is_cplusplus_and_describes_sets(tmp_path: Path) -> None:
    build(tmp_path, biped(), BIPED_SETS)
    run(["g++", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-x", "c++", *INCLUDES, tmp_path / "hero.h"])
    header = (tmp_path / "hero.h").read_text(encoding="utf-8")
    [legs] = [comment for comment in header.split("/* ") if comment.startswith("The set legs ")]
    assert " * LeftUpLeg, LeftLeg, LeftFoot, RightUpLeg, RightLeg\n" in legs
    assert ":\n * Hips\n" in legs
    [hips] = [comment for comment in header.split("/* ") if comment.startswith("The set hips ")]
    assert "above" not in hips
    assert max(map(len, header.splitlines())) <= 100


def test_without_sets_nothing_changes() -> None:
    assert plan_of(biped()).sets == ()
    assert plan_of(biped(), legs=("*Leg",)).bind_steps == plan_of(biped()).bind_steps


def test_a_set_shares_the_tables_of_the_whole() -> None:
    plan, with_sets = plan_of(biped()), plan_of(biped(), **BIPED_SETS)
    assert with_sets.bind_vectors == plan.bind_vectors
    [legs] = [part for part in with_sets.sets if part.name == "legs"]
    assert [(step.how, step.joint, step.count, step.entry) for step in legs.bind_steps] == [
        ("copy", "HERO_JOINT_LEFT_UP_LEG", 5, 12)]
    assert [step.joint for step in legs.compose][0] == "HERO_JOINT_HIPS" and len(legs.compose) == 6


def test_subtracks_are_blended_in_fours_where_they_follow_each_other() -> None:
    spec = random_skeleton(16, 1, has_scale=True)
    spec.subtracks = (set(range(16)), {2, 3}, {2, 9})
    plan = plan_of(spec, part=tuple(f"Bone{j:03d}" for j in (0, 2, 3, 4, 5, 6, 9)))
    [part] = plan.sets
    assert [[step.subtrack for step in group] for group in in_fours(part.subtracks["rotation"])] == [
        [0], [2, 3, 4, 5], [6], [9]]
    vectors = in_fours(part.subtracks["translation"] + part.subtracks["scale"])
    assert [[step.offset for step in group] for group in vectors] == [[64, 67, 70, 73]]


def test_texts_become_sets() -> None:
    assert parse_joint_sets(["upper=Spine*,*Arm*", "tail=Tail=1"], "--joints") == {
        "upper": ("Spine*", "*Arm*"), "tail": ("Tail=1",)}


@pytest.mark.parametrize(("texts", "facts"), [
    (["upper"], "--joints upper upper=Spine*"),
    (["=Spine"], "--joints 48"),
    (["2d=Spine"], "2d"),
    (["up-per=Spine"], "up-per"),
    (["u" * 49 + "=Spine"], "48"),
    (["upper="], "upper"),
    (["upper=Spine,,Arm"], "upper"),
    (["upper=Spine", "upper=Arm"], "upper"),
])
def test_texts_that_are_no_sets(texts: list[str], facts: str) -> None:
    with pytest.raises(SettingProblem) as caught:
        parse_joint_sets(texts, "--joints")
    assert mentions(str(caught.value), facts) and "\n" not in str(caught.value)


def test_a_pattern_that_matches_nothing_leaves_no_files(tmp_path: Path) -> None:
    (tmp_path / "hero.ossb").write_bytes(bank_bytes(biped(), []))
    with pytest.raises(SettingProblem) as caught:
        generate(tmp_path / "hero.ossb", tmp_path / "out", Code(sets={"legs": ("*Leg", "LeftFot")}))
    assert mentions(str(caught.value), f"{tmp_path / 'hero.ossb'} --joints legs LeftFot LeftFoot")
    assert not (tmp_path / "out").exists()
