"""Removes streaming tiers from a bank, for devices that lack room for them (SPEC.md section
14.4)."""
from __future__ import annotations

import struct
import zlib
from pathlib import Path

from ..base.output import check_outputs, write_all
from ..base.problem import SettingProblem
from .file import CRC_WORD, HEADER_WORDS, REQUIRED, SECTION_ENTRY_WORDS, Bank, read_bank
from .tiers import TIERS


def without_tiers(bank: Bank, keep: int) -> tuple[bytes, dict[int, bytes]]:
    """Returns the bank with only the tiers up to `keep`, and the removed ones by their numbers, as
    osc_bank_attach_tier takes them. The bank still lists them, so that they can be attached."""
    gone = {TIERS.index(section.tag) + 1: section for section in bank.sections
            if section.tag in TIERS[keep:]}
    kept = [section for section in bank.sections if section not in gone.values()]
    table: list[int] = []
    body: list[int] = []
    start = HEADER_WORDS + SECTION_ENTRY_WORDS * len(kept)
    for section in kept:
        place = start + len(body) | (REQUIRED if section.required else 0)
        table += [int.from_bytes(section.tag.encode("latin-1"), "little"), place, section.words]
        body += section.cut(bank.words)
    head = [*bank.words[:CRC_WORD - 1], 4 * (start + len(body))]
    tail = _bytes([len(kept), *table, *body])
    whole = _bytes([*head, zlib.crc32(tail, zlib.crc32(_bytes(head)))]) + tail
    return whole, {tier: _bytes(section.cut(bank.words)) for tier, section in gone.items()}


def _bytes(words: list[int] | tuple[int, ...]) -> bytes:
    return struct.pack(f"<{len(words)}I", *words)


def strip(bank_path: Path, out: Path, keep: int, tier_files: bool) -> list[Path]:
    """Writes the bank with only the tiers up to `keep`. With tier_files, also writes the removed
    tiers beside it, as OUT.tie1 and OUT.tie2. Returns the paths written. Raises BankProblem or
    SettingProblem."""
    if not 0 <= keep < len(TIERS):
        raise SettingProblem(f"--tiers {keep}: choose 0, the bank without any, or 1, the first one")
    check_outputs({bank_path: bank_path}, [out])
    bank = read_bank(bank_path)
    content, gone = without_tiers(bank, keep)
    if not gone:
        there = sum(tier.there for tier in bank.tiers)
        raise SettingProblem(f"{bank_path}: has {there or 'no'} tier{'' if there == 1 else 's'}, so "
                             f"--tiers {keep} leaves nothing out; use the bank as it is")
    contents = {out: content}
    if tier_files:
        contents |= {out.with_name(f"{out.name}.tie{tier}"): tie for tier, tie in gone.items()}
    check_outputs({bank_path: bank_path}, contents)
    write_all(contents)
    return list(contents)
