"""Builds a clip: converts angles of the figure to tracks of local values."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from . import legs, quat, tracks
from .skeleton import INDEX, JOINTS, SIDES, bind_rotation, local_rotation

Angles = tuple[float, float, float]


@dataclass(frozen=True)
class Arm:
    """An arm's pose in degrees from hanging, the neutral pose. flex: upper arm forwards; abduct: away from the body;
    twist: outwards about its own axis; elbow: bend; wrist: bend of the hand to the palm's side."""

    flex: float = 0.0
    abduct: float = 0.0
    twist: float = 0.0
    elbow: float = 0.0
    wrist: float = 0.0


@dataclass(frozen=True)
class Clip:
    """A clip of `length` frames after frame 0, with tracks in joint order."""

    name: str
    length: int
    loop: bool
    tracks: tuple[tracks.Track, ...]


class ClipBuilder:
    """Collects the keys of a clip. Frames are counted at tracks.RATE_HZ from 0 to `length`. sampled: whether to replace
    splines by a key per frame, because fast splines differ much from lines between their frames and would have to be
    played at a multiple of the rate."""

    def __init__(self, name: str, length: int, loop: bool, sampled: bool = False) -> None:
        self.name, self.length, self.loop, self._sampled = name, length, loop, sampled
        self._tracks: dict[tuple[str, str], tracks.Track] = {}

    def turn(self, joint: str, keys: Mapping[int, Angles],
             interpolation: str = "CUBICSPLINE") -> None:
        """Keys a joint with {frame: (pitch, yaw, roll)} in degrees (see quat.euler)."""
        self._rotation(joint, {frame: quat.euler(*angles) for frame, angles in keys.items()},
                       interpolation)

    def arm(self, side: str, keys: Mapping[int, Arm], interpolation: str = "CUBICSPLINE") -> None:
        """Keys the three joints of an arm with {frame: Arm}."""
        sign = dict(SIDES)[side]
        upper, lower, hand = {}, {}, {}
        for frame, pose in keys.items():
            upper[frame] = quat.product(quat.about(quat.Z_AXIS, sign * pose.abduct),
                                        quat.about(quat.X_AXIS, -pose.flex),
                                        quat.about(quat.Y_AXIS, sign * pose.twist))
            lower[frame] = quat.about(quat.X_AXIS, -pose.elbow)
            hand[frame] = quat.about(quat.Z_AXIS, -sign * pose.wrist)
        for name, values in (("upper_arm", upper), ("lower_arm", lower), ("hand", hand)):
            self._rotation(f"{side}_{name}", values, interpolation)

    def shift_hips(self, keys: Mapping[int, tuple[float, float, float]],
                   velocities: Mapping[int, tuple[float, float, float]] | None = None) -> None:
        """Keys the hips with {frame: offset from standing in metres}; velocities in m/s."""
        home = JOINTS[INDEX["hips"]].head
        values = {frame: home + np.array(offset) for frame, offset in keys.items()}
        self._store(tracks.make("hips", "translation", "CUBICSPLINE", values, self.loop,
                                velocities))

    def plant_legs(self, frames: Iterable[int], foot_at: Callable[[str, int], legs.Foot],
                   interpolation: str = "LINEAR") -> None:
        """Solves both legs for foot_at(side, frame) at `frames`. The hips must be keyed before."""
        keys: dict[str, dict[int, np.ndarray]] = {}
        for frame in frames:
            position, rotation = self.hips_at(frame)
            for side, _ in SIDES:
                label = f"{self.name}, frame {frame}"
                solved = legs.solve(side, position, rotation, foot_at(side, frame), label)
                for joint, value in solved.items():
                    keys.setdefault(joint, {})[frame] = value
        for joint, values in keys.items():
            self._rotation(joint, values, interpolation)

    def hips_at(self, frame: float) -> tuple[np.ndarray, np.ndarray]:
        """Returns the hips' position (metres) and their rotation away from the bind pose."""
        hips = JOINTS[INDEX["hips"]]
        position, rotation = hips.head, quat.IDENTITY
        if ("hips", "translation") in self._tracks:
            position = tracks.evaluate(self._tracks["hips", "translation"], frame)
        if ("hips", "rotation") in self._tracks:
            local = tracks.evaluate(self._tracks["hips", "rotation"], frame)
            rotation = quat.mul(local, quat.conj(hips.bind))
        return position, rotation

    def finish(self) -> Clip:
        """Returns the clip. Joints without keys take the neutral pose; joints that stay in the bind pose have no
        track."""
        for joint in JOINTS:
            if (joint.name, "rotation") not in self._tracks:
                self._rotation(joint.name, {0: quat.IDENTITY}, "LINEAR")
        order = sorted(self._tracks.values(), key=lambda t: (INDEX[t.joint], t.path))
        moved = [track for track in order if not self._is_bind(track)]
        if self._sampled:
            moved = [tracks.sampled(track, self.length)
                     if track.interpolation == "CUBICSPLINE" else track for track in moved]
        return Clip(self.name, self.length, self.loop, tuple(moved))

    def _rotation(self, joint: str, authored: Mapping[int, np.ndarray],
                  interpolation: str) -> None:
        local = {frame: local_rotation(JOINTS[INDEX[joint]], value)
                 for frame, value in authored.items()}
        self._store(tracks.make(joint, "rotation", interpolation, local, self.loop))

    def _store(self, track: tracks.Track) -> None:
        where = f"{self.name}: {track.joint} {track.path}"
        if (track.joint, track.path) in self._tracks:
            raise ValueError(f"{where} is keyed twice")
        first, last = track.frames[0], track.frames[-1]
        if first != 0 or last not in (0, self.length):
            raise ValueError(f"{where} runs from frame {first} to {last}, "
                             f"expected 0 to {self.length}")
        if self.loop and not np.allclose(track.values[0], track.values[-1], atol=1e-12):
            raise ValueError(f"{where} does not close: first and last key differ")
        if np.allclose(track.values, track.values[0], atol=1e-12):
            track = tracks.Track(track.joint, track.path, "LINEAR", (0,), track.values[:1])
        self._tracks[track.joint, track.path] = track

    @staticmethod
    def _is_bind(track: tracks.Track) -> bool:
        joint = JOINTS[INDEX[track.joint]]
        bind = joint.head if track.path == "translation" else bind_rotation(joint)
        value = track.values[0]
        if track.path == "rotation" and float(np.dot(bind, value)) < 0.0:
            value = -value
        return len(track.frames) == 1 and np.allclose(value, bind, atol=1e-9)
