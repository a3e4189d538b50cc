"""Builds and runs programs/stream.c: what it takes a character to start its clips with tiers that come from a
serial flash."""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from needed import with_runtime
from ossicle import machines
from ossicle.bank.file import Bank, read_bank
from ossicle.bank.image import make_image
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.generate.image_header import image_header
from ossicle.generate.placement import cold_codecs, place
from ossicle.base.option_values import EMBED_BASE
from ossicle.machines import Target, TargetError
from ossicle.machines.firmware import as_requested, compile_object, link
from ossicle.machines.runner import command_for
from ossicle.machines.tools import run_tool

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).resolve().parent / "programs"
MEDIA = [ROOT / "targets/media/osc_spi_nor.c",
         *(ROOT / f"targets/testing/mock_{name}.c" for name in ("spi_nor", "clock", "random"))]
INCLUDE = [ROOT / "targets/media", ROOT / "targets/testing"]
SUPPORT = [ROOT / "targets/hal_flash.c", ROOT / "targets/print.c"]
NAME = "character"
HOT_BYTES = 24 * 1024  # of fast memory for code: all codecs of the Knight
PASSES, MEMORY_BYTES = 3, 12 * 1024  # of stream.c
UNIT_BYTES = 4  # serial flash is read from any word on
WORDS_A_LINE = 8
# The clock of a machine and the cycles of a frame of its display, or of a sixtieth of a second.
CLOCKS = {"gba": (16_777_216, 280_896), "pico": (125_000_000, 2_083_333), "microbit": (16_000_000, 266_667),
          "host": (1_000_000, 16_667)}

_CLIP = re.compile(r"pass (\d+) clip (\d+) first (\d+) full_us (\d+) update (\d+) frame (\d+) steady (\d+) late (\d+)")
_SUM = re.compile(r"(base|attached|streamed) (rows|seek|streaming|poses) (\d+)")
_NUMBER = re.compile(r"(\w+) (\d+)")


@dataclass(frozen=True)
class Start:
    """A clip that is started: cycles until its first pose; microseconds until a pose as fine as it gets; cycles of
    osc_stream_follow and osc_stream_update in the worst frame, of the longest frame, and of the two functions in a
    frame once the clip is complete; frames that took longer than one of the display."""

    turn: int
    clip: int
    first: int
    full_us: int
    update: int
    frame: int
    steady: int
    late: int


@dataclass(frozen=True)
class Streamed:
    """Output of the program: a Start for each clip and pass, its other numbers, and the hash of all poses."""

    starts: tuple[Start, ...]
    numbers: dict[str, int]
    pose_hash: str

    def column(self, name: str) -> list[int]:
        """One number of all starts."""
        return [getattr(start, name) for start in self.starts]


def character_of(bank_path: Path, machine: Target, folder: Path) -> Bank:
    """Writes the code of a character without its tiers, and the tiers as the content of a flash, to `folder`."""
    bank = read_bank(bank_path)
    parts = place(machine, bank.played_codecs, len(bank.joints), HOT_BYTES if machine.hot else None)
    generate(bank_path, folder, Code(NAME, embed=EMBED_BASE, unroll=machine.unroll, cold=cold_codecs(parts)))
    if bank.tiers:
        _write_tiers(bank_path, bank, folder)
    return bank


def _write_tiers(bank_path: Path, bank: Bank, folder: Path) -> None:
    image = make_image([(bank_path, NAME, bank)], UNIT_BYTES, 0, False)
    words = [f"0x{int.from_bytes(image.content[at:at + 4], 'little'):08x}u" for at in range(0, len(image.content), 4)]
    table = ",\n".join(", ".join(words[at:at + WORDS_A_LINE]) for at in range(0, len(words), WORDS_A_LINE))
    declared = f"const uint32_t tiers_words[{len(words)}]"
    sizes = ", ".join(f"CHARACTER_TIER_{number}_BYTES" for number in range(1, len(bank.tiers) + 1))
    header = image_header(image, Path("tiers.bin")).decode("utf-8")
    (folder / "tiers.h").write_text(f"{header}\nextern {declared};\n#define TIER_SIZES {sizes}\n", encoding="utf-8")
    (folder / "tiers.c").write_text(
        f"#include <stdint.h>\nextern {declared};\n{declared} = {{\n{table}}};\n", encoding="utf-8")


def build_program(program: str, target: str, folder: Path, flags: Sequence[str] = (),
                  more: Sequence[Path] = ()) -> Path:
    """Compiles programs/PROGRAM.c with the character in `folder`, `more` files, and what they need of the runtime,
    for a target. Raises DoesNotFit or another TargetError."""
    machine = machines.load_target(target)
    tested = as_requested(replace(machine, flags=(*machine.flags, *flags)), folder / f"{NAME}.h")
    include = [folder, *INCLUDE]
    built = folder / "built"
    built.mkdir(exist_ok=True)

    def compiled(source: Path) -> Path:
        return compile_object(tested, source, built, include)

    own = [PROGRAMS / f"{program}.c", *sorted(folder.glob("*.c")), *more, *sorted(tested.platform_folder.glob("*.S"))]
    objects = [*map(compiled, own),
               *(compile_object(machine, source, built, include) for source in [*SUPPORT, *machine.sources])]
    image = folder / f"{program}.elf"
    link(machine, with_runtime(f"{tested.tools}nm", objects, compiled), image)
    return image


def run_image(image: Path, target: str, timeout_s: float) -> str:
    """Output of a program. Raises TargetError."""
    ran = run_tool(command_for(machines.load_target(target), image), timeout_s=timeout_s)
    if ran.returncode != 0:
        raise TargetError(f"target {target}: {image.name}: {(ran.stdout.splitlines() or ['no output'])[-1]}")
    return ran.stdout


def stream(bank_path: Path, target: str, folder: Path, timeout_s: float = 120.0) -> Streamed:
    """Plays all clips of a bank with tiers on a target. Raises TargetError."""
    folder.mkdir(exist_ok=True)
    character_of(bank_path, machines.load_target(target), folder)
    clock_hz, frame = CLOCKS[target]
    flags = (f"-DMACHINE_HZ={clock_hz}u", f"-DFRAME_CYCLES={frame}u")
    image = build_program("stream", target, folder, flags, MEDIA)
    starts, numbers, pose_hash = [], {}, ""
    for line in run_image(image, target, timeout_s).splitlines():
        if match := _CLIP.fullmatch(line):
            starts.append(Start(*map(int, match.groups())))
        elif line.startswith("hash "):
            pose_hash = line.removeprefix("hash ")
        elif match := _NUMBER.fullmatch(line):
            numbers[match.group(1)] = int(match.group(2))
    return Streamed(tuple(starts), numbers, pose_hash)


@dataclass(frozen=True)
class Rows:
    """Frames of steady play: how many, instructions of all seeks and of all of streaming, and a hash of the poses."""

    rows: int
    seek: int
    streaming: int
    poses: int

    @property
    def seek_average(self) -> float:
        """Instructions of a seek, which is a row."""
        return self.seek / self.rows

    @property
    def streaming_average(self) -> float:
        """Instructions of osc_stream_follow and osc_stream_update in a frame."""
        return self.streaming / self.rows


def rows(bank_path: Path, target: str, folder: Path, timeout_s: float = 120.0) -> dict[str, Rows]:
    """Runs programs/tier_rows.c: what rows cost with the bank as it is ("base") and, if it has tiers, with all of
    them "attached" and "streamed". Raises TargetError."""
    folder.mkdir(exist_ok=True)
    character_of(bank_path, machines.load_target(target), folder)
    image = build_program("tier_rows", target, folder, (), [ROOT / "targets/media/osc_memory_medium.c"])
    sums: dict[str, dict[str, int]] = {}
    for mode, name, number in _SUM.findall(run_image(image, target, timeout_s)):
        sums.setdefault(mode, {})[name] = int(number)
    return {mode: Rows(**found) for mode, found in sums.items()}
