"""Kinds of values that are settings of other packages. Read them as attributes of option_kinds."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..base.option_values import LAYER
from ..base.patterns import from_general_to_specific
from ..base.problem import SettingProblem, nearest
from ..encoding.curves.rules import RULE_WORDS, parse_curve_rules, parse_curves
from ..encoding.curves.rules import WORDS as CURVE_WORDS
from ..encoding.derived.additive_rules import WORDS as ADDITIVE_WORDS
from ..encoding.derived.additive_rules import parse_additive
from ..encoding.events.contact_rules import WORDS as CONTACT_WORDS
from ..encoding.events.contact_rules import parse_contacts
from ..encoding.events.rules import WORDS as EVENT_WORDS
from ..encoding.events.rules import parse_events
from ..encoding.root_motion_rules import WORDS as ROOT_WORDS
from ..encoding.root_motion_rules import parse_root_motion
from ..encoding.settings import CLOSE, ClipRule, parse_block, parse_max_ram, parse_restart
from ..encoding.tiers.kept_frame_rules import WORDS, parse_kept_frames
from ..encoding.tiers.sizes import WORDS as TIER_WORDS
from ..encoding.tiers.sizes import parse_tiers
from ..graph.rules import WORDS as GRAPH_WORDS
from ..graph.rules import GraphRules
from ..model.import_options import Rename, Socket
from ..model.joint_rules import parse_joint_rule
from ..model.joint_sets import check_set
from ..model.lengths import Tolerance, parse_length, parse_tolerance
from ..model.masks import Mask, check_mask
from ..retargeting.rules import REST_WORDS, parse_rest
from .option_kinds import JOINTS, Kind, list_of, patterns_kind, read_number, typed


def _loop(value: Any, what: str) -> bool | str:
    if value == CLOSE:
        return CLOSE
    return typed(value, bool, what, f"true, false or \"{CLOSE}\"")


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
        return list_of(_socket, SOCKETS.words)([value] if isinstance(value, str) else value, what)
    for name in value:
        if not name.strip():
            raise SettingProblem(f"{what} {name!r}: the name of the socket is empty; give a name")
    return tuple(replace(_socket(node, f"{what} {name!r}"), name=name) for name, node in value.items())


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
                tuple((pattern, read_number(weight, f"{what} weights {pattern!r}"))
                      for pattern, weight in from_general_to_specific(weights)))


def _masks(value: Any, what: str) -> dict[str, Mask]:
    masks = {name: _mask(mask, f"[{what}] {name}") for name, mask in typed(value, dict, what, "a table").items()}
    for name, mask in masks.items():
        check_mask(name, mask, f"[{what}]")
    return masks


def _part(text: str, what: str) -> tuple[str, str]:
    part, _, joint = text.partition("=")
    if not part or "=" not in text:
        raise SettingProblem(f"{what} {text!r}: give a part and its joint, such as left_hand=Wrist_L")
    return part, joint


def _parts(value: Any, what: str) -> dict[str, str]:
    parts = typed(value, dict, what, JOINT_MAP.words)
    for part, joint in parts.items():
        typed(joint, str, f"{what} {part!r}", "the name of a joint, or an empty text")
    return parts


def _graph(value: Any, what: str) -> GraphRules:
    from ..graph.parsing.table import parse_graph  # imported here, because few files have a graph
    return parse_graph(value, what)


BYTES = Kind("a whole number", "BYTES", parse_max_ram, int)
FRAMES = Kind("a power of two, or 0", "FRAMES", parse_restart, int)
LENGTH = Kind("a length", "LENGTH", parse_length)
TIERS = Kind(TIER_WORDS, "LENGTH|SIZE[,..]", parse_tiers, lambda text: text.split(","))
BLOCK = Kind("a power of two, or 0", "FRAMES", parse_block, int)
LENGTHS = Kind("lengths", "LENGTH[,LENGTH]", lambda text, what: [
    Tolerance(metres=parse_length(item, what)) for item in text.split(",")])
TOLERANCE = Kind("a length, or pixels", "LENGTH", parse_tolerance)
TOLERANCE_OR_NONE = Kind("a length, pixels, or none", "LENGTH",
                         lambda value, what: parse_tolerance(value, what, or_none=True))
RENAME = Kind("a table of old and new names", "OLD=NEW", _rename, read_all=_renames)
LOOPS = patterns_kind("clip names or patterns", lambda pattern: ClipRule(pattern, loop=True))
CLOSED_LOOPS = patterns_kind("clip names or patterns", lambda pattern: ClipRule(pattern, loop=CLOSE))
LOOP = Kind("true, false or \"close\"", "", _loop)
KEPT_FRAMES = Kind(WORDS, "", parse_kept_frames)
CONTACTS = Kind(CONTACT_WORDS, "", parse_contacts)
ADDITIVE = Kind(ADDITIVE_WORDS, "", parse_additive)
EVENTS = Kind(EVENT_WORDS, "", parse_events)
CURVES = Kind(CURVE_WORDS, "", parse_curves)
CURVE_RULES = Kind(RULE_WORDS, "", parse_curve_rules)
GRAPH = Kind(GRAPH_WORDS, "", _graph)
JOINT_MAP = Kind("a table of parts of the body and joints", "PART=JOINT", _part, read_all=_parts)
REST = Kind(REST_WORDS, "FILE@FRAME", parse_rest)
ROOT_MOTION = Kind(ROOT_WORDS, "COMPONENTS", parse_root_motion)
LAYERS = patterns_kind("clip names or patterns", lambda pattern: ClipRule(pattern, mode=LAYER))
SOCKETS = Kind("names or patterns of nodes, or a table of new names and nodes", "PATTERN", _socket,
               read_all=_sockets)
JOINT_RULE = Kind("a joint or pattern and its tolerance", "PATTERN=LENGTH", parse_joint_rule)
JOINT_SETS = Kind("a table", "NAME=PATTERN[,PATTERN]", lambda text, _: text, read_all=_sets)
MASKS = Kind("a table", "NAME=SET[:FEATHER]", lambda text, _: text, read_all=_masks)
