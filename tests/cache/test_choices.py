"""The cache of codec choices: a character whose clips are all cached is loaded once, not with every codec."""
from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from caching import never_said
from ossicle.encoding import native
from ossicle.encoding.cache.cache import ClipCache
from ossicle.encoding.cache.choice import ChoiceCache
from ossicle.encoding.cache.entry import sealed
from ossicle.encoding.encoder import encode_clips, encode_edited
from ossicle.encoding.edits import edited
from ossicle.encoding.results import BankResult
from ossicle.encoding.settings import Settings
from ossicle.encoding.tiers.sizes import TierTargets
from ossicle.machines import known_costs
from ossicle.model.clip import Clip, Imported, Skeleton

SETTINGS = Settings(effort="fast", costs=known_costs(""))
CLIPS, FRAMES = 16, 8


def waves_of(count: int) -> Imported:
    """A chain of two joints, whose clips, of `count` frames, swing at different speeds."""
    bind = np.tile([0.0, 0.0, 0.0, 1.0, 0.0, 0.3, 0.0, 1.0, 1.0, 1.0], (2, 1))
    clips = []
    for number in range(CLIPS):
        frames = np.tile(bind, (count, 1, 1))
        half = np.sin(np.arange(count) * 0.1 * (number + 1)) / 4.0
        frames[:, 1, 0], frames[:, 1, 3] = half, np.sqrt(1.0 - half * half)
        clips.append(Clip(f"wave{number}", 30.0, frames, np.zeros((count, 2, 3), bool), "waves.bvh"))
    return Imported(Skeleton(("root", "tip"), np.array([-1, 0], np.int32), bind), clips)


@pytest.fixture(scope="module")
def waves() -> Imported:
    return waves_of(FRAMES)


class Counting(ClipCache):
    """Counts the clips that the encoder asks for."""

    asked = 0

    def encode(self, *arguments: Any) -> Any:
        self.asked += 1
        return super().encode(*arguments)


def through(folder: Path, waves: Imported, settings: Settings = SETTINGS, made_by: str = "this") \
        -> tuple[BankResult, int, ChoiceCache]:
    cache = Counting(folder, never_said)
    memory = ChoiceCache(cache, made_by)
    result = encode_edited(edited(waves, settings), settings, encode=cache.encode, memory=memory)
    return result, cache.asked, memory


def test_a_known_choice_takes_each_clip_once(tmp_path: Path, waves: Imported) -> None:
    plain = encode_clips(waves, SETTINGS)
    first, asked, _ = through(tmp_path, waves)
    again, asked_again, _ = through(tmp_path, waves)
    assert first.bank == again.bank == plain.bank and first.choices == again.choices == plain.choices
    assert asked > CLIPS == asked_again


def banks_written(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    banks: list[bytes] = []
    write = native.write_sized_bank

    def written(*arguments: Any) -> tuple[bytes, native.BankSize]:
        bank, size = write(*arguments)
        banks.append(bank)
        return bank, size
    monkeypatch.setattr(native, "write_sized_bank", written)
    return banks


def test_the_bank_of_a_known_choice_is_written_once(tmp_path: Path, waves: Imported,
                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    first, _, _ = through(tmp_path, waves)
    banks = banks_written(monkeypatch)
    again, _, _ = through(tmp_path, waves)
    assert again.bank == first.bank and len(banks) == 1


def test_the_bank_of_a_known_choice_has_its_tiers(tmp_path: Path) -> None:
    waves, settings = waves_of(64 * FRAMES), replace(SETTINGS, tiers=TierTargets(errors_m=(0.02,)))
    first, asked, _ = through(tmp_path, waves, settings)
    again, asked_again, _ = through(tmp_path, waves, settings)
    assert again.bank == first.bank and len(again.parsed.tiers) == 1
    assert asked_again < asked  # the choice was known


@pytest.mark.parametrize("change", [
    lambda waves: (waves, SETTINGS, "another version"),
    lambda waves: (waves, replace(SETTINGS, optimise="bank"), "this"),
    lambda waves: (waves, replace(SETTINGS, restart_log2=2), "this"),
    lambda waves: (replace(waves, clips=waves.clips[::-1]), SETTINGS, "this"),
    lambda waves: (replace(waves, clips=[*waves.clips[:-1], replace(waves.clips[-1], frames=waves.clips[0].frames)]),
                   SETTINGS, "this"),
    lambda waves: (replace(waves, clips=[*waves.clips[:-1], replace(waves.clips[-1], name="other")]), SETTINGS, "this"),
])
def test_any_change_is_another_choice(tmp_path: Path, waves: Imported,
                                      change: Callable[[Imported], tuple[Imported, Settings, str]]) -> None:
    through(tmp_path, waves)
    changed, settings, made_by = change(waves)
    allowed = [settings.options_for(clip.name).codecs for clip in changed.clips]
    memory = ChoiceCache(ClipCache(tmp_path, never_said), made_by)
    assert memory.recalled(edited(changed, settings).imported, settings, allowed) is None


@pytest.mark.parametrize("damage", [
    lambda table: [],
    lambda table: table | {"codecs": table["codecs"][1:]},
    lambda table: table | {"codecs": [["velocity"]] * CLIPS},
    lambda table: table | {"codecs": [["delta", "curve"]] * CLIPS},
    lambda table: table | {"codecs": [[7]] * CLIPS},
    lambda table: table | {"tried": []},
    lambda table: table | {"tried": [table["tried"][0] | {"bank_bytes": 1}]},
    lambda table: table | {"tried": [table["tried"][0] | {"row": "many"}]},
    lambda table: table | {"tried": [table["tried"][0] | {"codecs": ["none"]}]},
    lambda table: table | {"tried": [{}]},
])
def test_invalid_choices_are_ignored(tmp_path: Path, waves: Imported, damage: Callable[[Any], Any]) -> None:
    first, _, memory = through(tmp_path, waves)
    key = memory._key
    assert key is not None
    table = {"codecs": [()] * CLIPS, "tried": [vars(choice) for choice in first.choices]}
    ClipCache(tmp_path, never_said).store(key, sealed(key, native.OK, json.dumps(damage(table)).encode()))
    again, asked, _ = through(tmp_path, waves)
    assert again.bank == first.bank and again.choices == first.choices and asked > CLIPS
