"""Reads a glTF file: its animations, the skeleton that they move, and the sampled clips."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...base.option_names import named
from ...model.clip import (
    TRACK_KINDS,
    Clip,
    Imported,
    ImportOptions,
    ImportProblem,
    check_name,
    problems_of,
)
from ...model.events import Event
from ...model.interpolation import INTERPOLATIONS, LINEAR
from ...model.key_rate import sampling_rate
from ...model.sampling import sample
from ..clip_choice import ClipChoice, rename_example
from . import json_values as gltf_json
from .accessors import Accessors
from .curves import CurveChannel, Target, curves_of, pointed_at
from .equal_times import warnings_of
from .events import events_of
from .file import GltfFile
from .json_values import REEXPORT
from .nodes import NodeTree
from .sampling import GltfCurve, Track, is_constant, with_doubles
from .skeleton import Rig, build_rig
from .weights import carrying_joints

_POINTER = re.compile(r"/nodes/(\d{1,9})/(rotation|translation|scale)")
_SHOWN = 6


@dataclass(frozen=True, eq=False)
class _Channels:
    """What the channels of an animation move. tracks: (node, track) for each that moves a node; left_out:
    the pointers to what is not read."""

    tracks: list[tuple[int, Track]]
    curves: list[CurveChannel]
    left_out: list[str]


@dataclass(frozen=True)
class _Animation:
    """channels: what it moves."""

    name: str
    chosen: bool
    channels: _Channels
    events: tuple[Event, ...]


def read_gltf(path: Path, data: bytes, options: ImportOptions, choice: ClipChoice) -> Imported:
    """Returns the skeleton and the chosen clips of a .glb or .gltf file's bytes. path: where
    external buffers are looked for.

    Animations that move no joint are skipped with a warning. Raises ImportProblem, which names the
    clip and the joint; the caller prefixes the name of the file.
    """
    file = GltfFile(path, data, options.outside)
    accessors = Accessors(file)
    nodes = NodeTree(file.root)
    animations = _read_animations(path, file.root, accessors, nodes, choice)
    if not animations:
        raise ImportProblem("has no animations; export it with animations")
    warnings = file.warnings
    animated = {node for animation in animations for node, _ in animation.channels.tracks}
    curves, at_rest = curves_of(file.root, accessors, nodes, [
        (animation.name, animation.channels.curves if animation.chosen else ()) for animation in animations], warnings)
    _warn_of_pointers(animations, warnings)
    if not animated:
        animated = {channel.target.index for animation in animations for channel in animation.channels.curves
                    if channel.target.kind == "nodes" and channel.target.index < len(nodes)}
    rig = build_rig(file.root, accessors, nodes, animated, options, warnings)
    clips: list[Clip] = []
    joint_frames = 0
    for animation, its_curves in zip(animations, curves):
        if not animation.chosen:
            continue
        tracks = [track for node, track in animation.channels.tracks if node in rig.joint_of]
        if not tracks and not its_curves:
            warnings.append(f"clip {animation.name}: moves no joint, skipped")
            continue
        with problems_of(f"clip {animation.name}"):
            _check_folded_nodes(animation, rig, accessors, nodes)
            judged = [with_doubles(track, accessors) for track in tracks]
            warnings += warnings_of(animation.name, [equal for _, equal in judged if equal])
            curve = GltfCurve([track for track, _ in judged], rig, accessors, np.arange(len(rig.rest)))
            keys = [one.times for one in its_curves.values()]
            if keys:
                ends = [times[-1] for times in (*keys, *([curve.times] if tracks else ()))]
                curve = replace(curve, end=float(max(ends)))
            rate = sampling_rate(np.unique(np.concatenate([curve.times, *keys]))) if options.fps is None else \
                float(options.fps)
            clip = sample(animation.name, curve, rate, joint_frames, path.name, follows_curve=options.fps is None)
            clips.append(replace(clip, events=animation.events, curves=its_curves))
        joint_frames += clips[-1].steps.shape[0] * clips[-1].steps.shape[1]
    if not clips and all(animation.chosen for animation in animations):
        raise ImportProblem(
            "no animation moves a joint; export the skeleton's animations, or choose another skin"
        )
    _warn_of_ignored_nodes(animated, rig, nodes, warnings)
    carrying = carrying_joints(file.root, accessors, nodes, rig.joint_of)
    names = rig.skeleton.names
    return Imported(rig.skeleton, clips, warnings, carrying=None if carrying is None else frozenset(
        names[joint] for joint in carrying), nodes=rig.plain, curves=at_rest)


def _read_animations(
    path: Path, root: dict[str, Any], accessors: Accessors, nodes: NodeTree, choice: ClipChoice
) -> list[_Animation]:
    first: dict[str, int] = {}
    animations = []
    repeats: Counter[str] = Counter()
    for index, animation in enumerate(gltf_json.objects(root, "animations")):
        where = f"animation {index}"
        name = gltf_json.text(animation, "name", where, "") or f"animation{index}"
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
        what, kind = (f"{target.kind[:-1]} {target.index}", target.extra or "weights") \
            if isinstance(target, Target) else (nodes.describe(target[0]), target[1])
        if target in seen:
            raise ImportProblem(f"{what}: two channels for {kind}; {REEXPORT}")
        seen.add(target)
        sampler_index = gltf_json.integer(channel, "sampler", where, len(samplers))
        sampler, where = samplers[sampler_index], f"sampler {sampler_index}"
        interpolation = gltf_json.text(sampler, "interpolation", where, LINEAR)
        if interpolation not in INTERPOLATIONS:
            raise ImportProblem(
                f"{what}: {kind}: interpolation {interpolation} is unknown, "
                f"expected one of {', '.join(INTERPOLATIONS)}; {REEXPORT}"
            )
        keys = gltf_json.integer(sampler, "input", where, accessors.count)
        values = gltf_json.integer(sampler, "output", where, accessors.count)
        if isinstance(target, Target):
            found.curves.append(CurveChannel(target, interpolation, keys, values))
        else:
            node = target[0]
            found.tracks.append((node, Track(node, nodes.name(node), kind, interpolation, keys, values)))
    return found


def _target(channel: dict[str, Any], where: str, nodes: NodeTree) -> tuple[int, str] | Target | str | None:
    """Returns the node and the kind of track, or a curve; the pointer to anything else, or None for targets that do
    not say what they are."""
    target = gltf_json.mapping(channel, "target", where)
    path = gltf_json.text(target, "path", where)
    if path == "pointer":
        extensions = gltf_json.mapping(target, "extensions", where)
        named_in = gltf_json.mapping(extensions, "KHR_animation_pointer", where)
        pointer = gltf_json.text(named_in, "pointer", where)
        if match := _POINTER.fullmatch(pointer):
            return gltf_json.whole(int(match[1]), f"{where}: node", len(nodes)), match[2]
        return pointed_at(pointer) or pointer
    if path not in (*TRACK_KINDS, "weights") or "node" not in target:
        return None
    node = gltf_json.integer(target, "node", where, len(nodes))
    return Target("nodes", node) if path == "weights" else (node, path)


def _check_folded_nodes(
    animation: _Animation, rig: Rig, accessors: Accessors, nodes: NodeTree
) -> None:
    """Checks that a node that was folded into a joint stays at rest. Exporters often add keys to
    such nodes, which must all be equal to the rest transform."""
    for node, track in animation.channels.tracks:
        if node in rig.folded and not is_constant(track, nodes.rest(node), accessors):
            raise ImportProblem(
                f"{nodes.describe(node)}: is animated ({track.kind}) and above joint "
                f"{rig.folded[node]}, but is no joint; bake its motion into the joints or make it "
                "a joint of the skin (if it stands above all joints, "
                f"{named('--ancestors', 'drop')} ignores it)"
            )


def _warn_of_ignored_nodes(
    animated: set[int], rig: Rig, nodes: NodeTree, warnings: list[str]
) -> None:
    for ignored, why in (
        (animated & rig.dropped, "stand above the root joints and were dropped"),
        (animated - rig.dropped - set(rig.folded) - set(rig.joint_of), "are no joints of the skin"),
    ):
        if ignored:
            names = [nodes.name(node) for node in sorted(ignored)]
            shown = ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
            warnings.append(f"the motion of nodes that {why} is ignored: {shown}")


def _warn_of_pointers(animations: Sequence[_Animation], warnings: list[str]) -> None:
    pointers = sorted({pointer for animation in animations if animation.chosen
                       for pointer in animation.channels.left_out})
    if pointers:
        shown = ", ".join(pointers[:_SHOWN]) + (", ..." if len(pointers) > _SHOWN else "")
        warnings.append("animations of other things than joints, weights of morph targets and numbers in extras are "
                        f"left out: {shown}")
