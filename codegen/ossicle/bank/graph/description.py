"""Describes the animation graph of a bank for `ossicle inspect`."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..clips import ONE_Q11
from ..file import Bank
from .records import (CHOICE, CUT, FADE, FLAG, FOREVER, INERTIA, NUMBER, ONE_Q15, ONE_Q16, PLANE_ONE, POINT,
                      STEP, TRIGGER, Choice, Graph, Limb, Machine, Member, Parameter, State)
from .text import condition_text

TRANSITION_KINDS = {INERTIA: "inertia", FADE: "fade", STEP: "step", CUT: "cut"}
KINDS = {TRIGGER: "trigger", FLAG: "flag", CHOICE: "choice", NUMBER: "number", POINT: "point"}


def describe_graph(bank: Bank) -> dict[str, Any] | None:
    """Returns the graph of a bank for JSON, or None. Times are in microseconds, positions in frames; parameters, states
    and transitions are in the order of the bank."""
    graph = bank.graph
    if graph is None:
        return None
    return {
        "start": graph.states[graph.machines[0].start].name, "longest_step_us": graph.longest_us,
        "step_events": graph.event_count, "players": "shared" if graph.shared else "own",
        "parameters": [_parameter(parameter) for parameter in graph.parameters],
        "states": [_state(state, bank, graph) for state in graph.states],
        "groups": [{"name": group.name,
                    "states": [state.name for state in graph.states[group.first:group.first + group.count]]}
                   for group in graph.groups],
        "choices": [_choice(choice, graph) for choice in graph.choices],
        "transitions": _transitions(graph, bank),
        "layers": [_layer(layer, graph, bank) for layer in graph.machines[1:]],
        "looks": [{"name": look.name, "at": graph.parameters[look.point].name,
                   "joints": [bank.joints[link.joint].name for link in look.links]} for look in graph.looks],
        "limbs": [_limb(limb, graph, bank) for limb in graph.limbs],
    }


def _choice(choice: Choice, graph: Graph) -> dict[str, Any]:
    """Describes states of which one is entered instead of the first. weights: None if they take turns or a flag
    chooses."""
    return {"states": [graph.states[number].name for number in choice.states],
            "weights": list(choice.weights) if choice.weights else None,
            "flag": None if choice.flag is None else graph.parameters[choice.flag].name}


def _limb(limb: Limb, graph: Graph, bank: Bank) -> dict[str, Any]:
    goal = {"lock": bank.events.names[limb.span]} if limb.point is None else {"to": graph.parameters[limb.point].name}
    return {"name": limb.name, "joints": [bank.joints[joint].name for joint in limb.joints]} | goal


def _place(member: Member, numbers: Sequence[Parameter]) -> list[float]:
    """Returns the values of the numbers of a blend at which only this member shows."""
    if len(numbers) == 1:
        return [member.at / ONE_Q16]
    return [round((number.least + at / PLANE_ONE * (number.most - number.least)) / ONE_Q16, 3)
            for at, number in zip(member.point, numbers)]


def _layer(layer: Machine, graph: Graph, bank: Bank) -> dict[str, Any]:
    """Describes a layer. weight: a number or the name of a parameter."""
    weight = layer.weight_q15 / ONE_Q15 if layer.weight_parameter is None \
        else graph.parameters[layer.weight_parameter].name
    return {"name": layer.name, "start": graph.states[layer.start].name,
            "states": [graph.states[number].name for number in layer.states],
            "mask": None if layer.mask is None else graph.masks[layer.mask].name, "weight": weight,
            "fade_us": layer.fade_us, "while": condition_text(layer.clauses, graph, bank.events.names),
            "additive": layer.additive}


def _parameter(parameter: Parameter) -> dict[str, Any]:
    described: dict[str, Any] = {"name": parameter.name, "kind": KINDS[parameter.kind]}
    if parameter.kind == TRIGGER:
        return described | {"waits_us": None if parameter.most == FOREVER else parameter.most}
    if parameter.kind == NUMBER:
        return described | {"range": [parameter.least / ONE_Q16, parameter.most / ONE_Q16],
                            "default": parameter.default / ONE_Q16, "unit": parameter.unit,
                            "slew_us": parameter.slew_us}
    if parameter.kind == CHOICE:
        return described | {"values": list(parameter.values), "default": parameter.values[parameter.default]}
    if parameter.kind == POINT:
        return described | {"space": "world" if parameter.most else "model"}
    return described | {"default": bool(parameter.default)}


def _state(state: State, bank: Bank, graph: Graph) -> dict[str, Any]:
    """Describes a state. clips: none for a state that plays nothing; loops: None for a clip that plays forever; by: the
    numbers that blend; at: of each clip, their values; position: the number that is the position in the clip."""
    if state.nothing:
        return {"name": state.name, "clips": []}
    if state.blend is not None:
        numbers = [graph.parameters[number] for number in (state.blend, state.second) if number is not None]
        return {"name": state.name, "clips": [bank.clips[member.clip].name for member in state.members],
                "by": [parameter.name for parameter in numbers],
                "at": [_place(member, numbers) for member in state.members]}
    if state.by_position and state.speed_parameter is not None:
        return {"name": state.name, "clips": [bank.clips[state.clip].name],
                "position": graph.parameters[state.speed_parameter].name}
    speed = state.speed_q16 / ONE_Q16 if state.speed_parameter is None else graph.parameters[state.speed_parameter].name
    return {"name": state.name, "clips": [bank.clips[state.clip].name],
            "loops": None if state.loops == FOREVER else state.loops, "speed": speed}


def _transitions(graph: Graph, bank: Bank) -> list[dict[str, Any]]:
    return [{"from": [state.name for state in graph.states if number in state.transitions],
             "to": graph.states[transition.target].name,
             "when": condition_text(transition.clauses, graph, bank.events.names),
             "kind": TRANSITION_KINDS[transition.kind], "over_us": transition.over_us,
             "start_frame": transition.start_q11 / ONE_Q11, "hold_us": transition.hold_us}
            for number, transition in enumerate(graph.transitions)]
