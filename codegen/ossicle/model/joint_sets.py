"""Sets of joints with their own generated functions for evaluation and composition."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..base.names import MAX_IDENTIFIER
from ..base.option_names import either
from ..base.problem import SettingProblem
from .joint_rules import check_joint_patterns, matches_joint

# The names of sets, each with the patterns of its joints.
JointSets = Mapping[str, Sequence[str]]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")


def check_name(name: str, what: str) -> None:
    """Raises SettingProblem, beginning with `what`, for a name that cannot be part of a C name."""
    if not _NAME.match(name) or len(name) > MAX_IDENTIFIER:
        raise SettingProblem(f"{what}: {name!r} cannot be part of a C name; use a letter, followed by letters, digits "
                             f"and _, at most {MAX_IDENTIFIER} characters")


def check_set(name: str, patterns: Sequence[str], what: str) -> None:
    """Raises SettingProblem, beginning with `what`, for a name that cannot be part of a C name, or a set without
    patterns."""
    check_name(name, what)
    if not patterns or not all(patterns):
        such_as = either("upper=Spine*,*Arm*", 'upper = ["Spine*", "*Arm*"]')
        raise SettingProblem(f"{what}: the set {name!r} needs joints or patterns, such as {such_as}")


def parse_joint_sets(texts: Sequence[str], what: str) -> dict[str, tuple[str, ...]]:
    """Parses sets such as "upper=Spine*,*Arm*". what: the option, for messages. Raises SettingProblem for an invalid
    text or a repeated name."""
    sets: dict[str, tuple[str, ...]] = {}
    for text in texts:
        name, equals, patterns = text.partition("=")
        if not equals:
            raise SettingProblem(f"{what} {text!r}: give a name and joints or patterns, such as "
                                 "upper=Spine*,*Arm*")
        if name in sets:
            raise SettingProblem(f"{what} {text!r}: the set {name!r} already exists; give all its patterns together, "
                                 "separated by commas")
        sets[name] = tuple(patterns.split(","))
        check_set(name, sets[name], f"{what} {text!r}")
    return sets


def joints_of(patterns: Sequence[str], joints: Sequence[str]) -> list[int]:
    """Returns the joints that match a pattern, ascending. Raises SettingProblem for a pattern without a match."""
    check_joint_patterns(patterns, joints)
    return [index for index, joint in enumerate(joints)
            if any(matches_joint(pattern, joint) for pattern in patterns)]


def with_ancestors(chosen: Sequence[int], parents: Sequence[int | None]) -> list[int]:
    """Returns the chosen joints and every joint above them, ascending. parents: None for a root."""
    closed: set[int] = set()
    for joint in chosen:
        above: int | None = joint
        while above is not None and above not in closed:
            closed.add(above)
            above = parents[above]
    return sorted(closed)
