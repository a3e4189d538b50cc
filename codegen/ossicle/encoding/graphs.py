"""Compiles the animation graph of the settings for the clips of a bank."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ..bank.events import ClipEvent
from ..bank.graph.layout import TAG
from ..bank.graph.records import Graph
from ..graph.clips import GraphClip, GraphJoint
from ..graph.rules import GraphRules
from ..model.bind_size import bind_matrices
from ..model.clip import Clip, Skeleton
from .problems import entry
from .settings import ClipOptions


@lru_cache(maxsize=4)  # a bank is written several times while codecs are chosen
def _compiled(rules: GraphRules, clips: tuple[GraphClip, ...], joints: tuple[GraphJoint, ...]) -> Graph:
    from ..graph.compiling import compiled  # imported here and below, because few characters have a graph
    return compiled(rules, clips, joints)


def graph_of(rules: GraphRules | None, clips: Sequence[Clip], options: Sequence[ClipOptions],
             events: Mapping[int, tuple[ClipEvent, ...]], skeleton: Skeleton) -> Graph | None:
    """Returns the graph, if there is one. clips: at the rates of encoding; events: by the number of their clip. Raises
    GraphProblem."""
    if rules is None:
        return None
    return _compiled(rules, tuple(
        GraphClip(clip.name, len(clip.frames), clip.rate, entry(clip)[2], bool(own.loop), own.additive is not None,
                  events.get(number, ()), clip.mirror_of)
        for number, (clip, own) in enumerate(zip(clips, options))),
        _joints(skeleton))


def _joints(skeleton: Skeleton) -> tuple[GraphJoint, ...]:
    matrices = [tuple(map(float, matrix[:3].ravel())) for matrix in bind_matrices(skeleton)]
    real = tuple(GraphJoint(name, None if parent < 0 else int(parent), matrix)
                 for name, parent, matrix in zip(skeleton.names, skeleton.parents, matrices))
    return real + tuple(GraphJoint(name, None if parent < 0 else int(parent)) for name, parent in zip(
        skeleton.names[len(real):], skeleton.parents[len(real):]))


def graph_section(graph: Graph | None) -> dict[str, bytes]:
    """Returns the section by its tag, or nothing without a graph. Raises GraphProblem."""
    if graph is None:
        return {}
    from ..graph.compiling import graph_bytes
    return {TAG: graph_bytes(graph)}
