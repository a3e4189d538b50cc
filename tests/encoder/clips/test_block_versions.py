"""The last check of a bank measures every version of a block, without the frame that it shares with the next block."""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from encoding import axis_angle, rest
from ossicle.bank.clips import name_hash
from ossicle.encoding import native
from ossicle.encoding.sections import names_section
from ossicle.encoding.tiers.versions import block_input

BLOCK_LOG2 = 6
FRAMES = 129  # two blocks, of which the second ends where the clip does
COARSE, FINE, MOVED = (native.EncodeSettings(tolerance_m, effort="fast") for tolerance_m in (0.02, 1e-4, 2e-3))
WAY_M = 3e-3  # beyond the last tolerance, half of it within


@dataclass(frozen=True)
class Divided:
    """A clip, and the bank that has finer versions of its two blocks in a tier."""

    skeleton: native.Skeleton
    whole: native.ClipInput
    base: native.EncodedClip
    words: np.ndarray
    blocks: list[native.EncodedClip]

    def tiers(self, *blocks: native.EncodedClip) -> native.Tiers:
        return native.Tiers(1, BLOCK_LOG2,
                            tuple(native.Version(1, 0, number, block) for number, block in enumerate(blocks)))

    def differs(self, *blocks: native.EncodedClip) -> int | None:
        """Verifies the bank as if it had been made of these versions."""
        return native.verify_clips(self.words, [self.base], self.tiers(*blocks))


def encoded(skeleton: native.Skeleton, clip: native.ClipInput, settings: native.EncodeSettings) -> native.EncodedClip:
    status, result, _ = native.encode_clip(skeleton, clip, settings)
    assert status == native.OK and result is not None
    return result


@pytest.fixture(scope="module")
def divided() -> Divided:
    bind = rest(1, 2)[0]
    bind[1, 5] = 0.4
    frames = np.repeat(bind[None], FRAMES, 0)
    at = np.arange(FRAMES) * 0.1
    frames[:, 0, 4] = 0.3 * np.sin(at)
    frames[:, 1, :4] = axis_angle(np.array([1.0, 0.0, 0.0]), 0.4 * np.sin(at))
    skeleton = native.Skeleton(np.array([-1, 0], np.int32), bind)
    middles = (frames[1:] + frames[:-1]) / 2
    middles[..., :4] /= np.linalg.norm(middles[..., :4], axis=-1, keepdims=True)
    whole = native.ClipInput(frames, np.zeros((FRAMES, 2, 3), bool), middles=middles)
    base = encoded(skeleton, whole, COARSE)
    blocks = [encoded(skeleton, block_input(whole, block, BLOCK_LOG2), FINE) for block in range(2)]
    divided = Divided(skeleton, whole, base, np.empty(0), blocks)
    bank = native.write_bank(skeleton, [base], [(name_hash("walk"), 30 << 16, 1)], names_section(["a", "b"], ["walk"]),
                             tiers=divided.tiers(*blocks))
    return replace(divided, words=native.bank_words(bank))


def moved(divided: Divided, block: int, frame: int) -> native.EncodedClip:
    """A block whose source is off at one frame, which this encoding follows within its tolerance."""
    clip = block_input(divided.whole, block, BLOCK_LOG2)
    frames = clip.frames.copy()
    frames[frame, 0, 4] += WAY_M
    return encoded(divided.skeleton, replace(clip, frames=frames), MOVED)


def test_the_bank_is_as_it_was_made(divided: Divided) -> None:
    assert divided.differs(*divided.blocks) is None


@pytest.mark.parametrize("block", [0, 1])
def test_a_block_that_plays_something_else_is_found(divided: Divided, block: int) -> None:
    blocks = list(divided.blocks)
    blocks[block] = moved(divided, block, 20)
    assert divided.differs(*blocks) == 0


def test_the_frame_that_the_next_block_plays_does_not_count(divided: Divided) -> None:
    first = moved(divided, 0, 1 << BLOCK_LOG2)
    assert first.report.error_m < WAY_M
    assert divided.differs(first, divided.blocks[1]) is None


def test_the_last_frame_of_the_clip_counts(divided: Divided) -> None:
    """Also if the clip ends with a whole block."""
    assert divided.differs(divided.blocks[0], moved(divided, 1, 1 << BLOCK_LOG2)) == 0


def test_a_version_of_a_whole_block_has_the_error_that_it_was_measured_with(divided: Divided) -> None:
    """Not merely one that is as small: nothing is left out of it."""
    coarser = encoded(divided.skeleton, block_input(divided.whole, 1, BLOCK_LOG2), MOVED)
    assert coarser.report.error_m > divided.blocks[1].report.error_m
    assert divided.differs(divided.blocks[0], coarser) == 0
