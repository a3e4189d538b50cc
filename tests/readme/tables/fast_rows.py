"""Cost and benefit of OSC_FAST_ROWS, by codec, as platforms/README.md shows it."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from demo_table import compiler_version
from ossicle.base.codec import OWN_CODECS
from tools.demo import HERO, HERO_PROJECT, NAME
from ossicle.config.project import read_project
from ossicle.encoding.encoder import encode
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.machines import build, load_target, run
from ossicle.machines.footprint import footprint

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "platforms/README.md"
BOARD = "mps2_an386"


def made_table(folder: Path) -> str:
    """The demo character in every codec, with and without fast rows; files go to `folder`."""
    lines = ["| codec | flash, bytes | with fast rows | instructions a row | with fast rows | pose, change |",
             "|---|---:|---:|---:|---:|---:|"]
    settings = read_project(HERO_PROJECT).settings
    machine = load_target(BOARD)
    for codec in OWN_CODECS:
        here = folder / codec
        here.mkdir()
        bank = here / "hero.ossb"
        bank.write_bytes(encode([HERO], replace(settings, codec=codec, effort="fast", max_ram_bytes=None)).bank)
        generate(bank, here, Code(NAME, embed=True, unroll=machine.unroll))
        flash, rows = [], []
        for fast in (False, True):
            firmware = build(BOARD, here, here / f"fast{int(fast)}", NAME, tested=machine.with_fast_rows(fast))
            counted = run(firmware).instructions
            flash.append(footprint(firmware).flash_code_bytes)
            rows.append(counted["row_average"])
        pose = counted["evaluate"] + counted["compose"] + rows[0] / 2
        saved = round(50.0 * (rows[0] - rows[1]) / pose)
        lines.append(f"| {codec} | {flash[0]:,} | {flash[1]:,} | {rows[0]:,} | {rows[1]:,} | "
                     f"{f'-{saved} %' if saved else '0'} |")
    lines += ["", f"The demo character on a Cortex-M4 (`{BOARD}`), arm-none-eabi-gcc {compiler_version()}, -O2."]
    return "\n".join(lines) + "\n"
