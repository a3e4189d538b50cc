"""The demo's numbers as the README shows them."""
from __future__ import annotations

import contextlib
import io
import subprocess
from pathlib import Path

from tools.demo import HERO, Played, run_demo
from ossicle.encoding.encoder import BankResult
from pages import README

PAGE = README
TOLERANCE = "1mm"
BOARDS = (("mps2_an386", "Cortex-M4"), ("microbit", "Cortex-M0"))


def compiler_version() -> str:
    """The version of arm-none-eabi-gcc; OSError when it is not there."""
    return subprocess.run(["arm-none-eabi-gcc", "-dumpversion"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()


def run_quietly(out: Path) -> tuple[BankResult, list[Played]]:
    """Runs the demo with its files in `out` and without its output."""
    with contextlib.redirect_stdout(io.StringIO()):
        return run_demo(HERO, out, TOLERANCE)


def clip_table(result: BankResult) -> str:
    """One row a clip and the bank's total."""
    lines = ["| clip | codec | frames | bytes | ratio | error mm | breaks |", "|---|---|---:|---:|---:|---:|---:|"]
    for clip in result.clips:
        lines.append(f"| {clip.name} | {clip.codec} | {clip.frames} | {clip.bytes:,} | "
                     f"{clip.ratio:.1f} | {clip.error_mm:.4f} | {len(clip.breaks)} |")
    report = result.report()
    lines.append(
        f"| whole bank | | {sum(clip.frames for clip in result.clips)} | {report['bytes']:,} | "
        f"{report['raw_bytes'] / report['bytes']:.1f} | {report['worst_error_mm']:.4f} | "
        f"{report['breaks']} |")
    return "\n".join(lines) + "\n"


def target_table(played: list[Played], compiler: str) -> str:
    """One column a board: sizes, stack, instructions, and the pose hash."""
    by_name = {machine.target: machine for machine in played}
    columns = [by_name[name] for name, _ in BOARDS]
    rows = {
        "code and tables, bytes of flash": [f"{c.sizes.flash_code_bytes:,}" for c in columns],
        "bank, bytes of flash": [f"{c.sizes.bank_bytes:,}" for c in columns],
        "RAM, bytes": [f"{c.sizes.ram_bytes:,}" for c in columns],
        "stack, bytes at worst": [f"{c.sizes.stack_bytes_worst:,}" for c in columns],
    }
    for label, key in (("evaluate", "evaluate"), ("compose", "compose"),
                       ("next row, average", "row_average"), ("next row, worst", "row_worst")):
        rows[f"{label}, instructions"] = [f"{c.result.instructions[key]:,}" for c in columns]
    rows[f"hash of {columns[0].result.poses} poses (on the PC: "
         f"{by_name['host'].result.total_hash:08x})"] = [
        f"{c.result.total_hash:08x}" for c in columns]
    heading = " | ".join(f"{core} (`{name}`)" for name, core in BOARDS)
    lines = [f"| arm-none-eabi-gcc {compiler}, -O2 | {heading} |", "|---|" + "---:|" * len(BOARDS)]
    lines += [f"| {label} | {' | '.join(values)} |" for label, values in rows.items()]
    return "\n".join(lines) + "\n"


def made_table(folder: Path) -> str:
    """Both tables, measured; files go to `folder`."""
    result, played = run_quietly(folder)
    return f"\n{clip_table(result)}\n{target_table(played, compiler_version())}\n"
