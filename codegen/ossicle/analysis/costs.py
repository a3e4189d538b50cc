"""Lists the costs of joints and tracks: the bits of a bank, as lists that sum to the whole."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..bank.file import TRACK_KINDS, Bank
from ..base.curve_names import is_curve, title_of
from .bits import GAPS, BankBits


@dataclass(frozen=True)
class JointCost:
    """The cost of a joint. bits: of the joint, inside and outside all clips; with_below_bits: of it and all joints
    below, approximately the savings of leaving them out; clips: for each of TRACK_KINDS the number of clips in which
    that track takes bits; carries: whether vertices are weighted to it or a mesh is attached, or None if unknown."""

    name: str
    bits: int
    with_below_bits: int
    clips: dict[str, int]
    carries: bool | None


@dataclass(frozen=True)
class TrackCost:
    """The cost of a track in a clip; parts as in TrackBits."""

    clip: str
    joint: str
    kind: str
    bits: int
    header_bits: int
    keys_bits: int
    values_bits: int


def joint_costs(bank: Bank, bits: BankBits, carrying: Mapping[str, bool]) -> list[JointCost]:
    """Returns the cost of every joint, in the bank's order. carrying: whether joints carry something, by name, if
    known."""
    own = [joint.total for joint in bits.joints]
    clips: list[Counter[str]] = [Counter() for _ in bank.joints]
    for clip in bits.clips:
        for track in clip.tracks:
            own[track.joint] += track.total
            clips[track.joint][track.kind] += 1
    return [JointCost(title_of(joint.name), joint_bits, below, {kind: found[kind] for kind in TRACK_KINDS},
                      None if is_curve(joint.name) else carrying.get(joint.name))
            for joint, joint_bits, below, found in zip(bank.joints, own, _with_below(bank, own), clips)]


def _with_below(bank: Bank, numbers: Sequence[int]) -> list[int]:
    """Returns for each joint the sum of its number and those of all joints below."""
    sums = list(numbers)
    for index, joint in reversed(list(enumerate(bank.joints))):
        if joint.parent is not None:
            sums[joint.parent] += sums[index]
    return sums


def idle_joints(bank: Bank, costs: Sequence[JointCost]) -> list[JointCost]:
    """Returns the joints that `encode --drop unweighted` leaves out, because they and all joints below carry nothing.
    An unknown joint may carry something. costs: in the bank's order."""
    busy = _with_below(bank, [cost.carries is not False for cost in costs])
    return [cost for cost, count in zip(costs, busy) if count == 0]


def track_costs(bank: Bank, bits: BankBits) -> list[TrackCost]:
    """Returns the cost of every track that takes bits, clip by clip."""
    return [TrackCost(clip.name, title_of(bank.joints[track.joint].name), track.kind, track.total, track.header,
                      track.keys, track.values) for clip in bits.clips for track in clip.tracks]


def beside_joints(bits: BankBits) -> dict[str, int]:
    """Returns the bits that belong to no joint, by description."""
    return _clip_parts(bits) | _rest(bits)


def beside_clips(bits: BankBits) -> dict[str, int]:
    """Returns the bits that belong to no clip, by description."""
    return _joint_parts(bits) | _rest(bits)


def beside_tracks(bits: BankBits) -> dict[str, int]:
    """Returns the bits that belong to no track of a clip, by description."""
    return _joint_parts(bits) | _clip_parts(bits) | _rest(bits)


def _joint_parts(bits: BankBits) -> dict[str, int]:
    return {"joints: bind pose, skin, names": sum(joint.total for joint in bits.joints)}


def _clip_parts(bits: BankBits) -> dict[str, int]:
    return {"clips: entries, names": sum(clip.entry for clip in bits.clips),
            "clips: shared by tracks": sum(clip.shared for clip in bits.clips)}


def _rest(bits: BankBits) -> dict[str, int]:
    return {"header and section table": bits.header,
            **{"between sections" if tag == GAPS else f"rest of {tag}": count for tag, count in bits.other.items()}}
