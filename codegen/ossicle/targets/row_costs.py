"""What a row costs with each codec, from what the player program counted for every clip."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SEGMENTED = "transform"  # the codec that reads the stream once in a few frames


@dataclass(frozen=True)
class ClipCost:
    """Instructions to move on by one frame, over all frames of a clip played forward.

    entering: those of these frames at which a clip with segments enters its next one; the player
    counts them for every clip, whatever its codec.
    """

    rows: int
    total: int
    worst: int
    entering_rows: int
    entering_total: int


@dataclass(frozen=True)
class CodecCost:
    """The same over all clips with one codec.

    average, worst: instructions per row. segment: what entering a segment takes on average beside
    the row itself, and row what a row takes without that; None for codecs without segments and for
    clips of a single segment.
    """

    codec: str
    clips: int
    rows: int
    average: int
    worst: int
    row: int | None
    segment: int | None


def codec_costs(costs: Sequence[ClipCost], codecs: Sequence[str]) -> list[CodecCost]:
    """One entry a codec, in the codecs' alphabetical order. costs, codecs: one for each clip of a
    bank; clips of a single frame have no row that could cost anything and do not count. Raises
    ValueError where the two differ in length."""
    by_codec: dict[str, list[ClipCost]] = {}
    for cost, codec in zip(costs, codecs, strict=True):
        if cost.rows:
            by_codec.setdefault(codec, []).append(cost)
    return [_sum_up(codec, by_codec[codec]) for codec in sorted(by_codec)]


def _sum_up(codec: str, costs: list[ClipCost]) -> CodecCost:
    rows, total = sum(cost.rows for cost in costs), sum(cost.total for cost in costs)
    entering = sum(cost.entering_rows for cost in costs)
    entering_total = sum(cost.entering_total for cost in costs)
    row = segment = None
    if codec == SEGMENTED and 0 < entering < rows:
        row = (total - entering_total) // (rows - entering)
        segment = entering_total // entering - row
    return CodecCost(codec, len(costs), rows, total // rows, max(cost.worst for cost in costs), row,
                     segment)
