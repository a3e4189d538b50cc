"""Reads valgrind's callgrind output: the costs of calls, including their callees."""
from __future__ import annotations

import re
from dataclasses import dataclass

_NAME = re.compile(r"(c?fn)=\((\d+)\)(?: (.*))?")
_CALLS = re.compile(r"calls=(\d+)")


@dataclass(frozen=True)
class CallCost:
    """All calls from one function to another."""

    calls: int
    instructions: int  # including callees


def read_call_costs(text: str) -> dict[tuple[str, str], CallCost]:
    """Returns the costs by (caller, callee) from the text of a callgrind.out file with the single event Ir."""
    names: dict[str, str] = {}
    costs: dict[tuple[str, str], CallCost] = {}
    caller = callee = ""
    calls = 0
    for line in text.splitlines():
        name = _NAME.match(line)
        if name:
            kind, number, spelled = name.groups()
            if spelled:
                names[number] = re.sub(r"'\d+$", "", spelled)
            if kind == "fn":
                caller = names[number]
            else:
                callee = names[number]
            continue
        count = _CALLS.match(line)
        if count:
            calls = int(count.group(1))
            continue
        if calls:  # the line after calls=: position and inclusive cost
            previous = costs.get((caller, callee), CallCost(0, 0))
            cost = int(line.split()[-1])
            costs[caller, callee] = CallCost(previous.calls + calls, previous.instructions + cost)
            calls = 0
    return costs


def average_instructions(
    costs: dict[tuple[str, str], CallCost], callee: str, caller: str | None = None
) -> int | None:
    """Returns the average instructions per call of `callee` by a caller or all callers, or None if there are no
    calls."""
    chosen = [cost for (source, target), cost in costs.items()
              if target == callee and caller in (None, source)]
    calls = sum(cost.calls for cost in chosen)
    return sum(cost.instructions for cost in chosen) // calls if calls else None
