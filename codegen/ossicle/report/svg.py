"""Writes SVG. Every text and every value is escaped here and nowhere else.

The plots of reports are a few rectangles, lines and words. They are written directly rather than by matplotlib, which
takes a second to load, and whose SVG has no text that a screen reader finds, no tooltips, and one set of colours.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ..base.places import TEMPLATES

Box = tuple[float, float, float, float]  # x, y, width, height


def number(value: float) -> str:
    """A coordinate, to a tenth of a unit."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def element(tag: str, *inside: str, **attributes: object) -> str:
    """An element with its content, which is SVG itself. In the names of attributes `_` stands for `-`, and a trailing
    one for nothing."""
    said = "".join(f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"'
                   for name, value in attributes.items() if value is not None)
    content = "".join(inside)
    return f"<{tag}{said}>{content}</{tag}>" if content else f"<{tag}{said}/>"


def _value(value: object) -> str:
    return number(value) if isinstance(value, float) else escape(str(value))


def words(text: str, x: float, y: float, **attributes: object) -> str:
    """A text, whose baseline begins, or as `text_anchor` says, at a point."""
    return element("text", escape(text), x=float(x), y=float(y), **attributes)


def tooltip(text: str) -> str:
    """The title of the element that contains it, which browsers show under the pointer."""
    return element("title", escape(text))


def rectangles(boxes: Iterable[Box], **attributes: object) -> str:
    """All of these as one path, which takes a third of the bytes of as many elements."""
    drawn = "".join(f"M{number(x)} {number(y)}h{number(w)}v{number(h)}h{number(-w)}z" for x, y, w, h in boxes)
    return element("path", d=drawn, **attributes) if drawn else ""


def polyline(points: Sequence[tuple[float, float]], **attributes: object) -> str:
    """A line through these points."""
    return element("polyline", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), **attributes)


def hatching(key: str) -> str:
    """The definition of a pattern of oblique lines, which `hatched` fills with."""
    line = element("path", d="M0 0V6", class_="hatch")
    return element("defs", element("pattern", line, id=f"{key}-hatch", width=6, height=6,
                                   patternUnits="userSpaceOnUse", patternTransform="rotate(45)"))


def hatched(key: str) -> str:
    """The value of `fill` for that pattern."""
    return f"url(#{key}-hatch)"


def image(key: str, width: float, height: float, title: str, description: str, *body: str) -> str:
    """A whole picture, with a title and a description for those who do not see it. key: begins its ids, which differ
    between the pictures of a page."""
    return element("svg", element("title", escape(title), id=f"{key}-title"),
                   element("desc", escape(description), id=f"{key}-desc"), *body,
                   xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {number(width)} {number(height)}",
                   role="img", aria_labelledby=f"{key}-title {key}-desc", class_="plot")


def plot_style() -> str:
    """The style sheet of all plots, for light and dark."""
    return (TEMPLATES / "plots.css").read_text(encoding="utf-8")


def as_file(picture: str, width: float) -> bytes:
    """A picture as a file of its own, with its style, so many pixels wide unless it is scaled."""
    head, _, rest = picture.partition(">")
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n{head} width="{number(width)}">'
            f'<style>{escape(plot_style(), quote=False)}</style>{rest}\n').encode()
