"""Plots: well-formed, true to scale, and readable without their page."""
from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from reporting import HOSTILE, Document, renamed, with_idle

from ossicle.reporting.byte_plots import WIDTH, joint_bars, treemap
from ossicle.reporting.error_plots import error_plot, scale_of
from ossicle.reporting.names import fitting, shortened, width_em
from ossicle.reporting.page import svg_files
from ossicle.reporting.treemap import Node, squares
from mentions import mentions

SVG = "{http://www.w3.org/2000/svg}"
HEIGHT = 540.0
ROUNDING = 0.004  # of areas whose sides are rounded to tenths
KINDS = ("rotation", "translation", "scale")


def parsed(plot: str | bytes) -> ElementTree.Element:
    root = ElementTree.fromstring(plot)
    assert root.tag == f"{SVG}svg" and root[0].tag == f"{SVG}title" or root[1].tag == f"{SVG}title"
    return root


def area(path: ElementTree.Element) -> float:
    return sum(float(wide) * float(high) for wide, high in re.findall(r"h([\d.]+)v([\d.]+)", path.get("d", "")))


@pytest.mark.parametrize("names", [None, HOSTILE])
def test_files_are_well_formed(hero: Document, names: tuple[str, ...] | None) -> None:
    files = svg_files(with_idle(hero if names is None else renamed(hero, names), [2]))
    assert list(files) == ["treemap.svg", "joints.svg", "errors.svg"]
    for content in files.values():
        root = parsed(content)
        assert root.get("role") == "img" and root.get("width") == "960" and root.find(f"{SVG}style") is not None
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
            "svg", "style", "title", "desc", "defs", "pattern", "path", "g", "text", "tspan", "polyline", "circle"}
        values = [value for element in root.iter() for name, value in element.attrib.items()]
        assert {value for value in values if ":" in value or "url" in value} <= {
            "url(#treemap-hatch)", "url(#joints-hatch)"}


def test_areas_of_the_treemap_are_bytes(hero: Document) -> None:
    root = parsed(treemap(hero))
    areas: dict[str, float] = {}
    for path in root.iter(f"{SVG}path"):
        style = path.get("class", "")
        areas[style] = areas.get(style, 0.0) + area(path)
    leaves = {style: size for style, size in areas.items() if style.partition(" ")[0] in (*KINDS, "own", "rest")}
    assert sum(leaves.values()) == pytest.approx(WIDTH * HEIGHT, rel=ROUNDING)
    for kind in KINDS[:2]:
        for part in ("header", "values"):
            bits = sum(track[f"{part}_bits"] for clip in hero["clips"] for track in clip["tracks"]
                       if track["kind"] == kind)
            expected = WIDTH * HEIGHT * bits / hero["bank"]["bytes"] / 8
            assert leaves.get(f"{kind} {part}", 0.0) == pytest.approx(expected, rel=0.05, abs=300)


def test_cells_tell_their_names_and_sizes(hero: Document) -> None:
    titles = [title.text or "" for title in parsed(treemap(hero)).iter(f"{SVG}title")]
    walk = next(clip for clip in hero["clips"] if clip["name"] == "Walk")
    whole = walk["bytes"] + walk["entry_bits"] / 8
    assert mentions(titles, f"Walk {whole:,.0f}")
    assert sum(text.startswith("Walk > ") for text in titles) == 2 + len({track["joint"] for track in walk["tracks"]})


def test_bars_are_sorted_and_to_scale(hero: Document) -> None:
    root = parsed(joint_bars(with_idle(hero, [4])))
    rows = [group for group in root.iter(f"{SVG}g")]
    joints = sorted(hero["joints"], key=lambda joint: -joint["bytes"])
    assert [row.findall(f"{SVG}text")[0].text for row in rows] == [joint["name"] for joint in joints]
    lengths = [sum(area(path) for path in row.iter(f"{SVG}path") if path.get("class") != "idle") for row in rows]
    for length, joint in zip(lengths, joints):
        assert length / lengths[0] == pytest.approx(joint["bytes"] / joints[0]["bytes"], abs=0.005)
    for row in rows:  # the parts of a bar adjoin
        boxes = [re.match(r"M([\d.]+) [\d.]+h([\d.]+)v", path.get("d", "")) for path in row.iter(f"{SVG}path")
                 if path.get("class") != "idle"]
        spans = [(float(box[1]), float(box[2])) for box in boxes if box]
        assert spans and all(at + wide == pytest.approx(after, abs=0.2)
                             for (at, wide), (after, _) in zip(spans, spans[1:]))
    marked = [row.findall(f"{SVG}text")[0].text for row in rows
              if any(path.get("class") == "idle" for path in row.iter(f"{SVG}path"))]
    assert marked == [hero["joints"][4]["name"]]


def line_of(root: ElementTree.Element, style: str) -> list[tuple[float, float]]:
    line = next(line for line in root.iter(f"{SVG}polyline") if line.get("class") == style)
    return [tuple(map(float, point.split(","))) for point in line.get("points", "").split()]


def test_errors_are_drawn_against_the_tolerance(hero: Document) -> None:
    clip = hero["clips"][1]
    root = parsed(error_plot(hero, 1, scale_of(hero)))
    line, limit, axis = (line_of(root, style) for style in ("line", "limit", "axis"))
    assert len(line) == len(clip["over_time_mm"])
    unit = axis[0][1] - limit[0][1]  # of a millimetre
    assert scale_of(hero).top > 1.1  # so that the line of the tolerance is inside
    for (_, y), error in zip(line, clip["over_time_mm"]):
        assert (axis[0][1] - y) / unit == pytest.approx(error, abs=0.003)
    assert (line[0][0], line[-1][0]) == (axis[0][0], axis[-1][0])
    assert mentions(root[1].text, f"{clip['worst']['error_mm']:.3f}mm 1mm")


def test_long_clips_keep_their_peaks(hero: Document) -> None:
    clip = hero["clips"][0]
    clip["over_time_mm"] = [0.2 + 0.1 * (sample % 2) for sample in range(20_001)]
    clip["over_time_mm"][12_345], clip["frames"] = 0.95, 10_001
    line = line_of(parsed(error_plot(hero, 0, scale_of(hero))), "line")
    assert len(line) < 500
    highest = min(line, key=lambda point: point[1])
    axis = line_of(parsed(error_plot(hero, 0, scale_of(hero))), "axis")
    assert (highest[0] - axis[0][0]) / (axis[1][0] - axis[0][0]) == pytest.approx(12_345 / 20_000, abs=0.005)


def test_breaks_are_marked(hero: Document) -> None:
    hero["clips"][0]["breaks"] = [[3, 0, "rotation"], [3, 1, "rotation"], [9, 0, "translation"]]
    root = parsed(error_plot(hero, 0, scale_of(hero)))
    assert sum(line.get("class") == "break" for line in root.iter(f"{SVG}polyline")) == 2


def test_names_are_shortened_to_fit() -> None:
    assert shortened("left_hand", 9) == "left_hand" and shortened("left_upper_arm", 9) == "left_u\u2026rm"
    assert fitting("left_hand", 200.0, 10.0) == "left_hand" and fitting("left_hand", 20.0, 10.0) == ""
    assert fitting("hips", 30.0, 10.0) == "hips"
    for name in ("left_upper_arm", "\u6b69\u304f\u6b69\u304f\u6b69\u304f\u6b69\u304f"):
        assert 0.0 < width_em(fitting(name, 60.0, 10.0)) * 10.0 <= 60.0


def test_cells_are_nearly_square() -> None:
    nodes = [Node("", "", 1000 - 30 * size) for size in range(25)]
    placed = list(squares(nodes, (0.0, 0.0, 900.0, 500.0)))
    assert sum(wide * high for _, (_, _, wide, high) in placed) == pytest.approx(900.0 * 500.0)
    scale = 900.0 * 500.0 / sum(node.bits for node in nodes)
    for node, (x, y, wide, high) in placed:
        assert wide * high == pytest.approx(scale * node.bits) and max(wide, high) < 3.0 * min(wide, high)
        assert -1e-6 < x and x + wide < 900.0 + 1e-6 and -1e-6 < y and y + high < 500.0 + 1e-6
