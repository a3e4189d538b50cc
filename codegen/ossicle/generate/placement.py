"""Which code of a character lies in the fast memory of its machine: the hottest that fits."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ..base.option_names import named
from ..base.problem import SettingProblem
from ..targets import Target

POSE = "pose"  # seeking, evaluation, matrices


@dataclass(frozen=True)
class Part:
    """Code that lies in fast memory or not, as a whole: POSE or a codec. size_bytes: with its tables; None:
    not measured."""

    name: str
    size_bytes: int | None
    fast: bool


def place(machine: Target | None, codecs: Iterable[str], joint_count: int,
          limit_bytes: int | None = None) -> list[Part]:
    """Fits the code of a character into fast memory: what every pose needs first, then codecs, those of
    most clips first.

    codecs: of each clip, or each one that it may have; one that [hot] of the machine does not list stays
    with other code. limit_bytes: None for the machine's. Returns
    no parts for a machine without fast memory. Raises SettingProblem if there is a limit for such a
    machine, or one that is less than a pose needs.
    """
    hot = machine.hot if machine else None
    if hot is None:
        if limit_bytes is not None:
            raise SettingProblem(f"{named('--hot-bytes', limit_bytes)} is for targets with fast memory, such as gba")
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
    """The codecs that do not lie in fast memory."""
    return tuple(sorted(part.name for part in parts if not part.fast))
