"""Mirrored poses and transitions on the ports that have their own code for them: the tests of the runtime,
garbage with its hash among them, pass as they do with plain C."""
from __future__ import annotations

from pathlib import Path

import pytest
from c_programs import ROOT, build_program

from ossicle.machines.settings import load_target
from ossicle.machines.tools import run_tool

pytestmark = pytest.mark.exhaustive


@pytest.mark.parametrize("test", ["mirror", "transition"])
@pytest.mark.parametrize("target", ["host_sse2", "host_sse41", "host_avx2"])
def test_a_port_passes_the_tests_of_the_runtime(target: str, test: str, tmp_path: Path) -> None:
    machine = load_target(target)
    if machine.unsupported:
        pytest.skip(machine.unsupported)
    folders = [ROOT / "runtime", machine.platform_folder, ROOT / "tests/support/c"]
    sources = [ROOT / f"tests/runtime/mix/test_{test}.c", *sorted((ROOT / "runtime").rglob("*.c"))]
    build_program("gcc", [*machine.flags, "-std=c11", *(f"-I{folder}" for folder in folders)], sources,
                  tmp_path / test, ["-lcmocka", "-lm"])
    assert run_tool([str(tmp_path / test)], timeout_s=60.0).returncode == 0
