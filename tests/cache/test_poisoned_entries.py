"""Forged entries with valid seals: no bank exceeds its tolerance, no build fails, and nothing crashes."""
from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from caching import FAST, bank_through, never_said, opened
from ossicle.encoding import native
from ossicle.encoding.cache.cache import ClipCache
from ossicle.encoding.cache.entries import ClipEntries
from ossicle.encoding.cache.entry import sealed, unsealed
from ossicle.encoding.encoder import encode_clips
from ossicle.base.encoder_library import declarations
from ossicle.encoding.report_bytes import report_bytes
from ossicle.encoding.settings import Settings
from ossicle.model.clip import Imported

COARSE = replace(FAST, tolerance=replace(FAST.tolerance, metres=8e-3))
FINE = replace(FAST, tolerance=replace(FAST.tolerance, metres=1e-3))
CODECS = range(8)  # numbers of codecs, and of none
MUTATIONS = 60
WORDS = (0, 1, 2, 31, 32, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
REFUSALS = (native.ERROR_RANGE, native.ERROR_TOLERANCE, native.ERROR_LOOP, native.ERROR_TOO_LARGE)

Change = Callable[[int, bytes], tuple[int, bytes]]


def entries(folder: Path) -> dict[bytes, tuple[int, bytes]]:
    """The statuses and contents of all entries, by key, in the order in which they were made."""
    with opened(folder) as store:
        rows = store.execute("SELECT key, value FROM Cache ORDER BY rowid").fetchall()
    found = {bytes(key): unsealed(bytes(key), bytes(value)) for key, value in rows}
    assert found and None not in found.values()
    return found


def change_entries(folder: Path, change: Change) -> None:
    """Replaces the status and the content of every entry, and seals it again."""
    changed = {key: change(*entry) for key, entry in entries(folder).items()}
    with opened(folder) as store:
        store.executemany("UPDATE Cache SET value = ? WHERE key = ?",
                          [(sealed(key, *entry), key) for key, entry in changed.items()])


def set_word(content: bytes, word: int, value: int) -> bytes:
    words = np.frombuffer(content, "<u4").copy()
    words[word] = value
    return words.tobytes()


def errors_of(folder: Path, hero: Imported, settings: Settings) -> list[float]:
    """The largest errors of all clips, in tolerances, as the finished bank plays."""
    result = encode_clips(hero, settings, encode=ClipCache(folder, lambda line: None).encode)
    return [clip.tightest_error_mm / clip.tightest_tolerance_mm for clip in result.clips]


def test_clips_of_another_tolerance_are_encoded_again(tmp_path: Path, hero: Imported) -> None:
    fine, coarse = tmp_path / "fine", tmp_path / "coarse"
    expected = bank_through(fine, hero, FINE)
    assert bank_through(coarse, hero, COARSE) != expected
    other = iter(entries(coarse).values())
    change_entries(fine, lambda status, content: next(other))
    messages: list[str] = []
    assert bank_through(fine, hero, FINE, messages.append) == expected
    assert len(messages) == 1 and "damaged" in messages[0]
    assert bank_through(fine, hero, FINE) == expected  # they were replaced


@pytest.mark.parametrize("codec", CODECS)
def test_the_codec_of_a_clip_is_that_of_its_tracks(full: Path, hero: Imported, bank: bytes, codec: int) -> None:
    change_entries(full, lambda status, content: (status, set_word(content, 0, codec)))
    assert bank_through(full, hero, say=lambda line: None) == bank


@pytest.mark.parametrize("seed", range(3))
def test_any_word_may_be_wrong(full: Path, hero: Imported, seed: int) -> None:
    noise = random.Random(seed)

    def mutated(status: int, content: bytes) -> tuple[int, bytes]:
        word, value = noise.randrange(len(content) // 4), noise.choice((*WORDS, noise.getrandbits(32)))
        return status, set_word(content, word, value)
    for _ in range(MUTATIONS // 3):
        change_entries(full, mutated)
        assert max(errors_of(full, hero, FAST)) <= 1.0


@pytest.mark.parametrize("status", REFUSALS)
def test_no_build_fails_as_an_entry_says(full: Path, hero: Imported, bank: bytes, status: int) -> None:
    report = report_bytes(declarations().new("enc_report *"))
    change_entries(full, lambda *_: (status, report))
    assert bank_through(full, hero) == bank


@pytest.mark.parametrize("status", [0, *REFUSALS])
def test_messages_of_workers_are_measured(full: Path, hero: Imported, bank: bytes, status: int) -> None:
    report = report_bytes(declarations().new("enc_report *"))
    known = {key: sealed(key, status, report) if status else sealed(key, 0, set_word(content, 0, 2))
             for key, (_, content) in entries(full).items()}
    assert encode_clips(hero, FAST, encode=ClipEntries(native.encode_clip, known).encode).bank == bank


def test_reports_are_of_the_skeleton(full: Path, hero: Imported, bank: bytes) -> None:
    """A refusal is ignored if its report names joints that do not exist."""
    report = declarations().new("enc_report *")
    for name, value in (("joint", len(hero.skeleton.parents)), ("joint", -2), ("chain_start", 1 << 30), ("kind", 3),
                        ("tight_joint", len(hero.skeleton.parents)), ("pinned_joint", -2), ("chain_joint", 1 << 30),
                        ("tight_start", -2)):
        wrong = declarations().new("enc_report *", report[0])
        setattr(wrong, name, value)
        messages: list[str] = []
        change_entries(full, lambda *_, wrong=wrong: (native.ERROR_TOLERANCE, report_bytes(wrong)))
        assert bank_through(full, hero, say=messages.append) == bank
        assert len(messages) == 1 and "damaged" in messages[0], name
        assert bank_through(full, hero, say=never_said) == bank
