"""Computes figures of an analysis for pages and summaries: sums of bytes, and joints with large errors."""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..bank.file import TRACK_KINDS
from .treemap import PARTS, by_style, tree_of


@dataclass(frozen=True)
class Sum:
    """A row of the table of bytes: bytes of each of PARTS, or None, and all bytes."""

    label: str
    style: str
    parts: Sequence[int | None]
    total: int


def byte_sums(document: dict[str, Any]) -> list[Sum]:
    """Returns the bytes of each kind of track by its parts, and of the rest, rounded so that their sum is the bank."""
    styles = by_style(tree_of(document))
    sizes = dict(zip((item.style for item in styles), _whole_bytes([item.bits for item in styles])))
    sums = []
    for kind in TRACK_KINDS:
        parts = [sizes.get(f"{kind} {part}", 0) for part in PARTS]
        sums.append(Sum(kind, kind, parts, sum(parts)))
    sums += [Sum(label, style, [None] * len(PARTS), sizes.get(style, 0)) for label, style in (
        ("bind poses, skin matrices, names of joints", "own"), ("clip directory, shared tables, header", "rest"))]
    return [item for item in sums if item.total]


def _whole_bytes(bits: Sequence[int]) -> list[int]:
    """Converts bits to whole bytes with the same sum, by rounding up those with the largest remainders."""
    sizes = [count // 8 for count in bits]
    missing = sum(bits) // 8 - sum(sizes)
    for index in sorted(range(len(bits)), key=lambda index: -(bits[index] % 8))[:missing]:
        sizes[index] += 1
    return sizes


def worst_joints(document: dict[str, Any], most: int) -> list[dict[str, Any]]:
    """Returns the joints with errors nearest to their tolerances, then those without a tolerance by their errors."""
    def order(joint: dict[str, Any]) -> tuple[float, float]:
        near = joint["nearest"]
        return near["error_mm"] / (near["tolerance_mm"] or math.inf), near["error_mm"]

    return sorted((joint for joint in document["joints"] if joint["nearest"]), key=order, reverse=True)[:most]
