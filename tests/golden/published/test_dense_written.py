"""The reference reads a dense clip as it was written, to within the steps of its keys, with
all tiers and with fewer of them."""
from __future__ import annotations

from random import Random

import pytest
from bank_writer import BitWriter, Clip, Skeleton, write_bank
from samples.sample_motion import turn
from published.dense_writer import DenseClip, DenseTrack, fill_dense, places
from fixed import ONE, mul, ratio
from hypothesis import given, settings
from hypothesis import strategies as st
from published.keys_reference import (FIXED, FLOAT, HALF_ANGLE, NONE, RANGED, SMALL_FLOAT, SMALLEST, VARIABLE, Format,
                                      unit)
from pose_driver import Driver, Query
from reference import Decoder
from test_reference_random import QUIET, SEEDS
from tiers.tier_writer import keys_chunks, tier_sections

MOST_TIERS = 4
CUBE = [(-ONE, 2 * ONE)] * 3
SAME = 13  # bits of a component where the layout leaves it open
RATE = 12
STEPS = {FIXED: ONE >> (SAME - 1), RANGED: ONE >> (SAME - 1), FLOAT: 2, SMALL_FLOAT: ONE >> 7,
         SMALLEST: 2 * 1482957 >> 15, HALF_ANGLE: ONE >> (SAME - 2), VARIABLE: ONE >> RATE}


def _format(rng: Random, kind: int) -> Format:
    codings = [FIXED, RANGED, FLOAT, SMALL_FLOAT, VARIABLE]
    coding = rng.choice([*codings, SMALLEST, HALF_ANGLE] if kind == 0 else codings)
    four = kind == 0 and coding <= FLOAT and rng.random() < 0.5
    signed = kind == 0 and not four and coding != SMALLEST
    widths = {FLOAT: (32,) * 3, SMALL_FLOAT: (11, 11, 10), SMALLEST: (15,) * 3}.get(coding, (SAME,) * 3)
    ranges = [*CUBE, CUBE[0]][:4 if four else 3] if coding in (RANGED, VARIABLE) else []
    return Format(kind, coding, four, signed, widths, 0, ranges)


def _row(rng: Random, kind: int) -> list[int]:
    if kind == 0:  # w is far from zero, where three components say little about the fourth
        return turn([rng.uniform(-1, 1) for _ in range(3)], rng.uniform(-2.2, 2.2))
    return [rng.randint(-ONE + 9, ONE - 9) for _ in range(3)]


def _clip(rng: Random) -> DenseClip:
    tiers = rng.randint(0, MOST_TIERS)
    clip = Clip(rng.randint(1, 40), restart_log2=rng.choice([0, 1, 2, 4, 6 if tiers else 31]))
    size, period = 1 << clip.restart_log2, rng.choice([1, 1, 2, 5])
    blocks = ((clip.frame_count - 1) >> clip.restart_log2) + 1
    tracks = [DenseTrack(subtrack, _format(rng, subtrack), [_row(rng, subtrack) for _ in range(clip.frame_count)],
                         [rng.randint(RATE, 30) for _ in range(blocks)]) for subtrack in range(3)]
    if tiers == 0:
        return DenseClip(clip, tracks, period)
    kept = [sorted(rng.randint(2, min(size + 1, 40)) for _ in range(tiers)) for _ in range(rng.randint(1, 8))]
    classes = {track.subtrack: rng.randrange(len(kept)) for track in tracks if track.form.coding == VARIABLE}
    return DenseClip(clip, tracks, period, tiers, places(clip.frame_count, size, period), classes, kept)


def _bank(rng: Random) -> tuple[DenseClip, list[tuple[bytes, bool, list[int]]], Skeleton]:
    bind = [[0, 0, 0, ONE, 0, 0, 0, ONE, ONE, ONE]]
    skeleton = Skeleton([-1], bind, ([0], [0], [0]), has_scale=True)
    dense, tiers = _clip(rng), [BitWriter() for _ in range(MOST_TIERS)]
    skeleton.state_words = dense.state_words()
    fill_dense(dense, tiers)
    return dense, tier_sections(keys_chunks(0, tiers)), skeleton


def _key_frames(dense: DenseClip, track: DenseTrack, there: int) -> list[list[int]]:
    """The frames with keys of a track in the clip and the first tiers that are there, by block."""
    size, count = 1 << dense.clip.restart_log2, dense.clip.frame_count
    most = count
    if there < dense.tiers:
        most = dense.kept[dense.class_of.get(track.subtrack, 0)][there]
    blocks = []
    for first in range(0, count, size):
        last = min(first + size, count) - 1
        frames = [*range(first, last, dense.period), last]
        blocks.append([f for f in frames if not dense.tiers or dense.place_of[f] < most])
    return blocks


def _off(track: DenseTrack, got: list[int], want: list[int]) -> int:
    return max(abs(a - b) for a, b in zip(got, want, strict=True))


@settings(max_examples=150, deadline=None, suppress_health_check=QUIET)
@given(seed=SEEDS, missing=st.sets(st.integers(1, MOST_TIERS)))
def test_rows_are_as_written(driver: Driver, seed: int, missing: set[int]) -> None:
    rng = Random(seed)
    dense, sections, skeleton = _bank(rng)
    kept = [section for section in sections if section[0] not in {b"TIE%d" % t for t in missing}]
    bank = write_bank(skeleton, [dense.clip], behind=kept)
    reader = Decoder(bank).clips[0]
    there = min({*missing, MOST_TIERS + 1}) - 1  # a tier waits for those below
    for track in dense.tracks:
        for frames in _key_frames(dense, track, there):
            for frame in frames:
                off = _off(track, reader.row(frame)[track.subtrack], track.rows[frame])
                assert off <= 4 * STEPS[track.form.coding], (frame, track.form)
            for left, right in zip(frames, frames[1:], strict=False):
                for frame in range(left + 1, right):
                    u = ratio(frame - left, right - left)
                    a, c = (reader.row(f)[track.subtrack] for f in (left, right))
                    x = [p + mul(q - p, u) for p, q in zip(a, c, strict=True)]
                    assert reader.row(frame)[track.subtrack] == (unit(x) if track.subtrack == 0 else x)
    positions = [2048 * frame for frame in range(dense.clip.frame_count)]
    rng.shuffle(positions)
    _, _, answers = driver.ask(bank, [Query(0, 1, p, i == 0) for i, p in enumerate(positions)])
    for position, answer in zip(positions, answers, strict=True):
        assert answer.pose == [word for subtrack in reader.row(position // 2048) for word in subtrack]


@pytest.mark.parametrize("kind, row", [(0, [0, 0, 0, ONE]), (1, [0] * 3), (2, [ONE] * 3)])
def test_none_has_no_effect(kind: int, row: list[int]) -> None:
    tracks = [DenseTrack(kind, Format(kind, NONE), [row])]
    skeleton = Skeleton([-1], [[7] * 10], ([0], [0], [0]), has_scale=True, state_words=7)
    clip = fill_dense(DenseClip(Clip(1), tracks))
    assert Decoder(write_bank(skeleton, [clip])).clips[0].row(0)[kind] == row
