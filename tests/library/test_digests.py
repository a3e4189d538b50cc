"""Files that have changed are read again, and no others."""
from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ossicle.building import digests
from ossicle.encoding.cache.place import VARIABLE
from running import HERO, Ran, run_command, run_inside, write_bvh
from mentions import mentions

LONG_AGO_S = time.time() - 1000.0


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of all files whose digests are made by reading them, in order."""
    names: list[str] = []
    reading = digests.read_file

    def note(path: Path) -> bytes:
        names.append(path.name)
        return reading(path)
    monkeypatch.setattr(digests, "read_file", note)
    return names


_noted: list[list[str]] = []  # an audit hook stays until the process ends


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and _noted and isinstance(arguments[0], str):
        _noted[-1].append(Path(arguments[0]).name)


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """The names of all files that are opened, in order."""
    sys.addaudithook(_note)
    _noted.append([])
    yield _noted[-1]
    _noted.clear()


def let_age() -> None:
    """Moves the clock by two seconds, so that files written now are old."""
    digests._YOUNG_NS = -1


@pytest.fixture(autouse=True)
def the_age_of_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digests, "_YOUNG_NS", digests._YOUNG_NS)


def test_the_digest_of_several_files(tmp_path: Path, read: list[str]) -> None:
    """They are read if one of them changes, appears or disappears."""
    paths = [tmp_path / name for name in ("a", "b", "absent")]
    for path in paths[:2]:
        path.write_text(path.name, encoding="utf-8")
    let_age()

    def digest(names: list[Path]) -> tuple[str, int]:
        read.clear()
        return digests.digest_of_all("both", [str(path) for path in names]), len(read)
    with digests.remembered_in(tmp_path / "kept"):
        first, count = digest(paths)
        assert count == 2 and digest(paths) == (first, 0)
        assert digest(paths[::-1])[0] != first != digest(paths[:1])[0]
        paths[1].write_text("changed", encoding="utf-8")
        second, count = digest(paths)
        assert second != first and count == 1
        paths[2].touch()
        third, count = digest(paths)
        assert third not in (first, second) and count == 1
        paths[0].unlink()
        assert digest(paths)[0] not in (first, second, third)
    assert digest(paths)[1] == 3  # without a folder, all are read


def test_an_unchanged_library_is_not_read(folder: Path, read: list[str]) -> None:
    build = ("build", "library.toml", "--cache", "kept")
    assert run_inside(*build, "--quiet") == Ran(0, "", "")
    let_age()
    for _ in range(2):
        read.clear()
        assert mentions(run_inside(*build).out, "hero")
    assert read == []
    assert run_command(*build).out.count("is unchanged") == 6
    write_bvh(folder / "swing/clip1.bvh", speed=7.0)
    ran = run_inside(*build)
    assert set(read) >= {"clip1.bvh"} and "clip2.bvh" not in read
    assert ran.out.count("is unchanged") == 4 and "one1.ossb" in ran.out and "swing.ossb" in ran.out


def test_sources_that_have_not_changed_are_not_opened(folder: Path, opened: list[str]) -> None:
    for name in ("a", "b"):
        shutil.copy(HERO, folder / f"{name}.glb")
    Path("glb.toml").write_text("".join(f'[character.{name}]\ninputs = ["{name}.glb"]\nclips = ["Idle"]\n'
                                        for name in "ab"), encoding="utf-8")
    build = ("build", "glb.toml", "--cache", "kept", "--quiet")
    assert run_inside(*build) == Ran(0, "", "")
    let_age()
    assert run_inside(*build) == Ran(0, "", "")
    os.utime("a.glb", (LONG_AGO_S, LONG_AGO_S))
    (folder / "a.ossb").unlink()
    opened.clear()
    assert run_inside(*build) == Ran(0, "", "")
    assert "a.glb" in opened and "b.glb" not in opened


@pytest.mark.exhaustive
def test_files_that_workers_have_read_are_not_reopened(folder: Path, opened: list[str]) -> None:
    Path("hero.toml").write_text(f'inputs = ["{HERO}"]\nclips = ["Idle"]\neffort = "fast"\n', encoding="utf-8")
    build = ("build", "hero.toml", "--cache", "kept", "--quiet", "--workers", "1")
    assert run_command(*build) == Ran(0, "", "")
    assert run_inside(*build) == Ran(0, "", "")
    assert "hero.toml" in opened and HERO.name not in opened


def test_young_files_are_always_read(folder: Path, read: list[str]) -> None:
    path = folder / "swing/clip0.bvh"
    with digests.remembered_in(folder / "kept"):
        first = [digests.digest(path) for _ in range(3)]
        assert len(set(first)) == 1 and read == ["clip0.bvh"] * 3
        let_age()
        assert [digests.digest(path) for _ in range(3)] == first and len(read) == 4


def test_a_file_that_changes_as_it_is_read_is_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even on systems that keep no time of changes, where it may be put back as it was."""
    let_age()
    path, reading = folder / "a.txt", digests.read_file

    def write(text: str, seconds: float) -> None:
        path.write_text(text, encoding="utf-8")
        os.utime(path, (seconds, seconds))

    def read_late(path: Path) -> bytes:
        write("afters", LONG_AGO_S + 1)
        return reading(path)
    monkeypatch.setattr(digests, "_state", lambda there: f"{there.st_size} {there.st_mtime_ns}")
    write("before", LONG_AGO_S)
    with digests.remembered_in(folder / "kept"):
        with monkeypatch.context() as change:
            change.setattr(digests, "read_file", read_late)
            assert digests.digest(path) == digests.digest_of(b"afters")
        write("before", LONG_AGO_S)
        assert digests.digest(path) == digests.digest_of(b"before")


@pytest.mark.parametrize("seconds", [-1000.0, 1000.0])
def test_files_are_young_by_either_time(folder: Path, read: list[str], seconds: float) -> None:
    """A file whose time was set back has just been changed; one from the future may be written again at that time."""
    path = folder / "swing/clip0.bvh"
    os.utime(path, (time.time() + seconds, time.time() + seconds))
    if seconds > 0.0:
        let_age()
    with digests.remembered_in(folder / "kept"):
        for _ in range(2):
            digests.digest(path)
    assert read == ["clip0.bvh"] * 2


@pytest.mark.parametrize("change", ["size", "time", "number", "content"])
def test_every_sign_of_a_change_counts(folder: Path, read: list[str], change: str) -> None:
    let_age()
    path = folder / "a.txt"
    path.write_text("before", encoding="utf-8")
    os.utime(path, (LONG_AGO_S, LONG_AGO_S))
    with digests.remembered_in(folder / "kept"):
        before = digests.digest(path)
        time.sleep(0.02)  # more than the resolution of ctime
        if change == "size":
            path.write_text("after that", encoding="utf-8")
        elif change == "time":
            os.utime(path, (LONG_AGO_S + 1, LONG_AGO_S + 1))
        elif change == "number":
            (folder / "b.txt").write_text("afters", encoding="utf-8")
            os.replace(folder / "b.txt", path)
        else:
            path.write_text("afters", encoding="utf-8")
        os.utime(path, (LONG_AGO_S, LONG_AGO_S)) if change != "time" else None
        assert digests.digest(path) == digests.digest_of(path.read_bytes())
        assert (digests.digest(path) == before) == (change == "time")
    assert read.count("a.txt") == 2


def test_a_memory_that_fails_costs_only_time(folder: Path, read: list[str]) -> None:
    let_age()
    path = folder / "swing/clip0.bvh"
    with digests.remembered_in(folder / "kept"):
        expected = digests.digest(path)
    with sqlite3.connect(folder / "kept/digests.db") as store:
        store.execute("DROP TABLE digests")
        store.execute("CREATE TABLE digests (other TEXT)")
    with digests.remembered_in(folder / "kept"):
        assert digests.digest(path) == expected
    (folder / "kept/digests.db").write_bytes(b"no database" * 1000)
    with digests.remembered_in(folder / "kept"):
        assert digests.digest(path) == expected
    assert len(read) == 3


def test_builds_share_a_memory(folder: Path, read: list[str]) -> None:
    let_age()
    kept, (first, second, third) = folder / "kept", (folder / f"swing/clip{clip}.bvh" for clip in range(3))
    began = time.monotonic()
    with digests.remembered_in(kept):
        digests.digest(first)
        with digests.remembered_in(kept):
            digests.digest(second)
        digests.digest(third)
    assert time.monotonic() - began < digests._WAIT_S / 2
    with digests.remembered_in(kept):
        for path in (first, second, third):
            digests.digest(path)
    assert sorted(read) == ["clip0.bvh", "clip1.bvh", "clip2.bvh"]


def test_names_need_not_be_text(folder: Path, read: list[str]) -> None:
    let_age()
    place = folder / os.fsdecode(b"caf\xe9")
    try:
        (folder / "swing").rename(place)
    except OSError:
        pytest.skip("this file system has only names that are text")
    for _ in range(2):
        with digests.remembered_in(folder / "kept"):
            assert digests.digest(place / "clip0.bvh") == digests.digest_of((place / "clip0.bvh").read_bytes())
    assert read == ["clip0.bvh"]


def test_an_older_memory_is_no_obstacle(folder: Path, read: list[str]) -> None:
    let_age()
    path = folder / "swing/clip0.bvh"
    with digests.remembered_in(folder / "kept"):
        pass
    with closing(sqlite3.connect(folder / "kept/digests.db")) as store, store:
        store.execute("DROP TABLE digests")
        store.execute("CREATE TABLE digests (place TEXT PRIMARY KEY, state TEXT, digest TEXT)")
        store.execute("INSERT INTO digests VALUES (?, 'state', 'digest')", (str(path),))
    for _ in range(2):
        with digests.remembered_in(folder / "kept"):
            assert digests.digest(path) == digests.digest_of(path.read_bytes())
    assert read == ["clip0.bvh"]


def test_nothing_is_kept_unasked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "caches"))
    assert run_inside("build", "library.toml", "-o", "out", "--quiet") == Ran(0, "", "")
    assert not (folder / "caches").exists()
    monkeypatch.setenv(VARIABLE, str(folder / "swing"))
    assert mentions(run_inside("build", "library.toml", "-o", "out").line, folder / "swing")
    assert mentions(run_command("build", "library.toml", "-o", "out").line, folder / "swing")
