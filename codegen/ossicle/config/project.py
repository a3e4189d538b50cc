"""Reads TOML files: inputs, outputs and settings."""
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
from ..base.files.output import shown
from ..base.patterns import from_general_to_specific
from ..base.problem import SettingProblem, setting_problems_of
from ..base.files.reading import read_file
from ..encoding.curves.rules import CurveFile
from ..encoding.settings import ClipRule, Settings
from ..model.import_options import ImportOptions
from ..model.joint_rules import JointRule
from ..model.joint_sets import JointSets
from ..model.lengths import Screen
from ..model.masks import Masks
from ..model.sides import Mirror
from .characters import CHARACTER, OWN, characters_of, check_characters, overlaid, title_of
from .folders import FOLDER, folders_of, title_of_folder
from .input_names import expanded, is_pattern
from .option_kinds import INPUT, typed
from .option import CHOICES, CLIPS, GENERATE, IMAGE, IMPORT, JOINTS, PROJECT, RETARGET, SCREEN, SETTINGS, TABLES, TOP
from .option_lookup import check_keys, keys_of, names_in_files, read_keys
from .overlay import check_one_scheme
from .retarget_tables import checked_tables, retarget_rules


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
        """Moves all outputs to this folder."""
        return replace(self, output=shown(folder / self.output.name),
                       header=self.header and shown(folder / self.header.name))


@dataclass(frozen=True)
class Project:
    """A character of a TOML file: inputs, outputs and settings. Paths are in the form of messages: relative to the
    current directory if they are below it. build_keys: keys of the file that only `ossicle build` reads; patterns: the
    patterns among the inputs, with the matching files."""

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
        """Moves all outputs to this folder."""
        return replace(self, output=shown(folder / self.output.name),
                       generate=None if self.generate is None else shown(folder),
                       packing=self.packing and self.packing.in_folder(folder))


def _tables(table: Mapping[str, Any], name: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yields pattern, title and settings of every table [name.PATTERN], the most specific one last."""
    for pattern, options in from_general_to_specific(typed(table.get(name, {}), dict, name, "a table")):
        where = f"[{name}.{pattern!r}] "
        check_keys(typed(options, dict, where.strip(), "a table"), list(keys_of(name)), where)
        yield pattern, where, read_keys(options, where, name)


def _clip_rules(table: Mapping[str, Any], folder: Path) -> tuple[ClipRule, ...]:
    """folder: that of the file, to which paths of CSV files are relative."""
    rules = []
    for pattern, where, values in _tables(table, CLIPS):
        check_one_scheme(values, f"{where}preset", "codec")
        if isinstance(curves := values.get("curves"), CurveFile):
            values["curves"] = replace(curves, path=shown(folder / curves.path))
        rules.append(ClipRule(pattern, **values))
    return tuple(rules)


def _joint_rules(table: Mapping[str, Any]) -> tuple[JointRule, ...]:
    rules = []
    for pattern, where, values in _tables(table, JOINTS):
        if not values:
            raise SettingProblem(f"{where}has no tolerance; add tolerance = \"0.1mm\", for example")
        rules.append(JointRule(pattern, **values))
    return tuple(rules)


def _read_table(table: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Returns the settings of the table [name]."""
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
                        clips=_clip_rules(table, folder), joints=_joint_rules(table),
                        retarget=retarget_rules(table, folder))
    values = read_keys(table, "", SETTINGS)
    check_one_scheme(values, "preset", "codec")
    if "graph" in values:
        from ..graph.checks import check_rules  # imported here, because few files have a graph
        check_rules(values["graph"])
    return settings.changed(values)


def settings_of_keys(keys: Mapping[str, Any]) -> Settings:
    """Returns the settings of keys as in a configuration file, with paths relative to the current folder. Keys of
    [import] may be at the top, too. Raises SettingProblem."""
    table = _with_choices(keys)
    of_masks = _keys_of_layers(table)
    check_keys(table, [*keys_of(SETTINGS, IMPORT), *TABLES, RETARGET, *of_masks], "")
    reading = {key: value for key, value in table.items() if key in keys_of(IMPORT) and key not in TABLES}
    importing = typed(table.get(IMPORT, {}), dict, IMPORT, "a table")
    for key in reading:
        if key in importing:
            raise SettingProblem(f"{key} occurs twice, directly and in [{IMPORT}]; remove one of them")
    masks = read_keys({key: table[key] for key in of_masks if key in table}, "", GENERATE)
    rest = {key: value for key, value in table.items() if key not in (*reading, *of_masks)}
    return _with_masks(read_settings(rest | {IMPORT: importing | reading}), masks.get("masks", {}),
                       masks.get("sets", {}))


def _keys_of_layers(table: Mapping[str, Any]) -> tuple[str, ...]:
    """Returns the keys about generated C that the bank uses, too: those of masks, if its graph has layers."""
    graph = table.get("graph")
    return ("sets", "masks") if isinstance(graph, dict) and "layers" in graph else ()


def _check_generate(table: Mapping[str, Any]) -> None:
    """Raises SettingProblem for keys about generated C if no C is generated."""
    idle = [key for key in keys_of(GENERATE) if table.get(key) and key not in _keys_of_layers(table)]
    if idle and not table.get("generate"):
        raise SettingProblem(f"{', '.join(idle)}: needs generated C, but the file names no folder for it; add "
                             "generate = \".\"")


def _clips_twice(path: Path) -> str:
    """Returns the remedy if a file has both a list and tables named clips, which TOML forbids."""
    parts = re.split(r"^[ \t]*\[[ \t]*([^\[\n]*?)[ \t]*\][ \t]*(?:#.*)?$",
                     read_file(path).decode("utf-8-sig", "replace"), flags=re.M)
    headers = parts[1::2]
    for header, body in zip(["", *headers], parts[::2]):
        above = f"{header}." if header else ""
        if re.search(r"^[ \t]*clips[ \t]*=", body, re.M) and any(
                other.startswith(f"{above}{CLIPS}.") for other in headers):
            return (f"; move the list of clips to [{above}{IMPORT}], because the file has tables "
                    f"[{above}{CLIPS}.\"NAME\"]")
    return ""


def project_of_source(path: Path) -> Project:
    """Returns the project of a source file without a TOML file: default settings, outputs in the folder of the file."""
    return Project((path,), shown(path.with_suffix(".ossb")), shown(path.parent), embed=True)


def read_projects(path: Path) -> list[Project]:
    """Reads all characters of a TOML file, as read_project does."""
    return [read_project(path, character) for character in characters_of(path)]


def read_project(path: Path, character: str = "") -> Project:
    """Reads a TOML file, whose paths are relative to its folder. character: the name in a file with several characters.
    Raises SettingProblem with the file and the cause."""
    with setting_problems_of(title_of(path, character)), toml_names(names_in_files()):
        try:
            return _project_of(path, read_file(path).decode("utf-8-sig"), character)
        except OSError as error:
            raise SettingProblem(f"cannot be read ({error.strerror}); check the path") from error
        except ValueError as error:  # from tomllib, the decoder, or a number with too many digits
            raise SettingProblem(f"is not valid TOML: {error}" + _clips_twice(path)) from error
        except RecursionError as error:
            raise SettingProblem("is nested too deeply; remove brackets") from error


@lru_cache(maxsize=1)
def _parsed(text: str) -> Mapping[str, Any]:
    """Returns the table of a file; cached for all its characters."""
    return tomllib.loads(text)


def _with_choices(table: Mapping[str, Any]) -> dict[str, Any]:
    """Moves keys that choose clips and joints from the top of a file's table to [import]. At the top, `clips` is such a
    key only if it is a list; otherwise it is the table of clips."""
    top = {key: value for key, value in table.items()
           if key in CHOICES and (key != CLIPS or isinstance(value, list | str))}
    if not top:
        return dict(table)
    reading = typed(table.get(IMPORT, {}), dict, IMPORT, "a table")
    for key in top:
        if key in reading:
            raise SettingProblem(f"{key} occurs at the top of the file and in [{IMPORT}]; remove one of them")
    return {key: value for key, value in table.items() if key not in top} | {IMPORT: reading | top}


def _check_names(table: Mapping[str, Any], *more: str, above: str = "") -> None:
    """Raises SettingProblem for a key that is neither a key of a character nor in `more`. above: as for check_keys."""
    check_keys(table, [*keys_of(*TOP), *TABLES, RETARGET, *CHOICES, *more], "", above)


def _check_folder(table: Mapping[str, Any], name: str) -> None:
    """Raises SettingProblem for an invalid key or value in the table of a folder. Does not check whether keys need
    other keys, which may be in another table."""
    _check_names(table, above=f"{FOLDER}.\"{name}\".")
    for key in ("inputs", *OWN):
        if key in table:
            raise SettingProblem(f"{key} applies to a single character; move it into a table [{CHARACTER}.NAME]")
    table = _with_choices(table)
    read_keys(table, "", *TOP)
    for name in (SCREEN, IMPORT):
        _read_table(table, name)
    for name in (CLIPS, JOINTS):
        list(_tables(table, name))
    list(checked_tables(table))


@lru_cache(maxsize=1)
def _folder_tables(home: Path, text: str) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """Returns the tables of the folders that contain each character of a file, the outermost first; cached for all its
    characters. home: the file's folder."""
    table = _parsed(text)
    if FOLDER not in table:
        return {}
    if CHARACTER not in table:
        raise SettingProblem(f"{FOLDER} contains defaults of characters, but the file has no table [{CHARACTER}.NAME]; "
                             "add one, or move the keys to the top")
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
    values = _read_table({IMAGE: table}, IMAGE)
    if "output" not in values:
        raise SettingProblem(f"[{IMAGE}]: has no output; add output = \"card.img\", for example")
    places = {key: shown(folder / values[key]) for key in ("output", "header") if key in values}
    return Packing(**{**values, **places})


def _with_masks(settings: Settings, masks: Masks, sets: JointSets) -> Settings:
    """Returns the settings, whose graph knows the masks of the file."""
    if settings.graph is None:
        return settings
    known = tuple((name, tuple(joints)) for name, joints in sets.items())
    return replace(settings, graph=replace(settings.graph, masks=tuple(masks.items()), sets=known))


def patterns_of(path: Path, character: str) -> list[str]:
    """Returns the patterns among the inputs of a character and of its tables [[retarget]], even of those without a
    match. Raises SettingProblem, OSError and ValueError."""
    real = _real(path)
    table, _ = _table_of(path, read_file(path).decode("utf-8-sig"), character)
    names = [*INPUT.all_of(table.get("inputs", []), "inputs"),
             *(name for _, values in checked_tables(table) for name in values["inputs"])]
    return [name for name in map(str, names) if is_pattern(real.parent, name)]


def _real(path: Path) -> Path:
    """Returns the file as given, which messages name, unless it is a link."""
    return path.resolve() if path.is_symlink() else path


def _table_of(path: Path, text: str, character: str) -> tuple[dict[str, Any], Packing | None]:
    """Returns the keys of a character, with those of its folders and of the top of the file, and the image."""
    real = _real(path)
    table = dict(_parsed(text))
    check_characters(table)
    _check_names(table, CHARACTER, FOLDER, IMAGE)
    packing = _packing_of(table.pop(IMAGE), real.parent) if IMAGE in table else None
    characters = table.pop(CHARACTER, {"": {}})
    if character not in characters:
        raise SettingProblem(f"the file has several characters; build them with `ossicle build {path}`")
    _check_names(characters[character], above=f"{CHARACTER}.{character}." if character else "")
    folders = _folder_tables(real.parent.absolute(), text).get(character, ())
    table.pop(FOLDER, None)
    return reduce(overlaid, map(_with_choices, (table, *folders, characters[character]))), packing


def _project_of(path: Path, text: str, character: str) -> Project:
    real = _real(path)
    table, packing = _table_of(path, text, character)
    values = {field: value for field, value in read_keys(table, "", PROJECT, GENERATE).items()
              if value != ""}  # an empty name selects the default
    for key in ("output", "generate"):
        if key in values:
            values[key] = shown(real.parent / values[key])
    values["inputs"], patterns = expanded(real.parent, map(str, values.get("inputs", ())))
    values.setdefault("output", shown(real.parent / f"{character or real.stem}.ossb"))
    settings = _with_masks(read_settings(table, real.parent), values.get("masks", {}), values.get("sets", {}))
    for rule in settings.retarget:
        patterns |= rule.patterns
    build_keys = tuple(key for key in keys_of(PROJECT, GENERATE) if key in table and key not in _keys_of_layers(table))
    build_keys += (IMAGE,) if packing else ()
    project = Project(**values, patterns=patterns, settings=settings, build_keys=build_keys, packing=packing)
    _check_generate(table)
    return project
