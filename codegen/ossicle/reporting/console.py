"""Formats the output of commands: tables, lines and progress."""
from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..bank.assembling import SECTION_ENTRY_BYTES
from ..bank.graph.steps import WorstStep
from ..bank.tiers import Tier
from ..base import signals
from ..base.option_names import either, named
from ..model.contacts import LEAST_RISE_M, Contact
from .names import printable
from .tables import FOLDED, Table

if TYPE_CHECKING:  # slow to import, or they need packages that may be missing
    from ..encoding.cache.check import CacheFacts
    from ..encoding.choice.codec_sets import CodecChoice
    from ..encoding.presets import Preset
    from ..encoding.results import BankResult, ClipResult
    from ..generate.layouts import PartSize
    from ..generate.placement import Part
    from ..model.clip_facts import ClipFacts
    from ..machines import CodecCost, Target

# Columns of a Table, which cost_cells() fills.
COST_COLUMNS = (("codec", "left"), ("clips", "right"), ("rows", "right"), ("average", "right"),
                ("worst", "right"), ("row alone", "right"), ("segment", "right"))
_MOST_NAMED = 12  # clips in a line


@contextmanager
def progress_bar(title: str, unit: str = "", started: float | None = None) -> Iterator[Callable[[int, int, str], None]]:
    """Shows a progress bar on stderr, or nothing if stderr is not a terminal or belongs to a CI system, whose log would
    contain every state of the bar. Yields progress(done, total, item). unit: the unit of the pace; without it the bar
    shows the elapsed time; started: the begin of the work, by time.monotonic(), if it was earlier."""
    if not sys.stderr.isatty() or os.environ.get("CI"):
        yield lambda done, total, item: None
        return
    with signals.deferred():  # slow to import, and only terminals need it
        from .bar import drawn_bar
    with drawn_bar(title, unit, started) as progress:
        yield progress


def preset_table(presets: Iterable[Preset]) -> Table:
    """Returns the output of `ossicle presets`: a line per preset, folded if it is too long."""
    rows = Table([("preset", "left"), ("codec", "left"), ("what it writes", FOLDED), ("published in", FOLDED)])
    for preset in presets:
        rows.add_row(preset.name, "+".join(preset.codecs), preset.about, preset.source)
    return rows


def target_facts(target: Target) -> dict[str, object]:
    """Describes a target for `ossicle targets --json`."""
    return {"name": target.name, "aliases": target.aliases, "description": target.description,
            "cpu": target.cpu, "platform": target.platform, "compiler": target.compiler,
            "flags": target.flags, "unroll": target.unroll, "runs_here": target.runs_here,
            "programs_run_in": target.running}


def target_table(targets: Iterable[Target]) -> Table:
    """Returns the output of `ossicle targets`: a line per target, folded if it is too long."""
    rows = Table([("target", "left"), *((heading, FOLDED) for heading in (
        "also", "processor", "platform", "programs run in", "compile with"))])
    for target in targets:
        rows.add_row(target.name, ", ".join(target.aliases), target.cpu, target.platform,
                     target.running, " ".join((target.compiler, *target.flags)))
    return rows


def frame_text(frame: float) -> str:
    """Formats the number of a frame, or of the midpoint after it."""
    return f"{frame:.1f}" if frame % 1 else f"{frame:.0f}"


def other_points_mm(clip: ClipResult, points: str) -> float:
    """Returns the error of the shell points to which the tolerance does not apply."""
    return clip.axes_error_mm if points == "sphere" else clip.sphere_error_mm


def _clip_row(clip: ClipResult, points: str, layers: bool, tight: bool, additive: bool) -> list[str]:
    name = f"{clip.name}, mirror image of {clip.mirror_of}" if clip.mirror_of else clip.name
    row = [name, clip.codec, f"{clip.frames}", f"{clip.rate:.5g}", f"{clip.bytes:,}",
           f"{clip.ratio:.1f}", f"{clip.error_mm:.4f}", clip.error_joint, frame_text(clip.error_frame),
           f"{other_points_mm(clip, points):.4f}", f"{len(clip.breaks) or ''}"]
    if tight:
        limit = clip.tightest_tolerance_mm
        row += [f"{clip.tightest_error_mm:.4f}", "-" if limit is None else f"{limit:.4g}",
                clip.tightest_joint]
    if additive:
        row.append(clip.additive or "")
    if layers:
        is_layer = clip.chain_error_mm is not None
        row += [f"{clip.chain_error_mm:.4f}", clip.chain_start or ""] if is_layer else ["", ""]
    return row


def number_text(number: int | None) -> str:
    """Formats a number with separators, or None as a dash."""
    return "-" if number is None else f"{number:,}"


def counted(count: int, what: str) -> str:
    """Formats a number with its noun: 1 clip, 2 clips."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def step_text(step: WorstStep) -> str:
    """Formats the most that a step of a graph costs."""
    if step.unknown:
        return f"the cost of a step of the graph is not known, because that of rows with {step.unknown} is not"
    return (f"a step of {step.step_us / 1000:g} ms takes at most about {step.cost:,} {step.unit} on {step.target}, and "
            f"unpacks {counted(step.rows, 'row')}")


def clip_table(result: BankResult) -> Table:
    """Returns a row per clip and the totals. Ratios compare with ten floats per joint and frame. The error of the shell
    points to which the tolerance applies comes first, then that of the other ones. Optional columns are the error
    nearest to its joint's tolerance if tolerances differ, the references of additive clips and, for layers, the largest
    error of a chain from below the roots, with the start of that chain."""
    other = "axes" if result.points == "sphere" else "sphere"
    tight = any(clip.tightest_tolerance_mm != clip.tolerance_mm for clip in result.clips)
    layers = any(clip.chain_error_mm is not None for clip in result.clips)
    additive = any(clip.additive is not None for clip in result.clips)
    rows = Table([("clip", "left"), ("codec", "left"), ("frames", "right"),
                  ("fps", "right"), ("bytes", "right"), ("ratio", "right"), ("error mm", "right"),
                  ("at joint", "left"), ("frame", "right"), (f"{other} mm", "right"),
                  ("breaks", "right"),
                  *([("tightest mm", "right"), ("of mm", "right"), ("at joint", "left")]
                    if tight else []),
                  *([("additive over", "left")] if additive else []),
                  *([("layer mm", "right"), ("chain from", "left")] if layers else [])])
    for clip in result.clips:
        rows.add_row(*_clip_row(clip, result.points, layers, tight, additive))
    raw = sum(clip.raw_bytes for clip in result.clips)
    worst = max(result.clips, key=lambda clip: clip.error_mm)
    rows.add_row(f"bank, {counted(len(result.clips), 'clip')}", "",
                 f"{sum(c.frames for c in result.clips):,}", "",
                 f"{len(result.bank):,}", f"{raw / len(result.bank):.1f}", f"{worst.error_mm:.4f}",
                 worst.error_joint, "",
                 f"{max(other_points_mm(clip, result.points) for clip in result.clips):.4f}",
                 f"{sum(len(c.breaks) for c in result.clips) or ''}")
    return rows


def curve_table(result: BankResult) -> Table | None:
    """Returns a row for each curve: its largest error in all clips, with tolerance, clip and frame; None without
    curves."""
    names = [curve.name for curve in result.clips[0].curves]
    if not names:
        return None
    rows = Table([("curve", "left"), ("error", "right"), ("of", "right"), ("in clip", "left"), ("frame", "right")])
    for number, name in enumerate(names):
        clip = max(result.clips, key=lambda clip: clip.curves[number].error)
        worst = clip.curves[number]
        limit = "-" if worst.tolerance is None else f"{worst.tolerance:.4g}"
        rows.add_row(printable(name), f"{worst.error:.6f}", limit, printable(clip.name) if worst.error else "",
                     frame_text(worst.frame) if worst.error else "")
    return rows


def choice_table(choices: Sequence[CodecChoice]) -> Table:
    """Returns the sets of codecs that were tried, the selected one first, and the costs of the bank with each."""
    rows = Table([("codecs", "left"), ("bank bytes", "right"), ("their code", "right"),
                  ("both", "right"), ("RAM", "right"), ("row, instructions", "right")])
    for choice in choices:
        rows.add_row(", ".join(choice.codecs), f"{choice.bank_bytes:,}", f"{choice.code_bytes:,}",
                     f"{choice.flash_bytes:,}", f"{choice.player_bytes:,}", f"about {choice.row:,}")
    return rows


def facts_table(facts: Sequence[ClipFacts]) -> Table:
    """Returns a row per clip of source files, with the file if there are several."""
    several = len({clip.file for clip in facts}) > 1
    rows = Table([*([("file", "left")] if several else []), ("clip", "left"), ("seconds", "right"),
                  ("keys per s", "right"), ("loops", "left"), ("gap mm", "right"), ("at joint", "left"),
                  ("in place mm", "right"), ("moving", "right"), ("travel m", "right")])
    for clip in facts:
        rate = "-" if clip.fps is None else f"{clip.fps:.5g}"
        rows.add_row(*([clip.file] if several else []), clip.name, f"{clip.seconds:.3f}", rate, clip.loops,
                     f"{clip.gap_mm:.3f}", clip.gap_joint, f"{clip.in_place_mm:.3f}",
                     f"{len(clip.moving_joints)}/{clip.joints}",
                     f"{math.sqrt(sum(length * length for length in clip.travel_mm)) / 1e3:.3f}")
    return rows


def cache_table(facts: CacheFacts) -> Table:
    """Returns the content and the statistics of a cache."""
    rows = Table([("cache", "left"), (str(facts.folder), "right")])
    for name, value in (("entries", f"{facts.entries:,}"), ("size", f"{facts.size_bytes:,} bytes"),
                        ("limit", f"{facts.limit_bytes:,} bytes"), ("hits", f"{facts.hits:,}"),
                        ("misses", f"{facts.misses:,}"), ("hit rate", f"{100.0 * facts.hit_rate:.1f} %")):
        rows.add_row(name, value)
    return rows


def layout_table(sizes: Sequence[PartSize], chosen: Mapping[str, str]) -> Table:
    """Returns the bytes of flash of each generated part in each layout. A star marks the selected layout."""
    layouts = list(dict.fromkeys(size.unroll for size in sizes))
    rows = Table([("bytes of flash", "left"),
                  *((heading, "right") for layout in layouts
                    for heading in (f"{named('--unroll', layout)}: code", "tables"))])
    for part, end in dict.fromkeys((size.part, size.end) for size in sizes):
        row = []
        for size in (size for size in sizes if (size.part, size.end) == (part, end)):
            star = " *" if chosen[part] == size.unroll else "  "
            row += [f"{size.code_bytes:,}", f"{size.table_bytes:,}{star}"]
        rows.add_row(part + end, *row)
    return rows


def placement_table(parts: Sequence[Part], target: str) -> Table:
    """Returns the placement of the code of a character, and the bytes of fast memory that it takes or would take."""
    rows = Table([(f"fast memory of {target}", "left"), ("bytes", "right"), ("lies", "left")])
    for part in parts:
        size = "not measured" if part.size_bytes is None else f"{part.size_bytes:,}"
        rows.add_row(part.name, size, "there" if part.fast else "with other code")
    rows.add_row("together", f"{sum(part.size_bytes or 0 for part in parts if part.fast):,}", "")
    return rows


def pixel_text(result: BankResult) -> str:
    """Returns the lengths that tolerances in pixels represent; empty without such tolerances."""
    lengths = {pixels: mm for pixels, mm in (
        *((clip.tolerance_px, clip.tolerance_mm) for clip in result.clips),
        *((pixels, mm) for _, pixels, mm in result.joint_tolerances)) if pixels is not None}
    listed = ", ".join(f"{pixels:g} px are {mm:.4g} mm" for pixels, mm in sorted(lengths.items()))
    return f"tolerance: {listed}" if listed else ""


def loop_texts(result: BankResult) -> list[str]:
    """Returns lines about loops that were closed, with their gaps, and about other clips that could loop."""
    lines = [f"{clip.name}: closed its loop: {clip.closed_gap_joint} ended {clip.closed_gap_mm:.3f} mm from where "
             f"it began; poses moved by up to {clip.closed_moved_mm:.3f} mm"
             for clip in result.clips if clip.closed_gap_mm is not None]
    if could := [clip.name for clip in result.clips if clip.could_loop]:
        more = ", ..." if len(could) > _MOST_NAMED else ""
        lines.append(f"these clips end as they begin, but loop only with {either('--loop NAME', 'loop = true')}: "
                     f"{', '.join(could[:_MOST_NAMED])}{more}")
    return lines


def contact_table(result: BankResult) -> Table | None:
    """Returns the contacts of joints with the ground, in frames of the file, or None without contact detection."""
    rows = Table([("clip", "left"), ("event", "left"), ("joint", "left"), ("at frame", "left")])
    for clip in result.clips:
        for contact in clip.contacts:
            rows.add_row(clip.name, contact.event, contact.joint, _contact_text(contact))
    return rows if rows.rows else None


def _contact_text(contact: Contact) -> str:
    if contact.replaced:
        return "from other events of this name"
    if contact.rises_mm < LEAST_RISE_M * 1e3:
        return f"none: rises by {contact.rises_mm:.1f} mm"
    if contact.ends is not None:
        return ", ".join(f"{begin}-{end}" for begin, end in zip(contact.frames, contact.ends)) or "none"
    return ", ".join(map(str, contact.frames)) or "none"


def tier_table(result: BankResult) -> Table | None:
    """Returns the bytes of the base and of each streaming tier, and the error with it; None without tiers."""
    tiers = result.parsed.tier_set
    if not tiers.tiers:
        return None
    tier_rows = Table([("tier", "left"),
                       *((title, "right") for title in ("bytes", "share", "in all", "clips", "error mm"))])
    base = len(result.bank) - sum(_tier_bytes(tier) for tier in tiers.tiers)
    total = 0
    rows = [("base", base, len(result.clips), tiers.base_error_mm)] + [
        (str(number), _tier_bytes(tier), len({chunk.clip for chunk in tier.chunks}), tier.error_mm)
        for number, tier in enumerate(tiers.tiers, 1)]
    for name, size, clips, error_mm in rows:
        total += size
        tier_rows.add_row(name, f"{size:,}", f"{size / len(result.bank):.1%}", f"{total:,}", str(clips),
                          f"{error_mm:.4f}")
    return tier_rows


def _tier_bytes(tier: Tier) -> int:
    """Returns the bytes of a tier in the bank, 0 if the bank does not contain it."""
    return SECTION_ENTRY_BYTES + 4 * tier.words if tier.there else 0


def cost_cells(cost: CodecCost) -> list[str]:
    """Returns the cells of COST_COLUMNS: the cost of a row with a codec."""
    return [cost.codec, *(number_text(value) for value in (
        cost.clips, cost.rows, cost.average, cost.worst, cost.row, cost.segment))]
