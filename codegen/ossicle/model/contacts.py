"""Detects foot contacts, the times at which a joint touches down and leaves the ground, from its heights alone.

Heights are fractions of the joint's rise, the difference of its highest and its lowest position in the clip. The ground
is the lowest position, so that a clip in place and one that travels have the same contacts.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace


from ..base.arrays import Array

LEAST_RISE_M = 0.02  # a foot that rises less stays on the ground
LIFTED = 0.25  # a foot above this is in the air
DOWN = 0.10  # below this it is on the ground, if it was in the air before
_SETTLING = 0.05  # the contact includes previous frames up to this far above the first one below DOWN
_TOES_UP = 0.01  # a larger rise before the foot falls further ends the swing: the toes point up
_TOES_UP_S = 0.2  # the longest duration of that rise


@dataclass(frozen=True)
class Contact:
    """The contacts of a joint in a clip. event: the name of their events; rises_mm: the difference of the joint's
    highest and lowest position; frames: of touch-downs, or the first frames of spans, ascending; replaced: whether the
    clip has other events of this name, which are used instead; ends: the last frames of spans, beyond the clip if they
    end in the next loop, or None for touch-downs."""

    joint: str
    event: str
    rises_mm: float
    frames: tuple[int, ...]
    replaced: bool = False
    ends: tuple[int, ...] | None = None

    def at_rate(self, multiple: float) -> Contact:
        """Converts the frames to this multiple of the clip's rate."""
        ends = None if self.ends is None else _scaled(self.ends, multiple)
        return replace(self, frames=_scaled(self.frames, multiple), ends=ends)


def _scaled(frames: Sequence[int], multiple: float) -> tuple[int, ...]:
    return tuple(round(frame * multiple) for frame in frames)


def touch_downs(heights: Array, rate: float, loop: bool) -> tuple[int, ...]:
    """Returns the frames at which a joint with these heights [F], in metres, touches down. The last frame of a loop
    is its first one, which is in the result if the joint touches down there."""
    shares, period = _shares(heights, loop)
    return tuple(frame - period for frame in _found(shares, rate) if not loop or period <= frame < 2 * period)


def ground_spans(heights: Array, rate: float, loop: bool) -> tuple[tuple[int, int], ...]:
    """Returns the first and last frames of the times that a joint with these heights [F], in metres, stays on the
    ground: from where it touches down to where it would touch down if time ran backward. A clip may begin and end on
    the ground. In a loop, spans begin before the last frame and may end after it."""
    shares, period = _shares(heights, loop)
    last = len(shares) - 1
    begins = [0] * _is_on_ground(shares) + _found(shares, rate)
    ends = [last - frame for frame in reversed(_found(shares[::-1], rate))] + [last] * _is_on_ground(shares[::-1])
    return tuple((begin - period, end - period) for begin, end in zip(begins, ends)
                 if begin < end and (not loop or period <= begin < 2 * period))


def rise_m(heights: Array) -> float:
    return float(heights.max() - heights.min())


def _shares(heights: Array, loop: bool) -> tuple[list[float], int]:
    """Returns heights as fractions of the rise, none if the joint does not rise. Those of a loop are played three
    times, so that the second time has both neighbours; also returns the frames of one time, or 0."""
    lowest, rise = float(heights.min()), rise_m(heights)
    if rise < LEAST_RISE_M:
        return [], 0
    shares: list[float] = ((heights - lowest) / rise).tolist()
    period = len(shares) - 1 if loop else 0  # at least two frames, because the joint rises
    return shares[:period] * 3 if loop else shares, period


def _is_on_ground(shares: Sequence[float]) -> bool:
    """Returns whether a joint is on the ground before it is in the air."""
    return next((share < DOWN for share in shares if share < DOWN or share > LIFTED), False)


def _found(shares: Sequence[float], rate: float) -> list[int]:
    found, in_air = [], False
    for frame, share in enumerate(shares):
        if share > LIFTED:
            in_air = True
        elif share < DOWN and in_air:
            in_air = False
            found.append(_touch_down(shares, frame, rate))
    return found


def _touch_down(shares: Sequence[float], under: int, rate: float) -> int:
    """Returns the frame of the touch-down of a joint that falls below DOWN at the frame `under`. A stance need not be
    level: the joint may continue to sink."""
    top = shares[under]
    for frame in range(under + 1, min(under + 1 + int(_TOES_UP_S * rate + 0.5), len(shares))):
        top = max(top, shares[frame])
        if top > LIFTED:
            break
        if top > shares[under] + _TOES_UP and shares[frame] < shares[under]:
            return frame
    limit, first = shares[under] + _SETTLING, under
    while first > 0 and shares[first - 1] <= limit:
        first -= 1
    return first
