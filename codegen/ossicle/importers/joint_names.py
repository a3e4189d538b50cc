"""Makes the names of joints distinct. As in Blender, the second joint named `Bone` becomes `Bone.001`, the third
`Bone.002`."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .joint_choice import listed


def distinct_names(names: Sequence[str], warnings: list[str]) -> tuple[str, ...]:
    """Returns distinct names for joints. Warns about names that were not unique."""
    taken, made = set(names), list[str]()
    found: dict[str, list[str]] = {}
    numbers: Counter[str] = Counter()
    for name in names:
        same, distinct = found.setdefault(name, []), name
        while same and distinct in taken:
            numbers[name] += 1
            distinct = f"{name}.{numbers[name]:03d}"
        taken.add(distinct)
        same.append(distinct)
        made.append(distinct)
    for name, same in found.items():
        if len(same) > 1:
            warnings.append(f"{len(same)} joints are named {name}: they become {listed(same)}")
    return tuple(made)
