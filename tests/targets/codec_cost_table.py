"""Costs of codecs on a target, measured with the demo character: the [codecs] of target.toml."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ossicle.bank.file import read_bank
from ossicle.base.codec import AUTO_CODECS, CodecCosts
from tools.demo import HERO, NAME
from ossicle.encoding.encoder import encode
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.machines import build, footprint, load_target, run

PLAIN_KEYS, BASE_ROW = "plain keys", "base row"  # two banks of the same curve clips without restart points
FORCED = ("Idle", "Walk", "Run")  # a clip for each codec of the bank that has them all


def demo_banks(folder: Path) -> dict[str, Path]:
    """The demo character with each codec alone, with all of them ("all"), and for the base row, by name."""
    settings = {codec: replace(Settings(effort="fast"), codec=codec) for codec in AUTO_CODECS}
    settings["all"] = replace(settings["delta"], clips=tuple(
        ClipRule(clip, codec=codec) for clip, codec in zip(FORCED, AUTO_CODECS, strict=True)))
    settings[PLAIN_KEYS] = replace(settings["curve"], restart_log2=8)
    settings[BASE_ROW] = replace(settings[PLAIN_KEYS], costs=CodecCosts("", {}, {}, base_row_bytes=1))
    banks = {}
    for name, chosen in settings.items():
        banks[name] = folder / f"{name}.ossb"
        banks[name].write_bytes(encode([HERO], chosen).bank)
    return banks


def table_of(target: str, banks: dict[str, Path], folder: Path) -> str:
    """The table of a target, as target.toml has it. Files go to `folder`."""
    flash, row = {}, {}
    for name, bank in banks.items():
        place = folder / target / name
        generate(bank, place, Code(NAME, embed=True, unroll=["loop"]))
        firmware = build(target, place, place / "built")
        flash[name] = footprint(firmware).flash_code_bytes
        if name in AUTO_CODECS:
            row[name] = run(firmware).instructions["row_average"] / len(read_bank(bank).subtracks)
    # every program has the same rest: what the three have thrice and the fourth once
    rest = (sum(flash[codec] for codec in AUTO_CODECS) - flash["all"]) / 2
    lines = [f"{codec} = {{flash_bytes = {round(flash[codec] - rest)}, row = {row[codec]:.1f}}}"
             for codec in AUTO_CODECS]
    lines.append(f"base_row_bytes = {flash[BASE_ROW] - flash[PLAIN_KEYS]}")
    return "\n[codecs]\n" + "\n".join(lines) + "\n"


def measurable(target: str) -> bool:
    """True if sizes and instructions of a target can be measured: with gcc, on a board that does not
    borrow another one's."""
    machine = load_target(target)
    return machine.writes_call_graphs and machine.memory is not None and machine.codecs_as is None
