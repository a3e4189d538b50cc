"""The runtime against the reference on clips from the encoder."""
from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from curve_reference import DENSE
from hypothesis import given, settings
from hypothesis import strategies as st
from pose_driver import Driver, Query
from reference import TRANSFORM, Decoder
from test_reference_random import QUIET, SEEDS
from transform_reference import SEGMENT

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encoder"))

from encoding import Source, axis_angle, closed, make_source, rest, write_one  # noqa: E402
from ossicle.encoding import native  # noqa: E402
from random_clips import sources  # noqa: E402


def check_seams(decoder: Decoder) -> None:
    """Checks an encoder's promises: both sides of a seam agree, sizes are those of the coefficients."""
    reader = decoder.clips[0]
    for seam in range(SEGMENT, reader.row_count - 1, SEGMENT):
        before = reader.tracks.segment_rows(seam // SEGMENT - 1)
        assert before[seam] == reader.tracks.rows(seam)[seam], seam
    assert reader.tracks.sizes_fit


@settings(max_examples=60, deadline=None, suppress_health_check=QUIET)
@given(source=sources(), codec=st.sampled_from(["curve", "transform", "velocity"]), seed=SEEDS,
       restart_log2=st.sampled_from([0, 1, 6, 31]), effort=st.sampled_from(["fast", "default"]),
       tolerance_m=st.sampled_from([1e-3, 1e-2]), loop=st.booleans())
def test_encoded_clips(driver: Driver, built_encoder: None, source: Source, codec: str, seed: int,
                       restart_log2: int, effort: str, tolerance_m: float, loop: bool) -> None:
    skeleton = native.Skeleton(source.parents, source.bind)
    frames = closed(source).frames if loop else source.frames
    status, clip, _ = native.encode_clip(skeleton, native.ClipInput(frames, source.steps, loop),
                                         native.EncodeSettings(tolerance_m, 0.03, restart_log2, effort, (codec,)))
    if clip is None:
        assert status == native.ERROR_TOLERANCE  # finer than Q20 has; the encoder's tests judge it
        return
    bank = write_one(clip, len(source.parents))
    decoder, rng = Decoder(bank), Random(seed)
    if decoder.clips[0].codec == TRANSFORM:
        check_seams(decoder)
    last = 2048 * (len(source.frames) - 1)
    positions = [*range(0, last + 1, 2048), *(rng.randint(0, last) for _ in range(8))]
    _, _, answers = driver.ask(bank, [Query(0, 1, p, i == 0) for i, p in enumerate(positions)])
    for position, answer in zip(positions, answers, strict=True):
        assert answer.pose == decoder.pose(0, position, 1), position
    positions = [rng.randint(-3 * last - 5, 3 * last + 5) for _ in range(6)]
    _, _, answers = driver.ask(bank, [Query(0, 2, p, i == 0) for i, p in enumerate(positions)])
    for position, answer in zip(positions, answers, strict=True):
        assert answer.pose == decoder.pose(0, position, 2), position


@pytest.mark.parametrize("codec", ["delta", "curve", "transform", "velocity"])
@pytest.mark.parametrize("frames", [1, 2, 8, 9, 16, 17, 64, 65, 66])
def test_every_frame_can_be_the_first(driver: Driver, built_encoder: None, codec: str, frames: int) -> None:
    """Right after a start, at the ends of segments and blocks, too."""
    clip = rest(frames, 1)
    clip[:, 0, :4] = axis_angle(np.array([1.0, 0.3, 0.2]), np.sin(np.arange(frames) * 0.4))
    source = make_source([-1], clip, rest(1, 1)[0])
    _, encoded, _ = native.encode_clip(native.Skeleton(source.parents, source.bind),
                                       native.ClipInput(clip, source.steps),
                                       native.EncodeSettings(1e-3, 0.03, 3, codecs=(codec,)))
    assert encoded is not None
    bank = write_one(encoded, 1)
    decoder = Decoder(bank)
    positions = [2048 * frame for frame in range(frames)]
    for starts in (True, False):
        _, _, answers = driver.ask(bank, [Query(0, 1, p, starts or p == 0) for p in positions])
        for position, answer in zip(positions, answers, strict=True):
            assert answer.pose == decoder.pose(0, position, 1), position


def test_equal_codes_are_the_simplest(built_encoder: None) -> None:
    """The second of two frames takes as many bits with every predictor."""
    clip = rest(2, 1)
    clip[:, 0, 4:7] = np.random.default_rng(1).uniform(-0.4, 0.4, (2, 3))
    source = make_source([-1], clip)
    _, encoded, _ = native.encode_clip(native.Skeleton(source.parents, source.bind),
                                       native.ClipInput(clip, source.steps),
                                       native.EncodeSettings(1e-3, codecs=("curve",)))
    assert encoded is not None
    [track] = Decoder(write_one(encoded, 1)).clips[0].tracks.tracks
    assert track.basis == DENSE
    assert [component.predictor for component in track.components] == [0, 0, 0]
