"""The parts of a compiled animation graph, by number (SPEC.md section 26)."""
from __future__ import annotations

from dataclasses import dataclass

from ...base.format import number

TRIGGER, FLAG, CHOICE, NUMBER, POINT = (number(f"GRAPH_{kind}") for kind in (
    "TRIGGER", "FLAG", "CHOICE", "NUMBER", "POINT"))
INERTIA, CUT, FADE, STEP = (number(f"GRAPH_{kind}") for kind in ("INERTIA", "CUT", "FADE", "STEP"))
ALWAYS, WAITS, IS_SET, AT_LEAST, EQUALS, FINISHED, AFTER, AT, INSIDE, IN = (number(f"GRAPH_{atom}") for atom in (
    "ALWAYS", "WAITS", "IS_SET", "AT_LEAST", "EQUALS", "FINISHED", "AFTER", "AT", "INSIDE", "IN"))
WITH_NUMBER = (AT_LEAST, EQUALS, AFTER)  # atoms of two words
WITHOUT_OPPOSITE = (WAITS, AT)
OF_PARAMETERS = {WAITS: TRIGGER, IS_SET: FLAG, AT_LEAST: NUMBER, EQUALS: CHOICE}
OF_EVENTS = (AT, INSIDE)
MOST_CLAUSES = number("GRAPH_MOST_CLAUSES")  # of a condition
MOST_ATOMS = number("GRAPH_CLAUSE_MOST_ATOMS")  # of a clause
FOREVER = number("GRAPH_WAITS_FOREVER")  # of waiting times and loops
ONE_Q16 = number("ONE_Q16")
ONE_Q15 = number("ONE_Q15")
LEVELS = (ALWAYS, IS_SET, AT_LEAST, EQUALS, IN)  # of a `while`: they need no moment of their own
MOST_CHOSEN = number("GRAPH_CHOICE_MOST_STATES")
MOST_WEIGHT = 255  # the largest weight that a state of a choice can have
PLANE_ONE = number("GRAPH_PLANE_ONE")  # the range of a number, in points of a blend by two


@dataclass(frozen=True)
class Parameter:
    """A value that the game writes. kind: TRIGGER, FLAG, CHOICE, NUMBER or POINT; least, most, default: Q16 of a
    number; most: of a trigger, how long it waits, in microseconds, or FOREVER; of a point, 1 if it is in the world, not
    in model space; slew_us: the least time of a number for its whole range; values: the names of a choice."""

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
    ascending; positions_q11, times_us: its watches (positions of a blend: (0,) if a mark of its members is watched);
    nothing: plays nothing, in a layer; one_shot: its layer has faded out when the clip ends; by_position:
    speed_parameter is not its speed but where it is in its clip."""

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
    nothing: bool = False
    one_shot: bool = False
    by_position: bool = False


def blend_of(name: str, parameter: int, members: tuple[Member, ...], second: int | None = None,
             triangles: tuple[Triangle, ...] = ()) -> State:
    """Returns a state that blends members by a number, or by two."""
    return State(name, 0, FOREVER, ONE_Q16, blend=parameter, members=members, second=second, triangles=triangles)


def nothing_of(name: str) -> State:
    """Returns a state that plays nothing."""
    return State(name, 0, 1, ONE_Q16, nothing=True)


@dataclass(frozen=True)
class Atom:
    """A part of a condition. argument: the parameter, the name of the event, or of IN the first state and, from bit 8
    on, the number of states; number: of WITH_NUMBER."""

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
class Machine:
    """The base, or a layer: `count` states from the state `first` on. start: the state that is entered first. Of a
    layer: mask: its number, or None; weight_q15: if there is no parameter for it; clauses: its `while`, or () for
    always; additive: it adds differences."""

    name: str
    first: int
    count: int
    start: int
    mask: int | None = None
    weight_q15: int = ONE_Q15
    weight_parameter: int | None = None
    fade_us: int = 0
    clauses: tuple[Clause, ...] = ()
    additive: bool = False

    @property
    def states(self) -> range:
        """The numbers of its states."""
        return range(self.first, self.first + self.count)


@dataclass(frozen=True)
class Link:
    """A joint of a chain that looks, as osc_ik_link: its share of the remaining rotation, and the cosine of half its
    largest angle."""

    joint: int
    weight_q15: int
    limit_q15: int


@dataclass(frozen=True)
class Look:
    """A chain of joints that turns to a point. point: the parameter; forward, up, eyes: in the space of the first
    joint; within, beyond: cosines of the angles from forward to the point within which it turns there, and beyond which
    it turns away."""

    name: str
    point: int
    weight_q15: int
    weight_parameter: int | None
    fade_us: int
    lag_us: int
    forward_q20: tuple[int, int, int]
    up_q20: tuple[int, int, int]
    eyes_q20: tuple[int, int, int]
    within_q20: int
    beyond_q20: int
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Choice:
    """States of which one is entered instead of the first: `count` of them from the state `first` on. weights: of each,
    1 to MOST_WEIGHT, by which they are chosen at random; () if they take turns; flag: the parameter that chooses the
    second of two, or None."""

    first: int
    count: int
    weights: tuple[int, ...] = ()
    flag: int | None = None

    @property
    def states(self) -> range:
        """The numbers of its states."""
        return range(self.first, self.first + self.count)


@dataclass(frozen=True)
class Limb:
    """Three joints, the last of which reaches for a point, or stays in place during a span. point: the parameter, or
    None for a span; span: the number of the event; pole: the point to which the middle joint bends, or None; axis: of
    the middle joint, as in osc_ik_limb; most_q20: the distance at which the end no longer stays."""

    name: str
    point: int | None
    span: int
    joints: tuple[int, int, int]
    axis_q20: tuple[int, int, int]
    pole: int | None
    soften_q15: int
    weight_q15: int
    weight_parameter: int | None
    fade_us: int
    most_q20: int


@dataclass(frozen=True)
class JointMask:
    """A mask: the weight of each joint, Q15."""

    name: str
    weights_q15: tuple[int, ...]


@dataclass(frozen=True)
class Group:
    """A name for `count` states from the state `first` on."""

    name: str
    first: int
    count: int


@dataclass(frozen=True)
class Graph:
    """A compiled graph. parameters: triggers first, then numbers with a slew; machines: the base, then the layers;
    event_count: the most events of a step; longest_us: the longest step; choices: ascending; shared: generated code
    plays from a row pool that all characters share, not with players of each; mirrors: clips may be mirror images."""

    parameters: tuple[Parameter, ...]
    machines: tuple[Machine, ...]
    states: tuple[State, ...]
    transitions: tuple[Transition, ...] = ()
    groups: tuple[Group, ...] = ()
    masks: tuple[JointMask, ...] = ()
    looks: tuple[Look, ...] = ()
    limbs: tuple[Limb, ...] = ()
    event_count: int = 0
    longest_us: int = 250_000
    choices: tuple[Choice, ...] = ()
    shared: bool = False
    mirrors: bool = False

    @property
    def trigger_count(self) -> int:
        """The number of triggers, which are the first parameters."""
        return sum(parameter.kind == TRIGGER for parameter in self.parameters)

    @property
    def slewed_count(self) -> int:
        """The number of slewed numbers, which follow the triggers."""
        return sum(parameter.slew_us > 0 for parameter in self.parameters)

    @property
    def point_count(self) -> int:
        """The number of points, which are the last parameters."""
        return sum(parameter.kind == POINT for parameter in self.parameters)

    def machine_of(self, state: int) -> int:
        """Returns the number of the machine that has a state, or 0."""
        return next((number for number, machine in enumerate(self.machines) if state in machine.states), 0)

    @property
    def waits(self) -> tuple[tuple[int, int], ...]:
        """Returns the machines and the triggers for which each of them waits, in this order."""
        found = {(self.machine_of(transition.target), atom.argument) for transition in self.transitions
                 for clause in transition.clauses for atom in clause if atom.operation == WAITS}
        return tuple(sorted(found))

    def blends(self, machine: Machine) -> bool:
        """Returns whether a state of a machine blends clips."""
        return any(state.blend is not None for state in self.states[machine.first:machine.first + machine.count])

    def has_plane(self, machine: Machine) -> bool:
        """Returns whether a state of a machine blends clips by two numbers."""
        return any(self.states[state].second is not None for state in machine.states if state < len(self.states))

    def _takes_time(self, machine: Machine, kinds: tuple[int, ...]) -> bool:
        """Returns whether a transition of these kinds to a state of a machine that plays takes time."""
        playing = {number for number, state in enumerate(self.states) if number in machine.states and not state.nothing}
        return any(transition.kind in kinds and transition.over_us > 0 and transition.target in playing
                   for transition in self.transitions)

    def remembers(self, machine: Machine) -> bool:
        """Returns whether transitions of a machine need memory for the poses that were shown. Fades that are
        interrupted do."""
        return self._takes_time(machine, (INERTIA, FADE, STEP))

    def fades(self, machine: Machine) -> bool:
        """Returns whether two states of a machine may play together."""
        return self._takes_time(machine, (FADE, STEP))

    def players(self, machine: Machine) -> int:
        """Returns the most clips of a machine that play together."""
        players = 3 if self.has_plane(machine) else 2 if self.blends(machine) else 1
        return players * (1 + self.fades(machine))

    @property
    def player_count(self) -> int:
        """The players of a character."""
        return sum(self.players(machine) for machine in self.machines)

    @property
    def pose_count(self) -> int:
        """The poses of a character besides the one that is shown: for blends, fades and layers."""
        return max(self.blends(machine) + self.fades(machine) + (number > 0)
                   for number, machine in enumerate(self.machines))

    @property
    def transition_count(self) -> int:
        """The number of machines whose transitions need memory."""
        return sum(map(self.remembers, self.machines))

    @property
    def fade_count(self) -> int:
        """The number of machines with transitions that fade."""
        return sum(map(self.fades, self.machines))

    @property
    def has_blends(self) -> bool:
        """True if a state blends clips."""
        return any(map(self.blends, self.machines))

    @property
    def has_planes(self) -> bool:
        """True if a state blends clips by two numbers."""
        return any(map(self.has_plane, self.machines))

    def choice_of(self, state: int) -> Choice | None:
        """Returns the choice that has a state, or None."""
        return next((choice for choice in self.choices if state in choice.states), None)

    @property
    def has_random(self) -> bool:
        """True if states are chosen at random, from a seed."""
        return any(choice.weights for choice in self.choices)

    @property
    def has_positions(self) -> bool:
        """True if a parameter is the position of a state."""
        return any(state.by_position for state in self.states)

    @property
    def has_steps(self) -> bool:
        """True if two states that share a phase may play together."""
        return any(transition.kind == STEP for transition in self.transitions)

    @property
    def has_layers(self) -> bool:
        """True if there are machines above the base."""
        return len(self.machines) > 1

    @property
    def has_additive(self) -> bool:
        """True if a layer adds differences."""
        return any(machine.additive for machine in self.machines)
