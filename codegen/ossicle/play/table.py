"""Formats the table of `ossicle play`."""
from __future__ import annotations

from collections.abc import Sequence


from ..reporting.names import printable
from ..reporting.tables import Table
from .recording import Tick

_DEGREES = 360.0


def tick_table(ticks: Sequence[Tick], every: bool) -> Table:
    """Returns a row for each tick: its end, the state, the events, the place and the hash of the pose. every: also for
    ticks in which nothing happened, except the last."""
    rows = Table([("s", "right"), ("state", "left"), ("events", "left"), ("x m", "right"), ("y m", "right"),
                  ("z m", "right"), ("yaw", "right"), ("pose", "left")])
    for tick in ticks:
        if every or tick.input or tick.switches or tick.events or tick is ticks[-1]:
            yaw = _DEGREES * tick.component("yaw")
            states, events = (printable(", ".join(names)) for names in ((tick.state, *tick.layers), tick.events))
            rows.add_row(f"{tick.end_us / 1e6:.3f}", states, events,
                         *(f"{tick.component(name):.3f}" for name in "xyz"), f"{yaw:.1f}", tick.pose)
    return rows
