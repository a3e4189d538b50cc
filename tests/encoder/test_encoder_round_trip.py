"""Any clip comes back from its bank within the tolerance, by the tests' own measure."""
from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from encoding import KINDS, ONE_Q20, PARTS, Encoded, closed, encode_source, listed_breaks
from random_clips import decided, sources

TOLERANCES_M = (5e-5, 1e-4, 1e-3, 5e-3, 5e-2)
RESTARTS_LOG2 = (0, 1, 6, 31)
SAME_ERROR_M = 1e-6  # single precision of the decoded clip, at a few metres from the origin
MAX_CHORD_Q20 = 3 << 18
SLOW = settings(max_examples=200, deadline=None, derandomize=True,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def check_steps(encoded: Encoded) -> None:
    """Checks SPEC.md's promise about every pair that blends: |D| < 2^20 and K < 3 * 2^18."""
    rows = np.round(encoded.played[::2] * ONE_Q20).astype(np.int64)
    step = rows[1:] - rows[:-1]
    if encoded.bank.clips[0].loop and len(step) > 1:  # the last row may be turned towards the first
        away = np.sum(rows[-2, :, :4] * rows[-3, :, :4], -1) < 0
        step[-2, away, :4] = -rows[-2, away, :4] - rows[-3, away, :4]
    kinds = encoded.subtrack_kinds
    for joint in range(len(encoded.source.parents)):
        for kind, part in zip(KINDS, PARTS):
            blends = ~encoded.source.breaks[1:, joint, KINDS.index(kind)]
            d = step[blends, joint, part]
            if kinds[joint, kind] == "animated" and len(d):
                assert np.abs(d).max() < ONE_Q20
                if kind == "rotation":
                    assert (np.sum((d >> 5) ** 2, -1) >> 10).max() < MAX_CHORD_Q20


@SLOW
@given(source=sources(), tolerance_m=st.sampled_from(TOLERANCES_M), restart_log2=st.sampled_from(RESTARTS_LOG2),
       effort=st.sampled_from(("fast", "default", "default", "max")), loop=st.booleans())
def test_any_clip_holds_its_tolerance(source, tolerance_m, restart_log2, effort, loop) -> None:
    if loop:
        source = closed(source)
        assume(decided(source))
    encoded = encode_source(source, tolerance_m, restart_log2, effort, loop=loop)
    if encoded.bank.clips[0].loop:
        assert np.array_equal(encoded.played[-1], encoded.played[0])
    assert encoded.verified
    assert encoded.error_m <= tolerance_m
    assert abs(encoded.error_m - encoded.report.error_m) <= SAME_ERROR_M
    assert 0 <= encoded.report.frame <= len(source.frames) - 1
    check_steps(encoded)
    kinds = encoded.subtrack_kinds
    expected = [b for b in listed_breaks(source) if kinds[b[1], b[2]] == "animated"]
    assert encoded.breaks == expected
    assert encoded.report.breaks == len(expected)
    counts = [list(kinds.values()).count(kind) for kind in ("default", "constant", "animated")]
    assert counts == [encoded.report.default_tracks, encoded.report.constant_tracks, encoded.report.animated_tracks]
