"""The Raspberry Pi Pico: the second stage of its boot, and the file that is copied to its drive."""
from __future__ import annotations

import dataclasses
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from ossicle import targets
from ossicle.cli.demo import HERO, HERO_PROJECT
from ossicle.cli.project import read_project
from ossicle.encode.encoder import encode
from ossicle.generate.emit import generate
from ossicle.targets.images import write_images
from ossicle.targets.tools import BUILT, TargetError
from ossicle.targets.uf2 import BLOCK_BYTES, FAMILY_RP2040, uf2_of
from stated import stated
from target_support import run_program

FLASH = 0x10000000
MOST_CYCLES_OF_HERO = 20_000


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An .elf file and, beside it, what is flashed."""
    folder = tmp_path_factory.mktemp("pico")
    assert run_program("pico", "returns_three", folder) == (3, "")
    machine = targets.load_target("pico")
    write_images(machine.tools, machine.rom, folder / "program.elf", folder / "flashed")
    return folder / "flashed.elf"


def run_image(image: Path) -> tuple[int, str]:
    ran = subprocess.run([BUILT / "pico_run", image], check=False, text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT)
    return ran.returncode, ran.stdout


def test_the_file_for_the_drive_boots(program: Path) -> None:
    assert run_image(program.with_suffix(".uf2")) == (3, "")


def test_blocks_are_the_flash_in_order(program: Path) -> None:
    blocks = program.with_suffix(".uf2").read_bytes()
    flash = program.with_suffix(".bin").read_bytes()
    count = len(blocks) // BLOCK_BYTES
    assert len(blocks) % BLOCK_BYTES == 0 and count == (len(flash) + 255) // 256
    payload = b""
    for number in range(count):
        block = blocks[number * BLOCK_BYTES:][:BLOCK_BYTES]
        assert struct.unpack("<8I", block[:32]) == (
            0x0A324655, 0x9E5D5157, 0x2000, FLASH + 256 * number, 256, number, count, FAMILY_RP2040)
        assert block[-4:] == struct.pack("<I", 0x0AB16F30)
        payload += block[32:288]
    assert payload == flash.ljust(256 * count, b"\0")


def damage_stage(image: bytes) -> bytes:
    return image[:40] + bytes([image[40] ^ 1]) + image[41:]


def damage_family(image: bytes) -> bytes:
    return image[:28] + bytes(4) + image[32:]


@pytest.mark.parametrize(("damage", "said"), [
    (damage_stage, "the checksum of the second stage is"),
    (damage_family, "block 0 is not a UF2 block for the RP2040"),
    (lambda image: image[BLOCK_BYTES:], "block 0 says that it is 1 of "),
    (lambda _: b"", "not a program for the Raspberry Pi Pico")])
def test_the_rom_refuses_what_is_damaged(program: Path, tmp_path: Path, damage: Callable[[bytes], bytes],
                                         said: str) -> None:
    image = tmp_path / "damaged.uf2"
    image.write_bytes(damage(program.with_suffix(".uf2").read_bytes()))
    code, output = run_image(image)
    assert code == 2 and output.startswith(f"pico_run: {image}: {said}")


def test_what_is_not_a_program_has_no_blocks(tmp_path: Path) -> None:
    (tmp_path / "text.elf").write_bytes(b"text")
    with pytest.raises(TargetError, match=r"text\.elf: not a 32-bit little-endian ELF file$"):
        uf2_of(tmp_path / "text.elf")


@pytest.mark.exhaustive
def test_the_hero_plays_as_on_the_host_at_the_stated_cost(tmp_path: Path) -> None:
    settings = dataclasses.replace(read_project(HERO_PROJECT).settings, codec="delta", skinning=True)
    bank = tmp_path / "hero.ossb"
    bank.write_bytes(encode([HERO], settings).bank)
    generate(bank, tmp_path, "character", embed=True, unroll=["loop"], matrices="q14")
    host, pico = (targets.run(targets.build(name, tmp_path, tmp_path / name), count=False)
                  for name in ("host", "pico"))
    assert pico.hashes == host.hashes
    average, worst = stated(r"demo hero on a Pico, 18 joints \| ([\d,]+) \| ([\d,]+)")
    assert pico.cycles["play_average"] == pytest.approx(average, rel=0.01)
    assert pico.cycles["play_worst"] == pytest.approx(worst, rel=0.01)
    assert average <= MOST_CYCLES_OF_HERO
