"""The TOML file: what to read, what to write, and the settings."""
from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .bank_clips import MODES
from .joint_sets import JointSets, check_set
from .joints import JointRule
from .lengths import Screen, parse_length, parse_tolerance
from .model import ImportOptions
from .native import EFFORTS, POINTS
from .output import shown
from .presets import NO_PRESET, PRESETS
from .option_names import toml_names
from .problem import SettingProblem, nearest, said_in
from .reading import read_file
from .settings import CODEC_CHOICES, ClipRule, Settings, choice, parse_max_ram, parse_restart
from .skin_plan import parse_matrices
from .unrolling import parse_unroll


@dataclass(frozen=True)
class Project:
    """A hero.toml: what to read, what to write, and the settings. Paths are meant for messages,
    too: from the current directory where they lie below it. build_keys: those of the file that only
    `ossicle build` heeds."""

    inputs: tuple[Path, ...] = ()
    output: Path = Path()
    generate: Path | None = None
    name: str | None = None
    embed: bool = False
    target: str | None = None
    unroll: tuple[str, ...] = ()
    sets: JointSets = field(default_factory=dict)
    matrices: str | None = None
    rigid: bool = False
    settings: Settings = field(default_factory=Settings)
    build_keys: tuple[str, ...] = ()


def _typed(value: Any, kind: type | tuple[type, ...], what: str, words: str) -> Any:
    if isinstance(value, bool) and kind is not bool or not isinstance(value, kind):
        raise SettingProblem(f"{what} = {value!r}: give {words}")
    return value


def _number(value: Any, what: str) -> float:
    try:
        return float(_typed(value, (int, float), what, "a number"))
    except OverflowError as error:
        raise SettingProblem(f"{what}: a number of {len(str(value))} digits; give a smaller one") \
            from error


def _path(value: Any, what: str, words: str = "a path") -> str:
    if not _typed(value, str, what, words):
        raise SettingProblem(f"{what} = \"\": give {words}")
    if "\0" in value:
        raise SettingProblem(f"{what} = {value!r}: no path holds a zero byte; remove it")
    return value


def _check_keys(table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in known:
            raise SettingProblem(f"{where}unknown key {key!r}" + nearest(key, known))


_GENERATE_KEYS = ("name", "embed", "target", "unroll", "sets", "matrices", "rigid")
_BUILD_KEYS = ("inputs", "output", "generate", *_GENERATE_KEYS)
_PROJECT_KEYS = (*_BUILD_KEYS, "tolerance", "screen", "shell", "points", "mode", "codec", "preset",
                 "random_access", "max_ram_bytes", "effort", "restart", "skinning", "import",
                 "clips", "joints", "pin")
_SCREEN_KEYS = ("height", "fov", "distance")
_IMPORT_KEYS = ("fps", "scale", "up", "skin", "ancestors")
_JOINT_KEYS = ("tolerance",)
_CLIP_KEYS = ("loop", "mode", "tolerance", "codec", "random_access", "preset")


def _read_import(table: Mapping[str, Any]) -> ImportOptions:
    _check_keys(table, _IMPORT_KEYS, "[import]: ")
    options = ImportOptions()
    for key in ("fps", "scale"):
        if key in table:
            options = replace(options, **{key: _number(table[key], f"[import] {key}")})
    if "skin" in table:
        options = replace(options, skin=_typed(table["skin"], (int, str), "[import] skin",
                                               "the name or index of a skin"))
    if "up" in table:
        options = replace(options, up=choice(table["up"], ("y", "z"), "[import] up"))
    if "ancestors" in table:
        options = replace(options, ancestors=choice(table["ancestors"], ("fold", "drop"),
                                                     "[import] ancestors"))
    options.check()
    return options


def _read_clips(table: Mapping[str, Any]) -> tuple[ClipRule, ...]:
    rules = []
    for pattern, options in table.items():
        where = f"[clips.{pattern!r}] "
        _check_keys(_typed(options, dict, where.strip(), "a table"), _CLIP_KEYS, where)
        for key in ("loop", "random_access"):
            if key in options:
                _typed(options[key], bool, where + key, "true or false")
        for key, choices in (("mode", MODES), ("codec", CODEC_CHOICES),
                             ("preset", (NO_PRESET, *PRESETS))):
            if key in options:
                choice(options[key], choices, where + key)
        if options.get("preset", NO_PRESET) != NO_PRESET and "codec" in options:
            raise SettingProblem(f"{where}preset chooses the codec; leave out codec")
        tolerance = options.get("tolerance")
        rules.append(ClipRule(
            pattern, options.get("loop"), options.get("mode"),
            None if tolerance is None else parse_tolerance(tolerance, where + "tolerance",
                                                           or_none=True),
            options.get("codec"), options.get("random_access"), options.get("preset")))
    return tuple(rules)


def _read_joints(table: Mapping[str, Any]) -> tuple[JointRule, ...]:
    rules = []
    for pattern, options in table.items():
        where = f"[joints.{pattern!r}] "
        _check_keys(_typed(options, dict, where.strip(), "a table"), _JOINT_KEYS, where)
        if "tolerance" not in options:
            raise SettingProblem(f"{where}has no tolerance; add one, such as tolerance = \"0.1mm\"")
        rules.append(JointRule(pattern, parse_tolerance(options["tolerance"],
                                                        where + "tolerance")))
    return tuple(rules)


def _read_screen(table: Mapping[str, Any]) -> Screen:
    _check_keys(table, _SCREEN_KEYS, "[screen]: ")
    numbers = {key: _number(table[key], f"[screen] {key}")
               for key in ("height", "fov") if key in table}
    if "distance" in table:
        numbers["distance_m"] = parse_length(table["distance"], "[screen] distance")
    screen = Screen(**numbers)
    screen.check()
    return screen


def _read_unroll(value: Any) -> tuple[str, ...]:
    """What --unroll says, once or several times; a single text stands for a list of one."""
    choices = [value] if isinstance(value, str) else _typed(value, list, "unroll",
                                                            "a text or a list of texts")
    for choice in choices:
        _typed(choice, str, "unroll", "texts such as \"loop\"")
    parse_unroll(choices)
    return tuple(choices)


def _read_sets(table: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """[sets]: the patterns of the joints by the name of their set."""
    for name, patterns in table.items():
        for pattern in _typed(patterns, list, f"[sets] {name}", "a list of joints"):
            _typed(pattern, str, f"[sets] {name}", "joint names or patterns")
        check_set(name, patterns, "[sets]")
    return {name: tuple(patterns) for name, patterns in table.items()}


def _read_matrices(table: Mapping[str, Any]) -> str | None:
    if "matrices" not in table:
        return None
    return parse_matrices(_typed(table["matrices"], str, "matrices", "a text such as \"q20\""))


def read_settings(table: Mapping[str, Any]) -> Settings:
    """The settings of a parsed TOML table; SettingProblem names the key and the remedy."""
    settings = Settings(
        screen=_read_screen(_typed(table.get("screen", {}), dict, "screen", "a table")),
        random_access=_typed(table.get("random_access", False), bool, "random_access",
                             "true or false"),
        skinning=_typed(table.get("skinning", False), bool, "skinning", "true or false"),
        importing=_read_import(_typed(table.get("import", {}), dict, "import", "a table")),
        clips=_read_clips(_typed(table.get("clips", {}), dict, "clips", "a table")),
        joints=_read_joints(_typed(table.get("joints", {}), dict, "joints", "a table")),
        pins=tuple(_typed(pin, str, "pin", "joint names or patterns")
                   for pin in _typed(table.get("pin", []), list, "pin", "a list of joints")),
    )
    if "tolerance" in table:
        settings = replace(settings, tolerance=parse_tolerance(table["tolerance"], "tolerance",
                                                               or_none=True))
    if "shell" in table:
        settings = replace(settings, shell_m=parse_length(table["shell"], "shell"))
    for key, choices in (("mode", MODES), ("codec", CODEC_CHOICES), ("effort", EFFORTS),
                         ("points", POINTS)):
        if key in table:
            settings = replace(settings, **{key: choice(table[key], choices, key)})
    if "preset" in table:
        settings = settings.with_preset(table["preset"], "preset")
        if settings.preset != NO_PRESET and "codec" in table:
            raise SettingProblem("preset chooses the codec; leave out codec")
    if "max_ram_bytes" in table:
        settings = replace(settings, max_ram_bytes=parse_max_ram(table["max_ram_bytes"],
                                                                "max_ram_bytes"))
    if "restart" in table:
        settings = replace(settings, restart_log2=parse_restart(table["restart"], "restart"))
    return settings


def _check_generate(table: Mapping[str, Any]) -> None:
    """SettingProblem for a key about generated C where none is generated."""
    idle = [key for key in _GENERATE_KEYS if table.get(key)]
    if idle and not table.get("generate"):
        raise SettingProblem(f"{', '.join(idle)}: without generate no C is written; add generate = "
                             "\".\", the folder for it")


def read_project(path: Path) -> Project:
    """Reads a TOML file; paths in it are relative to its folder. SettingProblem: file and cause."""
    with said_in(path), toml_names():
        try:
            return _project_of(path, tomllib.loads(read_file(path).decode("utf-8-sig")))
        except OSError as error:
            raise SettingProblem(f"cannot be read ({error.strerror}); check the path") from error
        except ValueError as error:  # of tomllib, of the decoder, and of numbers without an end
            raise SettingProblem(f"not valid TOML: {error}") from error
        except RecursionError as error:
            raise SettingProblem("not valid TOML: nested too deep; remove brackets") from error


def _project_of(path: Path, table: Mapping[str, Any]) -> Project:
    # as it was given, if that is the place
    real = path.resolve() if path.is_symlink() else path
    _check_keys(table, _PROJECT_KEYS, "")
    inputs = _typed(table.get("inputs", []), list, "inputs", "a list of file names")

    def file_of(key: str) -> Path | None:
        name = table.get(key)
        return None if name is None else shown(real.parent / _path(name, key))

    project = Project(
        inputs=tuple(shown(real.parent / _path(name, "inputs", "file names"))
                     for name in inputs),
        output=file_of("output") or shown(real.with_suffix(".ossb")),
        generate=file_of("generate"),
        name=_typed(table.get("name", ""), str, "name", "a C identifier") or None,
        embed=_typed(table.get("embed", False), bool, "embed", "true or false"),
        target=_typed(table.get("target", ""), str, "target", "the name of a target") or None,
        unroll=_read_unroll(table.get("unroll", [])),
        sets=_read_sets(_typed(table.get("sets", {}), dict, "sets", "a table")),
        matrices=_read_matrices(table),
        rigid=_typed(table.get("rigid", False), bool, "rigid", "true or false"),
        settings=read_settings(table),
        build_keys=tuple(key for key in _BUILD_KEYS if key in table),
    )
    _check_generate(table)
    return project
