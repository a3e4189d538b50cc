"""Writes banks of encoded clips."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...bank.file import player_bytes
from ...base.arrays import Array
from ...base.encoder_library import NativeProblem, declarations, library
from ...base.format import number
from .arrays import ERROR_TOO_LARGE, OK, Pointer, bank_words, check_memory, pointer, words_bytes
from .clips import EncodedClip, Skeleton


def _handles(clips: Sequence[EncodedClip]) -> Pointer:
    return declarations().new("enc_clip *[]", [clip.handle for clip in clips])


@dataclass(frozen=True, eq=False)
class Version:
    """A finer version of a clip, or of a block of its frames, in a tier. tier: from 1 on; clip: its index."""

    tier: int
    clip: int
    block: int
    encoded: EncodedClip


@dataclass(frozen=True, eq=False)
class Tiers:
    """The tiers of a bank. versions: in any order; block_log2: clips of more than 2**block_log2 frames have versions in
    blocks of that size."""

    count: int = 0
    block_log2: int = number("BLOCK_LOG2_MAX")
    versions: tuple[Version, ...] = ()


def _tiers(tiers: Tiers) -> tuple[Pointer, list[Pointer]]:
    """Returns the structure for a call, and the data that must live as long."""
    ordered = sorted(tiers.versions, key=lambda version: (version.tier, version.clip, version.block))
    versions = declarations().new("enc_version[]", [
        (version.tier, version.clip, version.block, version.encoded.handle) for version in ordered])
    structure = declarations().new("enc_tiers *", (tiers.count, tiers.block_log2, versions, len(ordered)))
    return structure, [versions]


@dataclass(frozen=True, eq=False)
class Skin:
    """The sections of a skin; None for a bank without one. matrices: int32 [J, 12], the inverse bind matrices in
    Q20, of SKIN; joints: the body of SKJN, a multiple of four bytes."""

    matrices: Array | None = None
    joints: bytes | None = None


def write_bank(
    skeleton: Skeleton,
    clips: list[EncodedClip],
    entries: list[tuple[int, int, int]],
    names: bytes,
    skin: Skin = Skin(),
    tiers: Tiers = Tiers(),
    base_row_bytes: int = 0,
) -> bytes:
    """Returns the bank of these clips, little endian.

    entries: name hash, rate (Q16), position per microsecond (Q32) for each clip; names: the body of the section
    NAME, a multiple of four bytes; base_row_bytes: the bank has a base row if that saves more; 0: it has none.
    """
    return write_sized_bank(skeleton, clips, entries, names, skin, tiers, base_row_bytes)[0]


def write_sized_bank(
    skeleton: Skeleton,
    clips: list[EncodedClip],
    entries: list[tuple[int, int, int]],
    names: bytes,
    skin: Skin = Skin(),
    tiers: Tiers = Tiers(),
    base_row_bytes: int = 0,
) -> tuple[bytes, BankSize]:
    """Returns the results of write_bank and of bank_size."""
    bodies = {"names": bank_words(names)}
    if skin.matrices is not None:
        bodies["skin"] = np.ascontiguousarray(skin.matrices, np.int32).ravel()
    if skin.joints is not None:
        bodies["skin_joints"] = bank_words(skin.joints)
    more = {name: (pointer("uint32_t", words), len(words)) for name, words in bodies.items()}
    out = declarations().new("uint32_t **")
    size = _written(skeleton, clips, declarations().new("enc_clip_entry[]", entries), (tiers, base_row_bytes), more,
                    out)
    return words_bytes(out[0], size.words), _bank_size(size)


def _written(skeleton: Skeleton, clips: Sequence[EncodedClip], entries: Pointer, layout: tuple[Tiers, int],
             more: Mapping[str, tuple[Pointer, int]], out: Pointer) -> Any:
    """Writes a bank to out, unless that is null, and returns its enc_bank_size. Raises NativeProblem if it is too
    large. layout: its tiers, and base_row_bytes."""
    ffi = declarations()
    size, handles, in_tiers = ffi.new("enc_bank_size *"), _handles(clips), _tiers(layout[0])
    status = library().enc_bank_write(ffi.new("enc_bank_content *", {
        "skeleton": skeleton.handle, "clip_count": len(clips), "clips": handles, "entries": entries,
        "tiers": in_tiers[0][0], "more": more, "base_row_bytes": layout[1]}), out, size)
    if status == ERROR_TOO_LARGE:
        raise NativeProblem("the bank would exceed 65,535 clips or 256 MB, or a clip 16,383 breaks or "
                            "32 KB of track headers; split it")
    check_memory(status)
    return size


@dataclass(frozen=True)
class BankSize:
    """The size of a bank. clip_bytes: the data of all clips, without their keys and versions in tiers; tier_bytes: of
    each tier; player_bytes: the RAM of a player on a 32-bit machine; subtracks: the number that it blends."""

    clip_bytes: int
    tier_bytes: tuple[int, ...]
    player_bytes: int
    subtracks: int

    @property
    def data_bytes(self) -> int:
        """The bytes of all clips, including their data in tiers."""
        return self.clip_bytes + sum(self.tier_bytes)


def bank_size(clips: Sequence[EncodedClip], tiers: Tiers = Tiers(), base_row_bytes: int = 0) -> BankSize:
    """Returns the size of the bank of these clips, at least one, without writing it. Raises NativeProblem as
    write_bank."""
    ffi = declarations()
    return _bank_size(_written(clips[0].skeleton, clips, ffi.new("enc_clip_entry[]", len(clips)),
                               (tiers, base_row_bytes), {}, ffi.NULL))


def _bank_size(size: Any) -> BankSize:
    return BankSize(4 * size.data_words, tuple(4 * words for words in size.tier_words), player_bytes(size.player_words),
                    size.subtracks)


def verify_clips(words: Array, clips: Sequence[EncodedClip], tiers: Tiers = Tiers()) -> int | None:
    """Checks that the finished bank of these clips and versions, played by the runtime, has exactly the reported
    errors. Returns None, or the index of the first clip that differs."""
    verified = declarations().new("uint32_t *")
    written, _kept = _tiers(tiers)
    status = library().enc_bank_verify(
        pointer("uint32_t", words), len(words), len(clips), _handles(clips), written, verified)
    check_memory(status)
    return None if status == OK else verified[0]
