"""Generated mixes give the bits of the generic ones, in every layout, and cost nothing unless called."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bank_builder import SkeletonSpec, bank_bytes, biped, random_clips, random_skeleton
from c_programs import SANITIZERS, SANITIZING
from compiling import INCLUDES, compile_strict, run
from thinned import thinned

from ossicle.bank.file import parse_bank
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.generate.plans.mix import MAX_GAP, MAX_STILL, MIN_RUNS, Run, Span
from ossicle.generate.plan import Plan, make_plan
from ossicle.machines import compile_object, linked_bytes, load_target
from mentions import mentions

DRIVER = Path(__file__).with_name("mix_driver.c")
FUNCTIONS = ("hero_mix_toward", "hero_mix_finish", "hero_mix_blend", "hero_mix_add")

SKELETONS = {
    "single joint": random_skeleton(1, 1, density=1.0),
    "41 joints": random_skeleton(41, 3, density=1.0),
    "41 joints, some move": random_skeleton(41, 3, density=0.5),
    "scale": random_skeleton(33, 4, has_scale=True, density=0.8),
    "nothing animated": random_skeleton(7, 5, density=0.0),
    "only translations": replace(random_skeleton(6, 6), subtracks=(set(), {0, 3, 5}, set())),
    "300 joints": random_skeleton(300, 8, roots=2, density=0.7),
    "biped": biped(),
}


def build(folder: Path, spec: SkeletonSpec, *unroll: str) -> list[Path]:
    (folder / "hero.ossb").write_bytes(bank_bytes(spec, random_clips(spec, 11)))
    written = generate(folder / "hero.ossb", folder, Code(embed=True, unroll=unroll))
    return [path for path in written if path.suffix == ".c"] + [DRIVER]


def plan_of(rotations: set[int], *unroll: str, count: int = 12) -> Plan:
    spec = SkeletonSpec([f"J{j}" for j in range(count)], list(range(-1, count - 1)),
                        [(0, 0, 0, 1 << 20, 0, 0, 0)] * count, (rotations, {3}, set()))
    return make_plan(parse_bank(bank_bytes(spec, [])), Code("hero", unroll=unroll))


@pytest.mark.parametrize(("case", "unroll"), thinned(sorted(SKELETONS), ["full", "loop"]))
def test_generated_equals_generic(case: str, unroll: str, tmp_path: Path) -> None:
    compile_strict("gcc", build(tmp_path, SKELETONS[case], unroll), tmp_path / "mix", "-O1")
    assert run([tmp_path / "mix"]).stdout.startswith("400 poses, hash ")


@pytest.mark.exhaustive
def test_the_layouts_and_compilers_agree(tmp_path: Path) -> None:
    results = set()
    for compiler, unroll, flags in (("gcc", "full", ("-O2",)), (SANITIZING, "loop", SANITIZERS),
                                    ("clang", "loop", ("-O3",))):
        compile_strict(compiler, build(tmp_path, SKELETONS["scale"], unroll), tmp_path / "mix", *flags)
        results.add(run([tmp_path / "mix"]).stdout)
    assert len(results) == 1


@pytest.mark.parametrize(("right", "wrong", "facts"), [
    ("osc_add_scales(", "osc_add_vectors(", "hero_mix_add"),
    ("osc_unit_rotations(&pose->rotations[joint], last - joint + 1u);",
     "osc_unit_rotations(&pose->rotations[joint], 1u + 0u * last);", "hero_mix_finish"),
    ("osc_mix_unit_rotations(to, with, count, weight_q15);",
     "osc_mix_unit_rotations(to, with, 1u + 0u * count, weight_q15);", "hero_mix_blend"),
    ("mask_q15[end] == mask_q15[joint]", "mask_q15[end] >= mask_q15[joint]", "round"),
])
def test_the_driver_notices(right: str, wrong: str, facts: str, tmp_path: Path) -> None:
    sources = build(tmp_path, SKELETONS["scale"], "loop")
    pose = tmp_path / "hero_pose.c"
    text = pose.read_text(encoding="utf-8")
    assert right in text
    pose.write_text(text.replace(right, wrong), encoding="utf-8")
    compile_strict("gcc", sources, tmp_path / "mix", "-O1")
    assert mentions(run([tmp_path / "mix"], expect=1).stdout, facts)


def test_runs_are_neighbouring_joints() -> None:
    mix = plan_of({0, 1, 2, 5, 7, 8}).mix
    assert mix.rotation == (Run("HERO_JOINT_J0", "HERO_JOINT_J2"), Run("HERO_JOINT_J5", "HERO_JOINT_J5"),
                            Run("HERO_JOINT_J7", "HERO_JOINT_J8"))
    assert mix.translation == (Run("HERO_JOINT_J3", "HERO_JOINT_J3"),) and mix.scale == ()
    assert list(mix.kinds) == ["rotation", "translation"]


def test_spans_bridge_narrow_gaps() -> None:
    wide = MAX_GAP + 1
    mix = plan_of({0, 1, 1 + wide, 2 + 2 * wide + 1, 11}).mix
    assert mix.spans == (
        Span("HERO_JOINT_J0", f"HERO_JOINT_J{1 + wide}", tuple(f"HERO_JOINT_J{j}" for j in range(2, 1 + wide))),
        Span("HERO_JOINT_J9", "HERO_JOINT_J11", ("HERO_JOINT_J10",)))


def test_spans_save_few_rotations() -> None:
    spans = plan_of(set(range(0, 40, 2)), count=40).mix.spans
    assert [len(span.still) for span in spans] == [MAX_STILL, MAX_STILL, 1]


def test_loops_have_tables_where_there_are_many_runs() -> None:
    many = set(range(0, 2 * MIN_RUNS, 2))
    assert plan_of(many, "loop").mix.has_table("rotation")
    assert not plan_of(many, "loop").mix.has_table("translation")
    assert not plan_of(many, "full").mix.has_table("rotation")
    assert not plan_of(many - {0}, "loop").mix.has_table("rotation")


def test_the_header_is_cplusplus(tmp_path: Path) -> None:
    build(tmp_path, biped())
    run(["g++", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-x", "c++", *INCLUDES, tmp_path / "hero.h"])
    header = (tmp_path / "hero.h").read_text(encoding="utf-8")
    assert all(f"void {function}(hero_pose *pose" in header for function in FUNCTIONS)


def test_a_game_that_does_not_mix_pays_nothing(tmp_path: Path) -> None:
    """On a Cortex-M0, where mixing needs no 64-bit helpers of the compiler either."""
    build(tmp_path, random_skeleton(41, 3, density=0.5), "loop")
    machine = load_target("microbit")
    pose = compile_object(machine, tmp_path / "hero_pose.c", tmp_path, [tmp_path])
    text = (tmp_path / "hero_pose.c").read_text(encoding="utf-8")
    begin = text.index("/* The first and the last joint of each run of rotation")
    (tmp_path / "plain_pose.c").write_text(text[:begin], encoding="utf-8")
    plain = compile_object(machine, tmp_path / "plain_pose.c", tmp_path, [tmp_path])

    def linked(program: Path, *functions: str) -> int:
        return sum(linked_bytes(machine, [program, *mixing], functions, tmp_path / "linked.elf").values())

    runtime = Path(__file__).parents[3] / "runtime"
    mixing = [compile_object(machine, path, tmp_path) for path in sorted(runtime.glob("mix/*.c"))]
    assert linked(pose, "hero_evaluate", "hero_compose") == linked(plain, "hero_evaluate", "hero_compose")
    for function in FUNCTIONS:
        assert 30 < linked(pose, function) < 1500
        symbols = run(["arm-none-eabi-nm", tmp_path / "linked.elf"]).stdout
        assert f" T {function}\n" in symbols and "__aeabi" not in symbols
        assert not any(f" T {other}\n" in symbols for other in FUNCTIONS if other != function)
