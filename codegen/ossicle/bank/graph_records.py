"""The parts of a compiled animation graph, by number (SPEC.md section 26)."""
from __future__ import annotations

from dataclasses import dataclass

from ..base.format import number

TRIGGER, FLAG, CHOICE, NUMBER = (number(f"GRAPH_{kind}") for kind in ("TRIGGER", "FLAG", "CHOICE", "NUMBER"))
INERTIA, CUT = number("GRAPH_INERTIA"), number("GRAPH_CUT")
ALWAYS, WAITS, IS_SET, AT_LEAST, EQUALS, FINISHED, AFTER, AT, INSIDE = (number(f"GRAPH_{atom}") for atom in (
    "ALWAYS", "WAITS", "IS_SET", "AT_LEAST", "EQUALS", "FINISHED", "AFTER", "AT", "INSIDE"))
WITH_NUMBER = (AT_LEAST, EQUALS, AFTER)  # atoms of two words
WITHOUT_OPPOSITE = (WAITS, AT)
OF_PARAMETERS = {WAITS: TRIGGER, IS_SET: FLAG, AT_LEAST: NUMBER, EQUALS: CHOICE}
OF_EVENTS = (AT, INSIDE)
MOST_CLAUSES = number("GRAPH_MOST_CLAUSES")  # of a condition
MOST_ATOMS = number("GRAPH_CLAUSE_MOST_ATOMS")  # of a clause
FOREVER = number("GRAPH_WAITS_FOREVER")  # of waiting times and loops
ONE_Q16 = number("ONE_Q16")
PLANE_ONE = number("GRAPH_PLANE_ONE")  # the range of a number, in points of a blend by two


@dataclass(frozen=True)
class Parameter:
    """A value that the game writes. kind: TRIGGER, FLAG, CHOICE or NUMBER; least, most, default: Q16 of a number;
    most: of a trigger, how long it waits, in microseconds, or FOREVER; slew_us: the least time of a number for its
    whole range; values: the names of a choice."""

    name: str
    kind: int
    least: int
    most: int
    default: int
    slew_us: int = 0
    unit: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sync:
    """The marks of a clip that keeps step, as osc_sync_clip: positions in the order of their names, the last frame, the
    time of a frame."""

    marks_q11: tuple[int, ...]
    end_q11: int
    us_per_frame: int


@dataclass(frozen=True)
class Member:
    """A clip of a blend. at: the value of the parameter at which only this clip shows, or of a blend by two numbers the
    word of a point; stride_q20: metres from mark to mark, or 0 for the trajectory of the clip."""

    clip: int
    at: int
    sync: Sync
    stride_q20: int = 0

    @property
    def point(self) -> tuple[int, int]:
        """The place in a blend by two numbers, in PLANE_ONE of their ranges."""
        return self.at & 0xFFFF, self.at >> 16


def point_word(point: tuple[int, int]) -> int:
    """Returns the place of a member of a blend by two numbers."""
    return point[0] | point[1] << 16


@dataclass(frozen=True)
class Triangle:
    """A triangle of a blend by two numbers. corners: numbers of members of the state, counter-clockwise; hull: of each
    corner, whether no other triangle has the edge opposite to it."""

    corners: tuple[int, int, int]
    hull: tuple[bool, bool, bool]


@dataclass(frozen=True)
class State:
    """A state, which plays a clip, or blends members by the number `blend`, or by two, of which `second` is the other.
    loops: at least 1, or FOREVER; speed_parameter: None for the constant speed_q16; transitions: those that leave it,
    ascending; positions_q11, times_us: its watches (positions of a blend: (0,) if a mark of its members is watched)."""

    name: str
    clip: int
    loops: int
    speed_q16: int
    speed_parameter: int | None = None
    transitions: tuple[int, ...] = ()
    positions_q11: tuple[int, ...] = ()
    times_us: tuple[int, ...] = ()
    blend: int | None = None
    members: tuple[Member, ...] = ()
    second: int | None = None
    triangles: tuple[Triangle, ...] = ()


def blend_of(name: str, parameter: int, members: tuple[Member, ...], second: int | None = None,
             triangles: tuple[Triangle, ...] = ()) -> State:
    """Returns a state that blends members by a number, or by two."""
    return State(name, 0, FOREVER, ONE_Q16, blend=parameter, members=members, second=second, triangles=triangles)


@dataclass(frozen=True)
class Atom:
    """A part of a condition. argument: the parameter or the name of the event; number: of WITH_NUMBER."""

    operation: int
    opposite: bool = False
    argument: int = 0
    number: int = 0


Clause = tuple[Atom, ...]  # holds if each of its atoms does
UNCONDITIONAL: tuple[Clause, ...] = ((Atom(ALWAYS),),)


@dataclass(frozen=True)
class Transition:
    """A transition. target: a state; start_q11: the position at which it begins; clauses: one of them has to hold."""

    target: int
    kind: int
    over_us: int
    start_q11: int = 0
    hold_us: int = 0
    clauses: tuple[Clause, ...] = UNCONDITIONAL


@dataclass(frozen=True)
class Group:
    """A name for `count` states from the state `first` on."""

    name: str
    first: int
    count: int


@dataclass(frozen=True)
class Graph:
    """A compiled graph. parameters: triggers first, then numbers with a slew; event_count: the most events of a step;
    longest_us: the longest step."""

    parameters: tuple[Parameter, ...]
    states: tuple[State, ...]
    transitions: tuple[Transition, ...] = ()
    groups: tuple[Group, ...] = ()
    first_state: int = 0
    event_count: int = 0
    longest_us: int = 250_000

    @property
    def trigger_count(self) -> int:
        """The number of triggers, which are the first parameters."""
        return sum(parameter.kind == TRIGGER for parameter in self.parameters)

    @property
    def slewed_count(self) -> int:
        """The number of slewed numbers, which follow the triggers."""
        return sum(parameter.slew_us > 0 for parameter in self.parameters)

    @property
    def has_blends(self) -> bool:
        """Whether a state blends clips."""
        return any(state.blend is not None for state in self.states)

    @property
    def has_planes(self) -> bool:
        """Whether a state blends clips by two numbers."""
        return any(state.second is not None for state in self.states)

    @property
    def players(self) -> int:
        """The number of clips that play together."""
        return 3 if self.has_planes else 2 if self.has_blends else 1

    @property
    def has_inertia(self) -> bool:
        """Whether a transition needs memory for the poses that were shown."""
        return any(transition.kind == INERTIA and transition.over_us for transition in self.transitions)
