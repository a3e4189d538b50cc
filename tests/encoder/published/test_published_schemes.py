"""Whole clips in published schemes: the limits hold, and keys are as long as published."""
from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from encoding import Source, axis_angle, closed, encode_source, make_source, rest, try_encode
from hypothesis import given, settings
from hypothesis import strategies as st
from random_clips import sources
from shell_measure import chain_errors, with_midpoints

from ossicle.encoding import native
from ossicle.encoding.presets import PRESETS
from ossicle.encoding.scheme import Scheme
from ossicle.encoding.settings import Settings

TOLERANCE_M = 1e-3
NO_RESTARTS = 31
SPARSE = {name: scheme for name, preset in PRESETS.items() for scheme in preset.schemes if scheme.codec == "sparse"}
FITTED = {name: scheme for name, scheme in SPARSE.items() if not scheme.fixed}
FULL = Scheme("sparse", "float128", "float96")  # as fine as keys get


@settings(max_examples=40, deadline=None)
@given(source=sources(), basis=st.sampled_from(["every", "linear", "timed", "centripetal",
                                                "hermite"]),
       reduction=st.sampled_from(["insert", "remove"]), margin=st.sampled_from(["even", "depth"]),
       restart_log2=st.sampled_from([0, 3, 6, NO_RESTARTS]), loop=st.booleans(), layer=st.booleans())
def test_the_tolerance_holds(source: Source, basis: str, reduction: str, margin: str,
                             restart_log2: int, loop: bool, layer: bool) -> None:
    scheme = replace(FULL, basis=basis, reduction=reduction, margin=margin)
    loop = loop and len(source.frames) > 2
    encoded = encode_source(closed(source) if loop else source, TOLERANCE_M, restart_log2,
                            loop=loop, layer=layer, scheme=scheme)
    assert encoded.error_m <= TOLERANCE_M and encoded.verified


@settings(max_examples=40, deadline=None)
@given(source=sources(), name=st.sampled_from(sorted(FITTED)))
def test_a_preset_holds_or_reports_its_error(source: Source, name: str) -> None:
    status, clip, report = try_encode(source, TOLERANCE_M, NO_RESTARTS, scheme=FITTED[name])
    if status == native.OK:
        encoded = encode_source(source, TOLERANCE_M, NO_RESTARTS, scheme=FITTED[name])
        assert encoded.error_m <= TOLERANCE_M and encoded.verified
    else:
        assert status == native.ERROR_TOLERANCE and clip is None
        assert report.tight_error_m > 0.99 * TOLERANCE_M and report.tight_joint >= 0


def waving(frame_count: int, joints: int = 1) -> Source:
    """A chain of joints 10 cm long that all turn, all the time, and a root that moves."""
    frames, time = rest(frame_count, joints), np.arange(frame_count) / 30.0
    for joint in range(joints):
        frames[:, joint, :4] = axis_angle(np.array([1.0, 2.0, joint]), 0.5 * np.sin(2.0 * time + joint) + 0.2 * joint)
        frames[:, joint, 4] = 0.1 if joint else 0.3 * np.sin(time)
    return make_source(list(range(-1, joints - 1)), frames)


# Bits of a rotation's key and of a vector's, as published, with time and index.
KEY_BITS = {
    "riot-2015-load": (SPARSE["riot-2015-load"], 80, 80),
    "riot-2015": (replace(SPARSE["riot-2015"], reduction="none", fixed=True), 80, 80),
    "intro-2021": (replace(SPARSE["intro-2021"], reduction="none", fixed=True), 56, 56),
    "unreal4-linear": (replace(FULL, rotations="fixed48", basis="linear", fixed=True), 56, 104),
    "unity5-keyframe": (replace(SPARSE["unity5-keyframe"], reduction="none", fixed=True),
                        32 + 4 * (32 + 4 * 32), 32 + 3 * (32 + 4 * 32)),
    "unity5-none": (replace(FULL, basis="every", fixed=True), 128, 96),
}


@pytest.mark.parametrize("name", KEY_BITS)
def test_keys_are_as_long_as_published(name: str) -> None:
    scheme, rotation_bits, vector_bits = KEY_BITS[name]
    sizes = [encode_source(waving(frames), math.inf, NO_RESTARTS, scheme=scheme
                           ).bank.clips[0].size_bytes for frames in (97, 193)]
    assert 8 * (sizes[1] - sizes[0]) == 96 * (rotation_bits + vector_bits)


def test_a_fixed_scheme_is_one_coding_at_any_tolerance() -> None:
    source, scheme = waving(80, 6), SPARSE["riot-2015-load"]
    free = encode_source(source, math.inf, NO_RESTARTS, scheme=scheme)
    assert free.verified and 0.0 < free.error_m < TOLERANCE_M
    held = encode_source(source, 1.1 * free.error_m, NO_RESTARTS, scheme=scheme)
    assert held.data == free.data
    status, _, report = try_encode(source, 0.9 * free.error_m, NO_RESTARTS, scheme=scheme)
    assert status == native.ERROR_TOLERANCE
    assert report.tight_error_m == pytest.approx(free.report.error_m)


def test_a_fixed_scheme_stores_motionless_tracks_once() -> None:
    source = waving(80, 6)
    source.frames[:, 3, :4] = source.frames[0, 3, :4]
    encoded = encode_source(source, math.inf, NO_RESTARTS, scheme=SPARSE["riot-2015-load"])
    assert encoded.subtrack_kinds[3, "rotation"] == "default"
    assert encoded.subtrack_kinds[2, "rotation"] == "animated"


def test_fitting_is_smaller_than_quantising_alone() -> None:
    source = waving(150, 8)
    load, fitted = (len(encode_source(source, TOLERANCE_M, NO_RESTARTS, scheme=SPARSE[name]).data)
                    for name in ("riot-2015-load", "riot-2015-timed"))
    assert load < 0.5 * source.frames.size * 4 and fitted < 0.5 * load


def test_one_threshold_or_less_for_what_others_hang_on() -> None:
    source = waving(100, 8)
    for margin in ("even", "depth"):
        encoded = encode_source(source, TOLERANCE_M, NO_RESTARTS, scheme=replace(SPARSE["intro-2021"], margin=margin))
        assert 0.6 * TOLERANCE_M < encoded.error_m <= TOLERANCE_M


@pytest.mark.parametrize("name", ["unity5-optimal", "unreal4-per-track"])
def test_a_mix_is_no_larger_than_keys_of_its_own(name: str) -> None:
    rng = np.random.default_rng(5)
    source = waving(120, 6)
    source.frames[:, 2:, :4] += rng.normal(0, 0.02, (120, 4, 4))  # too rough for sparse keys
    source.frames[..., :4] /= np.linalg.norm(source.frames[..., :4], axis=-1, keepdims=True)
    mixed, alone = (len(encode_source(source, TOLERANCE_M, NO_RESTARTS, scheme=scheme).data)
                    for scheme in (SPARSE[name], replace(SPARSE[name], mix=False)))
    assert mixed < alone


@pytest.mark.parametrize("name", ["unity5-keyframe", "riot-2015", "intro-2021"])
def test_cuts_stay_sharp(name: str) -> None:
    source = waving(90, 4)
    turn = axis_angle(np.array([0.0, 1.0, 0.0]), np.array(2.0))
    for cut in (31, 60):
        source.frames[cut:, 1, :4] = turn
        source.steps[cut, 1, 0] = True
        source.frames[cut:, 1, 0] += 0.01 * np.sin(np.arange(90 - cut))
        turn = axis_angle(np.array([1.0, 0.0, 0.0]), np.array(1.9))
    source.frames[..., :4] /= np.linalg.norm(source.frames[..., :4], axis=-1, keepdims=True)
    encoded = encode_source(source, TOLERANCE_M, NO_RESTARTS, scheme=SPARSE[name])
    assert encoded.error_m <= TOLERANCE_M and encoded.verified
    assert [b[:2] for b in encoded.breaks] == [(31, 1), (60, 1)]


def test_pinned_joints_are_placed_by_themselves() -> None:
    source = waving(90, 7)
    skeleton = native.Skeleton(source.parents, source.bind)
    limits = np.full(7, 2 * TOLERANCE_M)
    limits[5:] = TOLERANCE_M / 10
    pinned = np.arange(7) == 5
    wanted = native.EncodeSettings(
        2 * TOLERANCE_M, codecs=("sparse",), restart_log2=NO_RESTARTS, joint_tolerance_m=limits,
        scheme=replace(FULL, basis="timed", reduction="insert", margin="depth"))
    sizes = []
    for pins in (None, pinned):
        status, clip, report = native.encode_clip(
            skeleton, native.ClipInput(source.frames, source.steps), replace(wanted, pinned=pins))
        assert status == native.OK and clip is not None
        if pins is not None:
            assert report.pinned_error_m <= limits[5] and report.pinned_joint == 5
        sizes.append(len(native.write_bank(skeleton, [clip], [(1, 30 << 16, 1)], bytes(8))))
    assert sizes[1] < sizes[0]


@pytest.mark.parametrize("name", sorted(FITTED))
def test_the_same_bank_every_time(name: str) -> None:
    first, second = (encode_source(waving(70, 5), TOLERANCE_M, scheme=FITTED[name]).data for _ in range(2))
    assert first == second


@pytest.mark.parametrize("name", sorted(FITTED))
def test_layers_hold_in_every_chain(name: str) -> None:
    """Joints of a layer do not compensate for each other, in any scheme."""
    joints, frames = 5, 40
    rng, time = np.random.default_rng(11), np.arange(40)
    clip = rest(frames, joints)
    for joint in range(joints):
        angle = 0.5 * np.sin(time * rng.uniform(0.1, 0.4) + rng.uniform(0, 6))
        clip[:, joint, :4] = axis_angle(rng.normal(size=3), angle)
    clip[:, 1:, 5] = 0.25
    source = make_source(list(range(-1, joints - 1)), clip)
    layer = encode_source(source, TOLERANCE_M, NO_RESTARTS, layer=True, scheme=FITTED[name])
    errors = chain_errors(source.parents, with_midpoints(clip, source.breaks), layer.played)
    assert layer.verified and errors.max() <= TOLERANCE_M


def test_a_clip_that_stands_still_has_no_tracks() -> None:
    frames = rest(5, 2)
    frames[:, 1, 4:7] = 0.25, -0.5, 0.125
    source = make_source([-1, 0], frames, rest(1, 2)[0])
    encoded = encode_source(source, 1e-6, codecs=("sparse",), scheme=FULL)
    assert encoded.bank.clips[0].tracks == () and encoded.error_m <= 1e-6
    assert encoded.subtrack_kinds[1, "translation"] == "constant"


@pytest.mark.parametrize("name", ["acl-2017", "goodhue-2017", "unreal4-none"])
def test_a_preset_fits_with_its_own_schemes(name: str) -> None:
    options = Settings(codec="preset", preset=name).options_for("walk")
    assert [scheme.codec for scheme in options.schemes] == [scheme.codec for scheme in PRESETS[name].schemes]
    assert {scheme.codec for scheme in options.schemes} <= {*options.codecs}
