"""Skinning matrices on the boards: the same words as on the host, within their instructions."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

from figures import figure
from ossicle import machines
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from target_support import CORTEX_M, SUPPORTED

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "generator"))
from bank_builder import ClipSpec, bank_bytes, random_skeleton, random_skin  # noqa: E402

# Local pose to skinning matrices, 41 joints.
STATED = [("mps2_an386", "q20", "full"), ("virt_aarch64", "q20", "full"), ("host_sse41", "q20", "full"),
          ("host_avx2", "q20", "full"), ("microbit", "q14", "loop")]
SMALL_SAVE = 7.0  # times the instructions of q14 that q20 takes on a Cortex-M0


def firmware_of(folder: Path, target: str, matrices: str, unroll: str) -> machines.Firmware:
    spec = random_skeleton(41, 3, density=0.5)
    bank = bank_bytes(spec, [ClipSpec("walk", 5, list(range(8)))], skin=random_skin(spec, 5, 1 << 19))
    (folder / "hero.ossb").write_bytes(bank)
    generate(folder / "hero.ossb", folder, Code("hero", embed=True, unroll=[unroll], matrices=matrices))
    return machines.build(target, folder, folder / target, name="hero")


@pytest.mark.parametrize(("target", "matrices", "unroll"),
                         [pytest.param(*key, marks=[] if key[0] in CORTEX_M else pytest.mark.exhaustive)
                          for key in STATED if key[0] in SUPPORTED])
def test_skinning_has_the_stated_cost(target: str, matrices: str, unroll: str, tmp_path: Path) -> None:
    firmware = firmware_of(tmp_path, target, matrices, unroll)
    board = machines.run(firmware)
    host = machines.run(firmware_of(tmp_path, "host", matrices, unroll), count=False)
    assert (board.total_hash, board.hashes) == (host.total_hash, host.hashes)
    assert board.instructions["skin"] == pytest.approx(figure(f"skinning.{target}_{matrices}_instructions"), rel=0.01)
    sizes = machines.footprint(firmware)
    assert 0 < sizes.stack_bytes["skin"] <= sizes.stack_bytes_worst


def test_small_matrices_are_a_seventh_of_the_work(tmp_path: Path) -> None:
    costs = {}
    for matrices in ("q20", "q14"):
        (tmp_path / matrices).mkdir()
        firmware = firmware_of(tmp_path / matrices, "microbit", matrices, "loop")
        costs[matrices] = machines.run(firmware).instructions["skin"]
    assert costs["q20"] / costs["q14"] == pytest.approx(SMALL_SAVE, abs=0.5)


@pytest.mark.exhaustive
def test_small_matrices_in_either_byte_order(tmp_path: Path) -> None:
    """Pairs of 16 bits have the opposite order in words there; their values are the same."""
    hashes = {name: machines.run(firmware_of(tmp_path, name, "q14", "loop"), count=False).hashes
              for name in ("host", "mips_be")}
    assert hashes["mips_be"] == hashes["host"]
