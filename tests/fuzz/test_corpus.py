"""The seeds of the fuzzer have what mutations alone would take hours to come across."""
from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from ossicle.encoding import native
from ossicle.bank.file import Bank, parse_bank
from ossicle.bank.graph.records import AFTER, ALWAYS, AT, AT_LEAST, EQUALS, FINISHED, INSIDE, IS_SET, WAITS
from ossicle.base.codec import CODEC_NAMES

FUZZ = Path(__file__).resolve().parent
sys.path[:0] = [str(FUZZ), str(FUZZ.parent / "golden")]

from make_corpus import MOST_TIERS, corpus, tier_bank  # noqa: E402

ERROR_CLIP = -8


def _status(bank: bytes) -> int:
    return native.check_bank(native.bank_words(bank))[0]


@pytest.mark.usefixtures("built_encoder")
def test_seeds_open_and_have_clips_of_every_codec() -> None:
    codecs: Counter[str] = Counter()
    versions: Counter[str | None] = Counter()
    images = 0
    for name, bank in corpus().items():
        if _status(bank) == 0:
            parsed = parse_bank(bank)
            images += sum(clip.mirrored for clip in parsed.clips)
            codecs.update({clip.codec for clip in parsed.clips})
            versions.update({chunk.codec for tier in parsed.tiers if tier.there for chunk in tier.chunks})
        else:
            assert name.startswith(f"tiers{MOST_TIERS + 1}"), name
    assert set(codecs) == set(CODEC_NAMES.values())
    assert min(codecs.values()) >= 10 and images >= 10
    assert set(versions) == {None, *CODEC_NAMES.values()}
    assert min(versions.values()) >= 5


@pytest.mark.usefixtures("built_encoder")
@pytest.mark.parametrize("period", [1, 2])
@pytest.mark.parametrize("tiers", range(1, MOST_TIERS + 1))
def test_dense_seeds_have_keys_in_every_tier(tiers: int, period: int) -> None:
    bank = tier_bank(tiers, period)
    assert bank in corpus().values() and _status(bank) == 0 and len(bank) <= 500
    parsed: Bank = parse_bank(bank)
    assert len(parsed.tiers) == tiers
    assert all(tier.words >= 2 and len(tier.chunks) == 1 for tier in parsed.tiers)
    words = native.bank_words(bank)
    played = native.decode_clip(words, 0, 1, False)
    assert np.allclose(played[:, 0, 4], np.arange(len(played)) / len(played), atol=1e-4)


@pytest.mark.usefixtures("built_encoder")
def test_a_seed_has_one_tier_too_many() -> None:
    assert _status(tier_bank(MOST_TIERS + 1, 1)) == ERROR_CLIP


def test_seeds_have_graphs_with_blends_clips_and_choices() -> None:
    banks = [parse_bank(bank) for bank in corpus().values() if b"GRPH" in bank]
    graphs = [bank.graph for bank in banks if bank.graph]
    assert len(graphs) >= 20 and sum(graph.has_blends for graph in graphs) >= 5
    assert sum(graph.has_positions for graph in graphs) >= 5 and sum(graph.has_steps for graph in graphs) >= 5
    choices = [choice for graph in graphs for choice in graph.choices]
    assert min(sum(bool(choice.weights) for choice in choices),
               sum(choice.flag is not None for choice in choices)) >= 5
    assert sum(any(bank.clips[state.clip].mirrored for state in graph.states)
               for bank, graph in zip(banks, graphs)) >= 5
    operations = {atom.operation for graph in graphs for transition in graph.transitions
                  for clause in transition.clauses for atom in clause}
    assert operations == {ALWAYS, WAITS, IS_SET, AT_LEAST, EQUALS, FINISHED, AFTER, AT, INSIDE}
