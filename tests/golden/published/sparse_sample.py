"""The sample bank of the sparse codec: written by hand, every basis and every kind of key, blocks, jumps."""
from __future__ import annotations

from bank_writer import Clip, write_bank
from published.keys_reference import FIXED, FLOAT, HALF_ANGLE, NONE, RANGED, SMALL_FLOAT, SMALLEST, Format
from samples.sample_banks import Sample
from samples.sample_motion import (CUBE, HAND, HAND_PLACE, HIPS, HIPS_PLACE, SPINE, SPINE_SCALE, kind_of_subtrack,
                                   motion, motion_skeleton)
from published.sparse_reference import CENTRIPETAL, CHORDAL, EVERY, HERMITE, LINEAR, STEP, TIMED, UNIFORM
from published.sparse_writer import SparseClip, SparseTrack, fill_sparse

WIDTHS = {SMALLEST: (15,) * 3, FLOAT: (32,) * 3, SMALL_FLOAT: (11, 11, 10)}
SEVENS, UNEVEN = range(0, 40, 7), (1, 4, 5, 11, 12, 18, 22, 23, 31)
NARROW, SAME = (11, 11, 10), (18,) * 3


def _track(subtrack: int, count: int, basis: int, coding: int, frames: object = (), tag_bits: int = 0,
           jumps: object = (), **more: object) -> SparseTrack:
    form = Format(kind_of_subtrack(subtrack), coding, **{"widths": WIDTHS.get(coding, (16,) * 3), **more})
    if basis == HERMITE:
        form.four = subtrack <= HAND
    if coding == RANGED:
        form.ranges = [*CUBE, CUBE[0]][:form.count]
    rows = motion(subtrack, count)
    for jump in jumps:  # from there on the other way
        rows[jump:] = [[-x for x in row[:3]] + row[3:] for row in rows[jump:]]
    return SparseTrack(subtrack, form, rows, basis, frames, tag_bits, jumps)


def _clips() -> list[SparseClip]:
    return [
        SparseClip(Clip(37, name="move", restart_log2=4), [
            _track(HIPS, 37, CENTRIPETAL, SMALLEST, UNEVEN, 16),
            _track(SPINE, 37, CHORDAL, HALF_ANGLE, UNEVEN, widths=SAME),
            _track(HAND, 37, TIMED, FIXED, UNEVEN),
            _track(HIPS_PLACE, 37, CHORDAL, RANGED, UNEVEN, 16),
            _track(HAND_PLACE, 37, CENTRIPETAL, FLOAT, [9, 20], 255),
            _track(SPINE_SCALE, 37, UNIFORM, FIXED, SEVENS, exponent=1)]),
        SparseClip(Clip(21, name="spin", loop=True), [
            _track(HIPS, 21, UNIFORM, FIXED, range(0, 20, 2), signed=True),
            _track(SPINE, 21, LINEAR, SMALL_FLOAT, UNEVEN, signed=True),
            _track(HAND, 21, STEP, FLOAT, UNEVEN),
            _track(HIPS_PLACE, 21, LINEAR, FIXED, SEVENS, exponent=2, widths=SAME),
            _track(HAND_PLACE, 21, STEP, SMALL_FLOAT, SEVENS)], time_bits=8),
        SparseClip(Clip(34, name="tangents", restart_log2=4, breaks=[(12, SPINE), (22, HIPS_PLACE)]), [
            _track(HIPS, 34, HERMITE, FLOAT, [7, 25], 128),
            _track(SPINE, 34, HERMITE, FLOAT, [5, 12], 3, jumps=[12]),
            _track(HIPS_PLACE, 34, HERMITE, FLOAT, [22, 27], jumps=[22]),
            _track(SPINE_SCALE, 34, HERMITE, FLOAT)], time_bits=32),
        SparseClip(Clip(11, name="every", restart_log2=2), [
            _track(HIPS, 11, EVERY, RANGED, four=True, widths=NARROW),
            _track(SPINE, 11, EVERY, FLOAT, four=True),
            _track(HAND, 11, LINEAR, FIXED, [2, 6], four=True, widths=SAME),
            _track(HIPS_PLACE, 11, EVERY, RANGED, widths=NARROW),
            _track(HAND_PLACE, 11, EVERY, NONE, widths=()),
            _track(SPINE_SCALE, 11, EVERY, FLOAT)], time_bits=4),
        SparseClip(Clip(1, name="pose"), [
            _track(HIPS, 1, HERMITE, FLOAT), _track(SPINE, 1, CHORDAL, HALF_ANGLE, widths=NARROW),
            _track(HAND, 1, EVERY, NONE, widths=()), _track(HAND_PLACE, 1, STEP, RANGED)]),
        SparseClip(Clip(2, name="two", restart_log2=0), [
            _track(HIPS, 2, HERMITE, FLOAT), _track(SPINE, 2, TIMED, RANGED, signed=True),
            _track(HAND_PLACE, 2, LINEAR, FIXED)], time_bits=1),
    ]


def sparse_sample() -> Sample:
    """The bank, and positions that show blocks, ends, keys and what lies between them."""
    clips, skeleton = _clips(), motion_skeleton()
    skeleton.state_words = max(clip.state_words() for clip in clips)
    bank = write_bank(skeleton, [fill_sparse(clip) for clip in clips])
    frames = [(0, 0), (0, 2.5), (0, 8), (0, 15.25), (0, 16), (0, 20.5), (0, 30), (0, 36), (1, 0),
              (1, 9.75), (1, 13), (1, 19.75), (1, 20), (2, 0), (2, 3), (2, 11.5), (2, 12), (2, 21.75),
              (2, 28), (2, 33), (3, 1), (3, 3.5), (3, 6.25), (3, 10), (4, 0), (5, 0), (5, 0.5), (5, 1)]
    return Sample("sparse", "the sparse codec: every basis, keys of all kinds, tags, jumps, a loop", bank,
                  [(clip, 1, round(frame * 2048)) for clip, frame in frames])
