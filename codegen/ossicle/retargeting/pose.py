"""Poses of a character from the rotations of some of its joints."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..base.arrays import Array
from ..model.clip import ROTATION, TRANSLATION
from ..model.rotations import IDENTITY, inverse, multiply, rotate, slerp
from .humanoid import Humanoid
from .rig import Rig, World


def with_chains(body: Humanoid, bind: World, turned: Mapping[int, Array]) -> dict[int, Array]:
    """Adds the joints of trunk and neck below the last one, which share its turn. turned: rotations [F, 4] in model
    space, by joint; bind: the character's bind pose."""
    result = dict(turned)
    _share(result, bind, body.hips, body.trunk)
    if body.head is not None:
        _share(result, bind, body.trunk[-1] if body.trunk else body.hips, (*body.neck, body.head))
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


class Poser:
    """Makes poses of a character. Feet that do not hang below their legs in the skeleton, as in rigs whose feet are
    controls, follow the legs in the result."""

    def __init__(self, rig: Rig, body: Humanoid, bind: World, up: Array) -> None:
        """bind: the bind pose; up [4]: the rotation that turned it to Y-up."""
        self._rig, self._hips, self._up = rig, body.hips, up
        self._offsets = rig.offsets.copy()
        self._carriers = list(rig.parents)
        self._loose: list[int] = []
        for leg in (body.left_leg, body.right_leg):
            if not rig.tree.is_below(leg.foot, leg.lower):
                self._carriers[leg.foot] = leg.lower
                back = inverse(bind.rotations[0, leg.lower])
                self._offsets[leg.foot] = rotate(back, bind.positions[0, leg.foot] - bind.positions[0, leg.lower])
                self._loose.append(leg.foot)
        joints = range(len(rig.parents))
        later = {joint for joint in joints if any(rig.tree.is_below(joint, foot) for foot in self._loose)}
        self._order = sorted(joints, key=lambda joint: (joint in later, joint))

    def posed(self, turned: Mapping[int, Array], position: Array) -> World:
        """Returns poses with the hips at positions [F, 3]. turned: rotations [F, 4] in model space, by joint; the
        others keep their bind pose relative to the joint above."""
        frames, joints = len(position), len(self._order)
        world = World(np.empty((frames, joints, 4)), np.empty((frames, joints, 3)))
        for joint in self._order:
            parent, carrier = self._rig.parents[joint], self._carriers[joint]
            above = self._up if parent < 0 else world.rotations[:, parent]
            own = turned.get(joint)
            world.rotations[:, joint] = multiply(above, self._rig.rotations[joint]) if own is None else own
            if joint == self._hips:
                world.positions[:, joint] = position
            elif carrier < 0:
                world.positions[:, joint] = rotate(self._up, self._offsets[joint])
            else:
                world.positions[:, joint] = world.positions[:, carrier] + rotate(world.rotations[:, carrier],
                                                                                 self._offsets[joint])
        return world

    def transforms(self, world: World, turned: Mapping[int, Array]) -> Array:
        """Returns the local transforms [F, J, 10] of poses: those of the bind pose, with the rotations of turned joints
        and the positions of the hips and of feet that do not hang below their legs."""
        rig = self._rig
        result = np.repeat(rig.skeleton.bind[None], len(world.positions), axis=0)
        rotation, offset = rig.rigid(result)
        placed = (self._hips, *self._loose)
        for joint in {*turned, *placed}:
            parent = rig.parents[joint]
            back = inverse(self._up if parent < 0 else world.rotations[:, parent])
            rotation[:, joint] = multiply(back, world.rotations[:, joint])
            if joint in placed:
                start = 0.0 if parent < 0 else world.positions[:, parent]
                offset[:, joint] = rotate(back, world.positions[:, joint] - start) / rig.above(joint)
        rotation, offset = rig.local(rotation, offset)
        for joint in turned:
            result[:, joint, ROTATION] = rotation[:, joint]
        for joint in placed:
            result[:, joint, TRANSLATION] = offset[:, joint]
        return result
