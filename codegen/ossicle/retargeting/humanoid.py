"""Which joints of a skeleton are the parts of a human body."""
from __future__ import annotations

from dataclasses import dataclass, field

from ..model.clip import ImportProblem


class RetargetProblem(ImportProblem):
    """A skeleton or a motion that cannot be retargeted; str() is one line with the remedy."""


class CharacterProblem(RetargetProblem):
    """The character cannot be retargeted to; the source is not at fault."""


class FourLegsProblem(RetargetProblem):
    """The skeleton of an animal on four legs."""


@dataclass(frozen=True)
class Arm:
    """Joints of an arm, as numbers in their skeleton. clavicles: from the chest to the shoulder, maybe none; hand: None
    if the arm ends at the lower arm's joint; twists: of upper and lower arm, which only turn about their bone."""

    clavicles: tuple[int, ...]
    upper: int
    lower: int
    hand: int | None
    twists: tuple[int, ...] = ()


@dataclass(frozen=True)
class Leg:
    """Joints of a leg, as numbers in their skeleton. foot: the ankle; toes: the ball of the foot, None if the foot is
    rigid; twists: of upper and lower leg."""

    upper: int
    lower: int
    foot: int
    toes: int | None = None
    twists: tuple[int, ...] = ()


@dataclass(frozen=True)
class Humanoid:
    """The joints of a human body, as numbers in their skeleton. Sides are the character's own.

    hips: the joint that carries the legs and the trunk. trunk: from above the hips to the chest, which carries the
    arms; neck: between chest and head, maybe none. head: None if there is none. fingers: chains of each hand, from
    the palm, by name of the finger. confidence: of each part by its name ("hips", "left arm", ...), 0 to 1.
    convention: the name of the skeleton's naming scheme, for messages; empty if it is none of conventions.py.
    warnings: one line each, with the remedy."""

    hips: int
    trunk: tuple[int, ...]
    neck: tuple[int, ...]
    head: int | None
    left_arm: Arm | None
    right_arm: Arm | None
    left_leg: Leg
    right_leg: Leg
    left_fingers: dict[str, tuple[int, ...]] = field(default_factory=dict)
    right_fingers: dict[str, tuple[int, ...]] = field(default_factory=dict)
    confidence: dict[str, float] = field(default_factory=dict)
    convention: str = ""
    warnings: tuple[str, ...] = ()
