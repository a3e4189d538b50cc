"""Computes the most events that a step of a graph can have, for which a character has memory."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, inf

import numpy as np

from ..bank.graph.check import MOST_EVENTS
from ..bank.graph.records import FOREVER
from ..base.arrays import Array
from .clips import GraphClip
from .parameters import ONE_Q16

MOST_SWITCHES = 4  # OSC_GRAPH_MOST_SWITCHES of osc_graph.h
_COUNTED = MOST_EVENTS + 1  # larger counts are treated as this one

# The states that a transition leaves, its target, the position there, or None for any.
Entry = tuple[Sequence[int], int, int | None]


@dataclass(frozen=True)
class Stay:
    """The events of a state. marks_q11: of a loop, ascending in the direction of play, from where it begins; spans:
    their beginnings and ends; end_q11: the length of a loop; per_us: the most positions in a microsecond."""

    marks_q11: tuple[int, ...]
    spans_q11: tuple[tuple[int, int], ...]
    end_q11: int
    loops: int
    per_us: float
    backward: bool
    slack_q11: int

    @staticmethod
    def of(clip: GraphClip, loops: int, speed_q16: int) -> Stay:
        """Returns the events of a state that plays a clip at this highest speed."""
        per_us = clip.position_per_us_q32 / 2**32
        ends = [(event.position_q11, event.end_q11) for event in clip.events]
        marks = [mark for pair in ends for mark in pair if mark is not None]
        backward = speed_q16 < 0
        return Stay(tuple(sorted(clip.end_q11 - mark if backward else mark for mark in marks)),
                    tuple((begin, end) for begin, end in ends if end is not None), clip.end_q11, loops,
                    per_us * abs(speed_q16) / ONE_Q16, backward, 2 + ceil(per_us))  # what a clock keeps of both

    def open_at(self, position_q11: int) -> int:
        """Returns how many spans contain a position, with both ends."""
        return sum(begin <= position_q11 <= end or end < begin and (position_q11 >= begin or position_q11 <= end)
                   for begin, end in self.spans_q11)

    @property
    def most_open(self) -> int:
        """The most spans that are open together."""
        return max((self.open_at(end) for span in self.spans_q11 for end in span), default=0)

    @property
    def first_q11(self) -> int:
        """The position at which the clip begins in its direction."""
        return self.end_q11 if self.backward else 0

    def times_from(self, position_q11: int) -> list[float]:
        """Returns the least time to pass 0, 1, 2 and more events after entering at a position."""
        at = self.end_q11 - position_q11 if self.backward else position_q11
        marks = self._unrolled()
        return self._times((marks[marks >= at] - at).tolist())

    def times_anywhere(self) -> list[float]:
        """Returns the least time to pass 0, 1, 2 and more events from any position."""
        marks = self._unrolled()
        return self._times([int((marks[count:] - marks[:len(marks) - count]).min())
                            for count in range(min(len(marks), _COUNTED))])

    def _unrolled(self) -> Array:
        """Returns the marks of as many loops as have _COUNTED of them after any mark."""
        marks = np.array(self.marks_q11, np.int64)
        if not len(marks) or not self.end_q11:
            return marks
        needed = _COUNTED // len(marks) + 2
        loops = needed if self.loops == FOREVER else min(self.loops, needed)
        return (np.arange(loops)[:, None] * self.end_q11 + marks).ravel()

    def _times(self, distances: Sequence[int]) -> list[float]:
        times = [max(distance - self.slack_q11, 0) / self.per_us if self.per_us else 0.0 if distance == 0 else inf
                 for distance in distances]
        return [0.0, *times[:_COUNTED]]


@dataclass(frozen=True)
class Counted:
    """The most events of a step; all counts above MOST_EVENTS are equal. state: the state that passes most by
    itself."""

    events: int
    state: int


def most_events(stays: Sequence[Stay], states: range, entries: Sequence[Entry], longest_us: int) -> Counted:
    """Returns the most events of a machine in a step of longest_us: of the states that it can pass through, and of the
    spans that begin and end with switches. states: those of the machine; entries: the transitions of all."""
    own = [([source - states.start for source in sources], target - states.start, start_q11)
           for sources, target, start_q11 in entries if target in states]
    counted = _most_events(stays[states.start:states.stop], own, longest_us)
    return replace(counted, state=counted.state + states.start)


def _most_events(stays: Sequence[Stay], entries: Sequence[Entry], longest_us: int) -> Counted:
    spent = np.array([_after([0.0], _within(stay.times_anywhere(), longest_us), 0) for stay in stays])
    alone = [_most(row, longest_us) for row in spent]
    best = max(alone)
    everywhere = [(range(len(stays)), target, stay.first_q11) for target, stay in enumerate(stays)]  # osc_graph_go
    for switch in range(MOST_SWITCHES):
        left = np.array([_moved(row, stay.most_open) for row, stay in zip(spent, stays)])
        spent = np.full_like(spent, inf)
        for sources, target, start_q11 in (*entries, *(everywhere if switch == 0 else ())):
            stay = stays[target]
            times = stay.times_anywhere() if start_q11 is None else stay.times_from(start_q11)
            opened = stay.most_open if start_q11 is None else stay.open_at(start_q11)
            row = _after(left[list(sources)].min(axis=0), _within(times, longest_us), opened)
            spent[target] = np.minimum(spent[target], row)
        best = max(best, *(_most(row, longest_us) for row in spent))
    return Counted(best, max(range(len(stays)), key=lambda state: alone[state]))


def _within(times: Sequence[float], longest_us: int) -> Sequence[float]:
    return [time_us for time_us in times if time_us <= longest_us]


def _after(before: Sequence[float] | Array, times: Sequence[float], more: int) -> Array:
    """Returns the least time for each number of events: before, and then of a stay, with some more."""
    known = np.full(_COUNTED + 1, inf)
    known[:len(before)] = before
    found = np.full(_COUNTED + 1, inf)
    for count, time_us in enumerate(times):
        found = np.minimum(found, _moved(known, count + more) + time_us)
    return found


def _moved(row: Array, more: int) -> Array:
    """Returns the least times with so many events more."""
    moved = np.full_like(row, inf)
    more = min(more, _COUNTED)
    moved[more:] = row[:len(row) - more]
    moved[-1] = row[len(row) - 1 - more:].min()
    return moved


def _most(row: Array, longest_us: int) -> int:
    return int(np.flatnonzero(row <= longest_us)[-1]) if (row <= longest_us).any() else 0
