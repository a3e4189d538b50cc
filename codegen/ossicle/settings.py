"""What the user asks of the encoder: lengths with units, options per clip, the TOML file."""
from __future__ import annotations

import difflib
import fnmatch
import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .model import ImportOptions
from .native import EFFORTS, NO_RESTARTS_LOG2

CODECS = ("auto", "delta")
SHELL_M = 0.03
DEFAULT_TOLERANCE_M = 0.001
DEFAULT_RESTART_FRAMES = 64
_METRES = {"um": 1e-6, "mm": 1e-3, "cm": 1e-2, "m": 1.0}
_LENGTH = re.compile(r"\s*([0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)\s*([a-zA-Z]*)\s*\Z")


class SettingProblem(Exception):
    """An option or configuration that cannot be used; str() is one line with the remedy."""


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean X?`, or the list of what there is."""
    names = list(known)
    close = difflib.get_close_matches(word, names, 1, 0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    listed = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"; there {'is' if len(names) == 1 else 'are'} {listed or 'none'}"


def parse_length(text: object, what: str) -> float:
    """Metres of a length like "0.5mm", "3 cm" or "0.001m"; SettingProblem for anything else."""
    match = _LENGTH.match(text) if isinstance(text, str) else None
    if match is None or match.group(2) not in _METRES:
        raise SettingProblem(f"{what} {text!r}: give a length with its unit, such as 0.5mm or 3cm")
    metres = float(match.group(1)) * _METRES[match.group(2)]
    if not (0.0 < metres < math.inf):
        raise SettingProblem(f"{what} {text!r}: the length has to be more than zero and finite")
    return metres


def parse_restart(frames: object) -> int:
    """log2 of the restart spacing; 0 frames means none but the first."""
    if frames == 0 and not isinstance(frames, bool):
        return NO_RESTARTS_LOG2
    if isinstance(frames, bool) or not isinstance(frames, int) or frames < 1 or \
            frames & (frames - 1) or frames > 1 << 20:
        raise SettingProblem(f"restart {frames!r}: choose a power of two up to 1048576, or 0 for "
                             "none but the first frame")
    return frames.bit_length() - 1


@dataclass(frozen=True)
class ClipRule:
    """Options for the clips whose name matches a shell pattern; None leaves what held before."""

    pattern: str
    loop: bool | None = None
    tolerance_m: float | None = None

    def matches(self, clip: str) -> bool:
        """Whether the rule is for a clip; its plain name counts even if it holds a `[` or `*`."""
        return clip == self.pattern or fnmatch.fnmatchcase(clip, self.pattern)


@dataclass(frozen=True)
class Settings:
    """Everything that decides about a bank beside its input files."""

    tolerance_m: float = DEFAULT_TOLERANCE_M
    shell_m: float = SHELL_M
    codec: str = "auto"
    effort: str = "default"
    restart_log2: int = DEFAULT_RESTART_FRAMES.bit_length() - 1
    importing: ImportOptions = ImportOptions()
    clips: tuple[ClipRule, ...] = ()

    def rule_for(self, clip: str) -> ClipRule:
        """The rules that match a clip, later ones winning, as one complete rule."""
        loop, tolerance_m = False, self.tolerance_m
        for rule in self.clips:
            if rule.matches(clip):
                loop = loop if rule.loop is None else rule.loop
                tolerance_m = tolerance_m if rule.tolerance_m is None else rule.tolerance_m
        return ClipRule(clip, loop, tolerance_m)

    def check_patterns(self, clips: list[str]) -> None:
        """SettingProblem for a rule that matches no clip: it is misspelt."""
        for rule in self.clips:
            if not any(rule.matches(clip) for clip in clips):
                raise SettingProblem(f"clip pattern {rule.pattern!r} matches no clip"
                                     + nearest(rule.pattern, clips))


@dataclass(frozen=True)
class Project:
    """A hero.toml: what to read, what to write, and the settings. Paths are absolute."""

    inputs: tuple[Path, ...] = ()
    output: Path | None = None
    generate: Path | None = None
    name: str | None = None
    embed: bool = False
    target: str | None = None
    settings: Settings = field(default_factory=Settings)


def _typed(value: Any, kind: type | tuple[type, ...], what: str, words: str) -> Any:
    if isinstance(value, bool) and kind is not bool or not isinstance(value, kind):
        raise SettingProblem(f"{what} = {value!r}: give {words}")
    return value


def _choice(value: Any, choices: tuple[str, ...], what: str) -> str:
    if value not in choices:
        raise SettingProblem(f"{what} {value!r} is unknown" + nearest(str(value), choices))
    return value


def _check_keys(table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in known:
            raise SettingProblem(f"{where}unknown key {key!r}" + nearest(key, known))


_PROJECT_KEYS = ("inputs", "output", "generate", "name", "embed", "target", "tolerance", "shell",
                 "codec", "effort", "restart", "import", "clips")
_IMPORT_KEYS = ("fps", "scale", "up", "skin", "ancestors")
_CLIP_KEYS = ("loop", "tolerance")


def _read_import(table: Mapping[str, Any]) -> ImportOptions:
    _check_keys(table, _IMPORT_KEYS, "[import]: ")
    options = ImportOptions()
    for key in ("fps", "scale"):
        if key in table:
            number = _typed(table[key], (int, float), f"[import] {key}", "a number")
            options = replace(options, **{key: float(number)})
    if "skin" in table:
        options = replace(options, skin=_typed(table["skin"], (int, str), "[import] skin",
                                               "the name or index of a skin"))
    if "up" in table:
        options = replace(options, up=_choice(table["up"], ("y", "z"), "[import] up"))
    if "ancestors" in table:
        options = replace(options, ancestors=_choice(table["ancestors"], ("fold", "drop"),
                                                     "[import] ancestors"))
    return options


def _read_clips(table: Mapping[str, Any]) -> tuple[ClipRule, ...]:
    rules = []
    for pattern, options in table.items():
        where = f"[clips.{pattern!r}] "
        _check_keys(_typed(options, dict, where.strip(), "a table"), _CLIP_KEYS, where)
        loop = options.get("loop")
        if loop is not None:
            _typed(loop, bool, where + "loop", "true or false")
        tolerance = options.get("tolerance")
        rules.append(ClipRule(pattern, loop, None if tolerance is None else
                              parse_length(tolerance, where + "tolerance")))
    return tuple(rules)


def read_settings(table: Mapping[str, Any]) -> Settings:
    """The settings of a parsed TOML table; SettingProblem names the key and the remedy."""
    settings = Settings(
        importing=_read_import(_typed(table.get("import", {}), dict, "import", "a table")),
        clips=_read_clips(_typed(table.get("clips", {}), dict, "clips", "a table")),
    )
    if "tolerance" in table:
        settings = replace(settings, tolerance_m=parse_length(table["tolerance"], "tolerance"))
    if "shell" in table:
        settings = replace(settings, shell_m=parse_length(table["shell"], "shell"))
    if "codec" in table:
        settings = replace(settings, codec=_choice(table["codec"], CODECS, "codec"))
    if "effort" in table:
        settings = replace(settings, effort=_choice(table["effort"], EFFORTS, "effort"))
    if "restart" in table:
        settings = replace(settings, restart_log2=parse_restart(table["restart"]))
    return settings


def read_project(path: Path) -> Project:
    """Reads a TOML file; paths in it are relative to its folder. SettingProblem: file and cause."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        _check_keys(table, _PROJECT_KEYS, "")
        inputs = _typed(table.get("inputs", []), list, "inputs", "a list of file names")
        here = path.resolve().parent

        def file_of(key: str) -> Path | None:
            name = table.get(key)
            return None if name is None else here / _typed(name, str, key, "a path")

        return Project(
            inputs=tuple(here / _typed(name, str, "inputs", "file names") for name in inputs),
            output=file_of("output"),
            generate=file_of("generate"),
            name=_typed(table.get("name", ""), str, "name", "a C identifier") or None,
            embed=_typed(table.get("embed", False), bool, "embed", "true or false"),
            target=_typed(table.get("target", ""), str, "target", "the name of a target") or None,
            settings=read_settings(table),
        )
    except OSError as error:
        raise SettingProblem(f"{path}: cannot be read ({error.strerror}); check the path") \
            from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingProblem(f"{path}: not valid TOML: {error}") from error
    except SettingProblem as problem:
        raise SettingProblem(f"{path}: {problem}") from problem
