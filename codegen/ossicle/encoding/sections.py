"""Writes the sections of a bank other than clips: names, inverse bind matrices, the order of the skin."""
from __future__ import annotations

import struct
from collections.abc import Sequence


from ..base.arrays import Array
from ..base.curve_names import real_count
from ..bank.names import pack_names
from ..model.clip import Skeleton, problems_of
from ..model.mesh.skinning import inverse_bind_q20
from .settings import Settings


def names_section(joints: Sequence[str], clips: Sequence[str], units: bytes = b"") -> bytes:
    """Returns the body of the NAME section: two counts, then each name as zero-terminated UTF-8 without the bytes that
    it shares with the previous name, padded to words. units: of bank.units.pack_units."""
    body = len(joints).to_bytes(4, "little") + len(clips).to_bytes(4, "little") + pack_names([*joints, *clips])
    body += units
    return body + bytes(-len(body) % 4)


def skin_joints_section(skeleton: Skeleton) -> bytes | None:
    """Returns the body of the SKJN section, padded to words, or None if the skin lists the skeleton's joints in their
    order."""
    if skeleton.skin_joints in ((), skeleton.names[:real_count(skeleton.names)]):
        return None
    numbers = [skeleton.names.index(name) for name in skeleton.skin_joints]
    return struct.pack(f"<I{len(numbers)}H{len(numbers) % 2 * 2}x", len(numbers), *numbers)


def inverse_bind(skeleton: Skeleton, settings: Settings, source: str) -> Array | None:
    """Returns the inverse bind matrices, or None if the bank does not contain them. Raises ImportProblem, which names
    the source file."""
    if not settings.skinning:
        return None
    with problems_of(source):
        return inverse_bind_q20(skeleton)
