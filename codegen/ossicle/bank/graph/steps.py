"""Estimates the most that a step of a graph costs: the rows that it unpacks, and instructions or cycles."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil

from ...base.codec import StepCosts
from ...base.format import number
from ..clips import ONE_Q11, Clip
from ..file import Bank
from .records import FADE, ONE_Q16, STEP, Graph, Machine, Member, State, Transition

MOST_SWITCHES = number("GRAPH_MOST_SWITCHES")  # transitions that a machine can take in a step
_Q32 = 1 << 32


@dataclass(frozen=True)
class WorstStep:
    """The most that a step costs. step_us: its length; rows: that it unpacks; cost: in `unit`, instructions or cycles,
    on a target; machines, composing, looks: the parts of it that the base and the layers, the matrices, and looks and
    limbs cost. Each is 0 if a clip has a codec whose cost is not known, which `unknown` then names."""

    step_us: int
    rows: int
    cost: int
    unit: str
    target: str
    machines: tuple[int, ...]
    composing: int
    looks: int
    unknown: str = ""


@dataclass(frozen=True)
class _Cost:
    rows: int = 0
    cost: float = 0.0

    def __add__(self, other: _Cost) -> _Cost:
        return _Cost(self.rows + other.rows, self.cost + other.cost)


def worst_step(bank: Bank, costs: StepCosts, step_us: int | None = None) -> WorstStep | None:
    """Returns an estimate of the most that a step of step_us, by default the longest, costs; None for a bank without a
    graph. It adds the most that each part can cost, although hardly any step has all of them, for a character whose
    pose every step evaluates. No step has more rows, poses, moments, switches or events than are counted. What each of
    them costs is measured with one character: other tracks, and conditions on events, may cost more."""
    graph = bank.graph
    if graph is None:
        return None
    step_us = graph.longest_us if step_us is None else step_us
    unknown = sorted({bank.clips[clip].codec for state in graph.states for clip in _clips(state)} - costs.row.keys())
    if unknown:
        return WorstStep(step_us, 0, 0, costs.unit, costs.target, (), 0, 0, unknown[0])
    estimate = _Estimate(bank, graph, costs, step_us)
    machines = [estimate.machine(machine, layer) for layer, machine in enumerate(graph.machines)]
    composing, looks = estimate.joints("compose"), estimate.looks()
    rest = costs.parts["slew"] * graph.slewed_count + costs.parts["event"] * graph.event_count
    total = sum(machine.cost for machine in machines) + composing + looks + rest
    return WorstStep(step_us, sum(machine.rows for machine in machines), ceil(total), costs.unit, costs.target,
                     tuple(ceil(machine.cost) for machine in machines), ceil(composing), ceil(looks))


def _clips(state: State) -> list[int]:
    return [] if state.nothing else [member.clip for member in state.members] or [state.clip]


class _Estimate:
    """The parts of a step of a graph."""

    def __init__(self, bank: Bank, graph: Graph, costs: StepCosts, step_us: int) -> None:
        self._bank, self._graph, self._costs, self._step_us = bank, graph, costs, step_us

    def joints(self, *parts: str, count: int | None = None) -> float:
        """Returns the cost of parts for all joints, or for `count`."""
        joints = len(self._bank.joints) if count is None else count
        return joints * sum(self._costs.parts[part] for part in parts)

    def looks(self) -> float:
        """Returns the cost of looks and limbs, which compose the joints below again."""
        parts, joints, graph = self._costs.parts, len(self._bank.joints), self._graph
        turned = [(parts["turn"] * len(look.links), look.links[-1].joint) for look in graph.looks]
        turned += [(parts["reach"], limb.joints[0]) for limb in graph.limbs]
        return sum(cost + self.joints("compose", count=joints - first) for cost, first in turned)

    def machine(self, machine: Machine, layer: int) -> _Cost:
        """Returns the most that a machine costs. layer: its number, 0 for the base."""
        states = [number for number in machine.states if not self._graph.states[number].nothing]
        playing = {number: self._state(number, layer) for number in states}
        again = {number: self._poses(number) for number in states}
        remembers, fades = self._graph.remembers(machine), self._graph.fades(machine)
        best = _most(playing[number] + (again[number] if remembers else _Cost()) for number in states)
        if fades:
            faded = [(source, transition.target) for index, transition in enumerate(self._graph.transitions)
                     if transition.kind in (FADE, STEP) and transition.target in playing
                     for source in states if index in self._graph.states[source].transitions]
            both = [playing[source] + again[source] + playing[target] + _Cost(0, self.joints("blend"))
                    for source, target in faded]
            best = _most([best, *both])
        cost = self.joints("begin", "apply") if remembers else 0.0
        if layer:
            cost += self.joints("add" if machine.additive else "blend")
        return best + _Cost(0, cost + self._interpreter(machine, layer))

    def _interpreter(self, machine: Machine, layer: int) -> float:
        """Returns the cost of looking at transitions and of switches, at every moment those of the worst state. With
        each switch, a state may begin again, whose watches are all still to come."""
        parts, graph = self._costs.parts, self._graph
        states = [graph.states[number] for number in machine.states]
        switches = MOST_SWITCHES if self._leaving(machine) else 1  # osc_graph_go
        visits = 1 + switches
        reached = visits * max(map(_watch_count, states)) + ceil(max(map(self._watches_in_loops, states)))
        if any(transition.hold_us for transition in self._leaving(machine)):
            reached += switches  # the hold of each transition that is taken may end
        if layer:  # when an earlier machine switches, and when the layer has faded out, closed by every second switch
            earlier = sum(MOST_SWITCHES if self._leaving(each) else 1 for each in graph.machines[:layer])
            reached += earlier + 1 + ceil((earlier + switches) / 2)
            switches += (1 + ceil(earlier / 2)) * bool(machine.clauses)  # it begins again
        moments = visits + reached
        atoms = max(sum(sum(map(len, graph.transitions[index].clauses)) for index in state.transitions)
                    for state in states) + sum(map(len, machine.clauses))
        passes = max(self._together(number) for number in machine.states) * (1 + graph.fades(machine))
        marks = max(map(self._marks, states))
        return (parts["machine"] + moments * atoms * parts["look"] + switches * parts["switch"]
                + (moments + marks) * passes * parts["part"])  # a visit needs none: they cover what follows a fade

    def _leaving(self, machine: Machine) -> list[Transition]:
        """Returns the transitions between states of a machine."""
        return [self._graph.transitions[index] for number in machine.states
                for index in self._graph.states[number].transitions]

    def _watches_in_loops(self, state: State) -> float:
        """Returns the most watches that a step reaches in loops after the first one, and of a blend in all."""
        if state.members:
            return self._marks(state) * bool(state.positions_q11)
        if state.nothing:
            return 0.0
        return len(state.positions_q11) * self._frames(state) / max(self._bank.clips[state.clip].frame_count - 1, 1)

    def _marks(self, state: State) -> int:
        """Returns the most marks that the phase of a blend passes in a step."""
        if not state.members:
            return 0
        shortest_us = min(_stride(member)[0] for member in state.members)
        return ceil(self._step_us / max(shortest_us, 1.0))

    def _frames(self, state: State, member: Member | None = None) -> int:
        """Returns the most frames by which the clip of a state, or of a member, advances in a step."""
        if member is not None:
            return ceil(self._marks(state) * _stride(member)[1])
        speed = abs(state.speed_q16) if state.speed_parameter is None \
            else self._graph.parameters[state.speed_parameter].most
        per_us = self._bank.clips[state.clip].position_per_us_q32 / _Q32 / ONE_Q11
        return 0 if state.by_position else ceil(self._step_us * per_us * speed / ONE_Q16)

    def _state(self, number: int, layer: int) -> _Cost:
        """Returns the cost of the pose of a state at the end of a step, after others have played."""
        state = self._graph.states[number]
        if state.members:
            return self._members(number) + self._poses(number)
        frames, clip = self._frames(state), self._bank.clips[state.clip]
        starts = [transition.start_q11 for transition in self._graph.transitions if transition.target == number]
        forward = state.speed_parameter is not None or state.speed_q16 >= 0
        hides = self._graph.machines[layer].weight_parameter is not None
        if hides or not forward or state.by_position:  # from anywhere: layers that show nothing are not evaluated
            found = self._seek(state.clip, frames)
        else:
            middle = max((start // ONE_Q11 % clip.restart_frames for start in starts), default=0)
            found = self._rows(state.clip, min(middle + frames + 3, _seek_rows(clip) + frames))
        return found + self._poses(number)

    def _members(self, number: int) -> _Cost:
        """Returns the rows of the members of a blend. It begins at a mark, or, in step, anywhere; afterwards, members
        that come into play do so anywhere, of two only one."""
        state = self._graph.states[number]
        frames = {member.clip: self._frames(state, member) for member in state.members}
        seeks = sorted(((self._seek(clip, count), clip) for clip, count in frames.items()),
                       key=lambda seek: -seek[0].cost)[:self._together(number)]
        in_step = any(transition.kind == STEP and transition.target == number for transition in self._graph.transitions)
        anywhere = len(seeks) if in_step or len(frames) > self._together(number) else 1
        return _sum([*(seek for seek, _ in seeks[:anywhere]),
                     *(self._rows(clip, frames[clip] + 3) for _, clip in seeks[anywhere:])])

    def _poses(self, number: int) -> _Cost:
        """Returns the cost of evaluating and blending the clips of a state."""
        state = self._graph.states[number]
        count = self._together(number)
        mirrored = sum(self._bank.clips[clip].mirrored for clip in _clips(state)) > 0
        return _Cost(0, count * self.joints("evaluate", *["mirror"] * mirrored) + (count - 1) * self.joints("blend"))

    def _together(self, number: int) -> int:
        """Returns how many clips of a state play together."""
        state = self._graph.states[number]
        return min(len(state.members), 2 if state.second is None else 3) or 1

    def _seek(self, clip: int, frames: int) -> _Cost:
        """Returns the rows from a restart point to any position, and of so many frames after it."""
        return self._rows(clip, _seek_rows(self._bank.clips[clip]) + frames)

    def _rows(self, clip: int, rows: int) -> _Cost:
        return _Cost(rows, rows * self._costs.row[self._bank.clips[clip].codec] * len(self._bank.subtracks))


def _seek_rows(clip: Clip) -> int:
    return min(clip.frame_count, clip.restart_frames + 1)


def _watch_count(state: State) -> int:
    """Returns how many watches a state reaches before it loops. A blend begins at a mark."""
    return len(state.positions_q11) * (not state.members) + len(state.times_us)


def _stride(member: Member) -> tuple[float, float]:
    """Returns the shortest time between marks of a member, and the most frames between them. The clip may wrap between
    any two."""
    sync = member.sync
    marks = [*sync.marks_q11, sync.marks_q11[0]]
    frames = [((after - before) % sync.end_q11 or sync.end_q11) / ONE_Q11 for before, after in zip(marks, marks[1:])]
    return min(frames) * sync.us_per_frame, max(frames)


def _most(parts: Iterable[_Cost]) -> _Cost:
    """Returns the most rows and the most cost, of different parts if need be."""
    found = list(parts) or [_Cost()]
    return _Cost(max(part.rows for part in found), max(part.cost for part in found))


def _sum(parts: Iterable[_Cost]) -> _Cost:
    total = _Cost()
    for part in parts:
        total += part
    return total
