"""Compares two banks: their bytes, by clip and by joint, and the poses that they play."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..bank.file import Bank
from .apart import Apart, Comparison, Side
from .bits import bits_of
from .costs import beside_clips, beside_joints, joint_costs


@dataclass(frozen=True)
class Change:
    """The size of a part in both banks, None if one lacks it."""

    name: str
    before_bits: int | None
    after_bits: int | None

    @property
    def growth_bits(self) -> int:
        return (self.after_bits or 0) - (self.before_bits or 0)


@dataclass(frozen=True)
class ClipChange(Change):
    """A clip. codecs: in both banks; apart: the distance of its poses, or the reason why they were not compared; None
    for a clip that only one bank has."""

    codecs: tuple[str | None, str | None]
    apart: Apart | str | None

    @property
    def is_same(self) -> bool:
        """True if the clip has not changed."""
        return (self.growth_bits == 0 and self.codecs[0] == self.codecs[1]
                and isinstance(self.apart, Apart) and self.apart.metres == self.apart.value == 0.0)


@dataclass(frozen=True)
class Difference:
    """All parts of two banks, in the order of the first, then those of the second only. The clips and beside_clips sum
    to the whole, and so do the joints and beside_joints."""

    whole: Change
    clips: list[ClipChange]
    beside_clips: list[Change]
    joints: list[Change]
    beside_joints: list[Change]


def difference(before: Bank, after: Bank, shell_m: float) -> Difference:
    """Compares two banks by the names of clips and joints. shell_m: the distance from joints at which poses are
    compared."""
    poses = Comparison(before, after, shell_m)
    banks = (before, after)
    bits = [bits_of(bank) for bank in banks]
    clips = []

    def codec(side: Side, name: str) -> str | None:
        return side.clip(name).codec if name in side.numbers else None

    for change in _changes(*(_summed((clip.name, clip.total) for clip in bank_bits.clips) for bank_bits in bits)):
        in_both = all(change.name in side.numbers for side in poses.sides)
        clips.append(ClipChange(
            change.name, change.before_bits, change.after_bits,
            (codec(poses.sides[0], change.name), codec(poses.sides[1], change.name)),
            poses.apart(change.name) if in_both else None))
    return Difference(
        Change("bank", 8 * before.size_bytes, 8 * after.size_bytes), clips, _changes(*map(beside_clips, bits)),
        _changes(*(_summed((cost.name, cost.bits) for cost in joint_costs(bank, bank_bits, {}))
                   for bank, bank_bits in zip(banks, bits))),
        _changes(*map(beside_joints, bits)))


def _changes(before: Mapping[str, int], after: Mapping[str, int]) -> list[Change]:
    return [Change(name, before.get(name), after.get(name)) for name in dict.fromkeys([*before, *after])]


def _summed(parts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Sums the bits of each name, because banks of other programs may repeat names."""
    sums: Counter[str] = Counter()
    for name, bits in parts:
        sums[name] += bits
    return dict(sums)
