"""Draws the pictures of `ossicle compare`: error against size, and the size of each clip in every scheme."""
from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from typing import Any
from statistics import median

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from ..base.codec import OWN_CODECS
from ..encoding.presets import PRESETS
from ..reporting.console import counted
from .comparison import Figures
from .schemes import AUTO

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#8c6d00", "#7f3c8d", "#555555")
_MARKERS = "os^vDP*X<>h"  # these and the colours make 88 pairs
_OWN = (AUTO, *OWN_CODECS)
_OWN_COLOUR = "#111111"
_DPI = 110
_SPREAD, _GOLDEN = 0.45, 0.618  # spread points that would coincide, evenly and deterministically


def _style(scheme: str, schemes: Sequence[str]) -> dict[str, object]:
    """Returns the style that identifies a scheme: Ossicle's own are black, each preset has a unique pair of colour and
    marker."""
    if scheme in _OWN:
        return {"color": _OWN_COLOUR, "marker": _MARKERS[_OWN.index(scheme)],
                "linestyle": "-" if scheme == AUTO else ":"}
    index = [name for name in schemes if name not in _OWN].index(scheme)
    return {"color": _COLOURS[index % len(_COLOURS)],
            "marker": _MARKERS[index % len(_MARKERS)], "linestyle": "-"}


def _keyless(scheme: str) -> bool:
    """Returns whether a scheme stores nothing for moving tracks, so that it would dominate the scale of a picture."""
    return scheme in PRESETS and bool(PRESETS[scheme].schemes) and all(
        row.rotations == row.vectors == "none" for row in PRESETS[scheme].schemes)


def _left_out(figures: Sequence[Figures]) -> str:
    """Describes the schemes that are left out of the picture; empty if there are none."""
    texts = {row.scheme: f"{row.scheme}: {row.bytes:,} bytes, off by up to {row.worst_mm:,.0f} mm"
             for row in figures if row.bytes is not None and _keyless(row.scheme)}
    return f"not shown, because without keys: {'; '.join(texts.values())}" if texts else ""


def _number(value: float, _: object = None) -> str:
    return f"{value:,.0f}" if value >= 10.0 else f"{value:g}"


def _plain(name: str) -> str:
    """Replaces the characters of a name that are not valid text."""
    return name.encode(errors="replace").decode()


def _logarithmic(axis: Any, subs: Sequence[float]) -> None:
    """Writes numbers in full instead of as powers of ten."""
    axis.set_major_locator(LogLocator(subs=subs, numticks=20))
    axis.set_major_formatter(FuncFormatter(_number))
    axis.set_minor_formatter(NullFormatter())


def _subs(low: float, high: float) -> tuple[float, ...]:
    """Returns the positions of the numbers on a logarithmic axis; fewer on longer axes."""
    span = high / low
    if span > 30.0:
        return (1.0,) if span > 1e4 else (1.0, 3.0)
    return (1.0, 2.0, 5.0) if span > 6.0 else (1.0, 1.2, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)


def _png(figure: Figure) -> bytes:
    FigureCanvasAgg(figure)
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # fonts lack some letters of names
        figure.savefig(out, format="png", dpi=_DPI, bbox_inches="tight", metadata={"Software": None})
    return out.getvalue()


def error_against_size(group: str, figures: Sequence[Figures]) -> bytes:
    """Returns a PNG of the banks of a group, with the worst error on the left and the mean error on the right: a point
    for each tolerance and a line for each scheme with keys."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        shown = [row for row in figures if row.bytes is not None and not _keyless(row.scheme)]
        series = _series_of(shown)
        legend_lines = sum(1 + label.count("\n") for label in series)
        figure = Figure(figsize=(14, max(7.0, 0.25 * legend_lines)))
        axes = figure.subplots(1, 2, sharey=True)
        firsts = [points[0].scheme for points in series.values()]
        for axis, error in zip(axes, ("worst_mm", "mean_mm"), strict=True):
            for label, points in series.items():
                _series(axis, label, points, error, _style(points[0].scheme, firsts))
        for tolerance in dict.fromkeys(row.tolerance_mm for row in shown):
            axes[0].axvline(tolerance, color="#999999", linewidth=0.8, zorder=0)
            axes[0].annotate(f"{tolerance:g} mm", (tolerance, 1.0), (0, 3), va="bottom",
                             ha="center", xycoords=("data", "axes fraction"),
                             textcoords="offset points", color="#666666")
        _axes(axes, shown)
        clips = counted(shown[0].clip_count, "clip")
        figure.suptitle(f"{_plain(group)}: error against size, {clips}", y=0.95, parse_math=False)
        figure.text(0.51, 0.03, _left_out(figures), ha="center", va="top", color="#666666")
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="center left", bbox_to_anchor=(0.91, 0.5), frameon=False)
        return _png(figure)


def _series_of(shown: Sequence[Figures]) -> dict[str, list[Figures]]:
    """Returns the points of each scheme by its label; presets with the same figures share one."""
    by_scheme: dict[str, list[Figures]] = {}
    for row in shown:
        by_scheme.setdefault(row.scheme, []).append(row)
    alike: dict[object, list[str]] = {}
    for scheme, points in by_scheme.items():
        figures = tuple((row.bytes, row.worst_mm, row.mean_mm) for row in points)
        alike.setdefault(scheme if scheme in _OWN else figures, []).append(scheme)
    return {"\n= ".join(schemes): by_scheme[schemes[0]] for schemes in alike.values()}


def _axes(axes: Sequence[Axes], shown: Sequence[Figures]) -> None:
    """Sets the scales and labels of error_against_size."""
    sizes = [row.bytes for row in shown if row.bytes is not None]
    axes[0].set_ylabel("whole bank, bytes")
    for axis, error, label in zip(axes, ("worst_mm", "mean_mm"), (
            "largest error, mm (lines: tolerances; hollow: not all clips hold them)",
            "mean error over joints and time, mm"), strict=True):
        errors = [max(getattr(row, error), 1e-6) for row in shown]
        axis.set_xscale("log")
        axis.set_yscale("log")
        _logarithmic(axis.xaxis, _subs(min(errors), max(errors)))
        _logarithmic(axis.yaxis, _subs(min(sizes), max(sizes)))
        axis.set_xlabel(label)
        axis.set_axisbelow(True)
        axis.grid(True, which="major", color="#dddddd", linewidth=0.6)


def _series(axis: Axes, label: str, points: Sequence[Figures], error: str,
            style: dict[str, object]) -> None:
    """Draws the line of a scheme. Points at which not all clips are within the tolerance are hollow."""
    ordered = sorted(points, key=lambda row: (row.bytes, row.tolerance_mm))
    size = 11 if points[0].scheme == AUTO else 7  # auto often equals a codec, which is drawn over it
    order = 1 if points[0].scheme == AUTO else 2
    x = [max(getattr(row, error), 1e-6) for row in ordered]
    y = [row.bytes for row in ordered]
    axis.plot(x, y, color=style["color"], linestyle=style["linestyle"], linewidth=1.0,
              zorder=order)
    for at, row in enumerate(ordered):
        full = row.holding == row.clip_count
        axis.plot(x[at], y[at], linestyle="", marker=style["marker"], color=style["color"],
                  markersize=size, markerfacecolor=style["color"] if full else "white",
                  markeredgecolor="white" if full else style["color"], zorder=order)
    axis.plot([], [], label=label, markersize=size, **style)


def gains(group: str, tolerance_mm: float, figures: Sequence[Figures]) -> bytes:
    """Returns a PNG that shows, for each scheme with keys, the size of every clip as a multiple of its size in auto,
    with a bar at the median."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        base = {clip.clip: clip.bytes for row in figures if row.scheme == AUTO
                for clip in row.clips}
        shown = [row for row in figures if row.scheme != AUTO and not _keyless(row.scheme)]
        rows = sorted((row for row in shown if row.clips), reverse=True,
                      key=lambda row: median(clip.bytes / base[clip.clip] for clip in row.clips))
        figure = Figure(figsize=(11, 1.8 + 0.32 * len(rows)))
        axis = figure.subplots()
        every = [1.0]
        for y, row in enumerate(rows):
            ratios = [clip.bytes / base[clip.clip] for clip in row.clips]
            every += ratios
            colours = ["#0072b2" if clip.holds else "white" for clip in row.clips]
            spread = [y + _SPREAD * (at * _GOLDEN % 1.0 - 0.5) for at in range(len(ratios))]
            axis.scatter(ratios, spread, s=20, zorder=2, facecolors=colours, edgecolors="#0072b2",
                         alpha=0.6, linewidths=0.8)
            axis.plot([median(ratios)] * 2, [y - 0.38, y + 0.38], color="#d55e00", linewidth=2.5,
                      zorder=3)
        axis.axvline(1.0, color="#111111", linewidth=1.0, zorder=0)
        axis.set_yticks(range(len(rows)), [f"{row.scheme}  ({row.holding}/{row.clip_count})"
                                           for row in rows])
        axis.set_ylim(-0.8, len(rows) - 0.2)
        axis.set_xscale("log")
        _logarithmic(axis.xaxis, _subs(min(every), max(every)))
        axis.set_xlabel("bytes of a clip, as a multiple of its bytes in auto; bar: median; hollow: "
                        "over the tolerance; in brackets: clips that hold it\n"
                        + _left_out(figures))
        axis.grid(True, axis="x", which="major", color="#dddddd", linewidth=0.6)
        axis.set_title(f"{_plain(group)} at {tolerance_mm:g} mm: clips in each scheme against auto",
                       parse_math=False)
        return _png(figure)
