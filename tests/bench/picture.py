"""Figures of benches as SVG that changes little from run to run, a group of elements a line."""
from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any


def subplots(*arguments: int, **options: Any) -> tuple[Any, Any]:
    """pyplot.subplots, with the same names in the file each time, and text as text."""
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "ossicle", "svg.fonttype": "none", "font.size": 9})
    from matplotlib import pyplot
    return pyplot.subplots(*arguments, **options)


def compact(svg: str) -> str:
    """The same picture without metadata, and with line breaks only before groups of the figure and of its axes."""
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"\s*\n\s*", " ", svg).replace("> <", "><")
    svg = re.sub(r' "(?=[ />])', '"', svg)
    return re.sub(r'(?=<g id="(?:figure|axes|matplotlib|legend))', "\n", svg).strip() + "\n"


def save(figure: Any, path: Path) -> None:
    """Writes the figure."""
    figure.tight_layout()
    written = io.StringIO()
    figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
    path.write_text(compact(written.getvalue()), encoding="utf-8")
