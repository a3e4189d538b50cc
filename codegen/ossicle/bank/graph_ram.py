"""Computes the RAM of a character that a graph animates: sizeof hero_graph of the generated code."""
from __future__ import annotations

from ..base.format import number
from .file import Bank
from .graph_records import NUMBER, Graph

# With 32-bit pointers; a test compiles the structures.
NOW_BYTES = 24  # osc_graph_now
MACHINE_BYTES = 56  # osc_graph_machine
TRANSITION_BYTES = 20  # osc_transition_state
OPENED_BYTES = 84  # osc_graph, and those of the events and the trajectories of the bank
OPENED_EVENTS_BYTES = 28
OPENED_TRAJECTORIES_BYTES = 12
_PLACEMENT_BYTES = 16
_EVENT_BYTES = 4
_COUNTER_BYTES = 4  # of events, with padding


def character_bytes(bank: Bank, embedded: bool = True) -> int:
    """Returns the RAM of a character on a 32-bit machine, without its model pose; 0 for a bank without a graph.
    embedded: whether the graph is a constant of the program; otherwise a character has opened it."""
    graph = bank.graph
    if graph is None:
        return 0
    pose = 4 * len(bank.joints) * (10 if bank.has_scale else 7)
    opened = OPENED_BYTES + OPENED_EVENTS_BYTES * bool(bank.events.names) \
        + OPENED_TRAJECTORIES_BYTES * bool(bank.trajectories)
    player = bank.player_bytes + 4 * (bank.player_words == 0)  # C has no empty arrays
    transition = TRANSITION_BYTES + 4 * transition_words(bank)
    return (_parameter_bytes(graph) + NOW_BYTES + MACHINE_BYTES * len(graph.machines)
            + 4 * (len(graph.waits) + graph.slewed_count) + transition * graph.transition_count + _PLACEMENT_BYTES
            + (1 + graph.pose_count) * pose + graph.player_count * player + (0 if embedded else opened)
            + _EVENT_BYTES * graph.event_count + _COUNTER_BYTES)


def transition_words(bank: Bank) -> int:
    """Returns the memory of a transition, as osc_transition_memory_words does."""
    rotations = sum(kind == "rotation" for kind, _ in bank.subtracks)
    return (number("TRANSITION_ROTATION_WORDS") * rotations
            + number("TRANSITION_VECTOR_WORDS") * (len(bank.subtracks) - rotations))


def _parameter_bytes(graph: Graph) -> int:
    """Returns the size of the structure with the parameters, in their order."""
    size = 0
    for parameter in graph.parameters:
        own = 4 if parameter.kind == NUMBER else 1
        size = -(-size // own) * own + own
    return -(-size // 4) * 4  # words follow
