"""A step of an animation graph by its definition (SPEC.md section 26), in whole microseconds, one at a time."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ossicle.bank.clips import Clip
from ossicle.bank.events import ClipEvent
from ossicle.bank.graph.records import (AFTER, ALWAYS, AT, AT_LEAST, EQUALS, FINISHED, FOREVER, INSIDE, IS_SET, WAITS,
                                        Atom, Clause, Graph)

ONCE, BEGIN, END, LATE, CUT = 0, 1, 2, 4, 8  # of an event
MOST_SWITCHES = 4
NOT_PENDING = 0xFFFFFFFF


@dataclass(frozen=True)
class Mark:
    """An event without duration, or an end of a span. other_q11: the other end."""

    position_q11: int
    phase: int
    name: str
    other_q11: int


def marks_of(events: Sequence[ClipEvent]) -> list[Mark]:
    """The marks of a clip in playing order."""
    marks = []
    for order, event in enumerate(events):
        if event.end_q11 is None:
            marks.append((event.position_q11, 2, order, Mark(event.position_q11, ONCE, event.name, 0)))
        else:
            marks.append((event.position_q11, 1, order, Mark(event.position_q11, BEGIN, event.name, event.end_q11)))
            marks.append((event.end_q11, 0, order, Mark(event.end_q11, END, event.name, event.position_q11)))
    return [mark for *_, mark in sorted(marks, key=lambda each: each[:3])]


@dataclass
class Model:
    """A graph that plays forward, forever or once, at the speeds of its clips. events: of each clip; names: of all
    events."""

    graph: Graph
    clips: Sequence[Clip]
    events: Mapping[int, Sequence[ClipEvent]]
    names: Sequence[str]
    passed: list[tuple[str, int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ages = [NOT_PENDING] * self.graph.trigger_count
        self.marks = [marks_of(self.events.get(clip, ())) for clip in range(len(self.clips))]
        self.switches = 0
        self.taken: int | None = None
        self._enter(self.graph.machines[0].start, 0)

    def _enter(self, state: int, start_q11: int) -> None:
        self.state, self.state_us, self.begun = state, 0, False
        self.position_q32 = start_q11 << 32
        self.loops = self.graph.states[state].loops
        self.clip = self.graph.states[state].clip
        self.end_q11 = (self.clips[self.clip].frame_count - 1) << 11
        self.reached = False
        if self.loops == 1 and start_q11 == self.end_q11:
            self.loops = 0  # a clip that plays once has ended at its last position

    @property
    def position_q11(self) -> int:
        return self.position_q32 >> 32

    @property
    def finished(self) -> bool:
        return self.loops == 0

    def _open(self) -> list[Mark]:
        """The begins of the spans that contain the position."""
        at = self.position_q11
        return [mark for mark in self.marks[self.clip] if mark.phase == BEGIN and (
            mark.position_q11 <= at < mark.other_q11 if mark.position_q11 < mark.other_q11
            else mark.position_q11 <= at or at < mark.other_q11)]

    def _report(self, mark: Mark, what: int) -> None:
        self.passed.append((mark.name, self.state, what))

    def _pass_marks(self, first_q11: int, last_q11: int) -> None:
        """Reports the marks from a position to before another."""
        for mark in self.marks[self.clip]:
            if first_q11 <= mark.position_q11 < last_q11:
                self._report(mark, mark.phase)

    # ---- conditions ----

    def _value(self, parameter: int) -> int:
        held = self.graph.parameters[parameter]
        return min(max(self.values[parameter], held.least), held.most)

    def _pending(self, trigger: int) -> bool:
        most = self.graph.parameters[trigger].most
        return self.ages[trigger] != NOT_PENDING and self.ages[trigger] <= most

    def _holds(self, atom: Atom) -> bool:
        argument = atom.argument
        holds = {ALWAYS: lambda: True,
                 WAITS: lambda: self._pending(argument),
                 IS_SET: lambda: self._value(argument) != 0,
                 AT_LEAST: lambda: self._value(argument) >= atom.number,
                 EQUALS: lambda: self._value(argument) == atom.number,
                 FINISHED: lambda: self.finished,
                 AFTER: lambda: self.state_us >= atom.number,
                 AT: lambda: self.reached and any(
                     mark.name == self.names[argument] and mark.phase != END
                     and mark.position_q11 in self.reached_q11 for mark in self.marks[self.clip]),
                 INSIDE: lambda: any(mark.name == self.names[argument] for mark in self._open())}[atom.operation]()
        return holds != atom.opposite

    def _clause(self, clauses: Sequence[Clause]) -> Clause | None:
        return next((clause for clause in clauses if all(map(self._holds, clause))), None)

    # ---- moments ----

    def _leave(self) -> None:
        if not self.begun:
            return
        if not self.finished:
            self._pass_marks(self.position_q11, self.position_q11 + 1)
        for mark in self._open():
            self._report(mark, END | CUT)

    def _look(self) -> None:
        entered: set[int] = set()
        while self.switches < MOST_SWITCHES:
            for number in self.graph.states[self.state].transitions:
                transition = self.graph.transitions[number]
                if self.taken is not None and self.state_us < self.graph.transitions[self.taken].hold_us \
                        and number >= self.taken:
                    continue
                if transition.target in entered or (clause := self._clause(transition.clauses)) is None:
                    continue
                self._leave()
                for atom in clause:
                    if atom.operation == WAITS:
                        self.ages[atom.argument] = NOT_PENDING
                self._enter(transition.target, transition.start_q11)
                self.taken = number
                entered.add(transition.target)
                self.switches += 1
                break
            else:
                break
        self.reached = False

    def _is_watch(self) -> bool:
        state = self.graph.states[self.state]
        hold = self.taken is not None and self.graph.transitions[self.taken].hold_us == self.state_us
        return self.reached or self.state_us in state.times_us or hold

    def _microsecond(self) -> None:
        """Lets a microsecond pass. Every watch between the positions before and after it is reached."""
        if not self.begun:
            if self.finished:
                self._pass_marks(self.position_q11, self.position_q11 + 1)
            for mark in self._open():
                if mark.position_q11 != self.position_q11:
                    self._report(mark, BEGIN | LATE)
        self.begun = True
        before = self.position_q11
        if not self.finished:
            self._move(before)
        self.state_us += 1
        for trigger, age in enumerate(self.ages):
            if age != NOT_PENDING and self.graph.parameters[trigger].most != FOREVER:
                self.ages[trigger] += 1

    def _move(self, before: int) -> None:
        self.position_q32 += self.clips[self.clip].position_per_us_q32
        after, positions = self.position_q11, range(before + 1, self.position_q11 + 1)
        self.reached_q11 = set(positions)
        if after < self.end_q11:
            self._pass_marks(before, after)
        elif self.loops == FOREVER:
            self.position_q32 -= self.end_q11 << 32
            self._pass_marks(before, self.end_q11 + 1)
            self._pass_marks(0, self.position_q11)
            self.reached_q11 = {*range(before + 1, self.end_q11 + 1), *range(self.position_q11 + 1)}
        else:
            self.loops, self.position_q32 = 0, self.end_q11 << 32
            self._pass_marks(before, self.end_q11 + 1)
        self.reached = not self.reached_q11.isdisjoint(self.graph.states[self.state].positions_q11)

    def step(self, values: Sequence[int], elapsed_us: int) -> None:
        """A step with these parameters."""
        self.values, self.switches = values, 0
        left = min(elapsed_us, self.graph.longest_us)
        for trigger in range(self.graph.trigger_count):
            if values[trigger]:
                self.ages[trigger] = 0
        self._look()
        while left:
            self._microsecond()
            left -= 1
            if left and self._is_watch() and self.switches < MOST_SWITCHES:
                self._look()
            elif left:
                self.reached = False
        for trigger in range(self.graph.trigger_count):
            if not self._pending(trigger):
                self.ages[trigger] = NOT_PENDING
