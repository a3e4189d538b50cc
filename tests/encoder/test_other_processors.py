"""The encoder on AArch64 and Armv7, which have fused products and other square roots, maxima and
sizes, and on Windows, which has another C library, writes the banks and the errors of this machine."""
from __future__ import annotations

import os
import struct
import subprocess
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import made_clips
import numpy as np
import pytest
from c_programs import ENCODER, ENCODER_INCLUDES, RUNTIME, build_program
from ossicle.encoding import native
from ossicle.base.codec import codec_bits
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Clip, Skeleton
from ossicle.encoding.presets import PRESETS
from scheme_bytes import scheme_bytes

PROCESSORS = {"aarch64": ("aarch64-linux-gnu-gcc", "qemu-aarch64"),
              "armv7": ("arm-linux-gnueabihf-gcc", "qemu-arm"),
              "windows": ("x86_64-w64-mingw32-gcc", "wine")}
FLAGS = ["-std=c99", "-O2", "-ffp-contract=off", *ENCODER_INCLUDES]
HEADER = struct.Struct("<2d10I")
FRAMES = 25  # emulators are slow
ENTRY = (1, 30 << 16, 263882790)
MILLIMETRE = native.EncodeSettings(1e-3, codecs=("delta", "curve", "transform"))
SETTINGS = {
    "auto": MILLIMETRE,
    "fast": replace(MILLIMETRE, effort="fast", tolerance_m=1e-4),
    "sphere": replace(MILLIMETRE, points="sphere"),
    "layer": replace(MILLIMETRE, effort="fast", layer=True),
    "velocity": replace(MILLIMETRE, effort="fast", codecs=("velocity",), keys="published"),
} | {name: replace(MILLIMETRE, codecs=(scheme.codec,), scheme=scheme)
     for name in ("riot-2015", "acl-2.1-tiers", "unity5-keyframe", "unreal4-linear")
     for scheme in [PRESETS[name].schemes[0]]}

# Compiling the encoder and emulating it take minutes. Every test run has another compiler, another C
# library's functions and another NumPy (test_encoder_determinism.py).
pytestmark = pytest.mark.exhaustive

Encode = Callable[[Skeleton, Clip, native.EncodeSettings], tuple[bytes, list[float]]]


@pytest.fixture(scope="module")
def there(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Encode:
    """Encodes in an emulator; the bank and its errors."""
    compiler, emulator = PROCESSORS[request.param]
    folder = tmp_path_factory.mktemp(request.param)
    environment = os.environ | {"WINEPREFIX": str(folder / "wine"), "WINEDEBUG": "-all"}
    program = build_program(compiler, FLAGS, [Path(__file__).with_name("clip_driver.c"), *ENCODER,
                                              *RUNTIME], folder / "driver.exe", ["-static", "-lm"])
    if emulator == "wine":  # says on the standard error that it makes its folder
        subprocess.run(["wine", "wineboot", "--init"], check=True, capture_output=True, timeout=300, env=environment)

    def encode(skeleton: Skeleton, clip: Clip, settings: native.EncodeSettings) -> tuple[bytes, list[float]]:
        head = HEADER.pack(settings.tolerance_m, settings.shell_m, len(skeleton.names),
                           len(clip.frames), 0, settings.layer, settings.restart_log2,
                           native.EFFORTS.index(settings.effort), codec_bits(settings.codecs),
                           native.KEYS.index(settings.keys), settings.scheme is not None,
                           native.POINTS.index(settings.points))
        if settings.scheme is not None:
            head += scheme_bytes(settings.scheme)
        ran = subprocess.run(
            [emulator, program], check=True, capture_output=True, timeout=300, env=environment,
            input=head + b"".join(np.ascontiguousarray(array, kind).tobytes() for array, kind in (
                (skeleton.parents, "<i4"), (skeleton.bind, "<f8"), (clip.frames, "<f8"),
                (clip.steps, "u1"))))
        return ran.stdout, [float(word) for word in ran.stderr.split()]

    return encode


def here(skeleton: Skeleton, clip: Clip, settings: native.EncodeSettings) -> tuple[bytes, list[float]]:
    inner = native.Skeleton(skeleton.parents, skeleton.bind)
    status, encoded, report = native.encode_clip(inner, native.ClipInput(clip.frames, clip.steps), settings)
    assert status == native.OK and encoded is not None
    return (native.write_bank(inner, [encoded], [ENTRY], b""), [report.error_m, report.tight_error_m])


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Skeleton, Clip]]:
    folder = tmp_path_factory.mktemp("sources")
    capture = read_clips([made_clips.write_capture(folder / "capture.bvh", frames=FRAMES)])
    actions = read_clips([made_clips.write_actions(folder / "actions.glb", actions=1)])
    return [(imported.skeleton, replace(clip, frames=clip.frames[:FRAMES], steps=clip.steps[:FRAMES]))
            for imported in (capture, actions) for clip in imported.clips]


@pytest.mark.parametrize(("there", "name"), product(PROCESSORS, SETTINGS), indirect=["there"])
def test_the_same_banks_and_errors(name: str, there: Encode, sources: list[tuple[Skeleton, Clip]]) -> None:
    for skeleton, clip in sources:
        assert there(skeleton, clip, SETTINGS[name]) == here(skeleton, clip, SETTINGS[name])
