"""The runtime as one file, with a stream in it: a game of one unit brings its tiers from an image. A game
without a stream pays nothing for it."""
from __future__ import annotations

from pathlib import Path

import pytest
from c_programs import INCLUDES, RUNTIME, build_program
from compiling import STRICT, run
from test_amalgamation import AS_C, AS_CPLUSPLUS, WARNINGS, write_runtime
from tiered_bank import tiered

from ossicle.cli.main import main
from ossicle.generate.amalgamation import PUBLIC, amalgamate
from ossicle.base.places import PLATFORMS

GAME = r"""
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast" /* the game's own */
#endif
#include <stdio.h>
#include <string.h>
#include "hero.h"
#ifdef STREAMED
#include "card.h"
#include "osc_stream.h"

static uint8_t card[CARD_IMAGE_BYTES];

static int32_t start_read(void *context, uint32_t offset_bytes, void *destination, uint32_t size_bytes)
{
    (void)context;
    if (offset_bytes > CARD_IMAGE_BYTES || size_bytes > CARD_IMAGE_BYTES - offset_bytes)
        return OSC_ERROR_READ;
    memcpy(destination, card + offset_bytes, size_bytes);
    return OSC_OK;
}

static int32_t poll_read(void *context)
{
    (void)context;
    return OSC_OK;
}

static void cancel_read(void *context)
{
    (void)context;
}

static const osc_medium medium = {start_read, poll_read, cancel_read, 0, CARD_IMAGE_UNIT_BYTES, 4,
                                  CARD_IMAGE_UNIT_BYTES, 100000};
static osc_stream stream;
static osc_stream_source source;
static uint32_t pool[4096];

static bool begin(osc_bank *bank)
{
    FILE *file = fopen("card.img", "rb");
    bool read = file != 0 && fread(card, 1, sizeof card, file) == sizeof card && fgetc(file) == EOF;
    return read && fclose(file) == 0 && osc_stream_init(&stream, &medium, pool, 4096, 16) == OSC_OK &&
           osc_stream_add(&stream, &source, bank, hero_checks, hero_tier_places) == OSC_OK;
}

static void follow(const osc_player *player)
{
    for (int steps = 0; steps < 20 && osc_stream_follow(&stream, player, 0) != 0; steps++)
        osc_stream_update(&stream, 10000);
}
#else
#define begin(bank) (true)
#define follow(player) ((void)(player))
#endif

int main(void)
{
    static hero_player player;
    static hero_pose pose;
    osc_bank bank = hero_embedded;
    uint32_t hash = OSC_HASH_START;
    int32_t worst_q20 = 0;
    if (!begin(&bank) || hero_player_init(&player, &bank) != OSC_OK)
        return 1;
    for (uint32_t clip = 0; clip < HERO_CLIP_COUNT; clip++) {
        (void)osc_player_start(&player.player, clip, OSC_PLAY_LOOP);
        for (int32_t position = 0; position < 300000; position += 1777) {
            (void)osc_player_seek_q11(&player.player, position);
            follow(&player.player);
            int32_t left = osc_player_seek_q11(&player.player, position);
            int32_t quality_q20 = osc_clip_quality_q20(&bank, clip, (uint32_t)left);
            worst_q20 = quality_q20 > worst_q20 ? quality_q20 : worst_q20;
            hero_evaluate(&player, &pose);
            hash = osc_hash_words(hash, &pose, sizeof pose / 4u);
        }
    }
    printf("%08x %d\n", (unsigned)hash, (int)worst_q20);
    return 0;
}
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with game.c, the code of its bank without tiers, their image, and the runtime."""
    folder = tmp_path_factory.mktemp("streamed")
    (folder / "hero.ossb").write_bytes(tiered(2))
    assert main(["pack", str(folder / "hero.ossb"), "-o", str(folder / "card.img"), "--header", str(folder / "card.h"),
                 "--embed", "--quiet"]) == 0
    (folder / "game.c").write_text(GAME, encoding="utf-8")
    generated = sorted(path.name for path in folder.glob("hero_*.c"))
    unit = "".join(f'#include "{name}"\n' for name in ("ossicle.c", *generated, "game.c"))
    (folder / "unit.c").write_text(unit, encoding="utf-8")
    write_runtime(folder, "scalar", ("delta", "curve", "transform"))
    return folder


def played(folder: Path, program: Path) -> list[str]:
    """The hash and the worst error of what a program plays."""
    return run(["sh", "-c", f"cd {folder} && {program}"]).stdout.split()


@pytest.fixture(scope="module")
def from_files(game: Path) -> list[str]:
    sources = sorted(game.glob("hero_*.c"))
    plain = game / "plain"
    plain.mkdir()
    build_program("gcc", [*STRICT, *INCLUDES, f"-I{game}", "-DSTREAMED"], [game / "game.c", *sources, *RUNTIME],
                  plain / "play")
    return played(game, plain / "play")


@pytest.mark.parametrize("how", [("gcc", "-std=c99", *AS_C), ("clang", "-std=c2x", *AS_C),
                                 ("g++", "-std=c++11", *AS_CPLUSPLUS), ("clang++", "-std=c++20", *AS_CPLUSPLUS)],
                         ids=lambda how: how[0])
@pytest.mark.parametrize("streamed", [True, False], ids=["streamed", "not streamed"])
def test_one_unit_with_tiers_has_no_warnings(how: tuple[str, ...], streamed: bool, game: Path) -> None:
    flags = ["-DSTREAMED"] if streamed else []
    run([*how, *WARNINGS, *flags, "-fsyntax-only", f"-I{game}", game / "unit.c"])


@pytest.mark.parametrize("how", [("gcc", "-std=c99"), ("g++", "-xc++", "-std=c++11")], ids=lambda how: how[0])
def test_a_stream_plays_as_the_whole_bank(how: tuple[str, ...], game: Path, from_files: list[str],
                                          tmp_path: Path) -> None:
    """In one unit and from files, every pose is that of the bank with all tiers. Nothing is optimised, as compiling
    takes longer than playing."""
    run([*how, "-O0", "-DSTREAMED", f"-I{game}", game / "unit.c", "-o", tmp_path / "unit"])
    assert played(game, tmp_path / "unit") == from_files
    whole = tmp_path / "whole"
    assert main(["generate", str(game / "hero.ossb"), "-o", str(whole), "--embed", "--quiet"]) == 0
    (whole / "game.c").write_text(GAME, encoding="utf-8")  # the hero.h that is found first lies beside it
    run([*how, "-O0", f"-I{game}", game / "ossicle.c", *sorted(whole.glob("*.c")), "-o", whole / "play"])
    assert played(game, whole / "play") == from_files
    run([*how, "-O0", f"-I{game}", game / "unit.c", "-o", tmp_path / "base"])
    hash_base, worst_base = played(game, tmp_path / "base")
    assert hash_base != from_files[0] and int(worst_base) > int(from_files[1]) > 0


@pytest.mark.parametrize(("flags", "there"), [((), False), (("-DSTREAMED",), True)], ids=["not streamed", "streamed"])
def test_a_game_without_a_stream_does_not_link_it(flags: tuple[str, ...], there: bool, game: Path,
                                                  tmp_path: Path) -> None:
    run(["gcc", "-std=c99", "-O0", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", *flags, f"-I{game}",
         game / "ossicle.c", *sorted(game.glob("hero_*.c")), game / "game.c", "-o", tmp_path / "game"])
    assert ("osc_stream_" in run(["nm", tmp_path / "game"]).stdout) == there


def test_the_stream_s_header_stands_beside_the_runtime_s() -> None:
    files = amalgamate(PLATFORMS / "scalar")
    assert "osc_stream.h" in PUBLIC and b"int32_t osc_stream_init(" in files["osc_stream.h"]
    assert b"osc_stream_init(osc_stream *stream" in files["ossicle.c"]
