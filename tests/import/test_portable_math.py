"""The functions that replace those of NumPy and of the C library, against decimal arithmetic."""
from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ossicle.base import portable_math
from ossicle.model import rotations
from ossicle.model.mesh.srgb import linear_of, srgb_of
from ossicle.base.portable_math import arc_tangent, sine_cosine, sine_cosine_of_degrees

OFF = Decimal("2e-16")  # stated in the module
ANGLE_OFF = Decimal("1e-15")
ROOT_OFF = Decimal("5e-16")
SLERP_OFF = Decimal("5e-16")
DIGITS = 50
SMALL = Decimal(10) ** -45

numbers = st.integers(-10**9, 10**9).map(lambda x: x / 1e6)
vectors = st.lists(numbers, min_size=3, max_size=3).map(np.array)
matrices = st.lists(numbers, min_size=9, max_size=9).map(lambda m: np.array(m).reshape(3, 3))


@pytest.fixture(autouse=True)
def precisely():
    with localcontext() as context:
        context.prec = DIGITS
        yield


def sine(x: Decimal) -> Decimal:
    total = term = x
    n = 1
    while abs(term) > SMALL:
        term = -term * x * x / (2 * n * (2 * n + 1))
        total += term
        n += 1
    return total


def arc(x: Decimal) -> Decimal:
    """The arc tangent; halving the angle makes the series short."""
    for _ in range(6):
        x = x / (1 + (1 + x * x).sqrt())
    total = term = x
    n = 1
    while abs(term) > SMALL:
        term = -term * x * x
        total += term / (2 * n + 1)
        n += 1
    return 64 * total


def exact(x: float) -> Decimal:
    return Decimal(float(x))


@pytest.fixture(scope="module")
def pi() -> Decimal:
    with localcontext() as context:
        context.prec = DIGITS
        return 4 * arc(Decimal(1))


def test_sines_and_cosines(pi: Decimal) -> None:
    angles = np.linspace(-np.pi / 4, np.pi / 4, 201)
    for angle, *found in zip(angles, *sine_cosine(angles)):
        assert abs(exact(found[0]) - sine(exact(angle))) <= OFF
        assert abs(exact(found[1]) - sine(pi / 2 - exact(angle))) <= OFF


@pytest.mark.parametrize("most", [360.0, 1e6, 1e12])
def test_degrees_of_any_size(most: float, pi: Decimal) -> None:
    angles = np.concatenate([np.random.default_rng(5).uniform(-most, most, 200), [0.0, -most]])
    for angle, *found in zip(angles, *sine_cosine_of_degrees(angles)):
        radians = exact(angle) % 360 * pi / 180
        assert abs(exact(found[0]) - sine(radians)) <= OFF
        assert abs(exact(found[1]) - sine(radians + pi / 2)) <= OFF


def test_quarter_turns_are_exact() -> None:
    sines, cosines = sine_cosine_of_degrees(np.arange(-720.0, 721.0, 90.0))
    assert sines.tolist() == [0.0, 1.0, 0.0, -1.0] * 4 + [0.0]
    assert cosines.tolist() == [1.0, 0.0, -1.0, 0.0] * 4 + [1.0]


def test_arc_tangents() -> None:
    ratios = np.concatenate([np.linspace(0.0, 1.0, 201), np.arange(1.0, 17.0, 2.0) / 16.0, [1e-9]])
    for ratio, found in zip(ratios, arc_tangent(ratios)):
        assert abs(exact(found) - arc(exact(ratio))) <= OFF


def test_angles_of_points(pi: Decimal) -> None:
    for x, y in [(3.0, 1.0), (1.0, 3.0), (0.7, 0.7), (1e-9, 2.0), (2.0, 1e-300), (0.0, 5.0), (5.0, 0.0)]:
        first = arc(exact(y) / exact(x)) if x else pi / 2
        for found, wanted in zip(portable_math.angle_of(np.array([y, y, -y, -y]), np.array([x, -x, x, -x])),
                                 (first, pi - first, -first, first - pi)):
            assert abs(exact(found) - wanted) <= ANGLE_OFF or y == 0.0 and abs(exact(found) + wanted) <= ANGLE_OFF
    assert portable_math.angle_of(np.zeros(1), np.zeros(1)) == 0.0


@pytest.mark.parametrize("half_angle", [1e-9, 6e-9, 1e-4, 0.3, 0.7, 0.785])
def test_slerp(half_angle: float) -> None:
    """Interpolates two unit quaternions in a plane, with an angle that is known exactly."""
    tangent = exact(np.tan(half_angle))
    half = arc(tangent)
    # cos and sin of half the angle, to either side of w; rounding tilts them by 1e-16 only
    c = 1 / (1 + tangent * tangent).sqrt()
    a, b = (np.array([float(side * tangent * c), 0.0, 0.0, float(c)]) for side in (-1, 1))
    for share in (0.0, 0.1, 0.25, 0.5, 0.9, 1.0):
        x, y, z, w = rotations.slerp(a, b, np.array(share))
        wanted = sine((2 * exact(share) - 1) * half)
        assert abs(exact(x) - wanted) <= SLERP_OFF and y == z == 0.0
        assert abs(exact(w) - (1 - wanted * wanted).sqrt()) <= SLERP_OFF
        assert np.array_equal(rotations.slerp(a, -b, np.array(share)), [x, y, z, w])


@settings(max_examples=30)
@given(a=matrices, b=matrices)
def test_products(a: np.ndarray, b: np.ndarray) -> None:
    wanted = [[sum(exact(a[i, k]) * exact(b[k, j]) for k in range(3)) for j in range(3)] for i in range(3)]
    sizes = np.abs(a).sum(1)[:, None] * np.abs(b).max(0)
    found = portable_math.product(a, b)
    for i in range(3):
        for j in range(3):
            assert abs(exact(found[i, j]) - wanted[i][j]) <= exact(sizes[i, j]) * Decimal("5e-16")
    stacked = portable_math.product(np.stack([a, b]), np.stack([b, a]))
    assert np.array_equal(stacked, [found, portable_math.product(b, a)])


@given(m=matrices, right=vectors)
def test_solutions(m: np.ndarray, right: np.ndarray) -> None:
    x = portable_math.solution(m, right)
    if x is None:
        assert portable_math.determinant(m.T) == 0.0
    elif np.linalg.cond(m) < 1e4:
        assert np.allclose(m @ x, right, rtol=1e-9, atol=1e-9 * max(1.0, np.abs(right).max()))


def test_a_singular_matrix_has_no_solution() -> None:
    assert portable_math.solution(np.diag([1.0, 1.0, 0.0]), np.ones(3)) is None


@given(m=matrices)
def test_inverses(m: np.ndarray) -> None:
    found = portable_math.inverse(m)
    if found is None:
        assert portable_math.determinant(m.T) == 0.0
    elif np.linalg.cond(m) < 1e4:
        assert np.allclose(m @ found, np.eye(3), atol=1e-9)


def test_a_singular_matrix_has_no_inverse() -> None:
    assert portable_math.inverse(np.diag([1.0, 0.0, 1.0])) is None


@given(x=st.lists(st.floats(2.0**-42, 1.0), min_size=1, max_size=9).map(np.array), degree=st.integers(2, 5))
def test_roots(x: np.ndarray, degree: int) -> None:
    for value, found in zip(x, portable_math.root(x, degree)):
        exact = Decimal(float(value)) ** (1 / Decimal(degree))
        assert abs(Decimal(float(found)) / exact - 1) < ROOT_OFF


def test_sums_at_places() -> None:
    sums = portable_math.sums_at(np.array([2, 0, 2]), np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), 4)
    assert sums.tolist() == [[3.0, 4.0], [0.0, 0.0], [6.0, 8.0], [0.0, 0.0]]


@pytest.mark.parametrize(("linear", "srgb"), [(0.0, 0.0), (0.001, 0.01292), (0.5, 0.735356983), (1.0, 1.0), (2.0, 1.0)])
def test_colours(linear: float, srgb: float) -> None:
    assert float(srgb_of(np.array(linear))) == pytest.approx(srgb, abs=1e-9)
    assert float(linear_of(np.array(srgb))) == pytest.approx(min(linear, 1.0), abs=1e-8)


@given(a=vectors, b=vectors)
def test_lengths_and_products_of_vectors(a: np.ndarray, b: np.ndarray) -> None:
    assert np.array_equal(portable_math.cross(a, b), np.cross(a, b))
    assert portable_math.dot(a, b) == a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    assert portable_math.length(a) == np.sqrt(portable_math.dot(a, a))
