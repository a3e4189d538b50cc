"""A cache whose database is damaged: banks are encoded without it, with one warning, and the other uses say what to
do."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from caching import FAST, HERO, bank_through, database, opened
from ossicle.base.files.cache_folder import clear_cache_folder
from ossicle.base.problem import SettingProblem
from ossicle.encoding.cache.check import cache_facts, verify_cache
from ossicle.encoding.cache.cache import ClipCache
from ossicle.encoding.cache.store import DEFAULT_LIMIT_BYTES
from ossicle.encoding.encoder import encode_clips
from ossicle.model.clip import Imported
from mentions import mentioning, mentions

ROOT = Path(__file__).resolve().parents[2]


def check(folder: Path, hero: Imported, bank: bytes) -> list[str]:
    """Uses a damaged cache, and clears it; returns the messages."""
    messages: list[str] = []
    assert bank_through(folder, hero, say=messages.append) == bank
    assert len(messages) == len(set(messages)) <= 2  # damaged entries, a damaged database
    for use in (cache_facts, verify_cache):
        try:
            use(folder)
        except SettingProblem as problem:
            messages.append(str(problem))
    clear_cache_folder(folder)
    assert bank_through(folder, hero) == bank
    return messages


def check_useless(folder: Path, hero: Imported, bank: bytes) -> None:
    """For a database of which nothing is left."""
    remedy = f"--cache {folder}"
    encoding, *others = check(folder, hero, bank)
    assert mentions(encoding, folder)
    assert mentions(encoding, remedy)
    assert len(others) == 2
    for line in others:
        assert mentions(line, folder) and mentions(line, remedy)


def replace_database(folder: Path, content: bytes) -> None:
    for path in database(folder).parent.iterdir():
        path.unlink()
    database(folder).write_bytes(content)


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.9])  # the end of the last page may be unused
def test_a_database_that_is_cut_off(full: Path, hero: Imported, bank: bytes, share: float) -> None:
    with opened(full):
        pass  # so that all of it is in one file
    os.truncate(database(full), int(share * database(full).stat().st_size))
    assert check(full, hero, bank)


@pytest.mark.parametrize("size", [2, 16, 100, 500, 3000])
def test_a_database_of_which_less_than_a_page_is_left(full: Path, hero: Imported, bank: bytes, size: int) -> None:
    with opened(full):
        pass
    replace_database(full, database(full).read_bytes()[:size])
    check_useless(full, hero, bank)


@pytest.mark.parametrize("content", [b"no database" * 1000, bytes(100_000), b"SQLite format 3\0" + bytes(84)],
                         ids=["text", "zeros", "header"])
def test_files_that_are_not_databases(full: Path, hero: Imported, bank: bytes, content: bytes) -> None:
    replace_database(full, content)
    check_useless(full, hero, bank)


def test_an_empty_database_is_filled(full: Path, hero: Imported, bank: bytes) -> None:
    """A process that is killed while it creates the store leaves this."""
    replace_database(full, b"")
    assert bank_through(full, hero) == bank
    facts = cache_facts(full)
    assert facts.entries == facts.misses > 0 and facts.limit_bytes == DEFAULT_LIMIT_BYTES
    assert verify_cache(full) == 0


def test_pages_that_are_overwritten(full: Path, hero: Imported, bank: bytes) -> None:
    with opened(full):
        pass
    size = database(full).stat().st_size
    with open(database(full), "r+b") as file:
        for at in range(4096, size, 4096):
            file.seek(at)
            file.write(b"\xff" * 64)
    assert check(full, hero, bank)


@pytest.mark.parametrize("change", [
    "rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'Cache_expire_time') WHERE name = 'Cache_access_time'",
    "sql = replace(sql, 'size INTEGER', 'size INTEGER CHECK (size < 0)') WHERE name = 'Cache'"])
def test_verify_looks_at_the_database_itself(full: Path, change: str) -> None:
    """Also at damage that no other statement notices."""
    with opened(full) as store:
        store.execute("PRAGMA writable_schema = ON")
        store.execute(f"UPDATE sqlite_master SET {change}")
    with pytest.raises(SettingProblem, match=mentioning(full)):
        verify_cache(full)


@pytest.mark.parametrize("statement", [
    "DROP TABLE Cache", "DROP TABLE Settings", "ALTER TABLE Cache DROP COLUMN size", "DELETE FROM Settings",
    "ALTER TABLE Settings DROP COLUMN value", "UPDATE Settings SET value = CAST(x'ff' AS TEXT)",
    "UPDATE Cache SET key = CAST(x'ff' AS TEXT) WHERE rowid = 1", "UPDATE Settings SET value = 9223372036854775807",
    "CREATE TRIGGER t AFTER UPDATE ON Cache BEGIN SELECT RAISE(ABORT, 'text'); END"])
def test_other_tables(full: Path, hero: Imported, bank: bytes, statement: str) -> None:
    """Any contents of a valid database: the bank is built, and only SettingProblem is raised."""
    with opened(full) as store:
        for name, in store.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            store.execute(f"DROP TRIGGER {name}")
        store.execute(statement)
    messages: list[str] = []
    assert bank_through(full, hero, say=messages.append) == bank
    assert len(messages) <= 1
    for use in (cache_facts, verify_cache):
        try:
            use(full)
        except SettingProblem as problem:
            assert mentions(str(problem), "--cache")


USES = """
import os
import sys
from pathlib import Path
sys.path[:0] = [sys.argv[3]]
from caching import CLIPS, FAST
from ossicle.encoding.cache.cache import ClipCache
from ossicle.encoding.encoder import encode_clips
from ossicle.importers.importer import read_clips
cache = ClipCache(Path(sys.argv[2]), print)
os.truncate(Path(sys.argv[2]) / "ossicle-clips/cache.db", 5000)
bank = encode_clips(read_clips([Path(sys.argv[1])], CLIPS), FAST, 1, encode=cache.encode).bank
sys.stdout.buffer.write(bank)
"""


def test_a_database_that_is_cut_off_in_use(full: Path, bank: bytes) -> None:
    with opened(full):
        pass
    ran = subprocess.run([sys.executable, "-c", USES, str(HERO), str(full), str(Path(__file__).parent)], check=False,
                         capture_output=True, env=os.environ | {"PYTHONPATH": str(ROOT / "codegen")})
    assert ran.returncode == 0, ran.stderr
    assert bank in ran.stdout and ran.stdout.count(b"`ossicle cache clear --cache") == 1


def test_settings_that_vanish_in_use(full: Path, hero: Imported, bank: bytes) -> None:
    messages: list[str] = []
    cache = ClipCache(full, messages.append)
    with opened(full) as store:
        store.execute("DELETE FROM Settings")
        store.execute("DELETE FROM Cache")
    assert encode_clips(hero, FAST, encode=cache.encode).bank == bank
    assert len(messages) == 1
