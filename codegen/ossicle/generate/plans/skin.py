"""Plans the generated skinning matrices: their format, and the joints that follow others."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ldexp

import numpy as np

from ...bank.file import Bank
from ...base.arrays import Array
from ...base.option_names import named
from ...base.portable_math import dot, length, product, solution
from ...base.problem import SettingProblem
from ...model.mesh.skinning import ONE_Q20, rotation_rows
from ..matrix_formats import FORMATS

# The largest error of a joint that follows its parent (relative to 1, and in metres): the float32 rounding of equal
# matrices, and too small to be visible.
FOLLOW_TOLERANCE = ldexp(1.0, -14)

# Clips may move joints further from their parents than the bind pose does.
_Q14_MARGIN = 2.0
_Q14_BITS = range(18, 7, -1)


@dataclass(frozen=True)
class SkinPlan:
    """The content of the skinning template. compose: (joint, parent or None) for the joints whose model matrices it
    computes; empty if the generated composition computes them all; products: the joints with a matrix of their own;
    followers: (joint, the joint whose matrix it has); bits: the fraction bits of translations in q14;
    offsets: the translations of the inverse bind matrices, in `bits` with q14 and otherwise in Q20, empty if some of
    them turn or scale."""

    format: str
    matrix: str
    size_bytes: int
    crc: str
    bits: int
    rigid: bool
    offsets: tuple[tuple[int, ...], ...]
    compose: tuple[tuple[str, str | None], ...]
    products: tuple[str, ...]
    followers: tuple[tuple[str, str], ...]


def plan_skin(bank: Bank, identifiers: Sequence[str], matrices: str | None,
              rigid: bool) -> SkinPlan | None:
    """Returns the plan for a bank, or None without skinning matrices.

    matrices: one of CHOICES, or None for q20 if the bank has inverse bind matrices; rigid: whether joints that no clip
    moves follow their parent if their bind pose allows it. Raises SettingProblem if the bank lacks the matrices or does
    not fit the format.
    """
    if matrices is None:
        matrices = "q20" if bank.inverse_bind else "none"
    if matrices == "none" and rigid:
        raise SettingProblem(f"{named('--rigid', True)} applies to skinning matrices, and none are "
                             f"generated; choose a format of {named('--matrices')}, and encode with "
                             f"{named('--skin-matrices', True)}")
    if matrices == "none":
        return None
    if bank.inverse_bind is None:
        raise SettingProblem(f"{named('--matrices', matrices)} needs inverse bind matrices, which the "
                             f"bank does not have; encode it with {named('--skin-matrices', True)}")
    leaders = _leaders(bank) if rigid else list(range(bank.real_joints))
    own = [joint for joint, leader in enumerate(leaders) if leader == joint]
    needed = set(own)
    for joint in reversed(range(bank.real_joints)):
        parent = bank.joints[joint].parent
        if joint in needed and parent is not None:
            needed.add(parent)
    plain = not rigid and matrices != "q14"
    matrix, size = FORMATS[matrices]
    bits = _q14_bits(bank) if matrices == "q14" else 0
    return SkinPlan(
        format=matrices, matrix=matrix, size_bytes=size * len(leaders),
        crc=f"0x{bank.skin_crc:08x}u", bits=bits,
        rigid=rigid, offsets=_offsets(bank, bits),
        compose=() if plain else tuple(
            (identifiers[joint], None if (parent := bank.joints[joint].parent) is None
             else identifiers[parent]) for joint in sorted(needed)),
        products=tuple(identifiers[joint] for joint in own),
        followers=tuple((identifiers[joint], identifiers[leader])
                        for joint, leader in enumerate(leaders) if joint != leader))


def _bind_models(bank: Bank) -> list[Array]:
    """Returns the 4x4 model matrices of the bind pose."""
    models: list[Array] = []
    for joint in bank.joints[:bank.real_joints]:
        bind = np.array(joint.bind) / ONE_Q20
        local = np.eye(4)
        local[:3, :3] = rotation_rows(bind[:4])
        if bank.has_scale:
            local[:3, :3] *= bind[7:10]
        local[:3, 3] = bind[4:7]
        models.append(local if joint.parent is None else product(models[joint.parent], local))
    return models


def _inverses(bank: Bank) -> Array:
    """Returns the inverse bind matrices as float64 [J, 3, 4], without curve joints."""
    return np.array(bank.inverse_bind).reshape(-1, 3, 4)[:bank.real_joints] / ONE_Q20


def _offsets(bank: Bank, bits: int) -> tuple[tuple[int, ...], ...]:
    """Returns the translations of the inverse bind matrices with `bits` fraction bits, in Q20 with 0 bits, or () if a
    matrix has other elements than these. An element of a model matrix times such a matrix is exactly itself."""
    rows = np.array(bank.inverse_bind, np.int64).reshape(-1, 3, 4)[:bank.real_joints]
    if np.any(rows[:, :, :3] != ONE_Q20 * np.eye(3, dtype=np.int64)):
        return ()
    moves = rows[:, :, 3]
    if bits:
        moves = (moves + (1 << (19 - bits))) >> (20 - bits)
    return tuple(tuple(map(int, move)) for move in moves)


def _leaders(bank: Bank) -> list[int]:
    """Returns for every joint the joint whose skinning matrix it has: the joint itself, or its parent's leader if no
    clip moves the joint and their matrices agree in the bind pose."""
    models = _bind_models(bank)
    leaders: list[int] = []
    skins = [product(model[:3, :3], inverse[:, :3])
             for model, inverse in zip(models, _inverses(bank))]
    moves = [dot(model[:3, :3], inverse[:, 3]) + model[:3, 3]
             for model, inverse in zip(models, _inverses(bank))]
    for index, joint in enumerate(bank.joints[:bank.real_joints]):
        leader = index
        if joint.parent is not None and not any(joint.subtracks):
            candidate = leaders[joint.parent]
            linear_error = skins[index] - skins[candidate]
            offset_error = moves[index] - moves[candidate]
            # the joint's position in the mesh: an error there moves the vertices around it
            position = solution(skins[index], models[index][:3, 3] - moves[index])
            if position is not None and max(np.abs(linear_error).max(), np.abs(
                    offset_error + dot(linear_error, position)).max()) <= FOLLOW_TOLERANCE:
                leader = candidate
        leaders.append(leader)
    return leaders


def _q14_bits(bank: Bank) -> int:
    """Returns the fraction bits with which all translations fit. Raises SettingProblem if none suffice."""
    inverses, models = _inverses(bank), _bind_models(bank)
    for index, joint in enumerate(bank.joints[:bank.real_joints]):
        skin = product(models[index][:3, :3], inverses[index][:, :3])
        largest = max(length(rows).max()
                      for rows in (models[index][:3, :3], inverses[index][:, :3], skin))
        if largest >= 2.0:
            raise SettingProblem(f"joint {joint.name}: its bind pose or inverse bind matrix has a scale "
                                 f"of {largest:.4g}, q14 holds less than 2; choose "
                                 f"{named('--matrices', 'q20')}")
    lengths = [length(inverse[:, 3]) for inverse in inverses]
    lengths += [length(np.array(joint.bind[4:7])) / ONE_Q20 for joint in bank.joints
                if joint.parent is not None]
    longest = _Q14_MARGIN * max(map(float, lengths))
    for bits in _Q14_BITS:
        if longest < ldexp(1.0, 17 - bits):
            return bits
    raise SettingProblem(f"translations reach {longest / _Q14_MARGIN:.4g} m, which q14 cannot store; choose "
                         f"{named('--matrices', 'q20')}")
