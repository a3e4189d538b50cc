"""A cache that somebody else has written: nothing of it runs, and nothing outside its folder is read, written or
removed."""
from __future__ import annotations

import os
import pickle
import random
from pathlib import Path

import pytest

from caching import bank_through, opened
from ossicle.base.files.cache_folder import clear_cache_folder
from ossicle.base.problem import SettingProblem
from ossicle.encoding.cache.check import cache_facts, verify_cache
from ossicle.encoding.cache.cache import ClipCache
from ossicle.encoding.cache.entry import sealed
from ossicle.base.encoder_library import declarations
from ossicle.encoding.report_bytes import report_bytes
from ossicle.model.clip import Imported
from mentions import mentioning, mentions

RAW, BINARY, PICKLE = 1, 2, 4  # modes of rows of diskcache


class Bomb:
    """An object that leaves a trace when it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple:
        return open, (str(self.trace), "w")


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A folder beside the cache, with files that are named as those of a cache; everything in it must stay as it is."""
    (tmp_path / "mine/ab/cd").mkdir(parents=True)
    for name in ("letter", "ab/cd/0123456789abcdef01234567.val"):
        (tmp_path / "mine" / name).write_bytes(b"mine")
    return tmp_path / "mine"


def state(folder: Path) -> dict[str, tuple]:
    return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in folder.rglob("*")}


def use(folder: Path, hero: Imported, bank: bytes) -> list[str]:
    """Does everything that can be done with a cache; returns the messages. The bank is right in every case."""
    messages: list[str] = []
    assert bank_through(folder, hero, say=messages.append) == bank
    for act in (cache_facts, verify_cache, cache_facts):
        try:
            act(folder)
        except SettingProblem as problem:
            messages.append(str(problem))
    ClipCache(folder, messages.append, limit_bytes=1000)  # so that all is removed
    assert bank_through(folder, hero, say=messages.append) == bank
    clear_cache_folder(folder)
    return messages


def test_values_and_keys_never_run(tmp_path: Path, full: Path, hero: Imported, bank: bytes) -> None:
    trace = tmp_path / "trace"
    with opened(full) as store:
        store.execute("UPDATE Cache SET mode = ?, value = ?", (PICKLE, pickle.dumps(Bomb(trace))))
        store.execute("INSERT INTO Cache(key, raw, store_time, access_time, mode, value) VALUES (?, 0, 0, 0, 1, ?)",
                      (pickle.dumps(Bomb(trace)), b""))
    use(full, hero, bank)
    assert not trace.exists()


@pytest.mark.parametrize("name", ["../../mine/letter", "{mine}/letter", "../../mine/ab/cd/0123456789abcdef01234567.val",
                                  "ab/cd/0123456789abcdef01234567.val", "", None, b"letter", 5])
@pytest.mark.parametrize("mode", [RAW, BINARY, PICKLE])
def test_files_that_rows_name_are_left_alone(full: Path, mine: Path, hero: Imported, bank: bytes, name: object,
                                             mode: int) -> None:
    (full / "ossicle-clips/ab").symlink_to(mine / "ab")
    name = name.format(mine=mine) if isinstance(name, str) else name
    with opened(full) as store:
        store.execute("UPDATE Cache SET filename = ?, mode = ?, expire_time = CASE rowid % 2 WHEN 0 THEN 1 END",
                      (name, mode))
    before = state(mine)
    use(full, hero, bank)
    assert state(mine) == before


@pytest.mark.parametrize("name, value", [
    ("_directory", "{mine}"), ("disk__directory", "{mine}"), ("disk_directory", "{mine}"), ("_disk", "text"),
    ("_timeout", "text"), ("sqlite_journal_mode", "ATTACH {mine}/letter"), ("sqlite_database_list", 1),
    ("sqlite_mmap_size", "1; 2"), ("eviction_policy", "none"), ("eviction_policy", "text"), ("size_limit", "text"),
    ("size_limit", None), ("size_limit", b"5"), ("size_limit", 1.5), ("cull_limit", "text"), ("tag_index", "text"),
    ("statistics", "text"), ("disk_min_file_size", 0), ("disk_pickle_protocol", "text"), ("count", "text"),
    ("size", None), ("hits", "text"), ("misses", b"text"), ("encode", "text"), (b"bytes", 1), ("", 1)])
def test_settings_are_taken_or_refused(full: Path, mine: Path, hero: Imported, bank: bytes, name: object,
                                       value: object) -> None:
    value = value.format(mine=mine) if isinstance(value, str) else value
    with opened(full) as store:
        store.execute("INSERT OR REPLACE INTO Settings VALUES (?, ?)", (name, value))
    before = state(mine)
    for line in use(full, hero, bank):
        assert mentions(line, full) and mentions(line, f"--cache {full}")
    assert state(mine) == before and not full.exists()


@pytest.mark.parametrize("link", ["ossicle-clips", "ossicle-clips/cache.db"])
def test_links_are_not_followed(full: Path, mine: Path, hero: Imported, link: str) -> None:
    os.rename(full / link, mine / "moved")
    (full / link).symlink_to(mine / "moved")
    before = state(mine)
    for use_it in (lambda: bank_through(full, hero), lambda: cache_facts(full), lambda: verify_cache(full)):
        with pytest.raises(SettingProblem, match=mentioning(link)):
            use_it()
    assert state(mine) == before


def test_rows_that_are_never_written_are_removed_once(full: Path) -> None:
    whole = cache_facts(full).entries
    columns = "key, raw, store_time, access_time, expire_time, mode, value"
    rows = [(None, 1, 0, 0, None, RAW, b""), ("text", 1, 0, 0, None, RAW, b""), (b"short", 1, 0, 0, None, RAW, b""),
            (bytes(32), 0, 0, 0, None, RAW, b""), (bytes(32), 1, 0, 0, 1.0, RAW, b""),
            (bytes(31) + b"a", 1, 0, 0, None, 9, b""),
            (bytes(31) + b"b", 1, 0, 0, None, RAW, "text"), (bytes(31) + b"c", 1, "text", b"", None, RAW, None)]
    with opened(full) as store:
        store.executemany(f"INSERT INTO Cache({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    assert verify_cache(full) == len(rows) and verify_cache(full) == 0
    assert cache_facts(full).entries == whole


@pytest.mark.parametrize("column, value", [
    ("key", "{text}"), ("key", None), ("key", b"short"), ("key", bytes(33)), ("raw", 0), ("raw", None),
    ("expire_time", 1e12), ("mode", PICKLE), ("mode", None), ("filename", "letter"), ("filename", ""),
    ("value", "text"), ("value", None)])
def test_each_foreign_row_is_removed(full: Path, column: str, value: object) -> None:
    """An entry with one bad column."""
    whole = cache_facts(full).entries
    with opened(full) as store:
        row, key, content = store.execute("SELECT rowid, key, value FROM Cache LIMIT 1").fetchone()
        if column == "key":
            value = "x" * len(key) if value == "{text}" else value
            content = sealed(value if isinstance(value, bytes) else b"", 0, b"")
        store.execute(f"UPDATE Cache SET value = ?, {column} = ? WHERE rowid = ?"
                      if column != "value" else "UPDATE Cache SET value = coalesce(?, ?) WHERE rowid = ?",
                      (content, value, row) if column != "value" else (None, value, row))
    assert verify_cache(full) == 1 and verify_cache(full) == 0
    assert cache_facts(full).entries == whole - 1


@pytest.mark.parametrize("status", [*range(-8, 0), 1, 99])
def test_reports_of_other_clips_are_not_taken(full: Path, hero: Imported, bank: bytes, status: int) -> None:
    """Whole entries that say that a clip cannot be encoded, at joints that it does not have."""
    noise = random.Random(status)
    size = len(report_bytes(declarations().new("enc_report *")))
    with opened(full) as store:
        for row, key in store.execute("SELECT rowid, key FROM Cache").fetchall():
            store.execute("UPDATE Cache SET value = ? WHERE rowid = ?",
                          (sealed(key, status, noise.randbytes(size)), row))
    messages: list[str] = []
    assert bank_through(full, hero, say=messages.append) == bank
    assert len(messages) == 1 and mentions(messages[0], full)
