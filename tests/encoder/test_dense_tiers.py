"""Streaming tiers: what the encoder moves into them, and what clips are without."""
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from encoding import Encoded, Source, encode_source
from ossicle.encode import native
from ossicle.bank.clips import name_hash
from ossicle.bank.file import parse_bank
from ossicle.encode.sections import names_section
from ossicle.encode.scheme import Scheme
from ossicle.bank.strip import without_tiers
from random_clips import sources
from shell_measure import shell_errors, with_midpoints
from test_dense_rates import arm

TOLERANCE_M = 1e-3
SAME_ERROR_M = 1e-6  # single precision of the decoded clip
WITHOUT_LAST, WITHOUT_ANY = 8, 32  # tolerances that a clip may be off by without tiers
SEGMENT_LOG2 = 4
SLOW = settings(max_examples=60, deadline=None, derandomize=True,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def encoded_in(source: Source, tiers: int, restart_log2: int = SEGMENT_LOG2,
               tolerance_m: float = TOLERANCE_M, tier_m: tuple[float, ...] = ()) -> Encoded:
    scheme = Scheme("dense", "variable", "variable", margin="leaf_first", tiers=tiers, tier_m=tier_m)
    encoded = encode_source(source, tolerance_m, restart_log2, "fast", codecs=("dense",),
                            scheme=scheme)
    assert encoded.verified and encoded.error_m <= tolerance_m
    return encoded


def played_without(encoded: Encoded, keep: int) -> tuple[int, np.ndarray]:
    """The bytes of the bank with the first tiers alone, and what it plays."""
    data, _ = without_tiers(encoded.bank, keep)
    joints = len(encoded.source.parents)
    return len(data), native.decode_clip(native.bank_words(data), 0, joints, True).astype(float)


def error_of(source: Source, played: np.ndarray) -> float:
    reference = with_midpoints(source.frames, source.breaks)
    return float(shell_errors(source.parents, reference, played, 0.03).max())


@pytest.mark.parametrize("tiers", [1, 2])
def test_a_bank_without_its_tiers_is_off_by_what_was_reported(tiers: int) -> None:
    encoded = encoded_in(arm(200), tiers)
    assert encoded.report.tiers == tiers and len(encoded.bank.tiers) == tiers
    sizes, errors = [], []
    for keep in range(tiers):
        size, played = played_without(encoded, keep)
        sizes.append(size)
        errors.append(error_of(encoded.source, played))
        assert errors[-1] == pytest.approx(encoded.report.tier_error_m[keep], abs=SAME_ERROR_M)
    assert sorted(sizes) == sizes and sizes[-1] < len(encoded.data)
    assert sorted(errors, reverse=True) == errors and errors[-1] > encoded.error_m


@pytest.mark.parametrize("tier_m", [(0.032, 0.008), (0.008, 0.003), (0.0013, 0.0011), (0.005,)])
def test_stated_errors_are_kept(tier_m: tuple[float, ...]) -> None:
    """At every frame and half way between: keys are ordered by the errors at frames alone."""
    encoded = encoded_in(arm(200), len(tier_m), tier_m=tier_m)
    sizes = []
    for keep, limit_m in enumerate(tier_m):
        size, played = played_without(encoded, keep)
        sizes.append(size)
        error_m = error_of(encoded.source, played)
        assert error_m <= limit_m + SAME_ERROR_M
        assert error_m == pytest.approx(encoded.report.tier_error_m[keep], abs=SAME_ERROR_M)
    assert sorted(sizes) == sizes


def test_a_larger_error_moves_more_out() -> None:
    sizes = [played_without(encoded_in(arm(200), 1, tier_m=(limit_m,)), 0)[0] for limit_m in (0.03, 0.01, 0.003)]
    assert sizes == sorted(sizes) and sizes[0] < sizes[-1]


def test_tiers_change_nothing_while_they_are_there() -> None:
    source = arm(200)
    plain = encoded_in(source, 0)
    assert plain.report.tiers == 0 and plain.bank.tiers == ()
    for tiers in (1, 2):
        assert np.array_equal(encoded_in(source, tiers).played, plain.played)


@pytest.mark.parametrize("tolerance_m", [2e-4, 1e-3])
def test_what_is_missing_costs_so_many_tolerances(tolerance_m: float) -> None:
    source = arm(320, turn=0.4)
    encoded = encoded_in(source, 2, tolerance_m=tolerance_m)
    for keep, most in ((1, WITHOUT_LAST), (0, WITHOUT_ANY)):
        size, played = played_without(encoded, keep)
        assert 0.6 * most < error_of(source, played) / tolerance_m <= 1.01 * most
        same = np.all(played[::2] == encoded.played[::2], (1, 2))
        assert same[::16].all() and same[15::16].all() and same[-1]


def test_calm_clips_lose_more_keys_than_wild_ones() -> None:
    def left(turn: float) -> int:
        """Frames that are as before without the tier."""
        encoded = encoded_in(arm(160, turn=turn), 1)
        _, played = played_without(encoded, 0)
        return int(np.all(played[::2] == encoded.played[::2], (1, 2)).sum())

    assert 20 <= left(0.05) < left(0.4) < left(2.0) <= 160  # ten segments, whose ends stay


@SLOW
@given(source=sources(), tiers=st.sampled_from([1, 2]), restart_log2=st.sampled_from([0, 2, 4, 6]))
def test_any_clip_has_tiers(source, tiers, restart_log2) -> None:
    encoded = encoded_in(source, tiers, restart_log2)
    for keep in range(encoded.report.tiers):
        _, played = played_without(encoded, keep)
        expected = encoded.report.tier_error_m[keep]
        assert error_of(source, played) == pytest.approx(expected, rel=1e-4, abs=1e-5)


def test_a_bank_of_clips_shares_its_tiers() -> None:
    """Clips of one bank append their keys to the same tiers, and find them there."""
    sources_of = [arm(90, seed=3), arm(70, seed=3), arm(40, seed=3)]
    skeleton = native.Skeleton(sources_of[0].parents, sources_of[0].bind)
    scheme = Scheme("dense", "variable", "variable", margin="leaf_first", tiers=2)
    how = native.EncodeSettings(TOLERANCE_M, 0.03, SEGMENT_LOG2, "fast", ("dense",), scheme=scheme)
    clips = []
    for source in sources_of:
        status, clip, _ = native.encode_clip(
            skeleton, native.ClipInput(source.frames, source.steps),
            how)
        assert status == native.OK
        clips.append(clip)
    names = names_section([f"joint{j}" for j in range(6)], ["a", "b", "c"])
    data = native.write_bank(skeleton, clips, [(name_hash(name), 30 << 16, 1) for name in "abc"],
                             names)
    assert len(parse_bank(data).tiers) == 2
    words = native.bank_words(data)
    assert native.verify_clips(words, clips) is None
