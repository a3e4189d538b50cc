"""Encoded clips as words, and back: the same clips, without encoding them again."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ossicle.encoding import native
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.settings import Settings
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Imported

HERO = Path(__file__).resolve().parents[3] / "codegen/demo/hero.glb"
CODECS = ("delta", "curve", "transform", "velocity")
# One for each kind of track that presets write; one with several schemes a clip, one with keys in tiers.
SCHEMES = ("unreal4-automatic", "acl-2017", "acl-2.1-tiers", "unreal4-linear", "riot-2015", "unity5-keyframe",
           "intro-2021")
WORD = 4  # bytes

Encode = Callable[[native.Skeleton, native.ClipInput, native.EncodeSettings], tuple]


@pytest.fixture(scope="module")
def hero() -> Imported:
    return read_clips([HERO])


def saved_and_loaded(seen: list[tuple]) -> Encode:
    """encode_clip, but every clip is one that was saved and loaded."""
    encode = native.encode_clip

    def encoded(skeleton: native.Skeleton, clip: native.ClipInput, settings: native.EncodeSettings) -> tuple:
        status, result, report = encode(skeleton, clip, settings)
        if result is None:
            return status, result, report
        words = result.saved()
        seen.append((skeleton, clip, settings, words))
        again = native.load_clip(skeleton, clip, settings, words)
        assert again is not None and again.saved() == words
        return status, again, again.report
    return encoded


@pytest.mark.parametrize("codec", [*CODECS, *SCHEMES])
def test_the_bank_is_the_same(hero: Imported, codec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(effort="fast", codec=codec) if codec in CODECS else \
        Settings(effort="fast").with_preset(codec, "test")
    expected = encode_clips(hero, settings)
    seen: list[tuple] = []
    monkeypatch.setattr(native, "encode_clip", saved_and_loaded(seen))
    result = encode_clips(hero, settings)
    assert len(seen) >= len(hero.clips)
    assert result.bank == expected.bank and result.report() == expected.report()


@pytest.mark.parametrize("codec", CODECS)
def test_other_words_are_refused(hero: Imported, codec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple] = []
    monkeypatch.setattr(native, "encode_clip", saved_and_loaded(seen))
    encode_clips(hero, Settings(effort="fast", codec=codec))
    skeleton, clip, settings, words = seen[0]
    for size in range(0, len(words), WORD * max(len(words) // WORD // 50, 1)):
        assert native.load_clip(skeleton, clip, settings, words[:size]) is None
    assert native.load_clip(skeleton, clip, settings, words + bytes(WORD)) is None
    assert native.load_clip(skeleton, clip, settings, words) is not None


def test_words_of_another_skeleton_are_refused(hero: Imported, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple] = []
    monkeypatch.setattr(native, "encode_clip", saved_and_loaded(seen))
    encode_clips(hero, Settings(effort="fast"))
    _, clip, settings, words = seen[0]
    joints = len(hero.skeleton.parents) - 1
    fewer = native.ClipInput(clip.frames[:, :joints], clip.steps[:, :joints], clip.loop)
    smaller = native.Skeleton(hero.skeleton.parents[:joints], hero.skeleton.bind[:joints])
    settings = native.EncodeSettings(settings.tolerance_m, effort="fast", codecs=settings.codecs)
    assert native.load_clip(smaller, fewer, settings, words) is None
