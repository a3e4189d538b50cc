"""Several characters in one TOML file: each is built as from a file of its own."""
from __future__ import annotations

from pathlib import Path

import pytest
from running import Ran, contents, run_command, run_inside, write_bvh
from mentions import mentions

SHARED = 'generate = "code"\nembed = true\neffort = "fast"\n'
PETS = SHARED + '[character.dog]\ninputs = ["walk.bvh"]\n[character.cat]\ninputs = ["sit.bvh"]\n'


def write_pets(folder: Path, text: str = PETS) -> None:
    (folder / "pets.toml").write_text(text, encoding="utf-8")


def test_each_equals_a_file_of_its_own(folder: Path) -> None:
    assert run_inside("build", "dog.toml", "cat.toml", "--quiet") == Ran(0, "", "")
    alone = {name: content for name, content in contents(folder).items() if not name.endswith(".json")}
    for name in alone:
        if "ossb" in name or name.startswith("code/"):
            (folder / name).unlink()
    write_pets(folder)
    assert run_inside("build", "pets.toml", "--quiet") == Ran(0, "", "")
    assert alone.items() <= contents(folder).items()
    assert run_command("build", "pets.toml") == run_inside("build", "pets.toml") == Ran(
        0, "pets.toml [character.dog] is unchanged\npets.toml [character.cat] is unchanged\n", "")


def test_a_character_overrides_the_defaults(folder: Path) -> None:
    write_pets(
        folder,
        'tolerance = "2mm"\nrestart = 16\n[clips."*"]\ncodec = "transform"\ntolerance = "3mm"\n[screen]\nheight = 240\n'
        '[character.dog]\ninputs = ["walk.bvh"]\n'
        '[character.cat]\ninputs = ["sit.bvh"]\noutput = "kit.ossb"\n[character.cat.clips."*"]\ntolerance = "4mm"\n')
    assert run_inside("build", "pets.toml", "--quiet") == Ran(0, "", "")
    for bank, inputs, tolerance in (("dog", "walk.bvh", "3mm"), ("kit", "sit.bvh", "4mm")):
        assert run_inside("encode", inputs, "-o", "one.ossb", "--restart", "16", "--codec", "transform",
                          "--tolerance", tolerance, "--quiet") == Ran(0, "", "")
        assert contents(folder)[f"{bank}.ossb"] == contents(folder)["one.ossb"]


def test_a_warning_names_the_character(folder: Path) -> None:
    write_pets(folder, PETS.replace("[character.cat]", "import.scale = 1e-3\n[character.cat]"))
    ran = run_inside("build", "pets.toml", "--quiet")
    assert ran.status == 0 and mentions(ran.line, "pets.toml [character.dog] walk.bvh")


def test_only_the_character_that_changed_is_encoded(folder: Path) -> None:
    write_pets(folder)
    assert run_inside("build", "pets.toml", "--quiet") == Ran(0, "", "")
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.*")}
    write_bvh(folder / "sit.bvh", speed=5.0)
    assert mentions(run_inside("build", "pets.toml").out, "pets.toml [character.dog]")
    changed = {path.name for path, time in before.items() if path.stat().st_mtime_ns != time}
    assert "cat.ossb" in changed and not [name for name in changed if name.startswith("dog")]


def test_warnings_name_the_character(folder: Path) -> None:
    """Both have the same source."""
    small = 'inputs = ["walk.bvh"]\nimport.scale = 0.0001\n'
    Path("pets.toml").write_text(f"[character.dog]\n{small}[character.cat]\n{small}")
    lines = run_inside("build", "pets.toml").err.splitlines()
    for name in ("dog", "cat"):
        assert any(mentions(line, f"pets.toml [character.{name}] walk.bvh") for line in lines), lines


def test_a_character_that_is_gone_leaves_nothing(folder: Path) -> None:
    write_pets(folder)
    assert run_inside("build", "pets.toml", "dog.toml", "-o", "out", "--quiet").status == 1  # both write dog.ossb
    assert run_inside("build", "pets.toml", "-o", "out", "--quiet") == Ran(0, "", "")
    assert run_inside("build", "cat.toml", "-o", "kept", "--quiet") == Ran(0, "", "")
    assert run_inside("build", "sit.bvh", "-o", "out", "--quiet") == Ran(0, "", "")
    write_pets(folder, PETS.replace("cat", "kitten"))
    assert mentions(run_inside("build", "pets.toml", "-o", "out").out, "out/cat.ossb")
    assert not [name for name in contents(folder / "out") if "cat" in name]
    for kept in ("out/kitten.ossb", "out/sit.ossb", "out/sit.manifest.json", "kept/cat.ossb"):
        assert (folder / kept).is_file(), kept


def test_build_rules_learn_all_characters(folder: Path) -> None:
    write_pets(folder)
    listed = run_inside("build", "pets.toml", "-o", "out", "--list").out.splitlines()
    assert {"header=out/dog.h", "header=out/cat.h", "manifest=out/dog.manifest.json", "input=sit.bvh"} <= set(listed)
    assert listed.count("input=pets.toml") == 1


def test_the_runtime_of_all_characters(folder: Path) -> None:
    write_pets(folder, PETS.replace('["walk.bvh"]', '["walk.bvh"]\ncodec = "curve"').replace(
        '["sit.bvh"]', '["sit.bvh"]\ncodec = "delta"'))
    assert run_inside("build", "pets.toml", "--quiet") == Ran(0, "", "")
    assert run_inside("runtime", "-o", "rt", "--for", "pets.toml", "--quiet") == Ran(0, "", "")
    text = (folder / "rt/ossicle.c").read_text(encoding="utf-8")
    assert ": delta, curve. */" in text or ": curve, delta. */" in text
    write_pets(folder, PETS.replace('["walk.bvh"]', '["walk.bvh"]\ntarget = "microbit"'))
    assert mentions(run_inside("runtime", "-o", "rt", "--for", "pets.toml").line, "pets.toml microbit None --target")


@pytest.mark.parametrize(("text", "facts"), [
    ('[character]\n', "pets.toml [character.NAME]"),
    ('character = 3\n', "pets.toml"),
    ('[character]\ndog = 1\n', "pets.toml [character.dog]"),
    ('[character."a/b"]\ninputs = ["walk.bvh"]\n', "[character.'a/b']"),
    ('[character."a$(b)"]\ninputs = ["walk.bvh"]\n', "[character.'a$(b)']"),
    ('[character."a;b"]\ninputs = ["walk.bvh"]\n', "[character.'a;b']"),
    ('[character."a#b"]\ninputs = ["walk.bvh"]\n', "[character.'a#b']"),
    ('[character.""]\ninputs = ["walk.bvh"]\n', "[character.'']"),
    ('name = "pet"\n[character.dog]\ninputs = ["walk.bvh"]\n',
     "[character.NAME]"),
    ('[character.dog]\ninputs = ["walk.bvh"]\ntolerence = 1\n',
     "pets.toml [character.dog] tolerence tolerance"),
    ('[character.dog]\n', "pets.toml [character.dog]"),
    ('[charakter.dog]\ninputs = ["walk.bvh"]\n', "pets.toml charakter character"),
    ('[character.dog]\ninputs = ["walk.bvh"]\n[character.dog.character.cat]\ninputs = []\n',
     "pets.toml [character.dog] character"),
    ('[character.dog]\ninputs = ["walk.bvh"]\npack.output = "card.img"\n',
     "[character.dog] pack"),
    ('fail_fast = true\n[character.dog]\ninputs = ["walk.bvh"]\n', "--fail-fast"),
    ('summary = "x"\n[character.dog]\ninputs = ["walk.bvh"]\n', "--summary"),
])
def test_mistakes_are_named(folder: Path, text: str, facts: str) -> None:
    write_pets(folder, text)
    before = contents(folder)
    ran = run_inside("build", "pets.toml")
    assert ran.status == 1 and mentions(ran.line, facts)
    assert contents(folder) == before


def test_other_commands_read_files_of_one_character(folder: Path) -> None:
    write_pets(folder)
    assert mentions(run_inside("encode", "walk.bvh", "-o", "a.ossb", "--config", "pets.toml").line, "pets.toml")
    assert mentions(run_inside("build", "pets.toml", "--json", "r.json").line, "--json r.json 2")
