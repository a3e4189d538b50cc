"""Layers: each chain of joints keeps the tolerance on its own, by the tests' own measure."""
from __future__ import annotations

from pathlib import Path

import made_clips
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from encoding import Encoded, axis_angle, encode_source, make_source, rest
from ossicle.encoding import native
from ossicle.encoding.encoder import encode
from ossicle.importers.importer import read_clips
from ossicle.model.lengths import Tolerance
from ossicle.encoding.settings import ClipRule, Settings
from random_clips import sources
from shell_measure import chain_errors, find_breaks, with_midpoints
from test_encoder_round_trip import SAME_ERROR_M, SLOW

HERO = Path(__file__).resolve().parents[3] / "codegen/demo/hero.glb"
ALL_CODECS = ("delta", "curve", "transform")
BONE_M = 0.2
# Bytes of ten chains that swing, which the search reaches by trying one track after the other; a better one has fewer.
SWINGING_BYTES = {"fast": {"delta": 3828, "curve": 3548, "transform": 3724},
                  "default": {"delta": 3804, "curve": 3520, "transform": 3676},
                  "max": {"delta": 3804, "curve": 3516, "transform": 3664}}


def errors_of(encoded: Encoded) -> np.ndarray:
    source = encoded.source
    return chain_errors(source.parents, with_midpoints(source.frames, source.breaks), encoded.played, bind=source.bind)


@pytest.mark.exhaustive
@SLOW
@given(source=sources(), tolerance_m=st.sampled_from((1e-4, 1e-3, 5e-3, 5e-2)),
       effort=st.sampled_from(("fast", "default", "max")),
       codecs=st.sampled_from((("delta",), ("delta",), ("curve",), ALL_CODECS)))
def test_every_chain_holds_the_tolerance(source, tolerance_m, effort, codecs) -> None:
    encoded = encode_source(source, tolerance_m, effort=effort, layer=True, codecs=codecs)
    errors, report = errors_of(encoded), encoded.report
    assert encoded.verified
    assert errors.max() <= tolerance_m
    assert abs(encoded.error_m - report.error_m) <= SAME_ERROR_M
    below_roots = errors[source.parents >= 0]
    if len(below_roots):
        assert abs(below_roots.max() - report.chain_error_m) <= SAME_ERROR_M
        assert abs(errors[report.chain_start, report.chain_joint] - report.chain_error_m) <= SAME_ERROR_M
        assert source.parents[report.chain_start] >= 0
    else:
        assert report.chain_joint == -1


def swinging_chain(joints: int = 6, frames: int = 40, seed: int = 7) -> np.ndarray:
    rng, time = np.random.default_rng(seed), np.arange(frames)
    swinging = rest(frames, joints)
    for joint in range(joints):
        angle = 0.5 * np.sin(time * rng.uniform(0.1, 0.4) + rng.uniform(0, 6))
        swinging[:, joint, :4] = axis_angle(rng.normal(size=3), angle)
    swinging[:, 1:, 5] = BONE_M
    return swinging


@pytest.mark.parametrize("codec", ALL_CODECS)
def test_a_full_body_clip_leaves_chains_behind(codec: str) -> None:
    """Its joints compensate for each other, so that it breaks the promise of a layer."""
    source = make_source(list(range(-1, 5)), swinging_chain())
    full = encode_source(source, 1e-3, codecs=(codec,))
    assert full.error_m <= 1e-3 < errors_of(full).max()
    assert full.report.chain_joint == -1
    layer = encode_source(source, 1e-3, codecs=(codec,), layer=True)
    assert errors_of(layer).max() <= 1e-3


@pytest.mark.parametrize("effort", native.EFFORTS)
@pytest.mark.parametrize("codec", ALL_CODECS)
def test_the_tolerance_of_chains_is_used(codec: str, effort: str) -> None:
    size = 0
    for seed in range(10):
        source = make_source(list(range(-1, 3)), swinging_chain(4, 20, seed))
        size += len(encode_source(source, 5e-3, codecs=(codec,), layer=True, effort=effort).data)
    assert size == SWINGING_BYTES[effort][codec]


def test_a_joint_with_a_tolerance_of_its_own_keeps_it_in_every_chain() -> None:
    source = make_source(list(range(-1, 5)), swinging_chain())
    tolerances = np.array([1e-3, 1e-4] + [1e-3] * 4)
    skeleton = native.Skeleton(source.parents, source.bind)
    settings = native.EncodeSettings(1e-3, codecs=ALL_CODECS, layer=True, joint_tolerance_m=tolerances)
    status, clip, report = native.encode_clip(skeleton, native.ClipInput(source.frames, source.steps), settings)
    assert status == native.OK and clip is not None
    data = native.write_bank(skeleton, [clip], [(1, 30 << 16, 263882790)], b"")
    played = native.decode_clip(native.bank_words(data), 0, 6, True).astype(np.float64)
    errors = chain_errors(source.parents, with_midpoints(source.frames, source.breaks), played)
    assert (errors <= tolerances).all()
    assert errors[:, 2:].max() > 1e-4


def check_files(paths: list[Path], mode: str, tolerance_m: float) -> float:
    """Encodes files with all clips in one mode; the largest error of any chain in tolerances."""
    settings = Settings(tolerance=Tolerance(tolerance_m), effort="fast", mode=mode)
    result, imported = encode(paths, settings), read_clips(paths, settings.importing)
    words, parents, worst = native.bank_words(result.bank), imported.skeleton.parents, 0.0
    for index, clip in enumerate(imported.clips):
        played = native.decode_clip(words, index, len(parents), True).astype(np.float64)
        reference = with_midpoints(clip.frames, find_breaks(clip.frames, clip.steps))
        worst = max(worst, chain_errors(parents, reference, played).max())
    return worst / tolerance_m


@pytest.mark.parametrize("tolerance_m", (1e-4, 1e-3))
def test_the_demo(tolerance_m: float) -> None:
    assert check_files([HERO], "layer", tolerance_m) <= 1.0 < check_files([HERO], "full-body", tolerance_m)


def test_made_up_characters(tmp_path: Path) -> None:
    actions = made_clips.write_actions(tmp_path / "actions.glb", actions=8)
    captures = [made_clips.write_capture(tmp_path / f"capture{seed}.bvh", seed=seed) for seed in (1, 2)]
    assert check_files([actions], "layer", 1e-3) <= 1.0
    assert check_files(captures, "layer", 1e-3) <= 1.0


def test_rules_choose_the_mode() -> None:
    rules = (ClipRule("*", mode="layer"), ClipRule("Walk", mode="full-body"))
    settings = Settings(tolerance=Tolerance(1e-3), effort="fast", clips=rules)
    clips = {clip.name: clip for clip in encode([HERO], settings).clips}
    assert {name for name, clip in clips.items() if clip.mode == "full-body"} == {"Walk"}
    assert clips["Walk"].chain_error_mm is None and clips["Walk"].chain_start is None
    assert all(0.0 < clip.chain_error_mm <= 1.0 for name, clip in clips.items() if name != "Walk")
