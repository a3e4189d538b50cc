"""Resolves the names in a graph: states, groups, parameters. Needs no clips."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..bank.graph.check import (MOST_CHOICES, MOST_PARAMETERS, MOST_STATES, MOST_TRANSITIONS, MOST_TRIGGERS, MOST_WAITS,
                                TIME_MOST_US)
from ..bank.graph.records import (AFTER, AT, AT_LEAST, CHOICE, EQUALS, FINISHED, FLAG, IN, INSIDE, IS_SET, LEVELS,
                                  NUMBER, ONE_Q15, POINT, TRIGGER, UNCONDITIONAL, WAITS, Atom, Choice, Clause, Group,
                                  Machine, Parameter)
from ..base.patterns import matches
from ..base.problem import nearest
from ..base.times import parse_seconds
from . import conditions
from .parsing.blends import check_numbers
from .conditions import Term, Terms
from .parameter_names import KINDS, flag_parameter, number_parameter, weight_parameter
from .parameters import ONE_Q16
from .rules import TABLE, GraphProblem, GraphRules, LayerRule, StateRule, TransitionRule

_MAGIC = "*?["


@dataclass(frozen=True)
class Leaving:
    """A transition with numbers for names. sources: the states that it leaves; named: those of them that are named by
    themselves or by their group, not by a pattern; clauses: the argument of AT and INSIDE is a number of
    Resolved.events."""

    rule: TransitionRule
    target: int
    sources: tuple[int, ...]
    named: frozenset[int]
    clauses: tuple[Clause, ...]


@dataclass(frozen=True)
class Resolved:
    """A graph with numbers for names. parameters: in the order of the bank; machines: without `additive`, which depends
    on the clips; their masks are numbers of `masks`; events: names in conditions; masks: those that layers name."""

    rules: GraphRules
    parameters: tuple[Parameter, ...]
    machines: tuple[Machine, ...]
    transitions: tuple[Leaving, ...]
    groups: tuple[Group, ...]
    events: tuple[str, ...]
    masks: tuple[str, ...]

    @property
    def states(self) -> tuple[StateRule, ...]:
        return self.rules.states

    @property
    def choices(self) -> tuple[Choice, ...]:
        numbers = {parameter.name: number for number, parameter in enumerate(self.parameters)}
        return tuple(choice.states if choice.flag is None else replace(choice.states, flag=numbers[choice.flag])
                     for choice in self.rules.choices)

    def together(self, state: int) -> range:
        """Returns the states of which one is entered instead of a state: itself, or those of its choice."""
        return _together(self.rules, state)


def _together(rules: GraphRules, state: int) -> range:
    return next((choice.states.states for choice in rules.choices if state in choice.states.states),
                range(state, state + 1))


def resolved(rules: GraphRules) -> Resolved:
    """Returns the graph with numbers for names. Raises GraphProblem."""
    _check_counts(rules)
    base = len(rules.states) - sum(layer.count for layer in rules.layers)
    if not base:
        raise GraphProblem(f"[{TABLE}]: has no states; add one, such as states.idle = {{ play = \"Idle\" }}")
    parameters = tuple(sorted(rules.parameters, key=lambda parameter: (parameter.kind != TRIGGER, not parameter.slew_us,
                                                                       parameter.kind == POINT)))
    states = _States(rules)
    numbers = {parameter.name: number for number, parameter in enumerate(parameters)}
    for state in rules.states:
        _check_speed(state, parameters)
    for choice in rules.choices:
        if choice.flag is not None:
            flag_parameter(choice.flag, parameters, f"{choice.where} mirror")
    if rules.start is None:
        raise GraphProblem(f"[{TABLE}]: has no start; add the first state, such as start = \"{rules.states[0].name}\"")
    start = states.entered(rules.start, f"[{TABLE}] start")
    if start >= base:
        raise GraphProblem(f"[{TABLE}] start = {rules.start!r}: is a state of a layer; give one of [{TABLE}] states")
    reader = _Conditions(parameters, states, rules)
    masks = tuple(dict.fromkeys(layer.mask for layer in rules.layers if layer.mask is not None))
    layers = _Layers(parameters, states, reader, masks)
    machines = (Machine("", 0, base, start), *(layers.machine(rule) for rule in rules.layers))
    transitions = tuple(_leaving(rule, states, reader) for rule in rules.transitions)
    _check_shots(rules, parameters, numbers)
    _check_waits(transitions)
    return Resolved(rules, parameters, machines, transitions, tuple(group.states for group in rules.groups),
                    tuple(reader.events), masks)


def _check_shots(rules: GraphRules, parameters: Sequence[Parameter], numbers: dict[str, int]) -> None:
    for state in rules.states:
        name = state.name.rpartition(".")[2]
        if state.one_shot and parameters[numbers[name]].kind != TRIGGER:
            raise GraphProblem(f"{state.where}: {name} is {KINDS[parameters[numbers[name]].kind]}, but triggers start "
                               "the clips of one_shot; make it a trigger, or give the layer states and transitions")


def _check_waits(transitions: Sequence[Leaving]) -> None:
    waits = {(transition.rule.layer, atom.argument) for transition in transitions for clause in transition.clauses
             for atom in clause if atom.operation == WAITS}
    if len(waits) > MOST_WAITS:
        raise GraphProblem(f"[{TABLE}]: the base and the layers wait for {len(waits)} triggers together, but "
                           f"{MOST_WAITS} are possible; use fewer")


def _check_counts(rules: GraphRules) -> None:
    triggers = [parameter for parameter in rules.parameters if parameter.kind == TRIGGER]
    for what, count, most in (("parameters", len(rules.parameters), MOST_PARAMETERS),
                              ("triggers", len(triggers), MOST_TRIGGERS),
                              ("states", len(rules.states), MOST_STATES),
                              ("states that choose a clip", len(rules.choices), MOST_CHOICES),
                              ("transitions", len(rules.transitions), MOST_TRANSITIONS)):
        if count > most:
            raise GraphProblem(f"[{TABLE}]: has {count} {what}, but a graph has room for {most}; remove some")


def _check_speed(state: StateRule, parameters: Sequence[Parameter]) -> None:
    if state.blend is not None:
        check_numbers(state.blend, {parameter.name: parameter for parameter in parameters}, state.where)
    if state.position is not None:
        number_parameter(state.position, parameters, f"{state.where} position")
    if isinstance(state.speed, float):
        return
    parameter = number_parameter(state.speed, parameters, f"{state.where} speed")
    if parameter.least < 0:
        raise GraphProblem(f"{state.where} speed = {state.speed!r}: the range of {state.speed} begins below 0, at "
                           f"{parameter.least / ONE_Q16:g}, but a speed by parameter plays only forward; let the range "
                           "begin at 0")


# ---- states ----


class _States:
    """Finds states by the names of states and groups."""

    def __init__(self, rules: GraphRules) -> None:
        self.names = [state.name for state in rules.states]
        self._groups = {group.name: group for group in rules.groups}
        self._choices = [choice.name for choice in rules.choices]
        self.rules = rules
        self.known = [*self.names, *self._groups]
        self._layers = {layer.name: range(layer.first, layer.first + layer.count) for layer in rules.layers}
        for layer in rules.layers:
            if taken := next((name for name in self.known if name == layer.name), None):
                raise GraphProblem(f"{layer.where} name = {taken!r}: is also the name of a state or group; choose "
                                   "another one")
        for group in rules.groups:
            self.first(group.name, group.where)

    def first(self, name: str, what: str) -> int:
        """Returns the state that is entered by this name."""
        while name in self._groups:
            group = self._groups[name]
            inner = [other for other in self.known if other.startswith(f"{name}.")]
            if group.start is None:
                raise GraphProblem(f"{group.where}: has no start; add the first state of the group, such as start = "
                                   f"\"{inner[0].removeprefix(name + '.')}\"")
            if group.start not in inner:
                own = len(name) + 1
                raise GraphProblem(f"{group.where} start = {group.start[own:]!r}: is no state of the group"
                                   + nearest(group.start[own:], [other[own:] for other in inner]))
            name = group.start
        if name not in self.names:
            raise GraphProblem(f"{what} = {name!r}: is no state or group{nearest(name, self.known)}")
        return self.names.index(name)

    def entered(self, name: str, what: str) -> int:
        """Returns the state that a transition enters by this name."""
        choice = name.rpartition(".")[0]
        if name in self.names and choice in self._choices:
            raise GraphProblem(f"{what} = {name!r}: is one of the clips of {choice}, which chooses one itself; name "
                               f"{choice}")
        return self.first(name, what)

    def layer_of(self, state: int) -> str:
        """Returns the name of the layer that has a state, or nothing for the base."""
        return next((name for name, states in self._layers.items() if state in states), "")

    def named(self, name: str, what: str) -> Group:
        """Returns the states of a state or group of this name."""
        if name in self.names:
            return Group(name, self.names.index(name), 1)
        if name not in self._groups:
            raise GraphProblem(f"{what}: {name!r} is no state or group{nearest(name, self.known)}")
        return self._groups[name].states

    def is_state(self, name: str) -> bool:
        """Returns whether a name is that of a state, which may be one that chooses a clip."""
        return name in self.names or name in self._choices

    def sources(self, name: str, what: str) -> tuple[list[int], bool]:
        """Returns the states of a name or pattern, and whether it is a name of a state or group."""
        if name in self.names:
            return [self.names.index(name)], True
        if name in self._groups:
            group = self._groups[name].states
            return list(range(group.first, group.first + group.count)), True
        found = [number for number, state in enumerate(self.names) if matches(name, state)]
        if not found:
            kind = "matches no state" if any(letter in name for letter in _MAGIC) else "is no state or group"
            raise GraphProblem(f"{what} = {name!r}: {kind}{nearest(name, self.known)}")
        return found, False


def _leaving(rule: TransitionRule, states: _States, reader: _Conditions) -> Leaving:
    target = states.entered(rule.target, f"{rule.where} to")
    together = _together(states.rules, target)
    if states.layer_of(target) != rule.layer:
        raise GraphProblem(f"{rule.where} to = {rule.target!r}: is a state of the layer {states.layer_of(target)}; "
                           "write the transition in its table")
    sources: set[int] = set()
    named: set[int] = set()
    for name in rule.sources:
        found, exact = states.sources(name, f"{rule.where} from")
        found = [state for state in found if states.layer_of(state) == rule.layer]
        if not found:
            raise GraphProblem(f"{rule.where} from = {name!r}: are states of layers, which have transitions of their "
                               f"own; name states of [{TABLE}] states")
        if not states.is_state(name):  # a group or pattern never includes the target
            found = [state for state in found if state not in together]
        sources.update(found)
        named.update(found if exact else ())
    if not sources:
        raise GraphProblem(f"{rule.where} from = {', '.join(map(repr, rule.sources))}: leaves no state, because groups "
                           f"and patterns do not include {states.names[target]}, where the transition leads; name it "
                           "in from to restart it")
    clauses = tuple(reader.clause(clause, f"{rule.where} when", rule.layer) for clause in rule.clauses) \
        or UNCONDITIONAL
    return Leaving(rule, target, tuple(sorted(sources)), frozenset(named), clauses)


# ---- layers ----


class _Layers:
    """Resolves the names in the tables of layers."""

    def __init__(self, parameters: Sequence[Parameter], states: _States, reader: _Conditions,
                 masks: Sequence[str]) -> None:
        self._parameters = parameters
        self._states, self._reader, self._masks = states, reader, masks

    def machine(self, rule: LayerRule) -> Machine:
        """Returns the machine of a layer. Raises GraphProblem."""
        if rule.start is None:
            raise GraphProblem(f"{rule.where}: has no start; add the state that is entered first, such as start = "
                               f"\"{self._states.names[rule.first].removeprefix(rule.name + '.')}\"")
        start = self._states.entered(rule.start, f"{rule.where} start")
        clauses = tuple(self._reader.clause(clause, f"{rule.where} while", rule.name) for clause in rule.clauses)
        for clause in clauses:
            if any(atom.operation not in LEVELS for atom in clause):
                raise GraphProblem(f"{rule.where} while: names a trigger, a time, a mark, a span or the end of a clip; "
                                   "use flags, choices, numbers and in()")
        constant = not isinstance(rule.weight, str)
        return Machine(rule.name, rule.first, rule.count, start,
                       None if rule.mask is None else self._masks.index(rule.mask),
                       round(float(rule.weight) * ONE_Q15) if constant else ONE_Q15,
                       None if constant else weight_parameter(str(rule.weight), self._parameters,
                                                              f"{rule.where} weight"), rule.fade_us,
                       clauses)


# ---- conditions ----


class _Conditions:
    """Resolves terms of conditions. events: the names in them, by number."""

    def __init__(self, parameters: Sequence[Parameter], states: _States, rules: GraphRules) -> None:
        self._states = states
        self._machines = ["", *(layer.name for layer in rules.layers)]
        self._parameters = {parameter.name: (number, parameter) for number, parameter in enumerate(parameters)}
        self.events: dict[str, int] = {}

    def clause(self, terms: Terms, what: str, layer: str) -> Clause:
        """Returns a clause of a condition of a layer, or of the base."""
        return tuple(dict.fromkeys(self._atom(term, f"{what}: {term.text}", layer) for term in terms))

    def _atom(self, term: Term, what: str, layer: str) -> Atom:
        if term.what == conditions.IN:
            return self._in(term, what, layer)
        if term.what == conditions.FINISHED:
            return Atom(FINISHED, term.opposite)
        if term.what == conditions.AFTER:
            return Atom(AFTER, term.opposite, number=_after_us(term.value, what))
        if term.what == conditions.VALUE:
            return self._value(term, what)
        if term.what == conditions.AT and term.opposite:
            raise GraphProblem(f"{what}: a mark is reached only for a moment, so that its opposite nearly always "
                               "holds; leave out not, or use a span with not inside")
        number = self.events.setdefault(term.name, len(self.events))
        return Atom(AT if term.what == conditions.AT else INSIDE, term.opposite, number)

    def _in(self, term: Term, what: str, layer: str) -> Atom:
        group = self._states.named(term.name, what)
        other = self._states.layer_of(group.first)
        if self._machines.index(other) >= self._machines.index(layer):
            own = f"the layer {layer}" if layer else "the base"
            raise GraphProblem(f"{what}: conditions of {own} can name only states of what stands before it; "
                               + (f"{term.name} belongs to {own} itself, whose transitions name it in from"
                                  if other == layer else f"move the layer {other} up"))
        return Atom(IN, term.opposite, group.first | group.count << 8)

    def _value(self, term: Term, what: str) -> Atom:
        if term.name not in self._parameters:
            words = [*self._parameters, conditions.FINISHED]
            raise GraphProblem(f"{what}: unknown parameter {term.name!r}{nearest(term.name, words)}")
        number, parameter = self._parameters[term.name]
        if parameter.kind == NUMBER:
            return _compared(term, number, parameter, what)
        if parameter.kind == POINT:
            raise GraphProblem(f"{what}: {term.name} is a point, on which no condition depends; use a flag")
        if parameter.kind == CHOICE:
            return _chosen(term, number, parameter, what)
        if term.comparison:
            raise GraphProblem(f"{what}: {term.name} is {KINDS[parameter.kind]}, which is not compared; write "
                               f"{term.name}" + (f" or not {term.name}" if parameter.kind == FLAG else ""))
        if parameter.kind == FLAG:
            return Atom(IS_SET, term.opposite, number)
        if term.opposite:
            raise GraphProblem(f"{what}: {term.name} is a trigger, and conditions cannot wait for the end of its time; "
                               "leave out not, or make it a flag")
        return Atom(WAITS, False, number)


def _after_us(value: str, what: str) -> int:
    try:
        seconds = parse_seconds(float(value) if value.replace(".", "", 1).isdecimal() else value, what)
    except ValueError as error:  # digits that are not ASCII
        raise GraphProblem(f"{what}: give a time, such as 0.4s") from error
    if not 1 <= round(min(seconds, TIME_MOST_US) * 1e6) <= TIME_MOST_US:
        raise GraphProblem(f"{what}: give a time above 0, at most {TIME_MOST_US / 1e6:g} s")
    return round(seconds * 1e6)


def _compared(term: Term, number: int, parameter: Parameter, what: str) -> Atom:
    """Returns the comparison of a number with a value, rounded as the value of the game is."""
    if term.comparison not in (">=", ">"):
        raise GraphProblem(f"{what}: {term.name} has a range of values; compare it with >=, >, < or <=")
    try:
        value = round(float(term.value) * ONE_Q16)
    except (ValueError, OverflowError) as error:
        raise GraphProblem(f"{what}: {term.value!r} is not a number; give one without its unit, such as "
                           f"{term.name} >= {parameter.most / ONE_Q16:g}") from error
    value += term.comparison == ">"
    if not parameter.least < value <= parameter.most:
        raise GraphProblem(f"{what}: {'never' if (value > parameter.most) != term.opposite else 'always'} holds in the "
                           f"range of {term.name}, {parameter.least / ONE_Q16:g} to {parameter.most / ONE_Q16:g}; "
                           "correct the value or the range")
    return Atom(AT_LEAST, term.opposite, number, value)


def _chosen(term: Term, number: int, parameter: Parameter, what: str) -> Atom:
    if term.comparison != "==":
        raise GraphProblem(f"{what}: {term.name} is a choice; compare it with == or !=, such as {term.name} == "
                           f"{parameter.values[0]}")
    if term.value not in parameter.values:
        raise GraphProblem(f"{what}: {term.value!r} is no value of {term.name}{nearest(term.value, parameter.values)}")
    return Atom(EQUALS, term.opposite, number, parameter.values.index(term.value))
