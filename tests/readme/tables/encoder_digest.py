"""A digest of small clips encoded with every scheme: the same for the same banks."""
from __future__ import annotations

import tempfile
import zlib
from pathlib import Path

import made_clips
from ossicle.compare.comparison import Comparison
from ossicle.compare.schemes import scheme_names
from ossicle.encode.encoder import encode_clips
from ossicle.importers.importer import read_clips
from ossicle.model.lengths import Tolerance
from ossicle.encode.settings import Settings

TOLERANCES_M = (1e-3, 1e-4)
CAPTURE_FRAMES = 40
ACTIONS = 1


def encoder_digest() -> str:
    """Eight hexadecimal digits."""
    with tempfile.TemporaryDirectory(prefix="ossicle-") as scratch:
        folder = Path(scratch)
        sources = [read_clips([path]) for path in (
            made_clips.write_capture(folder / "capture.bvh", frames=CAPTURE_FRAMES),
            made_clips.write_actions(folder / "actions.glb", actions=ACTIONS))]
    digest = 0
    comparison = Comparison(Settings(), scheme_names(), [Tolerance(metres) for metres in TOLERANCES_M])
    for tolerance in comparison.tolerances:
        for scheme in comparison.schemes:
            for source in sources:
                bank = encode_clips(source, comparison.settings_of(scheme, tolerance), loosen=True).bank
                digest = zlib.crc32(bank, digest)
    return f"{digest:08x}"
