"""States that blend clips by two numbers: the weights are those of the triangle that contains the point, and continuous
everywhere."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import cos, pi, sin
from random import Random

import pytest
from graph_banks import FRAMES, GraphBank, bank_with
from graph_driver import Player
from graph_machines import base
from ossicle.bank.clips import ONE_Q11
from ossicle.bank.events import ClipEvent
from ossicle.bank.graph.records import (AFTER, NUMBER, PLANE_ONE, STEP, Atom, Graph, Member, Parameter, Sync,
                                        Transition, Triangle, blend_of, point_word)
from ossicle.bank.triangles import hull_edges, triangulated

ONE_Q15, ONE_Q16 = 1 << 15, 1 << 16
KNEE = 1 / 64
TICK_US = 16_667
CLIPS = range(3)  # Idle, Walk, Run
ERROR = 3 / PLANE_ONE  # of a weight, for triangles as large as those below
FLAT = ((0, 0), (1, 0), (0, 1), (1, 1), (0.5, 0.5), (0.5, 0), (0.25, 0.75))  # some on a line, some on a circle
ROUND = ((0.5, 0.5), *((0.5 + 0.35 * cos(turn * pi / 4), 0.5 + 0.45 * sin(turn * pi / 4)) for turn in range(8)))


def triangles_of(points: Sequence[tuple[int, int]]) -> tuple[Triangle, ...]:
    found = triangulated(points)
    hull = hull_edges(found)
    return tuple(Triangle(corners, ((corners[1], corners[2]) in hull, (corners[2], corners[0]) in hull,
                                    (corners[0], corners[1]) in hull)) for corners in found)


def plane(places: Sequence[tuple[float, float]]) -> GraphBank:
    """A blend of clips at these places, from 0 to 1; each clip is at several of them."""
    points = [(round(x * PLANE_ONE), round(y * PLANE_ONE)) for x, y in places]
    members = []
    for at, point in enumerate(points):
        clip = CLIPS[at % len(CLIPS)]
        end_q11 = (list(FRAMES.values())[clip] - 1) * ONE_Q11
        members.append(Member(clip, point_word(point), Sync((0,), end_q11, 33_333)))
    numbers = tuple(Parameter(name, NUMBER, -ONE_Q16, ONE_Q16, 0) for name in ("x", "y"))
    events = {clip: (ClipEvent(f"step {clip}", 0),) for clip in CLIPS}
    move = blend_of("move", 0, tuple(members), 1, triangles_of(points))
    return bank_with(Graph(numbers, base(1), (move,), event_count=16), events)


def weights_at(player: Player, x: float, y: float) -> dict[int, float]:
    """The weights where x and y are, as parts of their ranges."""
    player.step(1000, [round((2 * at - 1) * ONE_Q16) for at in (x, y)])
    _, weights = player.members()
    assert sum(weights.values()) == ONE_Q15 and all(weights.values()) and len(weights) <= 3
    return {member: weight / ONE_Q15 for member, weight in weights.items()}


# ---- a model in floating point ----


def cross(one: Sequence[float], two: Sequence[float], three: Sequence[float]) -> float:
    return (two[0] - one[0]) * (three[1] - one[1]) - (three[0] - one[0]) * (two[1] - one[1])


def beside(places: Sequence[tuple[float, float]], begin: int, end: int, at: tuple[float, float]) \
        -> tuple[float, dict[int, float]]:
    """The distance of a point from an edge, and the shares of its ends where it is nearest."""
    (x, y), (from_x, from_y), (to_x, to_y) = at, places[begin], places[end]
    along, up = to_x - from_x, to_y - from_y
    share = min(max(((x - from_x) * along + (y - from_y) * up) / (along * along + up * up), 0), 1)
    return (from_x + share * along - x) ** 2 + (from_y + share * up - y) ** 2, {begin: 1 - share, end: share}


def expected(places: Sequence[tuple[float, float]], triangles: Sequence[Triangle], at: tuple[float, float]) \
        -> dict[int, float]:
    """The weights of the nearest point of the triangles, less the knee."""
    shares: dict[int, float] = {}
    edges = {edge for triangle in triangles for edge in zip(triangle.corners, triangle.corners[1:] + triangle.corners)}
    for triangle in triangles:
        one, two, three = (places[corner] for corner in triangle.corners)
        areas = [cross(two, three, at), cross(three, one, at), cross(one, two, at)]
        if min(areas) >= 0:
            shares = {corner: area / sum(areas) for corner, area in zip(triangle.corners, areas)}
    if not shares:
        _, shares = min((beside(places, *edge, at) for edge in edges), key=lambda found: found[0])
    above = {member: max(share - KNEE, 0) for member, share in shares.items()}
    return {member: share / sum(above.values()) for member, share in above.items() if share}


def difference(one: dict[int, float], other: dict[int, float]) -> float:
    return max(abs(one.get(member, 0) - other.get(member, 0)) for member in {*one, *other})


def places_of(made: GraphBank) -> list[tuple[float, float]]:
    """The places of the members as they are in the bank."""
    return [(member.point[0] / PLANE_ONE, member.point[1] / PLANE_ONE) for member in made.graph.states[0].members]


@pytest.mark.parametrize("places", [FLAT, ROUND, FLAT[:3]], ids=["flat", "round", "triangle"])
def test_weights_are_those_of_the_nearest_point(play, places: Sequence[tuple[float, float]]) -> None:
    random, made = Random(2), plane(places)
    with play(made) as player:
        for _ in range(1500):
            at = random.uniform(0, 1), random.uniform(0, 1)
            model = expected(places_of(made), made.graph.states[0].triangles, at)
            assert difference(weights_at(player, *at), model) < ERROR * 10, (at, model)


@pytest.mark.parametrize("places", [FLAT, ROUND], ids=["flat", "round"])
def test_a_clip_plays_alone_at_its_place(play, places: Sequence[tuple[float, float]]) -> None:
    with play(plane(places)) as player:
        for number, at in enumerate(places):
            assert weights_at(player, *at) == {number: 1.0}


def test_weights_are_continuous_along_paths(play) -> None:  # type: ignore[no-untyped-def]
    """Small steps across edges and around the hull change weights little."""
    random, made = Random(4), plane(ROUND)
    with play(made) as player:
        for _ in range(30):
            x, y, turn = random.random(), random.random(), random.uniform(0, 2 * pi)
            before = weights_at(player, x, y)
            for _ in range(60):
                x, y = min(max(x + 0.002 * cos(turn), 0), 1), min(max(y + 0.002 * sin(turn), 0), 1)
                after = weights_at(player, x, y)
                assert difference(before, after) < 0.02
                before = after


def test_scenario_25_around_the_hull(play) -> None:  # type: ignore[no-untyped-def]
    """Outside the hull at most two members play, neighbours on it."""
    made = plane(ROUND)
    with play(made) as player:
        before = weights_at(player, 0.999, 0.5)
        pairs = set()
        for step in range(1, 2001):
            turn = step * pi / 1000
            after = weights_at(player, 0.5 + 0.499 * cos(turn), 0.5 + 0.499 * sin(turn))
            assert len(after) <= 2 and 0 not in after and difference(before, after) < 0.03
            pairs.add(tuple(sorted(after)))
            before = after
    assert {pair for pair in pairs if len(pair) == 2} == {(one, one % 8 + 1) if one < 8 else (1, 8)
                                                          for one in range(1, 9)}


def test_the_pose_is_continuous_across_an_edge(play) -> None:  # type: ignore[no-untyped-def]
    """The pose on both sides of an edge is the same, whatever the triangle."""
    made = plane(FLAT)
    poses = []
    with play(made) as player:
        for at in ((0.749, 0.751), (0.751, 0.749)):
            player.step(0, [round((2 * value - 1) * ONE_Q16) for value in at])
            player.ask("go", 0, 0)
            player.step(100_000, [round((2 * value - 1) * ONE_Q16) for value in at])
            poses.append(player.pose(0)[1])
    assert max(abs(one - other) for one, other in zip(*poses)) < 2 << 10


def test_the_leader_changes_at_marks_only(play) -> None:  # type: ignore[no-untyped-def]
    """Events are those of one clip from mark to mark, and each mark is reported once."""
    random, made, marks = Random(9), plane(FLAT), 0
    with play(made) as player:
        leader, _ = player.members()
        for _ in range(1500):
            at = [round(random.uniform(-1, 1) * ONE_Q16) for _ in range(2)]
            moment = player.step(TICK_US, at)
            after, weights = player.members()
            assert weights[after] == max(weights.values()) if moment.events else after == leader
            marks += len(moment.events)
            leader = after
    assert marks > 20


def test_a_step_between_six_clips_goes_on_at_one_speed(play) -> None:  # type: ignore[no-untyped-def]
    """Both states have the same clips, of which three show."""
    made = plane(FLAT)
    move = replace(made.graph.states[0], members=tuple(
        replace(member, stride_q20=1 << 20) for member in made.graph.states[0].members))
    first = replace(move, transitions=(0,), times_us=(200_000,))
    step = Transition(1, STEP, 400_000, 0, 0, ((Atom(AFTER, False, 0, 200_000),),))
    graph = replace(made.graph, machines=base(2), states=(first, replace(move, name="on")), transitions=(step,))
    with play(bank_with(graph, made.events)) as player:
        places = [player.step(10_000, [round(at * ONE_Q16) for at in (0.2, -0.6)]) for _ in range(80)]
        assert len(player.members()[1]) == 3
    assert [place.state for place in places] == [0] * 20 + [1] * 60
    speeds = [after.place[2] - before.place[2] for before, after in pairwise(places)]
    assert min(speeds) > 5000 and max(speeds) - min(speeds) <= 60


# ---- triangulation ----


def test_triangles_fill_the_hull_without_gaps() -> None:
    """Of random points, also on lines and circles: areas add up, and no circle contains another point."""
    random = Random(6)
    for _ in range(60):
        count, step = random.randrange(3, 17), random.choice([1, 64, PLANE_ONE // 4])
        points = list({(random.randrange(0, PLANE_ONE + 1, step), random.randrange(0, PLANE_ONE + 1, step))
                       for _ in range(count)})
        found = triangulated(points)
        hull = hull_edges(found)
        area = sum(cross(*(points[corner] for corner in corners)) for corners in found)
        assert area == sum(points[begin][0] * points[end][1] - points[end][0] * points[begin][1] for begin, end in hull)
        assert not found or {corner for corners in found for corner in corners} == set(range(len(points)))
        assert len(found) == (2 * len(points) - 2 - len(hull) if found else 0)
        for corners in found:
            assert cross(*(points[corner] for corner in corners)) > 0
            assert not any(_in_circle(*(points[corner] for corner in corners), point) for point in points)


def _in_circle(one: tuple[int, int], two: tuple[int, int], three: tuple[int, int], at: tuple[int, int]) -> bool:
    rows = [(x - at[0], y - at[1]) for x, y in (one, two, three)]
    (a, b), (c, d), (e, f) = rows
    return (a * a + b * b) * (c * f - e * d) - (c * c + d * d) * (a * f - e * b) + (e * e + f * f) * (a * d - c * b) > 0


def test_points_on_a_line_have_no_triangles() -> None:
    assert triangulated([(0, 0), (5, 5), (9, 9)]) == triangulated([(0, 0), (5, 5)]) == triangulated([(1, 1)]) == []
