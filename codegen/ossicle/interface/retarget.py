"""Transfers clips of other skeletons to a character."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..config.option import RETARGET
from ..config.retarget_tables import retarget_rules
from ..importers.importer import read_all_joints
from ..model.clip import Clip, Imported, ImportProblem, problems_of
from ..model.import_options import ImportOptions
from ..retargeting.retarget import Retargeted
from ..retargeting.rules import RetargetRule
from ..retargeting.sources import CharacterMesh, RuleTransfer, reading_of
from .paths import PathName


@dataclass(frozen=True, eq=False)
class Transfers:
    """The files of a rule and their character, which were read. transferred: retargets them."""

    rule: RetargetRule
    character: Imported
    sources: Sequence[Imported]
    transfer: RuleTransfer

    @classmethod
    def read(cls, rule: RetargetRule, onto: Path, importing: ImportOptions, skin: str | int | None) -> Transfers:
        """onto: the file of the character; importing: for the names and selections of clips; skin: of the character.
        Raises ImportProblem."""
        of_character = replace(reading_of(RetargetRule(()), importing), skin=skin)
        with problems_of("the character"):
            character, = read_all_joints([onto], of_character, may_be_empty=True)
        transfer = RuleTransfer(rule, CharacterMesh([onto], of_character), reading_of(rule, importing))
        return cls(rule, character, read_all_joints(rule.inputs, replace(importing, skin=rule.skin)), transfer)

    def transferred(self) -> Iterator[tuple[Path, Retargeted]]:
        """Yields the results of the sources that have a selected clip."""
        for path, source in zip(self.rule.inputs, self.sources, strict=True):
            if source.clips:
                with problems_of(str(path)):
                    yield path, self.transfer.retargeted(source, self.character)


def retarget(*inputs: PathName, onto: PathName, **keys: Any) -> Imported:
    """Returns clips of other skeletons for that of the file `onto`, each with its measure. keys: of tables [[retarget]]
    in configuration files, such as map={"left_hand": "Wrist_L"}, with paths relative to the current folder. Raises
    Problem."""
    rule, = retarget_rules({RETARGET: [{**keys, "inputs": [str(name) for name in inputs]}]}, Path())
    read = Transfers.read(rule, Path(onto), ImportOptions(), None)
    clips: list[Clip] = []
    warnings = [f"{path.name}: {warning}" for path, source in zip(rule.inputs, read.sources)
                for warning in source.warnings]
    for path, result in read.transferred():
        clips += result.imported.clips
        warnings += [f"{path.name}: {warning}" for warning in result.warnings]
    if not clips:
        raise ImportProblem("no source has a clip that moves a joint; add one that has")
    return Imported(read.character.skeleton, clips, warnings)
