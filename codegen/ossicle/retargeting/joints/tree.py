"""Questions about the tree of a skeleton's joints."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import takewhile


class Tree:
    """The tree of joints with these parents, -1 for a root. Parents precede their children."""

    def __init__(self, parents: Iterable[int]) -> None:
        self.parents = [int(parent) for parent in parents]
        self.children: list[list[int]] = [[] for _ in self.parents]
        self.depth: list[int] = []
        for joint, parent in enumerate(self.parents):
            self.depth.append(0 if parent < 0 else self.depth[parent] + 1)
            if parent >= 0:
                self.children[parent].append(joint)

    def upward(self, joint: int) -> list[int]:
        """Returns a joint and all above it, up to its root."""
        found = []
        while joint >= 0:
            found.append(joint)
            joint = self.parents[joint]
        return found

    @cached_property
    def subtrees(self) -> list[list[int]]:
        """The joints at and below each joint, in the order of the skeleton."""
        found = [[joint] for joint in range(len(self.parents))]
        for joint in range(len(self.parents) - 1, -1, -1):
            if self.parents[joint] >= 0:
                found[self.parents[joint]] += found[joint]
        return [sorted(joints) for joints in found]

    def below(self, joint: int) -> list[int]:
        """Returns all joints below a joint, in the order of the skeleton."""
        return self.subtrees[joint][1:]

    def is_below(self, joint: int, above: int) -> bool:
        """Returns whether a joint is below another one, or the same."""
        return above in self.upward(joint)

    def path(self, top: int, bottom: int) -> list[int]:
        """Returns the joints from above `bottom` to `top`, downward, without `top`; to the root if `top` is not above
        it."""
        return [*takewhile(lambda joint: joint != top, self.upward(bottom))][::-1]

    def common(self, joints: Sequence[int]) -> int | None:
        """Returns the lowest joint that is above all of these, or one of them; None if they are in different trees."""
        return self.lowest(set(self.upward(joints[0])).intersection(*map(self.upward, joints[1:])))

    def lowest(self, joints: Iterable[int]) -> int | None:
        """Returns the joint with most joints above it; None if there are no joints."""
        return max(((self.depth[joint], joint) for joint in joints), default=(0, None))[1]
