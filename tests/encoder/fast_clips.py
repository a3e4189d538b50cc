"""Random files with swings and dashes of any size between linear keys on any times."""
from __future__ import annotations

from pathlib import Path

import numpy as np
from gltf_builder import GltfBuilder
from gltf_reader import sample

RATES = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 24000 / 1001, 30000 / 1001)
HIGHEST = 480.0  # frames per second of a bank
MULTIPLES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20)  # of the rate of the keys, at which a clip may be sampled
BLENDED = 0.97  # metres, or units of scale, that can be blended between two frames
LARGEST_DEGREES = 179.9  # of a swing: at 180, both ways round are right
FARTHEST_M = 40.0  # from a joint to the one above; rotations are too coarse for a millimetre at hundreds of metres
TIMES = ("grid", "sparse", "phase", "hole", "milliseconds", "free", "twice")
NEAR_S = (1e-6, 1e-4, 2e-4)  # from a key to another one of the same motion


def key_times(kind: str, rate: float, rng: np.random.Generator) -> np.ndarray:
    """Seconds, ascending, in single precision."""
    count = int(rng.integers(3, 14))
    frames = np.arange(count, dtype=float)
    if kind == "sparse":
        frames = np.concatenate([[0.0], np.cumsum(rng.integers(1, 6, count - 1))])
    if kind == "hole":
        frames[count // 2:] += rng.uniform(0.3, 6.0)
    times = frames / rate
    if kind == "phase":
        times += rng.uniform(0.0, 0.5)
    if kind == "milliseconds":
        times = np.round(times, 3)
    if kind == "free":
        times = np.concatenate([[0.0], np.cumsum(rng.uniform(0.004, 0.2, count - 1))])
    return np.float32(times).astype(float)


def swings(count: int, rng: np.random.Generator) -> np.ndarray:
    """Rotations [K, 4] that turn by any angle from key to key, about any axis."""
    keys = [np.array([0.0, 0.0, 0.0, 1.0])]
    for _ in range(count - 1):
        axis = rng.normal(size=3)
        half = np.radians(rng.uniform(0.0, LARGEST_DEGREES) * rng.integers(0, 2)) / 2.0
        x, y, z = axis / np.linalg.norm(axis) * np.sin(half)
        w, (a, b, c, d) = np.cos(half), keys[-1]
        keys.append(np.array([d * x + a * w + b * z - c * y, d * y - a * z + b * w + c * x,
                              d * z + a * y - b * x + c * w, d * w - a * x - b * y - c * z])
                    * rng.choice([-1.0, 1.0]))
    return np.array(keys)


def dashes(count: int, largest: float, rng: np.random.Generator) -> np.ndarray:
    """Vectors [K, 3] that move from key to key by up to `largest` along each axis."""
    size = largest * 10.0 ** rng.uniform(-3.0, 0.0, (count, 1)) * rng.integers(0, 2, (count, 1))
    return np.clip(np.cumsum(size * rng.uniform(-1.0, 1.0, (count, 3)), axis=0), -FARTHEST_M, FARTHEST_M)


def add_near_keys(path: str, times: np.ndarray, keys: np.ndarray,
                  rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Adds keys behind some of the others, which leave the motion as it is."""
    more = times[:-1][rng.random(len(times) - 1) < 0.5]
    merged = np.union1d(times, np.float32(more + rng.choice(NEAR_S, len(more))).astype(float))
    return merged, sample(path, "LINEAR", times, keys, merged)


def write_clips(file: Path, seed: int, clips: int, kinds: tuple[str, ...], any_size: bool) -> Path:
    """Writes a file with a chain of three joints that all clips move. any_size: dashes may be too fast for every
    rate."""
    rng = np.random.default_rng(seed)
    g = GltfBuilder()
    g.node("hip", children=[1], translation=[0, 1, 0])
    g.node("knee", children=[2], translation=[0, -0.5, 0])
    g.node("foot", translation=[0, -0.4, 0.1])
    for number in range(clips):
        rate, kind = rng.choice(RATES), str(rng.choice(kinds))
        most = BLENDED * max(multiple for multiple in MULTIPLES if multiple * rate <= HIGHEST)
        largest = FARTHEST_M if any_size else min(most, FARTHEST_M) * 0.99
        channels = []
        times = key_times(kind, rate, rng)
        for node in range(3):
            if rng.random() < 0.7:
                channels.append((node, "rotation", times, swings(len(times), rng), "LINEAR"))
            if rng.random() < (0.5 if node == 0 else 0.2):
                channels.append((node, "translation", times, dashes(len(times), largest, rng), "LINEAR"))
            if node == 2 and rng.random() < 0.2:
                sizes = 1.0 + np.abs(dashes(len(times), min(3.0, largest), rng))
                channels.append((node, "scale", times, np.clip(sizes, 0.3, 5.0), "LINEAR"))
        if not channels:
            channels.append((1, "rotation", times, swings(len(times), rng), "LINEAR"))
        if kind == "twice":
            channels = [(node, path, *add_near_keys(path, times, np.array(keys), rng), mode)
                        for node, path, times, keys, mode in channels]
        g.animation(f"clip{number}", *channels)
    return g.write_glb(file.parent, file.name)
