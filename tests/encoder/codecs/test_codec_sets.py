"""Choice of the codecs of a whole bank: which sets are tried, and when the search ends."""
from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from ossicle.bank.file import parse_bank
from ossicle.base.codec import AUTO_CODECS, CodecCosts
from ossicle.encoding import encoder
from ossicle.encoding.choice import codec_chooser, ram_fitting
from ossicle.encoding.choice.codec_sets import GOALS, CodecChoice, best_first, promising, subsets
from ossicle.encoding.results import BankResult
from ossicle.encoding.settings import Settings

HERO = Path(__file__).resolve().parents[3] / "codegen/demo/hero.glb"
ROW = dict(zip(AUTO_CODECS, (3.0, 4.0, 3.5)))


def costs(*flash_bytes: int) -> CodecCosts:
    return CodecCosts("board", dict(zip(AUTO_CODECS, flash_bytes)), ROW)


def encoded(flash_bytes: tuple[int, int, int], **settings: object) -> BankResult:
    return encoder.encode([HERO], replace(Settings(effort="fast"), costs=costs(*flash_bytes), **settings))


def test_all_sets_are_tried() -> None:
    assert list(subsets(("a", "b", "c"))) == [
        ("a", "b", "c"), ("a", "b"), ("a", "c"), ("b", "c"), ("a",), ("b",), ("c",)]
    tried = {choice.codecs for choice in encoded((1000, 1000, 1000)).choices}
    assert {(codec,) for codec in AUTO_CODECS} < tried


@pytest.mark.parametrize("cheap", range(3))
def test_the_cheapest_code_wins(cheap: int) -> None:
    flash_bytes = [1 << 20] * 3
    flash_bytes[cheap] = 0
    result = encoded(tuple(flash_bytes))
    assert {clip.codec for clip in result.clips} == {AUTO_CODECS[cheap]}
    assert result.choices[0].bank_bytes == len(result.bank)
    assert result.choices[0].player_bytes == result.player_bytes


def test_the_least_weight_of_a_state_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """After weight 0, with which the state is too large."""
    whole = encoded((0, 0, 0), codec="curve")
    monkeypatch.setattr(ram_fitting, "STATE_BITS", (0, 1 << 16))
    less = encoded((0, 0, 0), codec="curve", max_ram_bytes=whole.player_bytes - 4)
    assert less.player_bytes < whole.player_bytes and {clip.codec for clip in less.clips} == {"curve"}


def test_trying_ends_where_no_code_can_be_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clips that were not tried keep their codec."""
    tries = []
    encode_clip = encoder.native.encode_clip

    def counted(skeleton, clip, settings):
        tries.append(settings.codecs)
        return encode_clip(skeleton, clip, settings)
    monkeypatch.setattr(encoder.native, "encode_clip", counted)
    monkeypatch.setattr(codec_chooser, "CLIPS_AT_A_TIME", 1)
    all_tried = encoded((0, 0, 1 << 20), optimise="bank")
    most = len(tries)
    tries.clear()
    one_tried = encoded((1 << 20, 1 << 20, 0))
    assert len(one_tried.choices) == 1 < len(all_tried.choices)
    assert len(tries) < most and {clip.codec for clip in one_tried.clips} == {"transform"}


def test_sets_that_may_win() -> None:
    """A set may win until its code saves less than half of what its clips are likely to grow by, or costs more than
    twice of what they are likely to shrink by."""
    board = costs(10, 100, 1000)
    used = ("curve", "transform")
    for share in (1.0, 0.25):
        for codecs, saved in ((("curve",), 1000), (("delta",), 1090), (AUTO_CODECS, -10)):
            most = share * saved * (2.0 if saved > 0 else 0.5)
            assert promising({used: 0, codecs: math.floor(most)}, share, board) == [used, codecs]
            assert promising({used: 0, codecs: math.floor(most) + 1}, share, board) == [used]
    assert promising({used: 0, ("curve",): 0}, 0.01, board) == [("curve",)]


def test_each_goal_has_its_order() -> None:
    small = CodecChoice(("curve",), 100, 900, 500, 40)
    cheap = CodecChoice(("delta",), 300, 200, 400, 50)
    fast = CodecChoice(("transform",), 600, 300, 450, 10)
    lean = CodecChoice(("delta", "curve"), 700, 1000, 100, 60)
    every = [small, cheap, fast, lean]
    first = {goal: best_first(every, goal, None)[0] for goal in GOALS}
    assert first == {"flash": cheap, "bank": small, "ram": lean, "cycles": fast}
    assert best_first(every, "bank", 449) == [cheap, lean, small, fast]


def test_codecs_that_cannot_win_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are tried with the first clips only, and the bank is that of the codec that wins."""
    tries: list[tuple[str, ...]] = []
    encode_clip = encoder.native.encode_clip

    def counted(skeleton, clip, settings):
        tries.append(settings.codecs)
        return encode_clip(skeleton, clip, settings)
    monkeypatch.setattr(encoder.native, "encode_clip", counted)
    monkeypatch.setattr(codec_chooser, "CLIPS_AT_A_TIME", 1)
    result = encoded((1 << 20, 0, 1 << 20))
    assert tries.count(("delta",)) <= 1 < len(result.clips) and tries.count(("curve",)) > 1
    assert [choice.codecs for choice in result.choices] == [("curve",)]
    assert result.bank == encoded((0, 0, 0), codec="curve").bank


def test_without_costs_nothing_is_tried() -> None:
    assert encoder.encode([HERO], Settings(effort="fast")).choices == []


def test_a_codec_by_name_leaves_no_choice() -> None:
    assert encoded((0, 0, 0), codec="curve").choices == []


def test_a_base_row_has_to_save_its_code() -> None:
    """On the machine, unless only the bank counts; without a machine no bank has one."""
    curve_alone = replace(costs(1 << 20, 0, 1 << 20), base_row_bytes=10)
    settings = Settings(effort="fast", costs=curve_alone, restart_log2=8)
    saving = encoder.encode([HERO], settings)
    plain = encoder.encode([HERO], replace(settings, costs=replace(curve_alone, base_row_bytes=1 << 20)))
    assert parse_bank(saving.bank).has_base_row and not parse_bank(plain.bank).has_base_row
    assert len(saving.bank) + 10 < len(plain.bank)
    assert (saving.choices[0].code_bytes, plain.choices[0].code_bytes) == (10, 0)
    assert replace(settings, optimise="bank").base_row_bytes == 1
    assert replace(settings, costs=None).base_row_bytes == 0
