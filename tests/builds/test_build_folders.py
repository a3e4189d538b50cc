"""Tables [folder."NAME"] have defaults of the characters whose inputs all lie in a folder."""
from __future__ import annotations

import os
from pathlib import Path

import pytest
from running import Ran, contents, run_inside, write_bvh

from ossicle.base.problem import SettingProblem
from ossicle.config.project import Project, read_project, read_projects
from mentions import mentions

FILES = ("heroes/knight.bvh", "enemies/orc.bvh", "enemies/rat/run.bvh", "enemies/rat/sit.bvh",
         "enemies/bosses/dragon.bvh",
         "shared/idle.bvh")
CAST = """
[character.knight]
inputs = ["heroes/knight.bvh"]
[character.orc]
inputs = ["enemies/orc.bvh"]
[character.rat]
inputs = ["enemies/rat/*.bvh"]
[character.dragon]
inputs = ["enemies/bosses/dragon.bvh"]
[character.mixed]
inputs = ["enemies/orc.bvh", "heroes/knight.bvh"]
"""


@pytest.fixture
def cast(folder: Path) -> Path:
    """The current folder, with files of several characters in folders."""
    for number, name in enumerate(FILES):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_bvh(folder / name, frames=8 + number)
    return folder


def projects(text: str, characters: str = CAST) -> dict[str, Project]:
    """The projects of the characters, by name."""
    path = Path("cast.toml")
    path.write_text(text + characters, encoding="utf-8")
    return {project.output.stem: project for project in read_projects(path)}


def heights(text: str, characters: str = CAST) -> dict[str, float | None]:
    """The screen's height of each character: a setting that is plain to see."""
    return {name: project.settings.screen.height for name, project in projects(text, characters).items()}


def folder(name: str, height: int) -> str:
    return f"[folder.'{name}'.screen]\nheight = {height}\n"


def problem(text: str, characters: str = CAST) -> str:
    with pytest.raises(SettingProblem) as raised:
        projects(text, characters)
    return str(raised.value)


def test_the_file_then_outer_and_inner_folders_then_the_character(cast: Path) -> None:
    own = '[character.own]\ninputs = ["enemies/bosses/dragon.bvh"]\n[character.own.screen]\nheight = 4\n'
    for tables in (folder("enemies", 2) + folder("enemies/bosses", 3),
                   folder("enemies/bosses", 3) + folder("enemies", 2)):
        assert heights("[screen]\nheight = 1\n" + tables, CAST + own) == {
            "knight": 1, "orc": 2, "rat": 2, "dragon": 3, "mixed": 1, "own": 4}


def test_tables_and_keys_are_joined(cast: Path) -> None:
    found = projects('generate = "code"\nexclude = ["a"]\n[import]\nfps = 30\n[clips."*"]\nloop = true\n'
                     '[folder."enemies"]\ngenerate = "enemies/code"\nclips = ["b"]\nsets = { head = ["spine"] }\n'
                     '[folder."enemies/bosses"]\nexclude = ["c"]\n'
                     '[folder."enemies/bosses".clips."*"]\ncurves = "enemies/bosses/glow.csv"\n')
    dragon, knight = found["dragon"], found["knight"]
    assert (knight.generate, dragon.generate) == (Path("code"), Path("enemies/code"))
    assert (knight.sets, dragon.sets) == ({}, {"head": ("spine",)})
    reading = dragon.settings.importing
    assert (reading.fps, reading.only, reading.exclude) == (30, ("b",), ("c",))
    [rule] = dragon.settings.clips
    assert rule.changes["loop"] and [*dragon.settings.curve_files] == [Path("enemies/bosses/glow.csv")]
    assert knight.settings.importing.only == () and not knight.settings.curve_files


def test_it_builds_as_if_each_character_had_the_keys(cast: Path) -> None:
    write = Path("cast.toml").write_text
    write('effort = "fast"\n[folder."enemies"]\ntolerance = "4mm"\n[folder."enemies/bosses"]\ncodec = "transform"\n' +
          CAST)
    assert run_inside("build", "cast.toml", "-o", "out", "--quiet") == Ran(0, "", "")
    banks = {name: content for name, content in contents(cast / "out").items() if name.endswith(".ossb")}
    text = CAST.replace('enemies/orc.bvh"]', 'enemies/orc.bvh"]\ntolerance = "4mm"').replace(
        '*.bvh"]', '*.bvh"]\ntolerance = "4mm"').replace('dragon.bvh"]',
                                                         'dragon.bvh"]\ntolerance = "4mm"\ncodec = "transform"')
    write('effort = "fast"\n' + text)
    assert "wrote" in run_inside("build", "cast.toml", "-o", "out").out
    assert banks.items() <= contents(cast / "out").items()


def test_a_changed_folder_is_noticed(cast: Path) -> None:
    text = 'effort = "fast"\n[folder."enemies"]\ntolerance = "4mm"\n[character.orc]\ninputs = ["enemies/orc.bvh"]\n'
    Path("cast.toml").write_text(text)
    assert run_inside("build", "cast.toml", "--quiet") == Ran(0, "", "")
    assert mentions(run_inside("build", "cast.toml").out, "cast.toml [character.orc]")
    before = Path("orc.ossb").read_bytes()
    Path("cast.toml").write_text(text.replace("4mm", "0.1mm"))
    assert mentions(run_inside("build", "cast.toml").out, "orc.ossb") and Path("orc.ossb").read_bytes() != before


@pytest.mark.parametrize("name", ["enemies/", "./enemies", "heroes/../enemies", "enemies/bosses/..", "{here}/enemies",
                                  "../{parent}/enemies"])
@pytest.mark.parametrize("file", ["enemies/orc.bvh", "./enemies//orc.bvh", "heroes/../enemies/orc.bvh",
                                  "{here}/enemies/orc.bvh", "../{parent}/enemies/orc.bvh"])
def test_one_folder_has_many_names(cast: Path, name: str, file: str) -> None:
    name, file = (text.format(here=cast, parent=cast.name) for text in (name, file))
    assert heights(folder(name, 2), f"[character.orc]\ninputs = ['{file}']\n") == {"orc": 2}


def test_names_are_relative_to_the_file(cast: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("enemies/cast.toml").write_text(folder(".", 1) + folder("bosses", 2) + folder("../heroes", 3) + (
        '[character.dragon]\ninputs = ["bosses/dragon.bvh"]\n[character.orc]\ninputs = ["orc.bvh"]\n'
        '[character.knight]\ninputs = ["../heroes/knight.bvh"]\n'))
    Path("link.toml").symlink_to("enemies/cast.toml")
    for place, config in (("enemies/..", "enemies/cast.toml"), ("enemies/bosses", "../cast.toml"),
                          ("../..", "link.toml")):
        monkeypatch.chdir(place)
        assert [project.settings.screen.height for project in read_projects(Path(config))] == [2, 1, 3]


def test_links_are_compared_by_name(cast: Path) -> None:
    Path("undead").symlink_to("enemies")
    Path("heroes/orc.bvh").symlink_to("../enemies/orc.bvh")
    named = '[character.a]\ninputs = ["undead/orc.bvh"]\n[character.b]\ninputs = ["heroes/orc.bvh"]\n' \
            '[character.c]\ninputs = ["enemies/orc.bvh"]\n'
    assert heights(folder("undead", 1) + folder("heroes", 2) + folder("enemies", 3), named) == {"a": 1, "b": 2, "c": 3}


@pytest.mark.parametrize(("pattern", "height"), [
    ("enemies/bosses/*.bvh", 3), ("enemies/bosses/**/*.bvh", 3), ("enemies/boss*/*.bvh", 2),
    ("enemies/**/dragon.bvh", 2),
    ("*/bosses/*.bvh", 1), ("**/*.bvh", 1), ("enemies/bosse[s]/dragon.bvh", 2)])
def test_patterns_count_by_what_stands_before_them(cast: Path, pattern: str, height: int) -> None:
    known = '[character.known]\ninputs = ["enemies/bosses/dragon.bvh"]\n'
    found = heights("[screen]\nheight = 1\n" + folder("enemies", 2) + folder("enemies/bosses", 3),
                    f"{known}[character.some]\ninputs = ['{pattern}']\n")
    assert found == {"known": 3, "some": height}


def test_a_folder_may_be_named_like_a_pattern(cast: Path) -> None:
    Path("[old]").mkdir()
    write_bvh(Path("[old]/orc.bvh"))
    assert heights(folder("[old]", 2), '[character.orc]\ninputs = ["[old]/orc.bvh"]\n') == {"orc": 2}


def test_inputs_above_all_characters_lie_in_folders_too(cast: Path) -> None:
    found = heights('inputs = ["enemies/orc.bvh"]\n' + folder("enemies", 2) + folder("heroes", 3),
                    '[character.orc]\n[character.knight]\ninputs = ["heroes/knight.bvh"]\n')
    assert found == {"orc": 2, "knight": 3}


def test_folders_named_like_tables_are_no_characters(cast: Path) -> None:
    for name in ("character", "folder", "clips"):
        Path(name).mkdir()
        text = f"[character.orc]\ninputs = ['{name}/orc.bvh']\n"
        assert heights(folder(name, 2), text) == heights("", text + folder(name, 2)) == {"orc": 2}


def test_keys_that_belong_together_may_stand_in_several_tables(cast: Path) -> None:
    found = projects("[screen]\nheight = 240\nfov = 60\n[folder.enemies.screen]\ndistance = '2m'\n"
                     "[joints.spine]\ntolerance = '1mm'\n[folder.enemies.joints.spine]\n")
    assert found["orc"].settings.screen.distance_m == 2.0 and found["knight"].settings.screen.distance_m is None


@pytest.mark.parametrize(("text", "facts"), [
    ("[folder.enemis]\n", "[folder.'enemis'] enemies"),
    ("[folder.Enemies]\n", "[folder.'Enemies'] enemies"),
    ("[folder.shared]\n", "[folder.'shared'] enemies enemies/bosses enemies/rat heroes"),
    ("[folder.'enemies/*']\n", "[folder.'enemies/*'] enemies"),
    ("[folder.'enemies/orc.bvh']\n", "[folder.'enemies/orc.bvh']"),
    ("[folder.enemies]\n[folder.'enemies/']\n",
     "[folder.'enemies/'] [folder.'enemies']"),
    ("[folder.enemies]\ntolerence = '1mm'\n", "[folder.'enemies'] tolerence tolerance"),
    ("[folder.enemies]\ntolerance = 1\n", "[folder.'enemies']"),
    ("[folder.enemies.bosses]\ntolerance = '1mm'\n", "[folder.'enemies'] bosses"),
    ("[folder.enemies.clips.Walk]\nlop = true\n", "[folder.'enemies'] [clips.'Walk'] lop"),
    ("[folder.enemies.joints]\nspine = 1\n", "[folder.'enemies'] [joints.'spine'] 1"),
    ("[folder.enemies.screen]\nhight = 1\n", "[folder.'enemies'] [screen] hight height"),
    ("[folder.enemies.import]\nfps = 'x'\n", "[folder.'enemies'] [import] fps"),
    ("[folder.enemies]\nexclude = ['a']\nimport.exclude = ['a']\n", "[folder.'enemies']"),
    ("[folder.enemies]\noutput = 'a.ossb'\n",
     "[folder.'enemies'] [character.NAME]"),
    ("[folder.enemies]\nname = 'a'\n", "[folder.'enemies']"),
    ("[folder.enemies]\ninputs = ['a.bvh']\n", "[folder.'enemies']"),
    ("[folder.enemies.character.orc]\n", "[folder.'enemies'] character"),
    ("[folder.enemies.folder.bosses]\n", "[folder.'enemies'] folder"),
    ("[folder]\nenemies = 1\n", "[folder.'enemies'] 1"),
    ("folder = 1\n", 'folder 1 [folder."NAME"]'),
    ("[folder.'']\n", "[folder.'']"),
    ("[folder.\"a\\u0000\"]\n", "[folder.'a\\x00'] a\\x00 U+0000"),
    ("[folders.enemies]\n", "folders folder"),
    ("[folder.enemies]\nclips = ['a']\n[folder.enemies.clips.a]\n",
     '[folder.enemies.clips."NAME"] [folder.enemies.import]'),
])
def test_mistakes_are_named(cast: Path, text: str, facts: str) -> None:
    assert mentions(problem(text), facts)


@pytest.mark.parametrize(("characters", "facts"), [
    ("", "cast.toml [character.NAME]"),
    ("[character.orc]\ninputs = ['orc.bvh']\n", "cast.toml [folder.'enemies']"),
    ("[character.orc]\n", "cast.toml [folder.'enemies']"),
    ("[character.rat]\ninputs = ['a.bvh']\n[character.orc]\ninputs = 3\n", "[character.orc] inputs 3"),
    ("[character.orc]\ninputs = ['enemies/orc.bvh']\n[character.orc.folder.enemies]\n",
     "cast.toml [character.orc] folder"),
])
def test_characters_that_folders_cannot_be_for(cast: Path, characters: str, facts: str) -> None:
    assert mentions(problem("[folder.enemies]\n", characters), facts)


def test_a_link_as_its_folder_does_not_count(cast: Path) -> None:
    assert os.path.samefile("enemies", "heroes/../enemies")
    Path("mobs").symlink_to("enemies")
    assert mentions(problem("[folder.mobs]\n"), "[folder.'mobs']")


def test_commands_for_one_character_refuse_more(cast: Path) -> None:
    Path("cast.toml").write_text("[folder.enemies]\n" + CAST, encoding="utf-8")
    assert mentions(run_inside("encode", "enemies/orc.bvh", "-o", "a.ossb", "--config", "cast.toml").line, "cast.toml")
    assert read_project(Path("cast.toml"), "orc").inputs == (Path("enemies/orc.bvh"),)
