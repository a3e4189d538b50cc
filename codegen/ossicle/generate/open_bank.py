"""Computes the osc_bank of an embedded bank, its events, trajectories and graph as constants: the values that the
runtime's functions would compute when they open them. read_bank checks them."""
from __future__ import annotations

from dataclasses import dataclass

from ..bank.events import TAG as EVENTS
from ..bank.file import TRACK_KINDS, Bank
from ..bank.graph.layout import TAG as GRAPH
from ..bank.tiers import TABLE, TIERS
from ..bank.trajectories import TAG as TRAJECTORIES
from ..base.format import number

TIER_CODE = "&osc_tier_functions"  # of osc_codecs.h


@dataclass(frozen=True)
class Field:
    """A field of osc_bank: its value in C, and its name for a comment."""

    value: str
    comment: str


def open_bank(bank: Bank, name: str) -> tuple[Field, ...]:
    """Returns the fields of osc_bank, in the order of ossicle.h, for the bank in the array `name`_bank."""
    sections = {section.tag: section for section in bank.sections}
    joints = len(bank.joints)

    def words(offset: int) -> str:
        return f"{name}_bank + {offset}"

    def section(tag: str) -> str:
        return words(sections[tag].offset) if tag in sections else "0"

    parents = sections["SKEL"].offset + number("SKELETON_HEADER_WORDS")
    bind = parents + (joints + 1) // 2
    masks = bind + joints * (10 if bank.has_scale else 7)
    rates = sections["CLIP"].offset + 1
    clips = rates + bank.words[sections["CLIP"].offset] * number("RATE_WORDS")
    there = sum(1 << i for i, tier in enumerate(bank.tiers) if tier.there)
    tiers = ", ".join(section(tag) for tag in TIERS)
    counts = [Field(str(sum(kind == counted for counted, _ in bank.subtracks)), f"{kind}_subtracks")
              for kind in TRACK_KINDS]
    return (
        Field(f"{name}_bank", "words"),
        Field(f"{name}_codecs", "codecs"),
        Field(words(parents), "parents"),
        Field(words(bind), "bind"),
        Field(words(masks), "subtrack_masks"),
        Field(words(rates), "rates"),
        Field(words(clips), "clips"),
        Field(section("DATA"), "data"),
        Field(section("SKIN"), "inverse_bind"),
        Field(section(TABLE), "tier_table"),
        Field(f"{{{tiers}}}", "tiers"),
        Field(TIER_CODE if bank.tiers else "0", "tier_code"),
        Field("0", "chunks"),
        Field("0", "tier_changes"),
        Field(str(sections["DATA"].words), "data_words"),
        Field(f"0x{bank.layout_crc:08x}u", "layout_crc"),
        Field(f"0x{bank.skin_crc:08x}u", "skin_crc"),
        Field(str(joints), "joint_count"),
        Field(str(len(bank.clips)), "clip_count"),
        *counts,
        Field(str(bank.max_held), "max_held"),
        Field(str(bank.state_words), "state_words"),
        Field(str(len(bank.tiers)), "tier_count"),
        Field(str(there), "tiers_there"),
        Field(str(bank.tier_set.block_log2), "block_log2"),
        Field(str(bank.has_scale).lower(), "has_scale"),
    )


def open_events(bank: Bank, name: str) -> tuple[Field, ...]:
    """Returns the fields of osc_events (osc_motion.h), none for a bank without events."""
    section = {section.tag: section for section in bank.sections}.get(EVENTS)
    if section is None:
        return ()
    counts = [count for word in section.cut(bank.words)[:2] for count in (word & 0xFFFF, word >> 16)]
    offsets, at = [], section.offset + number("EVENTS_HEADER_WORDS")
    for count, words in zip(counts, (1, number("EVENT_KIND_WORDS"), 1, number("EVENT_WORDS"))):
        offsets.append(at)
        at += count * words
    parts = ("name", "kind", "clip", "mark")
    return (Field(f"&{name}_embedded", "bank"),
            *(Field(f"{name}_bank + {offset}", f"{part}s") for offset, part in zip(offsets, parts)),
            *(Field(str(count), f"{part}_count") for count, part in zip(counts, parts)))


def open_trajectories(bank: Bank, name: str) -> tuple[Field, ...]:
    """Returns the fields of osc_trajectories (osc_motion.h), none for a bank without trajectories."""
    section = {section.tag: section for section in bank.sections}.get(TRAJECTORIES)
    if section is None:
        return ()
    return (Field(f"&{name}_embedded", "bank"), Field(f"{name}_bank + {section.offset}", "words"),
            Field(str(bank.words[section.offset]), "count"))


def graph_layout_crc(bank: Bank) -> str:
    """Returns the checksum in C of what generated code depends on in a bank's graph; 0 for an outline, which has no
    sections."""
    sections = (section for section in bank.sections if section.tag == GRAPH)
    checksum = next((section.cut(bank.words)[number("GRAPH_LAYOUT_CRC")] for section in sections), 0)
    return f"0x{checksum:08x}u"


def open_graph(bank: Bank, name: str) -> tuple[Field, ...]:
    """Returns the fields of osc_graph (osc_graph.h), none for a bank without a graph."""
    section, graph = {section.tag: section for section in bank.sections}.get(GRAPH), bank.graph
    if section is None or graph is None:
        return ()
    words = section.cut(bank.words)
    members, syncs, lists, watches, atoms, waits, triangles = (
        words[number(f"GRAPH_{word}")] >> shift & mask
        for word, shift, mask in (("MEMBERS", 0, 0xFFFF), ("MEMBERS", 16, 0xFFFF), ("LISTS", 0, 0xFFFF),
                                  ("LISTS", 16, 0xFFFF), ("ATOMS", 0, 0xFFFF), ("MACHINES", 8, 0xFF),
                                  ("TRIANGLES", 0, 0xFFFF)))
    offsets, at = [], section.offset + number("GRAPH_HEADER_WORDS")
    for size in (len(graph.parameters) * number("GRAPH_PARAMETER_WORDS"),
                 len(graph.machines) * number("GRAPH_MACHINE_WORDS"),
                 len(graph.states) * number("GRAPH_STATE_WORDS"), members * number("GRAPH_MEMBER_WORDS"),
                 syncs * number("GRAPH_SYNC_WORDS"), triangles,
                 len(graph.transitions) * number("GRAPH_TRANSITION_WORDS"), (lists + 1) // 2, watches, atoms, waits,
                 len(graph.masks) * ((len(bank.joints) + 1) // 2)
                 + len(graph.choices) * number("GRAPH_CHOICE_WORDS"), len(graph.looks) * number("GRAPH_LOOK_WORDS"), 0):
        offsets.append(at)
        at += size
    parts = ("parameters", "machines", "states", "members", "syncs", "triangles", "transitions", "lists", "watches",
             "atoms", "waits", "masks", "looks", "limbs")
    return (
        Field(f"&{name}_embedded", "bank"),
        Field(f"&{name}_events" if bank.events.names else "0", "events"),
        Field(f"&{name}_trajectories" if bank.trajectories else "0", "trajectories"),
        *(Field(f"{name}_bank + {offset}", part) for offset, part in zip(offsets, parts)),
        Field(str(graph.longest_us), "longest_step_us"),
        Field(graph_layout_crc(bank), "layout_crc"),
        Field(str(members), "member_count"),
        Field(str(syncs), "sync_count"),
        Field(str(len(graph.transitions)), "transition_count"),
        Field(str(lists), "list_count"),
        Field(str(watches), "watch_count"),
        Field(str(atoms), "atom_words"),
        Field(str(len(graph.parameters)), "parameter_count"),
        Field(str(graph.trigger_count), "trigger_count"),
        Field(str(graph.slewed_count), "slewed_count"),
        Field(str(len(graph.machines)), "machine_count"),
        Field(str(len(graph.states)), "state_count"),
        Field(str(waits), "wait_count"),
        Field(str(len(graph.masks)), "mask_count"),
        Field(str(len(graph.looks)), "look_count"),
        Field(str(graph.point_count), "point_count"),
        Field(str(graph.event_count), "event_count"),
        Field(str(words[number("GRAPH_NEEDS")] & 0xFF), "needs"),
        Field(str(len(graph.limbs)), "limb_count"),
        Field(str(triangles), "triangle_count"),
        Field(str(len(graph.choices)), "choice_count"),
        Field(str(words[number("GRAPH_NEEDS")] >> 8 & 0xFF), "more_needs"),
    )
