"""`ossicle runtime`: one C file that compiles with anything, without a warning, and plays the same."""
from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from bank_builder import biped
from c_programs import INCLUDES, RUNTIME, build_program
from compiling import ROOT, run
from encoded_banks import encoded
from graph_bank import graph_bank

from ossicle import machines
from ossicle.base.codec import CODECS
from ossicle.cli.main import main
from ossicle.generate.amalgamation import PUBLIC, amalgamate
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.generate.own_names import own_names, with_prefix
from ossicle.machines.firmware import compile_object
from ossicle.base.places import PLATFORMS
from mentions import mentions

WARNINGS = ("-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Werror")
AS_C, AS_CPLUSPLUS = ("-pedantic",), ("-xc++", "-Wold-style-cast")
LANGUAGES = [(compiler, f"-std={standard}", *how) for compilers, how, standards in (
    (("gcc", "clang"), AS_C, ("c99", "c11", "c17", "c2x")),
    (("g++", "clang++"), AS_CPLUSPLUS, ("c++11", "c++14", "c++17", "c++20")))
    for compiler in compilers for standard in standards]
ENDS = ("-std=c99", "-std=c2x", "-std=c++11", "-std=c++20")  # what lies between is for `scons roots`
# A game whose own names are those that the runtime's files use, too.
GAME = """
typedef struct section { int start; } section;
static int unpack(section from) { return from.start; }
static int crc_words(int parents) { return parents; }

static hero_player hero;
static dog_player dog;

int main(void)
{
    section one = {0};
    return hero_player_init(&hero, &hero_embedded) + dog_player_init(&dog, &dog_embedded) + unpack(one) +
           crc_words(0);
}
"""
PLAYED = """
#include <stdio.h>
#include "hero.h"

int main(void)
{
    static hero_player player;
    static hero_pose pose;
    static hero_model model;
    uint32_t hash = OSC_HASH_START;
    if (hero_player_init(&player, &hero_embedded) != OSC_OK)
        return 1;
    for (uint32_t clip = 0; clip < HERO_CLIP_COUNT; clip++) {
        (void)osc_player_start(&player.player, clip, OSC_PLAY_LOOP);
        for (int32_t position = 0; position < 40000; position += 777) {
            (void)osc_player_seek_q11(&player.player, position);
            hero_evaluate(&player, &pose);
            hero_compose(&pose, &model);
            hash = osc_hash_words(osc_hash_words(hash, &pose, sizeof pose / 4u), &model, sizeof model / 4u);
        }
    }
    printf("%08x\\n", (unsigned)hash);
    return 0;
}
"""


def write_runtime(folder: Path, platform: str, codecs: tuple[str, ...] | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in amalgamate(PLATFORMS / platform, codecs).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of two characters in one file, one with loops, one straight-line and with a graph."""
    folder = tmp_path_factory.mktemp("game")
    (folder / "dog.ossb").write_bytes(encoded(CODECS)[0])
    spec = biped()
    (folder / "hero.ossb").write_bytes(graph_bank(spec))
    sources = [path.name for name, unroll in (("hero", "loop"), ("dog", "full"))
               for path in generate(folder / f"{name}.ossb", folder, Code(embed=True, unroll=[unroll]))
               if path.suffix == ".c"]
    includes = [f'#include "{name}"' for name in ("ossicle.c", *sources)]
    (folder / "game.c").write_text("\n".join(includes) + GAME, encoding="utf-8")
    return folder


@pytest.mark.parametrize("platform, how", [
    pytest.param(platform, how, id=" ".join((platform, *how)), marks=[] if how[1] in ends else pytest.mark.exhaustive)
    for platform, ends in (("scalar", ENDS), ("sse", ENDS[::2])) for how in LANGUAGES])
def test_one_unit_of_everything_has_no_warnings(platform: str, how: tuple[str, ...], game: Path,
                                                tmp_path: Path) -> None:
    folder = write_runtime(tmp_path, platform)
    for source in (game / "game.c", folder / "ossicle.c"):
        run([*how, *WARNINGS, "-fsyntax-only", f"-I{folder}", f"-I{game}", source])


@pytest.mark.parametrize("platform, how", [("scalar", ("gcc", "-std=c99")),
                                           pytest.param("sse", ("g++", "-xc++", "-std=c++11"),
                                                        marks=pytest.mark.exhaustive)])
def test_it_plays_the_same(platform: str, how: tuple[str, ...], tmp_path: Path) -> None:
    bank = tmp_path / "hero.ossb"
    bank.write_bytes(encoded(CODECS)[0])
    sources = [path for path in generate(bank, tmp_path, Code(embed=True)) if path.suffix == ".c"]
    (tmp_path / "play.c").write_text(PLAYED, encoding="utf-8")
    build_program("gcc", ["-std=c99", "-O1", *INCLUDES, f"-I{tmp_path}"],
                  [*sources, tmp_path / "play.c", *RUNTIME], tmp_path / "files", [])
    unit = "".join(f'#include "{path.name}"\n' for path in (Path("ossicle.c"), *sources, Path("play.c")))
    (tmp_path / "unit.c").write_text(unit, encoding="utf-8")
    folder = write_runtime(tmp_path / "runtime", platform)
    run([*how, "-O1", f"-I{folder}", f"-I{tmp_path}", tmp_path / "unit.c", "-o", tmp_path / "unit"])
    assert run([tmp_path / "unit"]).stdout == run([tmp_path / "files"]).stdout != ""


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", ["microbit", "mps2_an386"])
def test_it_plays_the_same_on_boards(target: str, tmp_path: Path) -> None:
    """And passes the object proof there."""
    bank = tmp_path / "hero.ossb"
    bank.write_bytes(encoded(("delta", "transform"))[0])
    generate(bank, tmp_path, Code("hero", embed=True))
    machine = machines.load_target(target)
    folder = write_runtime(tmp_path / "runtime", machine.platform, ("delta", "transform"))
    code = compile_object(machine, folder / "ossicle.c", tmp_path / "runtime", [folder])
    files, amalgamated = (machines.run(machines.build(target, tmp_path, tmp_path / f"out{len(objects)}", "hero",
                                                      runtime=objects)).total_hash for objects in ([], [code]))
    assert files == amalgamated


def test_the_files_are_few(tmp_path: Path) -> None:
    assert set(amalgamate(PLATFORMS / "scalar")) == {"ossicle.c", "osc_port_config.h", *PUBLIC}
    for platform in machines.settings.list_platforms():
        files = amalgamate(PLATFORMS / platform)
        for content in files.values():
            assert b'"../' not in content
        assert files == amalgamate(PLATFORMS / platform)


def test_a_project_gets_what_its_bank_needs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "hero.toml"
    config.write_text(f'inputs = ["{ROOT / "codegen/demo/hero.glb"}"]\neffort = "fast"\ncodec = "transform"\n'
                      'target = "microbit"\n', encoding="utf-8")
    out = tmp_path / "out"
    assert main(["runtime", "-o", str(out), "--for", str(config)]) == 1
    assert mentions(message := capsys.readouterr().err, "build") and mentions(message, f"run {config}")
    assert not out.exists()
    assert main(["build", str(config), "--quiet"]) == 0
    assert main(["runtime", "-o", str(out), "--for", str(config), "--quiet"]) == 0
    text = (out / "ossicle.c").read_text(encoding="utf-8")
    assert "platforms/scalar: transform. */" in text and "osc_curve_valid(" not in text
    assert "const osc_codec osc_transform_codec" in text and "osc_bank_open(" not in text
    shutil.rmtree(out)
    assert main(["runtime", "-o", str(out)]) == 0
    assert mentions(capsys.readouterr().out, out / 'ossicle.c')
    assert "int32_t osc_bank_open(" in (out / "ossicle.c").read_text(encoding="utf-8")


FILE = """
#define SHARED 1
#define GONE 2
#undef GONE
enum { FIRST, LAST = 3 };
typedef struct thing {
    int start, osc_own;
} thing;
static const uint8_t table[LAST] = {0};
static OSC_NOINLINE int start(const thing *from)
{
    thing made = {.start = from->start};
    return made.start + table[FIRST] + osc_start() + SHARED;
}
int osc_public(thing *start);
"""


def test_names_of_a_file_get_a_prefix() -> None:
    assert own_names(FILE) == {"SHARED", "FIRST", "LAST", "thing", "table", "start"}
    text = with_prefix(FILE, "osc_own_", "osc_")
    assert "static const uint8_t osc_own_table[OSC_OWN_LAST]" in text and "#define OSC_OWN_SHARED" in text
    assert mentions(text, "{.start from->start}") and "int osc_own_start(const osc_own_thing *from)" in text
    assert "osc_start()" in text and "#define GONE 2" in text
    assert with_prefix(text, "osc_own_", "osc_") == text
