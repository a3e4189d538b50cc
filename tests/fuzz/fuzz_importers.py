"""Feeds damaged source files to the importers, with bounds on memory and time: `fuzz_importers.py SECONDS [SEED]`.

Each file is a small one that has most features, with bytes, numbers and parts changed. What an importer may do is read
it, or raise ImportProblem with one line. Prints the seed of a file that makes it do anything else."""
from __future__ import annotations

import json
import random
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "codegen"),
                *(str(HERE.parent / folder) for folder in ("support", "support/files", "import"))]

from ossicle.importers.importer import files_of, read_clips, read_mesh  # noqa: E402
from ossicle.model.clip import ImportProblem  # noqa: E402
from test_import_corruption import BVH, rich  # noqa: E402

MEMORY_BYTES = 4 << 30  # of address space, with the libraries
FILE_S = 20  # for one file: a valid one of the largest size takes longer, but damage does not make it
NUMBERS = ("0", "-1", "1", "1e9", "1e308", "-1e-308", "NaN", "Infinity", "2147483648", "4294967296", "1e400", "0.5",
           '""',
           "null", "true", "[]", "{}", "1" * 400)
WORDS = (b"{", b"}", b"JOINT a", b"End Site", b"CHANNELS 3", b"MOTION", b"OFFSET 0 0 0", b"Frames: 99999999", b"\0",
         b"\xff", b"\r", b"nan", b"1e999", b"-", b"ROOT b", b"Frame Time: 1e-9")
MAX_CHANGES = 6


def changes(noise: random.Random) -> range:
    """Mostly one, as files with many are refused at the first."""
    return range(min(1 + int(noise.expovariate(1.5)), MAX_CHANGES))


def damaged_bytes(noise: random.Random, data: bytes) -> bytes:
    """Flips, cuts, repeats and exchanges parts."""
    broken = bytearray(data)
    for _ in changes(noise):
        at, end = sorted((noise.randrange(len(broken) + 1), noise.randrange(len(broken) + 1)))
        action = noise.randrange(5)
        if action == 0 and broken:
            broken[at % len(broken)] ^= 1 << noise.randrange(8)
        elif action == 1:
            del broken[at:at + noise.randrange(1, 40)]
        elif action == 2:
            broken[at:at] = noise.choice(WORDS)
        elif action == 3:
            broken[at:at] = broken[at:min(end, at + 200)] * noise.choice((1, 2, 50))
        else:
            broken[at:at + 4] = noise.choice((b"\0" * 4, b"\xff" * 4, b"\0\0\0\x80", b"\xff\xff\xff\x7f"))
    return bytes(broken)


def damaged_text(noise: random.Random) -> bytes:
    """A BVH file with damaged words and lines."""
    lines = BVH.splitlines()
    for _ in changes(noise):
        at = noise.randrange(len(lines))
        words = lines[at].split() or [b""]
        action = noise.randrange(4)
        if action == 0:
            words[noise.randrange(len(words))] = noise.choice(WORDS)
            lines[at] = b" ".join(words)
        elif action == 1:
            lines[at:at] = [noise.choice(WORDS)] * noise.choice((1, 3, 2000))
        elif action == 2:
            lines[at:at + 1] = []
        else:
            lines[at] = b" ".join(words * noise.choice((2, 500)))
        lines = lines or [b""]
    return noise.choice((b"\n", b"\r\n", b"\r")).join(lines)


def damaged_json(noise: random.Random, document: object) -> str:
    """A JSON text with values, keys and structure changed."""
    text = json.dumps(document)
    for _ in changes(noise):
        places = [i for i, letter in enumerate(text) if letter in ",:["]
        at = noise.choice(places) + 1
        end = next((i for i in range(at, len(text)) if text[i] in ",]}"), at)
        deep = noise.choice((10, 100_000))
        value = noise.choice(NUMBERS) if noise.random() < 0.4 else str(noise.randrange(-5, 300))
        value = "[" * deep + "]" * deep if noise.random() < 0.05 else value
        text = text[:at] + value + text[end:]
    return text


def gltf(noise: random.Random) -> tuple[str, bytes]:
    """A .glb or .gltf, of which the JSON or the bytes are damaged."""
    builder = rich()
    if noise.random() < 0.3:
        return "hero.glb", damaged_bytes(noise, builder.glb_bytes())
    if noise.random() < 0.3:
        builder.binary[:] = damaged_bytes(noise, bytes(builder.binary))
    text = damaged_json(noise, json.loads(_json_chunk(builder.glb_bytes())))
    binary = bytes(builder.binary)
    if noise.random() < 0.2:
        return "hero.gltf", text.encode()
    chunk, data = text.encode() + b" " * (-len(text) % 4), binary + bytes(-len(binary) % 4)
    body = b"".join(len(part).to_bytes(4, "little") + kind + part
                    for kind, part in ((b"JSON", chunk), (b"BIN\0", data)))
    return "hero.glb", b"glTF" + (2).to_bytes(4, "little") + (12 + len(body)).to_bytes(4, "little") + body


def _json_chunk(glb: bytes) -> bytes:
    return glb[20:20 + int.from_bytes(glb[12:16], "little")]


def bvh(noise: random.Random) -> tuple[str, bytes]:
    """A damaged BVH file."""
    return "walk.bvh", damaged_text(noise) if noise.random() < 0.7 else damaged_bytes(noise, BVH)


MAKERS: tuple[Callable[[random.Random], tuple[str, bytes]], ...] = (gltf, bvh)


def use(path: Path) -> bool:
    """Reads a file with all options; returns whether it was read. Lets forbidden exceptions through."""
    files_of([path])
    try:
        imported = read_clips([path])
        if path.suffix != ".bvh":
            read_mesh(path, imported.skeleton)
    except ImportProblem as problem:
        line = str(problem)
        assert line.startswith(str(path)) and line.isprintable() and len(line) < 1000, line
        return False
    return True


def _too_long(*_: object) -> None:
    raise TimeoutError(f"takes over {FILE_S} s")


def run(seed: int, folder: Path) -> bool:
    """Makes and reads the file of a seed, within FILE_S."""
    noise = random.Random(seed)
    name, data = noise.choice(MAKERS)(noise)
    (folder / name).write_bytes(data)
    signal.alarm(FILE_S)
    try:
        return use(folder / name)
    except BaseException:
        print(f"fuzz_importers: `fuzz_importers.py 0 {seed}` makes it do this again:", file=sys.stderr)
        raise
    finally:
        signal.alarm(0)


def bounded() -> None:
    """Sets the bounds of memory and time for this process."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))
    signal.signal(signal.SIGALRM, _too_long)


def main() -> int:
    """Reads files for as many seconds as the command line says."""
    if not 2 <= len(sys.argv) <= 3:
        print("usage: fuzz_importers.py SECONDS [SEED]", file=sys.stderr)
        return 2
    bounded()
    first = seed = int(sys.argv[2]) if len(sys.argv) == 3 else int(time.time()) << 20
    end, good = time.monotonic() + float(sys.argv[1]), 0
    with tempfile.TemporaryDirectory() as folder:
        while seed == first or time.monotonic() < end:
            good += run(seed, Path(folder))
            seed += 1
    print(f"fuzz_importers: {seed - first:,} files from seed {first}, of which {good:,} were read")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
