"""The image of a medium that streaming tiers are read from (runtime/osc_stream.h)."""
from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..base.option_names import named
from ..base.problem import SettingProblem
from ..base.files.reading import read_file
from .file import MAX_BANK_BYTES, Bank
from .strip import tier_file, without_tiers
from .tiers import Tier

MOST_BYTES = 1 << 32  # the address of a tier is a uint32_t
_ERASED = b"\xff"  # the value of erased flash, which needs no programming


@dataclass(frozen=True)
class Packed:
    """A bank of an image. base: its file without tiers; tiers: the bytes of each tier; places: the address of each tier
    on the medium, in bytes."""

    path: Path
    name: str
    bank: Bank
    base: bytes
    tiers: tuple[bytes, ...]
    places: tuple[int, ...]


@dataclass(frozen=True)
class Image:
    """An image. unit, place: in bytes; place: its address on the medium; content: padded to a multiple of the unit, so
    that the device can read whole units to the end."""

    unit: int
    place: int
    banks: tuple[Packed, ...]
    content: bytes

    @property
    def crc(self) -> int:
        return zlib.crc32(self.content)


def tiers_of(path: Path, bank: Bank, from_files: bool) -> tuple[bytes, ...]:
    """Returns the bytes of all tiers of a bank. from_files: whether to read tiers that it does not contain from files
    beside it (see tier_file). Raises SettingProblem."""
    if not bank.tiers:
        raise SettingProblem(f"{path}: has no tiers; encode it with --tiers, or leave it out")
    _, contained = without_tiers(bank, 0)
    return tuple(contained[number] if tier.there else _left_out(path, number, tier, from_files)
                 for number, tier in enumerate(bank.tiers, 1))


def _left_out(path: Path, number: int, tier: Tier, from_files: bool) -> bytes:
    """Returns a tier that the bank does not contain."""
    if tier.words == 0:
        return b""
    file = tier_file(path, number)
    if not from_files:
        raise SettingProblem(f"{path}: does not contain tier {number}; pack the original bank, or add --tier-files if "
                             f"the tier is in {file}")
    try:
        content = read_file(file, MAX_BANK_BYTES)
    except OSError as error:
        raise SettingProblem(f"{file}: cannot be read ({error.strerror}); write it with `ossicle strip --tier-files`") \
            from error
    if not _is_tier(content, tier):
        raise SettingProblem(f"{file}: is not tier {number} of {path}; strip the bank again with --tier-files")
    return content


def _is_tier(content: bytes, tier: Tier) -> bool:
    return len(content) == 4 * tier.words and all(
        zlib.crc32(content[4 * chunk.offset:4 * (chunk.offset + chunk.words)]) == chunk.crc for chunk in tier.chunks)


def make_image(banks: Sequence[tuple[Path, str, Bank]], unit: int, place: int, from_files: bool) -> Image:
    """Makes the image of banks, each with its path and its name in C. Raises SettingProblem."""
    if place % unit:
        raise SettingProblem(f"{named('--at')} {place}: is not a multiple of the unit of {unit} bytes; choose "
                             f"{place // unit * unit} or {(place // unit + 1) * unit}")
    content = bytearray()
    packed = []
    for path, name, bank in banks:
        tiers, places = tiers_of(path, bank, from_files), []
        for tier in tiers:
            places.append(place + len(content))
            content += tier + _ERASED * (-len(tier) % unit)
        if place + len(content) > MOST_BYTES:
            raise SettingProblem(f"{path}: its tiers end {place + len(content):,} bytes from the start of the medium, "
                                 f"but {MOST_BYTES:,} are possible; pack fewer banks, or choose another "
                                 f"{named('--at')}")
        packed.append(Packed(path, name, bank, without_tiers(bank, 0)[0], tiers, tuple(places)))
    return Image(unit, place, tuple(packed), bytes(content))
