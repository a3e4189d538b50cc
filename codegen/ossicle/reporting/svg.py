"""Writes SVG. All texts and values are escaped here.

The plots of reports consist of a few rectangles, lines and words. matplotlib would take a second to load, and its SVG
has no text for screen readers, no tooltips, and only one set of colours.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ..base.places import TEMPLATES

Box = tuple[float, float, float, float]  # x, y, width, height


def number(value: float) -> str:
    """Formats a coordinate, rounded to a tenth of a unit."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def element(tag: str, *inside: str, **attributes: object) -> str:
    """Returns an element with its content, which is SVG. In the names of attributes `_` means `-`, and a trailing `_`
    is removed."""
    listed = "".join(f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"'
                     for name, value in attributes.items() if value is not None)
    content = "".join(inside)
    return f"<{tag}{listed}>{content}</{tag}>" if content else f"<{tag}{listed}/>"


def _value(value: object) -> str:
    return number(value) if isinstance(value, float) else escape(str(value))


def words(text: str, x: float, y: float, **attributes: object) -> str:
    """Returns a text whose baseline begins at a point, or is aligned to it by `text_anchor`."""
    return element("text", escape(text), x=float(x), y=float(y), **attributes)


def tooltip(text: str) -> str:
    """Returns a title for the enclosing element, which browsers show as a tooltip."""
    return element("title", escape(text))


def rectangles(boxes: Iterable[Box], **attributes: object) -> str:
    """Returns all boxes as one path, which takes a third of the bytes of separate elements."""
    drawn = "".join(f"M{number(x)} {number(y)}h{number(w)}v{number(h)}h{number(-w)}z" for x, y, w, h in boxes)
    return element("path", d=drawn, **attributes) if drawn else ""


def polyline(points: Sequence[tuple[float, float]], **attributes: object) -> str:
    """Returns a line through these points."""
    return element("polyline", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), **attributes)


def hatching(key: str) -> str:
    """Defines a pattern of oblique lines for `hatched`."""
    line = element("path", d="M0 0V6", class_="hatch")
    return element("defs", element("pattern", line, id=f"{key}-hatch", width=6, height=6,
                                   patternUnits="userSpaceOnUse", patternTransform="rotate(45)"))


def hatched(key: str) -> str:
    """Returns the value of `fill` for that pattern."""
    return f"url(#{key}-hatch)"


def image(key: str, width: float, height: float, title: str, description: str, *body: str) -> str:
    """Returns a picture with a title and a description for screen readers. key: the prefix of its ids, unique in the
    page."""
    return element("svg", element("title", escape(title), id=f"{key}-title"),
                   element("desc", escape(description), id=f"{key}-desc"), *body,
                   xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {number(width)} {number(height)}",
                   role="img", aria_labelledby=f"{key}-title {key}-desc", class_="plot")


def plot_style() -> str:
    """Returns the style sheet of all plots, for light and dark."""
    return (TEMPLATES / "pages/plots.css").read_text(encoding="utf-8")


def as_file(picture: str, width: float) -> bytes:
    """Returns a picture as a separate file with its style. width: in pixels, unless it is scaled."""
    head, _, rest = picture.partition(">")
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n{head} width="{number(width)}">'
            f'<style>{escape(plot_style(), quote=False)}</style>{rest}\n').encode()
