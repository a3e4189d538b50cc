"""Reads the layers of a graph in a configuration file: each is a machine of states."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...bank.graph.check import MOST_MACHINES, OVER_MOST_US
from ...base.problem import SettingProblem
from ..conditions import FINISHED, VALUE, Term, parse_condition
from .reading import check_count, check_keys, check_name, read_table, read_text, read_time_us, read_weight
from ..rules import DEFAULT_FADE_US, ChoiceRule, GroupRule, LayerRule, StateRule, TransitionRule
from .states import NOTHING, StateReader, nothing
from .transitions import read_transitions

_OWN = ("name", "mask", "weight", "fade", "while")
_PLAY, _SHOTS, _MACHINE = ("play", "position", "loops", "speed"), ("one_shot",), ("start", "states", "transitions")
_KINDS = {"play": _PLAY, "one_shot": _SHOTS, "states": _MACHINE}  # by the key that a layer of each kind has


@dataclass(frozen=True)
class ReadLayer:
    """A layer with its states, groups, choices and transitions."""

    rule: LayerRule
    states: list[StateRule]
    groups: list[GroupRule]
    choices: list[ChoiceRule]
    transitions: list[TransitionRule]


def read_layers(value: Any, what: str, first: int) -> list[ReadLayer]:
    """Reads a list of layers. what: its key, for messages; first: the number of states of the base. Raises
    SettingProblem."""
    if not isinstance(value, list):
        raise SettingProblem(f"{what}: give a list of tables, each as [[graph.layers]]")
    check_count(value, what, "layers", MOST_MACHINES - 1)
    layers: list[ReadLayer] = []
    for at, item in enumerate(value, 1):
        table = read_table(item, f"{what} {at}", "a table with name")
        if "name" not in table:
            raise SettingProblem(f"{what} {at}: has no name; add one, such as name = \"gesture\"")
        name = read_text(table["name"], f"{what} {at} name", "a name")
        check_name(name, f"{what} {at} name")
        if name in (layer.rule.name for layer in layers):
            raise SettingProblem(f"{what} {at} name = {name!r}: is the name of an earlier layer; choose another one")
        layers.append(_layer(table, name, f"{what}.{name}", first + sum(len(layer.states) for layer in layers)))
    return layers


def _layer(table: Mapping[str, Any], name: str, where: str, first: int) -> ReadLayer:
    kinds = [key for key in _KINDS if key in table]
    if len(kinds) != 1:
        raise SettingProblem(f"{where}: has {' and '.join(kinds) or 'nothing that it plays'}; give one of "
                             "play = \"Breathe\", one_shot = { wave = \"Wave\" } and a table of states")
    check_keys(table, (*_OWN, *_KINDS[kinds[0]]), where)
    states = StateReader(where, f"{name}.", first)
    transitions: list[TransitionRule] = []
    start: str | None = f"{name}.{kinds[0]}"
    if kinds[0] == "play":
        states.states.append(states.read_state({key: table[key] for key in _PLAY if key in table}, "play", where))
    elif kinds[0] == "one_shot":
        start = f"{name}.{NOTHING}"
        transitions = _read_shots(table["one_shot"], states, f"{where} one_shot")
    else:
        states.read(read_table(table["states"], f"{where} states", "a table of states"))
        transitions = read_transitions(table.get("transitions", []), where, f"{name}.")
        start = f"{name}.{read_text(table['start'], f'{where} start', 'a state')}" if "start" in table else None
    if not states.states:
        raise SettingProblem(f"{where}: has no states; add one")
    rule = LayerRule(
        name, start, read_text(table["mask"], f"{where} mask", "the name of a mask") if "mask" in table else None,
        read_weight(table.get("weight", 1.0), f"{where} weight"),
        read_time_us(table.get("fade", DEFAULT_FADE_US / 1e6), f"{where} fade", OVER_MOST_US),
        parse_condition(read_text(table["while"], f"{where} while", "a condition"), f"{where} while")
        if "while" in table else (), first, len(states.states), where)
    return ReadLayer(rule, states.states, states.groups, states.choices, transitions)


def _read_shots(value: Any, states: StateReader, what: str) -> list[TransitionRule]:
    """Reads clips that triggers start: each is a state that is entered from one that plays nothing, and left at its
    end."""
    none = states.above + NOTHING
    states.states.append(nothing(none, what))
    transitions = []
    shots = read_table(value, what, "a table of triggers and clips, such as { wave = \"Wave\" }")
    if not shots:
        raise SettingProblem(f"{what}: is empty; give triggers and clips, such as {{ wave = \"Wave\" }}")
    for trigger, clip in shots.items():
        where = f"{what}.{trigger}"
        check_name(trigger, what, states.above)
        shot = states.above + trigger
        states.states.append(StateRule(shot, read_text(clip, where, "the name of a clip"), 1, 1.0, where,
                                       one_shot=True))
        for source, target, term in ((none, shot, Term(VALUE, trigger)), (shot, none, Term(FINISHED))):
            transitions.append(TransitionRule((source,), target, ((term,),), True, None, None, 0, where,
                                              states.above[:-1]))
    return transitions
