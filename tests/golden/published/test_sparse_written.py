"""The reference reads a sparse clip as it was written, its bases are what their names say, and
the runtime gives the same rows in any order."""
from __future__ import annotations

from random import Random

import pytest
from bank_writer import Clip, Skeleton, write_bank
from fixed import ONE, mul, ratio
from hypothesis import given, settings
from hypothesis import strategies as st
from published.keys_reference import FIXED, FLOAT, HALF_ANGLE, RANGED, SMALL_FLOAT, SMALLEST, Format, unit
from pose_driver import Driver, Query
from reference import ClipReader, Decoder
from samples.sample_motion import CUBE, turn
from published.sparse_reference import CENTRIPETAL, CHORDAL, EVERY, HERMITE, LINEAR, STEP, TIMED, UNIFORM
from published.sparse_writer import SparseClip, SparseTrack, fill_sparse
from test_reference_random import QUIET, SEEDS

SAME = 13  # bits of a component where the layout leaves it open
STEPS = {FIXED: ONE >> (SAME - 1), RANGED: ONE >> (SAME - 1), FLOAT: 2, SMALL_FLOAT: ONE >> 7,
         SMALLEST: 2 * 1482957 >> 15, HALF_ANGLE: ONE >> (SAME - 2)}
KEYS = [0, 3, 4, 9, 15, 16, 18, 25, 33]  # of the numeric tests


def _format(rng: Random, kind: int, basis: int) -> Format:
    if basis == HERMITE:
        return Format(kind, FLOAT, kind == 0, widths=(32,) * 3)
    codings = [FIXED, RANGED, FLOAT, SMALL_FLOAT]
    coding = rng.choice([*codings, SMALLEST, HALF_ANGLE] if kind == 0 else codings)
    four = kind == 0 and coding <= FLOAT and rng.random() < 0.5
    signed = kind == 0 and not four and coding != SMALLEST
    widths = {FLOAT: (32,) * 3, SMALL_FLOAT: (11, 11, 10), SMALLEST: (15,) * 3}.get(coding, (SAME,) * 3)
    ranges = [*CUBE, CUBE[0]][:4 if four else 3] if coding == RANGED else []
    return Format(kind, coding, four, signed, widths, 0, ranges)


def _row(rng: Random, kind: int) -> list[int]:
    if kind == 0:  # w is far from zero, where three components say little about the fourth
        return turn([rng.uniform(-1, 1) for _ in range(3)], rng.uniform(-2.2, 2.2))
    return [rng.randint(-ONE + 9, ONE - 9) for _ in range(3)]


def _still(rng: Random, rows: list[list[int]]) -> list[list[int]]:
    """Rows of which some equal the previous row, or nearly: steps of no length."""
    for i in range(1, len(rows)):
        if rng.random() < 0.2:
            near = [x + rng.choice([0, 0, 0, 1, -1, 40]) for x in rows[i - 1]]
            rows[i] = unit(near) if len(near) == 4 else near
    return rows


def _clip(rng: Random) -> SparseClip:
    clip = Clip(rng.randint(1, 40), restart_log2=rng.choice([0, 1, 3, 4, 31]))
    tracks = []
    for subtrack in range(3):
        basis, rows = rng.randrange(8), [_row(rng, subtrack) for _ in range(clip.frame_count)]
        frames = rng.sample(range(40), rng.randint(0, 20))
        tracks.append(SparseTrack(subtrack, _format(rng, subtrack, basis), _still(rng, rows), basis, frames,
                                  rng.choice([0, 16, 255]), rng.sample(frames, len(frames) // 3)))
    return SparseClip(clip, tracks, rng.choice([6, 8, 16, 32]))


def _write(sparse: SparseClip) -> bytes:
    bind = [[0, 0, 0, ONE, 0, 0, 0, ONE, ONE, ONE]]
    skeleton = Skeleton([-1], bind, ([0], [0], [0]), has_scale=True, state_words=sparse.state_words())
    return write_bank(skeleton, [fill_sparse(sparse)])


def _block_of(clip: Clip, frame: int) -> tuple[int, int]:
    first = frame >> clip.restart_log2 << clip.restart_log2
    return first, min(first + (1 << clip.restart_log2), clip.row_count - 1)


def _check_between(reader: ClipReader, sparse: SparseClip, track: SparseTrack, frame: int) -> None:
    """Frames without a key, of the bases that look no further than the keys around them."""
    first, end = _block_of(sparse.clip, frame)
    left = max(f for f in (first, *track.frames) if first <= f <= frame)
    right = min(f for f in (end, *track.frames) if frame < f <= end)
    if right == end < sparse.clip.row_count - 1 or track.basis not in (STEP, LINEAR):
        return  # the next block's first row may be rounded otherwise
    a, c = (reader.row(f)[track.subtrack] for f in (left, right))
    u = ratio(frame - left, right - left)
    x = a if track.basis == STEP else [p + mul(q - p, u) for p, q in zip(a, c, strict=True)]
    rotation = track.subtrack == 0 and track.basis == LINEAR
    assert reader.row(frame)[track.subtrack] == (unit(x) if rotation else x)


@settings(max_examples=250, deadline=None, suppress_health_check=QUIET)
@given(seed=SEEDS)
def test_rows_are_as_written(driver: Driver, seed: int) -> None:
    rng = Random(seed)
    sparse = _clip(rng)
    bank = _write(sparse)
    reader = Decoder(bank).clips[0]
    for frame in range(sparse.clip.frame_count):
        ends = _block_of(sparse.clip, frame)
        for track in sparse.tracks:
            if track.basis == EVERY or frame in ends or frame in track.frames:
                off = max(abs(a - b) for a, b in zip(reader.row(frame)[track.subtrack], track.rows[frame], strict=True))
                assert off <= 4 * STEPS[track.form.coding], (frame, track.basis, track.form)
            else:
                _check_between(reader, sparse, track, frame)
    positions = [2048 * frame for frame in range(sparse.clip.frame_count)]
    for order in (positions, rng.sample(positions, len(positions))):
        _, _, answers = driver.ask(bank, [Query(0, 1, p, i == 0) for i, p in enumerate(order)])
        for position, answer in zip(order, answers, strict=True):
            assert answer.pose == [word for subtrack in reader.row(position // 2048) for word in subtrack]


def _translation(basis: int, rows: list[list[int]], frames: list[int]) -> list[list[int]]:
    form = Format(1, FLOAT, widths=(32,) * 3)
    sparse = SparseClip(Clip(len(rows)), [SparseTrack(1, form, rows, basis, frames)])
    reader = Decoder(_write(sparse)).clips[0]
    return [reader.row(frame)[1] for frame in range(len(rows))]


def _off(rows: list[list[int]], wanted: list[list[int]], frames: range) -> int:
    return max(abs(a - b) for f in frames for a, b in zip(rows[f], wanted[f], strict=True))


@pytest.mark.parametrize("basis", [LINEAR, TIMED, CHORDAL])
def test_steady_motion_stays_steady(basis: int) -> None:
    """Between keys at uneven times."""
    rows = [[20011 * f, -3000 * f, 7 * f + 5] for f in range(34)]
    assert _off(_translation(basis, rows, KEYS), rows, range(34)) <= 40
    assert _off(_translation(UNIFORM, rows, KEYS), rows, range(34)) > 2000
    assert _off(_translation(CENTRIPETAL, rows, KEYS), rows, range(34)) > 2000


@pytest.mark.parametrize("basis, frames", [(TIMED, KEYS), (UNIFORM, list(range(0, 33, 4)))])
def test_a_parabola_is_followed(basis: int, frames: list[int]) -> None:
    """Except in the first and last sections, whose outer ends are straight."""
    rows = [[900 * f * f - 20000 * f, -300 * f * f, 50 * f * f + 9] for f in range(34)]
    written = _translation(basis, rows, frames)
    assert _off(written, rows, range(frames[1], frames[-2] + 1)) <= 40
    assert _off(written, rows, range(frames[1])) > 200


def test_a_hermite_section_has_its_own_tangents() -> None:
    """The writer takes them from the rows beside the section's ends: a parabola's, half a frame on."""
    rows = [[3000 * f * f, 0, -7 * f * f] for f in range(17)]
    written = _translation(HERMITE, rows, [8])
    u, step = 4 / 8, 3000
    # tangents 8 * step and 8 * (2 * 8 - 1) * step over 8 frames, from 0 to 64 * step
    left, right, chord = 8 * step, 8 * 15 * step, 64 * step
    wanted = (((left + right - 2 * chord) * u + 3 * chord - 2 * left - right) * u + left) * u
    assert abs(written[4][0] - wanted) <= 8
    assert abs(written[8][0] - rows[8][0]) <= 2


def test_a_jump_stays_sharp() -> None:
    """Linear motion on both sides of a jump of a Hermite track: no frame before it knows of it."""
    rows = [[5000 * f + (900000 if f >= 12 else 0), 100 * f, 0] for f in range(20)]
    form = Format(1, FLOAT, widths=(32,) * 3)
    sparse = SparseClip(Clip(20), [SparseTrack(1, form, rows, HERMITE, [12], jumps=[12])])
    reader = Decoder(_write(sparse)).clips[0]
    assert _off([reader.row(f)[1] for f in range(20)], rows, range(20)) <= 8


@settings(max_examples=100, deadline=None)
@given(angle=st.floats(-3, 3), count=st.integers(2, 30))
def test_rows_between_rotations_are_unit(angle: float, count: int) -> None:
    rows = [turn((1, 2, -3), angle * f / count) for f in range(count + 1)]
    form = Format(0, FLOAT, True, widths=(32,) * 3)
    for basis in (LINEAR, UNIFORM, TIMED, CHORDAL, CENTRIPETAL, HERMITE):
        sparse = SparseClip(Clip(count + 1), [SparseTrack(0, form, rows, basis, [count // 3])])
        reader = Decoder(_write(sparse)).clips[0]
        for f in range(count + 1):
            assert abs(sum(x * x for x in reader.row(f)[0]) - ONE * ONE) < ONE << 4
