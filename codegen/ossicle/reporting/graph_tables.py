"""Formats the tables of an animation graph for `ossicle inspect`."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..bank.graph.steps import WorstStep
from .console import counted, step_text
from .names import printable
from .tables import Table

_MICROSECONDS = 1000  # of a millisecond


def graph_tables(graph: dict[str, Any], ram_bytes: int, step: WorstStep) -> list[Table]:
    """Returns the tables of the result of `describe_graph`: states, parameters, transitions, layers, looks and choices.
    ram_bytes: of a character; step: the most that one costs."""
    head = (f"graph: begins in {printable(graph['start'])}; {counted(len(graph['parameters']), 'parameter')}, "
            f"{counted(len(graph['states']), 'state')}, {counted(len(graph['groups']), 'group')}, "
            f"{counted(len(graph['transitions']), 'transition')}; a step is at most "
            f"{_ms(graph['longest_step_us'])} with {counted(graph['step_events'], 'event')}; a character takes "
            f"{ram_bytes:,} bytes" + " besides the row pool of all characters" * (graph["players"] == "shared")
            + f"; {step_text(step)}")
    others = [_parameters(graph["parameters"]), _transitions(graph["transitions"]), _layers(graph["layers"]),
              _looks(graph["looks"]), _choices(graph["choices"])]
    return [_states(graph["states"]).titled(head), *(rows for rows in others if rows.rows)]


def _states(states: Sequence[dict[str, Any]]) -> Table:
    rows = Table([("state", "left"), ("plays", "left"), ("loops", "right"), ("speed", "right")])
    for state in states:
        rows.add_row(printable(state["name"]), printable(_plays(state)), *(
            (f"{state['loops'] or 'forever'}", printable(_speed(state["speed"]))) if "speed" in state else ("", "")))
    return rows


def _parameters(parameters: Sequence[dict[str, Any]]) -> Table:
    rows = Table([("parameter", "left"), ("kind", "left"), ("values", "left"), ("first", "left")])
    for parameter in parameters:
        rows.add_row(printable(parameter["name"]), parameter["kind"], printable(_values(parameter)),
                     printable(_first(parameter)))
    return rows


def _transitions(transitions: Sequence[dict[str, Any]]) -> Table:
    rows = Table([("", "right"), ("from", "left"), ("to", "left"), ("when", "left"), ("kind", "left"),
                  ("over", "right"), ("begins at", "right"), ("holds", "right")])
    for number, transition in enumerate(transitions, 1):
        rows.add_row(
            f"{number}", printable(", ".join(transition["from"])), printable(transition["to"]),
            printable(transition["when"] or "always"), transition["kind"],
            _ms(transition["over_us"]) if transition["over_us"] else "",
            f"frame {transition['start_frame']:g}" if transition["start_frame"] else "",
            _ms(transition["hold_us"]) if transition["hold_us"] else "")
    return rows


def _layers(layers: Sequence[dict[str, Any]]) -> Table:
    rows = Table([("layer", "left"), ("mask", "left"), ("", "left"), ("weight", "right"), ("fade", "right"),
                  ("while", "left"), ("states", "left")])
    for layer in layers:
        rows.add_row(printable(layer["name"]), printable(layer["mask"] or "all joints"),
                     "adds" if layer["additive"] else "replaces", printable(_speed(layer["weight"])),
                     _ms(layer["fade_us"]), printable(layer["while"] or "always"),
                     printable(", ".join(layer["states"])))
    return rows


def _looks(looks: Sequence[dict[str, Any]]) -> Table:
    rows = Table([("look", "left"), ("at", "left"), ("joints", "left")])
    for look in looks:
        rows.add_row(printable(look["name"]), printable(look["at"]), printable(", ".join(look["joints"])))
    return rows


def _choices(choices: Sequence[dict[str, Any]]) -> Table:
    rows = Table([("chooses one of", "left"), ("by", "left")])
    for choice in choices:
        weights = choice["flag"] or "turns" if choice["weights"] is None \
            else "weights " + ", ".join(map(str, choice["weights"]))
        rows.add_row(printable(", ".join(choice["states"])), printable(weights))
    return rows


def _ms(microseconds: int) -> str:
    return f"{microseconds / _MICROSECONDS:g} ms"


def _plays(state: dict[str, Any]) -> Any:
    if "by" not in state:
        clip = state["clips"][0] if state["clips"] else "nothing"
        return f"{clip} at {state['position']}" if "position" in state else clip
    return f"by {' and '.join(state['by'])}: " + ", ".join(
        f"{clip} at {' '.join(f'{value:.4g}' for value in at)}" for clip, at in zip(state["clips"], state["at"]))


def _speed(speed: float | str) -> str:
    return speed if isinstance(speed, str) else f"{speed:.4g}"


def _values(parameter: dict[str, Any]) -> str:
    if parameter["kind"] == "trigger":
        return "waits forever" if parameter["waits_us"] is None else f"waits {_ms(parameter['waits_us'])}"
    if parameter["kind"] == "choice":
        return ", ".join(parameter["values"])
    if parameter["kind"] == "flag":
        return ""
    if parameter["kind"] == "point":
        return f"in the {parameter['space']}"
    least, most = parameter["range"]
    slew = f", {_ms(parameter['slew_us'])} for the whole range" if parameter["slew_us"] else ""
    return f"{least:.4g} to {most:.4g}{' ' * bool(parameter['unit'])}{parameter['unit']}{slew}"


def _first(parameter: dict[str, Any]) -> str:
    first = parameter.get("default", "")
    return f"{first:.4g}" if isinstance(first, float) else str(first).lower() if isinstance(first, bool) else str(first)
