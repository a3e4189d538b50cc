"""The sample bank of versions in tiers: one motion, coarse in the base and finer in each tier, in whole clips and in
blocks. The errors that TIER states are those that it has."""
from __future__ import annotations

from collections.abc import Sequence

from bank_writer import MOVING, VECTOR, BitWriter, Clip, Track, write_bank
from published.dense_writer import DenseClip, DenseTrack, fill_dense, places
from fixed import ONE
from published.keys_reference import FLOAT, SMALLEST, Format
from reference import Decoder
from samples.sample_banks import Sample
from samples.sample_motion import (HAND, HAND_PLACE, HIPS, HIPS_PLACE, SPINE, SPINE_SCALE, kind_of_subtrack, motion,
                                   motion_skeleton)
from published.sparse_reference import CHORDAL, UNIFORM
from published.sparse_writer import SparseClip, SparseTrack, fill_sparse
from tiers.tier_writer import Chunk, Section, keys_chunk, tier_sections, version_chunk

SUBTRACKS = (HIPS, SPINE, HAND, HIPS_PLACE, HAND_PLACE, SPINE_SCALE)
BLOCK_LOG2 = 3
BLOCK = 1 << BLOCK_LOG2
# clips: four blocks, of which the last ends at a multiple of a block; a loop of two and a half; a loop of one; keys
DIVIDED, ROUND, SHORT, KEYED, PLAIN = range(5)
FRAMES = {DIVIDED: 4 * BLOCK + 1, ROUND: 21, SHORT: BLOCK + 1, KEYED: 2 * BLOCK + 1, PLAIN: 5}
LOOPS = (ROUND, SHORT)
COARSE, MIDDLE, FINE, EXACT = 14, 12, 8, 0  # bits that a component of delta does without


def _rows(subtrack: int, first: int, count: int) -> list[list[int]]:
    return motion(subtrack, first + count)[first:]


def _grid(value: int, shift: int) -> int:
    return (value + (1 << shift >> 1)) >> shift


def _moving_row(row: Sequence[int], shift: int) -> tuple[tuple[int, ...], int, bool, bool]:
    dropped = max(range(4), key=lambda i: abs(row[i]))
    kept = tuple(_grid(row[i], shift) for i in range(4) if i != dropped)
    return kept, dropped, row[dropped] < 0, False


def _delta(shift: int, count: int, first: int = 0, loop: bool = False, **more: object) -> Clip:
    clip = Clip(count, loop=loop, restart_log2=2, **more)
    for subtrack in SUBTRACKS:
        rows = _rows(subtrack, first, clip.row_count)
        if kind_of_subtrack(subtrack) == 0:
            frames: list = [_moving_row(row, shift) for row in rows]
        else:
            frames = [tuple(_grid(x, shift) for x in row) for row in rows]
        clip.tracks.append(Track(subtrack, MOVING if subtrack <= HAND else VECTOR, shift, frames, rice=(6, 6, 6),
                                 width=23 - shift))
    return clip


def _sparse(count: int, first: int, basis: int, every: int, loop: bool = False) -> SparseClip:
    clip = Clip(count, loop=loop, restart_log2=4)
    return SparseClip(clip, [
        SparseTrack(subtrack, Format(kind_of_subtrack(subtrack), FLOAT, four=subtrack <= HAND, widths=(32,) * 3),
                    _rows(subtrack, first, clip.row_count), basis, range(0, count, every), 0)
        for subtrack in SUBTRACKS])


def _dense(count: int, first: int, loop: bool = False, **more: object) -> DenseClip:
    clip = Clip(count, loop=loop, restart_log2=3)
    return DenseClip(clip, [
        DenseTrack(subtrack, Format(kind_of_subtrack(subtrack), SMALLEST if subtrack <= HAND else FLOAT,
                                    widths=(15 if subtrack <= HAND else 32,) * 3),
                   _rows(subtrack, first, clip.row_count))
        for subtrack in SUBTRACKS], **more)


def _named(clip: Clip, name: str) -> Clip:
    clip.name = name
    return clip


class _Made:
    """The clips of the base, and the chunks of both tiers."""

    def __init__(self) -> None:
        self.skeleton = motion_skeleton()
        self.states: list[int] = []
        self.tiers: list[list[Chunk]] = [[], []]
        keys = BitWriter()
        keyed = _dense(FRAMES[KEYED], 0, tiers=1, place_of=places(FRAMES[KEYED], 8), kept=[(4,)])
        self.clips = [
            _delta(COARSE, FRAMES[DIVIDED], name="divided"),
            _delta(COARSE, FRAMES[ROUND], loop=True, name="round"),
            _delta(COARSE, FRAMES[SHORT], loop=True, name="short"),
            _named(self._filled(keyed, [keys]), "keyed"),
            _delta(FINE, FRAMES[PLAIN], name="plain")]
        last = FRAMES[ROUND] - 2 * BLOCK
        self._put(1, DIVIDED, 0, self._filled(_sparse(BLOCK + 1, 0, UNIFORM, 2)))
        self._put(1, DIVIDED, 1, _delta(MIDDLE, BLOCK + 1, BLOCK))
        self._put(1, DIVIDED, 3, self._filled(_sparse(BLOCK + 1, 3 * BLOCK, CHORDAL, 2)))
        self._put(1, ROUND, 0, _delta(MIDDLE, BLOCK + 1))
        self._put(1, ROUND, 1, self._filled(_sparse(BLOCK + 1, BLOCK, UNIFORM, 2)))
        self._put(1, ROUND, 2, _delta(MIDDLE, last, 2 * BLOCK))
        self._put(1, SHORT, 0, _delta(MIDDLE, FRAMES[SHORT], loop=True))
        self.tiers[0].append(keys_chunk(KEYED, keys))
        self._put(2, DIVIDED, 1, self._filled(_dense(BLOCK + 1, BLOCK)))
        self._put(2, DIVIDED, 2, _delta(FINE, BLOCK + 1, 2 * BLOCK))
        self._put(2, DIVIDED, 3, self._filled(_dense(BLOCK + 1, 3 * BLOCK)))
        self._put(2, ROUND, 2, self._filled(_dense(last, 2 * BLOCK)))
        self._put(2, SHORT, 0, self._filled(_dense(FRAMES[SHORT], 0, loop=True)))
        self._put(2, KEYED, 0, _delta(FINE, BLOCK + 1))
        self.skeleton.state_words = max(self.states)

    def _filled(self, clip: SparseClip | DenseClip, keys: Sequence[BitWriter] = ()) -> Clip:
        self.states.append(clip.state_words())
        return fill_sparse(clip) if isinstance(clip, SparseClip) else fill_dense(clip, keys)

    def _put(self, tier: int, clip: int, block: int, version: Clip) -> None:
        self.tiers[tier - 1].append(version_chunk(self.skeleton, clip, block, version))

    def bank(self, behind: Sequence[Section] = ()) -> bytes:
        return write_bank(self.skeleton, self.clips, behind=behind)


def _places(decoder: Decoder, clip: int, position: int) -> list[list[int]]:
    """Positions of the joints."""
    words = decoder.model(clip, position, 1)
    return [words[at + 3:at + 12:4] for at in range(0, len(words), 12)]


def _error(decoder: Decoder, exact: Decoder) -> int:
    """The largest distance of a joint from its exact position, at frames and midpoints."""
    squared = max(sum((a - b) ** 2 for a, b in zip(*joints, strict=True))
                  for clip, frames in FRAMES.items() for position in range(0, 2048 * (frames - 1) + 1, 1024)
                  for joints in zip(_places(decoder, clip, position), _places(exact, clip, position), strict=True))
    return int(squared ** 0.5) + 1


def version_sample() -> Sample:
    """The bank, and positions that show blocks, their borders and ends."""
    sample = _Made()
    exact = Decoder(write_bank(sample.skeleton, [
        _delta(EXACT, frames, loop=clip in LOOPS) for clip, frames in FRAMES.items()]))
    errors = [_error(Decoder(sample.bank(tier_sections(sample.tiers, BLOCK_LOG2, there=range(1, tiers + 1)))), exact)
              for tiers in range(len(sample.tiers) + 1)]
    assert errors == sorted(errors, reverse=True) and errors[0] < ONE // 10
    frames = [(DIVIDED, 0), (DIVIDED, 3.5), (DIVIDED, 7.5), (DIVIDED, 8), (DIVIDED, 15.75), (DIVIDED, 16),
              (DIVIDED, 23.5), (DIVIDED, 24), (DIVIDED, 31.5), (DIVIDED, 32), (ROUND, 2), (ROUND, 8.25), (ROUND, 19.5),
              (ROUND, 20), (SHORT, 4.5), (SHORT, 7.5), (SHORT, 8), (KEYED, 1.5), (KEYED, 7.75), (KEYED, 8),
              (KEYED, 15.25), (KEYED, 16), (PLAIN, 2.5)]
    queries = [(clip, 1, round(frame * 2048)) for clip, frame in frames]
    queries += [(ROUND, 2, round(frame * 2048)) for frame in (19.5, 20, 36.5)]
    queries += [(DIVIDED, 2, round(frame * 2048)) for frame in (31.5, 32, 40)]
    return Sample("versions", "versions of clips and of blocks in two tiers, and keys",
                  sample.bank(tier_sections(sample.tiers, BLOCK_LOG2, errors)), queries)
