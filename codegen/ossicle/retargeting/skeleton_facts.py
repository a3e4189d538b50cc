"""Facts about the skeleton of a source file for `ossicle clips`."""
from __future__ import annotations

from dataclasses import dataclass, field

from ..model.clip import Imported
from .humanoid import FourLegsProblem, RetargetProblem
from .joints.conventions import convention_of
from .mapping import find_humanoid

PERSON, FOUR_LEGS, OTHER = "person", "four legs", "other"


@dataclass(frozen=True)
class SkeletonFacts:
    """The skeleton of a file. body: PERSON, FOUR_LEGS or OTHER; convention: its naming scheme, empty if it is none that
    is known; confidence: of the parts of a person's body, 0 to 1."""

    file: str
    joints: int
    body: str
    convention: str
    confidence: dict[str, float] = field(default_factory=dict)


def skeleton_facts(imported: Imported, file: str) -> SkeletonFacts:
    """Returns the facts of the skeleton of a file with this name."""
    names = imported.skeleton.names
    try:
        body = find_humanoid(imported.skeleton, imported.clips, carrying=imported.carrying)
    except RetargetProblem as problem:
        kind = FOUR_LEGS if isinstance(problem, FourLegsProblem) else OTHER
        return SkeletonFacts(file, len(names), kind, convention_of(names))
    return SkeletonFacts(file, len(names), PERSON, body.convention, dict(body.confidence))
