"""Reads the animations of a glTF file, samples them as clips, and reads the skeleton that they move."""
from __future__ import annotations

import re
import sys
from collections import Counter, deque
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...base.option_names import named
from ...model.clip import TRACK_KINDS, Clip, Imported, ImportProblem, check_name, problems_of
from ...model.import_options import ImportOptions
from ...model.events import Event
from ...model.interpolation import INTERPOLATIONS, LINEAR
from ...model.key_rate import sampling_rate
from ...model.sampling import sample
from ..clip_choice import ClipChoice, rename_example
from ..joint_choice import listed, socket_example
from . import json_values as gltf_json
from .accessors import Accessors
from .curves import CurveChannel, Target, curves_of, pointed_at
from .equal_times import warnings_of
from .events import events_of
from .file import GltfFile
from .joint_nodes import find_joints, moved_nodes
from .json_values import REEXPORT
from .motion import Motion
from .nodes import NodeTree
from .placing import placed_on
from .sampling import GltfCurve, Track, with_keys
from .skeleton import Rig, build_rig
from .skins import read_skins
from .skins import NO_SKIN
from .weights import carrying_joints

_PATHS = (*TRACK_KINDS, "weights")
_POINTER = re.compile(r"/nodes/(\d{1,9})/(rotation|translation|scale)")


@dataclass(frozen=True, eq=False)
class _Channels:
    """The targets of an animation's channels. tracks: (node, track) for each that moves a node; left_out: pointers to
    targets that are not supported."""

    tracks: list[tuple[int, Track]]
    curves: list[CurveChannel]
    left_out: list[str]


@dataclass(frozen=True)
class _Animation:
    """An animation of a file."""

    name: str
    chosen: bool
    channels: _Channels
    events: tuple[Event, ...]


def read_gltf(path: Path, data: bytes, options: ImportOptions, choice: ClipChoice) -> Imported:
    """Returns the skeleton and the selected clips of a .glb or .gltf file's bytes. path: the file; external buffers are
    relative to its folder. Skips animations that move no joint, with a warning. Raises ImportProblem, which names the
    clip and the joint; the caller prefixes the file name."""
    return GltfSource(path, data, options, choice).read()[0]


class GltfSource:
    """The animations of a .glb or .gltf file, which can be read for the skeleton of this file or another one. The
    parameters are those of read_gltf. Raises ImportProblem."""

    def __init__(self, path: Path, data: bytes, options: ImportOptions, choice: ClipChoice):
        file = GltfFile(path, data, options.outside)
        self._path, self._root, self._options, self._warnings = path, file.root, options, file.warnings
        self._accessors = Accessors(file)
        self._nodes = NodeTree(file.root)
        targets: set[int | None] = set()
        with suppress(ImportProblem):  # reading the animations names what is wrong, and drops them from the JSON
            targets = moved_nodes(file.root, self._nodes)
        self._animations = _read_animations(path, file.root, self._accessors, self._nodes, choice)
        self._curves, self._at_rest = curves_of(file.root, self._accessors, self._nodes, [
            (animation.name, animation.channels.curves if animation.chosen else ())
            for animation in self._animations], self._warnings)
        _warn_of_pointers(self._animations, self._warnings)
        self._motion = Motion({animation.name: [track for _, track in animation.channels.tracks]
                               for animation in self._animations if animation.chosen}, targets, self._accessors,
                              self._nodes)

    def read(self, also: Collection[str] = (), is_first: bool = False, is_later: bool = False) -> tuple[Imported, Rig]:
        """Returns the clips and the rig of this file. also: names of nodes that clips of other files move; is_first:
        whether other files with clips may use this skeleton; is_later: whether the file may lack the skin that the
        options name, because it uses the skeleton of another file."""
        if not self._animations and not is_first:
            raise ImportProblem("has no animations; name it first, so that other files move its skeleton" if is_later
                                else "has no animations; export it with animations, or add files that have some")
        warnings = list(self._warnings)
        animated = {node for animation in self._animations for node, _ in animation.channels.tracks} or {
            channel.target.index for animation in self._animations for channel in animation.channels.curves
            if channel.target.kind == "nodes" and channel.target.index < len(self._nodes)}
        options = self._options
        if is_later and not gltf_json.objects(self._root, "skins"):
            options = replace(options, skin=None)
        elsewhere = {node for node in self._nodes.order if self._nodes.name(node) in also} if also else set()
        rig = build_rig(read_skins(self._root, self._accessors, self._nodes), self._nodes, animated | elsewhere,
                        lambda node: node in elsewhere or self._motion.moves(node), options, warnings)
        imported = self._imported(rig, warnings, may_be_empty=is_first)
        ignored = self._motion.ignored(rig)
        for names, why, remedy in (
            ([node for node in ignored if node in rig.dropped], "are above the root joints and were dropped", False),
            ([node for node in ignored if node not in rig.dropped], "are not joints of the skin", True),
        ):
            _warn_of_ignored([self._nodes.name(node) for node in names], why, remedy, warnings)
        return imported, rig

    def read_onto(self, rig: Rig, owner: str) -> Imported:
        """Returns the clips for the skeleton of another file, whose joints have the names of nodes in this file. Joints
        that a clip does not move keep the rest pose of the other file. owner: the name of that file."""
        warnings = list(self._warnings)
        placed = placed_on(rig, owner, self._root, self._motion, self._options, warnings)
        imported = self._imported(placed, warnings, owner=owner)
        ignored = [self._nodes.name(node) for node in self._motion.ignored(placed)]
        for reachable in (True, False):
            _warn_of_ignored([name for name in ignored if (name in rig.plain) == reachable],
                             f"are not joints of {owner}",
                             reachable, warnings)
        return imported

    def has_rivals(self, rig: Rig) -> bool:
        """Returns whether several nodes may be the same joint of the rig."""
        return bool(find_joints(self._root, self._nodes, self._motion.targets, rig.skeleton, ()).rivals)

    def moving(self, names: Collection[str]) -> set[str]:
        """Returns the given names whose nodes the clips move."""
        return {self._nodes.name(node) for node in range(len(self._nodes))
                if self._nodes.name(node) in names and self._motion.moves(node)}

    def _imported(self, rig: Rig, warnings: list[str], may_be_empty: bool = False, owner: str = "") -> Imported:
        """Returns the clips that move joints of a rig. warnings: part of the result, appended to; may_be_empty: whether
        there may be no clips; owner: the name of the rig's file if that is another one."""
        clips: list[Clip] = []
        joint_frames = 0
        options = self._options
        for animation, clip_curves in zip(self._animations, self._curves):
            if not animation.chosen:
                continue
            tracks = [track for node, track in animation.channels.tracks if node in rig.joint_of]
            if not tracks and not clip_curves:
                warnings.append(f"clip {animation.name}: moves no joint, skipped")
                continue
            with problems_of(f"clip {animation.name}"):
                keyed, equal = with_keys(tracks, rig.joint_of, self._accessors)
                warnings += warnings_of(animation.name, equal)
                curve = GltfCurve(keyed, rig, np.arange(len(rig.rest)))
                keys = [curve_keys.times for curve_keys in clip_curves.values()]
                if keys:
                    ends = [times[-1] for times in (*keys, *([curve.times] if tracks else ()))]
                    curve = replace(curve, end=float(max(ends)))
                rate = sampling_rate(np.unique(np.concatenate([curve.times, *keys]))) if options.fps is None else \
                    float(options.fps)
                clip = sample(animation.name, curve, rate, joint_frames, self._path.name,
                              follows_curve=options.fps is None)
                clips.append(replace(clip, events=animation.events, curves=clip_curves))
            joint_frames += clips[-1].steps.shape[0] * clips[-1].steps.shape[1]
        if not clips and all(animation.chosen for animation in self._animations) and not may_be_empty:
            raise ImportProblem(
                f"no animation moves a joint{f' of {owner}' if owner else ''}; export the skeleton's animations, or "
                f"choose another skin, or {named('--skin', NO_SKIN)} for all nodes that move"
            )
        carrying = carrying_joints(self._root, self._accessors, self._nodes, rig.joint_of)
        names = rig.skeleton.names
        return Imported(rig.skeleton, clips, warnings, carrying=None if carrying is None else frozenset(
            names[joint] for joint in carrying), nodes=rig.plain, curves=self._at_rest)


def _read_animations(
    path: Path, root: dict[str, Any], accessors: Accessors, nodes: NodeTree, choice: ClipChoice
) -> list[_Animation]:
    first: dict[str, int] = {}
    animations = []
    repeats: Counter[str] = Counter()
    unread = deque(gltf_json.objects(root, "animations"))
    root.pop("animations", None)  # each is freed once it is read: they are most of the JSON
    names = [gltf_json.name(animation, f"animation {index}") for index, animation in enumerate(unread)]
    for index in range(len(unread)):
        animation, where = unread.popleft(), f"animation {index}"
        name = names[index] or f"animation{index}"
        check_name(name, f"{where}:")
        repeats[name] += 1
        old_name, number = name, repeats[name]
        name = choice.name_of(path, old_name, number)
        chosen = choice.takes(name, old_name)
        if chosen and name in first:
            raise ImportProblem(
                f"clip {name}: animations {first[name]} and {index} both have this name; rename one, "
                f"such as the second with {rename_example(f'{old_name}#{number}', f'{name}_2')}"
            )
        if chosen:
            first[name] = index
        with problems_of(f"clip {name}"):
            channels = _read_channels(animation, accessors, nodes)
            animations.append(_Animation(name, chosen, channels, events_of(animation) if chosen else ()))
    return animations


def _read_channels(animation: dict[str, Any], accessors: Accessors, nodes: NodeTree) -> _Channels:
    samplers = gltf_json.objects(animation, "samplers")
    seen = set()
    found = _Channels([], [], [])
    for number, channel in enumerate(gltf_json.objects(animation, "channels")):
        where = f"channel {number}"
        target = _target(channel, where, nodes)
        if target is None:
            continue
        if isinstance(target, str):
            found.left_out.append(target)
            continue
        if target in seen:
            what, kind = _described(target, nodes)
            raise ImportProblem(f"{what}: two channels for {kind}; {REEXPORT}")
        seen.add(target)
        sampler_index = gltf_json.integer(channel, "sampler", where, len(samplers))
        sampler, where = samplers[sampler_index], f"sampler {sampler_index}"
        # interned here and in _target: if every track kept its own string of the JSON, that would be 1 MB for 9,000
        interpolation = sys.intern(gltf_json.text(sampler, "interpolation", where, LINEAR))
        if interpolation not in INTERPOLATIONS:
            what, kind = _described(target, nodes)
            raise ImportProblem(
                f"{what}: {kind}: interpolation {interpolation} is unknown, "
                f"expected one of {', '.join(INTERPOLATIONS)}; {REEXPORT}"
            )
        keys = gltf_json.integer(sampler, "input", where, accessors.count)
        values = gltf_json.integer(sampler, "output", where, accessors.count)
        if isinstance(target, Target):
            found.curves.append(CurveChannel(target, interpolation, keys, values))
        else:
            node, kind = target
            found.tracks.append((node, Track(node, nodes.name(node), kind, interpolation, keys, values)))
    return found


def _described(target: tuple[int, str] | Target, nodes: NodeTree) -> tuple[str, str]:
    """Returns the names of a target and of what moves it, for messages."""
    if isinstance(target, Target):
        return f"{target.kind[:-1]} {target.index}", target.extra or "weights"
    return nodes.describe(target[0]), target[1]


def _target(channel: dict[str, Any], where: str, nodes: NodeTree) -> tuple[int, str] | Target | str | None:
    """Returns the node and the kind of track, or a curve; otherwise the pointer of the target, or None for a target
    without a node or of an unknown kind."""
    target = gltf_json.mapping(channel, "target", where)
    path = sys.intern(gltf_json.text(target, "path", where))
    if path == "pointer":
        extensions = gltf_json.mapping(target, "extensions", where)
        named_in = gltf_json.mapping(extensions, "KHR_animation_pointer", where)
        pointer = gltf_json.text(named_in, "pointer", where)
        if match := _POINTER.fullmatch(pointer):
            return gltf_json.whole(int(match[1]), f"{where}: node", len(nodes)), match[2]
        return pointed_at(pointer) or pointer
    if path not in _PATHS or "node" not in target:
        return None
    node = gltf_json.integer(target, "node", where, len(nodes))
    return Target("nodes", node) if path == "weights" else (node, path)


def _warn_of_ignored(names: Sequence[str], why: str, has_remedy: bool, warnings: list[str]) -> None:
    if names:
        warnings.append(f"the motion of nodes that {why} is ignored: {listed(names)}"
                        + (f"; add joints with {socket_example(names)}" if has_remedy else ""))


def _warn_of_pointers(animations: Sequence[_Animation], warnings: list[str]) -> None:
    pointers = sorted({pointer for animation in animations if animation.chosen
                       for pointer in animation.channels.left_out})
    if pointers:
        warnings.append("only joints, weights of morph targets and numbers in extras can be animated; left out: "
                        f"{listed(pointers)}")
