"""Reads the curves of a glTF file: weights of morph targets, and animated numbers in extras.

The curve of a weight is named after its target in `mesh.extras.targetNames`, or else after its mesh and number. Meshes
often share targets, such as a face and its teeth: equal curves of the same name are one curve; others get the name of
their node as a prefix.
"""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.curve_names import name_problem
from ...model.clip import ImportProblem, problems_of
from ...model.curves.keys import CurveKeys
from ...model.interpolation import CUBIC
from . import json_values as gltf_json
from .accessors import Accessors
from .equal_times import EqualTimes, differing_keys, equal_times_of, merged_times, merged_values, warnings_of
from .json_values import REEXPORT
from .nodes import NodeTree
from .sampling import key_times

_WEIGHTS = re.compile(r"/(nodes|meshes)/(\d{1,9})/weights(?:/(\d{1,9}))?", re.ASCII)
_EXTRAS = re.compile(r"/(nodes|meshes)/(\d{1,9})/extras/([^/]+)", re.ASCII)
_MOST_TARGETS = 1 << 12


@dataclass(frozen=True)
class Target:
    """The target of a channel: all weights of a node's mesh, or the weight `number`, or the number `extra` in extras.
    kind: nodes or meshes."""

    kind: str
    index: int
    number: int | None = None
    extra: str = ""


@dataclass(frozen=True)
class CurveChannel:
    """A channel of an animation with its target, its interpolation, and the accessors of its keys."""

    target: Target
    interpolation: str
    keys: int
    values: int


@dataclass(frozen=True, eq=False)
class _Found:
    """A curve of an animation. owner: the node or mesh, for names that are not unique."""

    name: str
    owner: str
    default: float
    keys: CurveKeys


def pointed_at(pointer: str) -> Target | None:
    """Returns the target of a KHR_animation_pointer if that is a curve, otherwise None."""
    if match := _WEIGHTS.fullmatch(pointer):
        return Target(match[1], int(match[2]), None if match[3] is None else int(match[3]))
    if match := _EXTRAS.fullmatch(pointer):
        return Target(match[1], int(match[2]), extra=match[3].replace("~1", "/").replace("~0", "~"))
    return None


def curves_of(root: dict[str, Any], accessors: Accessors, nodes: NodeTree,
              animations: Sequence[tuple[str, Sequence[CurveChannel]]], warnings: list[str]) \
        -> tuple[list[dict[str, CurveKeys]], dict[str, float]]:
    """Returns the curves of each animation, and their values in clips without them, by name. animations: names and
    channels. Warns about weights without a morph target. Raises ImportProblem."""
    found: list[list[_Found]] = []
    for name, channels in animations:
        with problems_of(f"clip {name}"):
            equal: list[EqualTimes] = []
            found.append([curve for channel in channels
                          for curve in _read(root, accessors, nodes, channel, equal, warnings)])
            warnings += warnings_of(name, equal)
    ambiguous = _ambiguous(found)
    curves: list[dict[str, CurveKeys]] = [{} for _ in animations]
    defaults: dict[str, float] = {}
    for number, some in enumerate(found):
        for curve in some:
            name = f"{curve.owner}.{curve.name}" if curve.name in ambiguous else curve.name
            if not curves[number].setdefault(name, curve.keys).same_as(curve.keys):
                raise ImportProblem(f"clip {animations[number][0]}: curve {name}: two different curves have this name; "
                                    "rename a node or a shape key")
            defaults.setdefault(name, curve.default)
    return curves, defaults


def _ambiguous(found: Sequence[Sequence[_Found]]) -> set[str]:
    """Returns the names that have different curves in one animation, or different values at rest."""
    ambiguous = set()
    defaults: dict[str, float] = {}
    for some in found:
        first: dict[str, _Found] = {}
        for curve in some:
            other = first.setdefault(curve.name, curve)
            if not other.keys.same_as(curve.keys) or defaults.setdefault(curve.name, curve.default) != curve.default:
                ambiguous.add(curve.name)
    return ambiguous


def _read(root: dict[str, Any], accessors: Accessors, nodes: NodeTree, channel: CurveChannel, equal: list[EqualTimes],
          warnings: list[str]) -> list[_Found]:
    target = channel.target
    owners = gltf_json.objects(root, target.kind)
    where = f"{'node' if target.kind == 'nodes' else 'mesh'} {target.index}"
    if target.index >= len(owners):
        raise ImportProblem(f"{where} is animated, but the file has {len(owners)} {target.kind}; {REEXPORT}")
    owner = owners[target.index]
    title = nodes.name(target.index) if target.kind == "nodes" else gltf_json.text(owner, "name", where, "") or \
        f"mesh{target.index}"
    if target.extra:
        extras = owner.get("extras")
        value = extras.get(target.extra) if isinstance(extras, dict) else None
        plain = isinstance(value, int | float) and not isinstance(value, bool)
        rest = float(value) if value is not None and plain and abs(value) <= gltf_json.MAX_MAGNITUDE else 0.0
        return _split(channel, accessors, [target.extra], [rest], title, equal)
    names, defaults = targets_of(root, owner, target, where)
    if not names:
        warnings.append(f"{where}: its weights are animated, but it has no mesh with morph targets; they are left out")
        return []
    if target.number is not None:
        if target.number >= len(names):
            raise ImportProblem(f"{where}: weight {target.number} is animated, and its mesh has {len(names)} morph "
                                f"targets; {REEXPORT}")
        names, defaults = [names[target.number]], [defaults[target.number]]
    return _split(channel, accessors, names, defaults, title, equal)


def targets_of(root: dict[str, Any], owner: dict[str, Any], target: Target,
               where: str) -> tuple[list[str], list[float]]:
    """Returns the names of the morph targets of a node or mesh, and their weights at rest."""
    mesh, number = owner, target.index
    if target.kind == "nodes":
        meshes = gltf_json.objects(root, "meshes")
        number = gltf_json.integer(owner, "mesh", where, len(meshes), default=None)
        if number is None:
            return [], []
        mesh = meshes[number]
    location = f"mesh {number}"
    primitives = gltf_json.objects(mesh, "primitives", location)
    count = len(gltf_json.items(primitives[0], "targets", location)) if primitives else 0
    if count == 0:
        return [], []
    if count > _MOST_TARGETS:
        raise ImportProblem(f"{location}: {count} morph targets, over {_MOST_TARGETS}; {REEXPORT}")
    extras = mesh.get("extras")
    given = extras.get("targetNames") if isinstance(extras, dict) else None
    title = gltf_json.text(mesh, "name", location, "") or f"mesh{number}"
    names = [f"{title}.{index}" for index in range(count)]
    if isinstance(given, list) and len(given) == count and all(isinstance(name, str) and name for name in given):
        names = [name if given.count(name) == 1 else _numbered(name, index, given) for index, name in enumerate(given)]
    rest = (0.0,) * count
    for source, place in ((mesh, location), (owner, where)):
        rest = gltf_json.numbers(source, "weights", place, rest)
    return names, list(rest)


def _numbered(name: str, index: int, taken: Sequence[str]) -> str:
    """Appends the number to the name until it is unique."""
    while name in taken:
        name = f"{name}.{index}"
    return name


def _split(channel: CurveChannel, accessors: Accessors, names: Sequence[str], defaults: Sequence[float], owner: str,
           equal: list[EqualTimes]) -> list[_Found]:
    """Returns the curve of each name. Appends curves with several keys at the same time to `equal`."""
    label = f"curve {names[0]}" if len(names) == 1 else f"weights of {owner}"
    for name in names:
        if problem := name_problem(name):
            raise ImportProblem(f"{label}: the name {name!r} {problem}; rename the shape key or property")
    times = key_times(channel.keys, label, accessors)
    with problems_of(label):
        values = accessors.values(channel.values, "SCALAR", normalised=True)[:, 0]
        cubic = channel.interpolation == CUBIC
        needed = len(times) * len(names) * (3 if cubic else 1)
        if len(values) != needed:
            raise ImportProblem(f"{len(values)} values for {len(times)} {channel.interpolation} keys of {len(names)} "
                                f"numbers, expected {needed}; {REEXPORT}")
    parts = np.moveaxis(values.reshape(len(times), 3, len(names)), 2, 0) if cubic else values.reshape(len(times), -1).T
    found = []
    for name, default, part in zip(names, defaults, parts):
        at, values = times, part
        if np.any(np.diff(times) == 0.0):
            jumps = differing_keys(times, part[..., None], False, channel.interpolation)
            equal.append(equal_times_of(f"curve {name}", times, jumps))
            at, into, rest = merged_times(times, jumps, channel.interpolation)
            values = merged_values(part, into, rest, channel.interpolation)
        found.append(_Found(name, owner, default, CurveKeys(at, np.ascontiguousarray(values), channel.interpolation)))
    return found
