"""Skinning matrices on the boards: the same words as on the host, within their instructions."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ossicle import targets
from ossicle.emit import generate

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "generator"))
from bank_builder import ClipSpec, bank_bytes, random_skeleton, random_skin  # noqa: E402

# Local pose to skinning matrices, 41 joints.
LIMITS = {("mps2_an386", "q20", "full"): 12_000, ("microbit", "q14", "loop"): 25_000}


def firmware_of(folder: Path, target: str, matrices: str, unroll: str) -> targets.Firmware:
    spec = random_skeleton(41, 3, density=0.5)
    bank = bank_bytes(spec, [ClipSpec("walk", 5, list(range(8)))], skin=random_skin(spec, 5, 1 << 19))
    (folder / "hero.ossb").write_bytes(bank)
    generate(folder / "hero.ossb", folder, name="hero", embed=True, unroll=[unroll],
             matrices=matrices)
    return targets.build(target, folder, folder / target, name="hero")


@pytest.mark.parametrize(("target", "matrices", "unroll"), sorted(LIMITS))
def test_skinning_stays_within_its_instructions(target: str, matrices: str, unroll: str,
                                                tmp_path: Path) -> None:
    firmware = firmware_of(tmp_path, target, matrices, unroll)
    board = targets.run(firmware)
    host = targets.run(firmware_of(tmp_path, "host", matrices, unroll), count=False)
    assert (board.total_hash, board.hashes) == (host.total_hash, host.hashes)
    print(f"{target} {matrices}: {board.instructions['skin']} instructions for 41 joints")
    assert 0 < board.instructions["skin"] < LIMITS[target, matrices, unroll]
    sizes = targets.footprint(firmware)
    assert 0 < sizes.stack_bytes["skin"] <= sizes.stack_bytes_worst
