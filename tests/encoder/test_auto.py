"""The codec that `auto` chooses: codegen/README.md's section on codecs."""
from __future__ import annotations

import numpy as np
import pytest
from encoding import Source, axis_angle, encode_source, make_source, rest
from ossicle.base.codec import AUTO_CODECS

SEEDS = range(40)
BRIEF = 100  # frames up to which all codecs are considered


def jerks(frames: int, seed: int) -> Source:
    """A chain that moves at few frames, by sudden turns: no codec is the best for all of these."""
    rng = np.random.default_rng(seed)
    turns = np.where(rng.random(frames) < 0.03, 0.4, 0.0).cumsum() % 1.0
    clip = rest(frames, 3)
    clip[:, 1, :4] = axis_angle(np.array([0.0, 0.0, 1.0]), turns)
    clip[:, 1:, 5] = 0.2
    return make_source([-1, 0, 1], clip)


def chosen(source: Source, effort: str = "default", layer: bool = False) -> tuple[str, dict[str, int]]:
    """The codec that auto takes; and the bytes of a bank by auto and by each codec alone."""
    choices = {"auto": AUTO_CODECS} | {codec: (codec,) for codec in AUTO_CODECS}
    banks = {name: encode_source(source, 1e-3, effort=effort, codecs=codecs, layer=layer)
             for name, codecs in choices.items()}
    return banks["auto"].bank.clips[0].codec, {name: len(bank.data) for name, bank in banks.items()}


def test_of_short_clips_the_smallest_is_kept() -> None:
    taken = set()
    for seed in SEEDS:
        codec, sizes = chosen(jerks(60, seed))
        assert sizes["auto"] == min(sizes.values())
        taken.add(codec)
    assert {"delta", "curve"} <= taken


def test_of_long_clips_delta_is_not_considered() -> None:
    smaller = 0
    for seed in SEEDS:
        codec, sizes = chosen(jerks(BRIEF + 1, seed))
        assert codec in ("curve", "transform")
        smaller += sizes["delta"] < sizes["auto"]
    assert smaller > 0


@pytest.mark.exhaustive
def test_the_greatest_effort_considers_all() -> None:
    for seed in SEEDS:
        sizes = chosen(jerks(BRIEF + 1, seed), "max")[1]
        assert sizes["auto"] <= sizes["delta"]


@pytest.mark.parametrize("frames", [20, 60, BRIEF + 1])
def test_in_a_hurry_every_clip_is_transform(frames: int) -> None:
    codec, sizes = chosen(jerks(frames, 1), "fast")
    assert codec == "transform" and sizes["auto"] == sizes["transform"]


@pytest.mark.parametrize("effort", ["fast", "default"])
@pytest.mark.parametrize("frames", [60, BRIEF + 1])
def test_of_layers_the_smallest_is_kept(frames: int, effort: str) -> None:
    for seed in SEEDS[:8]:
        sizes = chosen(jerks(frames, seed), effort, layer=True)[1]
        assert sizes["auto"] == min(sizes.values())
