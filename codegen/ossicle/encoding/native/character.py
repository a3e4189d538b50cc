"""Plays a character that the graph of a bank animates, with the runtime."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from ...base.arrays import Array
from ...base.encoder_library import NativeProblem, declarations, library
from .arrays import OK, pointer


@dataclass(frozen=True)
class PassedEvent:
    """An event of a step, as osc_graph_event: its number, the number of the state, its phase and flags."""

    name: int
    state: int
    what: int


@dataclass(frozen=True)
class CharacterState:
    """A character after a step. states: of the base, and of each layer; place, moved: x, y, z in metres, Q20, and the
    yaw, Q24."""

    states: tuple[int, ...]
    switches: int
    pose_hash: int
    place: tuple[int, ...]
    moved: tuple[int, ...]
    events: tuple[PassedEvent, ...]


class Character:
    """A character, for a `with` statement."""

    def __init__(self, words: Array, seed: int = 0, mirror: Sequence[int] = ()) -> None:
        """words: of a bank with a graph; seed: of random choices; mirror: the words of the table of a skeleton, for a
        graph that plays mirror images. Raises NativeProblem."""
        self._words = words  # the character points into them
        opened = declarations().new("enc_character **")
        status = library().enc_character_open(pointer("uint32_t", words), len(words),
                                              declarations().new("int32_t[]", mirror) if mirror
                                              else declarations().NULL, opened)
        if status != OK:
            raise NativeProblem(f"the runtime refuses the graph of the bank (error {status})")
        self._character: Any = opened[0]
        library().enc_character_restart(self._character, seed)
        self._state: Any = declarations().new("enc_character_state *")

    def __enter__(self) -> Character:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        library().enc_character_free(self._character)
        self._character = declarations().NULL

    def step(self, values: Sequence[int], elapsed_us: int) -> CharacterState:
        """Advances the character. values: of all parameters, in the order of the section."""
        state = self._state
        library().enc_character_step(self._character, declarations().new("int32_t[]", [*values, 0]), elapsed_us, state)
        return CharacterState(
            tuple(state.states[0:state.machine_count]), state.switches, state.pose_hash, tuple(state.place),
            tuple(state.moved),
            tuple(PassedEvent(event.name, event.state, event.what) for event in state.events[0:state.event_count]))

    def go(self, state: int, over_us: int) -> None:
        """Enters a state of the graph at the beginning of the next step."""
        status = library().enc_character_go(self._character, state, over_us)
        assert status == OK, status

    def appear(self, place: Sequence[int]) -> None:
        """Moves the character elsewhere without a transition."""
        library().enc_character_appear(self._character, list(place))
