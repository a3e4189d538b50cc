"""Large source files with synthetic motion."""
from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np

BODY = ("Hips", "LHip Hips", "LKnee LHip", "LFoot LKnee", "LToe LFoot", "RHip Hips", "RKnee RHip", "RFoot RKnee",
        "RToe RFoot",
        "Spine Hips", "Spine1 Spine", "Spine2 Spine1", "Neck Spine2", "Neck1 Neck", "Head Neck1", "LCollar Spine2",
        "LArm LCollar", "LForeArm LArm", "LHand LForeArm", "LFingers LHand", "LFinger1 LFingers", "LThumb LHand",
        "LThumb1 LThumb", "RCollar Spine2", "RArm RCollar", "RForeArm RArm", "RHand RForeArm", "RFingers RHand",
        "RFinger1 RFingers", "RThumb RHand", "RThumb1 RThumb")
FACE_JOINTS = 260
_WAVES = 8


def wander(rng: np.random.Generator, frames: int, rate: float, size: float) -> np.ndarray:
    """A smooth random motion."""
    seconds, sum_of = np.arange(frames) / rate, np.zeros(frames)
    for frequency in np.exp(rng.uniform(np.log(0.05), np.log(3.0), _WAVES)):
        swell = 1.0 + 0.7 * np.sin(seconds * rng.uniform(0.06, 0.3) + rng.uniform(0.0, 6.3))
        drift = 1.5 * np.sin(seconds * rng.uniform(0.1, 1.2))
        sum_of += swell * np.sin(2.0 * np.pi * frequency * seconds + rng.uniform(0.0, 6.3) + drift) / (1.0 + frequency)
    return size * sum_of / 2.0


def write_body(path: Path, frames: int = 86_400, rate: float = 120.0) -> None:
    """Writes motion capture of 31 joints: 12 minutes."""
    rng = np.random.default_rng(7)
    parents = {name: parent for name, _, parent in (line.partition(" ") for line in BODY)}
    lines = ["HIERARCHY"]

    def add(name: str) -> None:
        places = "Xposition Yposition Zposition " if not parents[name] else ""
        lines.extend([f"{'JOINT' if parents[name] else 'ROOT'} {name}", "{",
                      "OFFSET 3 12 1" if parents[name] else "OFFSET 0 95 0",
                      f"CHANNELS {6 if places else 3} {places}Zrotation Xrotation Yrotation"])
        below = [joint for joint in parents if parents[joint] == name]
        for joint in below:
            add(joint)
        lines.extend(["}"] if below else ["End Site", "{", "OFFSET 0 3 0", "}", "}"])
    add("Hips")
    columns = [wander(rng, frames, rate, size) for size in (100.0, 4.0, 100.0)]
    columns[1] += 95.0
    columns += [wander(rng, frames, rate, size) + rng.normal(0.0, 0.01, frames) for _ in BODY
                for size in (30.0, 15.0, 12.0)]
    with path.open("w") as file:
        file.write("\n".join(lines) + f"\nMOTION\nFrames: {frames}\nFrame Time: {1.0 / rate:.7f}\n")
        for row in np.stack(columns, axis=1):
            file.write(" ".join(f"{value:.4f}" for value in row) + "\n")


def write_face(path: Path, frames: int = 1801, rate: float = 30.0) -> None:
    """Writes a face, whose joints turn and move a little, by 40 muscles: a minute."""
    rng = np.random.default_rng(11)
    muscles = [np.clip(wander(rng, frames, rate, 1.0), 0.0, None)[:, None] for _ in range(40)]
    nodes: list[dict] = [{"name": "head", "translation": [0, 1.6, 0], "children": list(range(1, FACE_JOINTS))}]
    blob, views, accessors = bytearray(), [], []
    samplers, channels = [], []

    def accessor(values: np.ndarray, kind: str) -> int:
        data = np.ascontiguousarray(values, "<f4").tobytes()
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)})
        accessors.append({"bufferView": len(views) - 1, "componentType": 5126, "count": len(values), "type": kind})
        blob.extend(data)
        return len(views) - 1

    times = accessor(np.arange(frames) / rate, "SCALAR")
    for joint in range(1, FACE_JOINTS):
        place = rng.uniform(-0.09, 0.09, 3)
        nodes.append({"name": f"face{joint}", "translation": place.tolist()})
        mine = [muscles[number] for number in rng.integers(0, len(muscles), 3)]
        turn = sum(item * rng.normal(0.0, 0.04, 3) for item in mine)
        angle = np.sqrt((turn * turn).sum(axis=1, keepdims=True)) + 1e-12
        rotation = np.concatenate([turn / angle * np.sin(angle / 2.0), np.cos(angle / 2.0)], axis=1)
        move = place + sum(item * rng.normal(0.0, 0.002, 3) for item in mine)
        for what, values, kind in (("rotation", rotation, "VEC4"), ("translation", move, "VEC3")):
            samplers.append({"input": times, "output": accessor(values, kind)})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": joint, "path": what}})
    document = {"asset": {"version": "2.0"}, "nodes": nodes, "skins": [{"joints": list(range(FACE_JOINTS))}],
                "animations": [{"name": "talk", "channels": channels, "samplers": samplers}],
                "buffers": [{"byteLength": len(blob)}], "bufferViews": views, "accessors": accessors}
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    header = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(blob)) + struct.pack("<I4s", len(text), b"JSON")
    path.write_bytes(header + text + struct.pack("<I4s", len(blob), b"BIN\0") + blob)
