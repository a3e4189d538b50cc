"""Triangles between points of a plane, exactly: the blends of a graph by two numbers."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

Point = tuple[int, int]
Corners = tuple[int, int, int]
_WIDE = 64  # bits, more than areas of points with 30 bits have


def doubled_area(one: Point, two: Point, three: Point) -> int:
    """Returns twice the area of a triangle: above 0 if its corners are counter-clockwise."""
    return (two[0] - one[0]) * (three[1] - one[1]) - (three[0] - one[0]) * (two[1] - one[1])


def triangulated(points: Sequence[Point]) -> list[Corners]:
    """Returns the Delaunay triangulation of different points: the numbers of the corners, counter-clockwise and from
    the smallest on, in ascending order. Empty if all points are on a line. The result is the same on every machine.
    Cost: the fourth power of the number of points."""
    # A triangle has an empty circle if all other points, lifted to the height x*x + y*y, are above its plane. Heights
    # that are raised a little, by a different power of 2 for each point, decide between points on one circle.
    heights = [(x * x + y * y << _WIDE * len(points)) + (1 << _WIDE * at) for at, (x, y) in enumerate(points)]
    found = []
    for one, two, three in combinations(range(len(points)), 3):
        area = doubled_area(points[one], points[two], points[three])
        if area < 0:
            two, three = three, two
        if area and all(_above(points, heights, other, (one, two, three))
                        for other in range(len(points)) if other not in (one, two, three)):
            found.append((one, two, three))
    return sorted(found)


def _above(points: Sequence[Point], heights: Sequence[int], other: int, corners: Corners) -> bool:
    """Returns whether a lifted point is above the plane of a triangle."""
    one, two, three = corners
    at = points[other]
    shares = ((one, doubled_area(at, points[two], points[three])), (two, doubled_area(points[one], at, points[three])),
              (three, doubled_area(points[one], points[two], at)))
    area = doubled_area(points[one], points[two], points[three])
    return area * heights[other] > sum(share * heights[corner] for corner, share in shares)


def hull_edges(triangles: Sequence[Corners]) -> set[tuple[int, int]]:
    """Returns the edges that only one triangle has, in its direction."""
    edges = {(triangle[at], triangle[at - 2]) for triangle in triangles for at in range(3)}
    return {(begin, end) for begin, end in edges if (end, begin) not in edges}
