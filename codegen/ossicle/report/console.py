"""The output of commands: tables and progress, for a terminal or as plain text for a pipe."""
from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from ..bank.assembling import SECTION_ENTRY_BYTES
from ..bank.tiers import Tier
from ..base.option_names import either, named
from ..model.contacts import LEAST_RISE_M, Contact
from .names import printable

if TYPE_CHECKING:  # slow to import, or in need of packages that may be missing
    from ..encode.cache.check import CacheFacts
    from ..encode.codec_sets import CodecChoice
    from ..encode.presets import Preset
    from ..encode.results import BankResult, ClipResult
    from ..generate.layouts import PartSize
    from ..generate.placement import Part
    from ..model.clip_facts import ClipFacts
    from ..targets import CodecCost, Target

# Columns for table(), which cost_cells() fills.
COST_COLUMNS = (("codec", "left"), ("clips", "right"), ("rows", "right"), ("average", "right"),
                ("worst", "right"), ("row alone", "right"), ("segment", "right"))
_MOST_NAMED = 12  # clips in a line
_PIPE_COLUMNS = 1 << 15  # tables in a pipe are never folded or cut


def console(stderr: bool = False) -> Console:
    """A console that does not fold lines in a pipe, and does not interpret names as markup."""
    plain = partial(Console, stderr=stderr, highlight=False, markup=False, emoji=False)
    made = plain()
    return made if made.is_terminal else plain(width=_PIPE_COLUMNS)


class _Pace(ProgressColumn):
    """How many units a second were done on average, and the time left at this pace."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        spent = task.fields["spent_s"]  # until the last unit was done
        if not task.completed or not spent:
            return Text("")
        left = spent * task.total / task.completed - task.elapsed - task.fields["before_s"]
        return Text(f"{task.completed / spent:,.0f} {self._unit}/s, {duration_text(left)} left")


def duration_text(seconds: float) -> str:
    """Minutes and seconds, and hours if there are any: 0:07, 1:02:30."""
    minutes, rest = divmod(max(round(seconds), 0), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def progress_bar(title: str, unit: str = "", started: float | None = None) -> Iterator[Callable[[int, int, str], None]]:
    """Shows a progress bar on stderr, or nothing if that is no terminal, or one of a CI system, which
    would keep every picture of the bar. Yields progress(done, total, item). unit: what it counts, for the
    pace and the time left; without one the bar has the time so far. started: by time.monotonic(), when it was not now
    that the work began."""
    screen = console(stderr=True)
    if not (screen.is_interactive and screen.file.isatty()) or os.environ.get("CI"):
        yield lambda done, total, item: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(),
               _Pace(unit) if unit else TimeElapsedColumn(), TextColumn("{task.fields[item]}", markup=False))
    with Progress(*columns, console=screen, transient=True) as bar:
        before = 0.0 if started is None else time.monotonic() - started
        task = bar.add_task(title, total=None, item="", spent_s=0.0, before_s=before)
        yield lambda done, total, item: bar.update(task, completed=done, total=total, item=item,
                                                   spent_s=before + (bar.tasks[0].elapsed or 0.0))


def table(columns: list[tuple[str, str]]) -> Table:
    """A plain table. columns: (heading, "left" or "right") for each."""
    made = Table(box=None, pad_edge=False)
    for heading, side in columns:
        made.add_column(heading, justify="right" if side == "right" else "left", no_wrap=True)
    return made


def preset_table(presets: Iterable[Preset]) -> Table:
    """Returns the output of `ossicle presets`: one line per preset, broken if it is too long."""
    made = table([("preset", "left"), ("codec", "left")])
    made.add_column("what it writes")
    made.add_column("published in")
    for preset in presets:
        made.add_row(preset.name, "+".join(preset.codecs), preset.about, preset.source)
    return made


def target_facts(target: Target) -> dict[str, object]:
    """Describes a target for `ossicle targets --json`."""
    return {"name": target.name, "aliases": target.aliases, "description": target.description,
            "cpu": target.cpu, "platform": target.platform, "compiler": target.compiler,
            "flags": target.flags, "unroll": target.unroll, "runs_here": target.runs_here,
            "programs_run_in": target.running}


def target_table(targets: Iterable[Target]) -> Table:
    """Returns the output of `ossicle targets`: one line per target, broken if it is too long."""
    made = table([("target", "left")])
    for heading in ("also", "processor", "platform", "programs run in", "compile with"):
        made.add_column(heading)
    for target in targets:
        made.add_row(target.name, ", ".join(target.aliases), target.cpu, target.platform,
                     target.running, " ".join((target.compiler, *target.flags)))
    return made


def frame_text(frame: float) -> str:
    """Names a frame, or the midpoint behind it."""
    return f"{frame:.1f}" if frame % 1 else f"{frame:.0f}"


def other_points_mm(clip: ClipResult, points: str) -> float:
    """The error of the points of the shell to which the tolerance does not apply."""
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
    """A number with separators, or a dash for None."""
    return "-" if number is None else f"{number:,}"


def counted(count: int, what: str) -> str:
    """A number with its noun: 1 clip, 2 clips."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def clip_table(result: BankResult) -> Table:
    """One row per clip and the totals. Ratios compare with ten floats per joint and frame. The
    error of the points to which the tolerance applies comes first, then that of the other choice.
    If joints have their own tolerances, the error nearest to its joint's tolerance follows, and then
    what additive clips are added to. For layers, the largest error of a chain from below the roots follows, with the
    start of that chain."""
    other = "axes" if result.points == "sphere" else "sphere"
    tight = any(clip.tightest_tolerance_mm != clip.tolerance_mm for clip in result.clips)
    layers = any(clip.chain_error_mm is not None for clip in result.clips)
    additive = any(clip.additive is not None for clip in result.clips)
    made = table([("clip", "left"), ("codec", "left"), ("frames", "right"),
                  ("fps", "right"), ("bytes", "right"), ("ratio", "right"), ("error mm", "right"),
                  ("at joint", "left"), ("frame", "right"), (f"{other} mm", "right"),
                  ("breaks", "right"),
                  *([("tightest mm", "right"), ("of mm", "right"), ("at joint", "left")]
                    if tight else []),
                  *([("additive over", "left")] if additive else []),
                  *([("layer mm", "right"), ("chain from", "left")] if layers else [])])
    for clip in result.clips:
        made.add_row(*_clip_row(clip, result.points, layers, tight, additive))
    raw = sum(clip.raw_bytes for clip in result.clips)
    worst = max(result.clips, key=lambda clip: clip.error_mm)
    made.add_section()
    made.add_row(f"bank, {counted(len(result.clips), 'clip')}", "",
                 f"{sum(c.frames for c in result.clips):,}", "",
                 f"{len(result.bank):,}", f"{raw / len(result.bank):.1f}", f"{worst.error_mm:.4f}",
                 worst.error_joint, "",
                 f"{max(other_points_mm(clip, result.points) for clip in result.clips):.4f}",
                 f"{sum(len(c.breaks) for c in result.clips) or ''}")
    return made


def curve_table(result: BankResult) -> Table | None:
    """A row for each curve: its largest error over all clips, its tolerance and where that is; None without curves."""
    names = [one.name for one in result.clips[0].curves]
    if not names:
        return None
    made = table([("curve", "left"), ("error", "right"), ("of", "right"), ("in clip", "left"), ("frame", "right")])
    for number, name in enumerate(names):
        clip = max(result.clips, key=lambda clip: clip.curves[number].error)
        worst = clip.curves[number]
        limit = "-" if worst.tolerance is None else f"{worst.tolerance:.4g}"
        made.add_row(printable(name), f"{worst.error:.6f}", limit, printable(clip.name) if worst.error else "",
                     frame_text(worst.frame) if worst.error else "")
    return made


def choice_table(choices: Sequence[CodecChoice]) -> Table:
    """The sets of codecs that were tried, the chosen one first, and what the bank costs with each."""
    made = table([("codecs", "left"), ("bank bytes", "right"), ("their code", "right"),
                  ("both", "right"), ("RAM", "right"), ("row, instructions", "right")])
    for choice in choices:
        made.add_row(", ".join(choice.codecs), f"{choice.bank_bytes:,}", f"{choice.code_bytes:,}",
                     f"{choice.flash_bytes:,}", f"{choice.player_bytes:,}", f"about {choice.row:,}")
    return made


def facts_table(facts: Sequence[ClipFacts]) -> Table:
    """One row per clip of source files. The files stand in the table if there are several."""
    several = len({one.file for one in facts}) > 1
    made = table([*([("file", "left")] if several else []), ("clip", "left"), ("seconds", "right"),
                  ("keys per s", "right"), ("loops", "left"), ("gap mm", "right"), ("at joint", "left"),
                  ("in place mm", "right"), ("moving", "right"), ("travel m", "right")])
    for one in facts:
        rate = "-" if one.fps is None else f"{one.fps:.5g}"
        made.add_row(*([one.file] if several else []), one.name, f"{one.seconds:.3f}", rate, one.loops,
                     f"{one.gap_mm:.3f}", one.gap_joint, f"{one.in_place_mm:.3f}",
                     f"{len(one.moving_joints)}/{one.joints}",
                     f"{math.sqrt(sum(length * length for length in one.travel_mm)) / 1e3:.3f}")
    return made


def cache_table(facts: CacheFacts) -> Table:
    """What a cache holds and what it was good for."""
    made = table([("cache", "left"), (str(facts.folder), "right")])
    for name, value in (("entries", f"{facts.entries:,}"), ("size", f"{facts.size_bytes:,} bytes"),
                        ("limit", f"{facts.limit_bytes:,} bytes"), ("hits", f"{facts.hits:,}"),
                        ("misses", f"{facts.misses:,}"), ("hit rate", f"{100.0 * facts.hit_rate:.1f} %")):
        made.add_row(name, value)
    return made


def layout_table(sizes: Sequence[PartSize], chosen: Mapping[str, str]) -> Table:
    """The flash of each generated part in each layout, in bytes. A star marks the chosen layout."""
    layouts = list(dict.fromkeys(size.unroll for size in sizes))
    made = table([("bytes of flash", "left"),
                  *((heading, "right") for how in layouts
                    for heading in (f"{named('--unroll', how)}: code", "tables"))])
    for part, end in dict.fromkeys((size.part, size.end) for size in sizes):
        row = []
        for size in (size for size in sizes if (size.part, size.end) == (part, end)):
            star = " *" if chosen[part] == size.unroll else "  "
            row += [f"{size.code_bytes:,}", f"{size.table_bytes:,}{star}"]
        made.add_row(part + end, *row)
    return made


def placement_table(parts: Sequence[Part], target: str) -> Table:
    """Where the code of a character lies, and the fast memory that it takes or would take, in bytes."""
    made = table([(f"fast memory of {target}", "left"), ("bytes", "right"), ("lies", "left")])
    for part in parts:
        size = "not measured" if part.size_bytes is None else f"{part.size_bytes:,}"
        made.add_row(part.name, size, "there" if part.fast else "with other code")
    made.add_row("together", f"{sum(part.size_bytes or 0 for part in parts if part.fast):,}", "")
    return made


def pixel_text(result: BankResult) -> str:
    """Says which lengths tolerances in pixels stand for; empty without such tolerances."""
    became = {pixels: mm for pixels, mm in (
        *((clip.tolerance_px, clip.tolerance_mm) for clip in result.clips),
        *((pixels, mm) for _, pixels, mm in result.joint_tolerances)) if pixels is not None}
    said = ", ".join(f"{pixels:g} px are {mm:.4g} mm" for pixels, mm in sorted(became.items()))
    return f"tolerance: {said}" if said else ""


def loop_texts(result: BankResult) -> list[str]:
    """Returns lines about loops that were closed, and by how much, and about other clips that could loop."""
    lines = [f"{clip.name}: closed its loop: {clip.closed_gap_joint} ended {clip.closed_gap_mm:.3f} mm from where "
             f"it began; poses moved by up to {clip.closed_moved_mm:.3f} mm"
             for clip in result.clips if clip.closed_gap_mm is not None]
    if could := [clip.name for clip in result.clips if clip.could_loop]:
        more = ", ..." if len(could) > _MOST_NAMED else ""
        lines.append(f"these clips end as they begin, but loop only with {either('--loop NAME', 'loop = true')}: "
                     f"{', '.join(could[:_MOST_NAMED])}{more}")
    return lines


def contact_table(result: BankResult) -> Table | None:
    """Where joints touch the ground, in frames of the file; None unless that was looked for."""
    made = table([("clip", "left"), ("event", "left"), ("joint", "left"), ("at frame", "left")])
    for clip in result.clips:
        for contact in clip.contacts:
            made.add_row(clip.name, contact.event, contact.joint, _contact_text(contact))
    return made if made.row_count else None


def _contact_text(contact: Contact) -> str:
    if contact.replaced:
        return "as other events of this name say"
    if contact.rises_mm < LEAST_RISE_M * 1e3:
        return f"none: rises by {contact.rises_mm:.1f} mm"
    return ", ".join(map(str, contact.frames)) or "none"


def tier_table(result: BankResult) -> Table | None:
    """What the base takes and each streaming tier adds, and the error with it; None without tiers."""
    tiers = result.parsed.tier_set
    if not tiers.tiers:
        return None
    made = table([("tier", "left"), *((title, "right") for title in ("bytes", "share", "in all", "clips", "error mm"))])
    base = len(result.bank) - sum(_tier_bytes(tier) for tier in tiers.tiers)
    total = 0
    rows = [("base", base, len(result.clips), tiers.base_error_mm)] + [
        (str(number), _tier_bytes(tier), len({chunk.clip for chunk in tier.chunks}), tier.error_mm)
        for number, tier in enumerate(tiers.tiers, 1)]
    for name, size, clips, error_mm in rows:
        total += size
        made.add_row(name, f"{size:,}", f"{size / len(result.bank):.1%}", f"{total:,}", str(clips), f"{error_mm:.4f}")
    return made


def _tier_bytes(tier: Tier) -> int:
    """What a tier takes in a bank that contains it."""
    return SECTION_ENTRY_BYTES + 4 * tier.words if tier.there else 0


def titled(title: str, under: Table) -> Group:
    """Returns a title as a renderable of its own, because rich would fold it to the width of the
    table."""
    return Group(Text(title, style="bold"), under)


def cost_cells(cost: CodecCost) -> list[str]:
    """The cells of COST_COLUMNS: the cost of a row with a codec."""
    return [cost.codec, *(number_text(value) for value in (
        cost.clips, cost.rows, cost.average, cost.worst, cost.row, cost.segment))]
