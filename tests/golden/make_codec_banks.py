"""Makes new banks curve, transform and velocity of sample_banks.h with the encoder. The file then keeps their words for
good: no test depends on what the encoder would write today. Run it again only when the format changes."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from samples.frozen_banks import HEADER
from make_vectors import header_text
from reference import Decoder
from samples.sample_banks import Sample

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "codegen"), str(ROOT / "tests/encoder")]

from encoding import axis_angle, rest  # noqa: E402
from ossicle.encoding import native  # noqa: E402
from ossicle.bank.clips import name_hash  # noqa: E402
from ossicle.encoding.sections import names_section  # noqa: E402

PARENTS = np.array([-1, 0, 1], np.int32)
NAMES = ["hips", "spine", "hand"]
ABOUT = {"curve": "the curve codec: sections of all kinds, dense tracks, jumps, restart points, a loop",
         "transform": "the transform codec: packings, four components, restart points, a loop, a throw",
         "velocity": "the velocity codec: keys of all kinds, restart points, a loop"}
# name, frames, restart spacing, tolerance in metres
CLIPS = [("move", 37, 4, 2e-3), ("spin", 21, 31, 1e-2), ("rough", 11, 1, 5e-3), ("three", 3, 6, 1e-3),
         ("pose", 1, 6, 1e-3)]
THROW = ("throw", 12, 6, 1e-3)  # what only a direct track of the transform codec can follow
CLIPS_OF = {"curve": CLIPS, "transform": [*CLIPS, THROW], "velocity": CLIPS}


def _bind() -> np.ndarray:
    bind = rest(1, len(PARENTS))[0]
    bind[:, 4:7] = [[0, 1, 0], [0, 0.3, 0], [0.25, 0, 0]]
    return bind


def _frames(name: str, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Frames [F, J, 10] and steps [F, J, 3] of a clip."""
    time = np.arange(count)
    frames = np.repeat(_bind()[None], count, 0)
    steps = np.zeros((count, len(PARENTS), 3), bool)
    frames[:, 1, :4] = axis_angle(np.array([1.0, 0.3, 0.2]), 0.7 * np.sin(0.13 * time) + 0.2)
    frames[:, 2, :4] = axis_angle(np.array([0.1, 1.0, 0.1]), 0.9 + 0.02 * time)
    frames[:, 0, 4] += 0.02 * time
    if name == "move" and count > 20:
        frames[20:, 0, 5] += 0.4
        steps[20, 0, 1] = True
        frames[:, 2, 7:10] += (0.2 * np.sin(0.2 * time))[:, None]
    if name == "spin":  # a loop: three turns, after which a quaternion is its negative
        phase = 2 * np.pi * time / (count - 1)
        frames[:, :, 4:7] = _bind()[:, 4:7] + (0.02 * np.sin(phase))[:, None, None]
        frames[:, 0, :4] = axis_angle(np.array([1.0, -2.0, 0.5]), 3 * phase)
        frames[:, 1, :4] = axis_angle(np.array([1.0, 0.3, 0.2]), 0.7 * np.sin(phase) + 0.2)
        frames[:, 2, :4] = axis_angle(np.array([0.2, 0.1, 1.0]), 1.1 * phase.clip(0, 4))
        frames[-1, 2, :4] = frames[0, 2, :4]
        steps[-1, 2, 0] = True
    if name == "rough":
        noise = np.random.default_rng(3)
        frames[:, 0, 4:7] += noise.uniform(-0.1, 0.1, (count, 3))
        frames[:, 1, :4] = axis_angle(noise.normal(size=(count, 3)), noise.uniform(0, 0.6, count))
    if name == "throw":
        frames[:, 0, 4:7] += np.random.default_rng(4).uniform(-1900, 1900, (count, 3))
    return frames, steps


def codec_bank(codec: str) -> bytes:
    """A bank of CLIPS in this codec."""
    skeleton = native.Skeleton(PARENTS, _bind())
    clips, entries = [], []
    for name, count, restart_log2, tolerance_m in CLIPS_OF[codec]:
        settings = native.EncodeSettings(tolerance_m, 0.03, restart_log2, "default", (codec,))
        loop = name == "spin"
        status, clip, _ = native.encode_clip(skeleton, native.ClipInput(*_frames(name, count), loop), settings)
        if clip is None:
            raise RuntimeError(f"clip {name}: the encoder gives up with status {status}")
        clips.append(clip)
        entries.append((name_hash(name), 30 * 65536, round(30 * 2048 * 2**32 / 1e6)))
    return native.write_bank(skeleton, clips, entries, names_section(NAMES, [name for name, *_ in CLIPS_OF[codec]]))


def queries_of(decoder: Decoder) -> list[tuple[int, int, int]]:
    """A few positions that show restart points, seams, breaks and ends."""
    frames = [(0, 0), (0, 7.5), (0, 15.25), (0, 17.5), (0, 19.5), (0, 20), (0, 35.5), (1, 0), (1, 7.75),
              (1, 13.5), (1, 19), (1, 19.75), (1, 20), (2, 4.5), (2, 9), (3, 1.5), (4, 0)]
    if len(decoder.clips) > len(CLIPS):
        frames += [(5, 0), (5, 5), (5, 8), (5, 11)]
    assert all(frame < decoder.clips[clip].frame_count for clip, frame in frames)
    return [(clip, 1, round(frame * 2048)) for clip, frame in frames]


def main() -> None:
    """Replaces the banks of the codecs named on the command line, or all."""
    banks = {codec: codec_bank(codec) for codec in sys.argv[1:] or ABOUT}
    HEADER.write_text(header_text([Sample(codec, ABOUT[codec], bank, queries_of(Decoder(bank)))
                                   for codec, bank in banks.items()]))


if __name__ == "__main__":
    main()
