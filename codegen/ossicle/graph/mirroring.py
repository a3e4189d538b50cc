"""Exchanges clips of states for their mirror images."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .clips import GraphClip
from .rules import GraphProblem, GraphRules, StateRule


def with_mirror_images(rules: GraphRules, clips: Sequence[GraphClip]) -> GraphRules:
    """Returns the graph with the mirror images of the clips of states that are mirrored. Raises GraphProblem."""
    images = {clip.mirror_of: clip.name for clip in clips if clip.mirror_of is not None}
    images |= {name: original for original, name in images.items()}
    return replace(rules, states=tuple(_mirrored(state, images, clips) if state.mirrored else state
                                       for state in rules.states))


def _mirrored(state: StateRule, images: dict[str, str], clips: Sequence[GraphClip]) -> StateRule:
    known = {clip.name for clip in clips}

    def image(name: str) -> str:
        """Returns the mirror image of a clip. A name that is no clip is reported elsewhere."""
        if name in known and name not in images:
            raise GraphProblem(f"{state.where} mirror: no clip is the mirror image of {name}; add one, such as "
                               f"[clips.\"{name}_mirrored\"] with mirror_of = \"{name}\"")
        return images.get(name, name)

    if state.blend is None:
        return replace(state, play=image(state.play))
    blend = state.blend
    return replace(state, blend=replace(blend, clips=tuple((image(name), at) for name, at in blend.clips),
                                        strides=tuple((image(name), length) for name, length in blend.strides)))
