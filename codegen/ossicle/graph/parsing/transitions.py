"""Reads the transitions of a graph or of a layer in a configuration file."""
from __future__ import annotations

import math
import re
from typing import Any

from ...bank.graph.check import OVER_MOST_US, TIME_MOST_US
from ...bank.graph.records import CUT, FADE, INERTIA, STEP
from ...base.problem import SettingProblem, nearest
from ...base.times import parse_seconds
from ..conditions import parse_condition
from .reading import check_keys, read_table, read_text, read_time_us
from ..rules import TransitionRule

KINDS = {"inertia": INERTIA, "fade": FADE, "step": STEP, "cut": CUT}
_KEYS = ("from", "to", "when", "kind", "over", "start_at", "hold")
_TIME = re.compile(r"\d*\.?\d+\s*(?:m?s)?")


def read_transitions(listed: Any, what: str, above: str = "") -> list[TransitionRule]:
    """Reads a list of transitions. what: its table, for messages; above: the name of the layer with a dot, or empty for
    the base. Raises SettingProblem."""
    if not isinstance(listed, list):
        raise SettingProblem(f"{what} transitions = {listed!r}: give a list of tables, such as "
                             "{ from = \"idle\", to = \"walk\", when = \"speed >= 0.2\" }")
    return [_transition(item, f"{what} transition {at}", above) for at, item in enumerate(listed, 1)]


def _transition(value: Any, where: str, above: str) -> TransitionRule:
    own = read_table(value, where, "a table, such as { from = \"idle\", to = \"walk\" }")
    check_keys(own, _KEYS, where)
    for key in ("from", "to"):
        if key not in own:
            raise SettingProblem(f"{where}: has no {key}; add {key} = \"idle\", for example")
    sources = own["from"] if isinstance(own["from"], list) else [own["from"]]
    words = "a state, a group or a pattern, or a list of them"
    if not sources:
        raise SettingProblem(f"{where} from = []: leaves no state; give {words}")
    kind = own.get("kind", "inertia")
    if not isinstance(kind, str) or kind not in KINDS:
        raise SettingProblem(f"{where} kind = {kind!r}: is unknown{nearest(str(kind), tuple(KINDS))}")
    if kind == "cut" and "over" in own:
        raise SettingProblem(f"{where} over = {own['over']!r}: a cut takes no time; remove over or kind")
    when = f"{where} when"
    return TransitionRule(
        sources=tuple(above + read_text(source, f"{where} from", words) for source in sources),
        target=above + read_text(own["to"], f"{where} to", "a state or group"),
        clauses=parse_condition(read_text(own["when"], when, "a condition, such as \"speed >= 0.2\""), when)
        if "when" in own else (),
        kind=KINDS[kind], over_us=read_time_us(own["over"], f"{where} over", OVER_MOST_US) if "over" in own else None,
        start_at=_start_at(own["start_at"], f"{where} start_at") if "start_at" in own else None,
        hold_us=read_time_us(own.get("hold", 0), f"{where} hold", TIME_MOST_US), where=where,
        layer=above[:-1])


def _start_at(value: Any, what: str) -> float | str:
    """Returns seconds, or the name of a mark."""
    if isinstance(value, str) and value and not _TIME.fullmatch(value):
        return value
    seconds = parse_seconds(value, what)
    if not math.isfinite(seconds):
        raise SettingProblem(f"{what} = {value!r}: is too long; give a time in the clip")
    return seconds
