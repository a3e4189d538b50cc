"""The clips that loop: Idle, Walk, Run and Signal."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from . import legs
from .clip import Arm, Clip, ClipBuilder
from .skeleton import SIDES
from .tracks import RATE_HZ, curve, hermite

TAU = 2.0 * math.pi


def idle() -> Clip:
    """Returns breathing at 25 breaths per minute, while the weight shifts slightly from foot to foot."""
    clip = ClipBuilder("Idle", 72, loop=True)
    clip.shift_hips({0: (0.004, -0.012, 0.0), 18: (0.010, -0.010, 0.002),
                     36: (0.004, -0.007, 0.003), 54: (-0.002, -0.010, 0.001),
                     72: (0.004, -0.012, 0.0)})
    clip.turn("hips", {0: (1, 0, 0.4), 36: (0.4, 1.5, -0.6), 72: (1, 0, 0.4)})
    clip.turn("spine", {0: (1.5, 0, 0), 36: (0, -0.5, 0.3), 72: (1.5, 0, 0)})
    clip.turn("chest", {0: (2, 0, 0), 30: (-1.2, 0, 0), 42: (-1.2, -0.5, 0), 72: (2, 0, 0)})
    clip.turn("upper_chest", {0: (1.5, 0, 0), 33: (-1.5, 0, 0), 72: (1.5, 0, 0)})
    clip.turn("neck", {0: (-2, 0, 0), 36: (0.5, 1, 0), 72: (-2, 0, 0)})
    clip.turn("head", {0: (-2, 0, 0), 24: (0, 3, 0.5), 50: (1, -2, -0.5), 72: (-2, 0, 0)})
    for side, sign in SIDES:
        clip.arm(side, {0: Arm(2, 2, 0, 6, 0), 33: Arm(0, 4.5, sign, 9, 2),
                        72: Arm(2, 2, 0, 6, 0)})

    def foot_at(side: str, frame: int) -> legs.Foot:
        return legs.rolled(side, _ground(side, 0.0), 0.0, 0.0)

    clip.plant_legs(range(0, 73, 9), foot_at, "CUBICSPLINE")
    return clip.finish()


def _ground(side: str, z: float, narrow: float = 1.0) -> np.ndarray:
    """Returns a ground point `z` metres ahead of the ankle's home, inwards if narrow < 1."""
    home = legs.ankle_home(side)
    return np.array([home[0] * narrow, 0.0, home[2] + z])


class Gait:
    """A foot's path in a cycle, phase 0 at its first contact, over ground with constant speed.

    contact: the phase at which the foot leaves the ground; front_m: the distance ahead of its home at landing; speed_m:
    ground travel per cycle; swing, lift, pitch: {phase: value} curves of the free foot's position, its clearance and
    its roll in degrees.
    """

    def __init__(self, contact: float, front_m: float, speed_m: float, swing: dict[float, float],
                 lift: dict[float, float], pitch: dict[float, float], narrow: float) -> None:
        self.contact, self.front_m, self.speed_m = contact, front_m, speed_m
        self.lift, self.pitch, self.narrow = lift, pitch, narrow
        back = front_m - speed_m * contact
        self.path = sorted({contact: back, **swing, 1.0: front_m}.items())

    def position(self, phase: float) -> float:
        """Returns the distance of the foot ahead of its home, in metres: it moves back with the ground, then
        forward."""
        if phase <= self.contact:
            return self.front_m - self.speed_m * phase
        times = [time for time, _ in self.path]
        values = [value for _, value in self.path]
        slopes = [-self.speed_m]
        for k in range(1, len(times) - 1):
            slopes.append((values[k + 1] - values[k - 1]) / (times[k + 1] - times[k - 1]))
        slopes.append(-self.speed_m)
        k = max(i for i in range(len(times) - 1) if times[i] <= phase)
        span = times[k + 1] - times[k]
        return hermite(values[k], slopes[k] * span, values[k + 1], slopes[k + 1] * span,
                       (phase - times[k]) / span)

    def foot(self, side: str, phase: float) -> legs.Foot:
        """Returns the foot's target. The left foot lands at phase 0, the right one at 0.5."""
        phase = (phase if side == "left" else phase + 0.5) % 1.0
        return legs.rolled(side, _ground(side, self.position(phase), self.narrow),
                           curve(self.lift, phase, 1.0), curve(self.pitch, phase, 1.0))


WALK = Gait(
    contact=0.60, front_m=0.300, speed_m=1.20, narrow=0.80,
    swing={0.74: -0.33, 0.90: 0.27},
    lift={0.0: 0.0, 0.60: 0.0, 0.72: 0.035, 0.84: 0.020, 0.93: 0.030},
    pitch={0.0: -18, 0.09: 0, 0.34: 0, 0.50: 20, 0.60: 44, 0.68: 46, 0.84: 2, 0.94: -18})

RUN = Gait(
    contact=0.34, front_m=0.230, speed_m=2.10, narrow=0.55,
    swing={0.48: -0.52, 0.66: -0.10, 0.84: 0.30},
    lift={0.0: 0.0, 0.34: 0.0, 0.47: 0.16, 0.58: 0.27, 0.70: 0.22, 0.86: 0.09},
    pitch={0.0: -4, 0.07: 0, 0.14: 2, 0.25: 20, 0.34: 50, 0.46: 82, 0.60: 62, 0.80: 8, 0.92: -8})


def _cyclic(length: int, count: int, value: Callable[[float], Any]) -> dict[int, Any]:
    """Returns `count` + 1 keys {frame: value(phase)} over a cycle; the last equals the first."""
    frames = [round(length * k / count) for k in range(count + 1)]
    keys = {frame: value(frame / length) for frame in frames[:-1]}
    keys[length] = keys[0]
    return keys


def _wave(mean: float, amplitude: float, peak: float, phase: float, times: int = 1) -> float:
    return mean + amplitude * math.cos(TAU * times * (phase - peak))


def walk() -> Clip:
    """Returns one second with two steps in place over ground that runs at 1.2 m/s; the left heel lands at 0."""
    length = RATE_HZ
    clip = ClipBuilder("Walk", length, loop=True, sampled=True)
    clip.shift_hips(_cyclic(length, 8, lambda p: (
        _wave(0.0, 0.020, 0.32, p), _wave(-0.036, 0.017, 0.30, p, 2),
        _wave(0.0, 0.006, 0.10, p, 2))))
    clip.turn("hips", _cyclic(length, 8, lambda p: (
        _wave(3, 1, 0.05, p, 2), _wave(0, -7, 0.0, p), _wave(0, 3.5, 0.17, p))))
    clip.turn("spine", _cyclic(length, 4, lambda p: (
        1, _wave(0, 4, 0.02, p), _wave(0, -2, 0.2, p))))
    clip.turn("chest", _cyclic(length, 4, lambda p: (
        1, _wave(0, 5, 0.03, p), _wave(0, -1.5, 0.22, p))))
    clip.turn("upper_chest", _cyclic(length, 4, lambda p: (0.5, _wave(0, 4, 0.04, p), 0)))
    clip.turn("neck", _cyclic(length, 4, lambda p: (-2, _wave(0, -3, 0.04, p), 0)))
    clip.turn("head", _cyclic(length, 8, lambda p: (
        _wave(-2, 1, 0.12, p, 2), _wave(0, -3, 0.04, p), _wave(0, -0.5, 0.2, p))))
    for side, sign in SIDES:
        offset = 0.0 if sign > 0 else 0.5
        clip.arm(side, _cyclic(length, 6, lambda p: Arm(
            _wave(1, -24, offset + 0.03, p), 5, 10, _wave(20, -13, offset + 0.08, p),
            _wave(4, -4, offset + 0.12, p))))
    clip.plant_legs(range(length + 1), lambda side, f: WALK.foot(side, (f % length) / length))
    return clip.finish()


def run() -> Clip:
    """Returns 0.7 seconds with two steps at 3 m/s, with both feet off the ground between them."""
    length = 21
    clip = ClipBuilder("Run", length, loop=True, sampled=True)
    clip.shift_hips(_cyclic(length, 8, lambda p: (
        _wave(0.0, 0.012, 0.18, p), _wave(-0.062, 0.034, 0.43, p, 2), 0.02)))
    clip.turn("hips", _cyclic(length, 8, lambda p: (
        _wave(9, 2, 0.2, p, 2), _wave(0, -9, 0.95, p), _wave(0, 3, 0.15, p))))
    clip.turn("spine", _cyclic(length, 4, lambda p: (
        3, _wave(0, 7, 0.97, p), _wave(0, -2, 0.18, p))))
    clip.turn("chest", _cyclic(length, 4, lambda p: (3, _wave(0, 7, 0.98, p), 0)))
    clip.turn("upper_chest", _cyclic(length, 4, lambda p: (2, _wave(0, 6, 0.99, p), 0)))
    clip.turn("neck", _cyclic(length, 4, lambda p: (-6, _wave(0, -5, 0.98, p), 0)))
    clip.turn("head", _cyclic(length, 8, lambda p: (
        _wave(-8, 2, 0.25, p, 2), _wave(0, -6, 0.98, p), 0)))
    for side, sign in SIDES:
        offset = 0.0 if sign > 0 else 0.5
        clip.arm(side, _cyclic(length, 8, lambda p: Arm(
            _wave(-2, -42, offset + 0.98, p), 9, _wave(2, 8, offset, p),
            _wave(86, -16, offset + 0.02, p), 0)))
    clip.plant_legs(range(length + 1), lambda side, f: RUN.foot(side, (f % length) / length))
    return clip.finish()


# The semaphore letters C, U, R, V, E: (left, right) arm in degrees from hanging, out to its side.
_LETTERS = ((0, 135), (135, 135), (90, 90), (45, 180), (135, 0))


def signal() -> Clip:
    """Returns semaphore: both arms snap from letter to letter (STEP) while the head follows (LINEAR)."""
    hold = 15
    length = hold * len(_LETTERS)
    clip = ClipBuilder("Signal", length, loop=True)
    clip.shift_hips({0: (0.0, -0.010, 0.0), length // 2: (0.012, -0.008, 0.0),
                     length: (0.0, -0.010, 0.0)})
    clip.turn("chest", {0: (-2, 0, 0), length // 2: (0, 2, 0), length: (-2, 0, 0)})
    looks = {}
    for number, (left, right) in enumerate(_LETTERS):
        yaw = 14.0 if left > right else -14.0
        looks[number * hold] = looks[number * hold + hold - 3] = (-4.0, yaw, 0.0)
    looks[length] = looks[0]
    clip.turn("head", looks, "LINEAR")
    for number, (side, _) in enumerate(SIDES):
        keys = {k * hold: _flag(letter[number]) for k, letter in enumerate(_LETTERS)}
        keys[length] = keys[0]
        clip.arm(side, keys, "STEP")
    clip.plant_legs(range(0, length + 1, hold), lambda side, f: legs.rolled(
        side, _ground(side, 0.0, 1.1), 0.0, 0.0), "CUBICSPLINE")
    return clip.finish()


def _flag(angle: float) -> Arm:
    """Returns a straight arm at `angle` from hanging, with the palm forwards if it is raised."""
    return Arm(flex=6, abduct=max(angle - 6, 0), twist=60 if angle > 90 else 0)
