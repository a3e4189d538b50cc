"""Reads the values of options, on the command line and in a configuration file."""
from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..base.clip_modes import LAYER, MODES
from ..bank.device_units import UNITS, parse_unit
from ..base.embedding import BASE
from ..base.path_names import check_name
from ..base.patterns import from_general_to_specific
from ..base.problem import SettingProblem, nearest
from ..base.unrolling import PARTS, UNROLLING, parse_unroll
from ..compare.schemes import scheme_names
from ..encode.derived.additive_rules import WORDS as ADDITIVE_WORDS
from ..encode.derived.additive_rules import parse_additive
from ..encode.codec_sets import GOALS
from ..encode.events.contact_rules import WORDS as CONTACT_WORDS
from ..encode.events.contact_rules import parse_contacts
from ..encode.curves.rules import RULE_WORDS, parse_curve_rules, parse_curves
from ..encode.curves.rules import WORDS as CURVE_WORDS
from ..encode.events.rules import WORDS as EVENT_WORDS
from ..encode.events.rules import parse_events
from ..encode.tiers.kept_frame_rules import WORDS, parse_kept_frames
from ..encode.library import EFFORTS, POINTS
from ..encode.presets import NO_PRESET, PRESETS
from ..encode.root_motion_rules import WORDS as ROOT_WORDS
from ..encode.root_motion_rules import parse_root_motion
from ..encode.settings import CLOSE, CODEC_CHOICES, ClipRule, choice, parse_block, parse_max_ram, parse_restart
from ..encode.tiers.sizes import WORDS as TIER_WORDS
from ..encode.tiers.sizes import bytes_of, parse_tiers
from ..generate.joint_sets import check_set
from ..generate.masks import Mask, check_mask
from ..model.sides import AXES, Mirror
from ..generate.matrix_formats import CHOICES, parse_matrices
from ..model.import_options import Rename, Socket
from ..model.joint_rules import parse_joint_rule
from ..model.lengths import Tolerance, parse_length, parse_tolerance
from ..model.trajectory.components import YAWS


_PAIRS = 'pairs of joints, such as [["hand_a", "hand_b"]]'
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


def _text(words: str, metavar: str) -> Kind:
    return Kind(words, metavar, lambda value, what: typed(value, str, what, words))


def one_of(choices: Sequence[str], metavar: str = "") -> Kind:
    """Returns the kind of a value that is one of these texts."""
    return Kind(", ".join(choices), metavar or f"{{{','.join(choices)}}}",
                lambda value, what: choice(value, choices, what), choices=tuple(choices))


def _number(value: Any, what: str) -> float:
    try:
        return float(typed(value, (int, float), what, "a number"))
    except OverflowError as error:
        raise SettingProblem(f"{what}: the number has {len(str(value))} digits; give a smaller number") \
            from error


def _percent(value: Any, what: str) -> float:
    percent = _number(value, what)
    if not 0.0 <= percent < math.inf:
        raise SettingProblem(f"{what} {percent:g}%: is not a usable percentage; give 0% or more")
    return percent


def _at_least_one(value: int, what: str) -> int:
    if value < 1:
        raise SettingProblem(f"{what} {value}: is too small; give 1 or more")
    return value


def _loop(value: Any, what: str) -> bool | str:
    if value == CLOSE:
        return CLOSE
    return typed(value, bool, what, f"true, false or \"{CLOSE}\"")


def _embed(value: Any, what: str) -> bool | str:
    return value if value == BASE else typed(value, bool, what, f"true, false or \"{BASE}\"")


def _unit(value: Any, what: str) -> int:
    return parse_unit(typed(value, (int, str), what, UNIT.words), what)


def _at_least_zero(value: Any, what: str) -> int:
    if typed(value, int, what, PLACE.words) < 0:
        raise SettingProblem(f"{what} {value}: is negative; give 0 or more")
    return value


def _seconds(value: Any, what: str) -> float:
    seconds = _number(value, what)
    if not 0.0 <= seconds < math.inf:
        raise SettingProblem(f"{what} = {value!r}: give seconds since the beginning of the clip, 0 or more")
    return seconds


def _speed(value: Any, what: str) -> float:
    speed = _number(value, what)
    if not 0.0 < speed < math.inf:
        raise SettingProblem(f"{what} = {value!r}: give a number above 0; reverse = true plays backwards")
    return speed


def _size(value: str, what: str) -> int:
    size = bytes_of(value)
    if not size:
        raise SettingProblem(f"{what} {value!r}: give a size, such as 5GB or 500MB")
    return size


def _rate(value: str, what: str) -> int:
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


def _list_of(read: Callable[[Any, str], Any], words: str) -> Callable[[Any, str], tuple[Any, ...]]:
    return lambda value, what: tuple(read(item, what) for item in typed(value, list, what, words))


def _patterns(words: str, rule: Callable[[str], Any] = str) -> Kind:
    def read(value: Any, what: str) -> Any:
        return rule(typed(value, str, what, words))
    return Kind(words, "PATTERN", read, read_all=_list_of(read, "a list of joints"))


def _texts(words: str) -> Kind:
    """Returns a kind of patterns; a file may also contain a single pattern instead of a list."""
    def read_all(value: Any, what: str) -> tuple[str, ...]:
        return _list_of(read, f"a list of {words}")([value] if isinstance(value, str) else value, what)

    def read(value: Any, what: str) -> str:
        if not typed(value, str, what, words):
            raise SettingProblem(f"{what}: an empty pattern matches nothing; give {words}")
        return value
    return Kind(words, "PATTERN", read, read_all=read_all)


def _rename(text: str, what: str) -> Rename:
    pattern, _, name = text.rpartition("=")
    if not pattern or not name.strip():
        raise SettingProblem(f"{what} {text!r}: give the old and the new name, such as 'mixamo.com=Walk'")
    return Rename(pattern, name)


def _renames(value: Any, what: str) -> tuple[Rename, ...]:
    words = "a table of old and new names"
    for old, new in typed(value, dict, what, words).items():
        if not typed(new, str, f"{what} {old!r}", "the new name").strip() or not old:
            raise SettingProblem(f"{what} {old!r} = {new!r}: a name is empty; give the old and the new name")
    return tuple(Rename(old, new) for old, new in from_general_to_specific(value))


def _socket(value: Any, what: str) -> Socket:
    words = "a name or pattern of a node"
    if not typed(value, str, what, words):
        raise SettingProblem(f"{what}: an empty pattern matches nothing; give {words}")
    return Socket(value)


def _sockets(value: Any, what: str) -> tuple[Socket, ...]:
    """Reads a table of new names and nodes, or a list of patterns."""
    if not isinstance(value, dict):
        return _list_of(_socket, SOCKETS.words)([value] if isinstance(value, str) else value, what)
    for name in value:
        if not name.strip():
            raise SettingProblem(f"{what} {name!r}: the name of the socket is empty; give a name")
    return tuple(replace(_socket(node, f"{what} {name!r}"), name=name) for name, node in value.items())


def _unroll(value: Any, what: str) -> str:
    parse_unroll([typed(value, str, what, "texts such as \"loop\"")], what)
    return value


def _unrolls(value: Any, what: str) -> tuple[str, ...]:
    choices = [value] if isinstance(value, str) else value
    return _list_of(_unroll, "a text or a list of texts")(choices, what)


def _sets(value: Any, what: str) -> dict[str, tuple[str, ...]]:
    sets = typed(value, dict, what, "a table")
    for name, patterns in sets.items():
        JOINTS.all_of(patterns, f"[{what}] {name}")
        check_set(name, patterns, f"[{what}]")
    return {name: tuple(patterns) for name, patterns in sets.items()}


def _mask(value: Any, what: str) -> Mask:
    table = typed(value, dict, what, "a table, such as { set = \"upper\", feather = 3 }")
    known = ("set", "feather", "weights")
    for key in table:
        if key not in known:
            raise SettingProblem(f"{what}: the key {key!r} is unknown{nearest(key, known)}")
    weights = typed(table.get("weights", {}), dict, f"{what} weights", "a table of joints and their weights")
    chosen = table.get("set")
    return Mask(None if chosen is None else typed(chosen, str, f"{what} set", "the name of a set"),
                typed(table.get("feather", 0), int, f"{what} feather", "a number of joints"),
                tuple((pattern, _number(weight, f"{what} weights {pattern!r}"))
                      for pattern, weight in from_general_to_specific(weights)))


def _masks(value: Any, what: str) -> dict[str, Mask]:
    masks = {name: _mask(mask, f"[{what}] {name}") for name, mask in typed(value, dict, what, "a table").items()}
    for name, mask in masks.items():
        check_mask(name, mask, f"[{what}]")
    return masks


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
NAME = _text("a name", "NAME")
MIRROR_OF = Kind("a clip such as \"TurnLeft\", or \"none\"", "", lambda value, what: None if value == "none" else typed(
    value, str, what, "a clip such as \"TurnLeft\", or \"none\""))
C_NAME = _text("a C identifier", "NAME")
TARGET = _text("the name of a target", "TARGET")
NUMBER = Kind("a number", "N", _number, float)
PERCENT = Kind("a percentage, such as 2%", "PERCENT", _percent, lambda text: float(text.removesuffix("%")))
COUNT = Kind("a whole number", "N", lambda value, what: typed(value, int, what, "a whole number"), int)
SCHEDULER = _text("the address of a scheduler, such as tcp://10.0.0.5:8786", "ADDRESS")
JOBS = Kind("a whole number", "N", _at_least_one, int)
BYTES = Kind("a whole number", "BYTES", parse_max_ram, int)
FAST_BYTES = Kind("a whole number", "BYTES", lambda value, what: typed(value, int, what, "a whole number of bytes"),
                  int)
FRAMES = Kind("a power of two, or 0", "FRAMES", parse_restart, int)
LENGTH = Kind("a length", "LENGTH", parse_length)
TIERS = Kind(TIER_WORDS, "LENGTH|SIZE[,..]", parse_tiers, lambda text: text.split(","))
SIZE = Kind("a size, such as 5GB", "SIZE", _size)
CACHE = Kind("a path, or off", "DIR|off", lambda value, what: typed(value, str, what, "a path, or off"))
RATE = Kind("a size, such as 50kB", "SIZE", _rate)
BLOCK = Kind("a power of two, or 0", "FRAMES", parse_block, int)
LENGTHS = Kind("lengths", "LENGTH[,LENGTH]", lambda text, what: [
    Tolerance(metres=parse_length(item, what)) for item in text.split(",")])
TOLERANCE = Kind("a length, or pixels", "LENGTH", parse_tolerance)
TOLERANCE_OR_NONE = Kind("a length, pixels, or none", "LENGTH",
                         lambda value, what: parse_tolerance(value, what, or_none=True))
CODEC = one_of(CODEC_CHOICES)
PRESET = replace(one_of((NO_PRESET, *PRESETS), "NAME"), words="the name of a preset")
SCHEMES = Kind("names", "NAME[,NAME]", lambda value, _: value, choices=scheme_names())
MODE = one_of(MODES)
EFFORT = one_of(EFFORTS)
SHELL_POINTS = one_of(POINTS)
SORT = one_of(("bytes", "name"))
AXIS = one_of(("y", "z"))
ANCESTORS = one_of(("fold", "drop"))
JOINT_AXES = one_of(("source", "model"))
SKIN = Kind("the name or index of a skin", "NAME",
            lambda value, what: typed(value, (int, str), what, "the name or index of a skin"),
            lambda text: int(text) if re.fullmatch("[0-9]{1,9}", text) else text)
JOINTS = _patterns("joint names or patterns")
CLIPS = _texts("clip names or patterns")
RENAME = Kind("a table of old and new names", "OLD=NEW", _rename, read_all=_renames)
LOOPS = _patterns("clip names or patterns", lambda pattern: ClipRule(pattern, loop=True))
CLOSED_LOOPS = _patterns("clip names or patterns", lambda pattern: ClipRule(pattern, loop=CLOSE))
LOOP = Kind("true, false or \"close\"", "", _loop)
EMBED = Kind(f"true, false or \"{BASE}\"", "", _embed)
UNIT = Kind(f"a power of two in bytes, or {', '.join(UNITS)}", "UNIT", _unit, choices=tuple(UNITS))
PLACE = Kind("a whole number of bytes", "BYTES", _at_least_zero, lambda text: int(text, 0))
KEPT_FRAMES = Kind(WORDS, "", parse_kept_frames)
CONTACTS = Kind(CONTACT_WORDS, "", parse_contacts)
ADDITIVE = Kind(ADDITIVE_WORDS, "", parse_additive)
EVENTS = Kind(EVENT_WORDS, "", parse_events)
CURVES = Kind(CURVE_WORDS, "", parse_curves)
CURVE_RULES = Kind(RULE_WORDS, "", parse_curve_rules)
ROOT_YAW = one_of(YAWS)
ROOT_MOTION = Kind(ROOT_WORDS, "COMPONENTS", parse_root_motion)
SECONDS = Kind("seconds", "SECONDS", _seconds, float)
SPEED = Kind("a number above 0", "N", _speed, float)
LAYERS = _patterns("clip names or patterns", lambda pattern: ClipRule(pattern, mode=LAYER))
SOCKETS = Kind("names or patterns of nodes, or a table of new names and nodes", "PATTERN", _socket,
               read_all=_sockets)
CHOSEN_JOINTS = _texts("joint names or patterns")
JOINT_RULE = Kind("a joint or pattern and its tolerance", "PATTERN=LENGTH", parse_joint_rule)
JOINT_SETS = Kind("a table", "NAME=PATTERN[,PATTERN]", lambda text, _: text, read_all=_sets)
MASKS = Kind("a table", "NAME=SET[:FEATHER]", lambda text, _: text, read_all=_masks)
MIRROR = Kind("a table", "AXIS", _mirror, lambda text: {"axis": text}, choices=AXES)
UNROLL = Kind("full, loop, or a list such as [\"compose=full\"]", "[PART=]HOW", _unroll,
              read_all=_unrolls,
              choices=(*UNROLLING, *(f"{part}={how}" for part in PARTS for how in UNROLLING)))
OPTIMISE = one_of(GOALS)
MATRICES = replace(one_of(CHOICES), read=lambda value, what: parse_matrices(
    typed(value, str, what, "a text such as \"q20\""), what))
