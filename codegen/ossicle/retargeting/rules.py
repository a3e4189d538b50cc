"""The user's settings for files of another skeleton. Does not import NumPy: see model/import_options.py."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..base.problem import SettingProblem

BIND = "bind"
REST_WORDS = f'a file and a frame, such as "tpose.bvh@0", or its bind pose, such as "tpose.glb@{BIND}"'
_REST = re.compile(rf"(.+)@\s*([0-9]{{1,9}}|{BIND})\s*\Z", re.DOTALL)


@dataclass(frozen=True)
class RestPose:
    """A pose in a file: a frame of its only clip, or with None the bind pose."""

    path: Path
    frame: int | None

    def __str__(self) -> str:
        return f"{self.path}@{BIND if self.frame is None else self.frame}"


@dataclass(frozen=True)
class RetargetRule:
    """Files of another skeleton, and how their clips are transferred to the character. map, character_map, scale: as in
    RetargetOptions; free_feet: its `feet` is False; join_hands: its `hands`; plant_hands: its `planted_hands`; rest:
    the file with its rest pose. skin: as in ImportOptions. patterns: the patterns among the inputs of a configuration
    file, with the matching files."""

    inputs: Sequence[Path]
    map: Mapping[str, str] = field(default_factory=dict)
    character_map: Mapping[str, str] = field(default_factory=dict)
    rest: RestPose | None = None
    scale: float | None = None
    free_feet: bool = False
    join_hands: bool = False
    plant_hands: bool = False
    skin: str | int | None = None
    patterns: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def files(self) -> list[Path]:
        """Returns all files that the rule reads."""
        return [*self.inputs, *([self.rest.path] if self.rest else [])]


def parse_rest(value: object, what: str) -> RestPose:
    """Parses a text such as "tpose.bvh@0". what: the option or key, for messages. Raises SettingProblem."""
    match = _REST.match(value) if isinstance(value, str) else None
    if match is None:
        raise SettingProblem(f"{what} {value!r}: give {REST_WORDS}")
    name, frame = match.groups()
    return RestPose(Path(name), None if frame == BIND else int(frame))
