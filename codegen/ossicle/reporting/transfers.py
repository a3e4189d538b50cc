"""The table of clips that were made for another skeleton."""
from __future__ import annotations

from collections.abc import Iterable, Iterator


from ..model.clip_measure import ClipMeasure
from .names import printable
from .tables import Table

_MOST_NAMED = 24  # joints in a line


def transfer_tables(clips: Iterable[tuple[str, ClipMeasure | None]]) -> Iterator[Table | str]:
    """Yields the differences of retargeted clips, given with their names, from their sources, and a line for joints
    without a partner; nothing if there are no such clips."""
    rows = Table([("retargeted clip", "left"), ("mean angle", "right"), ("largest", "right"),
                  ("feet slide mm", "right"), ("soles below ground mm", "right")])
    idle: dict[tuple[str, ...], list[str]] = {}
    for name, measure in clips:
        if measure is not None:
            rows.add_row(printable(name), f"{measure.mean_angle_degrees:.1f}°", f"{measure.largest_angle_degrees:.1f}°",
                         f"{measure.slide_mm:.1f}", "-" if measure.ground_mm is None else f"{measure.ground_mm:.1f}")
            idle.setdefault(tuple(measure.unmapped), []).append(name)
    if rows.rows:
        yield rows
    for joints, names in idle.items():
        if joints:
            where = "" if len(idle) == 1 else f" in {_listed(names)}"
            yield f"joints without a partner keep their bind pose{where}: {_listed(joints)}"


def _listed(names: Iterable[str]) -> str:
    shown = [printable(name) for name in names]
    return ", ".join(shown[:_MOST_NAMED]) + (", ..." if len(shown) > _MOST_NAMED else "")
