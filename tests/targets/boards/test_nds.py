"""The Nintendo DS: the file that goes to it, what lies in its fast memories, what a frame costs, pictures of its
3D hardware and of the stage."""
from __future__ import annotations

import dataclasses
import hashlib
import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from figures import figure
from ossicle import machines
from ossicle.bank.file import read_bank
from tools.demo import HERO, HERO_PROJECT
from ossicle.config.project import read_project
from tools.rom import Rom, with_crowd
from ossicle.encoding.encoder import encode
from ossicle.export.played import skeleton_of
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.generate.mesh_code import mesh_files
from ossicle.importers.importer import read_mesh
from ossicle.machines.firmware import compile_object, link
from ossicle.machines.images import read_logo, write_images
from ossicle.machines.nds_file import crc16
from ossicle.machines.runner import command_for
from tools.show import Tour, build_crowd, build_show, measure_crowd, take_tour
from ossicle.machines.tools import checked_tool, which
from PIL import Image
from mentions import mentions

NDS = machines.load_target("nds")

ITCM, DTCM = range(0x01FF8000, 0x02000000), range(0x0B000000, 0x0B004000)
MOST_CYCLES = 1_100_000  # of a frame of 20 characters
FRAME_CYCLES = 263 * 355 * 12  # lines of dots
CROWD = figure("nds.crowd_heroes")
CROWD_PICTURE = "b26ed8706570a44e"
TOUR_PICTURE = "445773b5e1a595e9"
HEADER = 0x200


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory, built_encoder: None) -> Path:
    """The code and the mesh of the demo character."""
    folder = tmp_path_factory.mktemp("hero")
    settings = dataclasses.replace(read_project(HERO_PROJECT).settings, codec="delta", skinning=True)
    bank = folder / "hero.ossb"
    bank.write_bytes(encode([HERO], settings).bank)
    generate(bank, folder, Code("character", embed=True, unroll=["loop"], matrices="q14"))
    opened = read_bank(bank)
    mesh, _ = read_mesh(HERO, skeleton_of(opened))
    for name, content in mesh_files(mesh, "character", HERO.name).items():
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture(scope="module")
def hero(generated: Path, tmp_path_factory: pytest.TempPathFactory) -> machines.Firmware:
    """The player program. The mesh is not a part of it."""
    folder = tmp_path_factory.mktemp("player")
    for path in generated.iterdir():
        if "_mesh" not in path.name:
            (folder / path.name).write_bytes(path.read_bytes())
    return machines.build("nds", folder, folder / "built")


@pytest.fixture
def emulator() -> None:
    if which("desmume-cli") is None:
        pytest.skip("needs desmume")


def until(holds: Callable[[], object]) -> object:
    """The result of a function as soon as it is true, or after two seconds."""
    end = time.monotonic() + 2.0
    while not (found := holds()) and time.monotonic() < end:
        time.sleep(0.01)
    return found


def name_of(process: str) -> str:
    """The beginning of the name of the program that a process runs; nothing if it has ended."""
    exe = Path("/proc", process, "exe")
    return exe.resolve().name.partition("-")[0] if exe.exists() else ""


def pixels(path: Path) -> str:
    """A digest of a picture's pixels."""
    with Image.open(path) as picture:
        assert picture.size == (256, 192)
        return hashlib.sha256(picture.convert("RGB").tobytes()).hexdigest()[:16]


def test_play_has_the_stated_cost(hero: machines.Firmware, emulator: None) -> None:
    played = machines.run(hero)
    for name in ("average", "worst"):
        assert played.cycles[f"play_{name}"] == pytest.approx(figure(f"nds.hero_{name}_cycles"), rel=0.01)


def test_hot_code_is_in_the_fast_memories(hero: machines.Firmware) -> None:
    listed = checked_tool(["arm-none-eabi-nm", str(hero.image)], "nm")
    place = {name: int(address, 16) for address, _, name in map(str.split, listed.splitlines())}
    assert all(place[name] in ITCM for name in ("character_evaluate", "character_skin_pose", "osc_player_seek_q11"))
    assert all(place[name] in DTCM for name in ("player", "pose", "model", "skinning", "link_stack_limit"))
    assert place["character_bank"] in range(0x02000000, 0x02280000)


def test_the_header_passes_the_checks_of_loaders(hero: machines.Firmware, tmp_path: Path) -> None:
    assert crc16(b"123456789") == 0x4B37  # the check value of this CRC
    [rom, _] = write_images(NDS.tools, NDS.rom, hero.image, tmp_path / "hero")
    content = rom.read_bytes()
    main = struct.unpack_from("<4I", content, 0x20)
    second = struct.unpack_from("<4I", content, 0x30)
    assert main[:3] == (HEADER, 0x02000000, 0x02000000)
    assert second[:3] == (HEADER + main[3], 0x02380000, 0x02380000)
    assert struct.unpack_from("<2I", content, 0x80) == (len(content), HEADER) == (second[0] + second[3], HEADER)
    assert 128 << 10 << content[0x14] >= len(content)
    logo_crc, crc = struct.unpack_from("<2H", content, 0x15C)
    assert logo_crc == crc16(bytes(156)) and crc == crc16(content[:0x15E])
    for section, part in (("-R", main), ("-j", second)):
        memory = tmp_path / "memory"
        checked_tool(["arm-none-eabi-objcopy", "-O", "binary", section, ".arm7", str(hero.image), str(memory)],
                     "objcopy")
        written = content[part[0]:part[0] + part[3]]
        assert written.rstrip(b"\0") == memory.read_bytes().rstrip(b"\0") and len(written) % HEADER == 0


def test_the_logo_comes_from_a_file(hero: machines.Firmware, tmp_path: Path) -> None:
    logo = bytes(range(1, 157))
    (tmp_path / "logo.bin").write_bytes(logo + b"more")
    [rom, _] = write_images(NDS.tools, NDS.rom, hero.image, tmp_path / "a", read_logo(NDS.rom, tmp_path / "logo.bin"))
    content = rom.read_bytes()
    assert content[0xC0:0x15C] == logo
    assert struct.unpack_from("<2H", content, 0x15C) == (crc16(logo), crc16(content[:0x15E]))


def test_mistakes_of_the_command_line() -> None:
    script = NDS.emulator.script
    ran = subprocess.run([sys.executable, "-B", script], check=False, text=True, stderr=subprocess.PIPE)
    assert ran.returncode == 2 and ran.stderr.startswith(f"usage: {script.name}")


def test_an_emulator_that_ends_early_is_a_failure(hero: machines.Firmware) -> None:
    ran = subprocess.run([sys.executable, "-B", NDS.emulator.script, "/bin/true", hero.image], check=False, text=True,
                         stderr=subprocess.PIPE)
    assert ran.returncode == 1 and mentions(ran.stderr, "the emulator ended before the program")


def test_the_emulator_ends_with_the_program_that_runs_it(tmp_path: Path, emulator: None) -> None:
    """run_tool kills programs that take too long."""
    image = tmp_path / "program.elf"
    source = tmp_path / "endless.c"
    source.write_text("int main(void)\n{\n    for (;;)\n        continue;\n}\n", encoding="utf-8")
    link(NDS, [compile_object(NDS, path, tmp_path) for path in (source, *NDS.sources)], image)
    with subprocess.Popen(command_for(NDS, image)) as running:
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
        assert until(lambda: "desmume" in [name_of(child) for child in children.read_text(encoding="ascii").split()])
        [child] = children.read_text(encoding="ascii").split()
        running.kill()
    ended = until(lambda: name_of(child) != "desmume")
    if not ended:
        os.kill(int(child), signal.SIGKILL)
    assert ended


def test_the_3d_hardware_draws_a_crowd_in_a_frame(generated: Path, tmp_path: Path, emulator: None) -> None:
    """Cycles with those in which the DMA holds the processor; each instruction takes at least one."""
    cost = measure_crowd(NDS, build_crowd(NDS, generated, tmp_path, CROWD), tmp_path)
    assert cost["worst"] <= MOST_CYCLES
    for name, key in (("whole", "crowd"), ("worst", "crowd_worst"), ("poses", "crowd_poses")):
        assert cost[name] == pytest.approx(figure(f"nds.{key}_cycles"), rel=0.01)
    assert pixels(tmp_path / "heroes.png") == CROWD_PICTURE


def test_a_crowd_needs_a_place_for_every_joint(generated: Path, tmp_path: Path) -> None:
    folder = tmp_path / "generated"
    folder.mkdir()
    for path in generated.glob("character*"):
        (folder / path.name).write_bytes(path.read_bytes())
    header = folder / "character.h"
    text = header.read_text(encoding="utf-8")
    header.write_text(text.replace("    CHARACTER_JOINT_COUNT\n", "    CHARACTER_JOINT_COUNT = 30\n"), encoding="utf-8")
    rom = Rom([tmp_path / "hero.nds"], tmp_path / "hero.png", tmp_path / "hero.gif", [], Tour("cycles", []))
    refused = with_crowd(rom, NDS, folder, tmp_path / "refused")
    assert refused.crowd is None and mentions(refused.no_crowd, "29")
    written = with_crowd(rom, NDS, generated, tmp_path / "built")
    assert written.crowd == tmp_path / "hero_crowd.nds" and written.no_crowd == ""
    assert written.crowd.read_bytes().startswith(b"OSSICLE\0")


def test_the_stage_draws_on_the_upper_display(generated: Path, tmp_path: Path, emulator: None) -> None:
    tour = take_tour(NDS, build_show(NDS, generated, tmp_path, tour_of=420), tmp_path / "pictures")
    assert tour.unit == "cycles" and len(tour.clips) == 7
    assert max(clip.worst for clip in tour.clips) < FRAME_CYCLES == figure("nds.frame_cycles")
    assert pixels(tmp_path / "pictures/01-003.png") == TOUR_PICTURE
