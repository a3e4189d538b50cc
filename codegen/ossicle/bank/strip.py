"""Removes streaming tiers from a bank, for devices that store them elsewhere or do not use them (SPEC.md section
15)."""
from __future__ import annotations

from pathlib import Path

from ..base.files.output import check_outputs, write_all
from ..base.problem import SettingProblem
from .assembling import CRC_WORD, assembled, words_bytes
from .file import Bank, read_bank
from .tiers import TIERS


def without_tiers(bank: Bank, keep: int) -> tuple[bytes, dict[int, bytes]]:
    """Returns the bank with only the tiers up to `keep`, and the removed tiers by number, for osc_bank_attach_tier.
    The bank still lists them, so that they can be attached."""
    removed = {TIERS.index(section.tag) + 1: section for section in bank.sections
               if section.tag in TIERS[keep:]}
    kept = [section for section in bank.sections if section not in removed.values()]
    whole = assembled(bank.words[:CRC_WORD - 1], [
        (int.from_bytes(section.tag.encode("latin-1"), "little"), section.required,
         words_bytes(section.cut(bank.words)))
        for section in kept])
    return whole, {tier: words_bytes(section.cut(bank.words)) for tier, section in removed.items()}


def tier_file(bank_path: Path, tier: int) -> Path:
    """Returns the path at which `ossicle strip` writes a removed tier, and `ossicle pack` expects it."""
    return bank_path.with_name(f"{bank_path.name}.tie{tier}")


def strip(bank_path: Path, out: Path, keep: int, tier_files: bool) -> list[Path]:
    """Writes the bank with only the tiers up to `keep` and, with tier_files, the removed tiers beside it (see
    tier_file). Returns the paths written. Raises BankProblem or SettingProblem."""
    check_outputs({bank_path: bank_path}, [out])
    bank = read_bank(bank_path)
    _check_count(bank_path, bank, keep)
    content, removed = without_tiers(bank, keep)
    if not removed:
        raise SettingProblem(f"{bank_path}: contains no tier after tier {keep}, so that --tiers {keep} would remove "
                             "nothing; use the bank as it is" if keep else
                             f"{bank_path}: contains no tiers, so that --tiers 0 would remove nothing; use the bank as "
                             "it is")
    contents = {out: content} | ({tier_file(out, tier): words for tier, words in removed.items()} if tier_files else {})
    check_outputs({bank_path: bank_path}, contents)
    write_all(contents)
    return list(contents)


def _check_count(bank_path: Path, bank: Bank, keep: int) -> None:
    """Raises SettingProblem unless `keep` is less than the number of tiers of the bank."""
    count = len(bank.tiers)
    if not count:
        raise SettingProblem(f"{bank_path}: has no tiers that could be removed; use the bank as it is")
    if not 0 <= keep < count:
        most = {1: "", 2: ", or 1"}.get(count, f", to {count - 1}")
        raise SettingProblem(f"--tiers {keep}: {bank_path} has {count} tier{'s'[:count > 1]}; choose 0, the bank "
                             f"without any{most}")
