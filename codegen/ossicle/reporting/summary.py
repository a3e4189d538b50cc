"""Formats the summary of `ossicle report` for a terminal, which complements `ossicle inspect`."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any


from ..model.clip_measure import ClipMeasure
from .console import counted, frame_text
from .figures import byte_sums, worst_joints
from .names import printable
from .tables import Table
from .transfers import transfer_tables
from .treemap import PARTS

_JOINTS = 8


def summary(document: dict[str, Any]) -> Iterator[Table | str]:
    """Yields the parts of the output: totals, bytes by kind of track, errors, and joints that could be left out."""
    bank, joints, clips = document["bank"], document["joints"], document["clips"]
    yield (f"{printable(bank['name'])}: {bank['bytes']:,} bytes, {counted(len(clips), 'clip')} of "
           f"{counted(len(joints), 'joint')}, {bank['raw_bytes'] / bank['bytes']:.1f} : 1 against ten floats a joint "
           "and frame")
    yield ""
    yield _sums(document)
    yield ""
    yield _errors(document)
    transfers = list(transfer_tables((clip["name"], clip["measure"] and ClipMeasure(**clip["measure"]))
                                     for clip in clips))
    yield from ["", *transfers] if transfers else []
    yield ""
    yield _drops(document)


def _sums(document: dict[str, Any]) -> Table | str:
    rows = Table([("bytes", "left"), *((part, "right") for part in (*PARTS, "together", "share"))])
    for row in byte_sums(document):
        rows.add_row(row.label, *("" if part is None else f"{part:,}" for part in row.parts), f"{row.total:,}",
                     f"{100 * row.total / document['bank']['bytes']:.1f} %")
    return rows


def _errors(document: dict[str, Any]) -> Table | str:
    joints = worst_joints(document, _JOINTS)
    if not joints:
        return "errors are measured relative to source files; name them with --source"
    rows = Table([("joint", "left"), ("error mm", "right"), ("of mm", "right"), ("in clip", "left"),
                  ("frame", "right")])
    for joint in joints:
        error = joint["nearest"]
        limit = "-" if error["tolerance_mm"] is None else f"{error['tolerance_mm']:.4g}"
        rows.add_row(printable(joint["name"]), f"{error['error_mm']:.4f}", limit,
                     printable(document["clips"][error["clip"]]["name"]), frame_text(error["frame"]))
    return rows.titled("the largest errors, as shares of the tolerance")


def _drops(document: dict[str, Any]) -> str:
    drops, joints = document["drops"], document["joints"]
    if drops is None:
        return "joints that carry nothing are unknown, because no source file with a mesh was read"
    if not drops["joints"]:
        return "every joint, or one below it, carries vertices or a mesh, or a setting keeps it"
    names = ", ".join(printable(joints[item["joint"]]["name"]) for item in drops["joints"])
    return (f"{len(drops['joints'])} of {counted(len(joints), 'joint')} carry nothing and take {drops['bytes']:,.0f} "
            f"bytes, {100 * drops['share']:.1f} % of the bank; --drop unweighted leaves them out: {names}")
