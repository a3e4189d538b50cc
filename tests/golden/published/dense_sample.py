"""The sample bank of the dense codec: written by hand, every kind of key, blocks, periods, tiers."""
from __future__ import annotations

from bank_writer import BitWriter, Clip, write_bank
from published.dense_writer import DenseClip, DenseTrack, fill_dense, places
from published.keys_reference import FIXED, FLOAT, HALF_ANGLE, NONE, RANGED, SMALL_FLOAT, SMALLEST, VARIABLE, Format
from samples.sample_banks import Sample
from samples.sample_motion import (CUBE, HAND, HAND_PLACE, HIPS, HIPS_PLACE, SPINE, SPINE_SCALE, kind_of_subtrack,
                                   motion, motion_skeleton)
from tiers.tier_writer import Chunk, keys_chunks, tier_sections


def _range(subtrack: int, rows: list[list[int]]) -> list[tuple[int, int]]:
    signed = [[-x for x in row] if subtrack <= HAND and row[3] < 0 else row for row in rows]
    least = [min(row[i] for row in signed) for i in range(3)]
    return [(low, max(row[i] for row in signed) - low) for i, low in enumerate(least)]


def _track(subtrack: int, count: int, coding: int, **more: object) -> DenseTrack:
    rows = motion(subtrack, count)
    rates = more.pop("rates", [])
    widths = {SMALLEST: (15,) * 3, FLOAT: (32,) * 3, SMALL_FLOAT: (11, 11, 10)}.get(coding, (16,) * 3)
    form = Format(kind_of_subtrack(subtrack), coding, **{"widths": widths, **more})
    if coding == VARIABLE:
        form.ranges = _range(subtrack, rows)
    return DenseTrack(subtrack, form, rows, rates)


def _clips() -> list[DenseClip]:
    wide, narrow, same = (16,) * 3, (11, 11, 10), (9,) * 3
    return [
        DenseClip(Clip(37, name="move", restart_log2=4), [
            _track(HIPS, 37, VARIABLE, signed=True, rates=[9, 12, 24]),
            _track(SPINE, 37, VARIABLE, rates=[8, 0, 31]),
            _track(HAND, 37, VARIABLE, signed=True, rates=[7, 6, 0]),
            _track(HIPS_PLACE, 37, VARIABLE, rates=[5, 19, 0]),
            _track(HAND_PLACE, 37, NONE),
            _track(SPINE_SCALE, 37, VARIABLE, rates=[3, 4, 1])]),
        DenseClip(Clip(21, name="spin", loop=True), [
            _track(HIPS, 21, FIXED, four=True, widths=wide),
            _track(SPINE, 21, HALF_ANGLE, widths=narrow),
            _track(HAND, 21, FIXED, widths=(21,) * 3),
            _track(HIPS_PLACE, 21, FIXED, exponent=2, widths=wide),
            _track(SPINE_SCALE, 21, FLOAT)]),
        DenseClip(Clip(11, name="half", restart_log2=2), [
            _track(HIPS, 11, SMALLEST),
            _track(SPINE, 11, FLOAT),
            _track(HAND, 11, SMALL_FLOAT),
            _track(HIPS_PLACE, 11, RANGED, widths=narrow, ranges=CUBE),
            _track(HAND_PLACE, 11, SMALL_FLOAT)], period=2),
        DenseClip(Clip(30, name="third", restart_log2=3, breaks=[(7, HIPS), (16, HIPS_PLACE)]), [
            _track(HIPS, 30, FLOAT, four=True),
            _track(SPINE, 30, NONE),
            _track(HAND, 30, RANGED, four=True, widths=same, ranges=[*CUBE, CUBE[0]]),
            _track(HIPS_PLACE, 30, FLOAT),
            _track(SPINE_SCALE, 30, FIXED, exponent=1, widths=same)], period=3),
        DenseClip(Clip(1, name="pose"), [_track(HAND, 1, RANGED, widths=narrow, ranges=CUBE)]),
        DenseClip(Clip(33, name="far", restart_log2=4), [
            _track(HIPS, 33, SMALLEST),
            _track(HAND, 33, VARIABLE, rates=[10, 11, 12]),
            _track(HIPS_PLACE, 33, RANGED, widths=wide, ranges=CUBE)],
            tiers=2, place_of=places(33, 16), class_of={HAND: 2}, kept=[(5, 11), (2, 16), (3, 3)]),
        DenseClip(Clip(18, name="near", restart_log2=5), [
            _track(SPINE, 18, HALF_ANGLE, signed=True, widths=wide)],
            period=2, tiers=1, place_of=places(18, 32, 2), kept=[(6,)]),
    ]


def dense_sample() -> Sample:
    """The bank, and positions that show blocks, ends, keys and what lies between them."""
    skeleton = motion_skeleton()
    clips, filled = _clips(), []
    tiers: list[list[Chunk]] = [[], []]
    skeleton.state_words = max(clip.state_words() for clip in clips)
    for number, clip in enumerate(clips):
        keys = [BitWriter(), BitWriter()]
        filled.append(fill_dense(clip, keys))
        for tier, chunks in zip(tiers, keys_chunks(number, keys), strict=True):
            tier += chunks
    bank = write_bank(skeleton, filled, behind=tier_sections(tiers, errors=[3 << 14, 1 << 14, 1 << 12]))
    frames = [(0, 0), (0, 7.5), (0, 15.25), (0, 16), (0, 20), (0, 33.5), (0, 36), (1, 0), (1, 9.75),
              (1, 19.75), (1, 20), (2, 0.5), (2, 3), (2, 6.25), (2, 10), (3, 1), (3, 6.5), (3, 8),
              (3, 15.5), (3, 29), (4, 0), (5, 1), (5, 2.5), (5, 15), (5, 22), (5, 31.5), (6, 2),
              (6, 3), (6, 17)]
    return Sample("dense", "the dense codec: keys of all kinds, rates, periods, breaks, tiers, a loop",
                  bank, [(clip, 1, round(frame * 2048)) for clip, frame in frames])
