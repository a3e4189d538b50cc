"""The table of clips that were made for another skeleton."""
from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table

from ..model.clip_measure import ClipMeasure
from .console import table


def transfer_table(clips: Iterable[tuple[str, ClipMeasure | None]]) -> Table | None:
    """Returns the differences of retargeted clips, given with their names, from their sources; None if there are no
    such clips."""
    rows = table([("retargeted clip", "left"), ("mean angle", "right"), ("largest", "right"),
                  ("feet slide mm", "right"), ("under the ground mm", "right")])
    for name, measure in clips:
        if measure is not None:
            rows.add_row(name, f"{measure.mean_angle_degrees:.1f}°", f"{measure.largest_angle_degrees:.1f}°",
                         f"{measure.slide_mm:.1f}", f"{measure.ground_mm:.1f}")
    return rows if rows.row_count else None
