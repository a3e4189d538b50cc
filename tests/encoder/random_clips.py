"""Random clips: every kind of motion that a track may show, mixed over random skeletons."""
from __future__ import annotations

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from encoding import Source, axis_angle, rest
from shell_measure import BREAK_CHORD2

ROTATION_MOTIONS = ("bind", "still", "smooth", "rough", "spin", "flip", "teleport", "step", "any sign")
VECTOR_MOTIONS = ("bind", "still", "smooth", "rough", "teleport", "step")
SCALE_MOTIONS = ("bind", "bind", "bind", "still", "uniform", "stretch", "through zero", "negative", "step")
UNDECIDED_CHORD2 = 2.5e-4  # so near the limit, rounding decides whether a pair may blend
FRAME_COUNTS = (1, 2, 3, 9, 30, 63, 64, 65, 128, 129)


def multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Quaternion products x y z w [..., 4]."""
    vector = (a[..., 3:] * b[..., :3] + b[..., 3:] * a[..., :3] + np.cross(a[..., :3], b[..., :3]))
    scalar = a[..., 3:] * b[..., 3:] - np.sum(a[..., :3] * b[..., :3], -1, keepdims=True)
    return np.concatenate([vector, scalar], -1)


def _random_rotation(rng: np.random.Generator, count: int) -> np.ndarray:
    q = rng.normal(size=(count, 4))
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def _rotations(motion: str, frames: int, rng: np.random.Generator, steps: np.ndarray) -> np.ndarray | None:
    if motion == "bind":
        return None
    start, axis, time = _random_rotation(rng, 1), rng.normal(size=3), np.arange(frames)
    if motion == "still":
        return np.repeat(start, frames, 0)
    if motion == "smooth":
        angle = 0.6 * np.sin(time * rng.uniform(0.02, 0.3) + rng.uniform(0, 6))
    elif motion == "spin":  # through all hemispheres, up to 85 degrees a frame
        angle = time * rng.uniform(0.05, 1.48) * rng.choice([-1, 1])
    elif motion == "flip":  # a half turn at some frames, as Euler angles make it
        angle = 0.3 * np.sin(time * 0.1) + np.pi * np.cumsum(rng.random(frames) < 0.1)
    elif motion == "step":
        jumps = rng.random(frames) < 0.2
        jumps[0] = False
        steps |= jumps
        angle = rng.uniform(-1.5, 1.5, frames)[np.cumsum(jumps)]
    else:
        angle = np.zeros(frames)
    q = multiply(start, axis_angle(axis, angle))
    if motion == "rough":
        turns = axis_angle(rng.normal(size=(frames, 3)), rng.uniform(0, 1.2, frames))
        for f in range(1, frames):
            q[f] = multiply(q[f - 1], turns[f])
    elif motion == "teleport":
        q = _random_rotation(rng, 3)[np.sort(rng.integers(0, 3, frames))]
    elif motion == "any sign":
        q = q * rng.choice([-1.0, 1.0], frames)[:, None]
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def _vectors(motion: str, frames: int, rng: np.random.Generator, steps: np.ndarray,
             rest_value: np.ndarray, size: float) -> np.ndarray | None:
    if motion == "bind":
        return None
    time = np.arange(frames)[:, None]
    if motion == "still":
        return np.repeat(rest_value[None] + rng.uniform(-size, size, (1, 3)), frames, 0)
    if motion == "smooth":
        return rest_value + size * np.sin(time * rng.uniform(0.02, 0.3, 3) + rng.uniform(0, 6, 3))
    if motion == "rough":
        return rest_value + rng.uniform(-size, size, (frames, 3))
    jumps = rng.random(frames) < 0.15
    jumps[0] = False
    if motion == "step":
        steps |= jumps
        return rest_value + rng.uniform(-size, size, (frames, 3))[np.cumsum(jumps)]
    places = rng.uniform(-4 * size, 4 * size, (frames, 3))[np.cumsum(jumps)]
    return rest_value + places + 0.01 * np.sin(time * 0.2)


def _scales(motion: str, frames: int, rng: np.random.Generator, steps: np.ndarray) -> np.ndarray | None:
    time = np.arange(frames)[:, None]
    if motion == "bind":
        return None
    if motion == "uniform":
        return 1.0 + 0.3 * np.sin(time * 0.15) * np.ones(3)
    if motion == "stretch":
        return 1.0 + 0.3 * np.sin(time * rng.uniform(0.05, 0.3, 3))
    if motion == "through zero":
        return np.cos(time * 0.25) * np.ones(3)
    if motion == "negative":
        return np.array([-1.0, 1.0, 1.2]) + 0.1 * np.sin(time * 0.2)
    return _vectors(motion, frames, rng, steps, np.ones(3), 0.3)


def decided(source: Source) -> bool:
    """True if no pair is so near to the limit that rounding decides about its break."""
    frames = source.frames
    alike = np.abs(np.sum(frames[:-1, :, :4] * frames[1:, :, :4], -1))
    return not np.any(np.abs(2.0 - 2.0 * alike - BREAK_CHORD2) < UNDECIDED_CHORD2)


@st.composite
def sources(draw: st.DrawFn) -> Source:
    """A clip of 1..12 joints, several roots, at most three joints with scale tracks."""
    joints = draw(st.integers(1, 12))
    frame_count = draw(st.sampled_from(FRAME_COUNTS))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    parents = np.array([draw(st.integers(max(-1, j - 4), j - 1)) for j in range(joints)], np.int32)
    bind = rest(1, joints)[0]
    bind[:, :4] = _random_rotation(rng, joints)
    bind[:, 4:7] = rng.uniform(-0.12, 0.12, (joints, 3))
    bind[draw(st.integers(0, joints - 1)), 4:7] = 0.0  # a bone without length
    if draw(st.booleans()):
        bind[draw(st.integers(0, joints - 1)), 7:10] = rng.uniform(0.5, 1.3, 3)
    frames = np.repeat(bind[None], frame_count, 0)
    steps = np.zeros((frame_count, joints, 3), bool)
    scaled = 0
    for joint in range(joints):
        values = _rotations(draw(st.sampled_from(ROTATION_MOTIONS)), frame_count, rng, steps[:, joint, 0])
        if values is not None:
            frames[:, joint, :4] = values
        size = 0.45 if parents[joint] < 0 else 0.1  # long levers would need more than Q20 has
        values = _vectors(draw(st.sampled_from(VECTOR_MOTIONS)), frame_count, rng,
                          steps[:, joint, 1], bind[joint, 4:7], size)
        if values is not None:
            frames[:, joint, 4:7] = values
        values = _scales(draw(st.sampled_from(SCALE_MOTIONS)) if scaled < 3 else "bind", frame_count,
                         rng, steps[:, joint, 2])
        if values is not None:
            frames[:, joint, 7:10] = values
            scaled += 1
    steps[0] = False
    source = Source(parents, bind, frames, steps)
    assume(decided(source))
    return source
