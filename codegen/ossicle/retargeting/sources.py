"""Transfers the clips of files with another skeleton while a character is read."""
from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from ..importers.importer import Transfer, has_meshes, read_mesh
from ..model.clip import Imported, ImportProblem, Skeleton
from ..model.import_options import ImportOptions
from ..model.mesh.mesh import Mesh
from .humanoid import CharacterProblem
from .options import RetargetOptions
from .rest_pose import read_rest_file, rest_pose_of
from .retarget import Retargeted, retarget
from .rules import RetargetRule


class CharacterMesh:
    """The mesh of a character, whose soles stay above the ground. Read on demand, once."""

    def __init__(self, paths: Sequence[Path], options: ImportOptions) -> None:
        """paths: the files of the character."""
        self.paths, self._options = paths, replace(options, axes="source")
        self._meshes: list[Mesh | None] = []

    def of(self, skeleton: Skeleton) -> Mesh | None:
        """Returns the mesh of the first file that has one, or None."""
        if not self._meshes:
            self._meshes.append(self._read(skeleton))
        return self._meshes[0]

    def _read(self, skeleton: Skeleton) -> Mesh | None:
        for path in filter(has_meshes, self.paths):
            with suppress(ImportProblem):
                return read_mesh(path, skeleton, self._options)[0]
        return None


class RuleTransfer:
    """Transfers the clips of files by a rule."""

    def __init__(self, rule: RetargetRule, mesh: CharacterMesh, options: ImportOptions) -> None:
        """options: with which the files are read."""
        self._rule, self._mesh, self._options = rule, mesh, options

    @cached_property
    def _rest_file(self) -> Imported:
        assert self._rule.rest is not None
        return read_rest_file(self._rule.rest, self._options)

    def retargeted(self, source: Imported, character: Imported) -> Retargeted:
        """Returns the clips of a source for the skeleton of the character, with their measures. Raises
        ImportProblem."""
        rule = self._rule
        pose = None if rule.rest is None else rest_pose_of(rule.rest, self._rest_file, source.skeleton)
        options = RetargetOptions(rule.map, rule.character_map, pose, rule.scale, not rule.free_feet,
                                  rule.join_hands, rule.plant_hands)
        try:
            result = retarget(source, character, options, self._mesh.of(character.skeleton))
        except CharacterProblem as problem:
            raise ImportProblem(f"{self._mesh.paths[0]} (the character): {problem}", names_file=True) from problem
        clips = [clip if clip.measure is None else
                 replace(clip, measure=replace(clip.measure, unmapped=result.unmapped))
                 for clip in result.imported.clips]
        return replace(result, imported=replace(result.imported, clips=clips))

    def apply(self, source: Imported, character: Imported) -> Imported:
        """Returns the clips of a source for the skeleton of the character, and all warnings."""
        result = self.retargeted(source, character)
        return replace(result.imported, warnings=[*source.warnings, *result.warnings])


def transfers_of(rules: Sequence[RetargetRule], paths: Sequence[Path], options: ImportOptions) -> list[Transfer]:
    """Returns the transfers of a character's rules. paths, options: of the character's own files."""
    mesh, transfers = CharacterMesh(paths, options), []
    for rule in rules:
        reading = reading_of(rule, options)
        transfers.append(Transfer(rule.inputs, reading, RuleTransfer(rule, mesh, reading).apply))
    return transfers


def reading_of(rule: RetargetRule, options: ImportOptions) -> ImportOptions:
    """Returns the options for reading the files of a rule. options: those for the character, whose settings of joints
    and units do not apply to other skeletons."""
    return ImportOptions(skin=rule.skin, fps=options.fps, outside=options.outside)
