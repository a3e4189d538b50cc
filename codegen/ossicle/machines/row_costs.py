"""Computes the cost of a row with each codec from the player program's counts for every clip."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SEGMENTED = "transform"  # the codec that reads the stream only once every few frames


@dataclass(frozen=True)
class ClipCost:
    """The instructions to advance by one frame, over all frames of a clip played forward.

    entering: the frames at which a clip with segments enters its next segment; the player counts
    them for every clip, regardless of its codec.
    """

    rows: int
    total: int
    worst: int
    entering_rows: int
    entering_total: int


@dataclass(frozen=True)
class CodecCost:
    """The same over all clips with a codec.

    average, worst: instructions per row. segment: the average instructions to enter a segment, in
    addition to the row itself; row: the average instructions of a row without these. Both are None
    for codecs without segments and for clips of a single segment.
    """

    codec: str
    clips: int
    rows: int
    average: int
    worst: int
    row: int | None
    segment: int | None


def codec_costs(costs: Sequence[ClipCost], codecs: Sequence[str]) -> list[CodecCost]:
    """Returns an entry per codec, in alphabetical order. costs, codecs: of each clip of a bank. Clips of a single frame
    have no row to count and are ignored. Raises ValueError if the two differ in length."""
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
