"""Caches are kept in private folders: no other user made them or can write to them."""
from __future__ import annotations

import errno
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from caching import bank_through, never_said
from ossicle.base.files.cache_folder import DIGESTS, MARK, make_cache_folder
from ossicle.base.files.private_folder import make_private_folder
from ossicle.base.problem import SettingProblem
from ossicle.building import digests
from ossicle.encoding.cache.place import digests_folder, users_cache
from ossicle.building.digests import digest, remembered_in
from ossicle.encoding.cache.cache import ClipCache
from ossicle.model.clip import Imported
from mentions import mentioning

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="folders have no owner here")


def mode(folder: Path) -> int:
    return stat.S_IMODE(folder.stat().st_mode)


@pytest.fixture
def of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that another user has made."""
    make_cache_folder(tmp_path / "theirs")
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    return tmp_path / "theirs"


@pytest.mark.parametrize("mask", [0, 0o022, 0o777])
def test_new_folders_are_private(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask & 0o077)
    try:
        make_cache_folder(tmp_path / "a/b/cache")
        make_private_folder(tmp_path / "objects")
    finally:
        os.umask(before)
    assert mode(tmp_path / "a/b/cache") == mode(tmp_path / "objects") == 0o700
    assert (tmp_path / "a/b/cache" / MARK).exists()


@pytest.mark.parametrize("open_for", [0o777, 0o755, 0o770, 0o701, 0o740])
def test_folders_that_others_may_enter_are_closed(tmp_path: Path, hero: Imported, bank: bytes, open_for: int) -> None:
    folder = tmp_path / "cache"
    bank_through(folder, hero)
    folder.chmod(open_for)
    assert bank_through(folder, hero) == bank
    assert mode(folder) == 0o700


def test_folders_that_hold_something_else_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "letter").touch()
    tmp_path.chmod(0o755)
    with pytest.raises(SettingProblem):
        make_cache_folder(tmp_path)
    assert mode(tmp_path) == 0o755


def test_folders_of_other_users_are_refused(of_others: Path) -> None:
    before = sorted(of_others.iterdir())
    for use in (lambda: ClipCache(of_others, never_said), lambda: make_private_folder(of_others)):
        with pytest.raises(SettingProblem, match=mentioning("theirs")):
            use()
    with pytest.raises(SettingProblem, match=mentioning("theirs")), remembered_in(of_others):
        pass
    assert sorted(of_others.iterdir()) == before


def test_a_folder_that_nobody_can_create_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As below /proc, where it is reported as missing, as if another process had just cleared it."""
    def absent(folder: Path, *_: object, **__: object) -> None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder))
    monkeypatch.setattr(Path, "mkdir", absent)
    with pytest.raises(FileNotFoundError):
        make_cache_folder(tmp_path / "cache")
    with pytest.raises(SettingProblem, match=mentioning("cache")):
        ClipCache(tmp_path / "cache", never_said)


def test_the_target_of_a_link_is_checked(of_others: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(of_others)
    with pytest.raises(SettingProblem, match=mentioning("link")):
        make_cache_folder(tmp_path / "link")


def test_an_empty_folder_of_another_user_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The target of the link could get any content later."""
    (tmp_path / "empty").mkdir(mode=0o777)
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    with pytest.raises(SettingProblem, match=mentioning(tmp_path / "empty")):
        make_cache_folder(tmp_path / "empty")
    assert not list((tmp_path / "empty").iterdir())


def test_the_cache_of_the_user_is_unused(of_others: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder of another user, as after sudo, nothing is remembered, and the build continues."""
    monkeypatch.delenv("OSSICLE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(of_others.parent))
    of_others.rename(of_others.parent / "ossicle")
    assert users_cache() == of_others.parent / "ossicle" and digests_folder(None) is None


def test_a_user_without_a_home_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("no home")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("OSSICLE_CACHE")
    monkeypatch.setattr(Path, "home", nowhere)
    assert users_cache() is None and digests_folder(None) is None


@pytest.mark.parametrize("name", [DIGESTS, f"{DIGESTS}-journal"])
def test_digests_do_not_follow_links(tmp_path: Path, name: str) -> None:
    folder, mine = tmp_path / "cache", tmp_path / "mine"
    make_cache_folder(folder)
    (folder / name).symlink_to(mine)
    with pytest.raises(SettingProblem, match=mentioning(name)), remembered_in(folder):
        pass
    assert not mine.exists()


@pytest.mark.parametrize("value", [b"\xff", None, b"x" * 64])
def test_digests_are_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: object) -> None:
    """A remembered entry of the right file but of another type is ignored."""
    file, folder = tmp_path / "walk.bvh", tmp_path / "cache"
    file.write_text("HIERARCHY", encoding="utf-8")
    monkeypatch.setattr(digests, "_YOUNG_NS", -1)  # as if the file were old enough to be remembered
    with remembered_in(folder):
        expected = digest(file)
    with closing(sqlite3.connect(folder / DIGESTS)) as store, store:
        assert store.execute("UPDATE digests SET digest = ?", (value,)).rowcount == 1
    with remembered_in(folder):
        assert digest(file) == expected
