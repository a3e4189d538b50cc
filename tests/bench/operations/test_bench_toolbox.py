"""Costs of operations on poses: the table is written, its numbers are plausible, and its poses are right."""
from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import bench_toolbox
import toolbox
from ossicle.bank.file import read_bank
from ossicle.machines import TargetError, linked_bytes, list_supported_targets, load_target
from ossicle.machines.symbols import global_functions
from ossicle.machines.tools import checked_tool
from toolbox import Done
from toolbox_character import HIPS, KNIGHT, imported
from toolbox_table import OPERATIONS, Operation
from mentions import mentions

JOINTS = 41
GENERIC = ", generic"
STRAIGHT = ("pose of shared rows, generic",)  # its generated code has no loop where that is faster
MOST_OF_GENERIC = 1.05  # of instructions: what generated code may lose where a compiler inlines less
# Processors with vectors mix runs of joints in unrolled code, which is larger. Its masked blends take up to 10 % more
# instructions than the generic ones if many joints move.
WITH_VECTORS = ("host_sse41", "host_avx2", "virt_aarch64")
MOST_OF_GENERIC_MASKED = 1.11


def check_table(folder: Path, targets: tuple[str, ...]) -> None:
    with (folder / "toolbox.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    measured = {target: bench_toolbox.measured_on(load_target(target)) for target in targets}
    assert [(row["character"], row["target"], row["operation"]) for row in rows] == [
        (character.name, target, operation.name) for character, operations in bench_toolbox.MEASURED.items()
        for target in targets if character in measured[target] for operation in operations]
    for row in rows:
        assert 100 < int(row["bytes"]) < 12000
        # a blend touches every component of every rotation; no operation takes a millisecond of a fast machine
        assert 4 * JOINTS < int(row["instructions"]) < 4500 * int(row["joints"])
    for character, operations in bench_toolbox.MEASURED.items():
        cost = {(row["target"], row["operation"]): (int(row["instructions"]), int(row["bytes"])) for row in rows
                if row["character"] == character.name}
        for target in targets:
            if character not in measured[target]:
                continue
            further, blend = cost[target, "each further pose"], cost[target, "blend of two"]
            assert further[0] < blend[0] and further[1] < blend[1]  # it does not normalise
            check_generated({name: costs for (place, name), costs in cost.items() if place == target}, operations,
                            target in WITH_VECTORS and character is KNIGHT)


def check_generated(cost: dict[str, tuple[int, int]], operations: Sequence[Operation], many_runs: bool) -> None:
    for operation in operations:
        if operation.name.endswith(GENERIC):
            name = operation.name.removesuffix(GENERIC)
            generated, generic = cost[name], cost[operation.name]
            masked = many_runs and name.endswith("masked")
            assert generated[0] < (MOST_OF_GENERIC_MASKED if masked else MOST_OF_GENERIC) * generic[0]
            if operation.name not in STRAIGHT and not many_runs:
                assert generated[1] < generic[1]  # it does not read the tracks from a bank


def test_a_small_board_is_measured(built_encoder: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_toolbox.main(["--output", str(tmp_path), "--target", "microbit"]) == 0
    check_table(tmp_path, ("microbit",))
    out = capsys.readouterr().out
    assert sum(line.startswith("blend of two") for line in out.splitlines()) == 8


@pytest.mark.exhaustive
def test_all_are_measured(built_encoder: None, tmp_path: Path) -> None:
    assert bench_toolbox.main(["--output", str(tmp_path)]) == 0
    check_table(tmp_path, tuple(name for name in bench_toolbox.CHOSEN if name in list_supported_targets()))


@pytest.fixture(scope="module")
def program(built_encoder: None, tmp_path_factory: pytest.TempPathFactory) -> toolbox.Program:
    """The one for a Cortex-M0."""
    folder = tmp_path_factory.mktemp("toolbox")
    toolbox.write_sources(OPERATIONS, folder / "generated", ("loop",))
    return toolbox.build("microbit", folder / "generated", folder)


def test_no_operation_needs_64_bits_on_a_small_board(program: toolbox.Program, tmp_path: Path) -> None:
    functions = sorted({function for operation in OPERATIONS for function in operation.functions})
    assert set(functions) <= global_functions(program.machine.tools, program.objects)
    linked_bytes(program.machine, program.objects, functions, tmp_path / "linked.elf")
    symbols = checked_tool([f"{program.machine.tools}nm", str(tmp_path / "linked.elf")], "nm").split()
    assert set(functions) <= set(symbols)
    # __aeabi_ldiv0 is a second name of what a 32-bit division by zero ends in
    assert not [symbol for symbol in symbols if symbol.startswith(("__aeabi_l", "__aeabi_ul"))
                and symbol != "__aeabi_ldiv0"]


def test_generic_and_generated_functions_give_the_same_poses(program: toolbox.Program) -> None:
    done = dict(zip([operation.name for operation in OPERATIONS], toolbox.play(program, OPERATIONS), strict=True))
    pairs = [name for name in done if name.endswith(GENERIC)]
    assert len(pairs) >= 4
    for name in pairs:
        assert done[name].hash == done[name.removesuffix(GENERIC)].hash
    assert len({result.hash for result in done.values()}) == len(done) - len(pairs)


def test_a_target_with_other_poses_is_named() -> None:
    same = [Done(number, 1) for number in range(len(OPERATIONS))]
    bench_toolbox.check_hashes({"host": same, "microbit": list(same)})
    with pytest.raises(TargetError, match=f"target microbit: {OPERATIONS[1].name} gives other poses than on host"):
        bench_toolbox.check_hashes({"host": same, "microbit": [same[0], Done(99, 1), *same[2:]]})


def test_bytes_are_those_of_the_functions_that_are_called() -> None:
    assert Operation("a", "osc_pose view = character_pose_view(&a);\nosc_mix_add(&bank, &view);").functions == (
        "character_pose_view", "osc_mix_add")
    assert Operation("b", "done();", functions=("osc_skin",)).functions == ("osc_skin",)


def test_a_target_that_does_not_exist(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_toolbox.main(["--output", str(tmp_path), "--target", "microbt"]) == 1
    assert mentions(capsys.readouterr().err, "microbit") and not (tmp_path / "toolbox.csv").exists()


def test_characters_change_the_joints_that_they_state() -> None:
    for character in bench_toolbox.MEASURED:
        names = [name for name, _ in character.joints]
        assert len(names) == len(set(names))
        assert all(parent in names[:index] for index, (_, parent) in enumerate(character.joints) if parent)
        frames = imported(character).clips[0].frames
        for parts, joints in ((slice(0, 4), character.turned), (slice(4, 7), character.moved),
                              (slice(7, 10), character.scaled)):
            assert tuple(np.flatnonzero(np.ptp(frames[:, :, parts], axis=0).max(-1))) == joints


def test_sources_are_written_for_every_character(built_encoder: None, tmp_path: Path) -> None:
    for number, (character, operations) in enumerate(bench_toolbox.MEASURED.items()):
        toolbox.write_sources(operations, tmp_path / f"{number}", ("loop",), character)
        assert len(read_bank(tmp_path / f"{number}/bank.ossb").joints) == len(character.joints)


def test_all_characters_are_measured_where_they_fit() -> None:
    assert list(bench_toolbox.measured_on(load_target("host"))) == list(bench_toolbox.MEASURED)
    assert list(bench_toolbox.measured_on(load_target("microbit"))) == [HIPS, KNIGHT]


def test_other_libraries_are_shown_beside_the_same_character_and_operations() -> None:
    shown = bench_toolbox.peer_columns(KNIGHT, ["host_sse41", "microbit"])
    assert list(shown["host_sse41"]) == ["ozz"] and shown["microbit"] == {}
    assert set(shown["host_sse41"]["ozz"]) <= {operation.name for operation in bench_toolbox.MEASURED[KNIGHT]}
    assert bench_toolbox.peer_columns(HIPS, ["host_sse41"]) == {"host_sse41": {}}
