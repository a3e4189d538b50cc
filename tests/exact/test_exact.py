"""`scons exact` builds all programs, and finds one whose poses differ."""
from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import exact
import pytest
from samples import sample_banks
from exact import Character, Outcome, find_differences
from ossicle.generate.code import Code
from ossicle.generate import emit
from ossicle.machines import RunResult, TargetError, list_supported_targets
from ossicle.machines.firmware import compile_runtime
from ossicle.machines.symbols import check_objects
from tools.variants import COMPILERS, LEVELS, Variant, list_variants
from toolbox_table import OPERATIONS

pytestmark = pytest.mark.integration

HOST = [Variant("host", "gcc", "-O0"), Variant("host", "clang", "-O1")]
WAVE = Character("hero", Path("nowhere"), ("Walk", "Wave", "Jump"))


@pytest.fixture
def walker(tmp_path: Path) -> Character:
    """The golden bank `walk`, generated."""
    [sample] = [entry for entry in sample_banks.samples() if entry.name == "walk"]
    (tmp_path / "walk.ossb").write_bytes(sample.bank)
    emit.generate(tmp_path / "walk.ossb", tmp_path, Code("character", embed=True))
    return Character("walker", tmp_path, ("walk",))


def spoil(character: Character) -> None:
    """One wrong bit in the generated evaluator as compiled by clang."""
    source = character.folder / "character_pose.c"
    text = source.read_text(encoding="utf-8")
    changed = re.sub(r"(void character_evaluate\(.*?\n)}", "\\1#ifdef __clang__\n"
                     "    pose->rotations[1].z ^= 1;\n#endif\n}", text, flags=re.DOTALL)
    assert changed != text
    source.write_text(changed, encoding="utf-8")


def played(variant: Variant, *hashes: int) -> Outcome:
    return Outcome("hero", variant, RunResult(list(hashes), 9, sum(hashes)))


def test_every_target_has_every_compiler_at_every_level() -> None:
    names = list_supported_targets()
    variants = list_variants(names)
    assert {variant.target for variant in variants} == set(names)
    own = {name: [variant.compiler for variant in variants if variant.target == name] for name in names}
    assert own.pop("wasm") == ["clang"] * len(LEVELS)
    assert all(compilers == [name for name in COMPILERS for _ in LEVELS] for compilers in own.values())
    for variant in variants:
        machine = variant.machine()
        assert [flag for flag in machine.flags if flag.startswith("-O")] == [variant.level]
        assert machine.compiler.endswith(variant.compiler)
    for name in names:
        rows = {(variant.compiler, fast) for variant in variants if variant.target == name
                for fast in (0, 1) if f"-DOSC_FAST_ROWS={fast}" in variant.machine().flags}
        assert {compiler for compiler, _ in rows} == {compiler for compiler, fast in rows if fast}
        assert len(rows) == 2 * len({compiler for compiler, _ in rows})
    foreign = Variant("linux_aarch64", "clang", "-O3").machine()
    assert foreign.flags[0] == "--target=aarch64-linux-gnu"


@pytest.mark.exhaustive
def test_clang_needs_no_helpers_of_the_smallest_core(tmp_path: Path) -> None:
    machine = Variant("microbit", "clang", "-O2").machine()
    assert check_objects(machine.tools, list(compile_runtime(machine, tmp_path))) == []


def test_the_first_clip_that_differs_is_named() -> None:
    first, other = HOST
    same = [played(first, 1, 2, 3), played(other, 1, 2, 3)]
    assert find_differences(WAVE, same) == []
    assert find_differences(WAVE, [same[0], played(other, 1, 7, 9)]) == [
        "hero: clip Wave: pose hash 00000002 on host gcc -O0, 00000007 on host clang -O1"]


def test_an_operation_that_differs_is_named() -> None:
    first, other = HOST
    box = replace(WAVE, toolbox=True)
    assert find_differences(box, [played(first, 1, 2, 3), played(other, 1, 2, 9)]) == [
        "hero: operation Jump: pose hash 00000003 on host gcc -O0, 00000009 on host clang -O1"]


@pytest.mark.exhaustive
def test_operations_are_done_with_a_compiler_at_a_level(built_encoder: None, tmp_path: Path) -> None:
    exact.write_sources(OPERATIONS, tmp_path / "toolbox", ["loop"])
    box = Character("toolbox", tmp_path / "toolbox", tuple(operation.name for operation in OPERATIONS), toolbox=True)
    for_boards = [each for variant in (HOST[1], Variant("microbit", "gcc", "-O2"))
                  for each in exact.play(variant, [box])]
    assert find_differences(box, for_boards) == [] and not any(each.problem for each in for_boards)
    assert all(len(each.result.hashes) == len(OPERATIONS) for each in for_boards)


@pytest.mark.exhaustive
def test_the_sample_is_played_with_a_compiler_at_a_level(built_encoder: None, tmp_path: Path) -> None:
    exact.write_character(tmp_path / "sample")
    game = Character("sample", tmp_path / "sample", ("session",), sample=True)
    played_there = [each for variant in HOST for each in exact.play(variant, [game])]
    assert find_differences(game, played_there) == [] and not any(each.problem for each in played_there)


def test_failures_are_told_and_small_targets_left_out() -> None:
    first, other = HOST
    small = Outcome("hero", other, problem="the RAM is too small", fits=False)
    assert find_differences(WAVE, [played(first, 1, 2, 3), small]) == []
    assert find_differences(WAVE, [small]) == ["hero: does not fit anywhere"]
    broken = Outcome("hero", first, problem="it does not compile")
    assert find_differences(WAVE, [broken, played(other, 1, 2, 3)]) == ["hero: host gcc -O0: it does not compile"]


@pytest.mark.exhaustive
def test_it_ends_with_success_only_when_all_is_equal(
    walker: Character, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(exact, "make_characters", lambda folder: [walker])
    monkeypatch.setattr(exact, "list_variants", lambda names: [*HOST, Variant("wasm", "clang", "-O3")])
    assert exact.main(["--targets", "wasm"]) == 0
    out = capsys.readouterr().out
    assert out.endswith("All pose hashes are equal in 3 programs, 2 targets.\n")
    hashes = re.findall(r"\b[0-9a-f]{8}\b", out)
    assert len(hashes) == 3 and len(set(hashes)) == 1
    spoil(walker)
    assert exact.main(["--targets", "wasm"]) == 1
    captured = capsys.readouterr()
    assert "All pose hashes are equal" not in captured.out and "fails" in captured.out
    lines = captured.err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("exact.py: walker: host clang -O1: target host: exit code 1: "
                               "error: the generated evaluator differs from the runtime's, clip 0")


def test_targets_are_chosen() -> None:
    assert exact.chosen_targets("")[0] == "host"
    assert sorted(exact.chosen_targets("")) == list_supported_targets()
    assert exact.chosen_targets("wasm,host,microbit") == ["host", "wasm", "microbit"]
    with pytest.raises(TargetError, match="unknown target 'wasn'; did you mean 'wasm'"):
        exact.chosen_targets("wasn")
