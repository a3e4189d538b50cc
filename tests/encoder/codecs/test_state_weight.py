"""A weight of the state in curve clips: the heavier, the fewer tracks have sparse keys, and the tolerance holds."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from encoding import axis_angle, make_source, played_back, rest

from ossicle.base.format import number
from ossicle.base.problem import SettingProblem
from ossicle.encoding import native
from ossicle.encoding.choice.ram_limit import check_ram, too_large_clips
from mentions import mentioning

JOINTS, FRAMES, TOLERANCE_M = 8, 48, 1e-3
DENSE_TRACK_WORDS = number("CURVE_DENSE_WORDS") + 3 * 3
SETTINGS = native.EncodeSettings(TOLERANCE_M, codecs=("curve",))


def swinging() -> tuple[np.ndarray, np.ndarray]:
    """Joints that swing, the further down the chain the faster, so that sparse keys save less and less."""
    time, axis = np.arange(FRAMES) / 30.0, np.array([0.3, 1.0, 0.2])
    frames = rest(FRAMES, JOINTS)
    for joint in range(JOINTS):
        frames[:, joint, :4] = axis_angle(np.broadcast_to(axis, (FRAMES, 3)), 0.4 * np.sin((2.0 + 3.0 * joint) * time))
    frames[:, 1:, 5] = 0.1
    return np.arange(-1, JOINTS - 1), frames


@pytest.mark.parametrize("effort", ["fast", "default"])
def test_state_shrinks_with_its_weight(effort: str) -> None:
    parents, frames = swinging()
    source, states, sizes = make_source(list(parents), frames), [], []
    for weight in (0, 1, 4, 16, 1 << 16):
        skeleton = native.Skeleton(source.parents, source.bind)
        status, clip, _ = native.encode_clip(skeleton, native.ClipInput(source.frames, source.steps),
                                             replace(SETTINGS, effort=effort, state_bits=weight))
        assert status == native.OK and clip is not None
        played = played_back(source, clip)
        assert played.error_m <= TOLERANCE_M
        [content] = played.bank.clips
        states.append(content.state_words)
        sizes.append(content.size_bytes)
    assert states == sorted(states, reverse=True) and sizes == sorted(sizes)
    assert states[0] > states[-1] == 1 + DENSE_TRACK_WORDS * len(content.tracks)


def test_a_player_may_take_as_much_as_the_limit() -> None:
    """A limit that has room for the rows leaves the state of the clip to be reduced, even if there is none for it."""
    parents, frames = swinging()
    source = make_source(list(parents), frames)
    skeleton = native.Skeleton(source.parents, source.bind)
    _, clip, _ = native.encode_clip(skeleton, native.ClipInput(source.frames, source.steps), SETTINGS)
    bank = played_back(source, clip).bank
    rows = bank.player_bytes - 4 * bank.state_words
    assert [too_large_clips(bank, limit) for limit in (rows - 1, rows, bank.player_bytes - 1, bank.player_bytes)
            ] == [set(), {0}, {0}, set()]
    check_ram(bank, bank.player_bytes, "arm.bvh")
    with pytest.raises(SettingProblem, match=mentioning(f"arm.bvh {bank.player_bytes}")):
        check_ram(bank, bank.player_bytes - 1, "arm.bvh")
