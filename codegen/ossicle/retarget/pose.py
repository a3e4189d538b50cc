"""Poses of a character from the rotations of some of its joints."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..base.arrays import Array
from ..model.rotations import inverse, multiply, rotate, slerp
from .humanoid import Humanoid
from .rig import IDENTITY, Rig, World


def with_chains(rig: Rig, body: Humanoid, bind: World, turned: Mapping[int, Array]) -> dict[int, Array]:
    """Adds the joints of trunk and neck below the last one, which share its turn. turned: rotations [F, 4] in model
    space, by joint; bind: the character's bind pose."""
    result = dict(turned)
    chest = body.trunk[-1] if body.trunk else body.hips
    _share(result, bind, body.hips, body.trunk)
    if body.head is not None:
        _share(result, bind, chest, (*body.neck, body.head))
    return result


def _share(turned: dict[int, Array], bind: World, first: int, chain: Sequence[int]) -> None:
    """Adds the rotations of a chain that begins after its first joint, if those of both ends are known."""
    if not chain or chain[-1] not in turned or first not in turned:
        return
    relative = multiply(inverse(bind.rotations[0, first]), bind.rotations[0, chain])
    turn = multiply(inverse(turned[first]), multiply(turned[chain[-1]], inverse(relative[-1])))
    for number, joint in enumerate(chain[:-1], start=1):
        share = slerp(np.broadcast_to(IDENTITY, turn.shape), turn, np.full(len(turn), number / len(chain)))
        turned[joint] = multiply(multiply(turned[first], share), relative[number - 1])


def posed(rig: Rig, turned: Mapping[int, Array], hips: int, position: Array) -> World:
    """Returns the poses of a character with the hips at positions [F, 3]. turned: rotations [F, 4] in model space, by
    joint; the others keep their bind pose relative to the joint above."""
    frames, joints = len(position), len(rig.parents)
    world = World(np.empty((frames, joints, 4)), np.empty((frames, joints, 3)))
    for joint, parent in enumerate(rig.parents):
        above = IDENTITY if parent < 0 else world.rotations[:, parent]
        world.rotations[:, joint] = turned[joint] if joint in turned else multiply(above, rig.rotations[joint])
        if joint == hips:
            world.positions[:, joint] = position
        else:
            start = 0.0 if parent < 0 else world.positions[:, parent]
            world.positions[:, joint] = start + rotate(above, rig.offsets[joint])
    return world


def transforms_of(rig: Rig, world: World, turned: Mapping[int, Array], hips: int) -> Array:
    """Returns the local transforms [F, J, 10] of poses: those of the bind pose, with the rotations of turned joints and
    the position of the hips."""
    result = np.repeat(rig.skeleton.bind[None], len(world.positions), axis=0)
    rotation = np.repeat(rig.rotations[None], len(result), axis=0)
    _, offset = rig.rigid(result)
    for joint in (*turned, hips):
        parent = rig.parents[joint]
        back = IDENTITY if parent < 0 else inverse(world.rotations[:, parent])
        rotation[:, joint] = multiply(back, world.rotations[:, joint])
        if joint == hips:
            start = 0.0 if parent < 0 else world.positions[:, parent]
            offset[:, joint] = rotate(back, world.positions[:, joint] - start) / rig.above(joint)
    rotation, offset = rig.local(rotation, offset)
    for joint in turned:
        result[:, joint, :4] = rotation[:, joint]
    result[:, hips, 4:7] = offset[:, hips]
    return result
