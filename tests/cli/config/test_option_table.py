"""An option is declared once, in the table; everything else is derived from it."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import made_clips
import pytest

from tools import reference
from ossicle.cli.command_table import COMMANDS
from ossicle.cli.commands.completion import script, target_choices
from ossicle.config import setting_kinds
from ossicle.config.option_kinds import FLAG, Kind
from ossicle.config.option import CLIPS, IMAGE, IMPORT, JOINTS, RETARGET, SETTINGS, TABLES, TOP
from ossicle.config.option_lookup import keys_of, names_in_files
from ossicle.config.option_table import OPTIONS
from ossicle.config.project import read_project
from ossicle.encoding.settings import ClipSettings, Settings
from ossicle.machines import target_names
from ossicle.model.import_options import ImportOptions
from pages import parts, read_blocks
from running import ROOT, run_inside
from mentions import mentions

PACKAGE = ROOT / "codegen/ossicle"
STEPS = "tests/README.md"

ASK = """
import sys
from ossicle.cli.parser import make_parser
from ossicle.config import overlay, project
arguments = make_parser().parse_args(["encode", "a.bvh", "-o", "b.ossb", *sys.argv[1:]])
print(overlay.settings_of(project.read_settings({"wobble": "2cm"}), arguments).wobble_m)
"""


@pytest.fixture(scope="module")
def with_wobble(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package in which the page's steps for a new option were followed."""
    folder = tmp_path_factory.mktemp("wobble")
    for package in ("ossicle", "tools"):
        shutil.copytree(ROOT / "codegen" / package, folder / "codegen" / package,
                        ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("runtime", "platforms", "targets", "codegen/encoder"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "build").symlink_to(ROOT / "build")
    for block in read_blocks(parts(STEPS)["add-option"], STEPS):
        if block.edit:
            block.edit.apply(folder)
    return folder


def run_copy(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=folder, text=True, capture_output=True,
                          check=False, timeout=120, env=os.environ | {
                              "PYTHONPATH": str(folder / "codegen"), "COLUMNS": "200"})


def test_a_new_option_is_known_everywhere(with_wobble: Path) -> None:
    shown = run_copy(with_wobble, "-m", "ossicle", "encode", "--help").stdout
    assert mentions(shown, "--wobble") and mentions(shown, "wobble 4mm")
    assert "wobble" not in run_copy(with_wobble, "-m", "ossicle", "generate", "--help").stdout
    assert float(run_copy(with_wobble, "-c", ASK).stdout) == 0.02
    assert float(run_copy(with_wobble, "-c", ASK, "--wobble", "7mm").stdout) == 0.007
    completed = run_copy(with_wobble, "-m", "ossicle", "completion", "bash").stdout
    assert " --wobble " in next(line for line in completed.splitlines() if " encode:*)" in line)
    assert run_copy(with_wobble, "-m", "tools.reference").stderr == ""
    page = (with_wobble / "codegen/CONFIGURATION.md").read_text(encoding="utf-8")
    assert re.search(r"^\| `wobble` \| `--wobble` \| .* \| `4mm` \| how far joints may wobble \|", page, re.MULTILINE)
    assert '\nwobble = "4mm"\n' in page and "`wobble`: Jelly takes 9mm.\n" in page
    ours = reference.PAGE.read_text(encoding="utf-8")
    assert {line for line in ours.splitlines() if line.startswith("|")} <= {*page.splitlines()}


def test_a_clip_has_its_own_value(with_wobble: Path) -> None:
    (with_wobble / "a.toml").write_text('[clips."*"]\nwobble = "2mm"\n', encoding="utf-8")
    made_clips.write_capture(with_wobble / "walk.bvh", frames=8)
    ran = run_copy(with_wobble, "-m", "ossicle", "encode", "walk.bvh", "-o", "b.ossb", "--config", "a.toml")
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize(("text", "arguments", "facts"), [
    ('wobble = "4"', [], "a.toml wobble 4"),
    ('wobbel = "4mm"', [], "a.toml wobbel wobble"),
    ('[clips.walk]\nwobble = 4', [], "a.toml [clips.'walk'] wobble 4"),
    ("", ["--wobble=-1mm"], "--wobble -1mm"),
    ("", ["--wobbel=4mm"], "--wobbel=4mm --wobble"),
])
def test_a_new_option_is_checked(with_wobble: Path, text: str, arguments: list[str], facts: str) -> None:
    (with_wobble / "a.toml").write_text(text, encoding="utf-8")
    ran = run_copy(with_wobble, "-m", "ossicle", "encode", "a.bvh", "-o", "b.ossb", "--config", "a.toml", *arguments)
    assert ran.returncode != 0 and mentions(ran.stderr, facts) and ran.stderr.count("\n") == 1


def test_the_reference_is_current() -> None:
    assert reference.PAGE.read_text(encoding="utf-8") == reference.page(), (
        "run PYTHONPATH=codegen /usr/bin/python3 -m tools.reference")


def test_the_reference_has_all_commands_options_and_keys() -> None:
    page = reference.page()
    for option in OPTIONS:
        assert not option.is_flag or re.search(rf"{option.name}\b", page), option.name
        assert " ".join(option.more.split()) in " ".join(page.split())
    for command in COMMANDS:
        assert f"### ossicle {command.name}\n" in page


def test_the_example_has_every_key_and_is_valid(tmp_path: Path) -> None:
    text = reference.example()
    assert f"```toml\n{text}```" in reference.page()
    table = tomllib.loads(text)
    assert set(table) == {*keys_of(*TOP), *TABLES, RETARGET, IMAGE}
    for name in (*TABLES, RETARGET, IMAGE):
        part = table[name] if name == RETARGET else \
            list(table[name].values()) if name in (CLIPS, JOINTS) else [table[name]]
        assert [set(keys) for keys in part] == [set(keys_of(name))]
    (tmp_path / "hero.toml").write_text(text, encoding="utf-8")
    assert read_project(tmp_path / "hero.toml").output == tmp_path / "hero.ossb"


def test_the_defaults_are_those_of_the_code() -> None:
    checked = 0
    for table, defaults in ((SETTINGS, Settings()), (IMPORT, ImportOptions())):
        for key, option in keys_of(table).items():
            if not option.sample:
                value = tomllib.loads(f"{key} = {option.sample_value()}")[key]
                assert option.read(value, key) == getattr(defaults, option.field), key
                checked += 1
    assert checked >= 10
    flags = [option for option in OPTIONS if option.kind is FLAG and option.default]
    assert flags and all(option.default == "false" for option in flags)


def test_every_key_of_clips_is_a_setting_of_clips() -> None:
    assert {option.field for option in keys_of(CLIPS).values()} == {field.name for field in fields(ClipSettings)}


@pytest.mark.parametrize(("words", "facts"), [
    ("view a.glb --tolerance 1mm", '--tolerance tolerance = "1mm" --config'),
    ("report a.glb --fps=30", "--fps fps = 30 [import] --config"),
    ("view a.glb --loop Walk", '--loop loop = true [clips."NAME"] --config'),
    ("encode a.glb -o b.ossb --screen-height 160", "--screen-height height = 240 [screen] --config"),
    ("encode a.glb -o b.ossb --random-access", "--random-access random_access = true --config"),
    ("build a.toml --unroll full", '--unroll unroll = "loop"'),
])
def test_options_that_are_keys(words: str, facts: str) -> None:
    ran = run_inside(*words.split())
    assert ran.status == 2 and mentions(ran.line, f"{facts} --help")


@pytest.mark.parametrize(("words", "fact"), [
    ("encode a.glb -o b.ossb --unroll full", "--unroll"), ("inspect a.ossb --fps 3", "--fps"),
    ("view a.glb --wobbel", "--wobbel")])
def test_options_that_are_unknown(words: str, fact: str) -> None:
    ran = run_inside(*words.split())
    assert ran.status == 2 and mentions(ran.line, f"{fact} --help") and "=" not in ran.line


def test_messages_name_options_that_exist() -> None:
    known = names_in_files()
    for path in PACKAGE.rglob("*.py"):
        for name in re.findall(r"\bnamed\(['\"](--[\w-]+)", path.read_text(encoding="utf-8")):
            assert name in known, path


SHELLS = {"bash": ["bash", "--norc", "-c"], "zsh": ["zsh", "-f", "-c"]}
WORDS = [
    (["ossicle", "en"], ["encode"]),
    (["ossicle", "encode", "--ma"], ["--max-ram-bytes"]),
    (["ossicle", "encode", "a.glb", "--codec", ""], ["auto", "delta", "curve", "transform", "velocity"]),
    (["ossicle", "encode", "--preset", "good"], ["goodhue-2017"]),
    (["ossicle", "generate", "--unroll", "compose"], ["compose=full", "compose=loop"]),
    (["ossicle", "generate", "-o", "--"], []),
    (["ossicle", "generate", "--target", "playd"], ["playdate"]),
    (["ossicle", "generate", "--target", "mps2_an38"], ["mps2_an385", "mps2_an386"]),
    (["ossicle", "pack", "hero.ossb", "--unit", ""], ["file", "spi", "card", "nand"]),
    (["ossicle", "pack", "hero.ossb", "--unit", "s"], ["spi"]),
    (["ossicle", "pack", "hero.ossb", "--ba"], ["--bases"]),
    (["ossicle", "generate", "--emb"], ["--embed", "--embed-base"]),
    (["ossicle", "completion", "z"], ["zsh"]),
    (["ossicle", "--he"], ["--help"]),
    (["ossicle", "inspect", ""], []),
    (["ossicle", "encode", "--tolerance", ""], []),
    (["ossicle", "encode", "--codec", "=", "cu"], ["curve"]),
    (["ossicle", "encode", "--codec", "="], ["auto", "delta", "curve", "transform", "velocity"]),
    (["ossicle", "generate", "--unroll", "compose", "=", "l"], []),
    (["ossicle", "presets", "--"], []),
]


def test_completion_offers_every_name_of_a_target() -> None:
    assert sorted(target_choices()) == sorted(target_names())


def test_kinds_that_are_imported_late_are_complete() -> None:
    """Kinds without choices must be in setting_kinds.py, which completion does not import."""
    for option in OPTIONS:
        assert option.kind.words and option.kind.read
    assert not [name for name, kind in vars(setting_kinds).items() if isinstance(kind, Kind) and kind.choices]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(("words", "expected"), WORDS)
def test_completion(shell: str, words: list[str], expected: list[str], tmp_path: Path) -> None:
    ran = run_inside("completion", shell)
    assert ran.status == 0 and ran.out == script(shell)
    ask = ran.out + ("emulate sh\n" if shell == "zsh" else "") + (
        'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ossicle; printf "%s\\n" "${COMPREPLY[@]}"\n')
    done = subprocess.run([*SHELLS[shell], ask, "sh", *words], capture_output=True, text=True, check=True,
                          timeout=60, env=os.environ | {"HOME": str(tmp_path), "ZDOTDIR": str(tmp_path)})
    assert done.stdout.split() == expected and done.stderr == ""
