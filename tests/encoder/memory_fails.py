"""Encodes clips with the library that OSSICLE_ENCODER names, once for each place in its code that allocates memory,
where the first allocation fails: `memory_fails.py FOLDER` prints how many places there are, and what went wrong. For a
process of its own. The library has to be linked with failing_memory.c."""
from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from ctypes import CDLL, c_uint32
from dataclasses import replace
from pathlib import Path

import every_output
import made_clips
import numpy as np
from ossicle.bank.file import parse_bank
from ossicle.base.arrays import Array
from ossicle.cli.main import main
from ossicle.encoding import native
from ossicle.encoding.native.character import Character, CharacterState
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.tiers.sizes import parse_tiers
from ossicle.importers.importer import read_clips

FRAMES = 12
PATIENCE_S = 2.0
ADDS_NO_PLACES = ("sphere", "random access", "matrices", "resampled")
MEMORY = CDLL(os.environ["OSSICLE_ENCODER"]) if "OSSICLE_ENCODER" in os.environ else None
MOST_PLACES = 4096
HERO = Path(__file__).resolve().parents[2] / "codegen/demo/hero.glb"
LAYERS = """\
inputs = ["HERO"]
effort = "fast"
clips = ["Idle", "Walk", "Wave"]
[masks]
left = { set = "left" }
right = { set = "right" }
[sets]
left = ["left_*"]
right = ["right_*"]
[graph]
start = "idle"
[graph.states]
idle = { play = "Idle" }
[[graph.layers]]
name = "wave"
mask = "left"
play = "Wave"
[[graph.layers]]
name = "swing"
mask = "right"
play = "Walk"
"""


def uses(folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """What uses the encoder, by name."""
    sources = [read_clips([made_clips.write_capture(folder / "capture.bvh", frames=FRAMES)]),
               read_clips([made_clips.write_actions(folder / "actions.glb", actions=1)])]
    settings = {name: each for name, each in every_output.all_settings() if name not in ADDS_NO_PLACES}
    settings["delta"] = replace(settings["fast"], codec="delta")
    settings["max"] = replace(settings["fast"], effort="max")
    settings["pinned"] = replace(settings["riot-2015"], pins=("*_foot",))
    settings["tiers"] = replace(settings["fast"], tiers=parse_tiers(["5mm"], "tiers"), tier_block_log2=4)
    for name, chosen in settings.items():
        for number, source in enumerate(sources):
            yield f"{name}, {number}", lambda: encode_clips(source, chosen, jobs=1, encode=saved_and_loaded).bank
            bank = encode_clips(source, chosen, jobs=1).bank
            yield f"{name}, {number}, decode", lambda: played(bank)
    (folder / "hero.toml").write_text(LAYERS.replace("HERO", str(HERO)), encoding="utf-8")
    if main(["build", str(folder / "hero.toml"), "--quiet"]) == 0:
        words = native.bank_words((folder / "hero.ossb").read_bytes())
        yield "character", lambda: animated(words)


def animated(words: Array) -> CharacterState:
    """The character of a bank with a graph, after a step."""
    with Character(words) as character:
        return character.step((), 20_000)


def saved_and_loaded(skeleton: native.Skeleton, clip: native.ClipInput, settings: native.EncodeSettings) \
        -> tuple[int, native.EncodedClip | None, native.Report]:
    """Encodes a clip, and restores it from what is saved of it."""
    status, encoded, report = native.encode_clip(skeleton, clip, settings)
    if encoded is not None:
        encoded = native.load_clip(skeleton, clip, settings, encoded.saved())
        if encoded is None:  # as of words that belong to other settings
            raise MemoryError
        report = encoded.report
    return status, encoded, report


def played(bank: bytes) -> object:
    """What the library finds in a bank."""
    words, content = native.bank_words(bank), parse_bank(bank)
    claimed = np.zeros(len(words), np.uint32)
    bits = list(native.track_bits(words, len(content.clips), len(content.subtracks), claimed))
    return (native.check_bank(words), native.pose_hash(words), [each.tolist() for each in bits],
            [native.decode_clip(words, clip, len(content.joints), True).tobytes()
             for clip in range(len(content.clips))])


def outcome(use: Callable[[], object], fails_at: int) -> tuple[object, int]:
    """The result, or None if memory ran out; the blocks that are allocated afterwards, but not before."""
    gc.collect()
    before = MEMORY.memory_kept()
    MEMORY.memory_fail_at(fails_at)
    try:
        result = use()
    except (MemoryError, native.NativeProblem):
        result = None
    gc.collect()
    end = time.monotonic() + PATIENCE_S
    while MEMORY.memory_kept() != before and time.monotonic() < end:  # a thread may still be ending
        time.sleep(0.01)
        gc.collect()
    return result, MEMORY.memory_kept() - before


def new_places() -> list[int]:
    """The allocations of the last outcome that were the first of their place in the code in this process."""
    numbers = (c_uint32 * MOST_PLACES)()
    return numbers[:MEMORY.memory_places(numbers)]


def problems(folder: Path) -> Iterator[str | None]:
    """None for each allocation that failed as it should, otherwise a text."""
    gc.freeze()  # what is collected now takes long, and keeps no memory of the encoder
    for name, use in uses(folder):
        expected, kept = outcome(use, 0)
        numbers = new_places()
        yield f"{name}: {kept} blocks are not freed" if kept or expected is None else None
        for number in numbers:
            print(f"{name}: allocation {number}", file=sys.stderr, flush=True)  # the last one, if this crashes
            result, kept = outcome(use, number)
            if result not in (None, expected) or kept:
                yield f"{name}: allocation {number}: {kept} blocks are not freed, and the result is " + (
                    "an error" if result is None else "as expected" if result == expected else "wrong")
            yield None


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1])))
    json.dump({"tried": found.count(None), "problems": list(filter(None, found))}, sys.stdout)
