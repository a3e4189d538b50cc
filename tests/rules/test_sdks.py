"""Games of consoles and boards, built with substitutes for the SDKs, which are written from descriptions. With
PICO_SDK_PATH, the Pico's game is built with the real SDK."""
from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from test_build_rules import HELLO, HERE, PROJECTS, RULES, Character, run, small_character
from test_build_rules import expected  # noqa: F401  (a fixture)

pytestmark = [pytest.mark.integration, pytest.mark.exhaustive]  # each compiles the whole runtime

PICO_SDK = os.environ.get("PICO_SDK_PATH", str(HERE / "pico-sdk"))
PLAYDATE = {"PLAYDATE_SDK_PATH": str(HERE / "playdate")}
TOOLCHAIN = HERE / "playdate/C_API/buildsupport/arm.cmake"
CONFIGURE = ["cmake", "-G", "Ninja", f"-DOssicle_DIR={RULES / 'cmake'}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
PLAYDATE_GAME = """#include "hero.h"
#include "pd_api.h"

int eventHandler(PlaydateAPI *playdate, PDSystemEvent event, uint32_t argument);
int eventHandler(PlaydateAPI *playdate, PDSystemEvent event, uint32_t argument)
{
    static hero_player player;
    (void)playdate;
    (void)argument;
    return event == kEventInit ? (int)hero_player_init(&player, &hero_embedded) : 0;
}
"""


def project(name: str, folder: Path, target: str | None) -> Path:
    shutil.copytree(PROJECTS / name, folder)
    small_character(folder / "hero.glb")
    if target is not None:
        (folder / "hero.toml").write_text(f'inputs = ["hero.glb"]\ngenerate = "."\nembed = true\ntarget = "{target}"\n',
                                          encoding="utf-8")
    return folder


def flags_of(folder: Path, source: str) -> list[str]:
    """The flags of the processor and the level with which a file is compiled, in their order."""
    text = (folder / "compile_commands.json").read_text(encoding="utf-8")
    [command] = re.findall(rf'"command": "([^"]* -c [^"]*/{source})"', text)
    return [word for word in command.split() if word.startswith(("-m", "-O"))]


def test_a_game_of_the_pico_sdk(tmp_path: Path) -> None:
    """Hot code is in the section that the SDK copies to RAM; the game keeps its own flags."""
    folder = project("pico-sdk", tmp_path / "game", "pico")
    run([*CONFIGURE, "-B", "build", "-DPICO_NO_PICOTOOL=1"], folder, PICO_SDK_PATH=PICO_SDK)
    run(["cmake", "--build", "build"], folder)
    assert flags_of(folder / "build", "hero_pose.c")[-3:] == ["-mcpu=cortex-m0plus", "-mthumb", "-O3"]
    assert "-O3" not in flags_of(folder / "build", "main.c")
    [pose] = (folder / "build").rglob("hero_pose.c.o*")
    sections = run(["arm-none-eabi-objdump", "-h", str(pose)], folder)
    assert ".time_critical." in sections
    symbols = run(["arm-none-eabi-nm", "build/game.elf"], folder)
    assert "hero_evaluate" in symbols and "osc_bank_attach_tier" not in symbols


def test_a_game_of_the_playdate_on_the_device(tmp_path: Path) -> None:
    """The flags of the SDK stay, those of the target come last."""
    folder = project("playdate", tmp_path / "game", "playdate")
    (folder / "main.c").write_text(PLAYDATE_GAME, encoding="utf-8")
    run([*CONFIGURE, "-B", "build", f"-DCMAKE_TOOLCHAIN_FILE={TOOLCHAIN}"], folder, **PLAYDATE)
    run(["cmake", "--build", "build"], folder)
    flags = flags_of(folder / "build", "hero_pose.c")
    assert "-mword-relocations" in flags and flags[-1].startswith("-O") and "-mcpu=cortex-m7" in flags[-5:]
    assert " T eventHandler" in run(["arm-none-eabi-nm", "build/pdex.elf"], folder)


def test_a_game_of_the_playdate_in_the_simulator(tmp_path: Path) -> None:
    folder = project("playdate", tmp_path / "game", "playdate")
    (folder / "main.c").write_text(PLAYDATE_GAME, encoding="utf-8")
    assert "mps2_an500" in run([*CONFIGURE, "-B", "build"], folder, **PLAYDATE)  # the note on plain C
    run(["cmake", "--build", "build"], folder)
    assert flags_of(folder / "build", "hero_pose.c") == []
    assert " T eventHandler" in run(["nm", "build/pdex.so"], folder)


def test_a_game_of_libdragon(tmp_path: Path, expected: Character) -> None:  # noqa: F811
    """It runs on a PC that emulates a processor with the same order of bytes, and a second build does nothing."""
    folder = project("libdragon", tmp_path / "game", None)
    (folder / "hello.c").write_text(HELLO, encoding="utf-8")
    sdk = {"N64_INST": str(HERE / "libdragon")}
    run(["make"], folder, **sdk)
    assert run(["qemu-mips", "game.z64"], folder) == expected(small_character)
    symbols = run(["mips-linux-gnu-nm", "game.z64"], folder)
    assert "osc_player_start" in symbols and "osc_bank_attach_tier" not in symbols
    assert "Nothing to be done" in run(["make"], folder, **sdk)


def test_a_game_of_butano(tmp_path: Path, expected: Character) -> None:  # noqa: F811
    """The runtime is in ARM state, the game in Thumb state. Warnings are errors, except for null pointers, which gcc
    reports without cause."""
    folder = project("butano", tmp_path / "game", "gba")
    (folder / "src").mkdir()
    (folder / "src/hello.c").write_text(HELLO, encoding="utf-8")
    sdk = {"DEVKITARM": str(HERE / "devkitarm"), "LIBBUTANO": str(HERE / "butano")}
    run(["make"], folder, **sdk)
    assert run(["qemu-arm", "game.gba"], folder) == expected(small_character)
    symbols = run(["arm-none-eabi-nm", "game.elf"], folder)
    assert "osc_player_start" in symbols and "osc_bank_attach_tier" not in symbols
    code = run(["arm-none-eabi-readelf", "-s", "build/build/ossicle/osc_player.o"], folder)
    assert " $a" in code and " $t" not in code
    assert "arm-none-eabi" not in run(["make"], folder, **sdk)
