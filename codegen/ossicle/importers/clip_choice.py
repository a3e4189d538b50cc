"""Applies the user's names and selection of clips to source files."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ..base.option_names import either
from ..base.patterns import matches
from ..base.problem import SettingProblem, nearest
from ..model.clip import check_name
from ..model.import_options import ImportOptions


class ClipChoice:
    """The renaming and selection of clips during an import. It records all names, so that patterns without a match can
    be reported. numbered: whether clips that repeat a name in their file get their number, in the form of `rename`,
    instead of causing an error."""

    def __init__(self, options: ImportOptions, numbered: bool = False):
        self._options = options
        self._numbered = numbered
        self._spellings: list[list[str]] = []  # of every clip, as `rename` may state it
        self._names: list[str] = []
        self._clips = 0
        self.left_out: list[str] = []
        self.references: list[str] = []  # clips that are read although they are left out

    def name_of(self, path: Path, name: str, number: int) -> str:
        """Returns the new name of a clip. number: 1 for the first clip of this name in its file. Raises ImportProblem
        for an invalid new name."""
        spellings = [file + name + end for file in ("", f"{path.name}:", f"{path}:")
                     for end in ("", f"#{number}")]
        self._spellings.append(spellings)
        for rename in reversed(self._options.rename):
            if any(matches(rename.pattern, spelling) for spelling in spellings):
                new = rename.name.replace("{file}", path.stem).replace("{name}", name)
                return check_name(new, "clip")
        return f"{name}#{number}" if self._numbered and number > 1 else name

    def takes(self, name: str, old_name: str) -> bool:
        """Returns whether to read a clip: it is a reference or selected, by its new or old name."""
        only, exclude = self._options.only, self._options.exclude
        names = dict.fromkeys((name, old_name))
        self._names += names
        self._clips += 1
        taken = (not only or _any_matches(only, names)) and not _any_matches(exclude, names)
        if not taken:
            self.left_out.append(name)
            if name in self._options.references:
                self.references.append(name)
        return taken or name in self._options.references

    def check_renames(self) -> None:
        """Raises SettingProblem for a rename that matches no clip."""
        known = [spelling for spellings in self._spellings for spelling in spellings]
        names = [spellings[0] for spellings in self._spellings]
        for rename in self._options.rename:
            _check(either("--rename", "[rename]"), rename.pattern, known, names)

    def check_patterns(self) -> None:
        """Raises SettingProblem for a pattern that matches no clip, and if no clip remains."""
        options = self._options
        for what, patterns in (("clips", options.only), ("exclude", options.exclude)):
            for pattern in patterns:
                _check(either(f"--{what}", what), pattern, self._names, self._names)
        if self._clips and len(self.left_out) == self._clips:
            raise SettingProblem(f"{either('--clips and --exclude', 'clips and exclude')} leave no clip"
                                 + nearest("", self._names))


def rename_example(old: str, new: str) -> str:
    """Returns the syntax of a renaming, for messages."""
    return either(f"--rename '{old}={new}'", f'[rename] "{old}" = "{new}"')


def _any_matches(patterns: Sequence[str], names: Iterable[str]) -> bool:
    return any(matches(pattern, name) for name in names for pattern in patterns)


def _check(what: str, pattern: str, known: Sequence[str], names: Sequence[str]) -> None:
    if not any(matches(pattern, name) for name in known):
        raise SettingProblem(f"{what} {pattern!r} matches no clip" + nearest(pattern, names))
