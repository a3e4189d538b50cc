"""The TOML file: the inputs, the outputs and the settings."""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import tomllib

from ..base.option_names import toml_names
from ..base.output import shown
from ..base.problem import SettingProblem, said_in
from ..base.reading import read_file
from ..encode.curve_rules import CurveFile
from ..encode.settings import ClipRule, Settings
from ..generate.joint_sets import JointSets
from ..generate.masks import Masks
from ..model.sides import Mirror
from ..model.clip import ImportOptions
from ..model.joints import JointRule
from ..model.lengths import Screen
from .characters import CHARACTER, characters_of, check_characters, overlaid, title_of
from .input_names import checked_matching, is_pattern
from .option_kinds import typed
from .option import CHOICES, CLIPS, GENERATE, IMPORT, JOINTS, PROJECT, SCREEN, SETTINGS, TABLES, TOP
from .option_table import check_keys, keys_of, names_in_files, read_keys
from .options import lay_over


@dataclass(frozen=True)
class Project:
    """A hero.toml: the inputs, the outputs and the settings. Paths have the form for messages:
    relative to the current directory if they lie below it. build_keys: keys of the file that only
    `ossicle build` reads. patterns: those among the inputs, and the files that they stand for."""

    inputs: tuple[Path, ...] = ()
    output: Path = Path()
    generate: Path | None = None
    name: str | None = None
    embed: bool | str = False
    unroll: tuple[str, ...] = ()
    sets: JointSets = field(default_factory=dict)
    masks: Masks = field(default_factory=dict)
    matrices: str | None = None
    rigid: bool = False
    mirror: Mirror | None = None
    hot_bytes: int | None = None
    settings: Settings = field(default_factory=Settings)
    build_keys: tuple[str, ...] = ()
    patterns: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def in_folder(self, folder: Path) -> Project:
        """The project with all outputs in this folder."""
        return replace(self, output=shown(folder / self.output.name),
                       generate=None if self.generate is None else shown(folder))


def _tables(table: Mapping[str, Any], name: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The pattern, the place and the settings of every table [name.PATTERN]."""
    for pattern, options in typed(table.get(name, {}), dict, name, "a table").items():
        where = f"[{name}.{pattern!r}] "
        check_keys(typed(options, dict, where.strip(), "a table"), list(keys_of(name)), where)
        yield pattern, where, read_keys(options, where, name)


def _clip_rules(table: Mapping[str, Any]) -> tuple[ClipRule, ...]:
    return tuple(lay_over(ClipRule(pattern), said, f"{where}preset", "codec")
                 for pattern, where, said in _tables(table, CLIPS))


def _with_curve_files(settings: Settings, folder: Path) -> Settings:
    """Completes the paths of files with curves, which are relative to the file."""
    def placed(rule: ClipRule) -> ClipRule:
        if not isinstance(rule.curves, CurveFile):
            return rule
        return replace(rule, curves=replace(rule.curves, path=shown(folder / rule.curves.path)))
    return replace(settings, clips=tuple(map(placed, settings.clips)))


def _joint_rules(table: Mapping[str, Any]) -> tuple[JointRule, ...]:
    rules = []
    for pattern, where, said in _tables(table, JOINTS):
        if not said:
            raise SettingProblem(f"{where}has no tolerance; add one, such as tolerance = \"0.1mm\"")
        rules.append(JointRule(pattern, **said))
    return tuple(rules)


def _checked(kind: type[Screen] | type[ImportOptions], table: Mapping[str, Any], name: str) \
        -> Screen | ImportOptions:
    options = typed(table.get(name, {}), dict, name, "a table")
    check_keys(options, list(keys_of(name)), f"[{name}]: ")
    settings = kind(**read_keys(options, f"[{name}] ", name))
    settings.check()
    return settings


def read_settings(table: Mapping[str, Any]) -> Settings:
    """Returns the settings of a parsed TOML table. Raises SettingProblem, which names the key and
    the remedy."""
    settings = Settings(screen=_checked(Screen, table, SCREEN),
                        importing=_checked(ImportOptions, table, IMPORT),
                        clips=_clip_rules(table), joints=_joint_rules(table))
    return lay_over(settings, read_keys(table, "", SETTINGS), "preset", "codec")


def _check_generate(table: Mapping[str, Any]) -> None:
    """Raises SettingProblem for a key about generated C if none is generated."""
    idle = [key for key in keys_of(GENERATE) if table.get(key)]
    if idle and not table.get("generate"):
        raise SettingProblem(f"{', '.join(idle)}: without generate no C is written; add generate = "
                             "\".\", the folder for it")


def _clips_twice(path: Path) -> str:
    """Returns advice if a file has both a list and tables of the name clips, which TOML forbids."""
    parts = re.split(r"^[ \t]*\[[ \t]*([^\[\n]*?)[ \t]*\][ \t]*(?:#.*)?$",
                     read_file(path).decode("utf-8-sig", "replace"), flags=re.M)
    headers = parts[1::2]
    for header, body in zip(["", *headers], parts[::2]):
        above = f"{header}." if header else ""
        if re.search(r"^[ \t]*clips[ \t]*=", body, re.M) and any(
                other.startswith(f"{above}{CLIPS}.") for other in headers):
            return f"; beside tables [{above}{CLIPS}.\"NAME\"], write the list of clips in [{above}{IMPORT}]"
    return ""


def project_of_source(path: Path) -> Project:
    """Returns the project of a source file without a TOML file: default settings, the bank and its C in
    the file's folder."""
    return Project((path,), shown(path.with_suffix(".ossb")), shown(path.parent), embed=True)


def read_projects(path: Path) -> list[Project]:
    """Reads all characters of a TOML file, as read_project does."""
    return [read_project(path, character) for character in characters_of(path)]


def read_project(path: Path, character: str = "") -> Project:
    """Reads a TOML file, whose paths are relative to its folder. character: the name of its table in a
    file that has several. Raises SettingProblem with the file and the cause."""
    with said_in(title_of(path, character)), toml_names(names_in_files()):
        try:
            return _project_of(path, dict(_parsed(read_file(path).decode("utf-8-sig"))), character)
        except OSError as error:
            raise SettingProblem(f"cannot be read ({error.strerror}); check the path") from error
        except ValueError as error:  # from tomllib, the decoder, or a number with too many digits
            raise SettingProblem(f"not valid TOML: {error}" + _clips_twice(path)) from error
        except RecursionError as error:
            raise SettingProblem("not valid TOML: nested too deep; remove brackets") from error


@lru_cache(maxsize=1)
def _parsed(text: str) -> Mapping[str, Any]:
    """The table of a file, once for all its characters."""
    return tomllib.loads(text)


def _with_choices(table: dict[str, Any]) -> dict[str, Any]:
    """Returns the table of a file with the keys that choose clips and joints in [import]. They may
    also stand at the top; there `clips` is a list, and otherwise the table of single clips."""
    top = {key: value for key, value in table.items()
           if key in CHOICES and (key != CLIPS or isinstance(value, list | str))}
    if not top:
        return table
    reading = typed(table.get(IMPORT, {}), dict, IMPORT, "a table")
    for key in top:
        if key in reading:
            raise SettingProblem(f"{key} stands at the top of the file and in [{IMPORT}]; remove one")
    return {key: value for key, value in table.items() if key not in top} | {IMPORT: reading | top}


def _project_of(path: Path, table: dict[str, Any], character: str) -> Project:
    # messages name the file as given, unless it is a link
    real = path.resolve() if path.is_symlink() else path
    check_characters(table)
    characters = table.pop(CHARACTER, {"": {}})
    if character not in characters:
        raise SettingProblem(f"the file has several characters, which only `ossicle build {path}` reads")
    table = overlaid(_with_choices(table), _with_choices(characters[character]))
    check_keys(table, [*keys_of(*TOP), *TABLES, *CHOICES, *([] if character else [CHARACTER])], "")
    said = {field: value for field, value in read_keys(table, "", PROJECT, GENERATE).items()
            if value != ""}  # an empty name means none
    for field in ("output", "generate"):
        if field in said:
            said[field] = shown(real.parent / said[field])
    names = [str(name) for name in said.get("inputs", ())]
    patterns = {name: checked_matching(real.parent, name) for name in names if is_pattern(real.parent, name)}
    said["inputs"] = tuple(dict.fromkeys(shown(real.parent / file) for name in names for file in patterns.get(name, [name]))
                           if patterns else [shown(real.parent / name) for name in names])
    said.setdefault("output", shown(real.parent / f"{character or real.stem}.ossb"))
    project = Project(**said, patterns=patterns, settings=_with_curve_files(read_settings(table), real.parent), build_keys=tuple(
        key for key in keys_of(PROJECT, GENERATE) if key in table))
    _check_generate(table)
    return project
