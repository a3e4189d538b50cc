"""The library of mocks in each build system: a program that uses all of them, without a character on the screen."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest
from pages import ROOT

sys.path.insert(0, str(ROOT / "tests/rules"))
from test_build_rules import HERE, MESON_LINK, RULES, run, small_character  # noqa: E402

PROGRAM = """
#include "faulty_medium.h"
#include "mock_card.h"
#include "mock_display.h"
#include "mock_spi_nor.h"

int main(void)
{
    static uint32_t words[256];
    static uint16_t pixels[2 * 8 * 8];
    static mock_clock timer;
    static mock_spi_nor chip;
    static mock_card card;
    static mock_display display;
    static osc_spi_nor flash;
    static osc_block_medium block;
    static faulty_medium medium;
    mock_clock_start(&timer, &(mock_clock_setup){.seed = 1});
    mock_spi_nor_insert(&chip, &(mock_spi_nor_part){.clock = &timer, .words = words, .size_bytes = sizeof words});
    mock_card_insert(&card, &(mock_card_part){.clock = &timer, .words = words, .sector_count = 2});
    mock_display_connect(&display, &(mock_display_part){.clock = &timer, .pixels = pixels, .width = 8, .height = 8});
    faulty_medium_init(&medium, &(faulty_medium_setup){.image = words, .image_bytes = sizeof words});
    osc_spi_nor_init(&flash, &(osc_spi_nor_setup){.bus = &chip.bus, .size_bytes = sizeof words});
    osc_block_medium_init(&block, &(osc_block_setup){.device = card.device, .sector_count = 2});
    screen_open(pixels, 0);
    screen_show();
    uint32_t violations = chip.violations + card.violations + display.violations;
    return timer.now_us == 16667 && display.shown == 1 && violations == 0 ? 0 : 1;
}
"""
MAKE = """
OSSICLE_CHARACTERS = hero.glb
include $(shell ossicle paths rules)/make/ossicle.mk
game: CPPFLAGS += $(OSSICLE_TESTING_CPPFLAGS)
game: game.o $(OSSICLE_TESTING)
\t$(CC) $^ -o $@
"""
CMAKE = """
cmake_minimum_required(VERSION 3.20)
project(game C)
find_package(Ossicle REQUIRED)
add_executable(game game.c)
target_link_libraries(game PRIVATE Ossicle::testing)
"""
SCONS = """
import os
rules = os.popen("ossicle paths rules").read().strip()
env = Environment(ENV=os.environ, tools=["default", "ossicle"], toolpath=[f"{rules}/scons"])
env.Program("game", ["game.c", env.OssicleTesting()])
"""
MESON = """
project('game', 'c')
hero = 'characters=' + meson.current_source_dir() / 'hero.glb'
ossicle = subproject('ossicle', default_options: [hero])
executable('game', 'game.c', dependencies: ossicle.get_variable('testing'))
"""
PLATFORMIO = """
[env:game]
platform = native
extra_scripts = pre:ossicle.py
custom_ossicle_characters = src/hero.glb
custom_ossicle_testing = yes
"""
# The name of the project's file, its text, the commands that build it, and the program.
TOOLS = {
    "make": ("Makefile", MAKE, [["make", "game"]], "game"),
    "cmake": ("CMakeLists.txt", CMAKE, [["cmake", "-B", "build", "-G", "Ninja", f"-DOssicle_DIR={RULES / 'cmake'}"],
                                        ["cmake", "--build", "build"]], "build/game"),
    "scons": ("SConstruct", SCONS, [["scons", "-Q"]], "game"),
    "meson": ("meson.build", MESON, [["mkdir", "subprojects"], MESON_LINK, ["meson", "setup", "build"],
                                     ["ninja", "-C", "build", "game"]], "build/game"),
    "platformio": ("platformio.ini", PLATFORMIO, [
        ["ln", "-s", str(RULES / "platformio/ossicle.py"), "."],
        ["scons", "-Q", "-f", str(HERE / "platformio/SConstruct")]], ".pio/build/game/program"),
}


@pytest.mark.parametrize("tool", [
    pytest.param(tool, marks=[] if tool in ("make", "cmake") else pytest.mark.exhaustive) for tool in TOOLS])
def test_a_program_with_all_mocks(tool: str, tmp_path: Path, built_encoder: None) -> None:
    file, text, commands, program = TOOLS[tool]
    sources = tmp_path / ("src" if tool == "platformio" else ".")
    sources.mkdir(exist_ok=True)
    (tmp_path / file).write_text(text.lstrip(), encoding="utf-8")
    (sources / "game.c").write_text(PROGRAM, encoding="utf-8")
    small_character(sources / "hero.glb")
    for command in commands:
        run(command, tmp_path)
    run([f"./{program}"], tmp_path)
