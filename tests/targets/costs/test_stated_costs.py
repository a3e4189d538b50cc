"""Costs that the documentation states, counted in instructions."""
from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest
from figures import figure
from tools import demo
from ossicle.generate.code import Code
from ossicle.generate import emit
from ossicle.encoding import encoder as encode
from ossicle import machines
from ossicle.model.lengths import Tolerance
from ossicle.encoding.settings import Settings
from ossicle.machines import Target
from target_support import SUPPORTED, run_program

LOOPS_ARE_FASTER = {"microbit": "M0", "mps2_an386": "M4", "mps2_an500": "M7", "mps2_an505": "M33"}
LOOPS_ARE_SLOWER = {"mps2_an385": "M3", "mps3_an547": "M55", "host": "PC"}
WITH_FPU = ("mps2_an386", "mps2_an505")
TRANSPOSED = "-DOSC_TRANSPOSED"
CODECS = ("delta", "curve", "transform")
DSP_SAVES = 8  # times the instructions of dsp that scalar takes to compose


class Costs:
    """Costs of the demo character, built with many options."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._banks = {codec: self._encode(codec) for codec in CODECS}

    def _encode(self, codec: str) -> Path:
        path = self._folder / f"{codec}.ossb"
        path.write_bytes(encode.encode([demo.HERO], Settings(tolerance=Tolerance(1e-3), codec=codec), 1).bank)
        return path

    def folder_of(self, target: str, codec: str = "delta", unroll: str = "full", tested: Target | None = None) -> Path:
        """Folder of the generated code that `built` links."""
        how = f"{tested.platform}-{len(tested.flags)}" if tested else "own"
        return self._folder / "-".join((target, codec, unroll, how))

    @lru_cache(maxsize=None)
    def built(self, target: str, codec: str = "delta", unroll: str = "full",
              tested: Target | None = None) -> machines.Firmware:
        folder = self.folder_of(target, codec, unroll, tested)
        emit.generate(self._banks[codec], folder, Code("character", embed=True, unroll=[unroll]))
        return machines.build(target, folder, folder / "built", tested=tested)

    @lru_cache(maxsize=None)
    def counted(self, *build: object) -> machines.RunResult:
        return machines.run(self.built(*build))


@pytest.fixture(scope="module")
def costs(tmp_path_factory: pytest.TempPathFactory) -> Costs:
    return Costs(tmp_path_factory.mktemp("costs"))


def plain(target: str) -> Target:
    """The same machine with the definition in C."""
    return replace(machines.load_target(target), platform="scalar")


@pytest.mark.exhaustive
def test_loops_are_smaller_and_faster_on_some_processors(costs: Costs) -> None:
    saved = []
    for target in LOOPS_ARE_FASTER:
        full, loop = (costs.counted(target, "delta", unroll).instructions["evaluate"] for unroll in ("full", "loop"))
        saved.append(round(100 * (1 - loop / full)))
        sizes = [machines.footprint(costs.built(target, "delta", unroll)) for unroll in ("full", "loop")]
        assert sizes[1].flash_code_bytes < sizes[0].flash_code_bytes
        assert sizes[1].stack_bytes["evaluate"] < sizes[0].stack_bytes["evaluate"]
    assert (min(saved), max(saved)) == (figure("loops.saved_least_percent"), figure("loops.saved_most_percent"))


@pytest.mark.exhaustive
def test_loops_save_flash_and_cost_a_pose_little(costs: Costs) -> None:
    sizes, poses = [], []
    for unroll in ("full", "loop"):
        sizes.append(machines.footprint(costs.built("mps2_an386", "delta", unroll)).flash_code_bytes)
        counted = costs.counted("mps2_an386", "delta", unroll).instructions
        poses.append(counted["evaluate"] + counted["compose"] + counted["row_average"] / 2)
    assert sizes[0] - sizes[1] == pytest.approx(figure("loops.m4_flash_bytes"), rel=0.02)
    assert 100 * poses[1] / poses[0] - 100 == pytest.approx(figure("loops.m4_pose_percent"), abs=0.5)


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", LOOPS_ARE_SLOWER)
def test_straight_lines_are_faster_on_others(target: str, costs: Costs) -> None:
    full, loop = (costs.counted(target, "delta", unroll).instructions["evaluate"] for unroll in ("full", "loop"))
    assert full < loop


@pytest.mark.exhaustive
def test_dsp_composes_in_an_eighth(costs: Costs) -> None:
    for target in WITH_FPU:
        quick, slow = (costs.counted(target, "delta", "full", tested).instructions["compose"]
                       for tested in (None, plain(target)))
        assert slow / quick == pytest.approx(DSP_SAVES, abs=1)


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", [name for name in ("host_sse41", "host_avx2", "virt_aarch64") if name in SUPPORTED])
def test_spare_memory_saves_vector_units_work(target: str, costs: Costs) -> None:
    machine = machines.load_target(target)
    without = replace(machine, flags=tuple(flag for flag in machine.flags if flag != TRANSPOSED))
    quick, slow = (costs.counted(target, "transform", "full", tested).instructions["row_average"]
                   for tested in (None, without))
    assert 100 * quick / slow == pytest.approx(figure("transposed.rows_percent"), abs=5)


def test_an_embedded_bank_opens_at_once(costs: Costs, tmp_path: Path) -> None:
    costs.built("microbit", "curve")
    status, output = run_program("microbit", "open_costs", tmp_path, runtime=True,
                                 generated=costs.folder_of("microbit", "curve"))
    found = {name: int(number) for name, number in map(str.split, output.splitlines())}
    assert status == 0
    assert found["embedded"] == figure("opening.embedded_instructions")
    assert found["checked"] == pytest.approx(figure("opening.checked_instructions"), rel=0.01)
    assert found["stack"] == pytest.approx(figure("opening.checked_stack_bytes"), rel=0.1)
