"""A bank divided into its base, which the page contains, and its tiers, which the page reads from files beside it by
HTTP range requests (codegen/viewer/src/medium.js)."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis.subject import Subject
from ..bank.strip import without_tiers
from ..base.problem import SettingProblem
from ..encode import native


@dataclass(frozen=True)
class TierFiles:
    """files: those of the tiers that have bytes, by name. places: where each tier of the bank begins, in bytes, as if
    the files lay one behind the other."""

    base: bytes
    files: dict[str, bytes]
    places: tuple[int, ...]

    def said(self) -> dict[str, Any]:
        """What the page is told."""
        places = [place for place, after in zip(self.places, (*self.places[1:], None)) if place != after]
        return {
            "hash": f"{native.pose_hash(np.frombuffer(self.base, '<u4').astype(np.uint32)):08x}",
            "places": list(self.places),
            "files": [{"url": name, "at": place, "bytes": len(content)}
                      for (name, content), place in zip(self.files.items(), places)],
        }


def tier_files(subject: Subject) -> TierFiles:
    """Divides the bank of a subject. Raises SettingProblem for one that has no tiers, or has been stripped of some."""
    tiers = subject.bank.tiers
    if not any(tier.words for tier in tiers):
        raise SettingProblem(f"{subject.name}: has no tiers, and --stream streams these; encode it with tiers, such as "
                             "--tiers 8mm")
    base, contents = without_tiers(subject.bank, 0)
    places = [0]
    for number, tier in enumerate(tiers, 1):
        if tier.words and number not in contents:
            raise SettingProblem(f"{subject.name}: does not contain its tier {number}, which --stream streams; give "
                                 "the bank as `ossicle encode` has written it")
        places.append(places[-1] + 4 * tier.words)
    files = {f"tier-{number}.bin": content for number, content in sorted(contents.items()) if content}
    return TierFiles(base, files, tuple(places[:-1]))
