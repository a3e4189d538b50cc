"""Names the joints, clips and events of a bank in generated code."""
from __future__ import annotations

from dataclasses import dataclass

from ..bank.file import Bank
from .plans.curve import joint_comments, joint_identifiers
from .identifiers import c_comment, c_string, unique_identifiers


@dataclass(frozen=True)
class Named:
    """A joint, clip or event: its enumeration constant, its name for a comment, and its name as a C string."""

    identifier: str
    comment: str
    string: str


def name_joints(bank: Bank, prefix: str) -> tuple[Named, ...]:
    """Names the joints of a bank, curve joints last."""
    numbers = [str(j) for j in range(bank.real_joints)]
    names = [joint.name for joint in bank.joints[:bank.real_joints]]
    identifiers = unique_identifiers(names if bank.named else [""] * len(names), numbers,
                                     frozenset({"COUNT"}))
    curve_names = zip(joint_identifiers(bank, prefix), joint_comments(bank), bank.joints[bank.real_joints:])
    return (*(Named(f"{prefix}_JOINT_{identifier}", c_comment(name), c_string(name))
              for identifier, name in zip(identifiers, names)),
            *(Named(identifier, comment, c_string(joint.name)) for identifier, comment, joint in curve_names))


def name_clips(bank: Bank, prefix: str) -> tuple[Named, ...]:
    """Names the clips of a bank."""
    hashes = [f"{clip.name_hash:08X}" for clip in bank.clips]
    names = [clip.name for clip in bank.clips]
    identifiers = unique_identifiers(names if bank.named else [""] * len(names), hashes,
                                     frozenset({"COUNT"}))
    return tuple(
        Named(f"{prefix}_CLIP_{identifier}",
              f"{c_comment(clip.name)}: {clip.frame_count} frame{'s'[:clip.frame_count > 1]} at "
              f"{clip.rate_q16 / 65536:g} Hz{', loop' if clip.loop else ''}{', layer' if clip.layer else ''}"
              + (f", {c_comment(over)}" if (over := bank.additive_text(number) or bank.mirror_text(number)) else ""),
              c_string(clip.name))
        for number, (identifier, clip) in enumerate(zip(identifiers, bank.clips)))


def name_events(bank: Bank, prefix: str) -> tuple[Named, ...]:
    """Names the events of a bank."""
    names = bank.events.names
    identifiers = unique_identifiers(names, names, frozenset({"COUNT"}))
    return tuple(Named(f"{prefix}_EVENT_{identifier}", c_comment(name), c_string(name))
                 for identifier, name in zip(identifiers, names))
