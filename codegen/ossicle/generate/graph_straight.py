"""Plans code for one animation graph: its conditions as C, its states and transitions as tables."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..bank.file import Bank
from ..bank.graph.records import (AFTER, ALWAYS, AT, AT_LEAST, EQUALS, FINISHED, FLAG, IN, INSIDE, IS_SET, TRIGGER,
                                  WAITS, Atom, Clause, Graph, Look, Machine, Parameter, State)
from ..base.format import number
from ..base.places import RUNTIME
from .identifiers import c_comment
from .named import Named
from .own_names import own_names, renamed, uses

_ONE_Q11, _ONE_Q20 = number("ONE_Q11"), number("ONE_Q20")
_NONE = "OSC_GRAPH_NONE"
LINE = 96  # columns of a condition

_ATOMS = {  # what holds, and its opposite
    ALWAYS: ("true", "false"),
    WAITS: ("is_pending(step, {wait}u, 0x{most:x}u)", "!is_pending(step, {wait}u, 0x{most:x}u)"),
    IS_SET: ("{value} != 0", "{value} == 0"),
    AT_LEAST: ("{value} >= {number}", "{value} < {number}"),
    EQUALS: ("{value} == {number}", "{value} != {number}"),
    FINISHED: ("step->machine->loops_left == 0u", "step->machine->loops_left != 0u"),
    AFTER: ("step->machine->state_us >= {number}u", "step->machine->state_us < {number}u"),
    AT: ("osc_graph_events.is_at(step, {name}u)", "!osc_graph_events.is_at(step, {name}u)"),
    INSIDE: ("osc_graph_events.is_inside(step, {name}u)", "!osc_graph_events.is_inside(step, {name}u)"),
    IN: ("is_in(step, {machine}u, {first}, {count}u)", "!is_in(step, {machine}u, {first}, {count}u)"),
}


@dataclass(frozen=True)
class Case:
    """Statements for some states of a machine."""

    states: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class ClipRule:
    """The fields of osc_graph_clip_rule for a state, in C. comment: its name."""

    fields: str
    comment: str


@dataclass(frozen=True)
class BlendRule:
    """A state that blends. first, count: its members; value: the parameter, in C; plane: it blends by two numbers."""

    state: str
    first: int
    count: int
    value: str
    plane: bool


@dataclass(frozen=True)
class MemberRule:
    """A member of a blend: its osc_sync_clip in C, its clip, the value at which only it shows, its stride."""

    sync: str
    clip: int
    at: int
    stride_q20: int


@dataclass(frozen=True)
class MachineRule:
    """A machine. first, count: its states; start: the one that it enters first; first_player: the number of its first
    player; transition: the number of its transition, or None; blends: a state blends; open: the condition of a layer,
    or nothing for always; weight: its weight, in C; fade_us: the time in which it fades; mask: its number, or None."""

    number: int
    name: str
    first: int
    count: int
    start: str
    first_player: int
    transition: int | None
    blends: bool
    open: str
    weight: str
    fade_us: int
    mask: int | None
    additive: bool


@dataclass(frozen=True)
class LookRule:
    """A look. links, count: of its chain, in C; vectors: forward, up and eyes; fields: of osc_graph_look_rule after its
    chain; point: the parameter at which it looks; weight: in C."""

    links: str
    count: int
    vectors: str
    fields: str
    point: int
    weight: str


@dataclass(frozen=True)
class Straight:
    """Code for one graph, in C. values: the parameters at their ranges; waits: trigger and longest wait of each; finds:
    the transitions out of states; rules: the fields of osc_graph_rule; holds: transitions and the times in which only
    earlier ones may leave; times: watched times of states; watches: watched positions; clips: the rule of each state;
    backward: some play backward; speeds: states whose speed is a parameter; slews: the parameter of each slewed number,
    and its rule; in_layers: a condition names states of another machine.

    Conditions in C, or nothing if they never hold: nothing: the state plays nothing; driven: its position is a
    parameter; blending: it blends; in_plane: it does so by two numbers; stopping: time stops at its marks; one_shot: it
    ends with its layer; mirrored: the clip is a mirror image."""

    values: tuple[str, ...]
    waits: tuple[tuple[int, str], ...]
    finds: tuple[Case, ...]
    rules: tuple[str, ...]
    holds: tuple[tuple[int, int], ...]
    times: tuple[Case, ...]
    watches: tuple[tuple[str, tuple[int, ...]], ...]
    clips: tuple[ClipRule, ...]
    backward: bool
    speeds: tuple[tuple[str, str], ...]
    nothing: str
    driven: str
    blending: str
    one_shot: str
    blends: tuple[BlendRule, ...]
    members: tuple[MemberRule, ...]
    machines: tuple[MachineRule, ...]
    slews: tuple[tuple[int, str], ...]
    looks: tuple[LookRule, ...]
    mirrored: str
    in_plane: str
    stopping: str
    in_layers: bool

    @property
    def records(self) -> bool:
        """True if functions of the runtime read the words of states."""
        return bool(self.in_plane or self.driven)


def plan_straight(bank: Bank, graph: Graph, states: Sequence[Named]) -> Straight | None:
    """Returns the plan for an embedded bank, or None for a graph that the interpreter plays, because two states of it
    may play together."""
    return None if graph.fade_count else _Planner(bank, graph, states).plan()


def skeleton(name: str) -> str:
    """Returns the functions of a header of the interpreter that generated code has a copy of."""
    text = (Path(RUNTIME) / f"graph/osc_graph_{name}.h").read_text(encoding="utf-8")
    return text[text.index("\n\n", text.index("#define ")) + 2:text.rindex("#endif")].rstrip() + "\n"


class _Planner:
    def __init__(self, bank: Bank, graph: Graph, states: Sequence[Named]) -> None:
        self._bank, self._graph = bank, graph
        self._names = [state.identifier for state in states]
        self._waits = {wait: at for at, wait in enumerate(graph.waits)}

    def plan(self) -> Straight:
        """Returns the plan."""
        graph = self._graph
        holds = tuple((at, transition.hold_us) for at, transition in enumerate(graph.transitions) if transition.hold_us)
        members = [member for state in graph.states for member in state.members]
        return Straight(
            values=tuple(map(_value, graph.parameters)),
            waits=tuple((trigger, f"0x{graph.parameters[trigger].most:x}u") for _, trigger in graph.waits),
            finds=self._cases(lambda state: self._find(state, bool(holds))),
            rules=tuple(f"{transition.start_q11}u, {transition.over_us}u, {self._names[transition.target]}, "
                        f"{transition.kind}" for transition in graph.transitions),
            holds=holds,
            times=self._cases(lambda state: tuple(f"left_us = osc_graph_until({time}u, now_us, left_us);"
                                                  for time in state.times_us)),
            watches=tuple((name, state.positions_q11) for name, state in zip(self._names, graph.states)
                          if state.positions_q11 and state.blend is None),
            clips=tuple(ClipRule(self._clip(state), name) for state, name in zip(graph.states, self._names)),
            backward=any(state.speed_q16 < 0 and state.speed_parameter is None for state in graph.states),
            speeds=tuple((name, self._slewed(state.speed_parameter)) for name, state in zip(self._names, graph.states)
                         if state.speed_parameter is not None and not state.by_position),
            nothing=self._any("state", (state.nothing for state in graph.states)),
            driven=self._driven(),
            blending=self._any("step->machine->shown", (state.blend is not None for state in graph.states)),
            one_shot=self._any("step->machine->shown", (state.one_shot for state in graph.states)),
            blends=tuple(self._blends()),
            members=tuple(MemberRule(
                f"{{{{{', '.join(f'{mark}u' for mark in (*member.sync.marks_q11, *[0] * 8)[:8])}}}, "
                f"{member.sync.end_q11}u, {member.sync.us_per_frame}u, {len(member.sync.marks_q11)}u}}",
                member.clip, member.at, member.stride_q20) for member in members),
            machines=tuple(self._machines()),
            slews=tuple((at, f"{{{parameter.least & 0xFFFFFFFF}u, {parameter.most - parameter.least}u, "
                             f"{parameter.slew_us}u}}")
                        for at, parameter in enumerate(graph.parameters) if parameter.slew_us),
            looks=tuple(map(self._look, graph.looks)),
            mirrored=_folded(" || ".join(f"clip == {at}u" for at, clip in enumerate(self._bank.clips)
                                         if clip.mirrored and graph.mirrors)),
            in_plane=self._any("step->machine->shown", (state.second is not None for state in graph.states)),
            stopping=self._any("step->machine->shown",
                               (state.blend is not None and bool(state.positions_q11) for state in graph.states)),
            in_layers=self._names_states())

    def _names_states(self) -> bool:
        """Returns whether a condition that may be looked at names states of another machine."""
        graph = self._graph
        left = (graph.transitions[at].clauses for state in graph.states for at in state.transitions)
        conditions = (*left, *(machine.clauses for machine in graph.machines))
        return any(atom.operation == IN for clauses in conditions for clause in clauses for atom in clause)

    # ---- states ----

    def _cases(self, lines_of: Callable[[State], tuple[str, ...]]) -> tuple[Case, ...]:
        """Returns the statements for states, one case for those with the same."""
        found: dict[tuple[str, ...], list[str]] = {}
        for name, state in zip(self._names, self._graph.states):
            lines = lines_of(state)
            if lines:
                found.setdefault(lines, []).append(name)
        return tuple(Case(tuple(names), lines) for lines, names in found.items())

    def _any(self, what: str, flags: Iterable[bool]) -> str:
        """Returns the condition in C that `what` is a state whose flag is set. If all are set, compilers would see that
        no other state remains for the code behind it."""
        found = [f"{what} == {name}" for name, flag in zip(self._names, flags) if flag]
        return "true" if len(found) == len(self._names) else _folded(" || ".join(found))

    def _driven(self) -> str:
        """Returns the condition in C that a parameter is the position of a state that does not blend."""
        states = self._graph.states
        if any(state.by_position for state in states) and all(
                state.by_position or state.blend is not None for state in states):
            return "true"
        return self._any("step->machine->shown", (state.by_position for state in states))

    def _clip(self, state: State) -> str:
        clip = self._bank.clips[state.clip if state.blend is None and not state.nothing else 0]
        speed = state.speed_q16 if state.speed_parameter is None else 0
        return (f"{state.clip}u, {(clip.frame_count - 1) * _ONE_Q11}u, {clip.position_per_us_q32}u, "
                f"0x{state.loops:x}u, {speed}")

    def _blends(self) -> Iterable[BlendRule]:
        first = 0
        for name, state in zip(self._names, self._graph.states):
            if state.blend is not None:
                yield BlendRule(name, first, len(state.members), self._slewed(state.blend), state.second is not None)
            first += len(state.members)

    def _machines(self) -> Iterable[MachineRule]:
        graph, player, transition = self._graph, 0, 0
        for at, machine in enumerate(graph.machines):
            remembers = graph.remembers(machine)
            yield MachineRule(
                at, c_comment(machine.name or "base"), machine.first, machine.count, self._names[machine.start],
                player, transition if remembers else None, graph.blends(machine),
                _folded(self._clauses(machine.clauses, machine)), self._weight(machine), machine.fade_us, machine.mask,
                machine.additive)
            player += graph.players(machine)
            transition += remembers

    def _look(self, look: Look) -> LookRule:
        links = ", ".join(f"{{{link.joint}, {link.weight_q15}, {link.limit_q15}}}" for link in look.links)
        vectors = ", ".join(f"{{{', '.join(map(str, vector))}}}"
                            for vector in (look.forward_q20, look.up_q20, look.eyes_q20))
        in_world = str(bool(self._graph.parameters[look.point].most)).lower()
        axes = [axis for axis, part in enumerate(look.forward_q20) if part]
        axis = axes[0] if len(axes) == 1 and look.forward_q20[axes[0]] == _ONE_Q20 else 3
        return LookRule(links, len(look.links), vectors,
                        f"{look.fade_us or 1}u, {look.lag_us}u, {look.within_q20}, {look.beyond_q20}, {axis}, "
                        f"{in_world}",
                        look.point, self._weight(look))

    def _weight(self, rule: Machine | Look) -> str:
        if rule.weight_parameter is None:
            return f"{rule.weight_q15}u"
        return f"(uint32_t){self._slewed(rule.weight_parameter)} >> 1"

    # ---- parameters and conditions ----

    def _slewed(self, parameter: int | None) -> str:
        assert parameter is not None
        at = parameter - self._graph.trigger_count
        return f"step->character->slews[{at}].value" if at < self._graph.slewed_count else f"step->values[{parameter}]"

    def _find(self, state: State, holds: bool) -> tuple[str, ...]:
        """Returns statements that return the transition out of a state that has to be taken."""
        lines: list[str] = []
        for at in state.transitions:
            transition = self._graph.transitions[at]
            machine = self._graph.machines[self._graph.machine_of(transition.target)]
            entered = f"!osc_graph_was_entered(entered, {self._names[transition.target]})"
            if any(atom.operation == WAITS for clause in transition.clauses for atom in clause):
                for clause in transition.clauses:
                    lines += self._take(at, f"{self._clause(clause, machine)} && {entered}", clause, machine, holds)
            else:
                condition = self._clauses(transition.clauses, machine)
                condition = f"({condition})" if len(transition.clauses) > 1 else condition
                lines += self._take(at, f"{condition} && {entered}" if condition else entered, (), machine, holds)
        return tuple(lines)

    def _take(self, at: int, condition: str, clause: Clause, machine: Machine, holds: bool) -> list[str]:
        consumed = [f"    step->character->ages_us[{self._wait(atom, machine)}] = OSC_GRAPH_NOT_PENDING;"
                    for atom in clause if atom.operation == WAITS]
        waits = [f"    if (!may_leave(step->machine, {at}u))", f"        return {_NONE};"] if holds else []
        body = [*waits, *consumed, f"    return {at}u;"]
        return [f"if ({_folded(condition)}){' {' if len(body) > 1 else ''}", *body, *["}"] * (len(body) > 1)]

    def _wait(self, atom: Atom, machine: Machine) -> int:
        return self._waits[self._graph.machines.index(machine), atom.argument]

    def _clauses(self, clauses: tuple[Clause, ...], machine: Machine) -> str:
        texts = [self._clause(clause, machine) for clause in clauses]
        if len(texts) > 1:
            texts = [f"({text})" if " && " in text else text for text in texts]
        return "" if texts == ["true"] else " || ".join(texts)

    def _clause(self, clause: Clause, machine: Machine) -> str:
        return " && ".join(self._atom(atom, machine) for atom in clause)

    def _atom(self, atom: Atom, machine: Machine) -> str:
        operation = atom.operation
        if operation == AT_LEAST and atom.number <= self._graph.parameters[atom.argument].least:
            operation = ALWAYS  # values are at least that, and compilers warn of such comparisons
        text, opposite = _ATOMS[operation]
        first, count = atom.argument & 0xFF, atom.argument >> 8
        return (opposite if atom.opposite else text).format(
            value=f"step->values[{atom.argument}]", number=atom.number, name=atom.argument, count=count,
            wait=self._wait(atom, machine) if atom.operation == WAITS else 0,
            most=self._graph.parameters[atom.argument].most if atom.operation == WAITS else 0,
            first=self._names[first] if atom.operation == IN else "",
            machine=self._graph.machine_of(first) if atom.operation == IN else 0)


def _folded(text: str) -> str:
    """Returns a condition in lines that end with an operator."""
    lines = [""]
    for part in re.split(r"(?<=&&|\|\|) ", text):
        if lines[-1] and len(lines[-1]) + len(part) > LINE:
            lines.append("")
        lines[-1] += " " * bool(lines[-1]) + part
    return f"\n{' ' * 12}".join(lines)


def _value(parameter: Parameter) -> str:
    """Returns a parameter at its range, in C. {field}: that of the game."""
    if parameter.kind in (TRIGGER, FLAG):
        return "{field}"
    return f"clamped({{field}}, {parameter.least}, {parameter.most})"


# ---- the text ----

_FUNCTION = re.compile(r"^static [^=;{]*?\b(\w+)\([^;{]*\)\n\{", re.MULTILINE)
_LIBRARY = "osc_graph_"


def tidied(text: str) -> str:
    """Returns the code without static functions that nothing calls and their comments. Names of the interpreter's
    functions lose their prefix."""
    text = _without_unused(text)
    others = uses(text)
    bare = {name: name.removeprefix(_LIBRARY) for name in own_names(text) if name.startswith(_LIBRARY)}
    text = renamed(text, {name: short for name, short in bare.items() if short not in others})
    return re.sub(r"\n{3,}", "\n\n", text)


def _without_unused(text: str) -> str:
    while True:
        found = uses(text)
        unused = [match for match in _FUNCTION.finditer(text) if found[match[1]] == 1]
        if not unused:
            return text
        for match in reversed(unused):
            begin = text.rindex("\n\n", 0, match.start()) + 1
            text = text[:begin] + text[text.index("\n}\n", match.start()) + 3:]
