"""Describes the animation graph of a bank for the page."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..bank.file import Bank
from ..bank.graph.description import KINDS
from ..bank.graph.records import CUT, POINT, Graph, State
from ..bank.graph.text import condition_text
from ..generate.mirror_words import mirror_words
from ..play.script import default_tick_us


def graph_description(bank: Bank) -> dict[str, Any] | None:
    """Returns the graph of a bank for the JSON of the page, or None. Numbers are those of the section: Q16,
    microseconds."""
    graph = bank.graph
    if graph is None:
        return None
    return {
        "mirror": mirror_words(bank), "tick_us": default_tick_us(graph), "longest_us": graph.longest_us,
        "parameters": [{"name": parameter.name, "kind": KINDS[parameter.kind], "least": parameter.least,
                        "most": parameter.most, "default": parameter.default, "slew_us": parameter.slew_us,
                        "unit": parameter.unit, "values": list(parameter.values),
                        "world": parameter.kind == POINT and parameter.most != 0}
                       for parameter in graph.parameters],
        "states": [{"name": state.name, "clips": [bank.clips[clip].name for clip in _clips(state)]}
                   for state in graph.states],
        "groups": [{"name": group.name, "first": group.first, "count": group.count} for group in graph.groups],
        "machines": [{"name": machine.name, "first": machine.first, "count": machine.count, "start": machine.start,
                      "while": condition_text(machine.clauses, graph, bank.events.names)}
                     for machine in graph.machines],
        "transitions": _transitions(graph, bank.events.names),
        "triggers": graph.trigger_count, "waits": [trigger for _, trigger in graph.waits],
        "events": list(bank.events.names),
    }


def _clips(state: State) -> list[int]:
    """Returns the clips of a state, in a blend those of its members."""
    if state.nothing:
        return []
    return [state.clip] if state.blend is None else [member.clip for member in state.members]


def _transitions(graph: Graph, events: Sequence[str]) -> list[dict[str, Any]]:
    return [{"from": [at for at, state in enumerate(graph.states) if number in state.transitions],
             "to": transition.target, "cut": transition.kind == CUT or not transition.over_us,
             "over_us": transition.over_us,
             "when": condition_text(transition.clauses, graph, events)}
            for number, transition in enumerate(graph.transitions)]
