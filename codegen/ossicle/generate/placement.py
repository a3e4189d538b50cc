"""Places the hottest code of a character in the fast memory of its machine."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ..base.option_names import named
from ..base.problem import SettingProblem
from ..machines import Target

POSE = "pose"  # seeking, evaluation, matrices


@dataclass(frozen=True)
class Part:
    """Code that is placed as a whole: POSE or a codec. size_bytes: with its tables, or None if not measured."""

    name: str
    size_bytes: int | None
    fast: bool


def place(machine: Target | None, codecs: Iterable[str], joint_count: int,
          limit_bytes: int | None = None) -> list[Part]:
    """Places the code of a character in fast memory: first the code of every pose, then codecs, those of most clips
    first.

    codecs: of each clip, or all that it may have; codecs that [hot] of the machine does not list stay in normal memory.
    limit_bytes: None for the machine's limit. Returns no parts for a machine without fast memory. Raises SettingProblem
    for a limit on such a machine, or one that is too small for a pose.
    """
    hot = machine.hot if machine else None
    if hot is None:
        if limit_bytes is not None:
            raise SettingProblem(f"{named('--hot-bytes', limit_bytes)} applies only to targets with fast memory, such "
                                 "as gba")
        return []
    limit = hot.limit_bytes if limit_bytes is None else limit_bytes
    used = hot.pose + hot.joint * joint_count
    if used > limit:
        raise SettingProblem(f"{named('--hot-bytes', limit)}: evaluation and matrices alone take {used}; give at least "
                             "that, or compile without -DOSC_HOT_SECTION")
    parts = [Part(POSE, used, True)]
    clips, sizes = Counter(codecs), hot.codecs
    for name in sorted(clips, key=lambda name: (-clips[name], sizes.get(name, limit), name)):
        size = sizes.get(name)
        fits = size is not None and used + size <= limit
        used += size if size is not None and fits else 0
        parts.append(Part(name, size, fits))
    return parts


def cold_codecs(parts: Iterable[Part]) -> tuple[str, ...]:
    """Returns the codecs in normal memory."""
    return tuple(sorted(part.name for part in parts if not part.fast))
