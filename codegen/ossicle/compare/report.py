"""Formats the output of `ossicle compare`: tables and CSV."""
from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType


from ..base.problem import SettingProblem
from ..reporting.console import counted, number_text
from ..reporting.tables import Table
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
    for row in figures:
        tables.setdefault((row.group, row.tolerance_mm), []).append(row)
    return tables


def _plain(number: float | None, digits: int) -> str:
    """Formats significant digits without an exponent; empty for None."""
    if number is None:
        return ""
    text = f"{float(f'{number:.{digits}g}'):.9f}"
    return text.rstrip("0").rstrip(".")


def _cells(row: Figures) -> list[str]:
    share = "" if row.bytes is None else _plain(row.holding / row.clip_count, 4)
    return [row.group, str(row.clip_count), _plain(row.tolerance_mm, 6), row.scheme,
            _plain(row.bytes, 12), _plain(row.ratio, 5), _plain(row.worst_mm, 5),
            _plain(row.mean_mm, 5), share, _plain(row.ram_bytes, 12), _plain(row.row_m4, 12)]


def _csv(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue().encode(errors="backslashreplace")  # file names may be invalid text


def schemes_csv(figures: Iterable[Figures]) -> bytes:
    """Returns one line for each scheme, tolerance and skeleton."""
    return _csv(COLUMNS, map(_cells, figures))


def clips_csv(figures: Iterable[Figures]) -> bytes:
    """Returns one line for each clip of each scheme."""
    return _csv(CLIP_COLUMNS, (
        [row.group, _plain(row.tolerance_mm, 6), row.scheme, clip.clip, str(clip.frames),
         str(clip.bytes), _plain(clip.worst_mm, 5), _plain(clip.mean_mm, 5), str(int(clip.holds))]
        for row in figures for clip in row.clips))


def comparison_table(figures: Sequence[Figures]) -> Table:
    """Returns a table of schemes on the same clips, the smallest bank first."""
    with_rows = any(row.row_m4 is not None for row in figures)
    rows = Table([("scheme", "left"), ("bytes", "right"), ("ratio", "right"), ("worst mm", "right"),
                  ("mean mm", "right"), ("hold", "right"), ("RAM bytes", "right"),
                  *([("row, Cortex-M4", "right")] if with_rows else [])])
    for row in sorted(figures, key=lambda row: (row.bytes is None, row.bytes or 0)):
        if row.bytes is None:
            rows.add_row(row.scheme, "-", "-", "-", "-", "-", "-", *(["-"] if with_rows else []))
            continue
        rows.add_row(row.scheme, f"{row.bytes:,}", f"{row.ratio:.1f}", f"{row.worst_mm:.4g}",
                     f"{row.mean_mm:.3g}", f"{row.holding}/{row.clip_count}", f"{row.ram_bytes:,}",
                     *([number_text(row.row_m4)] if with_rows else []))
    return rows


def tables(figures: Sequence[Figures]) -> Iterator[Table | str]:
    """Yields the printed output: a table for each group and tolerance, and the reasons for missing figures."""
    for (group, tolerance_mm), rows in by_table(figures).items():
        title = f"{group}, {counted(rows[0].clip_count, 'clip')} at {tolerance_mm:g} mm"
        yield comparison_table(rows).titled(title)
        for row in rows:
            if row.problem:
                yield f"{row.scheme}: {row.problem}"
        yield ""
    yield ("ratio: compared with ten floats per joint and frame; hold: clips within the tolerance; "
           "worst, mean: over all joints, frames and midpoints;\nif a scheme does not hold a clip, its "
           "tolerance is doubled until it does")


def plots() -> ModuleType:
    """Imports the module that draws the pictures, which takes a second that other commands save. Raises SettingProblem
    if matplotlib is missing."""
    try:
        from . import plots as compare_plots
    except ImportError as error:
        raise SettingProblem(f"pictures cannot be drawn ({error}); install python3-matplotlib "
                             "or ossicle[plots], or leave out -o") from error
    return compare_plots


def _error_picture(group: str) -> str:
    return f"{group}-error-size.png"


def _gains_picture(group: str, tolerance_mm: float) -> str:
    return f"{group}-gains-{tolerance_mm:.9g}mm.png"


def file_names(groups: Sequence[str], tolerances_mm: Sequence[float]) -> list[str]:
    """Returns the names of all files that a comparison may write."""
    return [TABLE, CLIP_TABLE, *map(_error_picture, groups),
            *(_gains_picture(group, mm) for group in groups for mm in tolerances_mm)]


def files(figures: Sequence[Figures]) -> dict[str, bytes]:
    """Returns all files by name: CSV and pictures. Raises SettingProblem if matplotlib is missing."""
    compare_plots = plots()
    contents = {TABLE: schemes_csv(figures), CLIP_TABLE: clips_csv(figures)}
    for group in dict.fromkeys(row.group for row in figures if row.clips):
        contents[_error_picture(group)] = compare_plots.error_against_size(
            group, [row for row in figures if row.group == group])
    for (group, tolerance_mm), rows in by_table(figures).items():
        if any(row.clips for row in rows if row.scheme == AUTO):
            contents[_gains_picture(group, tolerance_mm)] = compare_plots.gains(
                group, tolerance_mm, rows)
    return contents
