"""Forged words of saved clips: enc_clip_load accepts only clips that encode_clip could have made."""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from encoding import axis_angle, rest
from ossicle.base.codec import CODEC_NAMES
from ossicle.encoding import native

# Words of a saved clip: its codec; then of each track the value, what kind of track it is, the packing, the shift and
# the width of the value, and what its codec keeps. See clip_archive.c.
CODEC, FIRST_TRACK = 0, 1
VALUE, TRACK_KIND, PACKING, SHIFT, WIDTH, TRACK_WORDS = 0, 4, 5, 6, 7, 8
DEFAULT, CONSTANT, ANIMATED = range(3)
ROTATION, TRANSLATION = range(2)
KINDS = 3
FRAMES, ONE_Q20 = 12, 1 << 20


@dataclass(frozen=True)
class Saved:
    """A clip of one joint that stands still, as words."""

    skeleton: native.Skeleton
    clip: native.ClipInput
    settings: native.EncodeSettings
    words: np.ndarray

    def changed(self, track: int, field: int, values: Sequence[int]) -> np.ndarray:
        words = self.words.copy()
        at = FIRST_TRACK + TRACK_WORDS * track + field
        words[at:at + len(values)] = np.array(values, np.int64).astype(np.uint32)
        return words

    def field(self, track: int, field: int) -> int:
        return int(self.words[FIRST_TRACK + TRACK_WORDS * track + field])

    def takes(self, words: np.ndarray, settings: native.EncodeSettings | None = None) -> bool:
        return native.load_clip(self.skeleton, self.clip, settings or self.settings,
                                words.astype("<u4").tobytes()) is not None


def saved(value: np.ndarray, settings: native.EncodeSettings = native.EncodeSettings(1e-3)) -> Saved:
    """value: [10], of all frames."""
    skeleton = native.Skeleton(np.array([-1], np.int32), rest(1, 1)[0])
    clip = native.ClipInput(np.repeat(value[None, None], FRAMES, 0), np.zeros((FRAMES, 1, 3), bool))
    status, result, _ = native.encode_clip(skeleton, clip, settings)
    assert status == native.OK and result is not None
    words = np.frombuffer(result.saved(), "<u4")
    assert len(words) == FIRST_TRACK + KINDS * TRACK_WORDS
    found = Saved(skeleton, clip, settings, words)
    assert found.takes(words)
    return found


@pytest.fixture(scope="module")
def turned() -> Saved:
    """Rotation and translation are constant."""
    value = rest(1, 1)[0, 0]
    value[:4] = axis_angle(np.array([0.0, 0.0, 1.0]), np.array([1.0]))[0]
    value[4:7] = 0.2, -0.1, 0.3
    found = saved(value)
    assert [found.field(kind, TRACK_KIND) for kind in range(KINDS)] == [CONSTANT, CONSTANT, DEFAULT]
    return found


@pytest.mark.parametrize("number", [*CODEC_NAMES, 0, 7, 0xFFFFFFFF])
def test_the_codec_is_one_that_was_allowed(turned: Saved, number: int) -> None:
    words = turned.words.copy()
    words[CODEC] = number
    assert turned.takes(words) == (CODEC_NAMES.get(number) in turned.settings.codecs)


def test_any_codec_that_is_allowed(turned: Saved) -> None:
    """Without tracks that move, they all have the same words."""
    words = turned.words.copy()
    words[CODEC] = next(number for number, name in CODEC_NAMES.items() if name == "curve")
    assert turned.takes(words, replace(turned.settings, codecs=("delta", "curve")))


@pytest.mark.parametrize("track", [ROTATION, TRANSLATION])
@pytest.mark.parametrize("kind", [DEFAULT, ANIMATED, 3, 0xFFFFFFFF])
def test_kinds_of_tracks(turned: Saved, track: int, kind: int) -> None:
    assert not turned.takes(turned.changed(track, TRACK_KIND, [kind]))


@pytest.mark.parametrize("width", [0, 1, 33, 64, 0xFFFFFFFF])
@pytest.mark.parametrize("track", [ROTATION, TRANSLATION])
def test_widths_of_constants(turned: Saved, track: int, width: int) -> None:
    assert turned.field(track, WIDTH) != width
    assert not turned.takes(turned.changed(track, WIDTH, [width]))


def test_a_constant_may_be_wider_than_it_needs(turned: Saved) -> None:
    assert turned.takes(turned.changed(TRANSLATION, WIDTH, [32]))
    assert not turned.takes(turned.changed(ROTATION, WIDTH, [32]))


@pytest.mark.parametrize("shift", [21, 22, 31, 32, 0xFFFFFFFF])
@pytest.mark.parametrize("track", [ROTATION, TRANSLATION])
def test_shifts_of_constants(turned: Saved, track: int, shift: int) -> None:
    assert not turned.takes(turned.changed(track, SHIFT, [shift]))


@pytest.mark.parametrize("track, packing", [(ROTATION, 4), (ROTATION, 5), (ROTATION, 0xFFFFFFFF), (TRANSLATION, 0),
                                            (TRANSLATION, 4), (TRANSLATION, 0xFFFFFFFF)])
def test_packings_of_constants(turned: Saved, track: int, packing: int) -> None:
    assert not turned.takes(turned.changed(track, PACKING, [packing]))


@pytest.mark.parametrize("component", range(4))
def test_the_value_is_the_one_that_plays(turned: Saved, component: int) -> None:
    value = np.int64(turned.words[FIRST_TRACK:FIRST_TRACK + 4].astype(np.int32))
    value[component] += 1
    assert not turned.takes(turned.changed(ROTATION, VALUE, value.tolist()))


def test_default_tracks_have_the_value_of_the_source(turned: Saved) -> None:
    scale = 2
    assert turned.takes(turned.changed(scale, VALUE, [ONE_Q20, ONE_Q20, ONE_Q20]))
    assert not turned.takes(turned.changed(scale, VALUE, [ONE_Q20 + 1, ONE_Q20, ONE_Q20]))


@pytest.mark.parametrize("length, taken", [(1.0, True), (1.01, False), (1.2, False), (1.4, False)])
def test_rotations_have_length_one(length: float, taken: bool) -> None:
    """Errors count directions only. If the components of a key are longer than one, the runtime sets the other one to
    0: the joint would grow in the game."""
    value = rest(1, 1)[0, 0]
    value[:4] = 0.0, 0.5 ** 0.5, 0.0, 0.5 ** 0.5
    found = saved(value)
    side = math.ceil(length * 0.5 ** 0.5 * ONE_Q20)
    words = found.changed(ROTATION, VALUE, [0, side, 0, side, CONSTANT, 0, 0, 21])
    assert found.takes(words) == taken


# Words of the header of a curve track, behind those of every track.
BASIS, UNIT, GAP_RICE, JUMPS = 0, 3, 6, 7


@pytest.fixture(scope="module")
def moving() -> Saved:
    """The translation moves along a curve."""
    settings = native.EncodeSettings(1e-3, codecs=("curve",))
    skeleton = native.Skeleton(np.array([-1], np.int32), rest(1, 1)[0])
    frames = rest(FRAMES, 1)
    frames[:, 0, 4] = np.sin(np.arange(FRAMES) * 0.4)
    clip = native.ClipInput(frames, np.zeros((FRAMES, 1, 3), bool))
    status, result, _ = native.encode_clip(skeleton, clip, settings)
    assert status == native.OK and result is not None
    found = Saved(skeleton, clip, settings, np.frombuffer(result.saved(), "<u4"))
    assert found.field(TRANSLATION, TRACK_KIND) == ANIMATED and found.takes(found.words)
    return found


@pytest.mark.parametrize("field, most", [(BASIS, 3), (UNIT, 2), (GAP_RICE, 3), (JUMPS, 1)])
def test_fields_of_a_curve(moving: Saved, field: int, most: int) -> None:
    """A larger value does not fit into the bits of the header."""
    at = TRACK_WORDS + field
    assert not moving.takes(moving.changed(TRANSLATION, at, [most + 1]))
