"""The add-on changes single keys of TOML files, as a parser of TOML sees them, and refuses what it cannot change."""
import importlib
import subprocess
import sys
import tomllib
import types
from pathlib import Path

import pytest
from mentions import mentioning

from ossicle.base.places import BLENDER_ADDON

ROOT = Path(__file__).parents[2]
PAGES = subprocess.run(["git", "ls-files", "*.toml"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
FILES = [name for name in PAGES.split() if not name.startswith("tests/mutate")]
HARD = '''# tolerance = "9mm"
title = """
[import]
drop = ["no"] # """  # "
other = \'\'\'
tolerance = "8mm"\'\'\'
"tolerance" = "2mm"# near
inputs = ["a.glb", # first
   'b "x" #.glb',
]
pairs = [
  ["drop", "import"],
]
[ clips . "a [b] = c" ] # [import]
loop = true
[import]
scale = 2.0
drop = ["one",
  # "two"
  \'three\']

[joints."*"]
tolerance = "3mm"'''
WITHOUT = HARD.replace(" # first", "").replace('\n  # "two"', "")  # comments in lists


@pytest.fixture(scope="module")
def module():
    """The module, without the rest of the package, which needs Blender."""
    package = types.ModuleType("blender_add_on")
    package.__path__ = [str(BLENDER_ADDON)]
    sys.modules["blender_add_on"] = package
    return importlib.import_module("blender_add_on.settings_file")


def opened(module, folder, text):
    path = folder / "a.toml"
    path.write_bytes(text.encode())
    return module.SettingsFile(path)


def with_key(text, key, value, table=""):
    """Returns the content that a text should have after a change."""
    content = tomllib.loads(text)
    place = content.setdefault(table, {}) if table else content
    if value:
        place[key] = value
    else:
        place.pop(key, None)
    return content


def test_values_are_those_of_a_parser(module, tmp_path):
    file, content = opened(module, tmp_path, HARD), tomllib.loads(HARD)
    assert file.strings("tolerance") == [content["tolerance"]] == ["2mm"]
    assert file.strings("inputs") == content["inputs"]
    assert file.strings("drop", "import") == file.dropped() == ["one", "three"]
    assert file.strings("target") == file.strings("drop") == []


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("key, value, table", [
    ("tolerance", "0.5mm", ""), ("target", "gba", ""), ("target", "", ""), ("inputs", ["Zürich \"é\\.glb"], ""),
    ("drop", [], "import"), ("drop", ["a", "b"], "import"), ("fps", "30", "import"), ("height", "1", "screen"),
    ("tolerance", "", "")])
def test_a_change_is_that_of_a_parser(module, tmp_path, key, value, table, ends):
    text = WITHOUT.replace("\n", ends)
    file = opened(module, tmp_path, text)
    file.change(key, value, table)
    expected = with_key(text, key, value, table)
    if not value and table and not expected.get(table):
        expected.pop(table, None)
    assert tomllib.loads(file.text) == expected
    assert all(comment in file.text for comment in ("# tolerance", "# [import]"))
    assert file.text.count("\n") == file.text.count(ends)


@pytest.mark.parametrize("name", FILES)
def test_files_of_the_project(module, tmp_path, name):
    text = (ROOT / name).read_text()
    try:
        file = opened(module, tmp_path, text)
    except module.Problem:  # has several characters, or an inline table
        assert any(key.partition(".")[0] in ("character", "folder", "import") for key in tomllib.loads(text))
        return
    for key, value, table in (("tolerance", "0.25mm", ""), ("drop", ["x*"], "import"), ("tolerance", "", "")):
        before = file.text
        file.change(key, value, table)
        assert tomllib.loads(file.text) == with_key(before, key, value, table)


@pytest.mark.parametrize("value", [[], ["ik_*"], ["ik_*", "x", "new"]])
def test_a_list_with_comments_stays(module, tmp_path, value):
    text = 'drop = [\n  "ik_*", # controls, see Anna\n  "x"\n]\n'
    file = opened(module, tmp_path, text)
    with pytest.raises(module.Problem, match=mentioning("a.toml drop comments")):
        file.change("drop", value)
    assert file.text == text
    file.change("drop", ["ik_*", "x"])  # no change
    assert file.text == text


def test_ends_of_lines_stay(module, tmp_path):
    path = tmp_path / "a.toml"
    path.write_bytes(b'tolerance = "1mm"\r\n[import]')
    file = module.SettingsFile(path)
    file.change("tolerance", "")
    file.change("target", "gba")
    file.change("drop", ["a"], "import")
    file.write()
    assert path.read_bytes() == b'target = "gba"\r\n[import]\r\ndrop = ["a"]\r\n'


def test_a_link_and_the_mode_stay(module, tmp_path):
    text, link = tmp_path / "shared/a.toml", tmp_path / "a.toml"
    text.parent.mkdir()
    text.write_text('tolerance = "1mm"\n')
    text.chmod(0o640)
    link.symlink_to(text)
    file = module.SettingsFile(link)
    file.change("tolerance", "2mm")
    file.write()
    assert link.is_symlink()
    assert text.read_text() == 'tolerance = "2mm"\n'
    assert text.stat().st_mode & 0o777 == 0o640
    assert list(text.parent.iterdir()) == [text]


def test_a_file_that_is_read_only_stays(module, tmp_path, monkeypatch):
    file = opened(module, tmp_path, 'tolerance = "1mm"\n')
    file.change("tolerance", "2mm")
    monkeypatch.setattr(module.os, "access", lambda path, mode: False)  # the root user may write any file
    with pytest.raises(module.Problem, match=mentioning("a.toml permissions")):
        file.write()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.toml": 'tolerance = "1mm"\n'}


def test_an_equal_value_changes_nothing(module, tmp_path):
    file = opened(module, tmp_path, HARD)
    file.change("tolerance", "2mm")
    file.change("drop", ["one", "three"], "import")
    assert file.text == HARD


@pytest.mark.parametrize("text, fact", [
    ('import = { drop = ["a"] }', "import"), ('import.drop = ["a"]', "import.drop"),
    ("[character.hero]", "character.hero"),
    ("[folder.\"a\"]\n[character.b]", "folder.a")])
def test_other_forms_are_refused(module, tmp_path, text, fact):
    with pytest.raises(module.Problem, match=mentioning(f"a.toml {fact}")):
        opened(module, tmp_path, text)


@pytest.mark.parametrize("text", ["tolerance = 0.001", "tolerance = '''1mm'''", 'tolerance = "\\U0001F600"'])
def test_other_values_are_refused(module, tmp_path, text):
    with pytest.raises(module.Problem, match=mentioning("a.toml tolerance")):
        opened(module, tmp_path, text).strings("tolerance")


def test_a_write_that_fails_leaves_the_folder(module, tmp_path, monkeypatch):
    file = opened(module, tmp_path, 'tolerance = "1mm"\n')
    (tmp_path / "a.toml.new").write_text("the artist's")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    file.change("tolerance", "2mm")
    with monkeypatch.context() as changes:
        changes.setattr(module.os, "replace", lambda *paths: (_ for _ in ()).throw(OSError("full")))
        with pytest.raises(OSError):
            file.write()
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    file.write()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "a.toml": 'tolerance = "2mm"\n', "a.toml.new": "the artist's"}


def test_a_file_that_is_not_text_stays(module, tmp_path):
    path = tmp_path / "a.toml"
    path.write_bytes(b'# \xff\ntolerance = "1mm"\n')
    file = module.SettingsFile(path)
    file.change("tolerance", "2mm")
    file.write()
    assert path.read_bytes() == b'# \xff\ntolerance = "2mm"\n'
    assert [item.name for item in tmp_path.iterdir()] == ["a.toml"]
