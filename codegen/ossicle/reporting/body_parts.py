"""The table of joints that are the parts of a body, in a source and in the character to which it is transferred, and
the same as a part of a configuration file."""
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


from ..model.clip import Skeleton
from ..retargeting.humanoid import Humanoid
from ..retargeting.joints.table import PartRow, map_of, part_rows, unmapped
from ..retargeting.skeleton_facts import FOUR_LEGS, OTHER, PERSON, SkeletonFacts
from .names import printable
from .tables import Table

_NONE = "-"


@dataclass(frozen=True)
class MappedFile:
    """A file, and the joints of its skeleton that are the parts of a body."""

    path: Path
    skeleton: Skeleton
    body: Humanoid

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.path.name

    @property
    def rows(self) -> dict[str, PartRow]:
        """The joints of each part."""
        return {row.part: row for row in part_rows(self.body, self.skeleton)}

    def facts(self) -> dict[str, object]:
        """Describes the file for JSON."""
        return {"file": self.name, "convention": self.body.convention, "confidence": dict(self.body.confidence),
                "map": map_of(self.body, self.skeleton), "unmapped": unmapped(self.body, self.skeleton)}


def body_tables(source: MappedFile, character: MappedFile) -> Iterator[Table | str]:
    """Yields the table of two files, what has no partner, and the keys of a table [[retarget]]."""
    rows = Table([("part", "left"), (source.name, "left"), ("confidence", "right"), (character.name, "left"),
                  ("confidence", "right")])
    theirs, ours = source.rows, character.rows
    for part in dict.fromkeys((*theirs, *ours)):
        rows.add_row(part, *_cells(theirs.get(part)), *_cells(ours.get(part)))
    yield rows
    for file in (source, character):
        if left_out := unmapped(file.body, file.skeleton):
            yield f"{file.name}: no part of the body: {', '.join(map(printable, left_out))}"
    yield ""
    yield f"[[retarget]]\ninputs = [{_quoted(source.path.as_posix())}]"
    for key, file in (("map", source), ("character_map", character)):
        yield f"[retarget.{key}]"
        yield _lines(map_of(file.body, file.skeleton))


def skeleton_line(facts: SkeletonFacts) -> str:
    """Describes the skeleton of a source file if it is that of a person or of an animal."""
    if facts.body == OTHER:
        return ""
    kind = "an animal on four legs or more" if facts.body == FOUR_LEGS else "a person"
    names = f"; naming scheme: {facts.convention or 'not recognised'}"
    found = f"; confidence: {min(facts.confidence.values()):.0%}" if facts.body == PERSON else ""
    return f"{printable(facts.file)}: the skeleton of {kind}{names}{found}"


def _cells(row: PartRow | None) -> tuple[str, str]:
    """Returns the joints and the confidence of a part."""
    if row is None or not row.joints:
        return _NONE, ""
    return printable(", ".join(row.joints)), f"{row.confidence:.0%}"


def _lines(names: Mapping[str, str]) -> str:
    return "\n".join(f"{part} = {_quoted(name)}" for part, name in names.items())


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)
