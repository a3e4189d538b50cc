"""Formats the tables of `ossicle diff`: bytes by clip and by joint, and distances of poses."""
from __future__ import annotations

from collections.abc import Sequence


from ..analysis.apart import Apart
from ..analysis.difference import Change, ClipChange, Difference
from .console import counted, frame_text
from .names import printable
from .costs import bytes_text
from .tables import Table

_SIZES = (("before", "right"), ("after", "right"), ("change", "right"), ("%", "right"))


def percent(change: Change) -> float | None:
    """Returns the growth of a part in percent, or None for a new one."""
    return 100.0 * change.growth_bits / change.before_bits if change.before_bits else None


def _signed(number: float) -> str:
    return f"{number:+,.1f}"


def _sizes(change: Change) -> list[str]:
    share = percent(change)
    text = "new" if change.before_bits is None else "gone" if change.after_bits is None else _signed(share or 0.0)
    return ["-" if bits is None else bytes_text(bits) for bits in (change.before_bits, change.after_bits)] + [
        _signed(change.growth_bits / 8) if change.growth_bits else "", text if change.growth_bits else ""]


def _codec_text(codecs: Sequence[str | None]) -> str:
    before, after = codecs
    return before or "-" if before == after else f"{before or '-'} > {after or '-'}"


def _apart_cells(apart: Apart | str | None) -> list[str]:
    if not isinstance(apart, Apart):
        return ["-", apart or "", ""]
    if apart.metres == 0.0:
        return ["0", "", ""]
    return [f"{1e3 * apart.metres:.4f}", printable(apart.joint), frame_text(apart.frame)]


def clip_table(found: Difference) -> Table:
    """Returns a row for each clip that has changed, one for all others, one for the bytes of no clip, and the sums."""
    rows = Table([("clip", "left"), *_SIZES, ("codec", "left"), ("apart mm", "right"), ("at joint", "left"),
                  ("frame", "right")])
    for clip in found.clips:
        if not clip.is_same:
            rows.add_row(printable(clip.name), *_sizes(clip), _codec_text(clip.codecs), *_apart_cells(clip.apart))
    _add_rest(rows, [clip for clip in found.clips if clip.is_same], "clip", found.beside_clips, found.whole)
    return rows


def joint_table(found: Difference) -> Table:
    """Returns the same for joints."""
    rows = Table([("joint", "left"), *_SIZES])
    for joint in found.joints:
        if _has_changed(joint):
            rows.add_row(printable(joint.name), *_sizes(joint))
    _add_rest(rows, [joint for joint in found.joints if not _has_changed(joint)], "joint", found.beside_joints,
              found.whole)
    return rows


def _has_changed(change: Change) -> bool:
    return change.before_bits != change.after_bits


def _add_rest(rows: Table, same: Sequence[Change], what: str, beside: Sequence[Change], whole: Change) -> None:
    if same:
        bits = sum(change.before_bits or 0 for change in same)
        rows.add_row(f"{counted(len(same), what)} as before", *_sizes(Change("", bits, bits)))
    for change in beside:
        rows.add_row(printable(change.name), *_sizes(change))
    rows.add_row("bank", *(f"{(bits or 0) // 8:,}" for bits in (whole.before_bits, whole.after_bits)),
                 *_sizes(whole)[2:])


def apart_text(clips: Sequence[ClipChange]) -> str:
    """Returns the largest distance of poses of all clips; empty if none was compared."""
    compared = [(clip.name, clip.apart) for clip in clips if isinstance(clip.apart, Apart)]
    if not compared:
        return ""
    worst, apart = max(compared, key=lambda one: one[1].metres)
    curve, curves = max(compared, key=lambda one: one[1].value)
    values = f"curves are apart by up to {curves.value:.6f}: clip {printable(curve)}, curve " \
        f"{printable(curves.curve)}" if curves.value > 0.0 else ""
    if apart.metres == 0.0:
        return values or "all compared poses are the same"
    return (f"poses are apart by up to {1e3 * apart.metres:.4f} mm: clip {printable(worst)}, joint "
            f"{printable(apart.joint)}, frame {frame_text(apart.frame)}" + (values and f"\n{values}"))
