"""An animation graph as a configuration file states it."""
from __future__ import annotations

from dataclasses import dataclass

from ..bank.graph.records import Choice, Group, Parameter
from ..base.problem import SettingProblem
from ..model.masks import Mask
from .conditions import Terms

DEFAULT_OVER_US = 200_000
DEFAULT_LONGEST_US = 250_000
DEFAULT_FADE_US = 200_000
DEFAULT_LAG_US = 100_000
DEFAULT_REACH_US = 150_000
TABLE = "graph"
WORDS = "a table with start, states and transitions"


class GraphProblem(SettingProblem):
    """An invalid graph; str() is one line with the key, the value and the remedy."""


@dataclass(frozen=True)
class BlendRule:
    """Clips that a number blends, or two. clips: with the values, Q16, at which only one of them shows, ascending; by:
    the parameters, as many as there are values; sync: the marks by which they keep step, () for their lengths;
    strides: of some clips, from mark to mark, in metres, Q20."""

    clips: tuple[tuple[str, tuple[int, ...]], ...]
    by: tuple[str, ...]
    sync: tuple[str, ...] = ()
    strides: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class StateRule:
    """A state, which plays a clip, or blends clips. loops: None for the clip's own; speed: a number, or the name of a
    parameter; where: its table, for messages; blend: None for one clip; nothing: plays nothing, in a layer; one_shot:
    its layer has faded out when the clip ends; position: the parameter that is the position in the clip, or None;
    mirrored: it plays the mirror images of its clips."""

    name: str
    play: str
    loops: int | None
    speed: float | str
    where: str
    blend: BlendRule | None = None
    nothing: bool = False
    one_shot: bool = False
    position: str | None = None
    mirrored: bool = False


@dataclass(frozen=True)
class GroupRule:
    """A group of states. start: the state or group of it that is entered first, by its whole name; None if the table
    does not state it."""

    name: str
    start: str | None
    states: Group
    where: str


@dataclass(frozen=True)
class ChoiceRule:
    """States of which one is entered, by the name of their group. name: of the group; weights: of each state, or () if
    they take turns; where: its table, for messages; flag: the parameter that chooses the second of two, or None."""

    name: str
    states: Choice
    where: str
    flag: str | None = None


@dataclass(frozen=True)
class TransitionRule:
    """A transition. sources: names of states and groups, or patterns; kind: INERTIA, FADE, STEP or CUT; over_us: None
    for the graph's; start_at: a time in the target's clip, a mark, or None; clauses: () without a condition; where:
    its table, for messages; layer: the name of its layer, or empty for the base."""

    sources: tuple[str, ...]
    target: str
    clauses: tuple[Terms, ...]
    kind: int
    over_us: int | None
    start_at: float | str | None
    hold_us: int
    where: str
    layer: str = ""


@dataclass(frozen=True)
class LayerRule:
    """A layer. start: the state or group that is entered first, by its whole name; mask: its name, or None; weight: a
    number, or the name of a parameter; clauses: its `while`, or () for always; first, count: its states; where: its
    table, for messages."""

    name: str
    start: str | None
    mask: str | None
    weight: float | str
    fade_us: int
    clauses: tuple[Terms, ...]
    first: int
    count: int
    where: str


@dataclass(frozen=True)
class LookRule:
    """A chain of joints that looks at a point. at: the parameter; chain: joints with their share of the whole rotation
    and their limit in degrees, or None; forward, up: axes such as "-z"; eyes: in metres; where: its table."""

    name: str
    at: str
    chain: tuple[tuple[str, float, float | None], ...]
    forward: str
    up: str
    eyes: tuple[float, float, float]
    weight: float | str
    fade_us: int
    lag_us: int
    where: str


@dataclass(frozen=True)
class LimbRule:
    """Three joints, the last of which reaches for a point or stays in place. to: the parameter, or None; lock: the
    span, or None; bend: the axis of the middle joint, such as "-z", or None for that of the bind pose; pole: the point
    to which the middle joint bends, or None; where: its table."""

    name: str
    joints: tuple[str, str, str]
    to: str | None
    lock: str | None
    bend: str | None
    pole: str | None
    soften: float
    weight: float | str
    fade_us: int
    where: str


@dataclass(frozen=True)
class GraphRules:
    """A graph. It may be incomplete, because files have defaults for several characters. parameters, states: in the
    order of the file, states of groups after one another, states of layers after those of the base; transitions: also;
    masks, sets: those of the file, of which layers name some; max_ram_bytes: the most that a character may take on a
    32-bit machine, or None; max_step_cycles: the most that a step may cost, or None; shared: all characters play
    from one row pool."""

    start: str | None = None
    over_us: int = DEFAULT_OVER_US
    longest_us: int = DEFAULT_LONGEST_US
    parameters: tuple[Parameter, ...] = ()
    states: tuple[StateRule, ...] = ()
    groups: tuple[GroupRule, ...] = ()
    transitions: tuple[TransitionRule, ...] = ()
    layers: tuple[LayerRule, ...] = ()
    looks: tuple[LookRule, ...] = ()
    limbs: tuple[LimbRule, ...] = ()
    masks: tuple[tuple[str, Mask], ...] = ()
    sets: tuple[tuple[str, tuple[str, ...]], ...] = ()
    max_ram_bytes: int | None = None
    max_step_cycles: int | None = None
    choices: tuple[ChoiceRule, ...] = ()
    shared: bool = False
