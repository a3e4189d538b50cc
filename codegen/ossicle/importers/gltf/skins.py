"""Reads the skins of a glTF file, and finds those of the same character.

Exporters write a skin for each mesh, which lists the joints of that mesh. Skins belong to the same character if they
share a joint, if one skin's joints are below the other's, if the lowest node above the joints is the same for both, or
if a node above the joints of both moves and thus becomes a joint. A character has the joints of all its skins.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.arrays import Array
from ...base.option_names import named
from ...model.clip import ImportProblem, problems_of
from . import json_values as gltf_json
from .accessors import Accessors
from .json_values import REEXPORT
from .nodes import NodeTree

NO_SKIN = "none"
_SHOWN = 8
_SAME_MATRIX = 1e-4


@dataclass(frozen=True, eq=False)
class Skin:
    """A skin. joints: nodes, in the order of the skin; inverse_bind: the matrix [4, 4] of each; home: the node above
    its joints, or -1."""

    index: int
    name: str
    joints: list[int]
    inverse_bind: dict[int, Array]
    home: int

    @property
    def label(self) -> str:
        return f"{self.index}{' ' + self.name if self.name else ''} ({len(self.joints)} joints)"


def read_skins(root: dict[str, Any], accessors: Accessors, nodes: NodeTree) -> list[Skin]:
    """Returns the skins of a file. Raises ImportProblem."""
    skins = []
    for index, skin in enumerate(gltf_json.objects(root, "skins")):
        where = f"skin {index}"
        joints = [
            gltf_json.whole(value, f"{where}: joint", len(nodes))
            for value in gltf_json.items(skin, "joints", where)
        ]
        if not joints or len(set(joints)) < len(joints):
            what = "lists a joint twice" if joints else "has no joints"
            raise ImportProblem(f"{where}: {what}; {REEXPORT}")
        matrices = np.repeat(np.eye(4)[None], len(joints), axis=0)
        accessor = gltf_json.integer(
            skin, "inverseBindMatrices", where, accessors.count, default=None
        )
        if accessor is not None:
            with problems_of(f"{where}: inverse bind matrices"):
                columns = accessors.values(accessor, "MAT4")
            if len(columns) < len(joints):
                raise ImportProblem(
                    f"{where}: {len(columns)} inverse bind matrices for {len(joints)} joints; "
                    f"{REEXPORT}"
                )
            matrices = columns[: len(joints)].reshape(-1, 4, 4).transpose(0, 2, 1)
        name = gltf_json.text(skin, "name", where, "")
        top = gltf_json.integer(skin, "skeleton", where, len(nodes), default=None)
        home = _home(joints if top is None else [*joints, top], set(joints), nodes)
        skins.append(Skin(index, name, joints, dict(zip(joints, matrices)), home))
    return skins


def _home(below: Sequence[int], joints: set[int], nodes: NodeTree) -> int:
    """Returns the lowest node above all of these, its parent if that node is a joint, or -1."""
    path = [below[0], *nodes.ancestors(below[0])]
    position = {ancestor: at for at, ancestor in enumerate(path)}
    seen, highest = set(path), 0
    for node in below[1:]:
        while node >= 0 and node not in seen:
            seen.add(node)
            node = nodes.parents[node]
        if node < 0:
            return -1
        highest = max(highest, position.get(node, 0))
    return nodes.parents[path[highest]] if path[highest] in joints else path[highest]


def choose_skin(skins: Sequence[Skin], nodes: NodeTree, moves: Callable[[int], bool], choice: str | int | None,
                warnings: list[str]) -> Skin | None:
    """Returns a skin with the joints of all selected ones, or None without skins. moves: whether a node moves; choice:
    a name, an index, several of these separated by commas, NO_SKIN for the joints of all skins, or None for the only
    character. Raises ImportProblem."""
    if choice is None:
        characters = _characters(skins, nodes, moves)
        if len(characters) > 1:
            raise ImportProblem(f"has several skeletons: {_listed(characters)}; choose one with {named('--skin')}")
        chosen = list(skins)
    elif choice == NO_SKIN and all(skin.name != NO_SKIN for skin in skins):
        chosen = list(skins)
    else:
        chosen = _named_skins(skins, str(choice))
    if not chosen:
        return None
    first, inverse_bind = chosen[0], dict(chosen[0].inverse_bind)
    for skin in chosen[1:]:
        if any(node in inverse_bind and np.abs(inverse_bind[node] - matrix).max() > _SAME_MATRIX
               for node, matrix in skin.inverse_bind.items()):
            warnings.append(f"skins {first.index} and {skin.index} have different inverse bind matrices; those of "
                            f"skin {first.index} are used")
        inverse_bind = skin.inverse_bind | inverse_bind
    joints = list(dict.fromkeys(node for skin in chosen for node in skin.joints))
    return Skin(first.index, first.name, joints, inverse_bind, first.home)


def _characters(skins: Sequence[Skin], nodes: NodeTree, moves: Callable[[int], bool]) -> list[list[Skin]]:
    same = list(range(len(skins)))  # disjoint sets: each skin points to another of its character, the root to itself

    def root(number: int) -> int:
        while same[number] != number:
            same[number] = number = same[same[number]]
        return number

    skin_of: dict[int, int] = {}
    below: dict[int, int] = {}
    above = [(skin.home, *nodes.ancestors(skin.home)) if skin.home >= 0 else () for skin in skins]
    for number, skin in enumerate(skins):
        others = [skin_of.setdefault(node, number) for node in skin.joints]
        others += [below.setdefault(node, number) for node in above[number] if node == skin.home or moves(node)]
        for other in others:
            same[root(number)] = root(other)
    for number, ancestors in enumerate(above):
        same[root(number)] = root(next((skin_of[node] for node in ancestors if node in skin_of), number))
    characters: dict[int, list[Skin]] = {}
    for number, skin in enumerate(skins):
        characters.setdefault(root(number), []).append(skin)
    return list(characters.values())


def _named_skins(skins: Sequence[Skin], choice: str) -> list[Skin]:
    if any(skin.name == choice for skin in skins):
        return [_named_skin(skins, choice)]
    return sorted((_named_skin(skins, part) for part in choice.split(",")), key=lambda skin: skin.index)


def _named_skin(skins: Sequence[Skin], choice: str) -> Skin:
    found = [skin for skin in skins if skin.name and skin.name == choice]
    if len(found) > 1:
        raise ImportProblem(f"several skins are named {choice}: {_listed([[skin] for skin in found])}; give the index")
    if not found:
        found = [skin for skin in skins if str(skin.index) == choice]
    if not found:
        known = _listed([[skin] for skin in skins]) if skins else "it has no skins"
        raise ImportProblem(f"no skin {choice}: {known}; choose another, or {NO_SKIN} for all nodes that move")
    return found[0]


def _listed(characters: Sequence[Sequence[Skin]]) -> str:
    shown = [" with ".join(skin.label for skin in character[:_SHOWN]) for character in characters[:_SHOWN]]
    return ", ".join(shown) + (", ..." if len(characters) > _SHOWN else "")
