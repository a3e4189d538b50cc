"""Transfers clips of other skeletons to a character."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..base.option_names import toml_names
from ..config.option import RETARGET
from ..config.option_lookup import names_in_files
from ..config.retarget_tables import retarget_rules
from ..importers.importer import read_all_joints
from ..model.clip import Clip, Imported, ImportProblem, problems_of
from ..model.import_options import ImportOptions
from ..retargeting.retarget import Retargeted
from ..retargeting.rules import RetargetRule
from ..retargeting.sources import CharacterMesh, RuleTransfer, reading_of
from .paths import PathName
from .values import plain


@dataclass(frozen=True, eq=False)
class Transfers:
    """The sources and the character of a rule, after reading."""

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

    def transferred(self) -> dict[Path, Retargeted]:
        """Returns the results of the sources that have a selected clip. Raises ImportProblem if there is none."""
        results = dict(self._results())
        if not results:
            raise ImportProblem("no source has a clip that moves a joint; add one that has")
        return results

    def _results(self) -> Iterator[tuple[Path, Retargeted]]:
        for path, source in zip(self.rule.inputs, self.sources, strict=True):
            if source.clips:
                with problems_of(str(path)):
                    yield path, self.transfer.retargeted(source, self.character)


def retarget(*inputs: PathName, onto: PathName, **keys: Any) -> Imported:
    """Returns clips of other skeletons for that of the file `onto`, each with its measure. keys: of tables [[retarget]]
    in configuration files, such as map={"left_hand": "Wrist_L"}, with paths relative to the current folder. Raises
    Problem."""
    with toml_names(names_in_files()):
        rule, = retarget_rules({RETARGET: [{**plain(keys), "inputs": [str(name) for name in inputs]}]}, Path())
        rule = replace(rule, inputs=tuple(dict.fromkeys(rule.inputs)))
        read = Transfers.read(rule, Path(onto), ImportOptions(), None)
        results = read.transferred()
        clips = clips_of(results, "retarget them in separate calls")
    warnings = [f"{path.name}: {warning}" for path, source in zip(read.rule.inputs, read.sources, strict=True)
                for warning in (*source.warnings, *(results[path].warnings if path in results else ()))]
    return Imported(read.character.skeleton, clips, warnings)


def clips_of(results: Mapping[Path, Retargeted], remedy: str) -> list[Clip]:
    """Returns all clips. remedy: against equal names. Raises ImportProblem if two have the same name, which programs
    that read them could not distinguish."""
    clips: dict[str, Clip] = {}
    for path, result in results.items():
        for clip in result.imported.clips:
            if (other := clips.setdefault(clip.name, clip)) is not clip:
                raise ImportProblem(f"{path}: clip {clip.name}: {other.source} already has a clip of this name; "
                                    + remedy)
    return list(clips.values())
