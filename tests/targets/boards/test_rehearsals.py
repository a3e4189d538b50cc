"""Flashing, rehearsed without the hardware: every byte of the images, the tools' reading of
their configuration, a debugger that loads an emulated board, and a board that starts from its .hex."""
from __future__ import annotations

import dataclasses
import struct
from functools import lru_cache
from pathlib import Path

import pytest
from ossicle import machines
from ossicle.machines.images import write_images
from ossicle.machines.runner import command_for
from ossicle.machines.tools import run_tool, which
from target_support import generate_sample

PT_LOAD = 1
END_OF_HEX = ":00000001FF"
FLASHED = [name for name in machines.list_targets() if machines.load_target(name).rom]
BOARDS = [name for name in FLASHED
          if ".hex" in machines.load_target(name).rom and machines.load_target(name).emulator.machine]  # in QEMU
PLAIN = {".bin", ".gba"}  # memory as it is
# One board with each set of suffixes in every run, all of them in `scons roots`.
OFTEN = ("gba", "microbit", "stm32f4")
METHODS = [pytest.param(name, method, id=f"{name}-{method.name}") for name in machines.list_targets()
           for method in machines.load_target(name).flash if method.command and method.command[0] == "openocd"]


def needs(program: str, package: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(which(program) is None, reason=f"needs the package {package}")


def some(names: list[str]) -> list:
    return [pytest.param(name, marks=() if name in OFTEN else pytest.mark.exhaustive) for name in names]


@dataclasses.dataclass(frozen=True)
class Made:
    firmware: machines.Firmware
    images: dict[str, Path]  # by suffix


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory):
    """made(target): the player program of a golden bank, and its images; built once."""

    @lru_cache(maxsize=None)
    def make(name: str) -> Made:
        folder = tmp_path_factory.mktemp(name)
        firmware = machines.build(name, generate_sample("walk", folder), folder / "out")
        images = write_images(firmware.target.tools, firmware.target.rom, firmware.image, folder / "flashed" / "walk")
        return Made(firmware, {image.suffix: image for image in images})

    return make


def segments_of(elf: bytes) -> dict[int, bytes]:
    """The bytes that a program brings along, by the address where they are loaded."""
    assert elf[:6] == b"\x7fELF\x01\x01", "32 bits, little-endian"
    table, = struct.unpack_from("<I", elf, 28)
    size, count = struct.unpack_from("<2H", elf, 42)
    found = {}
    for entry in range(count):
        kind, offset, _, address, file_bytes = struct.unpack_from("<5I", elf, table + entry * size)
        if kind == PT_LOAD and file_bytes:
            found[address] = elf[offset:offset + file_bytes]
    return found


def memory_of(elf: bytes) -> tuple[int, bytes]:
    """The first address, and the bytes from there to the last; gaps between segments are zero."""
    segments = segments_of(elf)
    start, end = min(segments), max(address + len(data) for address, data in segments.items())
    memory = bytearray(end - start)
    for address, data in segments.items():
        memory[address - start:address - start + len(data)] = data
    return start, bytes(memory)


def bytes_of_hex(text: str) -> dict[int, int]:
    """Each byte of an Intel .hex file by its address."""
    found: dict[int, int] = {}
    base = 0
    lines = text.split()
    for line in lines:
        assert line[0] == ":"
        record = bytes.fromhex(line[1:])
        assert sum(record) & 0xFF == 0 and len(record) == record[0] + 5
        offset, kind, data = int.from_bytes(record[1:3], "big"), record[3], record[4:-1]
        if kind == 0:
            found |= {base + offset + i: byte for i, byte in enumerate(data)}
        elif kind in (2, 4):  # segment, upper half of the address
            base = int.from_bytes(data, "big") << (4 if kind == 2 else 16)
    assert lines[-1] == END_OF_HEX
    return found


@pytest.mark.parametrize("name", some(FLASHED))
def test_images_have_the_bytes_of_the_program(built, name: str) -> None:
    images, machine = built(name).images, built(name).firmware.target
    elf = images[".elf"].read_bytes()
    assert elf == built(name).firmware.image.read_bytes() and set(images) == {*machine.rom, ".elf"}
    start, memory = memory_of(elf)
    assert machine.memory is not None and start == machine.memory.rom_origin
    assert len(memory) > 4000
    for suffix in PLAIN & set(images):
        assert images[suffix].read_bytes() == memory
    if ".hex" in images:
        assert bytes_of_hex(images[".hex"].read_text(encoding="ascii")) == {
            address + i: byte for address, data in segments_of(elf).items() for i, byte in enumerate(data)}


@pytest.mark.parametrize("name", some(BOARDS))
def test_a_board_starts_from_its_hex(built, name: str) -> None:
    """QEMU has only the image in its flash, and plays the same poses as from the ELF file."""
    firmware, images = built(name).firmware, built(name).images
    command = command_for(firmware.target, firmware.image)
    at = command.index("-kernel")
    loaded = run_tool([*command[:at], "-device", f"loader,file={images['.hex']}"])
    assert loaded.returncode == 0 and loaded.stdout == machines.run(firmware).output


@needs("gdb-multiarch", "gdb-multiarch")
@pytest.mark.parametrize("name", some([name for name in BOARDS if name != "microbit"]))
def test_a_debugger_loads_the_board(built, name: str) -> None:
    """It writes the flash of a board that is emulated, compares it, and the program reaches main."""
    firmware, elf = built(name).firmware, built(name).images[".elf"]
    board = ["qemu-system-arm", "-M", str(firmware.target.emulator.machine), "-S", "-nographic", "-monitor", "none",
             "-serial", "none", "-gdb", "stdio"]
    steps = [f"target remote | {' '.join(board)}", "load", "compare-sections", "monitor system_reset", "tbreak main",
             "continue", "info symbol $pc", "kill"]
    ran = run_tool(["gdb-multiarch", "-nx", "-batch", *(word for step in steps for word in ("-ex", step)), str(elf)])
    lines = ran.stdout.splitlines()
    compared = [line for line in lines if line.startswith("Section .")]
    assert any(line.startswith("Section .text, ") for line in compared)
    assert all(line.endswith(": matched.") for line in compared), compared
    assert any(line.startswith("main") and line.endswith("in section .text") for line in lines), lines


@needs("openocd", "openocd")
@pytest.mark.parametrize(("name", "method"), METHODS)
def test_openocd_reads_the_configuration(name: str, method) -> None:
    """The files of the command exist and name one processor, and the commands are known but `reset`,
    which openocd knows once it is connected."""
    end = method.command.index("-c", method.command.index("-f"))
    *commands, last = (word.split()[0] for word in method.command[end:] if word != "-c")
    assert commands[0] == "program" and last == "reset"
    asked = " ".join(f"[llength [info commands {command}]]" for command in commands)
    ran = run_tool([*method.command[:end], "-c", f"echo [target names]; echo [list {asked}]; shutdown"])
    lines = ran.stdout.splitlines()
    assert ran.returncode == 0, ran.stdout
    at = next(i for i, line in enumerate(lines) if line.endswith(".cpu"))
    assert lines[at + 1] == " ".join("1" for _ in commands), lines


@needs("openocd", "openocd")
@pytest.mark.parametrize(("name", "method"), METHODS)
def test_openocd_opens_no_port(name: str, method) -> None:
    """Open ports would let other local users run programs. Here the adapter is a dummy."""
    served = ["-c", "adapter driver dummy; adapter speed 100; transport select jtag; after 200 shutdown"]
    assert "Listening on port" in run_tool(["openocd", *served]).stdout
    assert "Listening on port" not in run_tool([*method.command[:method.command.index("-f")], *served]).stdout


def test_openocd_is_rehearsed() -> None:
    assert {parameter.values[0] for parameter in METHODS} >= {"microbit", "stm32f4"}
