"""Plots errors against time: a small plot for each clip, all with the same scale."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .names import BOLD, fitting, shortened
from .svg import element, image, polyline, tooltip, words

WIDTH, HEIGHT = 232.0, 112.0
MOST = 24  # clips that are plotted
_LEFT, _RIGHT, _TOP, _BOTTOM = 30.0, 4.0, 22.0, 16.0
_COLUMNS = 4
_TYPE = 11.0
_HEADROOM = 1.12


@dataclass(frozen=True)
class Scale:
    """The scale of all plots. Errors are in millimetres if all joints and clips have the same tolerance, otherwise
    fractions of the tolerance of their joint. limit: the tolerance in that unit, or None; top: the end of the axis."""

    shares: bool
    limit: float | None
    top: float

    def errors_of(self, clip: dict[str, Any]) -> Sequence[float]:
        return clip["used_over_time"] or [0.0] if self.shares else clip["over_time_mm"]

    @property
    def unit(self) -> str:
        return "of the tolerance" if self.shares else "mm"


def scale_of(document: dict[str, Any]) -> Scale:
    """Returns the scale for all clips of an analysis with errors."""
    clips = document["clips"]
    limits = {joint["nearest"]["tolerance_mm"] for joint in document["joints"] if joint["nearest"]} | {
        clip["tolerance_mm"] for clip in clips}
    shares = len(limits) > 1
    limit = 1.0 if shares else limits.pop()
    plain = Scale(shares, limit, 1.0)
    return Scale(shares, limit, _HEADROOM * max(limit or 0.0, *(max(plain.errors_of(clip)) for clip in clips)) or 1.0)


def largest_first(document: dict[str, Any]) -> list[int]:
    """Returns the clips by descending size."""
    clips = document["clips"]
    return sorted(range(len(clips)), key=lambda clip: -clips[clip]["bytes"])


def largest_clips(document: dict[str, Any]) -> list[int]:
    """Returns the clips to plot."""
    return largest_first(document)[:MOST]


def error_plot(document: dict[str, Any], number: int, scale: Scale) -> str:
    """Plots the largest error of any joint of a clip at every frame and midpoint, with the tolerance as a line."""
    clip = document["clips"][number]
    name, worst = shortened(clip["name"], 40), clip["worst"]
    joint = shortened(document["joints"][worst["joint"]]["name"], 40)
    limit = "any error is allowed" if clip["tolerance_mm"] is None else f"of {clip['tolerance_mm']:g} mm"
    return image(f"errors-{number}", WIDTH, HEIGHT, f"Errors of {name} over time",
                 f"The largest error is {worst['error_mm']:.3f} mm ({limit}), of {joint} at frame "
                 f"{worst['frame']:g} of {clip['frames'] - 1}.", *_drawn(clip, scale))


def all_errors(document: dict[str, Any]) -> str:
    """Draws the plots of error_plot in one picture."""
    scale, shown = scale_of(document), largest_clips(document)
    columns = min(_COLUMNS, len(shown))
    rows = -(-len(shown) // columns)
    positions = [((WIDTH + 8) * (index % columns), (HEIGHT + 8) * (index // columns)) for index in range(len(shown))]
    return image("errors", (WIDTH + 8) * columns - 8, (HEIGHT + 8) * rows - 8, "Errors over time",
                 f"The largest error of any joint at each frame of {len(shown)} clips, {scale.unit}.",
                 *(element("g", *_drawn(document["clips"][clip], scale), transform=f"translate({x:g} {y:g})")
                   for clip, (x, y) in zip(shown, positions)))


def _drawn(clip: dict[str, Any], scale: Scale) -> list[str]:
    errors = scale.errors_of(clip)
    right, bottom = WIDTH - _RIGHT, HEIGHT - _BOTTOM
    wide, high = right - _LEFT, bottom - _TOP

    def at(sample: float, error: float) -> tuple[float, float]:
        return _LEFT + wide * sample / max(len(errors) - 1, 1), bottom - high * min(error / scale.top, 1.0)

    points = [at(sample, error) for sample, error in _thinned(errors, int(wide))]
    if len(errors) == 1:  # a pose: a level line
        points = [points[0], (right, points[0][1])]
    peak = max(range(len(errors)), key=errors.__getitem__)
    x, y = at(peak, errors[peak])
    seconds = (clip["frames"] - 1) / clip["rate"] if clip["rate"] else 0.0
    drawn = [
        words(fitting(clip["name"], wide - 42, _TYPE * BOLD), _LEFT, _TOP - 9, class_="label strong", font_size=_TYPE),
        words(f"{errors[peak]:.3f}", right, _TOP - 9, text_anchor="end", class_="label quiet"),
        polyline([(_LEFT, bottom), *points, (right, bottom)], class_="area"),
        polyline([(_LEFT, bottom), (right, bottom)], class_="axis"),
        words("0", _LEFT - 5, bottom + 3, text_anchor="end", class_="label quiet"),
        words("0", _LEFT, HEIGHT - 4, class_="label quiet"),
        words(f"{seconds:.3g} s", right, HEIGHT - 4, text_anchor="end", class_="label quiet")]
    if scale.limit is not None:
        level = at(0, scale.limit)[1]
        drawn += [polyline([(_LEFT, level), (right, level)], class_="limit"),
                  words(f"{scale.limit:.3g}", _LEFT - 5, level + 3, text_anchor="end", class_="label quiet")]
    else:
        drawn.append(words(f"{scale.top:.3g}", _LEFT - 5, _TOP + 3, text_anchor="end", class_="label quiet"))
    for frame in sorted({item[0] for item in clip["breaks"]}):
        tick = at(2 * frame, 0.0)[0]
        drawn.append(polyline([(tick, bottom), (tick, bottom + 4)], class_="break"))
    drawn += [polyline(points, class_="line"),
              element("circle", tooltip(f"{errors[peak]:.4f} at frame {peak / 2:g}"), cx=x, cy=y, r=2.2, class_="peak")]
    return drawn


def _thinned(errors: Sequence[float], most: int) -> list[tuple[int, float]]:
    """Returns the samples of a line: all, or the minimum and maximum of every interval of a long clip."""
    if len(errors) <= 2 * most:
        return list(enumerate(errors))
    selected: set[int] = {0, len(errors) - 1}
    for column in range(most):
        interval = range(len(errors) * column // most, len(errors) * (column + 1) // most)
        selected |= {min(interval, key=errors.__getitem__), max(interval, key=errors.__getitem__)}
    return [(sample, errors[sample]) for sample in sorted(selected)]
