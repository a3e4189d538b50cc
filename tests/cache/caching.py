"""Makes banks with a cache, and reaches into its database."""
from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ossicle.encoding.cache.cache import ClipCache
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.settings import Settings
from ossicle.model.clip import Imported
from ossicle.model.import_options import ImportOptions

HERO = Path(__file__).resolve().parents[2] / "codegen/demo/hero.glb"
FAST = Settings(effort="fast")
CLIPS = ImportOptions(only=("Walk", "Run", "Jump"))


def never_said(line: str) -> None:
    raise AssertionError(line)


def bank_through(folder: Path, hero: Imported, settings: Settings = FAST,
                 say: Callable[[str], None] = never_said) -> bytes:
    return encode_clips(hero, settings, encode=ClipCache(folder, say).encode).bank


def database(folder: Path) -> Path:
    """The file in which a cache keeps its clips."""
    return folder / "ossicle-clips/cache.db"


@contextmanager
def opened(folder: Path) -> Iterator[sqlite3.Connection]:
    """The database of a cache, which is changed when the block ends, and lies in its one file."""
    with closing(sqlite3.connect(database(folder))) as store:
        with store:
            yield store
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
