"""Plays a script and records what happens."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..bank.file import Bank
from ..bank.graph.records import POINT, TRIGGER, Graph
from ..base.format import number
from ..encoding.native.character import Character, CharacterState, PassedEvent
from ..generate.mirror_words import mirror_words
from .script import Input, Script

_ONE_Q20, _TURN_Q24 = 1 << 20, 1 << 24
_PHASE = number("GRAPH_EVENT_PHASE")
_LATE, _CUT = number("GRAPH_EVENT_LATE"), number("GRAPH_EVENT_CUT")
_PHASES = ("", " begins", " ends")  # by osc_event_phase


@dataclass(frozen=True)
class Tick:
    """A tick of a play. end_us: the time at its end; input: whether the game wrote something before it; state: of the
    base; layers: the states of layers that play something; events: their
    texts; place: x, y, z in metres, Q20, and the yaw, Q24; pose: the hash."""

    end_us: int
    input: bool
    state: str
    layers: tuple[str, ...]
    switches: int
    events: tuple[str, ...]
    place: tuple[int, ...]
    pose: str

    def component(self, name: str) -> float:
        """Returns a component of the place, in metres or turns."""
        at = ("x", "y", "z", "yaw").index(name)
        return self.place[at] / (_TURN_Q24 if name == "yaw" else _ONE_Q20)

    def as_json(self) -> dict[str, Any]:
        """Returns the tick for JSON."""
        return {"time_us": self.end_us, "input": self.input, "state": self.state,
                "layers": list(self.layers), "switches": self.switches, "events": list(self.events),
                "place": list(self.place), "pose": self.pose}


def play_script(script: Script, bank: Bank) -> list[Tick]:
    """Plays a script with a character of the bank, which has a graph. Raises NativeProblem."""
    assert bank.graph is not None
    values = [parameter.default for parameter in bank.graph.parameters if parameter.kind != POINT]
    values += [0, 0, 0] * bank.graph.point_count
    triggers = [at for at, parameter in enumerate(bank.graph.parameters) if parameter.kind == TRIGGER]
    inputs = list(script.inputs)
    ticks = []
    with Character(np.array(bank.words, np.uint32), script.seed, mirror_words(bank)) as character:
        for at in range(script.ticks):
            before = len(inputs)
            while inputs and inputs[0].at_us <= at * script.tick_us:
                _write(inputs.pop(0), values, character)
            state = character.step(values, script.tick_us)
            ticks.append(_tick(state, (at + 1) * script.tick_us, len(inputs) < before, bank.graph, bank.events.names))
            for trigger in triggers:
                values[trigger] = 0
    return ticks


def _write(entry: Input, values: list[int], character: Character) -> None:
    for parameter, value in entry.values.items():
        values[parameter] = value
    if entry.go is not None:
        character.go(entry.go, entry.over_us)
    if entry.place is not None:
        character.appear(entry.place)


def _tick(state: CharacterState, end_us: int, has_input: bool, graph: Graph, names: Sequence[str]) -> Tick:
    base, *layers = (graph.states[number] for number in state.states)
    return Tick(end_us, has_input, base.name, tuple(layer.name for layer in layers if not layer.nothing),
                state.switches,
                tuple(event_text(event, names) for event in state.events), state.place, f"{state.pose_hash:08x}")


def event_text(event: PassedEvent, names: Sequence[str]) -> str:
    """Describes an event, such as "land", "hit begins" or "hit ends cut"."""
    flags = (" late" if event.what & _LATE else "") + (" cut" if event.what & _CUT else "")
    return f"{names[event.name]}{_PHASES[event.what & _PHASE]}{flags}"


def recording(script: Script, ticks: Sequence[Tick]) -> Mapping[str, Any]:
    """Returns a play for JSON, which `--expect` compares with a later one."""
    return {"tick_us": script.tick_us, "ticks": [tick.as_json() for tick in ticks]}
