"""Figures of an analysis that pages and summaries show: sums of bytes, and joints with large errors."""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..bank.file import TRACK_KINDS
from .treemap import PARTS, by_style, tree_of


@dataclass(frozen=True)
class Sum:
    """One row of the table of bytes: whole bytes of each of PARTS, if it has them, and all of its bytes."""

    label: str
    style: str
    parts: Sequence[int | None]
    total: int


def byte_sums(document: dict[str, Any]) -> list[Sum]:
    """The bytes of each kind of track by its parts, and of all else. They are rounded so that together they are the
    bank."""
    styles = by_style(tree_of(document))
    sizes = dict(zip((one.style for one in styles), _whole_bytes([one.bits for one in styles])))
    sums = []
    for kind in TRACK_KINDS:
        parts = [sizes.get(f"{kind} {part}", 0) for part in PARTS]
        sums.append(Sum(kind, kind, parts, sum(parts)))
    sums += [Sum(label, style, [None] * len(PARTS), sizes.get(style, 0)) for label, style in (
        ("bind poses, skin matrices, names of joints", "own"), ("clip directory, shared tables, header", "rest"))]
    return [one for one in sums if one.total]


def _whole_bytes(bits: Sequence[int]) -> list[int]:
    """Returns whole bytes for counts of bits, with the same sum: those with the largest remainders are rounded up."""
    sizes = [count // 8 for count in bits]
    missing = sum(bits) // 8 - sum(sizes)
    for place in sorted(range(len(bits)), key=lambda place: -(bits[place] % 8))[:missing]:
        sizes[place] += 1
    return sizes


def worst_joints(document: dict[str, Any], most: int) -> list[dict[str, Any]]:
    """The joints whose errors are nearest to their tolerances, those without a tolerance last, by their errors."""
    def order(joint: dict[str, Any]) -> tuple[float, float]:
        near = joint["nearest"]
        return near["error_mm"] / (near["tolerance_mm"] or math.inf), near["error_mm"]

    return sorted((joint for joint in document["joints"] if joint["nearest"]), key=order, reverse=True)[:most]
