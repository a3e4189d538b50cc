"""Renders the page of `ossicle report`, a self-contained HTML file without scripts."""
from __future__ import annotations

from typing import Any

import jinja2

from ..base.places import TEMPLATES
from .byte_plots import WIDTH, idle_joints, joint_bars, treemap
from .console import counted
from .error_plots import MOST, all_errors, error_plot, largest_clips, largest_first, scale_of
from .figures import byte_sums, worst_joints
from .names import shortened
from .svg import as_file, plot_style
from .treemap import PARTS

_WORST = 12  # joints in the table of errors
_NAME = 44  # characters of a name in a table
SVG_FILES = ("treemap.svg", "joints.svg", "errors.svg")


def svg_files(document: dict[str, Any]) -> dict[str, bytes]:
    """Returns the plots as separate files, by name; without errors if the bank has no source."""
    plots = [treemap(document), joint_bars(document), *([all_errors(document)] if _has_errors(document) else [])]
    return {name: as_file(plot, WIDTH) for name, plot in zip(SVG_FILES, plots)}


def _has_errors(document: dict[str, Any]) -> bool:
    """Returns whether the bank has clips and was compared with its source."""
    return document["bank"]["worst"] is not None


def page(document: dict[str, Any]) -> bytes:
    """Renders the page of an analysis."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"name": lambda name: shortened(name, _NAME), "whole": "{:,}".format, "counted": counted}
    clips = document["clips"]
    scale = scale_of(document) if _has_errors(document) else None
    plots = {"treemap": treemap(document), "joints": joint_bars(document), "scale": scale,
             "errors": [error_plot(document, clip, scale) for clip in largest_clips(document)] if scale else []}
    return environment.get_template("pages/report.html.j2").render(
        **document, plots=plots, style=plot_style(), sums=byte_sums(document), part_names=PARTS,
        idle=idle_joints(document), worst=worst_joints(document, _WORST), most=MOST,
        seconds=sum((clip["frames"] - 1) / clip["rate"] for clip in clips if clip["rate"]),
        order=[clips[number] for number in largest_first(document)]).encode(errors="backslashreplace")
