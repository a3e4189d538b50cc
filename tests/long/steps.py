"""The steps of `scons long`: every goal that `scons test` leaves out, shortened to 35 minutes in all on two cores."""
from __future__ import annotations

import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "codegen"), str(ROOT / "tests/support")]

from ossicle.machines import list_supported_targets  # noqa: E402
from part import part_of  # noqa: E402

PROVE_PARTS = 2  # of the proofs, one of which is in a run
OFTEN_EXACT = "microbit"  # in every second run: a Cortex-M0, for which the runtime has the most special code


@dataclass(frozen=True)
class Step:
    """A goal of scons and its variables."""

    goal: str
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def words(self) -> list[str]:
        """The arguments of scons."""
        return [self.goal, *(f"{name}={value}" for name, value in self.variables.items())]


def kernel_parts(count: int) -> list[list[str]]:
    """Returns the names of all kernels in `count` parts of about the same processor time: the kernel that takes
    longest comes first, and each goes to the part that has the least."""
    listed = tomllib.loads((ROOT / "tests/prove/kernels.toml").read_text(encoding="utf-8"))["kernel"]
    parts: list[list[str]] = [[] for _ in range(count)]
    seconds = [0.0] * count
    for kernel in sorted(listed, key=lambda kernel: -kernel.get("seconds", 1.0)):
        least = seconds.index(min(seconds))
        parts[least].append(kernel["name"])
        seconds[least] += kernel.get("seconds", 1.0)
    return parts


def _exact_target(seed: int) -> str:
    """Returns the target of a run; the others take turns in odd ones."""
    others = [name for name in list_supported_targets() if name not in ("host", OFTEN_EXACT)]
    return part_of(others, f"{seed // 2}/{len(others)}")[0] if seed % 2 else OFTEN_EXACT


def steps_of(seed: int) -> list[Step]:
    """Returns the steps in order. seed: chooses the parts SEED/COUNT; COUNT successive seeds cover all of them."""
    smallest = {"SMALLEST": "1"}
    return [
        Step("integration"),
        Step("proof"),
        Step("coverage"),
        Step("prove", {"PROVE_KERNELS": ",".join(kernel_parts(PROVE_PARTS)[seed % PROVE_PARTS])}),
        Step("exact", {"EXACT_TARGETS": _exact_target(seed)}),
        Step("faults", {"FAULT_SCHEDULES": "250000"}),
        Step("fuzz", {"FUZZ_SECONDS": "10"}),
        Step("msan"),
        Step("mutate", {"MUTATE_ONLY": "runtime/", "PART": f"{seed}/120"}),
        Step("roots", {"PART": f"{seed}/30"}),
        Step("sample", {"SAMPLE_TARGETS": "host,gba"}),
        Step("game"),
        Step("demo"),
        Step("rom"),
        Step("flash", {"DRY": "1"}),
        Step("site"),
        Step("dist"),
        Step("viewer"),
        Step("web"),
        Step("bench", smallest | {"BENCH_TARGETS": "host,microbit"}),
        Step("bench-rows", smallest),
        Step("bench-stream", smallest),
        Step("bench-tiers", smallest),
        Step("bench-wasm", smallest),
        Step("bench-size", smallest),
        Step("bench-library", smallest),
        Step("presets", smallest),
    ]
