"""Finds the static nodes above each joint, which are folded into it."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


from ...base.arrays import Array
from ...base.option_names import named
from ...model.clip import SCALE, ImportProblem
from ...model.import_options import ImportOptions
from ...model.editing.folding import IDENTITY, Folding, Similarity, world_of
from .nodes import NodeTree


@dataclass(frozen=True, eq=False)
class Chains:
    """The nodes above joints. parents [J]: the parent of each joint, -1 for a root; above [J]: the product of the nodes
    between both and, for roots, of the unit and up-axis; folded: maps these nodes to the name of the joint below;
    dropped: nodes above the roots that were ignored."""

    parents: list[int]
    above: list[Similarity]
    folded: dict[int, str]
    dropped: frozenset[int]

    def folding(self, rest: Array) -> Folding:
        """Returns the folding of joints with this bind pose [J, 10]."""
        return Folding(self.parents, self.above, rest[:, SCALE])


def chains_of(nodes: NodeTree, order: Sequence[int], names: Sequence[str], options: ImportOptions) -> Chains:
    """Returns the chains above joints. order: their nodes, parents before their children; names: of
    the joints. Raises ImportProblem for a node that cannot be folded."""
    joint_of = {node: joint for joint, node in enumerate(order)}
    world = world_of(options.up, 1.0 if options.scale is None else options.scale)
    parents: list[int] = []
    above: list[Similarity] = []
    folded: dict[int, str] = {}
    dropped: set[int] = set()
    for node, name in zip(order, names):
        between, parent = _up_to_joint(nodes, node, joint_of)
        parents.append(parent)
        chain = IDENTITY if parent >= 0 else world
        if parent < 0 and options.ancestors == "drop":
            dropped.update(between)
            above.append(chain)
            continue
        try:
            for plain in reversed(between):
                chain = chain @ nodes.similarity(plain)
        except ImportProblem as problem:
            hint = f"; {named('--ancestors', 'drop')} ignores the nodes above all joints" if parent < 0 else ""
            raise ImportProblem(f"joint {name}: {problem}{hint}") from problem
        above.append(chain)
        folded.update((plain, name) for plain in between if plain not in folded)
    return Chains(parents, above, folded, frozenset(dropped))


def _up_to_joint(nodes: NodeTree, node: int, joint_of: dict[int, int]) -> tuple[list[int], int]:
    """Returns the plain nodes above `node`, from the bottom up, and the parent joint, or -1."""
    between: list[int] = []
    while (node := nodes.parents[node]) >= 0:
        if node in joint_of:
            return between, joint_of[node]
        between.append(node)
    return between, -1
