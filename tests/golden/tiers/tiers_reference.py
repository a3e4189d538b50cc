"""The directory of tiers and the choice of clips, from runtime/SPEC.md section 15."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bit_stream import require

DENSE, LAST_CODEC = 6, 6
KEYS = 0  # in the place of a codec
MOST_TIERS, MOST_BLOCKS, MOST_LOG2 = 4, 4096, 31
TAGS = ("TIE1", "TIE2", "TIE3", "TIE4")


@dataclass(frozen=True)
class Base:
    """A clip of DATA, to which the directory refers."""

    frame_count: int
    codec: int
    loop: bool
    additive: bool = False


@dataclass(frozen=True)
class Entry:
    """A chunk of a tier: its words are `first` .. `end` - 1 of the tier."""

    tier: int
    clip: int
    block: int
    codec: int
    first: int
    end: int
    crc: int


@dataclass(frozen=True)
class Directory:
    """TIER. errors: Q20, of the base and with each tier; sizes: words of each tier."""

    log2: int = MOST_LOG2
    errors: tuple[int, ...] = (0,)
    sizes: tuple[int, ...] = ()
    entries: tuple[Entry, ...] = ()

    def blocks(self, base: Base) -> int:
        """The number of blocks of a clip."""
        return max(1, -(-(base.frame_count - 1) // 2**self.log2))

    def block_of(self, base: Base, frame: int) -> int:
        """The block that plays at a frame."""
        return min(frame >> self.log2, self.blocks(base) - 1)

    def frames_of(self, base: Base, block: int) -> int:
        """The number of frames in a version of a block."""
        first, last = block << self.log2, min((block + 1) << self.log2, base.frame_count - 1)
        return last - first + 1


def _entries(tier: int, size: int, words: Sequence[int]) -> list[Entry]:
    """The chunks of one tier."""
    offsets = [*words[1::3], size]
    require(offsets[0] == 0, "SECTION", "the first chunk begins at 0, and without chunks the size is 0")
    require(all(a < b for a, b in zip(offsets, offsets[1:])), "SECTION", "chunks follow each other")
    return [Entry(tier, key >> 16, key >> 4 & 0xFFF, key & 15, first, end, crc)
            for key, first, end, crc in zip(words[::3], offsets[:-1], offsets[1:], words[2::3], strict=True)]


def _check(entry: Entry, bases: Sequence[Base], directory: Directory) -> None:
    require(entry.clip < len(bases) and entry.codec <= LAST_CODEC, "SECTION", "a clip and a codec")
    base, size = bases[entry.clip], entry.end - entry.first
    if entry.codec == KEYS:
        require(base.codec == DENSE and entry.block == 0 and size >= 2, "SECTION", "keys")
    else:
        require(entry.block < directory.blocks(base) and size >= 4, "SECTION", "a version")


def read_directory(words: Sequence[int] | None, bases: Sequence[Base]) -> Directory:
    """Reads TIER; None stands for a bank without it. Raises BankError."""
    if words is None:
        return Directory()
    require(len(words) >= 2, "SECTION", "size of TIER")
    count, log2 = words[0] % 256, words[0] // 256
    require(1 <= count <= MOST_TIERS and log2 <= MOST_LOG2, "SECTION", "form")
    records, chunks = words[2:2 + 3 * count], words[2 + 3 * count:]
    require(len(records) == 3 * count, "SECTION", "size of TIER")
    sizes, ends = records[::3], [0, *records[1::3]]
    require(all(size < 1 << 26 for size in sizes), "SECTION", "size of a tier")
    require(list(ends) == sorted(ends) and len(chunks) == 3 * ends[-1], "SECTION", "number of chunks")
    entries = [entry for tier in range(count)
               for entry in _entries(tier + 1, sizes[tier], chunks[3 * ends[tier]:3 * ends[tier + 1]])]
    directory = Directory(log2, (words[1], *records[2::3]), tuple(sizes), tuple(entries))
    require(all(directory.blocks(base) <= MOST_BLOCKS for base in bases), "SECTION", "blocks")
    for entry in entries:
        _check(entry, bases, directory)
    for before, entry in zip(entries, entries[1:]):
        require((before.tier, before.clip, before.block) < (entry.tier, entry.clip, entry.block), "SECTION",
                "order of chunks")
    return directory


def tiers_there(sections: Mapping[str, Sequence[int]], directory: Directory) -> dict[int, Sequence[int]]:
    """The words of the tiers that the bank contains, by number. Raises BankError."""
    there = {tier: sections[tag] for tier, tag in enumerate(TAGS, 1) if tag in sections}
    for tier, words in there.items():
        require(tier <= len(directory.sizes) and len(words) == directory.sizes[tier - 1], "SECTION", "a tier")
    return there
