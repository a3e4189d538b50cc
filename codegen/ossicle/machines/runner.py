"""Runs a player program, on this computer or in an emulator, and reads its output."""
from __future__ import annotations

import re
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from .callgrind import average_instructions, read_call_costs
from .firmware import Firmware
from .row_costs import ClipCost
from .settings import Target
from .tools import TargetError, find_tool, run_tool

_CLIP = re.compile(r"clip (\d+) hash ([0-9a-f]{8}) poses (\d+)")
_TOTAL = re.compile(r"total hash ([0-9a-f]{8}) poses (\d+)")
_COST = re.compile(r"cost (\d+) rows (\d+) sum (\d+) worst (\d+) entering (\d+) sum (\d+)")
_MEASURE = re.compile(r"(instructions|cycles|stack) (\w+) (\d+)")


@dataclass(frozen=True)
class RunResult:
    """The output of a player program.

    hashes: one per clip, over every checked pose, equal on all targets. instructions: `evaluate`, `compose`, `skin`
    (with skinning matrices) and `generic_*` per pose, `row_average` (and, in an emulator, `row_worst`) per frame played
    forward; empty if they cannot be counted (the host without valgrind). cycles: the same on machines that count
    cycles. stack_bytes: the painted watermark of seek, evaluate and compose below their caller; None on the host.
    clip_costs: the cost of the rows of each clip; empty on the host.
    """

    hashes: list[int]
    poses: int
    total_hash: int
    instructions: dict[str, int] = field(default_factory=dict)
    stack_bytes: int | None = None
    clip_costs: list[ClipCost] = field(default_factory=list)
    output: str = ""
    cycles: dict[str, int] = field(default_factory=dict)


def run(firmware: Firmware, timeout_s: float = 120.0, count: bool = True) -> RunResult:
    """Runs the program on its target and, on the host, again under valgrind to count instructions.

    count: whether to count the host's instructions. Raises TargetError if the program fails (with its own message, for
    example that a generated pose differs from the generic one), takes too long, or prints unexpected output.
    """
    finished = run_tool(command_for(firmware.target, firmware.image), timeout_s=timeout_s)
    place = f"target {firmware.target.name}"
    if finished.returncode != 0:
        text = " ".join(line.strip() for line in finished.stdout.splitlines()[-3:]
                        if not _CLIP.fullmatch(line))
        raise TargetError(f"{place}: exit code {finished.returncode}: {text or 'no output'}")
    result = read_output(finished.stdout, place)
    if firmware.target.emulator is None and count and shutil.which("valgrind"):
        result.instructions.update(_count_on_host(firmware, timeout_s))
    return result


def read_output(output: str, place: str) -> RunResult:
    """Parses a player program's output. Raises TargetError if it is incomplete."""
    hashes: list[int] = []
    costs: list[ClipCost] = []
    total: tuple[int, int] | None = None
    measures: dict[str, dict[str, int]] = {"instructions": {}, "cycles": {}, "stack": {}}
    lines = output.splitlines()
    for line in lines:
        if match := _CLIP.fullmatch(line):
            if int(match.group(1)) != len(hashes):
                raise TargetError(f"{place}: clip {len(hashes)} is missing in the output")
            hashes.append(int(match.group(2), 16))
        elif match := _TOTAL.fullmatch(line):
            total = int(match.group(1), 16), int(match.group(2))
        elif match := _COST.fullmatch(line):
            clip, *numbers = map(int, match.groups())
            if clip != len(costs):
                raise TargetError(f"{place}: unexpected output: {line!r}")
            costs.append(ClipCost(*numbers))
        elif match := _MEASURE.fullmatch(line):
            measures[match.group(1)][match.group(2)] = int(match.group(3))
        elif line != "done":
            raise TargetError(f"{place}: unexpected output: {line!r}")
    if total is None or lines[-1] != "done":
        raise TargetError(f"{place}: the output ends early")
    return RunResult(hashes, total[1], total[0], measures["instructions"],
                     measures["stack"].get("pose_path"), costs, output,
                     measures["cycles"])


def command_for(target: Target, image: Path, *arguments: str) -> list[str]:
    """Returns the command that runs a program: the program itself on the host, otherwise the emulator. arguments: for
    an emulator that takes the image as an argument. `-icount shift=N,sleep=off` makes virtual time a count of
    instructions, see hal_ticks.c. Raises TargetError if this computer's processor cannot run it."""
    if target.unsupported:
        raise TargetError(target.unsupported)
    emulator = target.emulator
    if emulator is None:
        return [str(image)]
    if emulator.script is not None and emulator.script.suffix == ".py":
        return [sys.executable, "-B", str(emulator.script), find_tool(emulator.program), str(image),
                *arguments]
    if emulator.machine is None:
        return [emulator.program, *([str(emulator.script)] if emulator.script else []), str(image),
                *arguments]
    return [emulator.program, "-M", emulator.machine, *emulator.arguments, "-nographic",
            "-monitor", "none", "-serial", "none", "-semihosting-config", "enable=on,target=native",
            "-icount", f"shift={emulator.icount_shift},sleep=off", "-kernel", str(image)]


def _count_on_host(firmware: Firmware, timeout_s: float) -> dict[str, int]:
    """Counts instructions per call with callgrind."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "callgrind.out"
        finished = run_tool(
            ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={report}",
             str(firmware.image)], timeout_s=timeout_s)
        if finished.returncode != 0 or not report.is_file():
            last = (finished.stdout.splitlines() or ["no output"])[-1]
            raise TargetError(f"target {firmware.target.name}: valgrind failed: {last}")
        costs = read_call_costs(report.read_text(encoding="utf-8"))
    calls = {
        "evaluate": (f"{firmware.name}_evaluate", None),
        "compose": (f"{firmware.name}_compose", None),
        "skin": (f"{firmware.name}_skin_pose", None),
        "generic_evaluate": ("osc_player_evaluate", None),
        "generic_compose": ("osc_compose", None),
        "row_average": ("osc_player_seek_q11", "player_next_frame"),
    }
    counted = {key: average_instructions(costs, *names) for key, names in calls.items()}
    return {key: value for key, value in counted.items() if value is not None}
