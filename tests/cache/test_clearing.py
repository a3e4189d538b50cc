"""Clearing a cache: it can be repeated after an interruption, two may do it together, and nothing else is removed."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from ossicle.base.files.cache_folder import MARK, clear_cache_folder, is_cache_folder, make_cache_folder
from ossicle.base.problem import SettingProblem
from ossicle.encoding.cache.store import ClipStore, open_store
from mentions import mentioning

ROOT = Path(__file__).resolve().parents[2]
ROUNDS, AT_ONCE, FILES = 3, 4, 200


class Killed(BaseException):
    """Ends a process in the middle."""


def make_cache(folder: Path, files: int = 2) -> None:
    make_cache_folder(folder)
    (folder / "ossicle-clips").mkdir()
    for number in range(files):
        (folder / f"ossicle-clips/cache.db{number}").write_bytes(b"clips")
    (folder / "digests.db").write_bytes(b"digests")


def clear_until(step: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Clears, and is killed before this step. Returns whether there were fewer steps."""
    steps = count()

    def killed(act: Callable) -> Callable:
        def do(*arguments: object, **more: object) -> object:
            if next(steps) == step:
                raise Killed
            return act(*arguments, **more)
        return do
    with monkeypatch.context() as patched:
        for name in ("rename", "unlink", "rmdir"):
            patched.setattr(Path, name, killed(getattr(Path, name)))
        patched.setattr(shutil, "rmtree", killed(shutil.rmtree))
        try:
            clear_cache_folder(folder)
        except Killed:
            return False
    return True


def test_a_killed_build_can_be_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for step in count():
        folder = tmp_path / f"cache{step}"
        make_cache(folder)
        finished = clear_until(step, folder, monkeypatch)
        if folder.exists() and any(folder.iterdir()):
            assert is_cache_folder(folder) and not finished
            make_cache_folder(folder)  # it can be used as well
        clear_cache_folder(folder)
        assert not (folder / MARK).exists() and (not folder.exists() or not any(folder.iterdir()))
        if finished:
            assert step > 4
            break


def test_several_can_clear_at_once(tmp_path: Path) -> None:
    code = ("import sys; from pathlib import Path; from ossicle.base.files.cache_folder import clear_cache_folder\n"
            "sys.stdin.readline(); clear_cache_folder(Path(sys.argv[1]))")
    for number in range(ROUNDS):
        folder = tmp_path / f"cache{number}"
        make_cache(folder, FILES)
        clearing = [subprocess.Popen([sys.executable, "-c", code, str(folder)], stdin=subprocess.PIPE,
                                     stderr=subprocess.PIPE,
                                     env=os.environ | {"PYTHONPATH": str(ROOT / "codegen")}) for _ in range(AT_ONCE)]
        for process in clearing:
            process.stdin.write(b"\n")
            process.stdin.flush()
        for process in clearing:
            assert (process.communicate()[1], process.returncode) == (b"", 0)
        assert not folder.exists()


def test_another_may_clear_between_any_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_cache(tmp_path / "cache")
    rename, rmtree = Path.rename, shutil.rmtree

    def renamed(path: Path, to: Path) -> Path:
        shutil.rmtree(path)
        return rename(path, to)

    def removed(path: Path) -> None:
        rmtree(path)
        rmtree(path)
    monkeypatch.setattr(Path, "rename", renamed)
    clear_cache_folder(tmp_path / "cache")
    assert not (tmp_path / "cache").exists()
    monkeypatch.setattr(Path, "rename", rename)
    monkeypatch.setattr(shutil, "rmtree", removed)
    make_cache(tmp_path / "cache")
    clear_cache_folder(tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_a_linked_folder_is_emptied_and_stays(tmp_path: Path) -> None:
    there, link = tmp_path / "disk/cache", tmp_path / "cache"
    make_cache(there)
    link.symlink_to(there)
    clear_cache_folder(link)
    assert link.is_symlink() and list(there.iterdir()) == []
    clear_cache_folder(link)  # nothing is left to do
    make_cache_folder(link)
    assert is_cache_folder(there)
    link.unlink()
    link.symlink_to(tmp_path / "nowhere")
    clear_cache_folder(link)
    assert link.is_symlink()


def test_targets_of_links_in_a_cache_stay(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "cache.db").write_bytes(b"mine")
    make_cache(tmp_path / "cache")
    for name in ("ossicle-clips/ab", "ossicle-cleared-ab"):
        (tmp_path / "cache" / name).symlink_to(mine)
    clear_cache_folder(tmp_path / "cache")
    assert (mine / "cache.db").exists() and not (tmp_path / "cache").exists()
    make_cache_folder(tmp_path / "cache")
    (tmp_path / "cache/ossicle-clips").symlink_to(mine)
    with pytest.raises(SettingProblem, match=mentioning("ossicle-clips")):
        clear_cache_folder(tmp_path / "cache")
    assert (mine / "cache.db").exists()


def test_a_mark_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    folder, mark = tmp_path / "cache", tmp_path / "cache" / MARK
    folder.mkdir()
    for target in (tmp_path / "letter", tmp_path / "nowhere/letter"):
        mark.symlink_to(target)
        make_cache_folder(folder)
        assert not target.exists()
        mark.unlink()


def test_files_that_cannot_be_removed_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_cache(tmp_path / "cache")

    def refuse(*arguments: object) -> None:
        raise PermissionError(13, "Permission denied")
    monkeypatch.setattr(shutil, "rmtree", refuse)
    with pytest.raises(SettingProblem, match=mentioning("Permission denied")):
        clear_cache_folder(tmp_path / "cache")
    assert is_cache_folder(tmp_path / "cache")


def test_a_cache_that_is_cleared_meanwhile_is_made_all_the_same(tmp_path: Path,
                                                                monkeypatch: pytest.MonkeyPatch) -> None:
    touch, folder, gone = Path.touch, tmp_path / "cache", []

    def touched(path: Path) -> None:
        if not gone:
            gone.append(folder.rmdir())
        touch(path)
    monkeypatch.setattr(Path, "touch", touched)
    make_cache_folder(folder)
    assert gone and is_cache_folder(folder)


@pytest.mark.parametrize("gone", [False, True])
def test_a_folder_is_no_other_one_because_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                     gone: bool) -> None:
    """Other processes make or clear the cache between any two looks at it."""
    folder, exists = tmp_path / "cache", os.path.lexists
    if gone:
        make_cache(folder)
    else:
        folder.mkdir()

    def changed(path: Path) -> bool:
        found = exists(path)
        if gone:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            (folder / MARK).touch()
        return found
    monkeypatch.setattr(os.path, "lexists", changed)
    make_cache_folder(folder)
    clear_cache_folder(folder)


def test_a_store_that_is_opened_while_it_is_cleared_is_in_a_marked_folder(tmp_path: Path,
                                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    folder, opening = tmp_path / "cache", ClipStore.__init__

    def opened(store: ClipStore, *arguments: object) -> None:
        opening(store, *arguments)
        (folder / MARK).unlink()
    monkeypatch.setattr(ClipStore, "__init__", opened)
    open_store(folder, None).close()
    assert is_cache_folder(folder)

    def cleared(store: ClipStore, *arguments: object) -> None:
        opening(store, *arguments)
        shutil.rmtree(folder)
    monkeypatch.setattr(ClipStore, "__init__", cleared)
    open_store(folder, None).close()
    assert is_cache_folder(folder)
