"""Divides a bank into its base, which the page contains, and its tiers, which the page reads from files by HTTP range
requests (codegen/viewer/src/playing/medium.js)."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis.subject import Subject
from ..bank.strip import without_tiers
from ..base.problem import SettingProblem
from ..encoding import native


@dataclass(frozen=True)
class TierFiles:
    """A divided bank. files: those of the tiers that are not empty, by name; places: the offset of each tier, in bytes,
    in the concatenation of the files."""

    base: bytes
    files: dict[str, bytes]
    places: tuple[int, ...]

    def description(self) -> dict[str, Any]:
        """Returns the description for the page."""
        places = [offset for offset, after in zip(self.places, (*self.places[1:], None)) if offset != after]
        return {
            "hash": f"{native.pose_hash(np.frombuffer(self.base, '<u4').astype(np.uint32)):08x}",
            "places": list(self.places),
            "files": [{"url": name, "at": offset, "bytes": len(content)}
                      for (name, content), offset in zip(self.files.items(), places)],
        }


def tier_files(subject: Subject) -> TierFiles:
    """Divides the bank of a subject. Raises SettingProblem if it has no tiers or was stripped of some."""
    tiers = subject.bank.tiers
    if not any(tier.words for tier in tiers):
        raise SettingProblem(f"{subject.name}: has no tiers that --stream could stream; encode it with tiers, such as "
                             "--tiers 8mm")
    base, contents = without_tiers(subject.bank, 0)
    places = [0]
    for number, tier in enumerate(tiers, 1):
        if tier.words and number not in contents:
            raise SettingProblem(f"{subject.name}: does not contain tier {number}, which --stream needs; give the bank "
                                 "as `ossicle encode` wrote it")
        places.append(places[-1] + 4 * tier.words)
    files = {f"tier-{number}.bin": content for number, content in sorted(contents.items()) if content}
    return TierFiles(base, files, tuple(places[:-1]))
