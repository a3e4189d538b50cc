"""Banks with tiers, as the encoder writes them: versions of several codecs, a clip in blocks, and a tier
that has nothing."""
from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ossicle.bank.clips import name_hash
from ossicle.encoding import native
from ossicle.encoding.sections import names_section

JOINTS, BLOCK_LOG2 = 5, 5
BASE_M = 20e-3
# The frames of each clip, and the codec and the tolerance of its version in each tier.
CLIPS = {
    "walk": (24, {1: ("curve", 5e-3), 2: ("transform", 1e-3)}),
    "long": (100, {1: ("delta", 5e-3), 2: ("curve", 1e-3)}),
    "idle": (24, {2: ("delta", 1e-3)}),
}


def _frames(seed: int, count: int) -> np.ndarray:
    """A chain of joints that swing, each in its own plane, and travel."""
    frames = np.zeros((count, JOINTS, 10))
    frames[..., 3] = frames[..., 7:] = 1.0
    t = np.arange(count) / 24
    for joint in range(JOINTS):
        half = (0.1 + 0.05 * joint) * np.sin(2 * np.pi * (t * (1 + joint % 3) + 0.13 * (seed + joint)))
        frames[:, joint, (joint + seed) % 3], frames[:, joint, 3] = np.sin(half), np.cos(half)
        frames[:, joint, 5] = 0.2 if joint else 1.0
    frames[:, 0, 4] = 0.7 * t
    return frames


@dataclass(frozen=True)
class _Encoder:
    skeleton: native.Skeleton

    def clip(self, frames: np.ndarray, codec: str, tolerance_m: float) -> native.EncodedClip:
        steps = np.zeros((len(frames), JOINTS, 3), bool)
        status, clip, _ = native.encode_clip(self.skeleton, native.ClipInput(frames, steps), native.EncodeSettings(
            tolerance_m, restart_log2=4, codecs=(codec,)))
        assert status == native.OK and clip is not None
        return clip

    def versions(self, index: int, frames: np.ndarray, wanted: dict[int, tuple[str, float]], tiers: int) \
            -> list[native.Version]:
        """The versions of a clip, of each block, in the tiers that there are."""
        size, last = 1 << BLOCK_LOG2, len(frames) - 1
        return [native.Version(tier, index, block, self.clip(frames[block * size:(block + 1) * size + 1], *how))
                for tier, how in wanted.items() if tier <= tiers
                for block in range(max(1, -(-last // size)))]


@lru_cache(maxsize=None)
def tiered(tiers: int, seed: int = 0) -> bytes:
    """A bank with so many tiers, of which the third and further ones have nothing; 0: a bank without."""
    bind = np.tile([0, 0, 0, 1, 0, 0.2, 0, 1, 1, 1], (JOINTS, 1)).astype(float)
    skeleton = native.Skeleton(np.arange(-1, JOINTS - 1), bind)
    encoder, clips, versions = _Encoder(skeleton), [], []
    for index, (count, wanted) in enumerate(CLIPS.values()):
        frames = _frames(seed + index, count)
        clips.append(encoder.clip(frames, "transform", BASE_M))
        versions += encoder.versions(index, frames, wanted, tiers)
    entries = [(name_hash(name), 24 << 16, 211107) for name in CLIPS]
    names = names_section([f"joint{joint}" for joint in range(JOINTS)], list(CLIPS))
    return native.write_bank(skeleton, clips, entries, names, tiers=native.Tiers(tiers, BLOCK_LOG2, tuple(versions)))
