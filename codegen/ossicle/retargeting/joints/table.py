"""The parts of a body with their joints: for tables, and for users to correct."""
from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...base.option_names import either
from ...model.clip import Skeleton
from ..humanoid import Arm, Humanoid, Leg
from .names import LEFT, RIGHT


MAP, CHARACTER_MAP = "map", "character_map"  # keys of the joints of a source, and of the character


@dataclass(frozen=True)
class PartRow:
    """A part of the body, such as `left upper arm`, with the names of its joints, none if the skeleton lacks it, and
    the confidence of its limb."""

    part: str
    joints: tuple[str, ...]
    confidence: float


def part_rows(body: Humanoid, skeleton: Skeleton) -> list[PartRow]:
    """Returns the parts of a body, from the hips up, then the limbs."""
    return [PartRow(part, tuple(skeleton.names[joint] for joint in joints), body.confidence.get(group, 1.0))
            for group, part, joints in _parts(body)]


def unmapped(body: Humanoid, skeleton: Skeleton) -> list[str]:
    """Returns the joints that are no part of the body."""
    mapped = {joint for _, _, joints in _parts(body) for joint in joints}
    return [name for joint, name in enumerate(skeleton.names) if joint not in mapped]


def map_of(body: Humanoid, skeleton: Skeleton) -> dict[str, str]:
    """Returns the joints as find_humanoid takes them: names by part, empty for parts that the skeleton lacks."""
    def name(joint: int | None) -> str:
        return "" if joint is None else skeleton.names[joint]

    found = {"hips": name(body.hips)} | ({"chest": name(body.trunk[-1])} if body.trunk else {}) | {
        "head": name(body.head)}
    for side in (LEFT, RIGHT):
        arm, leg, fingers = _limbs(body, side)
        upper, lower, hand = (arm.upper, arm.lower, arm.hand) if arm else (None, None, None)
        found |= {f"{side}_{part}": name(joint) for part, joint in (
            ("upper_arm", upper), ("lower_arm", lower), ("hand", hand), ("upper_leg", leg.upper),
            ("lower_leg", leg.lower), ("foot", leg.foot), ("toes", leg.toes))}
        found |= {f"{side}_{finger}": name(chain[0]) for finger, chain in fingers.items() if finger != "fingers"}
    return found


def option_of(key: str) -> str:
    """Returns the name of a map for users: its option, or its key in a configuration file."""
    return either(f"--{key.replace('_', '-')}", key)


def remedy_of(key: str, names: Mapping[str, str], parts: Iterable[str] | None = None) -> str:
    """Returns the options, or the TOML, that name joints. parts: those to show; all if None."""
    shown = {part: name for part, name in names.items() if parts is None or part in parts}
    options = " ".join(f"{option_of(key)} {shlex.quote(f'{part}={name}')}" for part, name in shown.items())
    table = ", ".join(f"{part} = {json.dumps(name, ensure_ascii=False)}" for part, name in shown.items())
    return either(options, f"{key} = {{ {table} }}")


def _parts(body: Humanoid) -> list[tuple[str, str, tuple[int, ...]]]:
    """Returns the group whose confidence holds for a part, the part, and its joints."""
    rows: list[tuple[str, str, tuple[int, ...]]] = [
        ("hips", "hips", (body.hips,)), ("trunk", "spine", body.trunk), ("trunk", "neck", body.neck),
        ("head", "head", _some(body.head))]
    for side in (LEFT, RIGHT):
        arm, leg, fingers = _limbs(body, side)
        group = f"{side} arm"
        if arm is not None:
            rows += [(group, f"{side} clavicle", arm.clavicles), (group, f"{side} upper arm", (arm.upper,)),
                     (group, f"{side} lower arm", (arm.lower,)), (group, f"{side} hand", _some(arm.hand))]
            rows += [(group, f"{side} {finger}", chain) for finger, chain in fingers.items()]
        else:
            rows.append((group, f"{side} arm", ()))
        group = f"{side} leg"
        rows += [(group, f"{side} upper leg", (leg.upper,)), (group, f"{side} lower leg", (leg.lower,)),
                 (group, f"{side} foot", (leg.foot,)), (group, f"{side} toes", _some(leg.toes))]
        twists = (arm.twists if arm else ()) + leg.twists
        rows += [(group, f"{side} twist joints", twists)] if twists else []
    return rows


def _limbs(body: Humanoid, side: str) -> tuple[Arm | None, Leg, Mapping[str, tuple[int, ...]]]:
    return (body.left_arm, body.left_leg, body.left_fingers) if side == LEFT else (
        body.right_arm, body.right_leg, body.right_fingers)


def _some(joint: int | None) -> tuple[int, ...]:
    return () if joint is None else (joint,)
