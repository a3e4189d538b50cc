"""Formats figures of many characters, from their JSON reports, as CSV, text and a page."""
from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any

import jinja2

from ..base.places import TEMPLATES
from .console import counted
from .names import printable, shortened
from .tables import Table

_MOST = 20  # clips in a list of the largest or the worst
_NAME = 44  # characters of a name on the page


@dataclass(frozen=True)
class ClipRow:
    """A clip of a library. error_mm, of_mm: the error that is nearest to its joint's tolerance, and that tolerance,
    None if infinite; between_mm: the error at keys of the source between frames, None if there are none."""

    character: str
    clip: str
    codec: str
    frames: int
    rate: float
    bytes: int
    ratio: float
    tolerance_mm: float | None
    error_mm: float
    of_mm: float | None
    joint: str
    between_mm: float | None

    @property
    def share(self) -> float:
        """The error as a fraction of its tolerance."""
        return self.error_mm / self.of_mm if self.of_mm else 0.0

    @property
    def is_coarse(self) -> bool:
        """True if it has too few frames to follow its source between them."""
        return (self.between_mm is not None and self.tolerance_mm is not None
                and self.between_mm > self.tolerance_mm)


@dataclass(frozen=True)
class CharacterRow:
    """A character of a library. clip_bytes: without its skeleton, names and tables."""

    character: str
    clips: int
    joints: int
    bytes: int
    clip_bytes: int
    ratio: float
    player_bytes: int
    worst_mm: float
    coarse: int


class Library:
    """All characters of a library. reports: JSON reports by name; faults: a message for each character that cannot be
    built."""

    def __init__(self, reports: Mapping[str, Mapping[str, Any]], faults: Mapping[str, str] | None = None) -> None:
        self.faults = dict(faults or {})
        self.clips = [_clip(name, clip) for name, report in reports.items() for clip in report["clips"]]
        by_character: dict[str, list[ClipRow]] = {name: [] for name in reports}
        for clip in self.clips:
            by_character[clip.character].append(clip)
        self.characters = [_character(name, report, by_character[name]) for name, report in reports.items()]
        self.bytes = sum(row.bytes for row in self.characters)
        self.raw_bytes = sum(report["raw_bytes"] for report in reports.values())
        self.ratio = self.raw_bytes / self.bytes if self.bytes else 0.0

    @property
    def largest(self) -> list[ClipRow]:
        """The clips with the most bytes, the largest first."""
        return sorted(self.clips, key=lambda clip: -clip.bytes)[:_MOST]

    @property
    def nearest(self) -> list[ClipRow]:
        """The clips whose error is nearest to its tolerance, the nearest first."""
        return sorted(self.clips, key=lambda clip: -clip.share)[:_MOST]

    @property
    def coarse(self) -> list[ClipRow]:
        """The clips that do not follow their source between frames, the worst first."""
        return sorted((clip for clip in self.clips if clip.is_coarse),
                      key=lambda clip: -(clip.between_mm or 0.0))[:_MOST]

    def csv(self) -> bytes:
        """Returns a line per clip, and one per character that cannot be built, with the reason in the last column."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        names = [field.name for field in fields(ClipRow)]
        writer.writerow([*names, "fault"])
        writer.writerows([*astuple(clip), ""] for clip in self.clips)
        writer.writerows([name, *[""] * len(names[1:]), line] for name, line in self.faults.items())
        return text.getvalue().encode(errors="backslashreplace")  # file names may be invalid text

    def text(self) -> bytes:
        """Returns tables of characters and of notable clips."""
        faults = [_faults_table(self.faults).titled("characters that cannot be built")] if self.faults else []
        tables = (*faults, _characters_table(self),
                  *(_clips_table(clips).titled(title) for title, clips in self.lists()))
        return "".join(f"{table}\n\n" for table in tables).encode(errors="backslashreplace")

    def html(self) -> bytes:
        """Returns the same as a page without scripts."""
        environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined,
            trim_blocks=True)
        environment.filters |= {"name": lambda name: shortened(name, _NAME), "whole": "{:,}".format, "counted": counted}
        return environment.get_template("pages/library.html.j2").render(library=self).encode(errors="backslashreplace")

    def lists(self) -> Iterator[tuple[str, list[ClipRow]]]:
        """Yields the lists of notable clips that are not empty, with their titles."""
        for title, clips in (("the largest clips", self.largest), ("errors nearest to their tolerance", self.nearest),
                             ("clips with too few frames to follow their source between them", self.coarse)):
            if clips:
                yield title, clips


WRITERS: Mapping[str, Callable[[Library], bytes]] = {".csv": Library.csv, ".html": Library.html, ".txt": Library.text}


def _clip(character: str, clip: Mapping[str, Any]) -> ClipRow:
    return ClipRow(character, clip["name"], clip["codec"], clip["frames"], clip["rate"], clip["bytes"], clip["ratio"],
                   clip["tolerance_mm"], clip["tightest_error_mm"], clip["tightest_tolerance_mm"],
                   clip["tightest_joint"],
                   clip["source_error_mm"])


def _character(name: str, report: Mapping[str, Any], clips: Sequence[ClipRow]) -> CharacterRow:
    return CharacterRow(name, len(clips), report["joints"], report["bytes"], sum(clip.bytes for clip in clips),
                        report["raw_bytes"] / report["bytes"], report["player_bytes"], report["worst_error_mm"],
                        sum(clip.is_coarse for clip in clips))


def _characters_table(library: Library) -> Table:
    rows = Table([("character", "left"), ("clips", "right"), ("joints", "right"), ("bytes", "right"),
                  ("in clips", "right"),
                  ("ratio", "right"), ("RAM", "right"), ("worst mm", "right"), ("coarse", "right")])
    for row in library.characters:
        rows.add_row(printable(row.character), f"{row.clips:,}", f"{row.joints}", f"{row.bytes:,}",
                     f"{row.clip_bytes:,}",
                     f"{row.ratio:.1f}", f"{row.player_bytes:,}", f"{row.worst_mm:.4f}", f"{row.coarse or ''}")
    rows.add_row(counted(len(library.characters), "character"), f"{len(library.clips):,}", "", f"{library.bytes:,}",
                 f"{sum(row.clip_bytes for row in library.characters):,}", f"{library.ratio:.1f}")
    return rows


def _faults_table(faults: Mapping[str, str]) -> Table:
    rows = Table([("character", "left"), ("fault", "left")])
    for name, line in faults.items():
        rows.add_row(printable(name), printable(line))
    return rows


def _clips_table(clips: Iterable[ClipRow]) -> Table:
    rows = Table([("character", "left"), ("clip", "left"), ("codec", "left"), ("frames", "right"), ("bytes", "right"),
                  ("ratio", "right"), ("error mm", "right"), ("of mm", "right"), ("at joint", "left"),
                  ("between mm", "right")])
    for clip in clips:
        rows.add_row(printable(clip.character), printable(clip.clip), clip.codec, f"{clip.frames:,}", f"{clip.bytes:,}",
                     f"{clip.ratio:.1f}", f"{clip.error_mm:.4f}", "-" if clip.of_mm is None else f"{clip.of_mm:.4g}",
                     printable(clip.joint), "" if clip.between_mm is None else f"{clip.between_mm:.4f}")
    return rows
