"""`optimise = "cycles"` reaches the runtime: its header asks for the platform's assembler, builds link it."""
from __future__ import annotations

import json
from pathlib import Path

import pytest
from ossicle.cli.main import main
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.machines import build, load_target, run
from ossicle.machines.tools import checked_tool, run_tool
from encoded_banks import encoded
from mentions import mentions

BOARD = "mps2_an386"
LOOP = "osc_curve_fill"
ROOT = Path(__file__).resolve().parents[3]


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
        [header, *_] = generate(curve, folder, Code("character", embed=True, fast_rows=fast))
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


def build_hero(folder: Path, **keys: str) -> None:
    """Runs `ossicle build` for the demo character, optimised for cycles."""
    lines = {"inputs": [str(ROOT / "codegen/demo/hero.glb")],
             "output": "hero.ossb", "generate": ".", "optimise": "cycles", "effort": "fast"} | keys
    (folder / "hero.toml").write_text("".join(f"{key} = {json.dumps(value)}\n"
                                              for key, value in lines.items()), encoding="utf-8")
    assert main(["build", str(folder / "hero.toml")]) == 0


def test_the_project_file_passes_it_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build_hero(tmp_path, target=BOARD, codec="curve")
    assert "#define HERO_FAST_ROWS 1\n" in (tmp_path / "hero.h").read_text("utf-8")
    shown = capsys.readouterr()
    assert "-DOSC_FAST_ROWS=1" in shown.out


@pytest.mark.parametrize("keys", [{"target": BOARD, "codec": "delta"}, {"target": "microbit", "codec": "curve"}])
def test_codecs_without_fast_rows_are_not_measured(keys: dict[str, str], tmp_path: Path) -> None:
    """Other codecs, and platforms without the assembler."""
    build_hero(tmp_path, **keys)
    assert "FAST_ROWS" not in (tmp_path / "hero.h").read_text("utf-8")


def test_a_forgotten_flag_is_an_error(curve: Path, tmp_path: Path) -> None:
    [header, *_] = generate(curve, tmp_path, Code("character", fast_rows=True))
    flags = [*load_target(BOARD).flags, "-std=c99", "-fsyntax-only", "-I", str(ROOT / "runtime"), str(header)]
    assert run_tool(["arm-none-eabi-gcc", *flags, "-DOSC_FAST_ROWS=1"]).returncode == 0
    assert mentions(run_tool(["arm-none-eabi-gcc", *flags]).stdout, "assembler -DOSC_FAST_ROWS=1")
