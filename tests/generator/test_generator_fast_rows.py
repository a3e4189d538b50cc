"""`optimise = "cycles"` reaches the runtime: its header asks for the platform's assembler, builds link it."""
from __future__ import annotations

from pathlib import Path

import pytest
from ossicle.cli.main import main
from ossicle.generate.emit import generate
from ossicle.targets import build, run
from ossicle.targets.tools import checked_tool
from test_generator_codecs import encoded

BOARD = "mps2_an386"
LOOP = "osc_curve_fill"


@pytest.fixture
def curve(tmp_path: Path) -> Path:
    """A bank with curve clips."""
    data, _ = encoded(("curve",))
    (tmp_path / "curve.ossb").write_bytes(data)
    return tmp_path / "curve.ossb"


def test_the_header_asks_for_fast_rows(curve: Path, tmp_path: Path) -> None:
    hashes = set()
    for fast in (False, True):
        folder = tmp_path / f"fast{int(fast)}"
        [header, *_] = generate(curve, folder, "character", embed=True, fast_rows=fast)
        assert ("#define CHARACTER_FAST_ROWS 1\n" in header.read_text("utf-8")) == fast
        firmware = build(BOARD, folder, folder / "built")
        symbols = checked_tool(["arm-none-eabi-nm", str(firmware.image)], "nm")
        assert (f" {LOOP}\n" in symbols) == fast
        hashes.add(run(firmware).total_hash)
    assert len(hashes) == 1


@pytest.mark.parametrize(("options", "fast"), [
    ([], False), (["--optimise", "flash"], False), (["--optimise", "cycles"], True)])
def test_the_command_passes_it_on(options: list[str], fast: bool, curve: Path, tmp_path: Path,
                                  capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["generate", str(curve), "-o", str(out), "--target", BOARD, *options]) == 0
    assert ("CURVE_FAST_ROWS" in (out / "curve.h").read_text("utf-8")) == fast
    shown = capsys.readouterr().out
    assert ("-DOSC_FAST_ROWS=1" in shown) == fast and "platforms/dsp/*.S" in shown


def test_the_project_file_passes_it_on(tmp_path: Path) -> None:
    source = Path(__file__).resolve().parents[2] / "codegen/demo/hero.glb"
    (tmp_path / "hero.toml").write_text(
        f'inputs = ["{source}"]\noutput = "hero.ossb"\ngenerate = "."\noptimise = "cycles"\n'
        'effort = "fast"\n', encoding="utf-8")
    assert main(["build", str(tmp_path / "hero.toml"), "--quiet"]) == 0
    assert "#define HERO_FAST_ROWS 1\n" in (tmp_path / "hero.h").read_text("utf-8")
