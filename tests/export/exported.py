"""Encodes, decodes to a file, and reads that file with readers that share no code with the project's."""
from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import rawclip_reader
from gltf_builder import GltfBuilder, turn
from gltf_reader import Gltf
from rawclip_reader import RawClip
from running import Ran, run_inside
from shell_measure import distances, model_matrices
from mentions import mentions

CUT_S = 1e-4  # between two linear keys that are a jump
HIPS, ARM, HAND = "Hüfte \"1\"", "arm\\<b>&{left}", "手.r"
BEAT, REST = "Schlag / 1:é", "re\"st\\"
RATE_HZ = 30
SHELL_M = 0.03
# Metres. Single precision puts the keys of the first four seconds up to 0.24 us before their frames; a joint
# at 12 m/s moves by this much meanwhile.
ROUND_TRIP_M = 3e-6


@dataclass(frozen=True)
class Encoded:
    """A source file and its bank. summary: what `inspect` prints of the bank."""

    source: Path
    bank: Path
    summary: dict

    def decode(self, out: Path, *arguments: object) -> Ran:
        return run_inside("decode", self.bank, "-o", out, *arguments)

    def decoded(self, out: Path, *arguments: object) -> Path:
        """The file. AssertionError if the command says anything but that it wrote it."""
        ran = self.decode(out, *arguments)
        assert ran.status == 0 and ran.err == "" and mentions(ran.out, out), ran
        return out

    def played(self, folder: Path, clip: str, *arguments: object) -> RawClip:
        """A clip as a .rawclip has it."""
        return rawclip_reader.read(self.decoded(folder / "played.rawclip", "--clip", clip, *arguments))


def encoded(folder: Path, source: Path, *arguments: object) -> Encoded:
    bank = folder / "bank.ossb"
    ran = run_inside("encode", source, "-o", bank, "--effort", "fast", "--quiet", *arguments)
    assert ran.status == 0, ran.err
    return Encoded(source, bank, json.loads(run_inside("inspect", bank, "--json").out))


def animation_of(file: Gltf, name: str) -> dict:
    found, = [animation for animation in file.animations if animation["name"] == name]
    return found


def models_of(file: Gltf, names: list[str], animation: str, times: np.ndarray) -> np.ndarray:
    """Model matrices [T, J, 3, 4] of the nodes of these names."""
    models = file.models(animation_of(file, animation), times)
    node_of = {node.get("name"): number for number, node in enumerate(file.nodes)}
    return np.stack([models[node_of[name]][:, :3] for name in names], 1)


def times_of(clip: RawClip) -> np.ndarray:
    """The exact times of its frames, seconds."""
    return np.arange(len(clip.frames)) / clip.rate


def off_m(clip: RawClip, models: np.ndarray) -> float:
    """The largest distance of a shell point from where the clip has it."""
    return float(distances(model_matrices(np.array(clip.parents), clip.frames.astype(float)), models, SHELL_M).max())


def odd_file() -> GltfBuilder:
    """Three joints of odd names. In the first clip the hips move and jump by two metres, the arm steps,
    the hand grows; the second one is still."""
    g, times = GltfBuilder(), np.arange(13) / RATE_HZ
    g.node(HIPS, translation=[0, 1, 0], children=[1])
    g.node(ARM, translation=[0.3, 0, 0], rotation=turn("x", 20), children=[2])
    g.node(HAND, translation=[0.25, 0, 0])
    g.skin([0, 1, 2])
    path = [[0.01 * frame + (2.0 if frame >= 5 else 0.0), 1.0, 0.0] for frame in range(13)]
    cut = np.insert(times, 5, times[5] - CUT_S)
    g.animation(BEAT, (0, "translation", cut, [*path[:5], path[4], *path[5:]], "LINEAR"),
                (1, "rotation", [0, times[4], times[9]], [turn("z", 0), turn("z", 40), turn("z", 0)], "STEP"),
                (2, "scale", times[[0, 12]], [[1, 1, 1], [1, 1.5, 1]], "LINEAR"))
    g.animation(REST, (0, "translation", times, [path[0]] * 13, "LINEAR"))
    return g
