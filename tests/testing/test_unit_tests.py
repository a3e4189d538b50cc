"""The unit test of the page on mocks: short, passes, and finds errors. tests/wheel runs it with a wheel."""
from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from c_programs import INCLUDES, SANITIZERS, SANITIZING, STRICT, build_program
from ossicle.cli.main import main
from ossicle.machines.object_store import compile_file
from pages import ROOT
from unit_test_of_game import MOST_LINES, write_game

TARGETS = ROOT / "targets"
SOURCES = [*sorted((TARGETS / "testing").glob("*.c")), *sorted((TARGETS / "media").glob("*.c"))]
FLAGS = [*STRICT, *SANITIZERS, *INCLUDES, *(f"-I{TARGETS / name}" for name in (".", "media", "testing"))]

SEEDS = """
#include <stdint.h>
#include <stdio.h>

int play_with_faults(const void *image, uint32_t image_bytes, uint64_t seed);

int main(int count, char **words)
{
    static uint32_t image[4096];
    FILE *file = fopen(words[count - 1], "rb");
    uint32_t size_bytes = file != NULL ? (uint32_t)fread(image, 1, sizeof image, file) : 0;
    int failed = size_bytes == 0;
    for (uint64_t seed = 0; seed < 100; seed++)
        failed |= play_with_faults(image, size_bytes, seed);
    return failed;
}
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory, built_encoder: None) -> Path:
    """A folder with the page's files, their character with one of its clips, and its image."""
    folder = tmp_path_factory.mktemp("game")
    write_game(folder)
    settings = folder / "hero.toml"
    settings.write_text(f'clips = ["Walk"]\n{settings.read_text(encoding="utf-8")}', encoding="utf-8")
    assert main(["build", str(settings), "--quiet"]) == 0
    return folder


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Objects of the mocks and the media, and the runtime."""
    folder = tmp_path_factory.mktemp("library")
    objects = [folder / f"{source.stem}.o" for source in SOURCES]
    for source, result in zip(SOURCES, objects):
        compile_file([SANITIZING, *FLAGS], source, result, source.name)
    return [*map(str, objects), str(ROOT / "build/host/libossicle.a")]


def run_test(game: Path, library: list[str], folder: Path, replaced: str = "",
             by: str = "") -> subprocess.CompletedProcess[str]:
    """Builds the test with the game, in which a piece of text is replaced, and runs it."""
    text = (game / "streaming.c").read_text(encoding="utf-8")
    assert replaced in text
    (folder / "streaming.c").write_text(text.replace(replaced, by, 1), encoding="utf-8")
    sources = [game / "test_flash.c", folder / "streaming.c", *sorted(game.glob("hero_*.c"))]
    program = build_program(SANITIZING, [*FLAGS, f"-I{game}"], sources, folder / "test", [*library, "-lcmocka"])
    return subprocess.run([program], cwd=game, check=False, capture_output=True, text=True, timeout=60)


def test_the_page_has_a_short_test(game: Path) -> None:
    assert (game / "test_flash.c").read_text(encoding="utf-8").count("\n") <= MOST_LINES


def test_the_game_passes(game: Path, library: list[str], tmp_path: Path) -> None:
    ran = run_test(game, library, tmp_path)
    assert ran.returncode == 0, ran.stderr


def test_many_seeds(game: Path, library: list[str], tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(SEEDS, encoding="utf-8")
    sources = [tmp_path / "main.c", game / "test_seeds.c", game / "streaming.c", *sorted(game.glob("hero_*.c"))]
    program = build_program(SANITIZING, [*FLAGS, f"-I{game}"], sources, tmp_path / "seeds", library)
    ran = subprocess.run([program, game / "card.img"], check=False, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stdout


def test_a_game_that_streams_nothing_fails(game: Path, library: list[str], tmp_path: Path) -> None:
    ran = run_test(game, library, tmp_path, "osc_stream_update(&hero->stream, elapsed_us);", "(void)0;")
    assert ran.returncode != 0
