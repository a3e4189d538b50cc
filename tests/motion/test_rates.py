"""Characters far away that have a pose every few ticks: how far joints are off."""
from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from c_programs import COMPILER, INCLUDES, RUNTIME, STRICT, build_program
from figures import figure
from ossicle.bank.file import parse_bank
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.importers.importer import read_clips
from running import HERO

TICK_US, TICKS = 16667, 6000
RATES = (2, 4, 8)
STATED_MM = 0.2  # what another encoding within the same tolerance may change


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rate")
    source = Path(__file__).with_name("rate_driver.c")
    return build_program(COMPILER, [*STRICT, "-O2", *INCLUDES], [source, *RUNTIME], folder / "rate", ["-lm"])


def errors_mm(program: Path, bank: Path, clip: int, rate: int) -> list[float]:
    """The largest, and the root of the mean square."""
    ran = subprocess.run([program, bank, str(clip), str(rate), str(TICK_US), str(TICKS)], capture_output=True,
                         text=True, check=True)
    return [float(number) / 1e3 for number in ran.stdout.split()]


def test_errors_are_as_stated(program: Path, tmp_path: Path) -> None:
    settings = Settings(clips=(ClipRule("Walk", loop=True),), effort="fast")
    (tmp_path / "bank").write_bytes(encode_clips(read_clips([HERO]), settings).bank)
    [walk] = [number for number, clip in enumerate(parse_bank((tmp_path / "bank").read_bytes()).clips)
              if clip.name == "Walk"]
    assert errors_mm(program, tmp_path / "bank", walk, 1) == [0.0, 0.0]
    for rate in RATES:
        stated = [figure(f"rates.every_{rate}_{kind}_mm") for kind in ("largest", "rms")]
        assert errors_mm(program, tmp_path / "bank", walk, rate) == pytest.approx(stated, abs=STATED_MM)
