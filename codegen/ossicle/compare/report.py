"""The output of `ossicle compare`: tables and CSV."""
from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType

from rich.console import RenderableType
from rich.table import Table

from ..base.problem import SettingProblem
from ..report.console import counted, number_text, table, titled
from .comparison import Figures
from .schemes import AUTO

TABLE, CLIP_TABLE = "compare.csv", "clips.csv"
COLUMNS = ("corpus", "clips", "tolerance_mm", "scheme", "bytes", "ratio", "worst_mm", "mean_mm",
           "share_holding", "ram_bytes", "row_m4")
CLIP_COLUMNS = ("corpus", "tolerance_mm", "scheme", "clip", "frames", "bytes", "worst_mm",
                "mean_mm", "holds")


def by_table(figures: Iterable[Figures]) -> dict[tuple[str, float], list[Figures]]:
    """Groups the figures by group and tolerance, in their original order."""
    tables: dict[tuple[str, float], list[Figures]] = {}
    for one in figures:
        tables.setdefault((one.group, one.tolerance_mm), []).append(one)
    return tables


def _plain(number: float | None, digits: int) -> str:
    """Formats significant digits without an exponent; empty for None."""
    if number is None:
        return ""
    text = f"{float(f'{number:.{digits}g}'):.9f}"
    return text.rstrip("0").rstrip(".")


def _cells(one: Figures) -> list[str]:
    share = "" if one.bytes is None else _plain(one.holding / one.clip_count, 4)
    return [one.group, str(one.clip_count), _plain(one.tolerance_mm, 6), one.scheme,
            _plain(one.bytes, 12), _plain(one.ratio, 5), _plain(one.worst_mm, 5),
            _plain(one.mean_mm, 5), share, _plain(one.ram_bytes, 12), _plain(one.row_m4, 12)]


def _csv(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue().encode(errors="backslashreplace")  # file names may be invalid text


def schemes_csv(figures: Iterable[Figures]) -> bytes:
    """One line for each scheme, tolerance and skeleton."""
    return _csv(COLUMNS, map(_cells, figures))


def clips_csv(figures: Iterable[Figures]) -> bytes:
    """One line for each clip of each scheme."""
    return _csv(CLIP_COLUMNS, (
        [one.group, _plain(one.tolerance_mm, 6), one.scheme, clip.clip, str(clip.frames),
         str(clip.bytes), _plain(clip.worst_mm, 5), _plain(clip.mean_mm, 5), str(int(clip.holds))]
        for one in figures for clip in one.clips))


def comparison_table(figures: Sequence[Figures]) -> Table:
    """A table of schemes on the same clips, the smallest bank first."""
    with_rows = any(one.row_m4 is not None for one in figures)
    made = table([("scheme", "left"), ("bytes", "right"), ("ratio", "right"), ("worst mm", "right"),
                  ("mean mm", "right"), ("hold", "right"), ("RAM bytes", "right"),
                  *([("row, Cortex-M4", "right")] if with_rows else [])])
    for one in sorted(figures, key=lambda one: (one.bytes is None, one.bytes or 0)):
        if one.bytes is None:
            made.add_row(one.scheme, "-", "-", "-", "-", "-", "-", *(["-"] if with_rows else []))
            continue
        made.add_row(one.scheme, f"{one.bytes:,}", f"{one.ratio:.1f}", f"{one.worst_mm:.4g}",
                     f"{one.mean_mm:.3g}", f"{one.holding}/{one.clip_count}", f"{one.ram_bytes:,}",
                     *([number_text(one.row_m4)] if with_rows else []))
    return made


def tables(figures: Sequence[Figures]) -> Iterator[RenderableType]:
    """Returns the printed output: a table for each group and tolerance, and the figures that are
    missing, with the reasons."""
    for (group, tolerance_mm), some in by_table(figures).items():
        title = f"{group}, {counted(some[0].clip_count, 'clip')} at {tolerance_mm:g} mm"
        yield titled(title, comparison_table(some))
        for one in some:
            if one.problem:
                yield f"{one.scheme}: {one.problem}"
        yield ""
    yield ("ratio: compared with ten floats per joint and frame; hold: clips within the tolerance; "
           "worst, mean: over all joints, frames and midpoints;\nif a scheme does not hold a clip, its "
           "tolerance is doubled until it does")


def plots() -> ModuleType:
    """Imports the module that draws the pictures. Loading it takes a second, which other commands
    do not need to spend. Raises SettingProblem if matplotlib is missing."""
    try:
        from . import plots as compare_plots
    except ImportError as error:
        raise SettingProblem(f"pictures cannot be drawn ({error}); install python3-matplotlib, or "
                             "leave out -o") from error
    return compare_plots


def _error_picture(group: str) -> str:
    return f"{group}-error-size.png"


def _gains_picture(group: str, tolerance_mm: float) -> str:
    return f"{group}-gains-{tolerance_mm:.9g}mm.png"


def file_names(groups: Sequence[str], tolerances_mm: Sequence[float]) -> list[str]:
    """The names of all files that a comparison may write."""
    return [TABLE, CLIP_TABLE, *map(_error_picture, groups),
            *(_gains_picture(group, mm) for group in groups for mm in tolerances_mm)]


def files(figures: Sequence[Figures]) -> dict[str, bytes]:
    """Returns all files by name: CSV and pictures. Raises SettingProblem if matplotlib is
    missing."""
    compare_plots = plots()
    contents = {TABLE: schemes_csv(figures), CLIP_TABLE: clips_csv(figures)}
    for group in dict.fromkeys(one.group for one in figures if one.clips):
        contents[_error_picture(group)] = compare_plots.error_against_size(
            group, [one for one in figures if one.group == group])
    for (group, tolerance_mm), some in by_table(figures).items():
        if any(one.clips for one in some if one.scheme == AUTO):
            contents[_gains_picture(group, tolerance_mm)] = compare_plots.gains(
                group, tolerance_mm, some)
    return contents
