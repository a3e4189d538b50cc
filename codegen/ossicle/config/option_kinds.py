"""Reads the values of options, on the command line and in a configuration file.

The kinds whose values come from other packages are in scheme_kinds.py, if these can be listed, and setting_kinds.py.
They are attributes of this module, too, but their modules are imported on demand, because most commands need none: an
unchanged build would take twice as long.
"""
from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from ..bank.device_units import UNITS, parse_unit
from ..base import signals
from ..base.option_values import EMBED_BASE, MODES
from ..base.files.path_names import check_name
from ..base.problem import SettingProblem, choice, nearest
from ..base.unrolling import PARTS, UNROLLING, parse_unroll
from ..generate.matrix_formats import CHOICES, parse_matrices
from ..model.sides import AXES, Mirror
from ..model.trajectory.components import YAWS

_PAIRS = 'pairs of joints, such as [["hand_a", "hand_b"]]'
_LISTED = ("CODEC", "EFFORT", "OPTIMISE", "PRESET", "SCHEMES", "SHELL_POINTS")  # kinds of scheme_kinds.py
_LEAST_RATE = 1000  # bytes per second; below, reads of the page time out (codegen/viewer/streaming.c)


def typed(value: Any, kind: type | tuple[type, ...], what: str, words: str) -> Any:
    """Checks the type of a value and returns it. Raises SettingProblem, which asks for `words`."""
    if isinstance(value, bool) and kind is not bool or not isinstance(value, kind):
        raise SettingProblem(f"{what} = {value!r}: give {words}")
    return value


@dataclass(frozen=True)
class Kind:
    """The kind of value that an option takes.

    words: the description of the value, for messages and the reference. read: converts a value in a file to the
    setting; raises SettingProblem, beginning with the second argument, for an invalid value. of_text: converts the text
    of an option to such a value; raises ValueError. read_all: converts the value of a key whose option can be repeated
    to the settings. choices: all values, if they can be listed.
    """

    words: str
    metavar: str
    read: Callable[[Any, str], Any]
    of_text: Callable[[str], Any] = str
    read_all: Callable[[Any, str], Any] | None = None
    choices: tuple[str, ...] = ()

    def all_of(self, value: Any, what: str) -> Any:
        """Returns the setting for the value of a key whose option can be repeated. Raises SettingProblem."""
        assert self.read_all is not None, self.words
        return self.read_all(value, what)

    def read_text(self, text: str, option: str) -> Any:
        """Returns the setting for the text of an option. Raises SettingProblem."""
        try:
            value = self.of_text(text)
        except ValueError as error:
            raise SettingProblem(f"{option} {text!r}: give {self.words}") from error
        return self.read(value, option)


class _Late:
    """A kind of scheme_kinds.py, which is listed, or of setting_kinds.py, which has no choices. Imported on demand."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute == "choices" and self._name not in _LISTED:
            return ()  # shell completion asks all kinds
        with signals.deferred():
            module = import_module(".scheme_kinds" if self._name in _LISTED else ".setting_kinds", __package__)
        return getattr(getattr(module, self._name), attribute)


def __getattr__(name: str) -> Kind:
    """Returns a kind of scheme_kinds.py or setting_kinds.py, the same object each time."""
    if not name.isupper():
        raise AttributeError(name)
    return _late(name)


@lru_cache(maxsize=None)
def _late(name: str) -> Kind:
    return cast(Kind, _Late(name))


def _text(words: str, metavar: str) -> Kind:
    return Kind(words, metavar, lambda value, what: typed(value, str, what, words))


def one_of(choices: Sequence[str], metavar: str = "") -> Kind:
    """Returns the kind of a value that is one of these texts."""
    return Kind(", ".join(choices), metavar or f"{{{','.join(choices)}}}",
                lambda value, what: choice(value, choices, what), choices=tuple(choices))


def read_number(value: Any, what: str) -> float:
    try:
        return float(typed(value, (int, float), what, "a number"))
    except OverflowError as error:
        raise SettingProblem(f"{what}: the number has {len(str(value))} digits; give a smaller number") \
            from error


def _percent(value: Any, what: str) -> float:
    percent = read_number(value, what)
    if not 0.0 <= percent < math.inf:
        raise SettingProblem(f"{what} {percent:g}%: is not a usable percentage; give 0% or more")
    return percent


def _at_least_one(value: Any, what: str) -> int:
    if typed(value, int, what, JOBS.words) < 1:
        raise SettingProblem(f"{what} {value}: is too small; give 1 or more")
    return value


def _embed(value: Any, what: str) -> bool | str:
    return value if value == EMBED_BASE else typed(value, bool, what, f"true, false or \"{EMBED_BASE}\"")


def _unit(value: Any, what: str) -> int:
    return parse_unit(typed(value, (int, str), what, UNIT.words), what)


def _at_least_zero(value: Any, what: str) -> int:
    if typed(value, int, what, PLACE.words) < 0:
        raise SettingProblem(f"{what} {value}: is negative; give 0 or more")
    return value


def _seconds(value: Any, what: str) -> float:
    seconds = read_number(value, what)
    if not 0.0 <= seconds < math.inf:
        raise SettingProblem(f"{what} = {value!r}: give seconds since the beginning of the clip, 0 or more")
    return seconds


def _speed(value: Any, what: str) -> float:
    speed = read_number(value, what)
    if not 0.0 < speed < math.inf:
        raise SettingProblem(f"{what} = {value!r}: give a number above 0; reverse = true plays backwards")
    return speed


_MOST_RATIO = 1000.0


def _ratio(value: Any, what: str) -> float:
    ratio = read_number(value, what)
    if not 1.0 / _MOST_RATIO <= ratio <= _MOST_RATIO:
        raise SettingProblem(f"{what} = {value!r}: give a number from {1.0 / _MOST_RATIO:g} to {_MOST_RATIO:g}")
    return ratio


def _size(value: str, what: str) -> int:
    from ..encoding.tiers.sizes import bytes_of  # imported here, because few commands need it
    size = bytes_of(value)
    if not size:
        raise SettingProblem(f"{what} {value!r}: give a size, such as 5GB or 500MB")
    return size


def _rate(value: str, what: str) -> int:
    from ..encoding.tiers.sizes import bytes_of
    rate = bytes_of(value.removesuffix("/s"))
    if rate is None or rate < _LEAST_RATE:
        raise SettingProblem(f"{what} {value!r}: give bytes per second of at least 1kB, such as 50kB")
    return rate


def _path(value: Any, what: str) -> Path:
    if not typed(value, str, what, "a path"):
        raise SettingProblem(f"{what} = \"\": the path is empty; give a path")
    check_name(value, what)
    return Path(value)


def _path_text(text: str) -> str:
    """Rejects an empty path, which would mean the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("'': the path is empty; give a path")
    return text


def _output_text(text: str) -> str:
    """Rejects `-`, which programs commonly interpret as the standard output."""
    if text == "-":
        raise argparse.ArgumentTypeError("'-': this command cannot write to the standard output; give a path")
    return _path_text(text)


def list_of(read: Callable[[Any, str], Any], words: str) -> Callable[[Any, str], tuple[Any, ...]]:
    return lambda value, what: tuple(read(item, what) for item in typed(value, list, what, words))


def patterns_kind(words: str, rule: Callable[[str], Any] = str) -> Kind:
    def read(value: Any, what: str) -> Any:
        return rule(typed(value, str, what, words))
    return Kind(words, "PATTERN", read, read_all=list_of(read, "a list of joints"))


def _texts(words: str) -> Kind:
    """Returns a kind of patterns; a file may also contain a single pattern instead of a list."""
    def read_all(value: Any, what: str) -> tuple[str, ...]:
        return list_of(read, f"a list of {words}")([value] if isinstance(value, str) else value, what)

    def read(value: Any, what: str) -> str:
        if not typed(value, str, what, words):
            raise SettingProblem(f"{what}: an empty pattern matches nothing; give {words}")
        return value
    return Kind(words, "PATTERN", read, read_all=read_all)


def _unroll(value: Any, what: str) -> str:
    parse_unroll([typed(value, str, what, "texts such as \"loop\"")], what)
    return value


def _unrolls(value: Any, what: str) -> tuple[str, ...]:
    choices = [value] if isinstance(value, str) else value
    return list_of(_unroll, "a text or a list of texts")(choices, what)


def _mirror(value: Any, what: str) -> Mirror:
    table = typed(value, dict, what, "a table")
    for key in table:
        if key not in ("axis", "pairs"):
            raise SettingProblem(f"[{what}]: unknown key {key!r}" + nearest(key, ("axis", "pairs")))
    axis, pairs = table.get("axis", "x"), typed(table.get("pairs", []), list, f"[{what}] pairs", _PAIRS)
    if axis not in AXES:
        raise SettingProblem(f"[{what}]: the axis {axis!r} is unknown; give {', '.join(AXES)}")
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(name, str) for name in pair):
            raise SettingProblem(f"[{what}] pairs: {pair!r} is not a pair; give {_PAIRS}")
    return Mirror(axis, tuple((left, right) for left, right in pairs))


def _paths(value: Any, what: str) -> tuple[Path, ...]:
    names = typed(value, list, what, "a list of file names")
    return tuple(_path(typed(name, str, what, "file names"), what) for name in names)


FLAG = Kind("true or false", "", lambda value, what: typed(value, bool, what, "true or false"))
INPUT = Kind("a path", "FILE", _path, _path_text, _paths)
OUTPUT = Kind("a path", "FILE", _path, _output_text)
OUTPUT_OR_STDOUT = Kind("a path, or - for the standard output", "FILE", _path, _path_text)
NAME = _text("a name", "NAME")
MIRROR_OF = Kind("a clip such as \"TurnLeft\", or \"none\"", "", lambda value, what: None if value == "none" else typed(
    value, str, what, "a clip such as \"TurnLeft\", or \"none\""))
C_NAME = _text("a C identifier", "NAME")
TARGET = _text("the name of a target", "TARGET")
NUMBER = Kind("a number", "N", read_number, float)
PERCENT = Kind("a percentage, such as 2%", "PERCENT", _percent, lambda text: float(text.removesuffix("%")))
COUNT = Kind("a whole number", "N", lambda value, what: typed(value, int, what, "a whole number"), int)
SCHEDULER = _text("the address of a scheduler, such as tcp://10.0.0.5:8786", "ADDRESS")
JOBS = Kind("a whole number", "N", _at_least_one, int)
FAST_BYTES = Kind("a whole number", "BYTES", lambda value, what: typed(value, int, what, "a whole number of bytes"),
                  int)
SIZE = Kind("a size, such as 5GB", "SIZE", _size)
CACHE = Kind("a path, or off", "DIR|off", lambda value, what: typed(value, str, what, "a path, or off"))
RATE = Kind("a size, such as 50kB", "SIZE", _rate)
MODE = one_of(MODES)
SORT = one_of(("bytes", "name"))
AXIS = one_of(("y", "z"))
ANCESTORS = one_of(("fold", "drop"))
JOINT_AXES = one_of(("source", "model"))
SKIN = Kind("the name or index of a skin", "NAME",
            lambda value, what: typed(value, (int, str), what, "the name or index of a skin"),
            lambda text: int(text) if re.fullmatch("[0-9]{1,9}", text) else text)
JOINTS = patterns_kind("joint names or patterns")
CLIPS = _texts("clip names or patterns")
EMBED = Kind(f"true, false or \"{EMBED_BASE}\"", "", _embed)
UNIT = Kind(f"a power of two in bytes, or {', '.join(UNITS)}", "UNIT", _unit, choices=tuple(UNITS))
PLACE = Kind("a whole number of bytes", "BYTES", _at_least_zero, lambda text: int(text, 0))
ROOT_YAW = one_of(YAWS)
SECONDS = Kind("seconds", "SECONDS", _seconds, float)
RATIO = Kind("a number from 0.001 to 1000", "N", _ratio, float)
SPEED = Kind("a number above 0", "N", _speed, float)
CHOSEN_JOINTS = _texts("joint names or patterns")
MIRROR = Kind("a table", "AXIS", _mirror, lambda text: {"axis": text}, choices=AXES)
UNROLL = Kind("full, loop, or a list such as [\"compose=full\"]", "[PART=]HOW", _unroll,
              read_all=_unrolls,
              choices=(*UNROLLING, *(f"{part}={how}" for part in PARTS for how in UNROLLING)))
MATRICES = replace(one_of(CHOICES), read=lambda value, what: parse_matrices(
    typed(value, str, what, "a text such as \"q20\""), what))
