"""`scons flash`: the command of a target.toml, its images and its drive; and the messages when
something is missing. Tools are scripts that record their arguments."""
from __future__ import annotations

import json
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest
from tools import flash as flash_command
from tools import rom as rom_command
from ossicle.machines import TargetError, list_targets, load_target
from pages import parts
from tools import flashing
from tools.flashing import flasher
from test_target_settings import GOOD, write_target
from mentions import mention_each, mentions

BOARD = GOOD["target.toml"] + """rom = [".hex", ".bin"]
linker_script = "x.ld"
[memory]
rom_origin = 0x1000
rom_bytes = 1
ram_origin = 0
ram_bytes = 1
[flash.tool]
command = ["tool", "{$elf}", "$hex", "$rom_origin:x", "$$5"]
[flash.card]
copy = ".bin"
[flash.label]
copy = ".hex"
drive = "BOARD"
"""
BVH = """HIERARCHY
ROOT hips
{
OFFSET 0 0 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 20 0
}
}
MOTION
Frames: 4
Frame Time: 0.033333333
0 90 0 0 0 0
1 90 0 5 0 0
2 90 0 9 0 0
3 90 0 5 0 0
"""


@pytest.fixture
def board(tmp_path: Path):
    return load_target("board", write_target(tmp_path, BOARD))


@pytest.fixture
def images(tmp_path: Path) -> list[Path]:
    images = [tmp_path / f"my hero{suffix}" for suffix in (".hex", ".bin", ".elf")]
    for image in images:
        image.write_bytes(image.suffix.encode())
    return images


@pytest.fixture
def drives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which drives are looked for."""
    monkeypatch.setattr(flashing, "DRIVE_PLACES", (f"{tmp_path}/media/*/{{}}",))
    return tmp_path / "media"


def tool(folder: Path, name: str, code: int = 0) -> Path:
    """A program that writes its arguments beside itself, as JSON."""
    path, log = folder / name, folder / "log"
    path.write_text("#!/usr/bin/python3\nimport json, sys\n"
                    f"open({str(log)!r}, 'w').write(json.dumps(sys.argv[1:]))\nsys.exit({code})\n", encoding="utf-8")
    path.chmod(0o755)
    return log


def message_of(call) -> str:
    with pytest.raises(TargetError) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_first_method_runs_its_command(board, images, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tool(tmp_path, "tool")
    monkeypatch.setenv("PATH", str(tmp_path))
    chosen = flasher(board, "", None, False)
    chosen.run(images)
    hexed, _, elf = map(str, images)
    assert json.loads(log.read_text()) == [f"{{{elf}}}", hexed, "0x00001000:x", "$5"]
    assert chosen.line(images) == f"tool '{{{elf}}}' '{hexed}' 0x00001000:x '$5'"


def test_a_tool_that_fails(board, images, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool(tmp_path, "tool", 3)
    monkeypatch.setenv("PATH", str(tmp_path))
    message = message_of(lambda: flasher(board, "tool", None, False).run(images))
    assert mentions(message, "board tool 3")


def test_a_drive_is_found_by_its_label(board, images, drives: Path) -> None:
    (drives / "me/BOARD").mkdir(parents=True)
    (drives / "me/OTHER").mkdir()
    chosen = flasher(board, "label", None, False)
    chosen.run(images)
    assert [path.name for path in drives.rglob("*.*")] == ["my hero.hex"]
    assert (drives / "me/BOARD/my hero.hex").read_bytes() == b".hex"
    assert chosen.line(images) == f"cp '{images[0]}' {drives}/me/BOARD/"


def test_a_named_folder_takes_the_place_of_the_label(board, images, drives: Path, tmp_path: Path) -> None:
    (drives / "me/BOARD").mkdir(parents=True)
    for method, suffix in (("label", ".hex"), ("card", ".bin")):
        flasher(board, method, tmp_path / "media", False).run(images)
        assert (tmp_path / f"media/my hero{suffix}").read_bytes() == suffix.encode()
    assert list(drives.glob("me/BOARD/*")) == []


def test_a_drive_that_is_full(board, images) -> None:
    chosen = flashing.Flasher(board, board.flash[1], Path("/dev/null"))
    assert mentions(message_of(lambda: chosen.run(images)), "/dev/null Not a directory")


def test_missing_programs_are_reported_before_the_build(
    board, drives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    stm32f4, host = load_target("stm32f4"), load_target("host")
    for target, method, drive, dry, facts in (
            (board, "", None, False, "tool"), (stm32f4, "", None, False, "openocd"),
            (board, "label", None, False, "board BOARD DRIVE=/media/me/BOARD"),
            (board, "card", None, False, "board DRIVE=/media/me/CARD"),
            (board, "card", tmp_path / "no", False, f"DRIVE={tmp_path}/no"),
            (board, "tool", tmp_path, True, f"DRIVE={tmp_path} board tool FLASH_WITH"),
            (board, "lable", None, True, "board FLASH_WITH=lable label"),
            (host, "", None, True, "host target.toml [flash]")):
        assert mentions(message_of(lambda: flasher(target, method, drive, dry)), facts)
    for user in ("me", "you"):
        (drives / user / "BOARD").mkdir(parents=True)
    assert mentions(message_of(lambda: flasher(board, "label", None, False)),
                    f"2 DRIVE={drives}/me/BOARD DRIVE={drives}/you/BOARD")


def test_nothing_is_needed_to_see_the_command(board, images, drives: Path) -> None:
    assert flasher(board, "", None, True).line(images).startswith("tool ")
    assert flasher(board, "label", None, True).line(images) == f"cp '{images[0]}' BOARD/"
    assert flasher(board, "card", None, True).line(images) == f"cp '{images[1]}' DRIVE/"


@pytest.mark.parametrize("name", [name for name in list_targets() if load_target(name).flash])
def test_every_flashing_method_has_its_images(name: str) -> None:
    target = load_target(name)
    images = [Path(f"hero{suffix}") for suffix in (*target.rom, ".elf")]
    for method in target.flash:
        line = flasher(target, method.name, None, True).line(images)
        assert "hero." in line and "$" not in line


@pytest.mark.parametrize("name", [name for name in list_targets() if load_target(name).rom])
def test_the_page_lists_files_and_flashing_methods_of_every_target(name: str) -> None:
    target = load_target(name)
    rows = [line.split("|")[1:-1] for line in parts("targets/README.md")["files"].splitlines() if line.startswith("|")]
    [(_, files, methods)] = [row for row in rows
                             if any(fnmatch(name, pattern) for pattern in re.findall("`(.*?)`", row[0]))]
    assert re.findall("`(.*?)`", files) == list(target.rom)
    assert {method.name for method in target.flash} <= set(re.findall("`(.*?)`", methods))
    assert bool(target.flash) == bool(methods.strip())


@pytest.mark.parametrize(("change", "message"), [
    (('".hex", ".bin"', '".hex", ".bni"'), ".bni .bin"),
    (('"$hex"', '"$hxe"'), " [flash.tool] $hxe hxe hex"),
    (('"$hex"', '"$gba"'), " [flash.tool] $gba gba hex bin elf rom_origin"),
    (('"$$5"', '"$5"'), " [flash.tool] $5 $ $$"),
    (('copy = ".bin"', 'copy = ".gba"'), " [flash.card] .gba"),
    (('copy = ".bin"', 'copy = ".bin"\ncommand = ["x"]'), " [flash.card]"),
    (('copy = ".bin"', ""), " [flash.card]"),
    (('copy = ".bin"', "command = []"), " [flash.card]"),
    (('copy = ".bin"', 'copie = ".bin"'), " [flash.card] copie copy"),
    (('command = ["tool"', 'drive = "X"\ncommand = ["tool"'), " [flash.tool]"),
    (("[flash.card]", "[flash]\ncard = 3\n[flash.more]"), " [flash] 3"),
    (('sources = ["*.c"]', ""), "[emulator] [flash] linker_script"),
])
def test_wrong_settings(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    folder = write_target(tmp_path, BOARD.replace(*change))
    assert mentions(message_of(lambda: load_target("board", folder)), "targets/board/target.toml " + message)


def test_a_program_is_made_and_its_command_printed(
    built_encoder: None, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "nod.bvh").write_text(BVH, encoding="utf-8")
    out = tmp_path / "rom"
    assert flash_command.main([str(tmp_path / "nod.bvh"), "--target", "stm32f405", "--with", "st-flash", "--dry",
                               "--output", str(out)]) == 0
    printed, problems = capfd.readouterr()
    output = out / "stm32f4/nod"
    *_, played, bin_line, hex_line, elf_line, command = printed.splitlines()
    assert problems == "" and "total hash" in played
    assert mention_each([bin_line, hex_line, elf_line], [f"{output}{suffix}" for suffix in (".bin", ".hex", ".elf")])
    assert command == f"st-flash --reset write {output}.bin 0x08000000"


@pytest.mark.parametrize(("arguments", "facts"), [
    (["--target", "virt_armv7"],
     "virt_armv7"),
    (["--target", "microbit", "--logo", "x.bin"], "LOGO=x.bin .gba .nds"),
    (["--logo", "x.bin"], "LOGO=x.bin No such file or directory")])
def test_what_cannot_be_made(
        arguments: list[str], facts: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert rom_command.main([str(tmp_path / "nod.bvh"), *arguments]) == 1
    assert mentions(capfd.readouterr().err, facts)
