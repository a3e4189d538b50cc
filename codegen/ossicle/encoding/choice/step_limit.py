"""Keeps a step of a graph within a limit."""
from __future__ import annotations

from ...bank.file import Bank
from ...bank.graph.steps import WorstStep
from ...graph.rules import TABLE, GraphProblem


def check_step(bank: Bank, step: WorstStep | None, most: int | None, source: str) -> None:
    """Raises GraphProblem if a step of the bank's graph may cost more than `most`, or if its cost is not known. step:
    of the bank, or None if no machine is known; source: of the bank."""
    if most is None or step is None or bank.graph is None:
        return
    limit = f"[{TABLE}] max_step_cycles = {most}: "
    if step.unknown:
        raise GraphProblem(f"{limit}the cost of rows of {source} with the codec {step.unknown} is not known; choose "
                           "the codec delta, curve or transform, or remove the limit")
    if step.cost <= most:
        return
    names = ["the base", *(f"layer {layer.name}" for layer in bank.graph.machines[1:])]
    parts = [*zip(step.machines, names, strict=True), (step.composing, "matrices"), (step.looks, "looks and limbs")]
    remedies = [f"allow {step.cost}", "state a shorter longest_step", "a smaller restart"]
    raise GraphProblem(f"{limit}a step of {source} may take {step.cost} {step.unit} on {step.target}, "
                       + ", ".join(f"{cost} for {what}" for cost, what in sorted(parts, key=lambda part: -part[0])
                                   if cost)
                       + f", and unpack {step.rows} rows; " + ", ".join(remedies) + " or codecs with cheaper rows")
