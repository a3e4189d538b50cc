"""Skeletons of people in the naming schemes of common tools. Names are those of the schemes; positions are our own."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from ossicle.model.clip import Skeleton

# Metres from the ground between the feet, of the left side: x left, y up, z forward. The arms hang at 45 degrees.
POSITIONS = {
    "hips": (0, 0.95, 0), "head": (0, 1.6, 0.02),
    "clavicle": (0.03, 1.4, 0), "upper_arm": (0.18, 1.42, 0), "lower_arm": (0.37, 1.22, -0.02),
    "hand": (0.55, 1.05, 0.02), "upper_leg": (0.1, 0.9, 0), "lower_leg": (0.1, 0.48, 0.02), "foot": (0.1, 0.08, 0),
    "toes": (0.11, 0.02, 0.14)}
_CHEST, _NECK = np.array([0, 1.35, 0]), np.array([0, 1.5, 0])
_FINGER_M = 0.03  # length of a finger's bone
ARM = ("clavicle", "upper_arm", "lower_arm", "hand")
LEG = ("upper_leg", "lower_leg", "foot", "toes")


@dataclass(frozen=True)
class Person:
    """A skeleton's joints, and which of them are the parts of the body. rows: name, parent's name or empty, position;
    parts: names by part."""

    rows: list[tuple[str, str, np.ndarray]] = field(default_factory=list)
    parts: dict[str, list[str]] = field(default_factory=dict)

    def joint(self, part: str, name: str, parent: str, position: np.ndarray | tuple[float, ...]) -> str:
        self.rows.append((name, parent, np.array(position, float)))
        if part:
            self.parts.setdefault(part, []).append(name)
        return name

    def chain(self, parts: list[str], names: list[str], parent: str, positions: list[tuple[float, ...]]) -> str:
        for part, name, position in zip(parts, names, positions, strict=True):
            parent = self.joint(part, name, parent, position)
        return parent

    def renamed(self, names: Callable[[str], str]) -> Person:
        return Person([(names(name), parent and names(parent), position) for name, parent, position in self.rows],
                      {part: list(map(names, listed)) for part, listed in self.parts.items()})

    def skeleton(self) -> Skeleton:
        names = [name for name, _, _ in self.rows]
        parents = [names.index(parent) if parent else -1 for _, parent, _ in self.rows]
        bind = np.zeros((len(names), 10))
        bind[:, 3], bind[:, 7:] = 1.0, 1.0
        for joint, (_, _, position) in enumerate(self.rows):
            bind[joint, 4:7] = position - (self.rows[parents[joint]][2] if parents[joint] >= 0 else 0.0)
        return Skeleton(tuple(names), np.array(parents, np.int32), bind)


def person(trunk: str, arm: str, leg: str, sides: tuple[str, str], above: str = "", neck: str = "",
           head: str = "", fingers: str = "") -> Person:
    """Returns a person. trunk: names of hips and spine; arm: of collar bone (or -), upper and lower arm and hand; leg:
    of upper and lower leg, foot, and toes if there are any; fingers: of the first joints of the fingers, thumb first;
    above: names of joints above the hips. `*` in names stands for the side."""
    made = Person()
    root = made.chain([""] * len(above.split()), above.split(), "", [(0, 0, 0)] * len(above.split()))
    hips, *spine = trunk.split()
    hips = made.joint("hips", hips, root, POSITIONS["hips"])
    start = np.array(POSITIONS["hips"])
    chest = made.chain(["trunk"] * len(spine), spine, hips, [
        tuple(start + (place + 1) / len(spine) * (_CHEST - start)) for place in range(len(spine))])
    top = made.chain(["neck"] * len(neck.split()), neck.split(), chest, [
        tuple(_NECK + place * np.array([0, 0.03, 0])) for place in range(len(neck.split()))])
    if head:
        made.joint("head", head, top, POSITIONS["head"])
    for side, word, sign in (("left", sides[0], 1), ("right", sides[1], -1)):
        place = {part: tuple(np.array(position) * (sign, 1, 1)) for part, position in POSITIONS.items()}
        parent = chest
        for part, name in zip(ARM, arm.split()):
            if name != "-":
                parent = made.joint(f"{side}_{part}", name.replace("*", word), parent, place[part])
        for finger, name in enumerate(fingers.split()):
            made.joint(f"{side}_fingers", name.replace("*", word), parent,
                       np.array(place["hand"]) + (sign * _FINGER_M, -_FINGER_M, 0.01 * (2 - finger)))
        parent = hips
        for part, name in zip(LEG, leg.split()):
            parent = made.joint(f"{side}_{part}", name.replace("*", word), parent, place[part])
    return made
