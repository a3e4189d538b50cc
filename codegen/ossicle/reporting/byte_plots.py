"""Plots the bytes of a bank: a treemap of the whole bank, and bars of its joints."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..bank.file import TRACK_KINDS
from .names import BOLD, fitting, shortened
from .svg import Box, element, hatched, hatching, image, rectangles, tooltip, words
from .treemap import PARTS, Node, by_style, leaves, squares, strips, tree_of

WIDTH = 960.0
_MAP_HEIGHT = 540.0
_LEAST_CLIP, _LEAST_JOINT = 700.0, 36.0  # the areas below which a cell is not divided further
_CLIP_TYPE, _JOINT_TYPE = 12.0, 9.0  # sizes of type
_GROWTH = 6.0  # the type size of a label doubles in a cell of a sixth of the picture
_MOST_BARS = 48
_BAR, _BAR_STEP, _BARS_LEFT, _BARS_RIGHT = 11.0, 16.0, 190.0, 110.0


def size_text(bits: float) -> str:
    """Formats bytes for a tooltip, with decimals if there are few."""
    count = bits / 8
    return f"{count:,.0f} bytes" if count >= 100 else f"{count:.3g} bytes"


def idle_joints(document: dict[str, Any]) -> set[int]:
    """Returns the joints that are known to carry nothing."""
    return {idle["joint"] for idle in (document["drops"] or {"joints": ()})["joints"]}


def treemap(document: dict[str, Any]) -> str:
    """Draws the whole bank as rectangles, with areas proportional to bytes."""
    tree, idle, key = tree_of(document), idle_joints(document), "treemap"
    cells: list[str] = []
    labels: list[str] = []
    for node, box in squares(tree.inside, (0.0, 0.0, WIDTH, _MAP_HEIGHT)):
        inner = list(squares(node.inside, box)) if box[2] * box[3] >= _LEAST_CLIP else []
        cells.append(_cell(node, box, inner, idle, key))
        labels += _labels(node, box, inner)
    whole = f"{tree.bits // 8:,} bytes"
    largest = max(tree.inside, key=lambda node: node.bits)
    return image(key, WIDTH, _MAP_HEIGHT, f"Where the {whole} of {shortened(tree.label, 40)} are",
                 f"A treemap of {len(tree.inside)} parts of the bank. The largest is {shortened(largest.label, 40)} "
                 f"with {size_text(largest.bits)}.",
                 hatching(key), *cells, *labels)


def _cell(node: Node, box: Box, inner: Sequence[tuple[Node, Box]], idle: set[int], key: str) -> str:
    """Draws a clip, or another part of the bank, with the cells in it or, without these, the sums of their styles."""
    drawn = [_joint(node, part, area) for part, area in inner] or [
        rectangles([area], class_=part.style) for part, area in strips(by_style(node), box, across=box[2] >= box[3])]
    return element("g", tooltip(f"{shortened(node.label, 60)}: {size_text(node.bits)}"), *drawn,
                   rectangles((area for part, area in inner if part.joint in idle), fill=hatched(key), class_="idle"),
                   rectangles((area for _, area in inner), class_="joint-edge"), rectangles([box], class_="edge"))


def _joint(clip: Node, node: Node, box: Box) -> str:
    boxes_of_style: dict[str, list[Box]] = {}
    for style, area in _parts(node, box):
        boxes_of_style.setdefault(style, []).append(area)
    kinds = "; ".join(f"{kind.label} {size_text(kind.bits)}" for kind in node.inside)
    return element("g", tooltip(f"{shortened(clip.label, 60)} > {shortened(node.label, 60)}: "
                                f"{size_text(node.bits)}{f' ({kinds})' if kinds else ''}"),
                   *(rectangles(boxes, class_=style) for style, boxes in boxes_of_style.items()))


def _parts(node: Node, box: Box) -> Iterator[tuple[str, Box]]:
    """Yields the style and box of the leaves of a joint: its kinds of tracks side by side, their parts across these."""
    _, _, width, height = box
    if width * height < _LEAST_JOINT or not node.inside:
        yield max(leaves(node), key=lambda leaf: leaf.bits).style, box
        return
    for kind, kind_box in strips(node.inside, box, across=width >= height):
        if kind.inside:
            yield from ((part.style, area) for part, area in strips(kind.inside, kind_box, across=width < height))
        else:
            yield kind.style, kind_box


def _labels(node: Node, box: Box, inner: Sequence[tuple[Node, Box]]) -> Iterator[str]:
    """Yields the names of a cell and of the cells in it that fit."""
    x, y, width, height = box
    size = _CLIP_TYPE * (1 + min(1.0, _GROWTH * width * height / (WIDTH * _MAP_HEIGHT)))
    if height < size + 4:
        return
    if label := fitting(node.label, width - 8, size * BOLD):
        yield words(label, x + 4, y + size + 1, class_="name", font_size=size)
    for joint, (left, top, wide, high) in inner:
        taken = max(0.0, y + size + 4 - top)  # by the name of the cell
        name = fitting(joint.label, wide - 6, _JOINT_TYPE) if high > taken + _JOINT_TYPE + 4 else ""
        if name and (joint.joint is not None or name == joint.label):
            yield words(name, left + 3, top + high - 4, class_="name joint", font_size=_JOINT_TYPE)


def joint_bars(document: dict[str, Any]) -> str:
    """Draws a bar for each joint: the bytes of its tracks in all clips, and outside them."""
    joints, idle, key = document["joints"], idle_joints(document), "joints"
    order = sorted(range(len(joints)), key=lambda joint: -joints[joint]["bytes"])
    shown = order if len(order) <= _MOST_BARS else order[:_MOST_BARS - 1]
    others = order[len(shown):]
    sums = _bits_by_kind(document)
    rows = [(joints[joint]["name"], sums[joint], joint in idle) for joint in shown]
    if others:
        rows.append((f"{len(others):,} other joints",
                     [sum(column) for column in zip(*(sums[joint] for joint in others))], False))
    height = _BAR_STEP * len(rows) + 6
    widest = max(sum(bits) for _, bits, _ in rows)
    whole = 8 * document["bank"]["bytes"]
    top = rows[0]
    return image(key, WIDTH, height, "Bytes of every joint",
                 f"Bars of {len(joints)} joints, the costliest first. {shortened(top[0], 40)} takes "
                 f"{size_text(sum(top[1]))}. Hatched joints carry no vertices or meshes.", hatching(key),
                 *(_bar(place, row, widest, whole, key) for place, row in enumerate(rows)))


def _bits_by_kind(document: dict[str, Any]) -> list[list[int]]:
    """Returns for each joint the bits of its tracks of each kind, and outside the clips."""
    sums = [[0] * len(TRACK_KINDS) + [joint["bind_bits"] + joint["skin_bits"] + joint["name_bits"]]
            for joint in document["joints"]]
    for clip in document["clips"]:
        for track in clip["tracks"]:
            sums[track["joint"]][TRACK_KINDS.index(track["kind"])] += sum(track[f"{part}_bits"] for part in PARTS)
    return sums


def _bar(place: int, row: tuple[str, Sequence[int], bool], widest: int, whole: int, key: str) -> str:
    name, bits, is_idle = row
    top, left = _BAR_STEP * place + 3, _BARS_LEFT
    scale = (WIDTH - _BARS_LEFT - _BARS_RIGHT) / widest
    drawn = []
    for style, count in zip([*(f"{kind} values" for kind in TRACK_KINDS), "own"], bits):
        drawn.append(rectangles([(left, top, scale * count, _BAR)] if count else [], class_=style))
        left += scale * count
    total = sum(bits)
    if is_idle:
        drawn.append(rectangles([(_BARS_LEFT, top, scale * total, _BAR)], fill=hatched(key), class_="idle"))
    base = top + _BAR - 2
    parts = ", ".join(f"{kind} {size_text(count)}" for kind, count in zip([*TRACK_KINDS, "bind pose and name"], bits)
                      if count)
    return element("g", tooltip(f"{shortened(name, 60)}: {parts}"),
                   words(fitting(name, _BARS_LEFT - 12, 11.5), _BARS_LEFT - 8, base, text_anchor="end",
                         class_="label idle" if is_idle else "label"), *drawn,
                   element("text", f"{total / 8:,.0f} ",
                           element("tspan", f"{100 * total / whole:.1f} %", class_="quiet"),
                           x=left + 6, y=base, class_="label"))
