"""The clips of a bank, as far as a graph needs them."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..bank.clips import ONE_Q11
from ..bank.events import ClipEvent


@dataclass(frozen=True)
class GraphClip:
    """A clip. rate: frames per second; position_per_us_q32: as the bank states it; loop: whether it is made to loop;
    mirror_of: the clip that it mirrors, or None; it plays like that clip until its pose is mirrored."""

    name: str
    frame_count: int
    rate: float
    position_per_us_q32: int
    loop: bool
    additive: bool
    events: Sequence[ClipEvent]
    mirror_of: str | None = None

    @property
    def mirrored(self) -> bool:
        """True for the mirror image of another clip."""
        return self.mirror_of is not None

    @property
    def end_q11(self) -> int:
        """The position of the last frame."""
        return (self.frame_count - 1) * ONE_Q11


NO_CLIP = GraphClip("nothing", 1, 30.0, 0, False, False, ())  # of a state that plays nothing


@dataclass(frozen=True)
class GraphJoint:
    """A joint. parent: its number, or None for a root; bind: its matrix in model space, 3 rows of 4, in the bind
    pose."""

    name: str
    parent: int | None
    bind: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
