"""Variable rates: any clip holds, in segments that stand alone, at the published rates."""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from encoding import Encoded, Source, axis_angle, closed, encode_source, listed_breaks, make_source, rest, try_encode
from ossicle.encoding import native
from ossicle.bank.words import BitReader, unpack_words
from ossicle.encoding.scheme import Scheme
from random_clips import decided, sources

TOLERANCES_M = (1e-4, 1e-3, 5e-3, 5e-2)
SAME_ERROR_M = 1e-6  # single precision of the decoded clip, at a few metres from the origin
TOLERANCE_M = 1e-3
SEGMENT_LOG2 = 4
PUBLISHED_RATES = [0, *range(3, 20), 24]
DENSE = ("dense",)
LEAF_FIRST = Scheme("dense", "variable", "variable", margin="leaf_first")
ROOT_FIRST = Scheme("dense", "variable", "variable", margin="root_first")
TYPE_RATE = Scheme("dense", "variable", "variable", margin="kind")
CLIP_RATE = Scheme("dense", "variable", "variable", margin="clip")
FULL = Scheme("dense", "float128", "float96", fixed=True)
SLOW = settings(max_examples=150, deadline=None, derandomize=True,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@SLOW
@given(source=sources(), tolerance_m=st.sampled_from(TOLERANCES_M), restart_log2=st.sampled_from((0, 1, 4, 6, 31)),
       effort=st.sampled_from(("fast", "default", "max")), loop=st.booleans())
def test_any_clip_holds_its_tolerance(source, tolerance_m, restart_log2, effort, loop) -> None:
    if loop:
        source = closed(source)
        assume(decided(source))
    encoded = encode_source(source, tolerance_m, restart_log2, effort, loop=loop, codecs=DENSE)
    assert encoded.verified
    assert encoded.error_m <= tolerance_m
    assert abs(encoded.error_m - encoded.report.error_m) <= SAME_ERROR_M
    kinds = encoded.subtrack_kinds
    assert encoded.breaks == [b for b in listed_breaks(source) if kinds[b[1], b[2]] == "animated"]


def arm(frames: int, joints: int = 6, turn: float = 0.7, seed: int = 3) -> Source:
    """A chain whose joints all sway about axes of their own, on a root that moves."""
    rng = np.random.default_rng(seed)
    transforms, time = rest(frames, joints), np.arange(frames) / 30.0
    transforms[:, 0, 4:7] = 0.3 * np.sin(time[:, None] * [1.0, 0.7, 0.4])
    transforms[:, 1:, 5] = 0.25
    for joint in range(joints):
        transforms[:, joint, :4] = axis_angle(rng.normal(size=3), turn * np.sin(
            time * rng.uniform(1.0, 4.0) + rng.uniform(0, 6)))
    return make_source([*range(-1, joints - 1)], transforms)


def encode_arm(source: Source, tolerance_m: float = TOLERANCE_M, effort: str = "default",
               scheme: Scheme = LEAF_FIRST, **more: object) -> Encoded:
    encoded = encode_source(source, tolerance_m, SEGMENT_LOG2, effort, codecs=DENSE, scheme=scheme, **more)
    assert encoded.verified and encoded.error_m <= tolerance_m
    return encoded


@pytest.mark.parametrize("frames", [1, 2, 3, 15, 16, 17, 31, 32, 33, 49])
@pytest.mark.parametrize("loop", [False, True])
def test_segments_of_any_length_hold(frames: int, loop: bool) -> None:
    source = closed(arm(frames, turn=0.1)) if loop else arm(frames)
    encoded = encode_arm(source, loop=loop)
    clip = encoded.bank.clips[0]
    assert (clip.codec, clip.restart_frames, clip.frame_count) == ("dense", 16, frames)


@pytest.mark.parametrize("scheme", [LEAF_FIRST, ROOT_FIRST])
@pytest.mark.parametrize("effort", ["fast", "default", "max"])
def test_rates_save_most_bytes_of_full_keys(scheme: Scheme, effort: str) -> None:
    source = arm(160)
    full = len(encode_arm(source, scheme=FULL).data)
    sizes = [len(encode_arm(source, tolerance_m, effort, scheme).data) for tolerance_m in (1e-2, 1e-3, 1e-4)]
    assert sizes[0] < sizes[1] < sizes[2] < 0.5 * full


def test_both_orders_are_about_as_good_but_not_the_same() -> None:
    source = arm(160)
    leaf, root = (encode_arm(source, scheme=scheme).data for scheme in (LEAF_FIRST, ROOT_FIRST))
    assert leaf != root
    assert abs(len(leaf) - len(root)) < 0.05 * len(root)


def test_errors_at_the_first_frame_tighten_that_frame_alone() -> None:
    """Otherwise all tracks need finer keys, or keys in a format of their own."""
    assert len(encode_arm(arm(3, 11, 1.6, 4), 5e-2, "fast", ROOT_FIRST).data) < 900


@pytest.mark.parametrize("seed", [0, 2])
def test_the_smallest_of_several_codings_is_kept(seed: int) -> None:
    """The fast effort has only one. The clip has a single track, so that every bit of it counts."""
    source = arm(40, 1, 0.1, seed)
    source.frames[:, 0, 4:7] = 0.0
    fast, default = (len(encode_arm(source, 5e-3, effort).data) for effort in ("fast", "default"))
    assert default < fast


def test_the_same_clip_gives_the_same_bank() -> None:
    source = arm(70)
    assert encode_arm(source).data == encode_arm(source).data


def test_a_layer_holds_in_every_chain() -> None:
    encoded = encode_arm(arm(70), layer=True)
    assert 0.0 < encoded.report.chain_error_m <= TOLERANCE_M


def rates_of(encoded: Encoded) -> list[int]:
    return [rate for _, rate in kinds_and_rates(encoded)]


def kinds_and_rates(encoded: Encoded) -> Iterator[tuple[str, int]]:
    """Rates of all tracks in all segments but the first, whose place the clip's constants decide; every
    animated track has to be variable."""
    words = unpack_words(encoded.data)
    places = {words[5 + 3 * i]: words[6 + 3 * i] & 0x7FFFFFFF for i in range(words[4])}
    data = words[places[0x41544144]:]
    clip = encoded.bank.clips[0]
    restarts = (clip.frame_count - 1 - clip.loop) // clip.restart_frames
    first_restart = 1 + (data[0] >> 18)
    stream = data[first_restart + restarts:]
    headers = list(_headers(stream, len(clip.tracks), encoded))
    for position in data[first_restart:first_restart + restarts]:
        bits = BitReader(stream, position)
        for kind, sign in headers:
            rate = bits.take(8)
            bits.take(sign if rate == 0 else 0)
            bits.take(24), bits.take(24)
            yield kind, rate


def _headers(stream: tuple[int, ...], tracks: int, encoded: Encoded) -> Iterator[tuple[str, int]]:
    """The kind of every track, and True if its keys have a sign."""
    bits = BitReader(stream)
    assert bits.take(12) == tracks
    bits.take(8)
    subtrack = 0
    for _ in range(tracks):
        subtrack += bits.take_rice_unsigned(0)
        assert bits.take(3) == 7
        kind = encoded.bank.subtracks[subtrack][0]
        yield kind, bits.take(1) if kind == "rotation" else 0
        bits.position += 192
        subtrack += 1


def test_a_segment_that_rests_has_a_sign_and_another_one_for_each_key() -> None:
    """If two rotations gain as much, the one whose keys take fewer bits has no signs."""
    rng, time = np.random.default_rng(235), np.arange(17)
    frames = rest(rng.integers(3, 24), rng.integers(2, 7))
    frames[:, 1:, 5] = 0.25
    for joint in range(frames.shape[1]):
        angle = rng.uniform(0.01, 0.4) * np.sin(time * rng.uniform(0.05, 0.6) + rng.uniform(0.0, 6.0))
        frames[:, joint, :4] = axis_angle(rng.normal(size=3), angle + (np.pi if rng.random() < 0.5 else 0.5))
    tolerance_m = 10.0 ** rng.uniform(-3.0, -1.0)
    source = make_source([*range(-1, frames.shape[1] - 1)], frames)
    encoded = encode_source(source, tolerance_m, 1, codecs=DENSE, scheme=LEAF_FIRST)
    assert rates_of(encoded) == [3, 0, 3, 0, 0, 0, 0, 0, 3, 0, 3, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("tolerance_m", [2e-2, 1e-3, 1e-4])
def test_rates_are_the_published_ones(tolerance_m: float) -> None:
    rates = rates_of(encode_arm(arm(160), tolerance_m))
    assert set(rates) <= set(PUBLISHED_RATES)
    assert len(set(rates)) > 3
    assert len(rates) == 9 * 7


def test_a_track_that_rests_for_a_segment_has_no_rate_there() -> None:
    frames = rest(64, 2)
    frames[:, 1, 5] = 0.3
    frames[40:, 0, :4] = axis_angle(np.array([0.0, 0.0, 1.0]), 0.05 * np.arange(24))
    rates = rates_of(encode_arm(make_source([-1, 0], frames)))
    assert rates[0] == 0 and min(rates[1:]) > 0


def test_half_turns_hold_where_three_components_say_too_little() -> None:
    """With w near zero, the other three components determine a rotation poorly: the clip still holds, and costs
    much less than full keys."""
    frames = arm(120).frames
    frames[:, 0, :4] = axis_angle(np.array([1.0, 2.0, 0.5]), np.pi + 0.02 * np.sin(np.arange(120) / 9.0))
    source = make_source([*range(-1, 5)], frames)
    full = len(encode_arm(source, 1e-2, scheme=FULL).data)
    assert len(encode_arm(source, 1e-4).data) < 0.7 * full


def test_many_joints_that_need_each_others_room() -> None:
    """The needs of one of 250 joints put others over their limits: rates settle all the same."""
    rng, time = np.random.default_rng(1), np.arange(96) / 30.0
    parents = [-1] + [int(rng.integers(max(0, j // 3 - 1), max(1, j // 2 + 1))) for j in range(1, 250)]
    frames = rest(96, 250)
    frames[:, 1:, 4:7] = rng.uniform(-0.1, 0.1, (1, 249, 3))
    for joint in range(250):
        frames[:, joint, :4] = axis_angle(rng.normal(size=3), 0.5 * np.sin(
            time * rng.uniform(0.5, 6.0) + rng.uniform(0, 6)))
    frames[:, 0, 4] = 0.5 * time
    encoded = encode_arm(make_source(parents, frames), effort="fast")
    assert len(encoded.data) <= 70_100


# ---- one rate for the clip, or for each kind of track ----


def stretching(frames: int = 100) -> Source:
    """An arm whose hand also grows and shrinks."""
    source = arm(frames)
    source.frames[:, -1, 7:] += 0.2 * np.sin(np.arange(frames)[:, None] / 7.0)
    return source


@settings(SLOW, max_examples=60)
@given(source=sources(), tolerance_m=st.sampled_from(TOLERANCES_M),
       restart_log2=st.sampled_from((0, 4, 6, 31)), loop=st.booleans(), layer=st.booleans(),
       scheme=st.sampled_from((TYPE_RATE, CLIP_RATE)))
def test_any_clip_holds_with_few_rates(source, tolerance_m, restart_log2, loop, layer, scheme) -> None:
    if loop:
        source = closed(source)
        assume(decided(source))
    encoded = encode_source(source, tolerance_m, restart_log2, loop=loop, layer=layer, scheme=scheme)
    assert encoded.verified and encoded.error_m <= tolerance_m
    assert abs(encoded.error_m - encoded.report.error_m) <= SAME_ERROR_M


@pytest.mark.parametrize("tolerance_m", [2e-2, 1e-3, 1e-4])
def test_the_clip_or_each_kind_has_one_rate(tolerance_m: float) -> None:
    source = stretching()
    by_track, by_type, by_clip = (encode_arm(source, tolerance_m, scheme=scheme)
                                  for scheme in (LEAF_FIRST, TYPE_RATE, CLIP_RATE))
    rates = set(kinds_and_rates(by_type))
    assert sorted(kind for kind, _ in rates) == ["rotation", "scale", "translation"]
    assert len(set(rates_of(by_clip))) == 1
    assert {rate for _, rate in rates} | set(rates_of(by_clip)) <= set(PUBLISHED_RATES)
    assert len(by_track.data) < len(by_type.data) < len(by_clip.data)


def test_the_rate_of_the_clip_is_the_lowest_that_holds() -> None:
    """A tolerance just below the error of one rate needs the next."""
    source, tolerance_m, taken = stretching(), 2e-2, []
    while len(taken) < 8:
        encoded = encode_arm(source, tolerance_m, scheme=CLIP_RATE)
        taken.append(rates_of(encoded)[0])
        tolerance_m = 0.999 * encoded.report.error_m
    first = PUBLISHED_RATES.index(taken[0])
    assert taken == PUBLISHED_RATES[first:first + len(taken)]


def test_one_kind_has_the_rate_of_the_clip() -> None:
    source = arm(100)
    source.frames[:, 0, 4:7] = 0.0
    assert (encode_arm(source, scheme=TYPE_RATE).data == encode_arm(source, scheme=CLIP_RATE).data)


@pytest.mark.parametrize("frames", [1, 2, 16, 17, 33])
@pytest.mark.parametrize("scheme", [TYPE_RATE, CLIP_RATE])
def test_few_rates_hold_in_segments_of_any_length(frames: int, scheme: Scheme) -> None:
    source = arm(frames)
    encoded = encode_arm(source, scheme=scheme)
    assert encoded.bank.clips[0].frame_count == frames
    assert encoded.data == encode_arm(source, scheme=scheme).data


@pytest.mark.parametrize("scheme", [TYPE_RATE, CLIP_RATE])
def test_clips_beyond_the_finest_rate_are_refused(scheme: Scheme) -> None:
    status, clip, report = try_encode(stretching(40), 1e-8, SEGMENT_LOG2, scheme=scheme)
    assert (status, clip) == (native.ERROR_TOLERANCE, None)
    assert report.tight_error_m > 1e-8 and report.tight_joint >= 0


@pytest.mark.parametrize("scheme", [LEAF_FIRST, ROOT_FIRST, TYPE_RATE, CLIP_RATE])
@pytest.mark.parametrize("kind", ["rotation", "scale"])
def test_invisible_tracks_hold(kind: str, scheme: Scheme) -> None:
    """Below a joint whose scale is zero nothing moves, so that no limit asks for finer keys."""
    frames, time = rest(34, 3), np.arange(34)
    frames[:, 0, 7:10] = 0.0
    frames[:, 1:, 4] = 0.1
    if kind == "scale":
        frames[:, 1, 7:10] = np.cos(0.3 * time)[:, None]
    else:
        frames[:, 1, :4] = axis_angle(np.array([1.0, 2.0, 3.0]), 0.3 * time)
    encoded = encode_source(make_source([-1, 0, 1], frames), TOLERANCE_M, 3, scheme=scheme)
    assert encoded.verified and encoded.error_m <= TOLERANCE_M
