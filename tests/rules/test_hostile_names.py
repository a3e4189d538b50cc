"""Names of files with every printable character, through every rule: nothing is executed, and no input is lost."""
from __future__ import annotations

import os
import string
from pathlib import Path

import pytest
from gltf_builder import GltfBuilder, turn
from test_build_rules import IDS, RULES, TOOLS, Tool, project_of, run, small_character
from mentions import mentions

pytestmark = pytest.mark.integration

PRINTABLE = [chr(code) for code in range(0x20, 0x7f) if chr(code) not in "/" + string.ascii_letters +
             string.digits] + ["é", "日"]
WITH_DEPFILES = set("\"&'*;<=>?[\\^`|")  # not readable for Make or Ninja: see `ossicle build --depfile`
OF_CMAKE = WITH_DEPFILES | set("]#$:")
REFUSED = {"cmake-make": OF_CMAKE, "cmake-ninja": OF_CMAKE, "make": WITH_DEPFILES, "scons": set(),
           "meson": WITH_DEPFILES,
           "esp-idf": OF_CMAKE, "zephyr": OF_CMAKE, "platformio": set()}
# Each would run a command, or add a source to the program, if a tool took it for more than a name.
HOSTILE = ["x;touch pwned;", "$(touch pwned)", "$(shell touch pwned)", "`touch pwned`",
           "${__import__('os').system('touch pwned')}",
           "'; touch pwned; '", '"; touch pwned; "', "x|touch pwned", "x&touch pwned&", "x;source=pwned.c;y",
           "$<SHELL:touch pwned>",
           "@touch pwned", "-x", "x: ; touch pwned", "x=$(shell touch pwned)", "!touch pwned", "x\\", "%", "x #",
           "[[touch pwned]]",
           "x)$(shell touch pwned"]
PARAMETERS = [pytest.param(name, marks=[] if name == "make" else pytest.mark.exhaustive) for name in IDS]


def tool_of(name: str) -> Tool:
    return TOOLS[IDS.index(name)]


def part(path: Path, clip: str) -> None:
    """A file of the small character with one clip of this name."""
    builder = GltfBuilder()
    hand = builder.node("right_hand", translation=[0.0, 1.0, 0.0])
    root = builder.node("root", children=[hand])
    times = [frame / 30 for frame in range(4)]
    builder.animation(clip, (root, "rotation", times, [turn("x", 9.0 * time) for time in times], "LINEAR"))
    builder.skin([root, hand])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(builder.glb_bytes())


def project(name: str, folder: Path, parts: list[str]) -> Path:
    """A project whose TOML file takes all files of a folder, with these folders and names in it. Returns that
    folder."""
    tool = tool_of(name)
    project_of(tool, folder, small_character)
    text = (folder / tool.file).read_text(encoding="utf-8")
    (folder / tool.file).write_text(text.replace("hero.glb", "hero.toml"), encoding="utf-8")
    game = folder / tool.sources
    (game / "hero.toml").write_text('inputs = ["hero.glb", "parts/**/*.glb"]\neffort = "fast"\ngenerate = "."\nembed = '
                                    'true\n', encoding="utf-8")
    for item in parts:
        part(game / "parts" / item / f"{item}.glb", item)
    return game / "parts"


def build(name: str, folder: Path, status: int = 0, configured: bool = False) -> str:
    """Configures and builds. Returns the output of the tool. status: of the step that fails."""
    tool, error = tool_of(name), ""
    for command in [*([] if configured else tool.set_up), tool.build]:
        try:
            error += tool.run(command, folder)
        except AssertionError as failure:
            if not status:
                raise
            return " ".join(f"{error} {failure}".split())
    assert not status, error
    return error


def pwned(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.name == "pwned" or "pwned" in path.name and path.suffix == ".o"]


@pytest.mark.parametrize("name", PARAMETERS)
def test_every_printable_character(name: str, tmp_path: Path, built_encoder: None) -> None:
    """In names of folders, files and clips: the game is built, a second build does nothing, and each file is an
    input."""
    tool, folder = tool_of(name), tmp_path / "game"
    accepted = [f"a{c}b{c}c" for c in PRINTABLE if c not in REFUSED[name]]
    parts = project(name, folder, accepted)
    build(name, folder)
    assert run([f"./{tool.program}"], folder)
    header = next(path for path in folder.rglob("hero.h"))
    text = header.read_text(encoding="utf-8")
    assert f"HERO_CLIP_COUNT {len(accepted) + 1}" in " ".join(text.split()) or text.count("HERO_CLIP_") > len(accepted)
    assert "Encoding" not in build(name, folder, configured=True)
    files = sorted(parts.rglob("*.glb"))
    assert len(files) == len(accepted)
    for file in files if name in ("make", "cmake-ninja", "meson") else files[::12]:
        assert is_stale(name, folder, file), file
    assert pwned(folder) == []


def is_stale(name: str, folder: Path, file: Path) -> bool:
    """Tells if the tool would encode again if a file changed. Restores the file."""
    content, times = file.read_bytes(), file.stat()
    file.write_bytes(content + b"\0\0\0\0")
    os.utime(file)
    try:
        if name == "make":
            return run(["sh", "-c", "make -q build/ossicle/files.mk; echo $?"], folder).split() == ["1"]
        if name == "scons":
            return run(["sh", "-c", "scons -q -Q > printed 2>&1; echo $?"], folder).split() == ["1"]
        if name == "platformio":
            return True  # asks the command before each build
        if (folder / "build/build.ninja").exists():
            output = run(["ninja", "-C", "build", "-n", "-v"], folder)
            return "no work to do" not in output and "--depfile" in output
        return "Encoding" in build(name, folder, configured=True)
    finally:
        file.write_bytes(content)
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def is_refused(name: str, hostile: str) -> bool:
    return bool(set(hostile) & REFUSED[name])


@pytest.mark.parametrize("name", PARAMETERS)
def test_hostile_names_run_nothing(name: str, tmp_path: Path, built_encoder: None) -> None:
    """Such files are inputs like any other."""
    folder = tmp_path / "game"
    project(name, folder, [hostile for hostile in HOSTILE if not is_refused(name, hostile)])
    (folder / "pwned.c").write_text("int pwned;\n", encoding="utf-8")
    build(name, folder)
    assert pwned(folder) == []


@pytest.mark.parametrize("name", [rule for rule in PARAMETERS
                                  if REFUSED[rule if isinstance(rule, str) else rule.values[0]]])
def test_hostile_names_are_refused(name: str, tmp_path: Path, built_encoder: None) -> None:
    """Each name is refused alone, with one message, before anything is encoded."""
    refused = [hostile for hostile in HOSTILE if is_refused(name, hostile)]
    for number, hostile in enumerate(refused if name == "make" else refused[::4]):
        folder = tmp_path / f"game{number}"
        project(name, folder, [hostile])
        (folder / "pwned.c").write_text("int pwned;\n", encoding="utf-8")
        output = build(name, folder, status=1)
        assert mentions(output, "Make Ninja") or mentions(output, "CMake"), output
        assert not list(folder.rglob("*.ossb")) and pwned(folder) == [], hostile


# Makefiles divide names at spaces; these are commands without one.
WORDS = ["x;pwn;", "x&pwn&", "x|pwn|", "`pwn`", "$(pwn)", "$(shell\tpwn)", "x>pwned", "(pwn)", "';pwn;'", '";pwn;"',
         "x;pwn#"]


@pytest.mark.parametrize("hostile", [*HOSTILE, *WORDS])
def test_names_found_by_a_makefile_run_nothing(tmp_path: Path, built_encoder: None, hostile: str) -> None:
    """`OSSICLE_CHARACTERS = $(wildcard *.glb)` takes names from the folder."""
    part(tmp_path / f"{hostile}.glb", "Walk")
    (tmp_path / "Makefile").write_text(f"OSSICLE_CHARACTERS = $(wildcard *.glb)\ninclude {RULES}/make/ossicle.mk\n"
                                       "game: $(OSSICLE_OBJECTS)\n", encoding="utf-8")
    (tmp_path / "pwn").write_text("#!/bin/sh\ntouch pwned\n", encoding="utf-8")
    (tmp_path / "pwn").chmod(0o755)
    (tmp_path / "x").touch()  # so that a name which is cut after its x is no missing file
    run(["sh", "-c", "PATH=$PWD:$PATH make game || true"], tmp_path)
    assert pwned(tmp_path) == []
