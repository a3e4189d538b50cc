"""The skeleton whose motion a clip repeats on another one."""
from __future__ import annotations

from dataclasses import dataclass, replace

from ..base.arrays import Array


@dataclass(frozen=True, eq=False)
class Actor:
    """The motion from which a clip was retargeted, for comparison.

    parents: of its joints [P], -1 for roots. feet: its left and its right ankle.
    rate: frames per second.
    positions: float64 [F, P, 3], of the joints, in metres, scaled to the character and placed where the character is.
    stands: bool [F, 2], whether the left and the right foot stand on the ground.
    slides_mm: float64 [F, 2], how far the character's standing foot has moved since it touched down, beyond the
        actor's; 0 if it does not stand.
    """

    parents: tuple[int, ...]
    feet: tuple[int, int]
    rate: float
    positions: Array
    stands: Array
    slides_mm: Array

    def timed(self, first: int, end: int, speed: float, reverse: bool) -> Actor:
        """Returns the part from frame `first` to frame `end` at this speed."""
        part = slice(first, end + 1)
        order = slice(None, None, -1 if reverse else 1)
        return replace(self, rate=self.rate * speed, positions=self.positions[part][order],
                       stands=self.stands[part][order], slides_mm=self.slides_mm[part][order])
