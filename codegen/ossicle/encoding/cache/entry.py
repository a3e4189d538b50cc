"""Converts results of native.encode_clip to entries of a store, bytes with a checksum, and back."""
from __future__ import annotations

import hashlib
import zlib

from ...model.clip import TRACK_KINDS
from .. import native
from ..report_bytes import report_bytes, report_of

_CHECKSUM_BYTES = 32
_FAST = 1  # level of zlib; better ones save only a tenth
_REFUSALS = (native.ERROR_RANGE, native.ERROR_TOLERANCE, native.ERROR_LOOP, native.ERROR_TOO_LARGE)

Result = tuple[int, native.EncodedClip | None, native.Report]  # of native.encode_clip


def sealed(key: bytes, status: int, content: bytes) -> bytes:
    """Returns an entry, which is valid only for its key."""
    body = status.to_bytes(4, "little", signed=True) + content
    return hashlib.sha256(key + body).digest() + zlib.compress(body, _FAST)


def unsealed(key: bytes, entry: object) -> tuple[int, bytes] | None:
    """Returns the status and the content of an entry, or None if it is damaged."""
    if not isinstance(entry, bytes):
        return None
    try:
        body = zlib.decompress(entry[_CHECKSUM_BYTES:])
    except zlib.error:
        return None
    if hashlib.sha256(key + body).digest() != entry[:_CHECKSUM_BYTES]:
        return None
    return int.from_bytes(body[:4], "little", signed=True), body[4:]


def entry_of(key: bytes, status: int, encoded: native.EncodedClip | None, report: native.Report) -> bytes:
    """Returns the entry of a result."""
    return sealed(key, status, encoded.saved() if encoded else report_bytes(report))


def _is_of(report: native.Report, skeleton: native.Skeleton) -> bool:
    """Returns whether a report may be about a clip of this skeleton, because error messages rely on its numbers."""
    joints = (report.joint, report.pinned_joint, report.chain_start, report.chain_joint, report.tight_start,
              report.tight_joint)
    return report.kind < len(TRACK_KINDS) and all(-1 <= joint < len(skeleton.parents) for joint in joints)


def result_of(key: bytes, entry: object, skeleton: native.Skeleton, clip: native.ClipInput,
              settings: native.EncodeSettings) -> Result | None:
    """Returns the result of an entry, or None if it is damaged or of another clip."""
    found = unsealed(key, entry)
    if found is None:
        return None
    status, content = found
    if status != native.OK:
        report = report_of(content)
        return (status, None, report) if report and _is_of(report, skeleton) and status in _REFUSALS else None
    loaded = native.load_clip(skeleton, clip, settings, content)
    return None if loaded is None else (status, loaded, loaded.report)
