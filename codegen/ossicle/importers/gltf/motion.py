"""Finds the nodes of a glTF file that the selected animations move."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ...model.clip import ImportProblem, problems_of
from .accessors import Accessors
from .nodes import NodeTree
from .sampling import Track, is_constant
from .skeleton import Rig


class Motion:
    """The tracks of the selected clips. Exporters often add tracks for nodes that do not move, with keys that all equal
    the rest transform. targets: the nodes that animations of the file name, also those that are not selected."""

    def __init__(self, clips: Mapping[str, Iterable[Track]], targets: Collection[int | None], accessors: Accessors,
                 nodes: NodeTree):
        self._accessors, self.nodes, self.targets = accessors, nodes, targets
        self.clips = {name: list(tracks) for name, tracks in clips.items()}
        self._tracks: dict[int, list[tuple[str, Track]]] = {}
        for name, tracks in self.clips.items():
            for track in tracks:
                self._tracks.setdefault(track.node, []).append((name, track))

    def moves(self, node: int) -> bool:
        """Returns whether a clip moves a node away from rest. Raises ImportProblem."""
        for clip, track in self._tracks.get(node, ()):
            with problems_of(f"clip {clip}"):
                if not is_constant(track, self.nodes.rest(node), self._accessors):
                    return True
        return False

    def ignored(self, rig: Rig) -> list[int]:
        """Returns the nodes that move although a rig has no joint for them, in the order of the file."""
        def moves(node: int) -> bool:
            try:
                return self.moves(node)
            except ImportProblem:  # nothing else reads this track
                return True
        return [node for node in sorted(self._tracks)
                if node not in rig.joint_of and node not in rig.folded and moves(node)]
