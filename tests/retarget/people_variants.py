"""The same body in other skeletons: other axes, order, units, poses, and without names."""
from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
from ossicle.model.clip import ROTATION, SCALE, TRANSLATION, Skeleton
from ossicle.model.rotations import multiply, normalise, rotate
from people import Person

CONJUGATE = np.array([-1.0, -1.0, -1.0, 1.0])


def with_other_axes(skeleton: Skeleton, seed: int = 1) -> Skeleton:
    """The axes of each joint are turned at random; joints stay where they are."""
    random = np.random.default_rng(seed)
    turns = normalise(random.standard_normal((len(skeleton.names), 4)))
    bind = skeleton.bind.copy()
    for joint, parent in enumerate(skeleton.parents):
        above = turns[parent] * CONJUGATE if parent >= 0 else np.array([0, 0, 0, 1.0])
        bind[joint, TRANSLATION] = rotate(above, skeleton.bind[joint, TRANSLATION])
        bind[joint, ROTATION] = multiply(above, multiply(skeleton.bind[joint, ROTATION], turns[joint]))
    return replace(skeleton, bind=bind)


def in_other_order(skeleton: Skeleton, seed: int = 1) -> Skeleton:
    """Parents still precede their children."""
    random, order, left = Random(seed), list[int](), list(range(len(skeleton.names)))
    while left:
        ready = [joint for joint in left if skeleton.parents[joint] < 0 or skeleton.parents[joint] in order]
        order.append(random.choice(ready))
        left.remove(order[-1])
    parents = [-1 if skeleton.parents[joint] < 0 else order.index(skeleton.parents[joint]) for joint in order]
    return replace(skeleton, names=tuple(skeleton.names[joint] for joint in order),
                   parents=np.array(parents, np.int32), bind=skeleton.bind[order])


def below_an_armature(skeleton: Skeleton, turn: tuple[float, ...], scale: tuple[float, float, float]) -> Skeleton:
    """The whole is turned and scaled by a joint above all."""
    bind = np.vstack([[0, 0, 0, 1, 0, 0, 0, 1, 1, 1], skeleton.bind])
    bind[0, ROTATION], bind[0, SCALE] = turn, scale
    return replace(skeleton, names=("Armature", *skeleton.names), bind=bind,
                   parents=np.array([-1, *(int(parent) + 1 for parent in skeleton.parents)], np.int32))


def without_names(made: Person) -> Person:
    """The joints are numbered."""
    numbers = {name: f"joint{place}" for place, (name, _, _) in enumerate(made.rows)}
    return made.renamed(lambda name: numbers[name])


def without(made: Person, part: str) -> Person:
    """Leaves out the joints of a part on both sides, which are the last of their chains, and all below them."""
    gone = {name for side in ("left", "right") for name in made.parts.get(f"{side}_{part}", [])}
    for name, parent, _ in made.rows:
        if parent in gone:
            gone.add(name)
    kept = {key: [name for name in names if name not in gone] for key, names in made.parts.items()}
    return Person([row for row in made.rows if row[0] not in gone], {
        key: names for key, names in kept.items() if names})
