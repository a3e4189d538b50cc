"""The cache of encoded clips: banks are the same as without it, even if its folder is damaged."""
from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from caching import CLIPS, FAST, HERO, bank_through, never_said, opened
from ossicle.base.files.cache_folder import clear_cache_folder
from ossicle.base.problem import SettingProblem
from ossicle.encoding import native
from ossicle.encoding.cache.check import cache_facts, verify_cache
from ossicle.encoding.cache.cache import ClipCache
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.problems import EncodeProblem
from ossicle.encoding.settings import Settings
from ossicle.model.clip import Imported
from mentions import mentioning

WRITERS, ROUNDS = 8, 3
DAMAGE_EVERY_S = 0.02
LIMIT_BYTES = 200_000  # of a cache that has to remove entries
SLACK_BYTES = 100_000  # of the database itself


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[native.ClipInput]:
    """The clips that were really encoded."""
    seen: list[native.ClipInput] = []
    encode = native.encode_clip

    def counted(skeleton: native.Skeleton, clip: native.ClipInput, settings: native.EncodeSettings) -> tuple:
        seen.append(clip)
        return encode(skeleton, clip, settings)
    monkeypatch.setattr(native, "encode_clip", counted)
    return seen


def change_entries(folder: Path, change: Callable[[bytes], object], mode: int | None = None) -> int:
    """Changes all entries that lie in the database itself; returns how many."""
    with opened(folder) as store:
        rows = store.execute("SELECT rowid, value FROM Cache WHERE filename IS NULL").fetchall()
        for row, value in rows:
            store.execute("UPDATE Cache SET value = ? WHERE rowid = ?", (change(bytes(value)), row))
            if mode is not None:
                store.execute("UPDATE Cache SET mode = ? WHERE rowid = ?", (mode, row))
    return len(rows)


def test_nothing_is_encoded_twice(tmp_path: Path, hero: Imported, bank: bytes, encoded: list) -> None:
    assert bank_through(tmp_path, hero) == bank
    assert len(encoded) >= len(hero.clips)
    encoded.clear()
    assert bank_through(tmp_path, hero) == bank
    assert encoded == []
    facts = cache_facts(tmp_path)
    assert (facts.hits, facts.misses) == (facts.entries, facts.entries) and facts.hit_rate == 0.5


def test_names_do_not_count_and_samples_do(tmp_path: Path, hero: Imported, encoded: list) -> None:
    bank_through(tmp_path, hero)
    encoded.clear()
    renamed = replace(hero, clips=[replace(clip, name=f"{clip.name} again") for clip in hero.clips])
    bank_through(tmp_path, renamed)
    assert encoded == []
    first = hero.clips[0]
    moved = replace(first, frames=first.frames + [0, 0, 0, 0, 1e-6, 0, 0, 0, 0, 0])
    bank_through(tmp_path, replace(hero, clips=[moved, *hero.clips[1:]]))
    assert len(encoded) == 1


@pytest.mark.parametrize("change", [
    lambda value: value[:-1], lambda value: value[:40], lambda value: b"", lambda value: "text",
    lambda value: None, lambda value: 5, lambda value: bytes([value[0] ^ 1]) + value[1:],
    lambda value: value[:60] + bytes([value[60] ^ 64]) + value[61:]])
def test_damaged_entries_are_encoded_again(tmp_path: Path, hero: Imported, bank: bytes, change: Callable) -> None:
    bank_through(tmp_path, hero)
    count, messages = change_entries(tmp_path, change), []
    assert count >= len(hero.clips)
    assert bank_through(tmp_path, hero, say=messages.append) == bank
    assert len(messages) == (change(bytes(100)) is not None) and all("damaged" in line for line in messages)
    assert bank_through(tmp_path, hero) == bank  # they were replaced


def test_entries_of_another_clip_are_not_taken(tmp_path: Path, hero: Imported, bank: bytes) -> None:
    """Whole entries under wrong keys."""
    bank_through(tmp_path, hero)
    with opened(tmp_path) as store:
        values = [value for value, in store.execute("SELECT value FROM Cache ORDER BY rowid")]
        for row, value in zip(store.execute("SELECT rowid FROM Cache ORDER BY rowid").fetchall(),
                              values[1:] + values[:1]):
            store.execute("UPDATE Cache SET value = ? WHERE rowid = ?", (value, *row))
    messages: list[str] = []
    assert bank_through(tmp_path, hero, say=messages.append) == bank
    assert len(messages) == 1 and "damaged" in messages[0]


def test_failures_are_kept_as_well(tmp_path: Path, hero: Imported, encoded: list) -> None:
    """Only the clip that fails the build is encoded again, because a cached refusal is untrusted."""
    settings = Settings(effort="fast").with_preset("unreal4-fixed32", "test")
    problems = []
    for _ in range(2):
        encoded.clear()
        with pytest.raises(EncodeProblem) as problem:
            bank_through(tmp_path, hero, settings)
        problems.append(str(problem.value))
    assert problems[0] == problems[1] and 0 < len(encoded) < len(hero.clips)


def test_a_loop_that_is_open_is_refused_from_the_cache(tmp_path: Path, hero: Imported, encoded: list) -> None:
    """Its report has no chain."""
    clip, skeleton = hero.clips[0], native.Skeleton(hero.skeleton.parents, hero.skeleton.bind)
    open_loop = native.ClipInput(clip.frames[:8], clip.steps[:8], True)
    cache = ClipCache(tmp_path, never_said)
    results = [cache.encode(skeleton, open_loop, native.EncodeSettings(1e-3)) for _ in range(2)]
    assert [(status, report.joint, report.chain_joint) for status, _, report in results] == [
        (native.ERROR_LOOP, results[0][2].joint, -1)] * 2 and len(encoded) == 1


def test_the_limit_is_kept(tmp_path: Path, hero: Imported) -> None:
    store = ClipCache(tmp_path, never_said, LIMIT_BYTES)
    for tolerance in range(1, 20):
        settings = replace(FAST, tolerance=replace(FAST.tolerance, metres=tolerance * 1e-4))
        encode_clips(hero, settings, encode=store.encode)
    facts = cache_facts(tmp_path)
    assert facts.limit_bytes == LIMIT_BYTES and facts.size_bytes < LIMIT_BYTES + SLACK_BYTES
    assert 0 < facts.entries < facts.misses


def test_a_thread_may_give_up_at_any_moment(tmp_path: Path, hero: Imported, bank: bytes) -> None:
    class GivenUp(ClipCache):
        """Whenever it has looked at its store, another thread has found that the store fails."""

        def __getattribute__(self, name: str) -> object:
            found = super().__getattribute__(name)
            if name == "_store":
                self._store = None
            return found
    cache = GivenUp(tmp_path, never_said)
    assert encode_clips(hero, FAST, encode=cache.encode).bank == bank


def test_verify_finds_damage(tmp_path: Path, hero: Imported) -> None:
    bank_through(tmp_path, hero)
    assert verify_cache(tmp_path) == 0
    count = change_entries(tmp_path, lambda value: value[:-2])
    before = cache_facts(tmp_path)
    assert verify_cache(tmp_path) == count and verify_cache(tmp_path) == 0
    assert cache_facts(tmp_path).hits == before.hits


def test_other_folders_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(SettingProblem, match=mentioning(tmp_path)):
        ClipCache(tmp_path, never_said)
    with pytest.raises(SettingProblem, match=mentioning(tmp_path)):
        clear_cache_folder(tmp_path)
    for name in ("letter.txt", "x" * 300):
        with pytest.raises(SettingProblem, match=mentioning(tmp_path / name)):
            ClipCache(tmp_path / name, never_said)
    assert (tmp_path / "letter.txt").exists()


def test_names_are_taken_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hero: Imported) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    bank_through(Path("~/kept"), hero)
    assert cache_facts(tmp_path / "~/kept").entries and not (tmp_path / "home").exists()
    with pytest.raises(SettingProblem, match=mentioning("$HOME/kept")):
        ClipCache(Path("$HOME/kept"), never_said)
    assert not (tmp_path / "$HOME").exists()


def test_files_of_others_stay(tmp_path: Path, hero: Imported) -> None:
    bank_through(tmp_path, hero)
    for name in ("hero.ossb", "ossicle-clips/walk.glb"):
        (tmp_path / name).write_text("mine", encoding="utf-8")
    assert verify_cache(tmp_path) == 0
    assert (tmp_path / "ossicle-clips/walk.glb").exists()
    clear_cache_folder(tmp_path)
    assert (tmp_path / "hero.ossb").exists() and not (tmp_path / "ossicle-cache").exists()


WRITER = """
import sys
from dataclasses import replace
from pathlib import Path
from ossicle.encoding.cache.cache import ClipCache
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.settings import Settings
from ossicle.importers.importer import read_clips
from ossicle.model.import_options import ImportOptions
hero = read_clips([Path(sys.argv[1])], ImportOptions(only=tuple(sys.argv[4:])))
cache = ClipCache(Path(sys.argv[2]), lambda line: None)
for _ in range(int(sys.argv[3])):
    sys.stdout.buffer.write(encode_clips(hero, Settings(effort="fast"), 1, encode=cache.encode).bank)
"""


def test_many_writers_and_damage(tmp_path: Path, bank: bytes) -> None:
    command = [sys.executable, "-c", WRITER, str(HERO), str(tmp_path / "cache"), str(ROUNDS), *CLIPS.only]
    root = str(Path(__file__).resolve().parents[2] / "codegen")
    writers = [subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": root})
               for _ in range(WRITERS)]
    noise = random.Random(0)
    damaged = 0
    while any(writer.poll() is None for writer in writers):
        time.sleep(DAMAGE_EVERY_S)
        with suppress(sqlite3.OperationalError):  # busy, or not yet made
            damaged += change_entries(tmp_path / "cache", lambda value: value[:50] if noise.random() < 0.3 else value)
    assert damaged
    for writer in writers:
        written, _ = writer.communicate()
        assert writer.returncode == 0 and written == bank * ROUNDS
