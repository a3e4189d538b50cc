"""The words of the section GRPH: their numbers and flags (SPEC.md section 26)."""
from __future__ import annotations

from ...base.format import number
from .records import Graph, Machine

TAG = "GRPH"
MOST_WORDS = 0xFFFF  # of lists, watches and conditions
MOST_BYTE = 0xFF
HEADER_WORDS = number("GRAPH_HEADER_WORDS")
PARAMETER_WORDS = number("GRAPH_PARAMETER_WORDS")
MACHINE_WORDS = number("GRAPH_MACHINE_WORDS")
STATE_WORDS = number("GRAPH_STATE_WORDS")
LOOK_WORDS, MOST_LINKS = number("GRAPH_LOOK_WORDS"), number("GRAPH_MOST_LINKS")
CHOICE_WORDS = number("GRAPH_CHOICE_WORDS")
LIMB_WORDS = number("GRAPH_LIMB_WORDS")
MEMBER_WORDS = number("GRAPH_MEMBER_WORDS")
SYNC_WORDS = number("GRAPH_SYNC_WORDS")
SYNC_MARKS = number("GRAPH_MOST_SYNC_MARKS")
TRANSITION_WORDS = number("GRAPH_TRANSITION_WORDS")
SLEW_SHIFT = number("GRAPH_SLEW_SHIFT")
NO_PARAMETER = number("GRAPH_NO_PARAMETER")
NEEDS_INERTIA = number("GRAPH_NEEDS_INERTIA")
NEEDS_BLENDS = number("GRAPH_NEEDS_BLENDS")
NEEDS_LAYERS = number("GRAPH_NEEDS_LAYERS")
NEEDS_ADDITIVE = number("GRAPH_NEEDS_ADDITIVE")
NEEDS_PLANES = number("GRAPH_NEEDS_PLANES")
NEEDS_FADES = number("GRAPH_NEEDS_FADES")
NEEDS_POOL = number("GRAPH_NEEDS_POOL")
NEEDS_MIRROR = number("GRAPH_NEEDS_MIRROR")
NEEDS_STEPS = number("GRAPH_NEEDS_STEPS")
NEEDS_POSITIONS = number("GRAPH_NEEDS_POSITIONS")
KNOWN_NEEDS = (NEEDS_INERTIA | NEEDS_BLENDS | NEEDS_LAYERS | NEEDS_ADDITIVE | NEEDS_PLANES | NEEDS_FADES
               | NEEDS_POOL | NEEDS_MIRROR | NEEDS_STEPS | NEEDS_POSITIONS)
MACHINE_INERTIA, MACHINE_ADDITIVE, MACHINE_BLENDS, MACHINE_PLANES, MACHINE_FADES = (
    number(f"GRAPH_MACHINE_{kind}") for kind in ("INERTIA", "ADDITIVE", "BLENDS", "PLANES", "FADES"))
KNOWN_KINDS = MACHINE_INERTIA | MACHINE_ADDITIVE | MACHINE_BLENDS | MACHINE_PLANES | MACHINE_FADES
NOTHING, ONE_SHOT, BY_POSITION = (number(f"GRAPH_STATE_{flag}") for flag in ("NOTHING", "ONE_SHOT", "POSITION"))
NO_MASK, ANYTIME = number("GRAPH_NO_MASK"), number("GRAPH_ANYTIME")
HULL = number("GRAPH_TRIANGLE_HULL")
LAST_TRIANGLE = number("GRAPH_TRIANGLE_LAST")
UNKNOWN_OF_TRIANGLES = number("GRAPH_TRIANGLE_UNKNOWN")
ATOM_KINDS = number("GRAPH_ATOM_KINDS")
NOT, OR, LAST = (number(f"GRAPH_ATOM_{flag}") for flag in ("NOT", "OR", "LAST"))
KNOWN_FLAGS = NOT | OR | LAST
OPERATION, FLAGS, ARGUMENT_SHIFT = 0xFF, 0xFF00, 16


def needs_of(graph: Graph) -> int:
    """Returns the functions that the graph needs, as bits NEEDS_.."""
    return ((graph.transition_count > 0) * NEEDS_INERTIA | graph.has_blends * NEEDS_BLENDS
            | graph.has_layers * NEEDS_LAYERS | graph.has_additive * NEEDS_ADDITIVE
            | graph.has_planes * NEEDS_PLANES | (graph.fade_count > 0) * NEEDS_FADES | graph.shared * NEEDS_POOL
            | graph.mirrors * NEEDS_MIRROR | graph.has_steps * NEEDS_STEPS | graph.has_positions * NEEDS_POSITIONS)


def kind_of(machine: Machine, graph: Graph) -> int:
    """Returns what the states and transitions of a machine need, as bits MACHINE_.."""
    return (graph.remembers(machine) * MACHINE_INERTIA | graph.blends(machine) * MACHINE_BLENDS
            | graph.has_plane(machine) * MACHINE_PLANES | graph.fades(machine) * MACHINE_FADES)
