"""Computes the RAM of a character that a graph animates: sizeof hero_graph of the generated code."""
from __future__ import annotations

from ...base.format import number
from ..file import Bank
from .records import NUMBER, POINT, Graph

# With 32-bit pointers; a test compiles the structures.
NOW_BYTES = 24  # osc_graph_now
LOOK_BYTES = 16  # osc_graph_look_state
SLEW_BYTES = 8  # osc_graph_slew
LIMB_BYTES = 20  # osc_graph_limb_state
MACHINE_BYTES = 60  # osc_graph_machine
FADE_BYTES = 80  # osc_graph_fade
TRANSITION_BYTES = 20  # osc_transition_state
OPENED_BYTES = 104  # osc_graph, and those of the events and the trajectories of the bank
OPENED_EVENTS_BYTES = 28
OPENED_TRAJECTORIES_BYTES = 12
_PLACEMENT_BYTES = 16
_EVENT_BYTES = 4
_POINTER_BYTES = 4  # to the row pool
_COUNTER_BYTES = 4  # of events, with padding


def character_bytes(bank: Bank, embedded: bool = True) -> int:
    """Returns the RAM of a character on a 32-bit machine, without its model pose; 0 for a bank without a graph.
    embedded: whether the graph is a constant of the program; otherwise a character has opened it."""
    return sum(character_parts(bank, embedded).values())


def character_parts(bank: Bank, embedded: bool = True) -> dict[str, int]:
    """Returns the RAM of a character, divided by what takes it, the largest part first. embedded: as for
    character_bytes."""
    graph = bank.graph
    if graph is None:
        return {}
    pose = 4 * len(bank.joints) * (10 if bank.has_scale else 7)
    opened = OPENED_BYTES + OPENED_EVENTS_BYTES * bool(bank.events.names) \
        + OPENED_TRAJECTORIES_BYTES * bool(bank.trajectories)
    player = bank.player_bytes + 4 * (bank.player_words == 0)  # C has no empty arrays
    players, poses = graph.player_count, 1 + graph.pose_count
    transition = TRANSITION_BYTES + 4 * transition_words(bank)
    parts = {
        f"{players} player{'s' * (players > 1)}": 0 if graph.shared else players * player,
        f"{poses} pose{'s' * (poses > 1)}": poses * pose,
        "transitions of the kind inertia" + " and fade" * (graph.fade_count > 0):
            transition * graph.transition_count + FADE_BYTES * graph.fade_count,
        f"{graph.event_count} events of a step": _EVENT_BYTES * graph.event_count,
        "parameters and state": _parameter_bytes(graph) + NOW_BYTES + MACHINE_BYTES * len(graph.machines)
        + LOOK_BYTES * len(graph.looks) + LIMB_BYTES * len(graph.limbs)
        + SLEW_BYTES * graph.slewed_count + 4 * (len(graph.waits) + len(graph.choices)) + _PLACEMENT_BYTES
        + _COUNTER_BYTES + (0 if embedded else opened) + _POINTER_BYTES * graph.shared}
    return {what: parts[what] for what in sorted(parts, key=lambda what: -parts[what]) if parts[what]}


def transition_words(bank: Bank) -> int:
    """Returns the memory of a transition, as osc_transition_memory_words does."""
    rotations = sum(kind == "rotation" for kind, _ in bank.subtracks)
    return (number("TRANSITION_ROTATION_WORDS") * rotations
            + number("TRANSITION_VECTOR_WORDS") * (len(bank.subtracks) - rotations))


def _parameter_bytes(graph: Graph) -> int:
    """Returns the size of the structure with the parameters, in their order."""
    size = 0
    for parameter in graph.parameters:
        own = 12 if parameter.kind == POINT else 4 if parameter.kind == NUMBER else 1
        aligned = min(own, 4)
        size = -(-size // aligned) * aligned + own
    return -(-size // 4) * 4  # words follow
