"""The Raspberry Pi Pico: the second stage of its boot, the file that is copied to its drive, and its display."""
from __future__ import annotations

import dataclasses
import json
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from figures import figure
from ossicle import machines
from tools.demo import HERO, HERO_PROJECT
from ossicle.config.project import read_project
from tools.rom import Rom, make_rom
from ossicle.encoding.encoder import encode
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from tools import show
from ossicle.machines.images import write_images
from ossicle.machines.tools import BUILT, TargetError
from ossicle.machines.uf2 import BLOCK_BYTES, FAMILY_RP2040
from PIL import Image, ImageChops
from target_support import run_program
from mentions import mentioning, mentions

FLASH = 0x10000000
MOST_CYCLES_OF_HERO = 20_000
LEAST_PICTURES_A_SECOND = 30.0
GREEN_OF_A_BIT_MORE = 4  # of 255: RGB565 has six bits of green
PICTURES_OF_A_TOUR = 28


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An .elf file and, beside it, the image to flash."""
    folder = tmp_path_factory.mktemp("pico")
    assert run_program("pico", "returns_three", folder) == (3, "")
    machine = machines.load_target("pico")
    write_images(machine.tools, machine.rom, folder / "program.elf", folder / "flashed")
    return folder / "flashed.elf"


def run_image(image: Path, *more: str | Path) -> tuple[int, str]:
    ran = subprocess.run([BUILT / "pico_run", image, *more], check=False, text=True, stdout=subprocess.PIPE,
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


@pytest.mark.parametrize(("damage", "facts"), [
    (damage_stage, "checksum"),
    (damage_family, "0 UF2 RP2040"),
    (lambda image: image[BLOCK_BYTES:], "0 1"),
    (lambda _: b"", "Raspberry Pi Pico")])
def test_the_rom_refuses_damaged_banks(program: Path, tmp_path: Path, damage: Callable[[bytes], bytes],
                                       facts: str) -> None:
    image = tmp_path / "damaged.uf2"
    image.write_bytes(damage(program.with_suffix(".uf2").read_bytes()))
    code, output = run_image(image)
    assert code == 2 and mentions(output, f"pico_run {image} {facts}")


def test_lines_that_are_not_programs_have_no_blocks(tmp_path: Path) -> None:
    (tmp_path / "text.elf").write_bytes(b"text")
    with pytest.raises(TargetError, match=mentioning("text.elf 32-bit ELF")):
        write_images("", [".uf2"], tmp_path / "text.elf", tmp_path / "flashed")


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The pictures and output of programs/screen_check.c."""
    folder = tmp_path_factory.mktemp("screen")
    pico = machines.load_target("pico")
    with_screen = dataclasses.replace(pico, sources=(*pico.sources, *pico.screen))
    assert run_program(with_screen, "screen_check", folder)[0] == 0
    return folder, run_image(folder / "program.elf", folder)[1].splitlines()


def test_pixels_arrive_while_the_next_picture_is_drawn(shown: tuple[Path, list[str]]) -> None:
    numbers = np.arange(160 * 240).reshape(160, 240)
    expected = np.stack([numbers >> 11, numbers >> 5 & 63, numbers & 31], axis=-1)
    with Image.open(shown[0] / "pixels.png") as picture:
        assert picture.size == (240, 160)
        assert np.array_equal(np.asarray(picture) >> [3, 2, 3], expected)
    with Image.open(shown[0] / "white.png") as picture:
        assert picture.getcolors() == [(160 * 240, (255, 255, 255))]


def test_the_bus_is_quick_enough_to_look_at(shown: tuple[Path, list[str]]) -> None:
    """As the program sees it, and by the bytes sent."""
    lasts, buttons = shown[1]
    sent = json.loads((shown[0] / "display.json").read_text())
    assert buttons == "buttons 0" and sent["pictures"] == 5
    assert 5 * 240 * 160 * 2 <= sent["bytes"] <= 5 * 240 * 160 * 2 + 100
    a_second = sent["pictures"] / sent["busNs"] * 1e9
    assert int(lasts.removeprefix("microseconds ")) == pytest.approx(1e6 / a_second, rel=0.01)
    assert a_second >= LEAST_PICTURES_A_SECOND
    assert figure("pico.bus_pictures_hz") == int(a_second)


@pytest.mark.exhaustive
def test_the_hero_plays_as_on_the_host_at_the_stated_cost(tmp_path: Path) -> None:
    settings = dataclasses.replace(read_project(HERO_PROJECT).settings, codec="delta", skinning=True)
    bank = tmp_path / "hero.ossb"
    bank.write_bytes(encode([HERO], settings).bank)
    generate(bank, tmp_path, Code("character", embed=True, unroll=["loop"], matrices="q14"))
    host, pico = (machines.run(machines.build(name, tmp_path, tmp_path / name), count=False)
                  for name in ("host", "pico"))
    assert pico.hashes == host.hashes
    for name in ("average", "worst"):
        assert pico.cycles[f"play_{name}"] == pytest.approx(figure(f"pico.hero_{name}_cycles"), rel=0.01)
    assert pico.cycles["play_average"] <= MOST_CYCLES_OF_HERO


@pytest.fixture(scope="module")
def hero(tmp_path_factory: pytest.TempPathFactory, built_encoder: None) -> Rom:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(show, "_PICTURES", PICTURES_OF_A_TOUR)  # a whole tour takes a minute
        return make_rom(HERO, "pico", tmp_path_factory.mktemp("rom"), read_project(HERO_PROJECT).settings,
                        lambda *_: None)


@pytest.mark.exhaustive
def test_the_display_shows_the_pictures_of_the_game_boy_advance(hero: Rom) -> None:
    """The first picture of each clip on the sheet that README shows."""
    assert sum(clip.pictures for clip in hero.tour.clips) == PICTURES_OF_A_TOUR
    with Image.open(hero.sheet) as here, Image.open(HERO.with_suffix(".png")) as there:
        assert here.height == there.height
        seen, expected = here.convert("RGB"), there.convert("RGB")
    width, height = min(seen.width, expected.width) // 8, seen.height // 4

    def first(sheet: Image.Image, clip: int) -> Image.Image:
        whole = sheet.width // 8
        left, top = clip % 2 * 4 * whole + (whole - width) // 2, clip // 2 * height
        return sheet.crop((left, top, left + width, top + height))

    for clip in range(len(hero.clips)):
        difference = ImageChops.difference(first(seen, clip), first(expected, clip))
        assert all(most <= GREEN_OF_A_BIT_MORE for _, most in difference.getextrema()), hero.clips[clip]


@pytest.mark.exhaustive
def test_the_program_for_the_drive_plays_on(hero: Rom, tmp_path: Path) -> None:
    """Without a tour it does not end: it is stopped after three pictures, and has drawn."""
    assert hero.program.suffix == ".uf2" and run_image(hero.program, tmp_path, "3") == (0, "")
    with Image.open(tmp_path / "last.png") as picture:
        colours = picture.convert("RGB").getcolors(256)
    assert colours is not None and len(colours) > 8
