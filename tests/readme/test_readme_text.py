"""What README.md says about keys, defaults, limits, options and folders is so."""
from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from ossicle.model import lengths
from ossicle.encode import native
from ossicle.cli import project
from ossicle.cli.option_table import TABLES, TOP, keys_of
from ossicle.encode import settings
from ossicle.generate.skin_plan import CHOICES
from ossicle.base.unrolling import UNROLLING
from readme_blocks import README, ROOT, read_blocks, sample_files, table_of

TEXT = README.read_text(encoding="utf-8")


def hero_toml() -> dict:
    return tomllib.loads(sample_files(TEXT)["hero.toml"])


def lines_of_toml() -> list[str]:
    return sample_files(TEXT)["hero.toml"].splitlines()[1:]


def test_hero_toml_shows_every_key() -> None:
    table = hero_toml()
    assert set(table) == {*keys_of(*TOP), *TABLES}
    for name in ("screen", "import"):
        assert set(table[name]) == set(keys_of(name))
    for name in ("joints", "clips"):
        assert {key for rule in table[name].values() for key in rule} == set(keys_of(name))


def test_hero_toml_shows_the_defaults() -> None:
    shown = project.read_settings({key: value for key, value in hero_toml().items()
                                   if key not in ("import", "clips", "screen", "joints",
                                                  "pin", "max_ram_bytes")})
    assert shown.restart_log2 == settings.Settings().options_for("walk").restart_log2
    assert replace(shown, restart_log2=None) == settings.Settings()
    given, default = hero_toml()["import"], settings.ImportOptions()
    assert (given["up"], given["ancestors"]) == (default.up, default.ancestors)
    plain = project.Project()
    unset = {"generate": plain.generate, "target": plain.target, "embed": plain.embed,
             "unroll": plain.unroll, "matrices": plain.matrices,
             "max_ram_bytes": settings.Settings().max_ram_bytes,
             "pin": settings.Settings().pins, "[sets]": plain.sets}
    assert not any(unset.values())
    for line in lines_of_toml():
        if line.split(" ")[0] in unset:
            assert "not the default" in line


def test_the_comments_list_every_choice() -> None:
    comments = {line.split(" ")[0]: line.partition("#")[2] for line in lines_of_toml()}
    for key, choices in (("codec", settings.CODEC_CHOICES), ("effort", native.EFFORTS),
                         ("tolerance", (*lengths._METRES, lengths._PIXELS)), ("up", ("y", "z")),
                         ("ancestors", ("fold", "drop")), ("unroll", UNROLLING),
                         ("matrices", CHOICES)):
        first = next(line for line in lines_of_toml() if line.startswith(f"{key} "))
        comment = first.partition("#")[2]
        assert all(re.search(rf"\b{choice}\b", comment) for choice in choices), key
    assert "0.01" in comments["scale"] and "not the default" in comments["fps"]


def test_every_folder_is_listed() -> None:
    listed = set(re.findall(r"^\| `(\w+)/` \|", TEXT, re.MULTILINE))
    folders = {path.name for path in ROOT.iterdir()
               if path.is_dir() and not path.name.startswith((".", "__"))}
    assert listed == folders | {"build"}


def test_every_path_exists() -> None:
    for path in re.findall(r"\]\(([^)#:]+)\)", TEXT):
        assert (ROOT / path).is_file(), path
    for path in re.findall(r"`((?:codegen|runtime|targets|tests)/[\w./]+)`", TEXT):
        assert (ROOT / path).exists(), path


def test_blocks_are_files_commands_or_meant_for_hardware() -> None:
    for block in read_blocks(TEXT):
        assert block.language in ("sh", "console") or block.file_name, f"README.md:{block.line}"
    assert TEXT.count("```console") == 1  # the only block that no test runs: it needs a board


def test_options_in_commands_and_text_exist() -> None:
    known = set()
    for command in ("encode", "generate", "decode", "inspect", "strip", "build", "compare"):
        shown = subprocess.run([sys.executable, "-m", "ossicle", command, "--help"], check=True,
                               text=True, stdout=subprocess.PIPE, cwd=ROOT / "codegen")
        known |= set(re.findall(r"--[a-z]+", shown.stdout))
    shown_in = re.findall(r"^build/bin/ossicle .*|`--[a-z]+", TEXT, re.MULTILINE)
    used = set(re.findall(r"--[a-z]+", " ".join(shown_in)))
    assert used and used <= known


def test_missing_markers_are_an_error() -> None:
    with pytest.raises(ValueError, match="markers"):
        table_of(TEXT.replace("<!-- end of demo table -->", ""))


def test_a_sample_given_twice_is_an_error() -> None:
    twice = "```c\n/* a.c: x */\n```\n" * 2
    with pytest.raises(ValueError, match=r"README.md:4: a.c comes twice"):
        sample_files(twice)


def test_write_samples_reports_a_folder_it_cannot_write(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    script = Path(__file__).with_name("write_samples.py")
    failed = subprocess.run([sys.executable, script, blocked], check=False, text=True,
                            stderr=subprocess.PIPE)
    assert failed.returncode == 1
    assert str(blocked) in failed.stderr and failed.stderr.count("\n") == 1
