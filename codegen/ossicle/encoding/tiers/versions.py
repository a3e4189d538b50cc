"""Chooses the versions of clips for a bank with tiers: the version in the base, and the tiers with finer versions.

A finer version replaces a coarser one completely, in any codec. That takes fewer bytes than refining the coarser one,
costs nothing to play, and lets tiers arrive in any order. Because every version costs bytes, a clip has as few as the
errors permit.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ...bank.clips import ONE_Q11
from ...bank.tiers import BLOCK_LOG2_MAX, ENTRY_WORDS, block_count, block_frames
from .. import native

_CHUNK_BYTES = 4 * (ENTRY_WORDS + 2)  # the entry and the framing of a version
_MIDDLE_SHARE = 0.5  # an intermediate version must be smaller than this fraction of the finest one
_MOST_FACTOR = 4096.0  # the coarsest base, in tolerances
_STEPS = 256  # a power of two: the base errors to try between a tolerance and the coarsest one


@dataclass(frozen=True)
class VersionRequest:
    """A version to encode: the clip, or a block of it, within error_m."""

    clip: int
    error_m: float
    block: int | None = None


@dataclass(frozen=True, eq=False)
class Piece:
    """An encoded version: a block of a clip, or the whole clip if it has only one block. holds_m: the smallest
    tolerance of the clip that it is measured to meet, with those of joints in proportion."""

    block: int
    encoded: native.EncodedClip
    bytes: int
    holds_m: float


@dataclass(frozen=True, eq=False)
class Tiered:
    """A clip that may have versions. tolerance_m: of its finest version; finest: the whole finest version, with its
    bytes; block_log2: of the frames in a block."""

    index: int
    tolerance_m: float
    finest: native.EncodedClip
    bytes: int
    frames: int
    block_log2: int

    @property
    def blocks(self) -> int:
        return block_count(self.frames, self.block_log2)


@dataclass(eq=False)
class Plan:
    """The content of a bank with tiers. base: the versions of clips in the base other than the finest ones; versions:
    those in tiers, by (tier, clip), by block."""

    count: int
    block_log2: int
    base: dict[int, Piece] = field(default_factory=dict)
    versions: dict[tuple[int, int], list[Piece]] = field(default_factory=dict)

    @property
    def tiers(self) -> native.Tiers:
        return native.Tiers(self.count, self.block_log2, tuple(
            native.Version(tier, clip, piece.block, piece.encoded)
            for (tier, clip), pieces in self.versions.items() for piece in pieces))

    def playing(self, clip: int, tiers: int) -> list[Piece]:
        """Returns the pieces of a clip that play with only the first `tiers` tiers."""
        return next((self.versions[tier, clip] for tier in range(tiers, 0, -1) if (tier, clip) in self.versions),
                    [self.base[clip]])


Encode = Callable[[Sequence[VersionRequest]], list[Piece]]  # in the order of the requests


class Chooser:
    """Chooses the versions of the clips of a bank. encode: encodes several versions concurrently."""

    def __init__(self, clips: Sequence[Tiered], block_log2: int, encode: Encode) -> None:
        self._clips, self._block_log2, self._encode_all = clips, block_log2, encode
        self._encoded: dict[VersionRequest, Piece] = {}
        self.smallest_bytes = 0  # of a base; set by by_sizes

    def by_errors(self, errors_m: Sequence[float]) -> Plan:
        """Returns the plan in which the errors of all clips are within the first error without tiers, within the second
        one with the first tier, and so on."""
        plan = Plan(len(errors_m), self._block_log2)
        coarse = [clip for clip in self._clips if errors_m[0] > clip.tolerance_m]
        self._encode(VersionRequest(clip.index, errors_m[0]) for clip in coarse)
        finer = [clip for clip in coarse if self._set_base(plan, clip, errors_m[0])]
        self._encode(request for clip in finer for request in self._finest_of(clip))
        self._encode(VersionRequest(clip.index, error, block) for clip in finer for error in errors_m[1:]
                     if error > clip.tolerance_m for block in self._blocks_of(clip))
        for clip in finer:
            self._add_versions(plan, clip, errors_m)
        return plan

    def by_sizes(self, limits: Sequence[int], sizes_of: Callable[[Plan], list[int]]) -> Plan | None:
        """Returns the plan whose bytes are within the first limit without tiers, within the second one with the first
        tier, and so on, or None if there is none. The error of the base is the smallest with which all clips fit; the
        first tiers have the clips with the largest error times duration per byte. sizes_of: returns the bytes of a
        plan's bank with the first 0, 1, .. tiers."""
        low, high = 0, _STEPS
        self.smallest_bytes = sizes_of(self._base_plan(high, len(limits)))[0]
        if self.smallest_bytes > limits[0]:
            return None
        if sizes_of(self._base_plan(low, len(limits)))[0] <= limits[0]:
            return Plan(len(limits), self._block_log2)
        while high - low > 1:
            middle = (low + high) // 2
            if sizes_of(self._base_plan(middle, len(limits)))[0] > limits[0]:
                low = middle
            else:
                high = middle
        while True:  # blocks and other tiers may change the base by a few bytes
            plan = self._base_plan(high, len(limits))
            self._divide(plan, limits, sizes_of)
            if sizes_of(plan)[0] <= limits[0] or high == _STEPS:
                return plan
            high += 1

    def _blocks_of(self, clip: Tiered) -> Sequence[int | None]:
        return [None] if clip.blocks == 1 else range(clip.blocks)

    def _finest_of(self, clip: Tiered) -> Iterator[VersionRequest]:
        return (VersionRequest(clip.index, clip.tolerance_m, block) for block in self._blocks_of(clip))

    def _encode(self, requests: Iterable[VersionRequest]) -> None:
        finest = {(clip.index, clip.tolerance_m): clip for clip in self._clips}
        missing = []
        for request in dict.fromkeys(requests):
            clip = finest.get((request.clip, request.error_m))
            if clip is not None and request.block is None:
                self._encoded[request] = Piece(0, clip.finest, clip.bytes, clip.tolerance_m)
            elif request not in self._encoded:
                missing.append(request)
        self._encoded.update(zip(missing, self._encode_all(missing)))

    def _set_base(self, plan: Plan, clip: Tiered, error_m: float) -> bool:
        """Puts a version of a clip into the base. Returns False if that is the finest one, because it takes no more
        than the other one and a chunk."""
        base = self._encoded[VersionRequest(clip.index, error_m)]
        if clip.bytes <= base.bytes + _CHUNK_BYTES:
            return False
        plan.base[clip.index] = base
        return True

    def _add_versions(self, plan: Plan, clip: Tiered, errors_m: Sequence[float]) -> None:
        """Adds a version to each tier whose error the previous one does not meet."""
        finest = [self._encoded[request] for request in self._finest_of(clip)]
        playing = [plan.base[clip.index]]
        for tier, error in enumerate((*errors_m[1:], clip.tolerance_m), 1):
            error = max(error, clip.tolerance_m)
            if all(piece.holds_m <= error for piece in playing):
                continue
            middle = [self._encoded[VersionRequest(clip.index, error, block)] for block in self._blocks_of(clip)] \
                if error > clip.tolerance_m else finest
            worth = _bytes_of(middle) < _MIDDLE_SHARE * _bytes_of(finest)
            playing = plan.versions[tier, clip.index] = middle if worth else finest

    # ---- sizes ----

    def _base_plan(self, step: int, count: int) -> Plan:
        """Returns a plan with all finest versions, undivided, in the last tier, and a base error between a clip's
        tolerance and _MOST_FACTOR times that. step: 0 .. _STEPS."""
        plan = Plan(count, BLOCK_LOG2_MAX)
        factor = _factor(step)
        self._encode(VersionRequest(clip.index, factor * clip.tolerance_m) for clip in self._clips)
        for clip in self._clips:
            if self._set_base(plan, clip, factor * clip.tolerance_m):
                plan.versions[count, clip.index] = [Piece(0, clip.finest, clip.bytes, clip.tolerance_m)]
        return plan

    def _divide(self, plan: Plan, limits: Sequence[int], sizes_of: Callable[[Plan], list[int]]) -> None:
        """Divides the finest versions of a plan into blocks, and among the tiers."""
        clips = [clip for clip in self._clips if clip.index in plan.base]
        self._encode(request for clip in clips for request in self._finest_of(clip))
        plan.block_log2 = self._block_log2
        for clip in clips:
            plan.versions[plan.count, clip.index] = [self._encoded[request] for request in self._finest_of(clip)]
        left = [(plan.count, clip.index) for clip in sorted(clips, key=lambda clip: self._priority(plan, clip))]
        for tier in range(1, plan.count):
            size, moved = sizes_of(plan)[tier], []
            for key in left:
                cost = _bytes_of(plan.versions[key])
                if size + cost <= limits[tier]:
                    size += cost
                    moved.append((tier, key[1]))
                    plan.versions[moved[-1]] = plan.versions.pop(key)
            while moved and sizes_of(plan)[tier] > limits[tier]:  # because bytes of single clips are estimates
                back = moved.pop()
                plan.versions[plan.count, back[1]] = plan.versions.pop(back)
            left = [key for key in left if key in plan.versions]

    def _priority(self, plan: Plan, clip: Tiered) -> float:
        """Returns the priority of a clip, the smallest first: minus its error without tiers times its duration, per
        byte."""
        return -plan.base[clip.index].encoded.report.error_m * clip.frames / (clip.bytes + _CHUNK_BYTES * clip.blocks)


def _factor(step: int) -> float:
    """Returns _MOST_FACTOR to the power of step / _STEPS by products of square roots, equal on every machine."""
    factor, root, bit = 1.0, _MOST_FACTOR, _STEPS
    while bit:
        factor *= root if step & bit else 1.0
        root, bit = math.sqrt(root), bit >> 1
    return factor


def _bytes_of(pieces: Sequence[Piece]) -> int:
    return sum(piece.bytes for piece in pieces)


def block_input(whole: native.ClipInput, block: int, block_log2: int) -> native.ClipInput:
    """Returns the frames of a block of a clip, and the data between them, as a separate clip."""
    first = block << block_log2
    count = block_frames(len(whole.frames), block_log2, block)
    last, probes = first + count - 1, None
    if whole.probes is not None:
        start, end = (frame * ONE_Q11 for frame in (first, last))
        inside = (whole.probes.positions_q11 >= start) & (whole.probes.positions_q11 <= end)
        if inside.any():
            probes = native.Probes(whole.probes.positions_q11[inside] - start, whole.probes.transforms[inside])
    return native.ClipInput(whole.frames[first:last + 1], whole.steps[first:last + 1], False,
                            None if whole.middles is None else whole.middles[first:last], probes, over=whole.over)
