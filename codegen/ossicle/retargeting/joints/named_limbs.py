"""Finds the joints of limbs by their names and their order in the tree."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from .names import ARM, LEG, LEFT, RIGHT, NamedPart
from .tree import Tree

# The confidence of joints whose names state their part of the limb, of those that only the tree tells from others of
# the limb, of feet that are not below the leg, and of limbs with more joints than a body has.
STATED, ORDERED, APART, MANY = 1.0, 0.9, 0.8, 0.6


def named_limbs(tree: Tree, parts: Sequence[NamedPart]) -> tuple[dict[str, int], dict[str, float]]:
    """Returns the joints of arms and legs by part, such as `left_upper_arm`, and the confidence of each limb, such as
    `left arm`."""
    joints: dict[str, int] = {}
    confidence: dict[str, float] = {}
    for side in (LEFT, RIGHT):
        for limb, kinds, joints_of in (("arm", ARM, _arm), ("leg", LEG, _leg)):
            found, trust = joints_of(_chain(tree, parts, side, kinds), parts, tree)
            if limb == "leg" and found and "foot" not in found:
                trust = min(trust, APART) if _add_foot_apart(found, tree, parts, side) else 0.0
            if found and trust:
                joints |= {f"{side}_{part}": joint for part, joint in found.items()}
                confidence[f"{side} {limb}"] = trust
    return joints, confidence


def _chain(tree: Tree, parts: Sequence[NamedPart], side: str, kinds: Sequence[str]) -> list[int]:
    """Returns the joints of a limb that lie below one another: those with the most different meanings, and
    the most joints."""
    members = [joint for joint, part in enumerate(parts) if part.side == side and part.part in kinds]
    chains = [[above for above in reversed(tree.upward(joint)) if above in members] for joint in members]
    return max(chains, key=lambda chain: (len({parts[joint].part for joint in chain}), len(chain)), default=[])


def _arm(chain: Sequence[int], parts: Sequence[NamedPart], tree: Tree) -> tuple[dict[str, int], float]:
    hand = _first(chain, parts, "hand")
    body = _before(chain, hand)
    lower = _first(body, parts, "lower_arm")
    upper = _first(_before(body, lower), parts, "upper_arm", "arm")
    trust = STATED if None not in (hand, lower, upper) else ORDERED
    plain = [joint for joint in body if not parts[joint].is_twist]
    if lower is None and hand is None and len(plain) > 2:
        hand, trust = plain.pop(), MANY
    if lower is None and upper is not None and plain[-1] == upper:
        lower, trust = _between(tree, upper, hand), APART
        upper = None if lower is None else upper
    lower = plain[-1] if lower is None and len(plain) > 1 else lower
    return _limb("arm", _before(body, lower), upper, lower, hand), trust


def _leg(chain: Sequence[int], parts: Sequence[NamedPart], tree: Tree) -> tuple[dict[str, int], float]:
    foot = _first(chain, parts, "foot")
    body = _before(chain, foot)
    upper = _first(body, parts, "upper_leg")
    lower = _first(body, parts, "lower_leg")
    trust = STATED if None not in (foot, lower, upper) else ORDERED
    legs = [joint for joint in body if parts[joint].part == "leg" and not parts[joint].is_twist]
    if lower is None and legs:
        lower = legs[-1] if upper is None else legs[0]
        trust = STATED if upper is not None else ORDERED if len(legs) <= 2 else MANY
    elif lower is None and upper is not None:
        lower, trust = _between(tree, upper, foot), APART
    above = _before(body, lower)
    upper = _first(above, parts, "leg") if upper is None else upper
    found = _limb("leg", above, upper, lower, foot)
    toes = _first(chain, parts, "toes")
    feet = [joint for joint in chain if parts[joint].part == "foot"]  # such as SMPL's ankle and foot
    toes = feet[1] if toes is None and len(feet) > 1 else toes
    return found | ({"toes": toes} if found and toes is not None else {}), trust


def _limb(limb: str, above: Sequence[int], upper: int | None, lower: int | None, end: int | None) -> dict[str, int]:
    """Returns the joints of a limb by part; empty if it has no two bones. above: the joints before the lower one, whose
    last one is the upper one if no name states it."""
    if lower is None or upper is None and not above:
        return {}
    found = {f"upper_{limb}": above[-1] if upper is None else upper, f"lower_{limb}": lower}
    return found | ({"hand" if limb == "arm" else "foot": end} if end is not None else {})


def _first(chain: Sequence[int], parts: Sequence[NamedPart], *kinds: str) -> int | None:
    for kind in kinds:
        for joint in chain:
            if parts[joint].part == kind:
                return joint
    return None


def _between(tree: Tree, upper: int, end: int | None) -> int | None:
    """Returns the only joint between two of a limb, whatever its name."""
    between = [] if end is None else tree.path(upper, end)[:-1]
    return between[0] if len(between) == 1 else None


def _before(chain: Sequence[int], joint: int | None) -> Sequence[int]:
    """Returns the joints of a chain before one of them; all if it has no such joint."""
    return [*takewhile(lambda other: other != joint, chain)]


def _add_foot_apart(found: dict[str, int], tree: Tree, parts: Sequence[NamedPart], side: str) -> bool:
    """Adds the foot that is not below the leg, as in rigs whose feet are moved by inverse kinematics, or without a
    name. Returns whether there is one."""
    named = [joint for joint, part in enumerate(parts) if part == NamedPart(side, "foot")]
    below = tree.children[found["lower_leg"]]
    if named:
        found["foot"] = named[0]
        found |= {"toes": joint for joint in tree.below(named[0])[:1] if parts[joint].part == "toes"}
    elif len(below) == 1 and not parts[below[0]].part == "toes":
        found["foot"] = below[0]
    return "foot" in found
