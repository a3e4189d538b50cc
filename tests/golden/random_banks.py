"""Random banks: every feature of the format, values far outside what an encoder would write."""
from __future__ import annotations

from random import Random

from bank_writer import MOVING, RICE_ZERO, VECTOR, Clip, Constant, Skeleton, Track


def _word(rng: Random) -> int:
    """Often something like a unit component, sometimes anything that fits 32 bits."""
    if rng.random() < 0.8:
        return rng.randint(-(1 << 20), 1 << 20)
    return rng.choice([0, 1, -1, 2**31 - 1, -(2**31), rng.randint(-(2**31), 2**31 - 1)])


def random_skeleton(rng: Random) -> Skeleton:
    """1..9 joints, sometimes more than one mask word."""
    count = rng.choice([1, 2, 3, rng.randint(4, 9), rng.randint(30, 70)])
    has_scale = rng.random() < 0.5
    parents = [rng.randint(-1, joint - 1) for joint in range(count)]
    bind = [[_word(rng) for _ in range(10 if has_scale else 7)] for _ in range(count)]
    density = rng.choice([0.2, 0.7, 1.0])
    subtracks = [[j for j in range(count) if rng.random() < density] for _ in range(3)]
    names = [f"joint{j}" for j in range(count)] if rng.random() < 0.5 else None
    return Skeleton(parents, bind, (subtracks[0], subtracks[1], subtracks[2] if has_scale else []), has_scale, names)


def skin_words(rng: Random, skeleton: Skeleton) -> list[int]:
    """The words of SKIN: anything."""
    return [rng.getrandbits(32) for _ in range(12 * len(skeleton.parents))]


def _values(rng: Random, track: Track, restart: bool, last: list[int]) -> list[int | None]:
    """Grid integers of one frame: near the last ones or anything; None where nothing is coded."""
    limit = 1 << (track.width - 1)
    values: list[int | None] = []
    for order in range(3):
        near = last[order] + rng.randint(-9, 9)
        value = near if rng.random() < 0.9 else rng.randint(-(2**31), 2**31 - 1)
        value = max(-limit, min(limit - 1, value))
        last[order] = value
        values.append(None if track.rice[order] == RICE_ZERO and not restart else value)
    return values


def _track(rng: Random, subtrack: int, rotation: bool, clip: Clip) -> Track:
    packing = rng.randint(0, MOVING) if rotation else VECTOR
    shift = rng.choice([0, rng.randint(0, 12), rng.randint(0, 20 if rotation else 31)])
    rice = tuple(rng.choice([0, 1, 4, 8, 14, RICE_ZERO]) for _ in range(3))
    width = rng.choice([max(1, 22 - shift), rng.randint(1, 32), 32])
    track = Track(subtrack, packing, shift, [], rng.random() < 0.5, rice, width)
    unit = (1 << 20) >> shift
    last = [rng.randint(-unit, unit) // 2 for _ in range(3)]
    dropped, negative = rng.randint(0, 3), False
    for frame in range(clip.row_count):
        values = _values(rng, track, frame % (1 << clip.restart_log2) == 0, last)
        if packing != MOVING:
            track.frames.append(values)
            continue
        if rng.random() < 0.3:
            dropped, negative = rng.randint(0, 3), rng.random() < 0.5
        track.frames.append((values, dropped, negative, rng.random() < 0.2))
    return track


def random_clip(rng: Random, skeleton: Skeleton, name: str, frames: int | None = None,
                loop: bool | None = None) -> Clip:
    """Up to 24 frames, or as many as asked for, with every kind of subtrack, breaks and restart points."""
    if frames is None:
        frames = rng.choice([1, 2, 3, rng.randint(4, 24)])
    clip = Clip(frames, name=name, layer=rng.random() < 0.5,
                restart_log2=rng.choice([0, 1, 2, 3, 20, 31]), rate=rng.choice([30.0, 24.0, 59.94]))
    clip.loop = clip.frame_count > 1 and rng.random() < 0.5 if loop is None else loop
    for subtrack in range(skeleton.subtrack_count()):
        rotation = subtrack < skeleton.rotation_subtracks()
        kind = rng.random()
        if kind < 0.5:
            clip.tracks.append(_track(rng, subtrack, rotation, clip))
        elif kind < 0.75:
            shift = rng.randint(0, 20 if rotation else 31)
            width = 21 - shift if rotation else rng.randint(1, 32)
            limit = 1 << (width - 1)
            values = tuple(rng.randint(-limit, limit - 1) for _ in range(3))
            clip.constants.append(Constant(subtrack, shift, values, rng.randint(0, 3), width))
    if clip.frame_count > 1 and skeleton.subtrack_count():
        clip.breaks = sorted({(rng.randint(1, clip.frame_count - 1),
                               rng.randrange(skeleton.subtrack_count())) for _ in range(rng.randint(0, 6))})
    clip.skips = rng.choice([0, 0, 1, 2])
    return clip


def random_position(rng: Random, frame_count: int) -> int:
    """Inside the clip, at its ends, a little outside, far outside."""
    end = (frame_count - 1) * 2048
    return rng.choice([rng.randint(0, end), rng.randint(0, end), end, end - 1, 0, -1,
                       rng.randint(-3 * end - 9, 4 * end + 9), 2**31 - 1, -(2**31)])
