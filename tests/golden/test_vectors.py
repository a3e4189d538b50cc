"""The committed vectors of sample_banks.h: the runtime and the reference give these poses, and the file is the output
of make_vectors.py."""
from __future__ import annotations

import re
import struct
from dataclasses import dataclass

import pytest
from fixed import fnv1a, uwrap
from samples.frozen_banks import HEADER
from make_vectors import all_samples, header_text
from pose_driver import Driver, Query
from reference import Decoder


@dataclass
class Vectors:
    """A bank, queries, and hashes of their poses and models; read without the code that wrote them."""

    bank: bytes
    queries: list[tuple[int, int, int]]
    hashes: list[tuple[int, int]]


def read_vectors() -> dict[str, Vectors]:
    found = {}
    for name, kind, body in re.findall(r"(\w+?)(_queries)?\[\d+\] = {\n([^;]*)};", HEADER.read_text()):
        words = [int(text, 0) for text in re.findall(r"-?\b(?:0x\w{8}(?=u)|\d+\b)", body)]
        if kind:
            rows = [words[i:i + 5] for i in range(0, len(words), 5)]
            found[name].queries += [(clip, mode, position) for clip, mode, position, *_ in rows]
            found[name].hashes += [(pose, model) for *_, pose, model in rows]
        else:
            found[name] = Vectors(struct.pack(f"<{len(words)}I", *words), [], [])
    return {name.removeprefix("sample_"): vectors for name, vectors in found.items()}


ALL = read_vectors()


def hash_of(words: list[int]) -> int:
    return fnv1a(map(uwrap, words))


def test_all_samples_are_there() -> None:
    assert list(ALL) == [sample.name for sample in all_samples()] and all(vectors.queries for vectors in ALL.values())


def test_names() -> None:
    decoder = Decoder(ALL["walk"].bank)
    assert decoder.names() == (["hips", "spine", "hand"], ["walk", "jump", "pose", "still"])


@pytest.mark.parametrize("name", ALL)
def test_runtime(driver: Driver, name: str) -> None:
    vectors = ALL[name]
    status, _, answers = driver.ask(vectors.bank, [Query(*query) for query in vectors.queries])
    assert status == 0
    assert [(hash_of(answer.pose), hash_of(answer.model)) for answer in answers] == vectors.hashes


@pytest.mark.parametrize("name", ALL)
def test_reference(driver: Driver, name: str) -> None:
    """Word for word as the runtime."""
    decoder, (status, _, answers) = Decoder(ALL[name].bank), driver.ask(
        ALL[name].bank, [Query(*query) for query in ALL[name].queries])
    assert status == 0
    for (clip, mode, position), answer in zip(ALL[name].queries, answers, strict=True):
        assert (decoder.pose(clip, position, mode), decoder.model(clip, position, mode)) == (answer.pose, answer.model)


def test_the_header_equals_the_writer_s_output() -> None:
    assert HEADER.read_text() == header_text()
