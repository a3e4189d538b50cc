"""The banks that are written by hand play alike on the boards and here: every basis and every kind of key
of the codecs for published schemes, of which an encoder writes only some."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest
from target_support import ROOT, SUPPORTED
from thinned import thinned

from ossicle import machines
from ossicle.generate.code import Code
from ossicle.generate.emit import generate

sys.path.append(str(ROOT / "tests/golden"))

from published.dense_sample import dense_sample  # noqa: E402
from published.sparse_sample import sparse_sample  # noqa: E402

SAMPLES = {"sparse": sparse_sample, "dense": dense_sample}
BOARDS = [board for board in ("microbit", "mps2_an386") if board in SUPPORTED]  # Cortex-M0, -M4


@pytest.fixture(scope="module")
def generated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sample bank and its C."""
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "character.ossb").write_bytes(SAMPLES[request.param]().bank)
    generate(folder / "character.ossb", folder / "c", Code("character", embed=True))
    return folder / "c"


def hashes_of(target: str, source: Path, folder: Path) -> list[int]:
    return machines.run(machines.build(target, source, folder), count=False).hashes


@pytest.mark.parametrize(("generated", "board"), thinned(SAMPLES, BOARDS), indirect=["generated"])
def test_hashes_are_those_of_the_host(generated: Path, board: str, tmp_path: Path) -> None:
    here = hashes_of("host", generated, tmp_path / "host")
    assert len(set(here)) == len(here) > 4
    assert hashes_of(board, generated, tmp_path / board) == here
