"""The tools' bit reader reads what the reference reads, also past the end of its words."""
from __future__ import annotations

from random import Random

import pytest
from bit_stream import Stream
from ossicle.bank.words import BitReader

KINDS = ("take", "rice", "rice_unsigned", "unary")


@pytest.mark.parametrize("seed", range(40))
def test_readers_agree(seed: int) -> None:
    rng = Random(seed)
    words = [rng.getrandbits(32) | (rng.getrandbits(32) if rng.random() < 0.4 else 0) for _ in range(rng.randint(2, 9))]
    words[rng.randrange(len(words))] = 0xFFFFFFFF  # escapes
    position = rng.randrange(32 * len(words))
    ours, reference = BitReader(words, position), Stream(words, position)
    for _ in range(60):
        kind, count = rng.choice(KINDS), rng.randint(1, 32)
        if kind == "take":
            assert ours.take(count) == reference.take(count)
        elif kind == "rice":
            assert ours.take_rice(count % 15) == reference.take_rice(count % 15)
        elif kind == "rice_unsigned":
            assert ours.take_rice_unsigned(count % 15) == reference.take_rice_unsigned(count % 15)
        elif reference.position < 32 * len(words) - 40:  # one ends where the other one goes on
            assert ours.take_unary(count % 6) == reference.take_unary(count % 6)
        assert ours.position == reference.position
