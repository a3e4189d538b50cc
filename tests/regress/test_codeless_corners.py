"""In a dense track of packing four a component without codes moves where it is rebuilt, and from there on as
its predictor says; it once stayed."""
from __future__ import annotations

import sys

import pytest
from c_programs import ROOT

sys.path.append(str(ROOT / "tests/golden"))

from bank_writer import RICE_ZERO, BitWriter, Clip, Skeleton, write_bank  # noqa: E402
from curve_reference import FOUR  # noqa: E402
from fixed import ONE  # noqa: E402
from pose_driver import Driver, Query  # noqa: E402
from reference import CURVE, Decoder  # noqa: E402

FRAMES, SHIFT, WIDTH, RICE = 5, 15, 7, 2
STEP_W = 5  # of w's codes, in grains
PLAIN = (23, 0, 0, 22)  # nearly of unit length, x the largest
STATE_WORDS = 1 + 5 + 3 * 4


def bank_of(predictor: int, adapts: int) -> bytes:
    """A clip in which only w has codes: x is rebuilt at frame 1, and then left for w."""
    bits = BitWriter()
    bits.put(1, 12)
    bits.put_rice_unsigned(0, 0)  # gap
    bits.put(0, 1)  # dense
    bits.put_rice(SHIFT - 8, 0)
    bits.put_rice_unsigned(FOUR ^ 3, 1)
    bits.put(0, 2)  # width, 22 - SHIFT
    bits.put(adapts, 1)
    for component in range(4):
        if component < 3:
            bits.put(0, 1)  # grain
        bits.put_rice_unsigned(RICE if component == 3 else RICE_ZERO, 1)
        bits.put(0 if component == 3 else predictor, 2)
    clip = Clip(FRAMES, codec=CURVE, header_bits=bits.length)
    bits.put_rice_unsigned(0, 3)  # constants
    for value in PLAIN:
        bits.put(value, WIDTH)
    for _ in range(FRAMES):
        bits.put_rice(STEP_W, RICE)
    bits.put(0, 32)
    clip.stream = bits.words()
    skeleton = Skeleton([-1], [[0, 0, 0, ONE, 0, 0, 0]], ([0], [], []), state_words=STATE_WORDS)
    return write_bank(skeleton, [clip])


@pytest.mark.parametrize("adapts", [0, 1])
@pytest.mark.parametrize("predictor", range(4))
def test_they_go_on_from_where_they_were_rebuilt(driver: Driver, predictor: int, adapts: int) -> None:
    bank = bank_of(predictor, adapts)
    rows = [Decoder(bank).pose(0, 2048 * frame, 1) for frame in range(FRAMES)]
    grain = 1 << SHIFT
    step = (rows[1][0] + grain // 2) // grain - PLAIN[0]
    eighths = (0, 5, 7, 8)[predictor]  # of the step; it is the first one, and has no change
    assert step < -1
    assert rows[2][0] == (PLAIN[0] + step + (eighths * step + 4) // 8) * grain
    queries = [Query(0, 1, 2048 * frame, frame == 0) for frame in range(FRAMES)]
    assert [answer.pose for answer in driver.ask(bank, queries)[2]] == rows
