"""Formats the tables of `ossicle inspect --joints` and `--tracks`, the costs of joints and tracks."""
from __future__ import annotations

from collections.abc import Mapping, Sequence


from ..analysis.costs import JointCost, TrackCost
from ..bank.file import TRACK_KINDS
from .console import counted
from .names import printable
from .tables import Table

_CARRIES = {True: "yes", False: "no", None: "?"}
_SIZES = (("bytes", "right"), ("%", "right"))


def bytes_text(bits: int) -> str:
    """Formats bits as bytes."""
    return f"{bits / 8:,.1f}"


def _sizes(bits: int, whole: int) -> tuple[str, str]:
    return bytes_text(bits), f"{100 * bits / whole:.1f}"


def joint_table(costs: Sequence[JointCost], beside: Mapping[str, int]) -> Table:
    """Returns a row for each joint, then the bytes of no joint, then the sum."""
    known = any(cost.carries is not None for cost in costs)
    rows = Table([("joint", "left"), *_SIZES, ("with all below", "right"),
                  *((f"{kind}s", "right") for kind in TRACK_KINDS), *([("carries", "left")] if known else [])])
    whole = sum(cost.bits for cost in costs) + sum(beside.values())
    for cost in costs:
        rows.add_row(printable(cost.name), *_sizes(cost.bits, whole),
                     bytes_text(cost.with_below_bits) if cost.with_below_bits != cost.bits else "",
                     *(f"{cost.clips[kind] or ''}" for kind in TRACK_KINDS),
                     *([_CARRIES[cost.carries]] if known else []))
    _add_rest(rows, beside, whole, 1)
    return rows


def track_table(costs: Sequence[TrackCost], beside: Mapping[str, int]) -> Table:
    """Returns a row for each track of each clip, then the bytes of no track, then the sum."""
    rows = Table([("clip", "left"), ("joint", "left"), ("track", "left"), *_SIZES, ("header", "right"),
                  ("keys", "right"), ("values", "right")])
    whole = sum(cost.bits for cost in costs) + sum(beside.values())
    for cost in costs:
        rows.add_row(printable(cost.clip), printable(cost.joint), cost.kind, *_sizes(cost.bits, whole),
                     bytes_text(cost.header_bits), bytes_text(cost.keys_bits), bytes_text(cost.values_bits))
    _add_rest(rows, beside, whole, 3)
    return rows


def _add_rest(rows: Table, beside: Mapping[str, int], whole: int, names: int) -> None:
    """Adds the rest and the sum. names: the number of columns before the sizes."""
    no_names = [""] * (names - 1)
    for what, bits in beside.items():
        rows.add_row(printable(what), *no_names, *_sizes(bits, whole))
    rows.add_row("bank", *no_names, f"{whole // 8:,}", "100.0")


def idle_text(idle: Sequence[JointCost], bank_bytes: int) -> str:
    """Returns the cost of joints that carry nothing; empty if there are none."""
    if not idle:
        return ""
    size, share = _sizes(sum(cost.bits for cost in idle), 8 * bank_bytes)
    carry = "carries nothing, nor does a joint" if len(idle) == 1 else "carry nothing, nor do joints"
    return (f"{counted(len(idle), 'joint')} {carry} below: {size} bytes, {share} % of the bank; "
            "`ossicle encode --drop unweighted` leaves out such joints")
