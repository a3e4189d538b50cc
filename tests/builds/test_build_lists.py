"""Files that build rules read: the depfile and the list of files."""
from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from ossicle.base.problem import SettingProblem
from ossicle.building.depfile import rule_of
from ossicle.building.manifest import Manifest, Request, write_depfile
from running import ROOT, Ran, contents, run_command, run_inside, write_bvh
from mentions import mentions


def kinds(out: str) -> dict[str, list[str]]:
    """The paths of a list by kind."""
    found: dict[str, list[str]] = {}
    for line in out.splitlines():
        kind, path = line.split("=", 1)
        found.setdefault(kind, []).append(path)
    return found


def test_the_list_is_known_before_the_first_build(folder: Path) -> None:
    before = contents(folder)
    ask = ("build", "dog.toml", "cat.toml", "-o", "out", "--list")
    asked = run_inside(*ask)
    assert asked.status == 0 and contents(folder) == before
    assert run_inside(*ask[:-1], "--quiet") == Ran(0, "", "")
    assert run_command(*ask) == run_inside(*ask) == asked
    listed = kinds(asked.out)
    outputs = [path for kind in ("manifest", "header", "source", "bank") for path in listed[kind]]
    assert sorted(outputs) == sorted(f"out/{name}" for name in contents(folder / "out"))
    assert listed["header"] == ["out/dog.h", "out/cat.h"] and listed["include"] == ["out"]
    assert listed["input"] == ["dog.toml", "walk.bvh", "cat.toml", "sit.bvh"]


def test_the_list_names_the_runtime(folder: Path) -> None:
    (folder / "dog.toml").write_text('inputs = ["walk.bvh"]\ngenerate = "."\ntarget = "mps2_an386"\n'
                                     'optimise = "cycles"\n', encoding="utf-8")
    listed = kinds(run_inside("build", "dog.toml", "--list").out)
    assert listed["runtime-include"] == [str(ROOT / folder)
                                         for folder in ("runtime", "platforms/dsp", "platforms/float")]
    assert {Path(path) for path in listed["runtime"]} == {
        *(ROOT / "runtime").glob("*/*.c"), *(ROOT / "platforms/dsp").glob("*.S")}
    assert listed["define"] == ["OSC_FAST_ROWS=1"]


def test_one_program_has_one_target(folder: Path) -> None:
    """Characters without one take that of the others."""
    for name, target in (("dog", 'target = "gba"\n'), ("cat", "")):
        (folder / f"{name}.toml").write_text(f'inputs = ["walk.bvh"]\ngenerate = "."\n{target}', encoding="utf-8")
    listed = kinds(run_inside("build", "cat.toml", "dog.toml", "--list").out)
    assert str(ROOT / "platforms/armv4") in listed["runtime-include"] and "-marm" in listed["flag"]
    (folder / "cat.toml").write_text('inputs = ["walk.bvh"]\ngenerate = "."\ntarget = "pico"\n', encoding="utf-8")
    line = run_inside("build", "cat.toml", "dog.toml", "--list").line
    assert mentions(line, "cat.toml pico") and mentions(line, "dog.toml")


def test_a_compiler_of_this_computer(folder: Path) -> None:
    """Builds the unit tests of a game for a handheld: it gets no flags that it refuses, but those that it takes."""
    (folder / "dog.toml").write_text('inputs = ["walk.bvh"]\ngenerate = "."\ntarget = "gba"\n', encoding="utf-8")
    plain, quick = None, run_inside("build", "dog.toml", "--quiet")
    assert quick.status == 0
    for run in (run_inside, run_command):
        asked = run("build", "dog.toml", "--list", "--compiler", "gcc -m64")
        listed = kinds(asked.out)
        assert asked.status == 0 and "gba" in asked.err and not {"flag", "define"} & listed.keys()
        assert str(ROOT / "platforms/scalar") in listed["runtime-include"]
        assert plain in (None, asked.out)
        plain = asked.out
    for compiler in ("arm-none-eabi-gcc", "no-such-compiler", "arm-linux-gnueabihf-gcc -mfloat-abi=hard",
                     "riscv64-unknown-elf-gcc", ""):
        asked = run_inside("build", "dog.toml", "--list", "--compiler", compiler)
        assert asked.err == "" and "-marm" in kinds(asked.out)["flag"], compiler


@pytest.mark.parametrize("field, value",
                         [("cold", ["curve=1\nflag=-fplugin=x.so"]), ("cold", ["no_codec"]), ("target", 1)])
def test_flags_of_a_manifest_are_not_trusted(field: str, value: object, folder: Path) -> None:
    """They are those of the target's definition, not of the file; codecs are known ones."""
    (folder / "dog.toml").write_text('inputs = ["walk.bvh"]\ngenerate = "."\ntarget = "gba"\n', encoding="utf-8")
    assert run_inside("build", "dog.toml", "--quiet").status == 0
    before = run_inside("build", "dog.toml", "--list")
    manifest = folder / "dog.manifest.json"
    table = json.loads(manifest.read_text(encoding="utf-8"))
    assert table["flags"][:3] == ["-mcpu=arm7tdmi", "-marm", "-O2"]
    manifest.write_text(json.dumps(table | {"flags": ["-fplugin=x.so"]}), encoding="utf-8")
    assert run_inside("build", "dog.toml", "--list") == before
    manifest.write_text(json.dumps(table | {field: value}), encoding="utf-8")
    after = run_inside("build", "dog.toml", "--list")
    assert after == before or after.status == 1


def test_only_dependent_files_are_built(folder: Path) -> None:
    assert run_inside("build", "dog.toml", "--quiet") == Ran(0, "", "")
    listed = kinds(run_inside("build", "dog.toml", "cat.toml", "--list").out)
    assert listed["bank"] == ["dog.ossb", "cat.ossb"] and not (folder / "cat.ossb").exists()


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", "-r", *words], cwd=folder, capture_output=True, text=True, check=False)


def ninja_reads(folder: Path, rule: bytes) -> list[str]:
    """The files that an output depends on, as Ninja knows from a rule that a command has written."""
    (folder / "rule.d").write_bytes(rule)
    (folder / "build.ninja").write_text("rule make\n command = cp rule.d made.d && touch dog.manifest.json\n depfile = "
                                        "made.d\n deps = gcc\nbuild dog.manifest.json: make\n", encoding="utf-8")
    subprocess.run(["ninja", "--quiet"], cwd=folder, check=True, capture_output=True)
    listed = subprocess.run(["ninja", "-t", "deps", "dog.manifest.json"], cwd=folder, check=True, capture_output=True,
                            text=True)
    return [line.removeprefix("    ") for line in listed.stdout.splitlines()[1:] if line]


def written(folder: Path, output: str, inputs: Iterable[str]) -> bytes:
    """The rule that a build writes to out.d. Raises SettingProblem."""
    single = Manifest(dict.fromkeys(map(Path, inputs), "x"), {Path(output): ("bank", "x")}, False, "", False, (), "x")
    write_depfile(folder / "out.d", {Request(Path("dog.toml")): single})
    return (folder / "out.d").read_bytes()


def is_readable(*names: str) -> bool:
    """Tells if names can be those of an output and of inputs."""
    try:
        rule_of([Path(names[0])], map(Path, names[1:]))
    except SettingProblem:
        return False
    return True


PRINTABLE = "".join(map(chr, range(0x20, 0x7f))).replace("/", "") + "é\u00a0–日🦴"
NAMES = st.lists(st.one_of(st.text(PRINTABLE, min_size=1), st.text("ab $#:%()", min_size=1)).filter(
    lambda name: name not in (".", "..", "Makefile", "out.d")), min_size=2, max_size=3, unique=True)


def test_which_names_make_and_ninja_read() -> None:
    """Nearly all names. Those that Make or Ninja reads differently are refused instead of lost."""
    for places in ("a{}b.glb", "{}b", "a{}"):
        refused = {c for c in PRINTABLE if not is_readable("x", places.format(c))}
        assert refused == set("\"&'*;<=>?[\\^`|") | {"{}b": {"~"}, "a{}": {":", ")"}}.get(places, set())
        assert {c for c in PRINTABLE if not is_readable(places.format(c), "x")} == refused | {"%"}


@settings(max_examples=60, deadline=None)
@given(names=NAMES)
def test_make_and_ninja_read_the_depfile(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    """For any names, the output is older than its input, and only the commands of the makefile run."""
    assume(is_readable(*names))
    folder = tmp_path_factory.mktemp("make")
    output, *inputs = names
    rule = written(folder, output, inputs)
    (folder / "Makefile").write_text("include out.d\n%:\n\t@echo made\n", encoding="utf-8")
    for name in (*inputs, output, "dog.manifest.json"):
        (folder / name).write_text("", encoding="utf-8")
    ran = make(folder, "-q", "--", output)
    assert (ran.returncode, ran.stderr) == (0, "")
    (folder / inputs[0]).unlink()
    assert make(folder, "--", output).stdout.startswith("made\n")
    (folder / inputs[0]).write_text("", encoding="utf-8")
    assert ninja_reads(folder, rule)[:-1] == inputs


@pytest.mark.parametrize("name", ["\n\ttouch${IFS}pwned\ny:.glb", "a;touch pwned;.glb", "$(shell touch pwned).glb",
                                  "`touch pwned`.glb",
                                  "x\\\n\ttouch pwned.glb", "a\r.glb", "a\u2028b.glb", "a\x85input=b.glb", "a\x7f.glb"])
@pytest.mark.parametrize("more", [("--depfile", "h.d"), ("--list",)])
def test_hostile_names_run_nothing_and_add_no_line(folder: Path, name: str, more: tuple[str, ...]) -> None:
    """Names are refused before anything is written, or read correctly."""
    write_bvh(folder / "walk.bvh")
    (folder / f"{name.removesuffix('.glb')}.bvh").write_bytes((folder / "walk.bvh").read_bytes())
    (folder / "walk.bvh").unlink()
    (folder / "sit.bvh").unlink()
    (folder / "h.toml").write_text('inputs = ["*.bvh"]\neffort = "fast"\n', encoding="utf-8")
    (folder / "Makefile").write_text("all: h.ossb\n-include h.d\nh.ossb:\n\ttouch h.ossb\n", encoding="utf-8")
    before = contents(folder)
    ran = run_inside("build", "h.toml", "--quiet", *more)
    if ran.status:
        assert mentions(ran.line, "h.toml") and contents(folder) == before
    elif more == ("--list",):
        assert kinds(ran.out)["input"] == ["h.toml", f"{name.removesuffix('.glb')}.bvh"]
        assert len(ran.out.splitlines()) == len(ran.out.split("\n")) - 1
    (folder / "h.toml").touch()
    make(folder)
    assert not (folder / "pwned").exists()


def test_names_that_are_no_text_are_kept_in_a_depfile_and_refused_in_a_list(folder: Path) -> None:
    """A list is UTF-8, so no tool can read another name."""
    place = folder / os.fsdecode(b"caf\xe9")
    try:
        place.mkdir()
    except OSError:
        pytest.skip("this file system has only names that are text")
    (folder / "walk.bvh").rename(place / "walk.bvh")
    (folder / "h.toml").write_text('inputs = ["*/*.bvh"]\neffort = "fast"\n', encoding="utf-8")
    assert run_inside("build", "h.toml", "--quiet", "--depfile", "h.d") == Ran(0, "", "")
    assert b" caf\xe9/walk.bvh " in (folder / "h.d").read_bytes()
    for run in (run_inside, run_command):
        assert mentions(run("build", "h.toml", "--list").line, "UTF-8")


@pytest.mark.parametrize("key", ["inputs", "output", "generate", "character", "folder", "curves"])
def test_control_characters_are_refused_in_every_key(folder: Path, key: str) -> None:
    name = "a\\nb"
    texts = {"inputs": f'inputs = ["{name}"]', "output": f'inputs = ["walk.bvh"]\noutput = "{name}"',
             "generate": f'inputs = ["walk.bvh"]\ngenerate = "{name}"',
             "curves": f'inputs = ["walk.bvh"]\n[clips.walk]\ncurves = "{name}.csv"',
             "character": f'[character."{name}"]\ninputs = ["walk.bvh"]',
             "folder": f'[folder."{name}"]\n[character.x]\ninputs = ["walk.bvh"]'}
    (folder / "h.toml").write_text(texts[key] + "\n", encoding="utf-8")
    before = contents(folder)
    for more in ((), ("--list",), ("--depfile", "h.d")):
        assert run_inside("build", "h.toml", *more).status == 1
        assert contents(folder) == before


@pytest.mark.parametrize("words", [("walk\n.bvh",), ("walk.bvh", "-o", "a\nb"), ("walk.bvh", "--depfile", "a\nb"),
                                   ("walk.bvh", "--json", "a\nb"),
                                   ("walk.bvh", "--summary", "a\nb.csv")])
def test_control_characters_are_refused_on_the_command_line(folder: Path, words: tuple[str, ...]) -> None:
    (folder / "walk\n.bvh").write_bytes((folder / "walk.bvh").read_bytes())
    before = contents(folder)
    for run in (run_inside, run_command):
        assert "U+000A" in run("build", *words).err and contents(folder) == before


def test_control_characters_are_refused_in_folders_that_are_searched(folder: Path) -> None:
    """The files that a command finds there do not matter."""
    (folder / "found").mkdir()
    (folder / "walk.bvh").rename(folder / "found/walk\n.bvh")
    assert "U+000A" in run_inside("compare", "found", "--quiet").line


def test_a_manifest_cannot_add_lines(folder: Path) -> None:
    """Manifests are untrusted, because they can be edited."""
    assert run_inside("build", "dog.toml", "--quiet") == Ran(0, "", "")
    path = folder / "dog.manifest.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"outputs": {', '"outputs": {"x\\nsource=evil.c": {"kind": "source", "sha256": ""},'),
                    encoding="utf-8")
    assert path.read_text(encoding="utf-8") != text
    ran = run_command("build", "dog.toml", "--list")
    assert ran.status == 0 and kinds(ran.out)["input"] == ["dog.toml", "walk.bvh"] and "evil" not in ran.out
