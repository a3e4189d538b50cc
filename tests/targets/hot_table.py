"""Bytes of code in a target's fast memory, measured with the demo character: the [hot] of target.toml."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ossicle.bank.file import read_bank
from ossicle.base.codec import OWN_CODECS
from tools.demo import HERO, NAME
from ossicle.encoding.encoder import encode
from ossicle.encoding.settings import Settings
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.machines import build, footprint, load_target
from ossicle.machines.footprint import hot_table_bytes

OFFSET_BYTES = 12  # for a joint, if inverse bind matrices only translate; these characters need less code
PRESETS = {"dense": "acl-2017", "sparse": "riot-2015"}


def hot_banks(folder: Path) -> dict[str, Path]:
    """The demo character with each of CODECS."""
    plain = replace(Settings(effort="fast"), skinning=True)
    settings = {codec: replace(plain, codec=codec) for codec in OWN_CODECS}
    settings |= {codec: plain.with_preset(preset, "") for codec, preset in PRESETS.items()}
    banks = {}
    for name, chosen in settings.items():
        banks[name] = folder / f"{name}.ossb"
        banks[name].write_bytes(encode([HERO], chosen).bank)
    return banks


def hot_table_of(target: str, banks: dict[str, Path], folder: Path) -> str:
    """The table of a target, with the limit that it has. Files go to `folder`."""
    machine = load_target(target)
    rests, codecs = [], []
    for codec, bank in banks.items():
        place = folder / target / codec
        generate(bank, place, Code(NAME, embed=True, unroll=machine.unroll, matrices=machine.matrices))
        firmware = build(target, place, place / "hot")
        cold = replace(machine, flags=(*machine.flags, f"-DOSC_COLD_{codec.upper()}=1"))
        rests.append(footprint(build(target, place, place / "cold", tested=cold)).fast_bytes)
        codecs.append(f"{codec} = {footprint(firmware).fast_bytes - rests[-1]}")
    tables, joints = hot_table_bytes(firmware), len(read_bank(bank).joints)
    lines = [f"limit_bytes = {machine.hot.limit_bytes}", f"pose = {max(rests) - tables}",
             f"joint = {-(-tables // joints) + OFFSET_BYTES}", *codecs]
    return "\n[hot]\n" + "\n".join(lines) + "\n"
