"""Compares the stage's drawing with exact arithmetic."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from random import Random

import numpy as np
import pytest

Draw = Callable[[str, Iterable[object]], list[int]]
PALETTE, RGB555, RGB565 = range(3)
SIZE = 48  # pixels
ONE_PIXEL = 16
BRIGHTEST = 15 * 256
MOST_OFF = 3 / 16  # pixels, of a vertex; positions are rounded down three times
SHADES_OFF = 1
FLAT_LIGHT = (0, 0, -127)  # a normal towards the camera's light


def picture(draw: Draw, vertices: list[tuple[int, int, int, int]], faces: list[tuple[int, int, int]],
            colours: Iterable[int] | None = None, format_: int = RGB555, smooth: bool = False,
            depths: bool = False) -> np.ndarray:
    """The pixels [SIZE, SIZE] of faces in screen coordinates; in a palette, bytes."""
    painted = list(colours or [1] * len(faces))
    words = draw("faces", [format_, int(smooth), int(depths), SIZE, SIZE, len(vertices),
                           *(number for vertex in vertices for number in vertex), len(faces),
                           *(number for face, colour in zip(faces, painted)
                             for number in (*face, colour, *FLAT_LIGHT))])
    if format_ == PALETTE:
        words = [byte for word in words for byte in (word & 255, word >> 8)]
    return np.reshape(words, (SIZE, SIZE))


def front(vertices: list[tuple[int, int, int, int]], face: tuple[int, int, int]) -> tuple[int, int, int]:
    """The corners in the order in which the face shows its front."""
    (ax, ay, *_), (bx, by, *_), (cx, cy, *_) = (vertices[corner] for corner in face)
    a, b, c = face
    return (a, c, b) if (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0 else face


def test_reciprocals(draw: Draw) -> None:
    random = Random(1)
    values = [1, 2, 3, 255, 256, 257, 65535, 65536, 65537, 131071, 131072, 2**31 - 1,
              *(random.randrange(1, 2 ** random.randrange(1, 32)) for _ in range(2000))]
    found = draw("reciprocal", [len(values), *values])
    for value, result, shift in zip(values, found[::2], found[1::2]):
        assert abs(result * 2.0 ** (shift - 31) * value - 1.0) < 2.0**-13, value


def test_faces_that_share_an_edge_share_no_pixel_and_leave_none_out(draw: Draw) -> None:
    """A grid of corners at random places, which reaches beyond the picture."""
    for seed in range(4):
        random = Random(seed)
        cells, step = 5, 12 * ONE_PIXEL
        vertices = [(x * step + random.randrange(-70, 70) - 40, y * step + random.randrange(-70, 70) - 40, 5000, 0)
                    for y in range(cells + 1) for x in range(cells + 1)]
        faces = []
        for y in range(cells):
            for x in range(cells):
                corner = y * (cells + 1) + x
                faces += [(corner, corner + 1, corner + cells + 1),
                          (corner + 1, corner + cells + 2, corner + cells + 1)]
        covered = sum((picture(draw, vertices, [front(vertices, face)]) != 0).astype(int) for face in faces)
        inner = covered[8:SIZE - 8, 8:SIZE - 8]
        assert (inner == 1).all(), seed


def test_a_pixel_belongs_to_a_face_if_its_middle_does(draw: Draw) -> None:
    random = Random(7)
    for _ in range(40):
        vertices = [(random.randrange(-300, 1100), random.randrange(-300, 1100), 5000, 0) for _ in range(3)]
        face = front(vertices, (0, 1, 2))
        drawn = picture(draw, vertices, [face]) != 0
        (ax, ay, *_), (bx, by, *_), (cx, cy, *_) = (vertices[corner] for corner in face)
        y, x = np.mgrid[0:SIZE, 0:SIZE] * ONE_PIXEL + ONE_PIXEL // 2
        edges = np.stack([(qx - px) * (y - py) - (qy - py) * (x - px) for px, py, qx, qy in (
            (ax, ay, bx, by), (bx, by, cx, cy), (cx, cy, ax, ay))])
        lengths = np.array([max(abs(bx - ax), abs(by - ay)), max(abs(cx - bx), abs(cy - by)),
                            max(abs(ax - cx), abs(ay - cy)), 1])[:3, None, None]
        assert drawn[(edges < -lengths).all(axis=0)].all()  # a sixteenth of a pixel inside
        assert not drawn[(edges > lengths).any(axis=0)].any()


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize("depths", [False, True])
def test_all_formats_show_the_same(draw: Draw, smooth: bool, depths: bool) -> None:
    random = Random(3)
    vertices = [(random.randrange(0, SIZE * 16), random.randrange(0, SIZE * 16), random.randrange(2000, 9000),
                 random.randrange(BRIGHTEST)) for _ in range(18)]
    faces = [front(vertices, (i, i + 1, i + 2)) for i in range(0, 18, 3)]
    colours = [1 + i % 15 for i in range(len(faces))]
    indexed = picture(draw, vertices, faces, colours, PALETTE, smooth, depths)
    direct = picture(draw, vertices, faces, colours, RGB555, smooth, depths)
    swapped = picture(draw, vertices, faces, colours, RGB565, smooth, depths)
    colour, shade = indexed >> 4, indexed & 15
    expected = np.where(colour > 0, colour << 10 | shade << 5 | (colour - 1) ^ shade, 0)
    assert (direct == expected).all() and len(np.unique(direct)) > 5
    red, green, blue = direct & 31, direct >> 5 & 31, direct >> 10
    assert (swapped == (red << 11 | green << 6 | (green >> 4) << 5 | blue)).all()


def test_smooth_shades_lie_on_a_plane(draw: Draw) -> None:
    random = Random(5)
    for _ in range(20):
        vertices = [(random.randrange(0, SIZE * 16), random.randrange(0, SIZE * 16), 5000,
                     random.randrange(BRIGHTEST + 1)) for _ in range(3)]
        face = front(vertices, (0, 1, 2))
        corners = np.array([[x, y, 1] for x, y, *_ in vertices], float)
        if abs(np.linalg.det(corners)) < 5000:
            continue
        plane = np.linalg.solve(corners, np.array([vertex[3] / 256 for vertex in vertices]))
        drawn = picture(draw, vertices, [face], format_=PALETTE, smooth=True)
        y, x = np.nonzero(drawn)
        expected = plane[0] * (x * 16 + 8) + plane[1] * (y * 16 + 8) + plane[2]
        assert np.abs((drawn[y, x] & 15) - np.clip(expected, 0, 15) + 0.5).max() <= SHADES_OFF + 0.5


def test_depths_decide_where_faces_pass_through_each_other(draw: Draw) -> None:
    """One leans away, the other towards the camera; their middles are equally far."""
    right = SIZE * ONE_PIXEL
    vertices = [(0, 0, 4000, 0), (right, 0, 8000, 0), (right, right, 8000, 0), (0, right, 4000, 0),
                (0, 0, 8000, 0), (right, 0, 4000, 0), (right, right, 4000, 0), (0, right, 8000, 0)]
    faces = [front(vertices, face) for face in ((0, 1, 2), (0, 2, 3), (4, 5, 6), (4, 6, 7))]
    drawn = picture(draw, vertices, faces, [1, 1, 2, 2], PALETTE, depths=True) >> 4
    assert (drawn[:, :SIZE // 2 - 1] == 1).all() and (drawn[:, SIZE // 2 + 1:] == 2).all()


def test_the_nearest_face_is_drawn_last(draw: Draw) -> None:
    vertices = [(0, 0, z, 0) for z in (9000, 4000, 6000)]
    vertices += [(SIZE * 16, 0, z, 0) for z in (9000, 4000, 6000)] + [(0, SIZE * 16, z, 0) for z in (9000, 4000, 6000)]
    faces = [front(vertices, (i, i + 3, i + 6)) for i in range(3)]
    drawn = picture(draw, vertices, faces, [1, 2, 3], PALETTE) >> 4
    assert set(np.unique(drawn)) == {0, 2}


def test_a_face_shows_its_front_alone(draw: Draw) -> None:
    vertices = [(0, 0, 5000, 0), (SIZE * 16, 0, 5000, 0), (0, SIZE * 16, 5000, 0)]
    a, b, c = front(vertices, (0, 1, 2))
    assert picture(draw, vertices, [(a, b, c)]).any() and not picture(draw, vertices, [(a, c, b)]).any()


def q14(matrix: np.ndarray) -> list[int]:
    return [int(round(value * 2**14)) for value in matrix.reshape(-1)]


def projected(point: np.ndarray, focal: int) -> tuple[float, float]:
    return 120 + focal * point[0] / point[2], 80 - focal * point[1] / point[2]


def test_vertices_are_where_perspective_has_them(draw: Draw) -> None:
    random = np.random.default_rng(2)
    for _ in range(60):
        turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
        bits = int(random.integers(11, 15))
        at = random.uniform(-1, 1, 3) * min(1.5, 2.0 ** (14 - bits))
        place = np.array([*random.uniform(-0.5, 0.5, 2), random.uniform(2.5, 6)])
        focal = int(random.integers(100, 400))
        steps = np.round(at * 2**bits).astype(int)
        x, y, z = draw("place", [bits, *q14(turn), *q14(place), focal, *steps])
        point = turn @ (steps / 2**bits) + place
        expected = projected(point, focal)
        assert abs(x / 16 - expected[0]) <= MOST_OFF and abs(y / 16 - expected[1]) <= MOST_OFF
        assert abs(z * 4 / 2**14 - point[2]) < 0.001


def test_blends_are_weighted_sums(draw: Draw) -> None:
    random = np.random.default_rng(4)
    for count in (2, 3, 4, 4, 3, 2):
        weights = [int(share) for share in random.multinomial(256 - count, [1 / count] * count) + 1]
        at = np.round(random.uniform(-1, 1, 3) * 2**14).astype(int)
        numbers: list[object] = [14, count]
        point = np.zeros(3)
        for weight in weights:
            turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
            place = np.array([*random.uniform(-0.5, 0.5, 2), random.uniform(2.5, 6)])
            numbers += [*q14(turn), *q14(place), weight]
            point += weight / 256 * (turn @ (at / 2**14) + place)
        x, y, _ = draw("blend", [*numbers, 250, *at])
        expected = projected(point, 250)
        assert abs(x / 16 - expected[0]) <= MOST_OFF and abs(y / 16 - expected[1]) <= MOST_OFF


@pytest.mark.parametrize("angle", [0, 5000, 16384, 30000, 32768, 50000, 65535, -7000])
def test_the_camera_sees_the_mesh_from_all_sides(draw: Draw, angle: int) -> None:
    low, high = [-6000, 0, -3000], [9000, 30000, 3000]
    *turn, right, up, away, focal = draw("camera", [angle, 240, 160, *low, *high])
    matrix = np.reshape(turn, (3, 3)) / 2**14
    assert np.allclose(matrix @ matrix.T, np.eye(3), atol=0.002) and np.linalg.det(matrix) < 0
    expected = np.array([-np.sin(angle * np.pi / 32768), 0, -np.cos(angle * np.pi / 32768)])
    assert np.allclose(matrix[2], expected, atol=0.05)
    for corner in np.array(np.meshgrid(*zip(low, high))).reshape(3, -1).T:
        x, y = projected(matrix @ corner + (right, up, away), focal)
        assert 20 < x < 220 and 4 < y < 156


def test_light_is_seen_from_the_joint(draw: Draw) -> None:
    """A shade is fifteen times the cosine of the angle to the light, with 8 bits of fraction: light has 2^8 in its
    direction, a normal 127."""
    random = np.random.default_rng(6)
    for _ in range(40):
        turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
        rows = q14(turn)
        light = np.round(random.uniform(-255, 255, 3)).astype(int)
        normal = np.round(random.uniform(-70, 70, 3)).astype(int)
        *seen, shade = draw("light", [*light, *rows, *normal])
        assert np.allclose(seen, np.reshape(rows, (3, 3)).T @ light / 2**14, atol=2)
        assert shade == min(max(int(normal @ seen) * 15 >> 7, 0), BRIGHTEST)


def test_the_weights_of_the_table_are_exact() -> None:
    """stage_reciprocals is round(2^23 / (256 + i))."""
    from pages import ROOT

    text = (ROOT / "targets/stage/stage_divide.c").read_text(encoding="utf-8")
    table = [int(word.rstrip("u,")) for word in text.split("*/")[-2].split("};")[0].split() if word.endswith("u,")]
    assert table == [int(Fraction(2**23, 256 + i) + Fraction(1, 2)) for i in range(257)]
