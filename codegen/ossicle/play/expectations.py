"""Compares a play with what a script expects, and with an earlier recording."""
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..bank.graph.records import Graph
from ..base.problem import SettingProblem, setting_problems_of
from ..base.files.reading import read_file
from .recording import Tick
from .script import Expectation, Script

_COMPARED = ("state", "layers", "switches", "events", "place", "pose")  # of a tick, in the order of messages


def failed_expectations(script: Script, ticks: Sequence[Tick], graph: Graph) -> list[str]:
    """Returns a line for each expectation of a script that does not hold."""
    groups = {group.name: {state.name for state in graph.states[group.first:group.first + group.count]}
              for group in graph.groups}
    passed, lines = 0, []
    for expectation in script.expectations:
        last = min(max(-(-expectation.at_us // script.tick_us), 1), len(ticks))
        if problems := "; ".join(_problems(expectation, ticks[passed:last], ticks[last - 1], groups)):
            lines.append(f"{expectation.title}, at {expectation.at_us / 1e6:g} s: {problems}")
        passed = last
    return lines


def _problems(expectation: Expectation, ticks: Sequence[Tick], tick: Tick,
              groups: Mapping[str, set[str]]) -> Iterator[str]:
    """Yields what does not hold. ticks: those since the previous expectation; tick: the last of them."""
    state, place = expectation.state, expectation.place or {}
    states = (tick.state, *tick.layers)
    if state is not None and not {state, *groups.get(state, ())}.intersection(states):
        yield f"the state is {_listed(states)}, expected {state}"
    events = [event for passed in ticks for event in passed.events]
    if expectation.events is not None and events != list(expectation.events):
        yield f"the events are {_listed(events)}, expected {_listed(expectation.events)}"
    for name, value in place.items():
        if not abs(tick.component(name) - value) <= expectation.within:
            yield f"{name} is {tick.component(name):.4f}, expected {value:g} within {expectation.within:g}"
    if expectation.pose is not None and tick.pose != expectation.pose:
        yield f"the pose is {tick.pose}, expected {expectation.pose}"


def _listed(values: Sequence[object]) -> str:
    return ", ".join(map(str, values)) or "none"


def difference(path: Path, play: Mapping[str, Any]) -> str | None:
    """Returns a line for the first difference to the recording in a file, which `--json` has written, or None. Raises
    SettingProblem if the file is no recording."""
    with setting_problems_of(path):
        expected = _read(path)
    if expected["tick_us"] != play["tick_us"]:
        return f"{path}: has ticks of {expected['tick_us']} us, and the script of {play['tick_us']} us"
    for before, now in zip(expected["ticks"], play["ticks"]):
        for key in _COMPARED:
            if before[key] != now[key]:
                return (f"{path}: differs from {now['time_us'] / 1e6:g} s on: {key} "
                        f"{'are' if key in ('events', 'layers') else 'is'} {_shown(now[key])}, expected "
                        f"{_shown(before[key])}")
    if len(expected["ticks"]) != len(play["ticks"]):
        return f"{path}: has {len(expected['ticks']):,} ticks, and the play {len(play['ticks']):,}"
    return None


def _shown(value: object) -> str:
    return _listed(value) if isinstance(value, list) else str(value)


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(read_file(path))
    except OSError as error:
        raise SettingProblem(f"cannot be read ({error.strerror or error}); check the path") from error
    except (ValueError, RecursionError) as error:
        raise SettingProblem("is no JSON; give a file that --json has written") from error
    ticks = content.get("ticks") if isinstance(content, dict) else None
    if not isinstance(ticks, list) or "tick_us" not in content or not all(
            isinstance(tick, dict) and all(key in tick for key in _COMPARED) for tick in ticks):
        raise SettingProblem("is no recording of ossicle play; give a file that --json has written")
    return content
