"""The TOML file: the inputs, the outputs and the settings."""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any, TypeVar

import tomllib

from ..bank.device_units import DEFAULT_UNIT, UNITS
from ..base.option_names import toml_names
from ..base.output import shown
from ..base.patterns import from_general_to_specific
from ..base.problem import SettingProblem, setting_problems_of
from ..base.reading import read_file
from ..encode.curves.rules import CurveFile
from ..encode.settings import ClipRule, Settings
from ..generate.joint_sets import JointSets
from ..generate.masks import Masks
from ..model.sides import Mirror
from ..model.import_options import ImportOptions
from ..model.joint_rules import JointRule
from ..model.lengths import Screen
from .characters import CHARACTER, OWN, characters_of, check_characters, overlaid, title_of
from .folders import FOLDER, folders_of, title_of_folder
from .input_names import checked_matching, is_pattern
from .option_kinds import INPUT, typed
from .option import CHOICES, CLIPS, GENERATE, IMAGE, IMPORT, JOINTS, PROJECT, SCREEN, SETTINGS, TABLES, TOP
from .option_lookup import check_keys, keys_of, names_in_files, read_keys
from .overlay import check_one_scheme


_Checked = TypeVar("_Checked", Screen, ImportOptions)


@dataclass(frozen=True)
class Packing:
    """The table [pack]: the image of all characters of a file. unit, at: in bytes."""

    output: Path
    header: Path | None = None
    unit: int = UNITS[DEFAULT_UNIT]
    at: int = 0

    @property
    def outputs(self) -> list[Path]:
        return [self.output] + ([self.header] if self.header else [])

    def in_folder(self, folder: Path) -> Packing:
        """The same with all outputs in this folder."""
        return replace(self, output=shown(folder / self.output.name),
                       header=self.header and shown(folder / self.header.name))


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
    packing: Packing | None = None

    def in_folder(self, folder: Path) -> Project:
        """The project with all outputs in this folder."""
        return replace(self, output=shown(folder / self.output.name),
                       generate=None if self.generate is None else shown(folder),
                       packing=self.packing and self.packing.in_folder(folder))


def _tables(table: Mapping[str, Any], name: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The pattern, the place and the settings of every table [name.PATTERN], the more specific ones later."""
    for pattern, options in from_general_to_specific(typed(table.get(name, {}), dict, name, "a table")):
        where = f"[{name}.{pattern!r}] "
        check_keys(typed(options, dict, where.strip(), "a table"), list(keys_of(name)), where)
        yield pattern, where, read_keys(options, where, name)


def _clip_rules(table: Mapping[str, Any], folder: Path) -> tuple[ClipRule, ...]:
    """folder: that of the file, which paths of files with curves are relative to."""
    rules = []
    for pattern, where, said in _tables(table, CLIPS):
        check_one_scheme(said, f"{where}preset", "codec")
        if isinstance(curves := said.get("curves"), CurveFile):
            said["curves"] = replace(curves, path=shown(folder / curves.path))
        rules.append(ClipRule(pattern, **said))
    return tuple(rules)


def _joint_rules(table: Mapping[str, Any]) -> tuple[JointRule, ...]:
    rules = []
    for pattern, where, said in _tables(table, JOINTS):
        if not said:
            raise SettingProblem(f"{where}has no tolerance; add one, such as tolerance = \"0.1mm\"")
        rules.append(JointRule(pattern, **said))
    return tuple(rules)


def _read_table(table: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The settings of the table [name]."""
    options = typed(table.get(name, {}), dict, name, "a table")
    check_keys(options, list(keys_of(name)), f"[{name}]: ")
    return read_keys(options, f"[{name}] ", name)


def _checked(kind: type[_Checked], table: Mapping[str, Any], name: str) -> _Checked:
    settings = kind(**_read_table(table, name))
    settings.check()
    return settings


def read_settings(table: Mapping[str, Any], folder: Path = Path()) -> Settings:
    """Returns the settings of a parsed TOML table. folder: that of the file. Raises SettingProblem, which names the key
    and the remedy."""
    settings = Settings(screen=_checked(Screen, table, SCREEN),
                        importing=_checked(ImportOptions, table, IMPORT),
                        clips=_clip_rules(table, folder), joints=_joint_rules(table))
    said = read_keys(table, "", SETTINGS)
    check_one_scheme(said, "preset", "codec")
    return settings.changed(said)


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
    with setting_problems_of(title_of(path, character)), toml_names(names_in_files()):
        try:
            return _project_of(path, read_file(path).decode("utf-8-sig"), character)
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


def _with_choices(table: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the table of a file with the keys that choose clips and joints in [import]. They may
    also stand at the top; there `clips` is a list, and otherwise the table of single clips."""
    top = {key: value for key, value in table.items()
           if key in CHOICES and (key != CLIPS or isinstance(value, list | str))}
    if not top:
        return dict(table)
    reading = typed(table.get(IMPORT, {}), dict, IMPORT, "a table")
    for key in top:
        if key in reading:
            raise SettingProblem(f"{key} stands at the top of the file and in [{IMPORT}]; remove one")
    return {key: value for key, value in table.items() if key not in top} | {IMPORT: reading | top}


def _check_names(table: Mapping[str, Any], *more: str, above: str = "") -> None:
    """Raises SettingProblem for a key that is neither a key of a character nor one of these. above: as for
    check_keys."""
    check_keys(table, [*keys_of(*TOP), *TABLES, *CHOICES, *more], "", above)


def _check_folder(table: Mapping[str, Any], name: str) -> None:
    """Raises SettingProblem for a key that the table of this folder cannot have, or a value that the key cannot
    have. Keys that need others are not checked: these may be in another table."""
    _check_names(table, above=f"{FOLDER}.\"{name}\".")
    for key in ("inputs", *OWN):
        if key in table:
            raise SettingProblem(f"{key} belongs to one character; move it below its [{CHARACTER}.NAME]")
    table = _with_choices(table)
    read_keys(table, "", *TOP)
    for name in (SCREEN, IMPORT):
        _read_table(table, name)
    for name in (CLIPS, JOINTS):
        list(_tables(table, name))


@lru_cache(maxsize=1)
def _folder_tables(home: Path, text: str) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """The tables of the folders that each character of a file lies in, from the outer to the inner one; once for
    all its characters. home: the file's folder."""
    table = _parsed(text)
    if FOLDER not in table:
        return {}
    if CHARACTER not in table:
        raise SettingProblem(f"{FOLDER} has defaults of characters, and the file has none; begin each with "
                             f"[{CHARACTER}.NAME], or move the keys to the top")
    folders = typed(table[FOLDER], dict, FOLDER, f"tables [{FOLDER}.\"NAME\"]")
    for name, own in folders.items():
        title = title_of_folder(name)
        INPUT.read(name, title)
        typed(own, dict, title, "a table")
        with setting_problems_of(title):
            _check_folder(own, name)
    inputs = {character: INPUT.all_of(own.get("inputs", table.get("inputs", [])), f"[{CHARACTER}.{character}] inputs")
              for character, own in table[CHARACTER].items()}
    return {character: [folders[name] for name in names]
            for character, names in folders_of(home, inputs, folders).items()}


def _packing_of(table: Any, folder: Path) -> Packing:
    said = _read_table({IMAGE: table}, IMAGE)
    if "output" not in said:
        raise SettingProblem(f"[{IMAGE}]: has no output; add output = \"card.img\"")
    places = {key: shown(folder / said[key]) for key in ("output", "header") if key in said}
    return Packing(**{**said, **places})


def _project_of(path: Path, text: str, character: str) -> Project:
    # messages name the file as given, unless it is a link
    real = path.resolve() if path.is_symlink() else path
    table = dict(_parsed(text))
    check_characters(table)
    _check_names(table, CHARACTER, FOLDER, IMAGE)
    packing = _packing_of(table.pop(IMAGE), real.parent) if IMAGE in table else None
    characters = table.pop(CHARACTER, {"": {}})
    if character not in characters:
        raise SettingProblem(f"the file has several characters, which only `ossicle build {path}` reads")
    _check_names(characters[character], above=f"{CHARACTER}.{character}." if character else "")
    folders = _folder_tables(real.parent.absolute(), text).get(character, ())
    table.pop(FOLDER, None)
    table = reduce(overlaid, map(_with_choices, (table, *folders, characters[character])))
    said = {field: value for field, value in read_keys(table, "", PROJECT, GENERATE).items()
            if value != ""}  # an empty name means none
    for key in ("output", "generate"):
        if key in said:
            said[key] = shown(real.parent / said[key])
    names = [str(name) for name in said.get("inputs", ())]
    patterns = {name: checked_matching(real.parent, name) for name in names if is_pattern(real.parent, name)}
    said["inputs"] = tuple(dict.fromkeys(shown(real.parent / file) for name in names
                                         for file in patterns.get(name, [name]))
                           if patterns else [shown(real.parent / name) for name in names])
    said.setdefault("output", shown(real.parent / f"{character or real.stem}.ossb"))
    project = Project(**said, patterns=patterns, settings=read_settings(table, real.parent),
                      build_keys=tuple(
        key for key in keys_of(PROJECT, GENERATE) if key in table) + ((IMAGE,) if packing else ()), packing=packing)
    _check_generate(table)
    return project
