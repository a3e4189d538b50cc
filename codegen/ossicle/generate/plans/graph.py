"""Plans the C of an animation graph: its parameters, states and memory."""
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...bank.file import Bank
from ...bank.graph.ram import character_bytes
from ...bank.graph.records import CHOICE, FLAG, FOREVER, NUMBER, POINT, TRIGGER, Graph, Parameter
from ...base.codec import CODECS
from ...base.names import MAX_IDENTIFIER
from ..graph_straight import Straight, plan_straight
from ..identifiers import KEYWORDS, c_comment, c_string, unique_identifiers, upper_snake
from ..masks import MaskPlan
from ..matrix_formats import FORMATS
from ..named import Named
from ..open_bank import Field, graph_layout_crc, open_graph

ONE_Q16 = 1 << 16
# Macros and counts of generated headers, without their prefix, which a value of a choice could equal. A test compares
# them with the templates.
CONSTANTS = frozenset(
    "BANK_BYTES BANK_WORDS CLIP_COUNT CURVE_COUNT EVENT_COUNT FAST_ROWS GRAPH_EVENTS GRAPH_H GRAPH_LAYOUT_CRC H "
    "HAS_SCALE IMAGE_BYTES IMAGE_CRC IMAGE_H IMAGE_PLACE IMAGE_UNIT_BYTES JOINT_COUNT LARGEST_CHUNK_BYTES LAYER_COUNT "
    "LAYOUT_CRC MATRIX_COUNT MEMORY_BYTES MESH_FACES MESH_H MESH_VERTICES MODEL_BYTES PLAYER_WORDS POSE_BYTES "
    "ROW_WORDS SKINNING_BYTES "
    "SKIN_BITS SKIN_CRC SKIN_RIGID STATE_COUNT TIER_CHUNKS TIER_COUNT TRANSITION_WORDS TRANSPOSED_WORDS".split()) \
    | {f"COLD_{codec.upper()}" for codec in CODECS} \
    | {f"SKIN_FORMAT_{matrices.upper().replace('.', '_')}" for matrices in FORMATS}
# Names that compilers and headers of systems define as macros: of machines and systems, calling conventions, standard
# streams, numbers of controls in dialogues, and members of structures.
_MACROS = re.compile("|".join((
    *"cdecl errno exception_info far hpux huge hyper i386 interface linux m68k mc68000 math_errhandling mips near "
     "pascal sgi signgam small sparc stderr stdin stdout sun unix vax".split(),
    r"(chx|cmb|ctl|edt|frm|grp|ico|lst|psh|rad|rct|scr|stc)\d+", r"(h|s|s6|sa|si|sigev|st)_\w+")))
_TYPE_NAMES = frozenset(("int32_t", "uint8_t"))
_SUFFIX = " q16"
ROOM = 68  # for a comment beside a field
_TYPES = {TRIGGER: "bool", FLAG: "bool", CHOICE: "uint8_t", NUMBER: "int32_t", POINT: "osc_vector"}


@dataclass(frozen=True)
class GraphField:
    """A parameter in C: its type and field, the value at the start, and what a comment states about it."""

    type: str
    name: str
    default: str
    comment: str

    @property
    def declaration(self) -> str:
        """The declaration of the field in C."""
        return f"{self.type} {self.name};"

    @property
    def beside(self) -> str:
        """The comment, if there is room for it beside the field."""
        return self.comment if len(self.comment) <= ROOM else ""

    @property
    def above(self) -> str:
        """The comment, if it needs lines above the field."""
        return "" if self.beside else self.comment


@dataclass(frozen=True)
class GraphChoice:
    """The values of a choice, for the field of this name."""

    field: str
    values: tuple[Named, ...]


@dataclass(frozen=True)
class GraphGroup:
    """A group of `count` states from the state `first` on."""

    identifier: str
    comment: str
    first: int
    count: int


@dataclass(frozen=True)
class GraphPlan:
    """The graph of a bank. fields: the parameters in the order of the section, triggers first; waits, slews: numbers of
    words in the state; machines: their first states; chosen: the number of states that choose a clip; random:
    whether one does so at random; transitions: the machines whose transitions need memory, of transition_words each,
    if any; fades: those with transitions that fade; steps: some of these do so in step; positions: a parameter is
    the position of a state; mirrors: it plays mirror images; shared: all characters play from one row pool; players,
    others: of a character otherwise, the latter poses besides the one that is shown; opened: the fields of
    osc_graph, if the bank is embedded; straight: code for this graph alone, then, instead of the interpreter's."""

    fields: tuple[GraphField, ...]
    triggers: int
    waits: int
    slews: int
    machines: tuple[int, ...]
    layers: tuple[Named, ...]
    masks: tuple[MaskPlan, ...]
    looks: int
    chosen: int
    random: bool
    limbs: int
    points: int
    choices: tuple[GraphChoice, ...]
    states: tuple[Named, ...]
    groups: tuple[GraphGroup, ...]
    event_count: int
    layout_crc: str
    longest_step: str
    transitions: int
    fades: int
    steps: bool
    positions: bool
    mirrors: bool
    blends: bool
    planes: bool
    replacing: bool
    additive: bool
    shared: bool
    players: int
    others: int
    transition_words: bool
    has_events: bool
    has_trajectories: bool
    ram_bytes: int
    opened: tuple[Field, ...]
    straight: Straight | None

    @property
    def width(self) -> int:
        """The width of the declarations that have a comment beside them."""
        return max((len(field.declaration) for field in self.fields if field.beside), default=0)


def plan_graph(bank: Bank, name: str, taken: Iterable[str], embedded: Bank | None) -> GraphPlan | None:
    """Returns the plan for a bank, or None if it has no graph. taken: the identifiers of joints, clips, events and
    curves; embedded: the bank in the generated code, if it contains one."""
    graph, prefix = bank.graph, name.upper()
    if graph is None:
        return None
    fields = _fields(graph.parameters)
    states, groups = _states(graph, prefix)
    used = {identifier.removeprefix(f"{prefix}_") for identifier in
            [*taken, *(state.identifier for state in states), *(group.identifier for group in groups)]}
    return GraphPlan(
        fields=fields, triggers=graph.trigger_count, waits=len(graph.waits), slews=graph.slewed_count,
        machines=tuple(machine.first for machine in graph.machines), layers=_layers(graph, prefix),
        masks=tuple(MaskPlan(c_comment(mask.name), "", mask.weights_q15) for mask in graph.masks),
        looks=len(graph.looks), limbs=len(graph.limbs), chosen=len(graph.choices), random=graph.has_random,
        points=graph.point_count,
        choices=_choices(graph.parameters, fields, prefix, CONSTANTS | used), states=states, groups=groups,
        event_count=graph.event_count, layout_crc=graph_layout_crc(bank), longest_step=_time(graph.longest_us),
        transitions=graph.transition_count, fades=graph.fade_count, steps=graph.has_steps,
        positions=graph.has_positions, mirrors=graph.mirrors, blends=graph.has_blends, planes=graph.has_planes,
        replacing=any(not machine.additive for machine in graph.machines[1:]), additive=graph.has_additive,
        shared=graph.shared, players=graph.player_count, others=graph.pose_count,
        transition_words=graph.transition_count > 0 and bool(bank.subtracks), has_events=bool(bank.events.names),
        has_trajectories=bool(bank.trajectories),
        ram_bytes=character_bytes(bank, embedded is not None), opened=open_graph(embedded, name) if embedded else (),
        straight=plan_straight(embedded, graph, states) if embedded else None)


def _fields(parameters: Sequence[Parameter]) -> tuple[GraphField, ...]:
    names = [_field_name(parameter) for parameter in parameters]
    reserved = {word.upper() for word in KEYWORDS | _TYPE_NAMES}
    reserved |= {word for word in map(upper_snake, names) if _MACROS.fullmatch(word.lower())}
    identifiers = unique_identifiers(names, [f"PARAMETER_{at}" for at in range(len(names))], frozenset(reserved))
    return tuple(GraphField(_TYPES[parameter.kind], name, _default(parameter), _comment(parameter, name))
                 for name, parameter in zip(map(str.lower, identifiers), parameters))


def _field_name(parameter: Parameter) -> str:
    """Returns the name of a parameter so that it becomes the name of a field: no digit at its begin, and its format at
    its end."""
    name = f"parameter {parameter.name}" if upper_snake(parameter.name)[:1].isdigit() else parameter.name
    if parameter.kind != NUMBER or not name:
        return name
    return upper_snake(name)[:MAX_IDENTIFIER - len(_SUFFIX)] + _SUFFIX


def _default(parameter: Parameter) -> str:
    if parameter.kind in (TRIGGER, FLAG):
        return "true" if parameter.default else "false"
    if parameter.kind == POINT:
        return "{0, 0, 0}"
    return str(parameter.default)


def _comment(parameter: Parameter, field: str) -> str:
    """Describes a parameter. field: the name of its field, which the comment need not repeat."""
    plain = field.removesuffix("_q16")
    name = "" if plain == parameter.name else f"{c_comment(parameter.name)}: "
    if parameter.kind == TRIGGER:
        return f"{name}trigger, {_waits(parameter.most)}"
    if parameter.kind == FLAG:
        return f"{name}{_default(parameter)} at the start"
    if parameter.kind == CHOICE:
        first = c_comment(parameter.values[parameter.default])
        return f"{name}one of {parameter.most + 1} values, {first} at the start"
    if parameter.kind == POINT:
        return f"{name}a point in {'the world' if parameter.most else 'model space'}, metres in Q20"
    unit = f" {c_comment(parameter.unit)}" if parameter.unit else ""
    slew = f"; {_time(parameter.slew_us)} for the whole range" if parameter.slew_us else ""
    least, most, default = map(_q16, (parameter.least, parameter.most, parameter.default))
    return f"{name}{least} to {most}{unit}, {default} at the start{slew}"


def _waits(most_us: int) -> str:
    if most_us == FOREVER:
        return "waits until it is taken"
    return f"waits {_time(most_us)}" if most_us else "counts only at the start of the step"


def _q16(value: int) -> str:
    return f"{value / ONE_Q16:.6g}"


def _time(microseconds: int) -> str:
    return f"{microseconds / 1000:,.7g} ms"


def _states(graph: Graph, prefix: str) -> tuple[tuple[Named, ...], tuple[GraphGroup, ...]]:
    names = [*(state.name for state in graph.states), *(group.name for group in graph.groups)]
    identifiers = [f"{prefix}_STATE_{identifier}" for identifier in unique_identifiers(
        names, [str(at) for at in range(len(names))], frozenset({"COUNT"}))]
    states = tuple(Named(identifier, c_comment(state.name), c_string(state.name))
                   for identifier, state in zip(identifiers, graph.states))
    groups = tuple(GraphGroup(identifier, f"{c_comment(group.name)}: {_members(graph, group.first, group.count)}",
                              group.first, group.count)
                   for identifier, group in zip(identifiers[len(states):], graph.groups))
    return states, groups


def _layers(graph: Graph, prefix: str) -> tuple[Named, ...]:
    """Returns the names of the layers, by which a game finds their states."""
    names = [layer.name for layer in graph.machines[1:]]
    identifiers = unique_identifiers(names, [str(at) for at in range(len(names))], frozenset({"COUNT", "BASE"}))
    return tuple(Named(f"{prefix}_LAYER_{identifier}", c_comment(name), c_string(name))
                 for identifier, name in zip(identifiers, names))


def _members(graph: Graph, first: int, count: int) -> str:
    last = graph.states[first + count - 1].name
    return c_comment(graph.states[first].name) + (f" to {c_comment(last)}" if count > 1 else "")


def _choices(parameters: Sequence[Parameter], fields: Sequence[GraphField], prefix: str,
             reserved: frozenset[str]) -> tuple[GraphChoice, ...]:
    """Returns the values of choices. reserved: identifiers that they may not have, without the prefix."""
    chosen = [(parameter, field) for parameter, field in zip(parameters, fields) if parameter.kind == CHOICE]
    names = [f"{field.name} {value}" for parameter, field in chosen for value in parameter.values]
    identifiers = iter(unique_identifiers(names, names, reserved))
    return tuple(GraphChoice(field.name, tuple(Named(f"{prefix}_{next(identifiers)}", c_comment(value), c_string(value))
                                               for value in parameter.values))
                 for parameter, field in chosen)
