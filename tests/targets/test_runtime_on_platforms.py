"""The runtime's own tests hold with the vector platforms of this computer, too, in blocks of memory that
end where the player's does."""
from __future__ import annotations

from pathlib import Path

import pytest
from c_programs import RUNTIME, SANITIZERS, build_program
from target_support import ROOT, SUPPORTED

from ossicle import machines
from ossicle.machines.tools import run_tool

TESTS, SUPPORT = ROOT / "tests/runtime", ROOT / "tests/support/c"
VECTORS = [name for name in ("host_sse2", "host_sse41") if name in SUPPORTED]


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", VECTORS)
@pytest.mark.parametrize("program", ["pose/test_player", "codecs/test_codecs"])
def test_players_stay_within_their_memory(target: str, program: str, tmp_path: Path) -> None:
    machine = machines.load_target(target)
    flags = ["-std=c11", *machine.flags, *SANITIZERS, f"-I{ROOT / 'runtime'}",
             f"-I{machine.platform_folder}", f"-I{SUPPORT}"]
    sources = [TESTS / f"{program}.c", *sorted(SUPPORT.glob("*.c")), *RUNTIME]
    image = build_program(machine.compiler, flags, sources, tmp_path / Path(program).name, ["-lcmocka", "-lm"])
    played = run_tool([str(image)])
    assert played.returncode == 0, played.stdout[-4000:]
