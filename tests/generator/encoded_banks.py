"""Banks of clips that the encoder has written, one for each codec, of a made-up motion."""
from __future__ import annotations

import random
from functools import lru_cache

import numpy as np
from bank_builder import name_hash

from ossicle.encoding import native
from ossicle.encoding.scheme import Scheme
from ossicle.encoding.sections import names_section

JOINTS, FRAMES = 7, 40
SCHEMES = {"sparse": Scheme("sparse", "smallest48", "ranged48", "chordal", "insert", tag_bits=16),
           "dense": Scheme("dense", "variable", "variable", margin="leaf_first")}


def moving_frames(seed: int) -> np.ndarray:
    """[F, J, 10]: joints that swing (one through half a turn), one that travels, one that grows,
    one that is bent but still."""
    rng = random.Random(seed)
    frames = np.zeros((FRAMES, JOINTS, 10))
    frames[..., 3] = frames[..., 7] = frames[..., 8] = frames[..., 9] = 1.0
    t = np.arange(FRAMES) / (FRAMES - 1)
    for joint in range(1, JOINTS - 1):
        swing = 1.6 if joint == 1 else rng.uniform(0.05, 0.3)
        half = swing * np.sin(2 * np.pi * (t + rng.random()))
        frames[:, joint, rng.randrange(3)] = np.sin(half)
        frames[:, joint, 3] = np.cos(half)
    frames[:, JOINTS - 1, 2], frames[:, JOINTS - 1, 3] = 0.6, 0.8
    frames[:, 0, 4] = 1.5 * t
    frames[:, 2, 7] = 1.0 + 0.5 * t * t
    return frames


@lru_cache(maxsize=None)
def encoded(codecs: tuple[str, ...]) -> tuple[bytes, list[native.Report]]:
    """A bank of one clip for each of the codecs, and the encoder's reports."""
    bind = np.tile([0, 0, 0, 1, 0, 0.1, 0, 1, 1, 1], (JOINTS, 1)).astype(float)
    skeleton = native.Skeleton(np.arange(-1, JOINTS - 1), bind)
    clips, reports, entries, names = [], [], [], []
    for codec in codecs:
        frames, steps = moving_frames(len(names)), np.zeros((FRAMES, JOINTS, 3), bool)
        steps[20, 3, 0] = True
        frames[20:, 3, :4] = frames[:20, 3, :4][::-1]
        wanted = native.EncodeSettings(2e-3, restart_log2=4, codecs=(codec,), scheme=SCHEMES.get(codec))
        status, clip, report = native.encode_clip(skeleton, native.ClipInput(frames, steps), wanted)
        assert status == native.OK and clip is not None
        names.append(f"clip_{codec}")
        entries.append((name_hash(names[-1]), 30 << 16, 264000))
        clips.append(clip)
        reports.append(report)
    joints = [f"joint{j}" for j in range(JOINTS)]
    return native.write_bank(skeleton, clips, entries, names_section(joints, names)), reports
