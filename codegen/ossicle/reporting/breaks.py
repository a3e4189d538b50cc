"""Formats the table of breaks, the frames at which tracks jump instead of being blended."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby


from .console import counted
from .names import printable
from .tables import Table

_MOST_ROWS = 20
_MOST_TRACKS = 3  # in a row


def break_table(clips: Iterable[tuple[str, float, Sequence[tuple[int, str, str]]]]) -> Table | None:
    """Returns a table with a row for each frame of a clip at which tracks jump, up to _MOST_ROWS, or None. clips: name,
    frames per second, and for each break the frame, the joint and the kind of track, ascending."""
    rows = [(name, at, at / rate, list(tracks)) for name, rate, breaks in clips
            for at, tracks in groupby(breaks, key=lambda item: item[0])]
    if not rows:
        return None
    result = Table([("clip", "left"), ("jumps at frame", "right"), ("seconds", "right"), ("tracks", "left")])
    for name, at, seconds, tracks in rows[:_MOST_ROWS]:
        shown = ", ".join(f"{joint} {kind}" for _, joint, kind in tracks[:_MOST_TRACKS])
        more = f" and {len(tracks) - _MOST_TRACKS:,} more" if len(tracks) > _MOST_TRACKS else ""
        result.add_row(printable(name), f"{at}", f"{seconds:.3f}", printable(shown) + more)
    if len(rows) > _MOST_ROWS:
        result.add_row(f"and at {counted(len(rows) - _MOST_ROWS, 'frame')} more, which the JSON lists")
    return result
