"""Makes the names of joints unique. As in Blender, the second joint named `Bone` becomes `Bone.001`, the third
`Bone.002`."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .joint_choice import listed


def distinct_names(names: Sequence[str], warnings: list[str]) -> tuple[str, ...]:
    """Returns unique names for joints. Warns about names that were not unique."""
    taken, result = set(names), list[str]()
    found: dict[str, list[str]] = {}
    numbers: Counter[str] = Counter()
    for name in names:
        same, unique = found.setdefault(name, []), name
        while same and unique in taken:
            numbers[name] += 1
            unique = f"{name}.{numbers[name]:03d}"
        taken.add(unique)
        same.append(unique)
        result.append(unique)
    for name, same in found.items():
        if len(same) > 1:
            warnings.append(f"{len(same)} joints are named {name}: they become {listed(same)}")
    return tuple(result)
