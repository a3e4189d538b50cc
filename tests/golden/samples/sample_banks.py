"""The banks behind the golden vectors and tests/support/c/sample_banks.h: written by hand, so that
each feature of the format appears where one expects it."""
from __future__ import annotations

import math
from dataclasses import dataclass

from bank_writer import MOVING, RICE_ZERO, VECTOR, Clip, Constant, Skeleton, Track, write_bank

ONE = 1 << 20
IDENTITY = [0, 0, 0, ONE]


@dataclass(frozen=True)
class Sample:
    """A bank and the (clip, mode, position) triples that are worth keeping."""

    name: str
    about: str
    bank: bytes
    queries: list[tuple[int, int, int]]


def _ramp(start: tuple[int, int, int], step: tuple[int, int, int], count: int) -> list:
    return [tuple(s + d * i for s, d in zip(start, step, strict=True)) for i in range(count)]


def _walk() -> Sample:
    bind = [[*IDENTITY, 0, ONE, 0], [*IDENTITY, 0, ONE // 2, 0], [*IDENTITY, ONE // 4, 0, 0]]
    skeleton = Skeleton([-1, 0, 1], bind, ([0, 1, 2], [0], []), names=["hips", "spine", "hand"])
    swing = _ramp((0, 0, 0), (400, -100, 30), 5) + _ramp((1200, -300, 90), (-400, 100, -30), 3)
    clips = [
        Clip(9, name="walk", loop=True, restart_log2=2, tracks=[
            Track(0, 3, 8, swing, linear=True, rice=(5, 4, 3), width=14),
            Track(2, 0, 8, _ramp((10, 20, 4080), (0, 150, -20), 8), rice=(RICE_ZERO, 7, 5), width=14),
            Track(3, VECTOR, 6, _ramp((0, 16384, -7), (300, 5, 1), 8), linear=True, rice=(8, 2, 0), width=20)],
             constants=[Constant(1, 10, (100, -200, 300))]),
        Clip(6, name="jump", rate=24.0, restart_log2=31, breaks=[(3, 0), (3, 3), (5, 3)], tracks=[
            Track(0, 3, 8, _ramp((0, 0, 0), (20, 0, 5), 3) + _ramp((3500, 0, 9), (20, 0, 5), 3),
                  rice=(6, 0, 3), width=14),
            Track(3, VECTOR, 6, [(0, 0, 0)] * 3 + [(9000, 0, 0)] * 2 + [(0, 9000, 0)], rice=(10, 10, 0), width=16)]),
        Clip(1, name="pose", constants=[Constant(0, 0, (700000, -300000, 123457), 1)]),
        Clip(2, name="still"),
    ]
    queries = [(0, 0, p) for p in (0, 1, 1024, 2047, 2048, 5000, 7 * 2048 + 2047, 16384, -1, 40000)]
    queries += [(0, 1, 16384), (0, 1, -5), (1, 0, 4095), (1, 0, 4096), (1, 0, 6143), (1, 0, 6144),
                (1, 0, 8193), (1, 0, 10239), (1, 0, 10240), (1, 2, -1), (2, 2, 77), (3, 2, 1000)]
    return Sample("walk", "fixed packings, linear prediction, constants, restart points, breaks",
                  write_bank(skeleton, clips), queries)


def _moving() -> Sample:
    """A spin through all four components: the packing follows, by guess and by explicit bits."""
    skeleton = Skeleton([-1], [[*IDENTITY, 0, 0, 0]], ([0], [], []))
    frames = []
    spin = [(3, False, (0, 0, 0)), (3, False, (3000, 1000, 0)), (3, False, (8000, 2000, -500)),
            (0, False, (2500, -700, 8000)), (0, False, (2600, -900, 3000)),
            (0, True, (9000, 100, 100)), (1, False, (-3000, 200, 300)), (1, True, (500, 8000, 1)),
            (2, True, (1, 2, 3)), (2, True, (8000, 8000, 8000)),
            (3, False, (-8000, 8000, 0)),  # x and y equal, the rebuilt w is zero: x is the guess
            (0, True, (100, 5, 6)), (1, False, (7, 8192, 0)), (2, False, (7, 7, 8))]
    for i, (dropped, negative, values) in enumerate(spin):
        frames.append((values, dropped, negative, i == 4))
    clip = Clip(len(frames), name="spin", restart_log2=3, tracks=[
        Track(0, MOVING, 7, frames, linear=True, rice=(9, 9, 8), width=15)])
    return Sample("moving", "the moving packing", write_bank(skeleton, [clip]),
                  [(0, 1, 2048 * i + f) for i in range(len(frames)) for f in (0, 1111)])


def _extreme() -> Sample:
    """Escapes, shifts at their limits, components that wrap: legal, and never seen in practice."""
    top, bottom = 2**31 - 1, -(2**31)
    skeleton = Skeleton([-1, 0], [[top, bottom, 1, -1, top, bottom, 5]] * 2, ([0, 1], [0, 1], []))
    clip = Clip(5, name="wild", loop=True, restart_log2=1, breaks=[(1, 2), (2, 0), (4, 1)], tracks=[
        Track(0, 1, 0, [(top, bottom, 3), (bottom, top, 0), (2**30, 2**29, -1), (7, 7, 7)],
              linear=True, rice=(0, 14, 7)),
        Track(1, 2, 20, [(1, 0, 0), (0, 1, 0), (0, -1, 0), (2047, -2048, 5)], rice=(0, 1, 0)),
        Track(2, VECTOR, 31, [(1, 0, 1), (0, 1, 0), (1, 1, 1), (0, 0, 0)], rice=(0, 0, 0)),
        Track(3, VECTOR, 0, [(top, bottom, 0), (bottom, top, 15), (0, 0, 16), (-8, 7, -9)], rice=(2, 3, 0))])
    return Sample("extreme", "escapes, limits, wrapping", write_bank(skeleton, [clip], gap=1),
                  [(0, mode, p) for mode in (1, 2)
                   for p in (0, 1023, 2047, 2048, 4095, 4096, 5000, 6143, 7777, 8191, 8192, -3)])


def _scale() -> Sample:
    """Forty joints, scale, subtracks far apart: two mask words, gaps that need skips."""
    count = 40
    bind = [[*IDENTITY, 1000 * j, ONE // 8, -j, ONE, ONE, ONE + j] for j in range(count)]
    everyone = list(range(count))
    skeleton = Skeleton([j - 1 if j % 8 else -1 for j in everyone], bind, (everyone, everyone, [0, 39]), has_scale=True)
    clip = Clip(3, name="grow", tracks=[
        Track(39, 3, 4, _ramp((0, 1000, 2), (100, 7, -3), 3), rice=(6, 3, 2), width=17),
        Track(81, VECTOR, 2, _ramp((ONE // 4,) * 3, (999, -999, 40), 3), rice=(9, 9, 5), width=20)],
        constants=[Constant(80, 10, (2048, 512, -1024), width=13)])
    extra = [(b"XTRA", False, [0xDEADBEEF])]
    return Sample("scale", "scale, two mask words, skips, an unknown optional section",
                  write_bank(skeleton, [clip], extra=extra), [(0, 0, p) for p in (0, 1500, 4096)])


def _turn_frames(count: int) -> list:
    """A turn by 360 degrees about z in `count` steps, for the moving packing, in steps of 2^-13."""
    frames = []
    for frame in range(count):
        half = math.pi * frame / count
        q = [0, 0, round(math.sin(half) * 8192), round(math.cos(half) * 8192)]
        dropped = max(range(4), key=lambda i: abs(q[i]))
        frames.append((tuple(q[:dropped] + q[dropped + 1:]), dropped, q[dropped] < 0, False))
    return frames


def _turn() -> Sample:
    """Loops that wrap from a quaternion to its negative, of even and odd numbers of rows and of one
    row; the second one's translation jumps where it wraps."""
    skeleton = Skeleton([-1], [[*IDENTITY, 0, 0, 0]], ([0], [0], []))
    travel = Track(1, VECTOR, 4, _ramp((0, 5, 0), (900, 0, 9), 7), rice=(9, 0, 3), width=16)
    clips = [
        Clip(9, name="even", loop=True, restart_log2=2, tracks=[
            Track(0, MOVING, 7, _turn_frames(8), rice=(9, 9, 9), width=15)]),
        Clip(8, name="odd", loop=True, breaks=[(7, 1)], tracks=[
            Track(0, MOVING, 7, _turn_frames(7), linear=True, rice=(9, 9, 9), width=15), travel]),
        Clip(2, name="one", loop=True, constants=[Constant(1, 4, (7, 8, 9), width=6)], tracks=[
            Track(0, MOVING, 7, _turn_frames(1), width=15)])]
    ends = [(0, 8 * 2048), (1, 7 * 2048), (2, 2048)]
    queries = [(clip, mode, end + step) for clip, end in ends for mode in (1, 2)
               for step in (-2049, -2048, -1024, -1, 0, 1025)]
    return Sample("turn", "loops without their last frame", write_bank(skeleton, clips), queries)


def samples() -> list[Sample]:
    """All sample banks."""
    return [_walk(), _moving(), _extreme(), _scale(), _turn()]
