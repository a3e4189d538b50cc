"""Plans the runs of joints over which generated mixes loop."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from ..bank.file import TRACK_KINDS, Bank

# From this number of runs, a table of them takes less flash than a call for each, on a Cortex-M0.
MIN_RUNS = 4


@dataclass(frozen=True)
class Run:
    """Neighbouring joints that have a sub-track of one kind: the identifiers of the first and the last."""

    first: str
    last: str


@dataclass(frozen=True)
class MixPlan:
    """The runs of each kind of sub-track, in the order of joints. tables: whether loops read runs from tables if there
    are several."""

    rotation: tuple[Run, ...]
    translation: tuple[Run, ...]
    scale: tuple[Run, ...]
    tables: bool

    @property
    def kinds(self) -> dict[str, tuple[Run, ...]]:
        """The runs of all kinds that have any."""
        return {kind: runs for kind in TRACK_KINDS if (runs := getattr(self, kind))}

    def has_table(self, kind: str) -> bool:
        """Returns whether the runs of a kind are in a table."""
        return self.tables and len(self.kinds[kind]) >= MIN_RUNS


def plan_mix(bank: Bank, identifiers: Sequence[str], loops: bool) -> MixPlan:
    """Returns the runs of a bank. loops: whether the layout prefers tables to straight-line code."""
    rotation, translation, scale = (_runs([joint for kind, joint in bank.subtracks if kind == requested], identifiers)
                                    for requested in TRACK_KINDS)
    return MixPlan(rotation, translation, scale, loops)


def _runs(joints: Sequence[int], identifiers: Sequence[str]) -> tuple[Run, ...]:
    runs = []
    for _, run in groupby(enumerate(sorted(joints)), key=lambda pair: pair[1] - pair[0]):
        members = [joint for _, joint in run]
        runs.append(Run(identifiers[members[0]], identifiers[members[-1]]))
    return tuple(runs)
