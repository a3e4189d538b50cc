"""Clips of two characters, made up so that every checkout has something like real ones to test on.

write_capture: what motion capture gives. Twenty-two joints, every channel a little different in every
frame. write_actions: what animators give. Forty joints under an armature in centimetres, many short
clips of few keys, some of which step, jump or follow splines.
"""
from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np

from gltf_builder import Channel, GltfBuilder

RATE_HZ = 30
ACTIONS = 24
CENTIMETRE = 0.01
_NOISE_DEGREES, _NOISE_CM = 0.05, 0.03
_SPLINED, _STEPPED = ("weapon",), ("left_finger_1", "right_finger_1")
_SQUASHED = "head"

# joint, parent, offset in centimetres, how far it swings in degrees; parents first
_Row = tuple[str, str, tuple[float, float, float], float]
_TRUNK: list[_Row] = [
    ("hips", "", (0, 92, 0), 8), ("spine", "hips", (0, 11, 0), 6), ("chest", "spine", (0, 14, 1), 6),
    ("upper_chest", "chest", (0, 13, 0), 5), ("neck", "upper_chest", (0, 14, -2), 8),
    ("head", "neck", (0, 10, 2), 15)]
_ARM: list[_Row] = [
    ("shoulder", "upper_chest", (4, 9, 0), 4), ("upper_arm", "shoulder", (13, 0, 0), 35),
    ("lower_arm", "upper_arm", (27, 0, 0), 40), ("hand", "lower_arm", (25, 0, 0), 20)]
_LEG: list[_Row] = [
    ("upper_leg", "hips", (9, -5, 0), 30), ("lower_leg", "upper_leg", (0, -41, 0), 35),
    ("foot", "lower_leg", (0, -40, -3), 18), ("toes", "foot", (0, -6, 13), 8)]
_FINGERS: list[_Row] = [(f"finger_{i}", f"finger_{i - 1}" if i % 3 else "hand", (3, 0, 2 * i), 25) for i in range(6)]
_EXTRA: list[_Row] = [
    ("cape_0", "upper_chest", (0, 5, -9), 10), ("cape_1", "cape_0", (0, -18, -2), 14),
    ("cape_2", "cape_1", (0, -18, -2), 16), ("cape_3", "cape_2", (0, -18, -2), 18),
    ("jaw", "head", (0, 2, 6), 12), ("weapon", "right_hand", (7, -2, 3), 5)]


def _on_both_sides(rows: list[_Row]) -> list[_Row]:
    middle = {row[0] for row in _TRUNK}
    return [(f"{side}_{joint}", parent if parent in middle else f"{side}_{parent}",
             (sign * x, y, z), swing)
            for side, sign in (("left", 1), ("right", -1)) for joint, parent, (x, y, z), swing in rows]


CAPTURED = [*_TRUNK, *_on_both_sides([*_ARM, *_LEG])]
ANIMATED = [*_TRUNK, *_on_both_sides([*_ARM, *_FINGERS, *_LEG]), *_EXTRA]


def _sway(random: Random, frames: int, most: float) -> np.ndarray:
    """A curve [F] around zero: slow waves that are large, fast ones that are small."""
    time, total = np.arange(frames) / RATE_HZ, np.zeros(frames)
    for hertz in (0.25, 0.5, 1.0, 1.7, 2.9, 4.6, 7.1):
        size = most * random.uniform(0.3, 1.0) * (0.4 / hertz) ** 1.7
        total += size * np.sin(2.0 * np.pi * (hertz * time + random.random()))
    return total


def write_capture(path: Path, frames: int = 240, seed: int = 1) -> Path:
    """One clip as .bvh: a wandering, gesturing body, with the noise of its markers."""
    random = Random(seed)
    lines: list[str] = ["HIERARCHY"]
    columns: list[np.ndarray] = []

    def channel(middle: np.ndarray, noise: float) -> None:
        columns.append(middle + [random.uniform(-noise, noise) for _ in range(frames)])

    def block(row: _Row) -> None:
        joint, parent, offset, swing = row
        lines.extend([f"{'JOINT' if parent else 'ROOT'} {joint}", "{",
                      "OFFSET {} {} {}".format(*(offset if parent else (0, 0, 0))),
                      f"CHANNELS {'3' if parent else '6 Xposition Yposition Zposition'} "
                      "Zrotation Xrotation Yrotation"])
        if not parent:
            for position, most in zip(offset, (12.0, 3.0, 60.0)):
                channel(position + _sway(random, frames, most), _NOISE_CM)
        for _ in range(3):
            channel(_sway(random, frames, swing), _NOISE_DEGREES)
        below = [child for child in CAPTURED if child[1] == joint]
        for child in below:
            block(child)
        lines.extend(["}"] if below else ["End Site", "{", "OFFSET 0 5 0", "}", "}"])

    block(CAPTURED[0])
    lines += ["MOTION", f"Frames: {frames}", f"Frame Time: {1 / RATE_HZ:.8f}"]
    lines += [" ".join(f"{value:.4f}" for value in row) for row in np.array(columns).T]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def write_actions(path: Path, actions: int = ACTIONS, seed: int = 1) -> Path:
    """Clips Action_0 and so on of one skin as .glb."""
    random, g = Random(seed), GltfBuilder()
    number = {row[0]: i for i, row in enumerate(ANIMATED)}
    for joint, _, offset, _ in ANIMATED:
        below = [number[child[0]] for child in ANIMATED if child[1] == joint]
        g.node(joint, translation=list(offset), **({"children": below} if below else {}))
    g.node("Armature", rotation=[0, 1, 0, 0], scale=[CENTIMETRE] * 3, children=[number["hips"]])
    g.skin(list(number.values()), np.repeat(np.eye(4)[None], len(number), 0))
    for action in range(actions):
        g.animation(f"Action_{action}", *_channels(random, number))
    path.write_bytes(g.glb_bytes())
    return path


def _channels(random: Random, number: dict[str, int]) -> list[Channel]:
    """One action: every joint has keys at some whole frames, the first and the last included."""
    last = random.randrange(9, 60)
    found: list[Channel] = []
    for joint, _, offset, swing in ANIMATED:
        if random.random() < 0.2:
            continue  # stays as it is
        between = sorted(random.sample(range(1, last), random.randrange(0, max(2, last // 7))))
        frames = [0, *between, last]
        times = [frame / RATE_HZ for frame in frames]
        turns = [_rotation(random, swing) for _ in frames]
        found.append((number[joint], "rotation", times, turns, "STEP" if joint in _STEPPED else "LINEAR"))
        if joint == "hips":
            found.append((number[joint], "translation", times, _near(random, offset, 6.0, len(frames)), "LINEAR"))
        if joint in _SPLINED:
            ends = _near(random, offset, 1.0, 2)
            slopes = _near(random, (0.0, 0.0, 0.0), 5.0, 2)  # per second
            found.append((number[joint], "translation", [0.0, last / RATE_HZ],
                          np.stack([slopes, ends, slopes], 1), "CUBICSPLINE"))
        if joint == _SQUASHED:
            found.append((number[joint], "scale", times,
                          [[1.0, random.uniform(0.9, 1.1), 1.0] for _ in frames], "LINEAR"))
    return found


def _near(random: Random, position: tuple[float, float, float], most: float, count: int) -> np.ndarray:
    """Places [count, 3] up to so far from one, along each axis."""
    return np.array([[value + random.uniform(-most, most) for value in position] for _ in range(count)])


def _rotation(random: Random, swing: float) -> list[float]:
    """A unit quaternion, turned by up to twice `swing` degrees about an axis of its own."""
    vector = np.array([random.uniform(-1.0, 1.0) for _ in range(3)]) * np.radians(swing) / 2.0
    q = np.array([*vector, 1.0])
    return (q / np.sqrt((q * q).sum())).tolist()
