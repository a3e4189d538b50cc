"""Builds a tree of a bank's content, and lays it out as rectangles with areas proportional to bytes."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..analysis.bits import GAPS
from ..bank.file import TRACK_KINDS
from .svg import Box

PARTS = ("header", "keys", "values")  # of a track
OWN_PARTS = ("bind", "skin", "name")  # of a joint, outside the clips


@dataclass(frozen=True)
class Node:
    """A part of the bank. style: its class in the plot; joint: the number of the joint, or None for other parts."""

    label: str
    style: str
    bits: int
    inside: tuple[Node, ...] = ()
    joint: int | None = None


def _node(label: str, style: str, inside: Sequence[Node], joint: int | None = None) -> Node:
    inside = tuple(node for node in inside if node.bits)
    return Node(label, style, sum(node.bits for node in inside), inside, joint)


def tree_of(document: dict[str, Any]) -> Node:
    """Returns the tree of an analysis: clips > joints > kinds of tracks > header, keys and values; next to the clips,
    the skeleton and the data of the whole bank. The sum of its leaves is the bank, to the bit."""
    bank, joints = document["bank"], document["joints"]
    skeleton = [_node(joint["name"], "own", [Node(part, "own", joint[f"{part}_bits"]) for part in OWN_PARTS], number)
                for number, joint in enumerate(joints)]
    whole = [Node("file header", "rest", bank["header_bits"]),
             *(Node("between sections" if tag == GAPS else f"the rest of {tag}", "rest", bits)
               for tag, bits in bank["other_bits"].items())]
    return _node(bank["name"], "bank", [
        *(_clip(clip, joints) for clip in document["clips"]),
        _node("skeleton", "skeleton", skeleton), _node("the bank as a whole", "rest", whole)])


def _clip(clip: dict[str, Any], joints: Sequence[dict[str, Any]]) -> Node:
    by_joint: dict[int, list[Node]] = {}
    for track in sorted(clip["tracks"], key=lambda track: TRACK_KINDS.index(track["kind"])):
        kind = track["kind"]
        by_joint.setdefault(track["joint"], []).append(_node(kind, kind, [
            Node(part, f"{kind} {part}", track[f"{part}_bits"]) for part in PARTS]))
    return _node(clip["name"], "clip", [
        *(_node(joints[joint]["name"], "joint", kinds, joint) for joint, kinds in by_joint.items()),
        Node("directory entry and name", "rest", clip["entry_bits"]),
        Node("shared by all tracks", "rest", clip["shared_bits"])])


def leaves(node: Node) -> Iterator[Node]:
    """Yields the leaves."""
    if not node.inside:
        yield node
    for inside in node.inside:
        yield from leaves(inside)


def by_style(node: Node) -> list[Node]:
    """Returns a node for each style of the leaves, with the sum of their bits."""
    bits: dict[str, int] = {}
    for leaf in leaves(node):
        bits[leaf.style] = bits.get(leaf.style, 0) + leaf.bits
    return [Node(style, style, bits[style]) for style in sorted(bits)]


def squares(nodes: Sequence[Node], box: Box) -> Iterator[tuple[Node, Box]]:
    """Divides the box among the nodes, the largest first, into nearly square parts (Bruls, Huizing, van Wijk,
    Squarified Treemaps, 2000)."""
    rest = sorted(nodes, key=lambda node: -node.bits)
    x, y, width, height = box
    scale = width * height / max(sum(node.bits for node in rest), 1)
    while rest:
        short = min(width, height)
        count, area = 1, scale * rest[0].bits
        while count < len(rest):
            larger = area + scale * rest[count].bits
            if _worst(rest, count + 1, larger, short, scale) > _worst(rest, count, area, short, scale):
                break
            count, area = count + 1, larger
        row, rest = rest[:count], rest[count:]
        thick = area / short if short else 0.0
        yield from strips(row, (x, y, thick, height) if width >= height else (x, y, width, thick),
                          across=width < height)
        if width >= height:
            x, width = x + thick, width - thick
        else:
            y, height = y + thick, height - thick


def _worst(nodes: Sequence[Node], count: int, area: float, short: float, scale: float) -> float:
    """Returns the worst aspect ratio of the first nodes if they fill a row."""
    first, last = scale * nodes[0].bits, scale * nodes[count - 1].bits
    return max(short * short * first / (area * area), area * area / (short * short * last))


def strips(nodes: Sequence[Node], box: Box, across: bool) -> Iterator[tuple[Node, Box]]:
    """Divides the box into strips, side by side if across, else one below the other."""
    x, y, width, height = box
    total = max(sum(node.bits for node in nodes), 1)
    for node in nodes:
        share = node.bits / total
        size = (width * share, height) if across else (width, height * share)
        yield node, (x, y, *size)
        x, y = (x + size[0], y) if across else (x, y + size[1])
