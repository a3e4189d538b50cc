"""Each rule compiles the runtime and generated code with the flags of the character's target."""
from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from gltf_builder import GltfBuilder, turn
from ossicle.cli.main import main
from ossicle.machines import list_targets, load_target
from pages import ROOT
from test_build_rules import HERE, run

RULES = ROOT / "codegen/rules"
TARGETS = list_targets()
# One with placement, one whose flags change structures, one with another processor, one with nothing but -O2.
EACH = pytest.mark.parametrize("targets", [
    pytest.param(["gba", "host_avx2", "mps2_an386", "host"], id="some"),
    pytest.param(TARGETS, id="all", marks=pytest.mark.exhaustive)])
OURS = ("-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections")  # of every rule
# Stands for the command: a list for each target is there already, and what is written is empty.
COMMAND = """#!/bin/sh
case "$*" in
*--list*) sed "s|@OUT@|$4|g" "$2.list" ;;
*) mkdir -p "$4"
   for name in hero.manifest.json hero.h hero_tables.c hero_pose.c hero_bank.c hero.ossb; do
       [ -e "$4/$name" ] || : > "$4/$name"
   done
   case "$*" in *--depfile*) for last; do :; done; echo "$4/hero.manifest.json: $2" > "$last" ;; esac
esac
"""


def flags_of(target: str) -> list[str]:
    """The flags of the target's definition; --list adds the codecs for which fast memory has no room."""
    return list(load_target(target).flags)


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory, built_encoder: None) -> Path:
    """A folder with TARGET/hero.toml, the list of each, and a command that knows no more."""
    folder = tmp_path_factory.mktemp("lists")
    builder = GltfBuilder()
    root = builder.node("root", children=[builder.node("hand", translation=[0.0, 1.0, 0.0])])
    times = [frame / 30 for frame in range(3)]
    builder.animation("Walk", (root, "rotation", times, [turn("x", 90 * t) for t in times], "LINEAR"))
    builder.skin([root, 0])
    for target in TARGETS:
        place = folder / target
        place.mkdir()
        (place / "hero.glb").write_bytes(builder.glb_bytes())
        (place / "hero.toml").write_text('inputs = ["hero.glb"]\ngenerate = "."\nembed = true\n'
                                         f'target = "{target}"\n', encoding="utf-8")
        (place / "hero.toml.list").write_text(listed(place / "hero.toml", Path("@OUT@")), encoding="utf-8")
    (folder / "bin").mkdir()
    command = folder / "bin/ossicle"
    command.write_text(COMMAND, encoding="utf-8")
    command.chmod(0o755)
    return folder


def listed(config: Path, folder: Path, *words: str) -> str:
    with redirect_stdout(StringIO()) as out:
        assert main(["build", str(config), "-o", str(folder), "--list", *words]) == 0
    return out.getvalue()


def asked(lists: Path, target: str) -> list[str]:
    """The flags that the list of a target has."""
    lines = (lists / target / "hero.toml.list").read_text(encoding="utf-8").splitlines()
    found = [line.partition("=") for line in lines]
    return ["-D" * (kind == "define") + value for kind, _, value in found if kind in ("flag", "define")]


@pytest.mark.parametrize("target", TARGETS)
def test_the_list_has_the_flags_of_the_target(target: str, lists: Path) -> None:
    flags = asked(lists, target)
    assert [flag for flag in flags if not flag.startswith("-DOSC_COLD_")] == flags_of(target)
    lines = (lists / target / "hero.toml.list").read_text(encoding="utf-8").splitlines()
    machine = load_target(target)
    folders = [line.partition("=")[2] for line in lines if line.startswith("runtime-include=")]
    assert folders == [str(ROOT / "runtime"), str(machine.platform_folder), str(ROOT / "platforms/float")]
    assembler = {line.partition("=")[2] for line in lines if line.endswith(".S")}
    assert assembler == set(map(str, machine.platform_folder.glob("*.S") if machine.says_rows else ()))


class Commands:
    """The compiler's commands, by the name of the source file."""

    def __init__(self, commands: Iterator[str]) -> None:
        self.words = {Path(word).name: words for words in map(shlex.split, commands) for word in words
                      if "-c" in words and word.endswith((".c", ".S"))}

    def check(self, flags: list[str], sources: list[str]) -> None:
        """Each of these is compiled with the flags, and with no others that matter."""
        for name in sources:
            words = [word for word in self.words[name] if word[:2] in ("-m", "-O", "-D", "-f", "-G", "-E", "--")]
            words = [word for word in words if word not in OURS
                     and not word.startswith(("-fdiagnostics", "-D_FILE", "-DNDEBUG"))]
            plain = [word for word in words if not word.startswith("-D")]
            wanted = [flag for flag in flags if not flag.startswith("-D")]
            assert plain[len(plain) - len(wanted):] == wanted, (name, words)
            # of debug builds
            defines = {word for word in words if word.startswith("-DOSC") and word != "-DOSC_DEBUG=1"}
            assert defines == {flag for flag in flags if flag.startswith("-D")}


def sources_of(lists: Path, target: str) -> list[str]:
    lines = (lists / target / "hero.toml.list").read_text(encoding="utf-8").splitlines()
    found = [Path(line.partition("=")[2]).name for line in lines if line.startswith(("source=", "runtime="))]
    return [found[0], *found[-2:]] + [name for name in found if name == "osc_player.c"]


def with_command(lists: Path, words: list[str], folder: Path, **variables: str) -> str:
    """Runs a build tool, whose `ossicle` is that of the fixture."""
    return run(["env", f"PATH={lists / 'bin'}:/usr/bin:/bin", *words], folder, **variables)


@EACH
def test_make(targets: Sequence[str], lists: Path, tmp_path: Path) -> None:
    """Commands are printed, not run, so that no compiler is needed; other flags of the makefile come before."""
    (tmp_path / "Makefile").write_text(f"include {RULES}/make/ossicle.mk\ngame: $(OSSICLE_OBJECTS)\n", encoding="utf-8")
    for target in targets:
        out = with_command(lists, [
            "make", "-n", "--no-print-directory", f"OSSICLE_CHARACTERS={lists / target / 'hero.toml'}",
            "OSSICLE=ossicle",
            f"OSSICLE_DIR={target}", "CFLAGS=-O0 -mthumb", "CC=cc", "game"], tmp_path)
        Commands(iter(out.splitlines())).check(asked(lists, target), sources_of(lists, target))


def test_make_recompiles_files_with_other_flags(lists: Path, tmp_path: Path) -> None:
    """Other build tools compare commands, Make does not."""
    config = tmp_path / "hero.toml"
    (tmp_path / "Makefile").write_text(f"include {RULES}/make/ossicle.mk\ngame: $(OSSICLE_OBJECTS)\n", encoding="utf-8")
    objects = []
    for flags in ("flag=-O1\n", "flag=-O1\n", "flag=-O1\ndefine=OSC_TRANSPOSED\n", ""):
        (tmp_path / "hero.toml.list").write_text(f"source=@OUT@/hero_pose.c\ninclude=@OUT@\n{flags}", encoding="utf-8")
        config.write_text("", encoding="utf-8")
        with_command(lists, ["make", "-s", "OSSICLE_CHARACTERS=hero.toml", "OSSICLE=ossicle", "OSSICLE_DIR=out",
                             "game"], tmp_path)
        os.utime(tmp_path / "out/files.mk", (1e9, 1e9))  # older than the settings that follow
        objects.append((tmp_path / "out/hero_pose.o").stat().st_mtime_ns)
    assert objects[0] == objects[1] < objects[2] < objects[3]


@EACH
def test_cmake(targets: Sequence[str], lists: Path, tmp_path: Path) -> None:
    """One program for each target, in one folder: flags of one do not reach another."""
    programs = "".join(f"add_executable({target} hello.c)\n"
                       f"ossicle_add_character({target} {lists / target / 'hero.toml'})\n" for target in targets)
    (tmp_path / "hello.c").touch()
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(game C ASM)\nfind_package(Ossicle REQUIRED)\n" + programs,
        encoding="utf-8")
    with_command(lists, ["cmake", "-B", "build", f"-DOssicle_DIR={RULES / 'cmake'}",
                         f"-DOSSICLE_COMMAND={lists / 'bin/ossicle'}",
                         "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS=-O0"],
                 tmp_path)
    entries = json.loads((tmp_path / "build/compile_commands.json").read_text(encoding="utf-8"))
    for target in targets:
        own = (entry["command"] for entry in entries if f"CMakeFiles/{target}.dir/" in entry["command"])
        commands = Commands(own)
        commands.check(asked(lists, target), sources_of(lists, target))
        assert "-O0" in commands.words["hello.c"] and not {"-O2", "-marm"} & set(commands.words["hello.c"])


@EACH
def test_scons(targets: Sequence[str], lists: Path, tmp_path: Path) -> None:
    (tmp_path / "hello.c").touch()
    (tmp_path / "SConstruct").write_text(f"""import os
for target in {targets!r}:
    env = Environment(ENV=os.environ, tools=["default", "ossicle"], toolpath=["{RULES}/scons"], CCFLAGS=["-O0"],
                      OSSICLE="ossicle", OSSICLE_DIR=target)
    for program in ("game", "test"):
        env.Program(target + "/" + program, [env.Object(target + "/hello.o", "hello.c"),
                                             env.Ossicle("{lists}/" + target + "/hero.toml")])
""", encoding="utf-8")
    lines = with_command(lists, ["scons", "-Q", "-n"], tmp_path).splitlines()
    assert not [line for line in lines if "warning" in line]  # programs share objects
    for target in targets:
        own = (line for line in lines if f"-o {target}/" in line)
        commands = Commands(own)
        commands.check(asked(lists, target), sources_of(lists, target))
        assert [word for word in commands.words["hello.c"] if word.startswith(("-m", "-O"))] == ["-O0"]


@EACH
def test_meson(targets: Sequence[str], lists: Path, tmp_path: Path) -> None:
    """One subproject for each target."""
    (tmp_path / "subprojects").mkdir()
    names = {target: f"ossicle_{target}" for target in targets}
    lines, options = ["project('game', 'c')"], []
    for target, name in names.items():
        (tmp_path / "subprojects" / name).symlink_to(RULES / "meson")
        lines.append(f"executable('{target}', 'hello.c', dependencies: "
                     f"subproject('{name}').get_variable('characters'))")
        options.append(f"-D{name}:characters={lists / target / 'hero.toml'}")
    (tmp_path / "hello.c").touch()
    (tmp_path / "meson.build").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with_command(lists, ["meson", "setup", "build", *options], tmp_path)
    entries = json.loads((tmp_path / "build/compile_commands.json").read_text(encoding="utf-8"))
    for target, name in names.items():
        own = (entry["command"] for entry in entries if entry["output"].startswith(f"subprojects/{name}/"))
        Commands(own).check(asked(lists, target), sources_of(lists, target))


@pytest.mark.parametrize("target", [
    pytest.param(name, marks=[] if name == "gba" else pytest.mark.exhaustive) for name in TARGETS])
def test_platformio(target: str, lists: Path, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/hello.c").touch()
    (tmp_path / "ossicle.py").symlink_to(RULES / "platformio/ossicle.py")
    (tmp_path / "platformio.ini").write_text(
        "[env:game]\nplatform = board\nextra_scripts = pre:ossicle.py\ncustom_ossicle_characters = "
        f"{lists / target / 'hero.toml'}\n", encoding="utf-8")
    out = with_command(lists, ["scons", "-Q", "-n", "-f", str(HERE / "platformio/SConstruct")], tmp_path)
    commands = Commands(iter(out.splitlines()))
    commands.check(asked(lists, target), sources_of(lists, target))
    # the project keeps its own
    assert not [word for word in commands.words["hello.c"] if word.startswith(("-m", "-O"))]


@pytest.mark.parametrize("target", ["pico", "host_avx2", "gba"])
def test_the_library_of_arduino(target: str, tmp_path: Path) -> None:
    """Has the defines of the target in its header, as no file of it has flags; the one file has no assembler."""
    assert main(["runtime", "--library", "--target", target, "-o", str(tmp_path), "--quiet"]) == 0
    program = '#include "ossicle.h"\n'
    known = subprocess.run(["gcc", "-dM", "-E", "-x", "c", "-", f"-I{tmp_path / 'src'}"], input=program, text=True,
                           capture_output=True, check=True).stdout
    for flag in load_target(target).flags:
        name, _, value = flag.removeprefix("-D").partition("=")
        if flag.startswith("-D"):
            assert (f"#define {name} {value or '1'}\n" in known) == (name != "OSC_FAST_ROWS")
