"""Digests of small clips encoded with a scheme: the same for the same banks."""
from __future__ import annotations

import tempfile
import zlib
from functools import cache
from pathlib import Path

import made_clips
from ossicle.compare.comparison import Comparison
from ossicle.encoding.encoder import encode_clips
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Imported
from ossicle.model.lengths import Tolerance
from ossicle.encoding.settings import Settings

TOLERANCES_M = (1e-3, 1e-4)
CAPTURE_FRAMES = 40
ACTIONS = 1


@cache
def _sources() -> list[Imported]:
    with tempfile.TemporaryDirectory(prefix="ossicle-") as scratch:
        folder = Path(scratch)
        return [read_clips([path]) for path in (
            made_clips.write_capture(folder / "capture.bvh", frames=CAPTURE_FRAMES),
            made_clips.write_actions(folder / "actions.glb", actions=ACTIONS))]


@cache
def encoder_digest(scheme: str) -> str:
    """Eight hexadecimal digits."""
    digest = 0
    comparison = Comparison(Settings(), [scheme], [Tolerance(metres) for metres in TOLERANCES_M])
    for tolerance in comparison.tolerances:
        for source in _sources():
            bank = encode_clips(source, comparison.settings_of(scheme, tolerance), loosen=True).bank
            digest = zlib.crc32(bank, digest)
    return f"{digest:08x}"
