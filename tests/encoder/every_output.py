"""Hashes of all that Ossicle writes for a folder's clips: `every_output.py FOLDER` prints those of the clips
imported, of each bank and of the C files, and which code the libraries below chose. For processes of their own."""
from __future__ import annotations

import hashlib
import json
import math
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.core._multiarray_umath import __cpu_features__

from ossicle.model.bind_size import bind_size
from ossicle.encoding.derived.additive_rules import AdditiveRule
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.encoding.encoder import encode_clips
from ossicle.importers.importer import read_clips
from ossicle.model.lengths import Screen, Tolerance
from ossicle.model.clip import Imported
from ossicle.model.import_options import ImportOptions
from ossicle.encoding.settings import ClipRule, Settings

PRESETS = ("goodhue-2017", "riot-2015", "acl-2.1-tiers", "unreal4-automatic", "unity5-keyframe")
MILLIMETRE = Tolerance(1e-3)


def all_settings() -> Iterator[tuple[str, Settings]]:
    for effort in ("fast", "default"):
        yield effort, Settings(tolerance=MILLIMETRE, effort=effort)
    yield "layer", Settings(tolerance=MILLIMETRE, mode="layer", effort="fast")
    yield "sphere", Settings(tolerance=MILLIMETRE, effort="fast", points="sphere")
    yield "random access", Settings(tolerance=MILLIMETRE, random_access=True)
    yield "matrices", Settings(tolerance=Tolerance(pixels=0.7), screen=Screen(240, 47.3, 2.9),
                               effort="fast", skinning=True)
    yield "additive", Settings(tolerance=MILLIMETRE, effort="fast", clips=(ClipRule("*", additive=AdditiveRule(None)),))
    yield "resampled", Settings(tolerance=MILLIMETRE, effort="fast",
                                importing=ImportOptions(fps=23.976, up="z", scale=0.0101))
    for preset in PRESETS:
        yield preset, Settings(tolerance=MILLIMETRE).with_preset(preset, "preset")


def hashes(folder: Path) -> dict[str, str]:
    """SHA-256 by the name of the output."""
    found = {}
    for source in sorted(folder.iterdir()):
        for name, settings in all_settings():
            imported = read_clips([source], settings.importing)
            found[f"{source.name}, {name}, source"] = hash_of_source(imported, settings)
            bank = encode_clips(imported, settings).bank
            found[f"{source.name}, {name}"] = hashlib.sha256(bank).hexdigest()
            if settings.skinning:
                found[f"{source.name}, C"] = hash_of_code(bank)
    return found


def hash_of_source(imported: Imported, settings: Settings) -> str:
    """SHA-256 of all numbers that the encoder gets. Banks alone would show a difference in the last
    bit only where it decides about a code."""
    limit_m = np.float64(settings.tolerance.on(settings.screen))
    size_m = np.array(bind_size(imported.skeleton))
    numbers = [imported.skeleton.bind, limit_m, size_m, *(clip.frames for clip in imported.clips)]
    return hashlib.sha256(b"".join(array.tobytes() for array in numbers)).hexdigest()


def hash_of_code(bank: bytes) -> str:
    """SHA-256 of the generated files, skinning matrices of the format with most decisions included."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "character.ossb"
        path.write_bytes(bank)
        files = generate(path, Path(folder) / "code", Code(embed=True, matrices="q14", rigid=True))
        return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def libraries() -> dict[str, object]:
    """The processor features that NumPy uses, and the bits of many sines of the C library."""
    sines = np.array([math.sin(number / 1024.0) for number in range(1 << 16)])  # np.sin has its own with AVX-512
    return {"features": sorted(name for name, used in __cpu_features__.items() if used),
            "sines": hashlib.sha256(sines.tobytes()).hexdigest()}


if __name__ == "__main__":
    json.dump({"made": hashes(Path(sys.argv[1])), "libraries": libraries()}, sys.stdout)
