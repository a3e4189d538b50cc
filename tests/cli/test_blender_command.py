"""`ossicle blender` installs and removes the Blender add-on, and writes the same archive every time."""
import hashlib
import os
import re
import subprocess
import sys
import zipfile

import pytest

from mentions import mentions
from ossicle.base.places import BLENDER_ADDON
from ossicle.base.version import versions

FILES = {path.name for path in BLENDER_ADDON.iterdir() if path.suffix in (".py", ".toml")}
PLACES = {"XDG_CONFIG_HOME": "config/blender/{}/scripts/addons", "HOME": ".config/blender/{}/scripts/addons",
          "BLENDER_USER_SCRIPTS": "addons", "BLENDER_USER_RESOURCES": "scripts/addons"}


def run(*words, **environment):
    plain = {name: value for name, value in os.environ.items() if name not in PLACES}
    return subprocess.run([sys.executable, "-m", "ossicle", "blender", *map(str, words)],
                          capture_output=True, text=True, check=False,
                          env=plain | {"HOME": "/nowhere"} | {name: str(path) for name, path in environment.items()})


@pytest.mark.parametrize("variable", PLACES)
def test_installs_into_all_versions_and_leaves_nothing(tmp_path, variable):
    versions_of_blender = ("2.83", "3.4", "4.2", "10.0") if "{}" in PLACES[variable] else ("",)
    for version in versions_of_blender[1:]:
        (tmp_path / PLACES[variable].format(version)).parents[1].mkdir(parents=True)
    value = tmp_path / "config" if variable == "XDG_CONFIG_HOME" else tmp_path
    for attempt in range(2):  # the second one replaces the first
        done = run("--install", **{variable: value})
        assert done.returncode == 0, done.stderr
        for version in versions_of_blender[1:] or ("",):
            place = tmp_path / PLACES[variable].format(version) / "ossicle_blender"
            assert {path.name for path in place.iterdir()} - {"__pycache__"} == FILES
            assert mentions(done.stdout, place)
            (place / "__pycache__").mkdir(exist_ok=True)
            (place / "__pycache__/panel.cpython-310.pyc").touch()
    assert not (tmp_path / PLACES[variable].format("2.83")).is_dir() or "{}" not in PLACES[variable]
    done = run("--uninstall", **{variable: value})
    assert done.returncode == 0, done.stderr
    assert [path for path in tmp_path.rglob("*") if not path.is_dir() or path.name == "ossicle_blender"] == []
    done = run("--uninstall", **{variable: value})
    assert done.returncode == 1
    assert mentions(done.stderr, "--into")


def test_blender_that_never_ran_is_an_error(tmp_path):
    done = run("--install", HOME=tmp_path)
    assert done.returncode == 1
    assert mentions(done.stderr, f"{tmp_path}/.config/blender 3.4 --into")


@pytest.mark.parametrize("name", ["notes.txt", "__init__.py", "blender_manifest.toml"])
def test_a_folder_of_somebody_else_stays(tmp_path, name):
    other = tmp_path / "ossicle_blender" / name
    other.parent.mkdir()
    other.write_text("mine")
    for action in ("--install", "--uninstall"):
        done = run(action, "--into", tmp_path)
        assert done.returncode == 1
        assert mentions(done.stderr, "ossicle_blender")
    assert other.read_text() == "mine"


@pytest.mark.parametrize("name", ["notes.txt", "my_tool.py", "__pycache__/my_tool.cpython-310.pyc", "lib.py/a.py"])
def test_files_of_the_user_stay(tmp_path, name):
    assert run("--install", "--into", tmp_path).returncode == 0
    place = tmp_path / "ossicle_blender"
    (place / name).parent.mkdir(exist_ok=True)
    (place / name).write_text("mine")
    for action in ("--install", "--uninstall"):
        done = run(action, "--into", tmp_path)
        assert done.returncode == 0, done.stderr
        assert (place / name).read_text() == "mine"
    assert [path for path in place.rglob("*") if path.is_file()] == [place / name]
    assert mentions(done.stdout, f"{place} kept")


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_nothing_is_removed_if_something_else_has_the_name_of_a_file(tmp_path, kind):
    assert run("--install", "--into", tmp_path).returncode == 0
    other = tmp_path / "ossicle_blender/panel.py"
    other.unlink()
    if kind == "folder":
        other.mkdir()
    else:
        other.symlink_to("ghost.py")
    done = run("--uninstall", "--into", tmp_path)
    assert done.returncode == 1
    assert mentions(done.stderr, other)
    assert {path.name for path in other.parent.iterdir()} == FILES


def test_nothing_is_written_if_a_folder_is_somebody_elses(tmp_path):
    for version in ("3.4", "3.6"):
        (tmp_path / f"blender/{version}/scripts/addons").mkdir(parents=True)
    other = tmp_path / "blender/3.6/scripts/addons/ossicle_blender/notes.txt"
    other.parent.mkdir()
    other.touch()
    done = run("--install", XDG_CONFIG_HOME=tmp_path)
    assert done.returncode == 1
    assert mentions(done.stderr, other.parent)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [other]


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "addons").mkdir()
    (tmp_path / "addons/ossicle_blender").symlink_to(tmp_path / "elsewhere")
    assert run("--install", "--into", tmp_path / "addons").returncode == 1
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_archive_is_reproducible(tmp_path):
    digests = set()
    for name in ("a.zip", "b.zip"):
        done = run("--zip", tmp_path / name)
        assert done.returncode == 0, done.stderr
        digests.add(hashlib.sha256((tmp_path / name).read_bytes()).hexdigest())
    assert len(digests) == 1
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert set(archive.namelist()) == {f"ossicle_blender/{name}" for name in FILES}
        assert archive.testzip() is None
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize("name", ["mine.blend", "hero.glb", "panel.py", "archive"])
def test_archive_replaces_only_archives(tmp_path, name):
    (tmp_path / name).write_text("mine")
    done = run("--zip", tmp_path / name)
    assert done.returncode == 1
    assert mentions(done.stderr, f"{tmp_path / name} .zip")
    assert (tmp_path / name).read_text() == "mine"


def test_archive_does_not_replace_the_add_on(tmp_path):
    source = BLENDER_ADDON / "panel.py"
    before = source.read_bytes()
    (tmp_path / "a.zip").symlink_to(source)
    try:
        done = run("--zip", tmp_path / "a.zip")
        assert (done.returncode, source.read_bytes()) == (1, before)
        assert mentions(done.stderr, "a.zip")
    finally:
        source.write_bytes(before)


@pytest.mark.parametrize("words", [(), ("--install", "--uninstall"), ("--install", "--zip", "a.zip"),
                                   ("--zip", "a.zip", "--into", ".")])
def test_one_action_is_needed(words, tmp_path):
    done = run(*words)
    assert done.returncode == 1
    assert mentions(done.stderr, "--install")


def test_versions_agree():
    library = versions().library
    assert f'version = "{library}"' in (BLENDER_ADDON / "blender_manifest.toml").read_text()
    [numbers] = re.findall(r'"version": \(([\d, ]+)\)', (BLENDER_ADDON / "__init__.py").read_text())
    assert numbers.replace(", ", ".") == library
