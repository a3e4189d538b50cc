"""Plans the runs of joints over which generated mixes loop."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from ...bank.file import TRACK_KINDS, Bank

# From this number of runs, a table of them takes less flash than a call for each, on a Cortex-M0.
MIN_RUNS = 4

# Two runs of rotations that are so few joints apart cost less as one span, on machines with vectors of eight: saving
# and restoring a rotation takes four instructions, a call 25. The saved ones of a span take 16 bytes of stack each.
MAX_GAP = 2
MAX_STILL = 8


@dataclass(frozen=True)
class Run:
    """Neighbouring joints that have a sub-track of one kind: the identifiers of the first and the last."""

    first: str
    last: str


@dataclass(frozen=True)
class Span(Run):
    """Runs that are mixed as one. still: the identifiers of the joints between them, which keep their rotations."""

    still: tuple[str, ...] = ()


@dataclass(frozen=True)
class MixPlan:
    """The runs of each kind of sub-track, in the order of joints. spans: those of rotations, joined. tables: whether
    loops read runs from tables if there are several."""

    rotation: tuple[Run, ...]
    translation: tuple[Run, ...]
    scale: tuple[Run, ...]
    spans: tuple[Span, ...]
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
    rotation, translation, scale = (_groups([joint for kind, joint in bank.subtracks if kind == requested])
                                    for requested in TRACK_KINDS)

    def runs(groups: Sequence[range]) -> tuple[Run, ...]:
        return tuple(Run(identifiers[group[0]], identifiers[group[-1]]) for group in groups)

    return MixPlan(runs(rotation), runs(translation), runs(scale), _spans(rotation, identifiers), loops)


def _groups(joints: Sequence[int]) -> list[range]:
    """The runs of neighbours among joints."""
    groups = []
    for _, run in groupby(enumerate(sorted(joints)), key=lambda pair: pair[1] - pair[0]):
        members = [joint for _, joint in run]
        groups.append(range(members[0], members[-1] + 1))
    return groups


def _spans(groups: Sequence[range], identifiers: Sequence[str]) -> tuple[Span, ...]:
    spans: list[tuple[range, list[int]]] = []
    for group in groups:
        gap = range(spans[-1][0].stop, group.start) if spans else range(0)
        if spans and len(gap) <= MAX_GAP and len(spans[-1][1]) + len(gap) <= MAX_STILL:
            joints, still = spans[-1]
            spans[-1] = range(joints.start, group.stop), [*still, *gap]
        else:
            spans.append((group, []))
    return tuple(Span(identifiers[joints[0]], identifiers[joints[-1]], tuple(identifiers[joint] for joint in still))
                 for joints, still in spans)
