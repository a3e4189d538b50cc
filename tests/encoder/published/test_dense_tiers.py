"""Streaming tiers: the keys that the encoder moves into them, and clips without them."""
from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from encoding import Encoded, Source, encode_source
from ossicle.encoding import native
from ossicle.bank.clips import name_hash
from ossicle.bank.file import parse_bank
from ossicle.encoding.sections import names_section
from ossicle.encoding.scheme import Scheme
from ossicle.bank.strip import without_tiers
from ossicle.bank.tiers import TIERS
from ossicle.encoding.tiers.key_tiers import move_keys
from ossicle.encoding.problems import EncodeProblem
from ossicle.encoding.tiers.sizes import TierTargets
from random_clips import sources
from shell_measure import shell_errors, with_midpoints
from test_dense_rates import arm
from mentions import mentioning

TOLERANCE_M = 1e-3
SAME_ERROR_M = 1e-6  # single precision of the decoded clip
WITHOUT_LAST, WITHOUT_ANY = 8, 32  # tolerances that a clip may be off by without tiers
SEGMENT_LOG2 = 4
SLOW = settings(max_examples=60, deadline=None, derandomize=True,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def encoded_in(source: Source, tiers: int, restart_log2: int = SEGMENT_LOG2,
               tolerance_m: float = TOLERANCE_M, tier_m: tuple[float, ...] = ()) -> Encoded:
    scheme = Scheme("dense", "variable", "variable", margin="leaf_first", tiers=tiers, tier_m=tier_m)
    encoded = encode_source(source, tolerance_m, restart_log2, "fast", codecs=("dense",), scheme=scheme)
    assert encoded.verified and encoded.error_m <= tolerance_m
    return encoded


def played_without(encoded: Encoded, keep: int) -> tuple[int, np.ndarray]:
    """The bytes of the bank with only the first tiers, and its poses."""
    data, _ = without_tiers(encoded.bank, keep)
    joints = len(encoded.source.parents)
    return len(data), native.decode_clip(native.bank_words(data), 0, joints, True).astype(float)


def error_of(source: Source, played: np.ndarray) -> float:
    reference = with_midpoints(source.frames, source.breaks)
    return float(shell_errors(source.parents, reference, played, 0.03, source.bind).max())


@pytest.mark.parametrize("tiers", [1, 2, 3, 4])
def test_a_bank_without_its_tiers_has_the_reported_error(tiers: int) -> None:
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
    """At every frame and midpoint: keys are ordered by the errors at frames alone."""
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
def test_missing_tiers_cost_so_many_tolerances(tolerance_m: float) -> None:
    source = arm(320, turn=0.4)
    encoded = encoded_in(source, 2, tolerance_m=tolerance_m)
    for keep, most in ((1, WITHOUT_LAST), (0, WITHOUT_ANY)):
        size, played = played_without(encoded, keep)
        assert 0.6 * most < error_of(source, played) / tolerance_m <= 1.01 * most
        same = np.all(played[::2] == encoded.played[::2], (1, 2))
        assert same[::16].all() and same[15::16].all() and same[-1]


def test_calm_clips_lose_more_keys_than_wild_ones() -> None:
    def left(turn: float) -> float:
        """The part of all joints and frames that is as before without the tier."""
        encoded = encoded_in(arm(160, turn=turn), 1)
        _, played = played_without(encoded, 0)
        return float(np.all(played[::2] == encoded.played[::2], 2).mean())

    assert left(0.4) < left(1.0) < left(2.0) <= 1.0


def test_tracks_lose_different_keys() -> None:
    """Without the tier, frames are wrong in only some joints."""
    encoded = encoded_in(arm(200), 1)
    _, played = played_without(encoded, 0)
    same = np.all(played[::2] == encoded.played[::2], 2)
    assert np.any(same.any(1) & ~same.all(1))


@pytest.mark.parametrize("there", [set(some) for count in range(4) for some in combinations((1, 2, 3), count)])
def test_any_set_of_tiers_keeps_the_error_of_those_that_are_complete(there: set[int]) -> None:
    encoded = encoded_in(arm(200), 3, tier_m=(0.03, 0.01, 0.003))
    gone = {TIERS[tier - 1] for tier in {1, 2, 3} - there}
    bank = replace(encoded.bank, sections=tuple(part for part in encoded.bank.sections if part.tag not in gone))
    data, _ = without_tiers(bank, len(TIERS))
    played = native.decode_clip(native.bank_words(data), 0, len(encoded.source.parents), True).astype(float)
    complete = next((tier - 1 for tier in (1, 2, 3) if tier not in there), 3)
    errors = [*list(encoded.report.tier_error_m)[:3], encoded.error_m]
    assert error_of(encoded.source, played) == pytest.approx(errors[complete], abs=SAME_ERROR_M)


def test_keys_of_kept_frames_stay() -> None:
    source = arm(100)
    kept = np.zeros(100, bool)
    kept[[5, 6, 40, 98]] = True
    skeleton = native.Skeleton(source.parents, source.bind)
    scheme = Scheme("dense", "variable", "variable", margin="leaf_first", tiers=1, tier_m=(10.0,))
    how = native.EncodeSettings(TOLERANCE_M, 0.03, SEGMENT_LOG2, "fast", ("dense",), scheme=scheme)
    _, clip, _ = native.encode_clip(skeleton, native.ClipInput(source.frames, source.steps, kept=kept), how)
    names = names_section([f"joint{j}" for j in range(len(source.parents))], ["a"])
    data = native.write_bank(skeleton, [clip], [(name_hash("a"), 30 << 16, 1)], names)
    full, base = (native.decode_clip(native.bank_words(bank), 0, len(source.parents), False)
                  for bank in (data, without_tiers(parse_bank(data), 0)[0]))
    same = np.all(full == base, (1, 2))
    assert same[[5, 6, 40, 98]].all() and same[::16].all() and same[15::16].all()
    assert same.sum() <= 4 + 2 * 7


@pytest.mark.parametrize("shares", [(0.6,), (0.6, 0.75), (0.6, 0.7, 0.8, 0.9)])
def test_stated_sizes_are_kept(shares: tuple[float, ...]) -> None:
    skeleton, clips, write = bank_of_arms()
    move_keys(clips, TierTargets(shares=shares), write, "arms.bvh")
    data = write()
    assert native.verify_clips(native.bank_words(data), clips) is None
    errors = [max(clip.report.tier_error_m[tier] for clip in clips) for tier in range(len(shares))]
    assert errors == sorted(errors, reverse=True)
    for tier, share in enumerate(shares):
        size = len(without_tiers(parse_bank(data), tier)[0])
        assert 0.9 * share < size / len(data) <= share


def test_a_size_that_is_too_small_is_refused_with_the_least() -> None:
    _, clips, write = bank_of_arms()
    with pytest.raises(EncodeProblem, match=mentioning("arms.bvh --tiers 100")):
        move_keys(clips, TierTargets(sizes=(100,)), write, "arms.bvh")


@SLOW
@given(source=sources(), tiers=st.sampled_from([1, 2, 4]), restart_log2=st.sampled_from([0, 2, 4, 6]))
def test_any_clip_has_tiers(source, tiers, restart_log2) -> None:
    encoded = encoded_in(source, tiers, restart_log2)
    for keep in range(encoded.report.tiers):
        _, played = played_without(encoded, keep)
        expected = encoded.report.tier_error_m[keep]
        assert error_of(source, played) == pytest.approx(expected, rel=1e-4, abs=1e-5)


def bank_of_arms():
    """A skeleton, clips with keys in two tiers, and a function that writes their bank."""
    sources_of = [arm(90, seed=3), arm(70, seed=3), arm(40, seed=3)]
    skeleton = native.Skeleton(sources_of[0].parents, sources_of[0].bind)
    scheme = Scheme("dense", "variable", "variable", margin="leaf_first", tiers=2)
    how = native.EncodeSettings(TOLERANCE_M, 0.03, SEGMENT_LOG2, "fast", ("dense",), scheme=scheme)
    clips = []
    for source in sources_of:
        status, clip, _ = native.encode_clip(skeleton, native.ClipInput(source.frames, source.steps), how)
        assert status == native.OK
        clips.append(clip)
    names = names_section([f"joint{j}" for j in range(6)], ["a", "b", "c"])

    def write() -> bytes:
        return native.write_bank(skeleton, clips, [(name_hash(name), 30 << 16, 1) for name in "abc"], names)

    return skeleton, clips, write


def test_a_bank_of_clips_shares_its_tiers() -> None:
    """Clips of one bank append their keys to the same tiers, and find them there."""
    _, clips, write = bank_of_arms()
    data = write()
    assert len(parse_bank(data).tier_set.tiers) == 2
    assert native.verify_clips(native.bank_words(data), clips) is None
