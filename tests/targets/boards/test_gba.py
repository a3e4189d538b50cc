"""The Game Boy Advance: code in fast memory, the cost of a frame, the cartridge, pictures."""
from __future__ import annotations

import dataclasses
import re
import subprocess
from pathlib import Path

import pytest
from figures import figure
from ossicle import machines
from ossicle.encoding.encoder import encode
from tools.demo import HERO, HERO_PROJECT
from ossicle.config.project import read_project
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.machines.images import read_logo, write_images
from ossicle.machines.tools import BUILT, checked_tool
from target_support import run_program
from mentions import mentions

FAST_CODE_BYTES = 16 * 1024
FAST_BYTES = 24 * 1024  # with stack, player, pose and matrices of a character
FAST_MEMORY = range(0x03000000, 0x03008000)
SKINNING_BYTES = 32  # a joint
# What a frame of play may call in the cartridge: a player that was copied finds its memory again, and
# the remainder of a position behind the end of a loop.
CALLED_SELDOM = {"settle_copy", "begin_version", "__aeabi_idivmod"}
# The player program compares with these; a game does not need them.
GENERIC = {"osc_compose", "osc_player_evaluate", "osc_skin", "osc_skin_pose_q14"}


@pytest.fixture(scope="module")
def hero(tmp_path_factory: pytest.TempPathFactory) -> machines.Firmware:
    """The demo character with skinning matrices."""
    folder = tmp_path_factory.mktemp("hero")
    settings = dataclasses.replace(read_project(HERO_PROJECT).settings, codec="delta", skinning=True)
    bank = folder / "hero.ossb"
    bank.write_bytes(encode([HERO], settings).bank)
    generate(bank, folder, Code("character", embed=True, unroll=["loop"], matrices="q14"))
    return machines.build("gba", folder, folder / "built")


@pytest.fixture(scope="module")
def played(hero: machines.Firmware) -> machines.RunResult:
    return machines.run(hero)


def test_play_has_the_stated_cost(played: machines.RunResult) -> None:
    for name in ("average", "worst"):
        assert played.cycles[f"play_{name}"] == pytest.approx(figure(f"gba.hero_{name}_cycles"), rel=0.01)


def test_the_hot_set_fits_the_fast_memory(hero: machines.Firmware, played: machines.RunResult) -> None:
    sizes = machines.footprint(hero)
    assert 4096 < sizes.fast_bytes <= FAST_CODE_BYTES
    assert played.stack_bytes is not None
    joints = sizes.model_bytes // 48
    assert sizes.fast_bytes + sizes.ram_bytes + joints * SKINNING_BYTES + played.stack_bytes <= FAST_BYTES


def test_hot_code_stays_in_the_fast_memory(hero: machines.Firmware) -> None:
    """Veneers lead from fast memory to the cartridge and are named after the called function."""
    listing = checked_tool(["arm-none-eabi-objdump", "-d", str(hero.image)], "objdump")
    caller, hot, calls = "", set(), set()
    for line in listing.splitlines():
        if match := re.fullmatch(r"([0-9a-f]+) <(.+)>:", line):
            caller = match.group(2) if int(match.group(1), 16) in FAST_MEMORY else ""
            hot.add(caller)
        elif caller and caller not in GENERIC and (match := re.search(r"<__(\w+)_veneer>", line)):
            calls.add(match.group(1))
    assert {"character_evaluate", "character_skin_pose", "delta_unpack", "osc_player_seek_q11"} <= hot
    assert calls <= CALLED_SELDOM


def header_of(image: Path, stem: Path) -> bytes:
    rom, _ = write_images("arm-none-eabi-", [".gba"], image, stem)
    return rom.read_bytes()[:0xC0]


def test_the_header_passes_the_checks_of_the_console(hero: machines.Firmware, tmp_path: Path) -> None:
    header = header_of(hero.image, tmp_path / "hero")
    assert header[3] == 0xEA and header[0xB2] == 0x96
    branch_words = int.from_bytes(header[:3], "little")  # from the instruction after the next
    assert 8 + 4 * branch_words == len(header), "the code begins behind the header"
    assert (0x19 + sum(header[0xA0:0xBE])) & 0xFF == 0
    assert subprocess.run([BUILT / "gba_run", tmp_path / "hero.gba"], check=False,
                          stdout=subprocess.PIPE).stdout.endswith(b"done\n")


def test_the_logo_comes_from_a_file(hero: machines.Firmware, tmp_path: Path) -> None:
    logo = bytes(range(1, 157))
    (tmp_path / "logo.bin").write_bytes(logo + b"more")
    without = header_of(hero.image, tmp_path / "hero")
    rom, _ = write_images("arm-none-eabi-", [".gba"], hero.image, tmp_path / "hero",
                          read_logo([".gba"], tmp_path / "logo.bin"))
    assert rom.read_bytes()[:0xC0] == without[:4] + logo + without[0xA0:] != without
    assert len(rom.read_bytes()) > 0xC0


@pytest.mark.parametrize(("suffix", "content", "facts"), [
    (".hex", bytes(156), ".gba .nds"), (".gba", bytes(155), "155 156"),
    (".gba", None, "No such file or directory")])
def test_a_logo_that_cannot_be_used(suffix: str, content: bytes | None, facts: str, tmp_path: Path) -> None:
    path = tmp_path / "logo.bin"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(machines.TargetError) as caught:
        read_logo([suffix], path)
    assert mentions(str(caught.value), f"LOGO={path} {facts}")


def test_pictures_are_taken(tmp_path: Path) -> None:
    run_program("gba", "returns_three", tmp_path)
    command = [BUILT / "gba_run", tmp_path / "program.elf", tmp_path]
    assert subprocess.run(command, check=False).returncode == 3
    picture = (tmp_path / "last.png").read_bytes()
    width, height = (int.from_bytes(picture[at:at + 4], "big") for at in (16, 20))
    assert picture.startswith(b"\x89PNG") and (width, height) == (240, 160)


@pytest.mark.parametrize(("arguments", "facts"), [([], "usage: gba_run ROM"), (["missing.gba"], "missing.gba")])
def test_mistakes_of_the_command_line(arguments: list[str], facts: str) -> None:
    ran = subprocess.run([BUILT / "gba_run", *arguments], check=False, text=True, stderr=subprocess.PIPE)
    assert ran.returncode == 2 and mentions(ran.stderr, facts)
