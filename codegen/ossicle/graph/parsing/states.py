"""Reads the states of a graph or of a layer in a configuration file."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...bank.graph.records import Choice, Group
from ...base.problem import SettingProblem
from .blends import KEYS as BLEND_KEYS
from .blends import parse_blend
from .choices import KEYS as CHOICE_KEYS
from .choices import parse_choice
from .reading import check_keys, check_name, read_table, read_text
from ..rules import ChoiceRule, GroupRule, StateRule

MOST_LOOPS = 0xFFFF
MOST_SPEED = 1 << 15  # excluded
NOTHING = "none"  # a state of a layer that plays nothing
_CLIP_KEYS = ("loops", "speed")
_POSITION = "position"
_MIRROR = "mirror"
_STATE_KEYS = ("play", _POSITION, _MIRROR, *_CLIP_KEYS, *CHOICE_KEYS, *BLEND_KEYS)
_MIRROR_WORDS = "true, or the name of a flag that is read when the state is entered"
_GROUP_KEYS = ("start", "states")


@dataclass
class StateReader:
    """Reads the states of a machine. what: its table, for messages; above: the name of the layer with a dot, or empty
    for the base; first: the number of states of machines before it. states, groups, choices: those that were read, by
    their whole names."""

    what: str
    above: str = ""
    first: int = 0
    states: list[StateRule] = field(default_factory=list)
    groups: list[GroupRule] = field(default_factory=list)
    choices: list[ChoiceRule] = field(default_factory=list)

    def read(self, table: Mapping[str, Any], group: str = "") -> None:
        """Reads a table of states and of the groups in it. group: the name of the group around them, with a dot."""
        for key, value in table.items():
            name, where = group + key, f"{self.what} states.{group + key}"
            check_name(key, f"{self.what} states", self.above + group)
            own = read_table(value, where, "a table, such as { play = \"Idle\" }")
            if "states" in own:
                self._read_group(own, name, where)
            elif choice := parse_choice(own, where):
                self._read_choice(own, name, where, *choice)
            elif isinstance(own.get(_MIRROR), str):
                self._read_mirrored(own, name, where)
            else:
                self.states.append(self.read_state(own, name, where))

    def _read_group(self, own: Mapping[str, Any], name: str, where: str) -> None:
        if mixed := [key for key in _STATE_KEYS if key in own]:
            raise SettingProblem(f"{where}: has both states and {mixed[0]}; a group plays nothing itself, so move "
                                 f"{mixed[0]} to one of its states")
        check_keys(own, _GROUP_KEYS, where)
        whole, before, at = self.above + name, len(self.states), len(self.groups)
        self.read(read_table(own["states"], f"{where}.states", "a table of states"), f"{name}.")
        count = len(self.states) - before
        if not count:
            raise SettingProblem(f"{where}: has no states; add one, or remove the group")
        start = f"{whole}.{read_text(own['start'], f'{where} start', 'a state of the group')}" if "start" in own \
            else None
        self.groups.insert(at, GroupRule(whole, start, Group(whole, self.first + before, count), where))

    def _read_choice(self, own: Mapping[str, Any], name: str, where: str, clips: Sequence[str],
                     weights: tuple[int, ...]) -> None:
        """Reads a state that chooses a clip: a group with a state for each."""
        check_keys(own, (*CHOICE_KEYS, *_CLIP_KEYS), where)
        whole, first = self.above + name, self.first + len(self.states)
        for number, clip in enumerate(clips, 1):
            self.states.append(self.read_state({"play": clip, **{key: own[key] for key in _CLIP_KEYS if key in own}},
                                               f"{name}.{number}", where))
        self.groups.append(GroupRule(whole, f"{whole}.1", Group(whole, first, len(clips)), where))
        self.choices.append(ChoiceRule(whole, Choice(first, len(clips), weights), where))

    def _read_mirrored(self, own: Mapping[str, Any], name: str, where: str) -> None:
        """Reads a state that a flag mirrors at its entry: a group of two states."""
        whole, first = self.above + name, self.first + len(self.states)
        for number, mirrored in enumerate((False, True), 1):
            self.states.append(self.read_state({**own, _MIRROR: mirrored}, f"{name}.{number}", where))
        flag = read_text(own[_MIRROR], f"{where} {_MIRROR}", _MIRROR_WORDS)
        self.groups.append(GroupRule(whole, f"{whole}.1", Group(whole, first, 2), where))
        self.choices.append(ChoiceRule(whole, Choice(first, 2), where, flag))

    def read_state(self, own: Mapping[str, Any], name: str, where: str) -> StateRule:
        """Reads a state. name: within its machine."""
        check_keys(own, _STATE_KEYS, where)
        mirrored = own.get(_MIRROR, False)
        if not isinstance(mirrored, bool):
            raise SettingProblem(f"{where} {_MIRROR} = {mirrored!r}: give {_MIRROR_WORDS}")
        state = self._read_plain({key: value for key, value in own.items() if key != _MIRROR}, name, where)
        if mirrored and state.nothing:
            raise SettingProblem(f"{where}: plays nothing that could be mirrored; remove {_MIRROR}")
        return replace(state, mirrored=mirrored)

    def _read_plain(self, own: Mapping[str, Any], name: str, where: str) -> StateRule:
        whole = self.above + name
        if "blend" in own:
            return StateRule(whole, "", 0, 1.0, where, parse_blend(own, where))
        if extra := [key for key in BLEND_KEYS if key in own]:
            raise SettingProblem(f"{where}: has {extra[0]}, but no blend; add blend, such as blend = "
                                 "{ Walk = 1.4, Run = 4.5 }, or remove " + extra[0])
        if "play" not in own:
            raise SettingProblem(f"{where}: has no clip; add play, such as play = \"Idle\", or states for a group")
        clip = read_text(own["play"], f"{where} play", "the name of a clip")
        if self.above and clip == NOTHING:
            check_keys(own, ("play",), f"{where}, which plays nothing")
            return nothing(whole, where)
        if _POSITION in own:
            return _by_position(own, whole, clip, where)
        return StateRule(whole, clip, _loops(own["loops"], f"{where} loops") if "loops" in own else None,
                         _speed(own.get("speed", 1.0), f"{where} speed"), where)


def _by_position(own: Mapping[str, Any], name: str, clip: str, where: str) -> StateRule:
    """Reads a state whose position in its clip is a parameter."""
    for key in _CLIP_KEYS:
        if key in own:
            raise SettingProblem(f"{where}: has both position and {key}; a parameter says where in the clip it is, so "
                                 f"remove {key}")
    return StateRule(name, clip, 0, 1.0, where,
                     position=read_text(own[_POSITION], f"{where} position", "the name of a parameter"))


def nothing(name: str, where: str) -> StateRule:
    """Returns a state that plays nothing."""
    return StateRule(name, "", 1, 1.0, where, nothing=True)


def _loops(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_LOOPS:
        raise SettingProblem(f"{what} = {value!r}: give how often the clip plays, 1 to {MOST_LOOPS}, or 0 for forever")
    return value


def _speed(value: Any, what: str) -> float | str:
    if isinstance(value, str) and value:
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < MOST_SPEED:
        raise SettingProblem(f"{what} = {value!r}: give a number, below 0 to play backward, or the name of a parameter")
    return float(value)
