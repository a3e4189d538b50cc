"""[pack]: a build writes one image for all characters of a file, which `ossicle pack` would write as well."""
from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from ossicle.config.project import read_project, read_settings
from running import Ran, contents, run_command, run_inside, write_bvh
from mentions import mentions

TEXT = """effort = "fast"
generate = "code"
embed = "base"
tolerance = "0.1mm"
[pack]
output = "card.img"
header = "code/card.h"
unit = "spi"
at = 0x1000
[character.dog]
inputs = ["walk.bvh"]
name = "hound"
tiers = ["20mm"]
[character.cat]
inputs = ["sit.bvh"]
tiers = ["20mm"]
[character.plain]
inputs = ["sit.bvh"]
"""
BUILD = ("build", "pets.toml", "--quiet")


@pytest.fixture
def pets(folder: Path) -> Path:
    """The current folder, with pets.toml, built."""
    write_bvh(folder / "sit.bvh", speed=2.0)
    (folder / "pets.toml").write_text(TEXT, encoding="utf-8")
    assert run_inside(*BUILD, "--depfile", "pets.d") == Ran(0, "", "")
    return folder


def edit(folder: Path, old: str, new: str) -> None:
    assert old in TEXT
    (folder / "pets.toml").write_text(TEXT.replace(old, new), encoding="utf-8")


def test_the_image_is_that_of_pack(pets: Path) -> None:
    """Without the characters that have no tiers, and with the names that their code has."""
    (pets / "hound.ossb").write_bytes((pets / "dog.ossb").read_bytes())
    assert run_inside("pack", "hound.ossb", "cat.ossb", "-o", "own/card.img", "--header", "own/card.h", "--unit", "spi",
                      "--at", "0x1000", "--quiet") == Ran(0, "", "")
    assert contents(pets / "own") == {name: (pets / place).read_bytes()
                                      for name, place in (("card.img", "card.img"), ("card.h", "code/card.h"))}
    assert re.search(r"hound_tier_places\[\] = \{4096u\}", (pets / "code/card.h").read_text(encoding="utf-8"))
    assert not list(pets.glob("*.base.ossb"))


def test_rules_learn_of_it(pets: Path) -> None:
    listed = run_inside("build", "pets.toml", "--list").out.splitlines()
    assert {"image=card.img", "header=code/card.h", "manifest=pets.pack.manifest.json"} <= set(listed)
    assert run_command("build", "pets.toml", "--list").out.splitlines() == listed
    targets, _, needed = (pets / "pets.d").read_text(encoding="utf-8").partition(": ")
    assert {"card.img", "code/card.h"} <= set(targets.split()) and {"walk.bvh", "sit.bvh"} <= set(needed.split())
    assert run_inside(*BUILD, "-o", "out") == Ran(0, "", "")
    assert {"card.img", "card.h", "pets.pack.manifest.json"} <= contents(pets / "out").keys()


def test_it_is_written_again_when_a_character_changes_or_it_is_gone(pets: Path) -> None:
    first = contents(pets)
    assert mentions(run_command("build", "pets.toml").out, "pets.toml [pack]")
    (pets / "card.img").unlink()
    ran = run_inside("build", "pets.toml")
    assert ran.status == 0 and mentions(ran.out, "card.img") and ran.out.count("pets.toml [character.") == 3
    assert contents(pets) == first
    write_bvh(pets / "walk.bvh", speed=5.0)
    assert run_inside(*BUILD) == Ran(0, "", "") and contents(pets)["card.img"] != first["card.img"]


def test_a_fault_of_a_character_is_one_of_its_image(pets: Path) -> None:
    """An image without it would have its places wrong."""
    (pets / "walk.bvh").write_text("HIERARCHY", encoding="utf-8")
    ran = run_inside(*BUILD)
    assert ran.status == 1 and [line.split(": ")[1] for line in ran.err.splitlines()] == [
        "pets.toml [character.dog]", "pets.toml [pack]"]
    assert not {"card.img", "code/card.h", "dog.ossb", "pets.pack.manifest.json"} & contents(pets).keys()
    assert "cat.ossb" in contents(pets)


@pytest.mark.parametrize("plain", ['inputs = ["gone.bvh"]', 'inputs = ["sit.bvh"]\ntolerance = "0.0001mm"'])
def test_a_fault_of_a_character_without_tiers_does_not_affect_the_image(pets: Path, plain: str) -> None:
    """One fault is found before the character is encoded, the other by the encoder."""
    image = contents(pets)["card.img"]
    (pets / "card.img").unlink()
    edit(pets, '[character.plain]\ninputs = ["sit.bvh"]', f"[character.plain]\n{plain}")
    for _ in range(2):
        ran = run_inside(*BUILD)
        assert ran.status == 1 and mentions(ran.line, "pets.toml [character.plain]")
        assert contents(pets)["card.img"] == image and "plain.ossb" not in contents(pets)


@pytest.mark.parametrize(("text", "known"), [
    ("", False), ('preset = "acl-2017"', False), ('tiers = ["8mm"]', True), ('tiers = ["30%"]', True),
    ('tiers = ["4kB"]', True), ('preset = "acl-2.1-tiers"', True), ('clips."Walk".preset = "acl-2.1-tiers"', True)])
def test_settings_decide_which_characters_belong_to_an_image(text: str, known: bool) -> None:
    assert read_settings(tomllib.loads(text)).may_have_tiers == known


def test_a_table_that_is_gone_leaves_no_image(pets: Path) -> None:
    edit(pets, TEXT[TEXT.index("[pack]"):TEXT.index("[character.dog]")], "")
    assert run_inside(*BUILD) == Ran(0, "", "")
    assert not {"card.img", "code/card.h", "pets.pack.manifest.json"} & contents(pets).keys()


@pytest.mark.parametrize(("old", "new", "facts"), [
    ('output = "card.img"', "", 'output = "card.img"'),
    ('output = "card.img"', 'output = "sit.bvh"', "pets.toml [pack] sit.bvh"),
    ('output = "card.img"', 'output = "cat.ossb"', "pets.toml [pack] cat.ossb"),
    ("at = 0x1000", "at = 100", "100 256"),
    ("at = 0x1000", 'at = "100"', "[pack] at 100"),
    ('unit = "spi"', "units = 1", "[pack] units unit"),
    ('tiers = ["20mm"]', "", "[pack] tiers"),
    ('unit = "spi"', "unit = 3", "[pack] unit 3"),
])
def test_mistakes(folder: Path, old: str, new: str, facts: str) -> None:
    write_bvh(folder / "sit.bvh", frames=12, speed=2.0)
    write_bvh(folder / "walk.bvh", frames=12)
    edit(folder, old, new)
    ran = run_inside(*BUILD)
    assert ran.status == 1 and mentions(ran.err, facts) and not (folder / "card.img").exists()
    lines = ran.err.splitlines()  # of the image, or one of each character
    assert len(lines) == max(1, sum("[character." in line for line in lines))


def test_a_mistake_in_the_table_keeps_the_image(pets: Path) -> None:
    before = contents(pets)
    edit(pets, 'output = "card.img"', "")
    ran = run_inside(*BUILD, "--summary", "all.csv")
    assert ran.status == 1 and ran.err.count("[pack]") == 3 == len(ran.err.splitlines())
    assert contents(pets).items() >= {name: item for name, item in before.items() if name != "pets.toml"}.items()
    assert (pets / "all.csv").read_text(encoding="utf-8").count("[pack]") <= 3


def test_one_character_and_other_commands(folder: Path) -> None:
    (folder / "one.toml").write_text('inputs = ["walk.bvh"]\n[pack]\noutput = "one.img"\n', encoding="utf-8")
    project = read_project(Path("one.toml"))
    assert project.packing.unit == 512 and project.packing.outputs == [Path("one.img")]
    assert mentions(run_inside("encode", "walk.bvh", "-o", "a.ossb", "--config", "one.toml").err, "one.toml pack")
