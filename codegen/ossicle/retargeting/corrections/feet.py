"""Places feet: those that stand in the source stand in the result.

Rotations alone give other places to the feet of a character with other proportions. A standing foot gets the path of
the source's foot, moved by the constant that is nearest to the place by rotations, so that a character keeps a wide
stance. The offset changes over the whole swing, except that a foot keeps part of its speed for a moment when it leaves
the ground, and has it a moment before it meets it. Near the ground, the height is always that of the source's foot, so
that the feet of clips in place, which no contact shows, reach the ground as well. Hips sink where a leg would be too
short.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Array
from ...base.portable_math import dot, length, total
from .contacts import spans
from .smoothing import falling, largest_near, padded, smoothed, smoothstep
from .two_bones import MOST_STRETCH

_SOFT = 0.002  # leg lengths; a soft minimum, which raises an ankle at rest by half of it
# The stretch of legs beyond which hips sink is that of the source within two limits. A turn of wide hips moves their
# joints far, which the knees of nearly straight legs would multiply; so both limits decrease with the width.
_LEAST_STRETCH = 0.985
_USUAL_WIDTH = 0.12  # from the middle to a hip joint, in leg lengths
_LESS_STRETCH = 0.0285  # for each leg length of additional width
_LOW, _HIGH = 0.02, 0.12  # leg lengths over the ground, between which the height of the source's foot has less weight
_WINDOW_S = 0.1  # on each side, over which hips and feet move before and after they have to
_MOMENT_HZ = 30.0  # the moment in which a foot takes up another speed: a frame of a usual capture
_LEAST_REACH = 0.2  # leg lengths: hips do not sink further, even if a foot is farther away


@dataclass(frozen=True, eq=False)
class Foot:
    """The motion that a foot of the character follows. path: the ankle of the source in the character's units [F, 3],
    with the height at which the character's own ankle would stand; stretch: the source's distance from hip to ankle in
    leg lengths [F]; stands: bool [F]."""

    path: Array
    stretch: Array
    stands: Array


def goal_of(foot: Foot, own: Array, rest_m: float, leg_m: float, rate: float, loops: bool) -> Array:
    """Returns the goals of an ankle [F, 3]. own: its positions by rotations alone; rest_m: its height at rest."""
    offsets, known = np.zeros_like(own), spans(foot.stands)
    parts = [np.arange(begin, end) for begin, end in known]
    if loops and len(parts) > 1 and parts[0][0] == 0 and parts[-1][-1] == len(own) - 1:
        parts = [np.concatenate([parts[0], parts[-1]]), *parts[1:-1]]  # a contact that goes on after the loop
    for frames in parts:
        constant = total(own[frames] - foot.path[frames]) / len(frames)
        constant[1] = 0.0
        offsets[frames] = foot.path[frames] + constant - own[frames]
    goal = own + _between(offsets, foot.path - own, known, rate, loops)
    low = falling((foot.path[:, 1] - rest_m) / leg_m, _LOW, _HIGH)
    goal[:, 1] += low * (foot.path[:, 1] - goal[:, 1])
    over, soft = goal[:, 1] - rest_m, _SOFT * leg_m
    goal[:, 1] = rest_m + (over + np.sqrt(over * over + soft * soft)) / 2.0
    return goal


def _between(offsets: Array, free: Array, known: list[tuple[int, int]], rate: float, loops: bool) -> Array:
    """Returns offsets [F, 3] that change smoothly between the known spans of frames. free: those of a foot that went on
    along the path of the source's foot; in the first and last moments of a swing, offsets still follow them in part, so
    that a foot neither leaves the ground nor meets it at another speed. Before the first contact and after the last one
    of a clip that is no loop, they stay those of that contact."""
    if not known:
        return offsets
    period, moment = len(offsets) - 1, max(int(rate / _MOMENT_HZ + 0.5), 1)
    ends = [(end - 1, end - 1) for _, end in known]
    begins = [(begin, begin) for begin, _ in known]
    if loops:
        ends = [(ends[-1][0] - period, ends[-1][1]), *ends]
        begins = [*begins, (begins[0][0] + period, begins[0][1])]
    else:
        ends, begins = [(-1, begins[0][1]), *ends], [*begins, (period + 1, ends[-1][1])]
    near = padded(free, moment, loops)
    result = offsets.copy()
    for (last, left), (first, right) in zip(ends, begins):
        frames = np.arange(max(last + 1, 0), min(first, period + 1))
        share = smoothstep((frames - last) / (first - last))[:, None]
        begin, end = offsets[left], offsets[right]
        if loops or last >= 0:
            begin = begin + (near[left + 2 * moment] - free[left]) * _fading(frames - last, moment)
        if loops or first <= period:
            end = end + (near[right] - free[right]) * _fading(first - frames, moment)
        result[frames] = begin * (1.0 - share) + end * share
    return result


def _fading(since: Array, moment: int) -> Array:
    """Returns the part [F, 1] of a moment's motion that is done after some frames, if its speed falls to 0 in it."""
    share = np.minimum(since / moment, 1.0)[:, None]
    part: Array = share - share * share / 2.0
    return part


def raised(goal: Array, lowest: Array, rate: float, loops: bool) -> Array:
    """Returns the goals of an ankle [F, 3] where no vertex of the foot is under the ground. lowest: the height of the
    lowest one [F] with these goals."""
    count = int(_WINDOW_S * rate + 0.5)
    result = goal.copy()
    result[:, 1] += smoothed(largest_near(np.maximum(-lowest, 0.0), count, loops), count, loops)
    return result


def sinking(hips: Sequence[Array], goals: Sequence[Array], feet: Sequence[Foot], leg_m: float, rate: float,
            loops: bool) -> Array:
    """Returns how far hips sink [F], so that legs reach their goals. hips: the positions of both hip joints."""
    need = np.zeros(len(goals[0]))
    width = float(length(hips[0][0] - hips[1][0])) / (2.0 * leg_m)
    less = _LESS_STRETCH * max(width - _USUAL_WIDTH, 0.0)
    for hip, goal, foot in zip(hips, goals, feet):
        limit = leg_m * np.clip(foot.stretch, _LEAST_STRETCH - less, MOST_STRETCH - less)
        across = (goal - hip)[:, ::2]
        least = _LEAST_REACH * leg_m
        reach = np.sqrt(np.maximum(limit * limit - dot(across, across), least * least))
        need = np.maximum(need, hip[:, 1] - goal[:, 1] - reach)
    count = int(_WINDOW_S * rate + 0.5)
    return smoothed(largest_near(need, count, loops), count, loops)
