"""The committed vectors: the runtime and the reference give these very words, and the files are what
make_vectors.py writes."""
from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import pytest
from make_vectors import FOLDER, HEADER, all_samples, header_text, vector_text
from pose_driver import Driver, Query
from reference import Decoder
from sample_banks import Sample

FILES = sorted(FOLDER.glob("*.vectors"))


@dataclass
class Vectors:
    """A vector file, read without the code that wrote it."""

    bank: bytes
    queries: list[tuple[int, int, int]]
    poses: list[list[int]]
    models: list[list[int]]


def read_vectors(path: Path) -> Vectors:
    bank: list[int] = []
    vectors, words = Vectors(b"", [], [], []), bank
    for line in path.read_text().splitlines():
        kind, *fields = line.split()
        if kind == "query":
            vectors.queries.append((int(fields[0]), int(fields[1]), int(fields[2])))
        elif kind in ("pose", "model"):
            words = []
            (vectors.poses if kind == "pose" else vectors.models).append(words)
        elif kind not in ("#", "bank"):
            words += [int(text, 16) for text in [kind, *fields]]
    vectors.bank = struct.pack(f"<{len(bank)}I", *bank)
    for block in vectors.poses + vectors.models:
        block[:] = struct.unpack(f"<{len(block)}i", struct.pack(f"<{len(block)}I", *block))
    return vectors


def test_the_files_are_there() -> None:
    assert {path.stem for path in FILES} == {sample.name for sample in all_samples()}


def test_names() -> None:
    decoder = Decoder(read_vectors(FOLDER / "walk.vectors").bank)
    assert decoder.names() == (["hips", "spine", "hand"], ["walk", "jump", "pose", "still"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_runtime(driver: Driver, path: Path) -> None:
    vectors = read_vectors(path)
    status, _, answers = driver.ask(vectors.bank, [Query(*query) for query in vectors.queries])
    assert status == 0
    assert [answer.pose for answer in answers] == vectors.poses
    assert [answer.model for answer in answers] == vectors.models


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_reference(path: Path) -> None:
    vectors = read_vectors(path)
    decoder = Decoder(vectors.bank)
    for (clip, mode, position), pose, model in zip(vectors.queries, vectors.poses, vectors.models,
                                                   strict=True):
        assert decoder.pose(clip, position, mode) == pose
        assert decoder.model(clip, position, mode) == model


@pytest.mark.parametrize("sample", all_samples(), ids=lambda sample: sample.name)
def test_the_file_equals_the_writer_s_output(sample: Sample) -> None:
    assert (FOLDER / f"{sample.name}.vectors").read_text() == vector_text(sample)


def test_the_header_equals_the_writer_s_output() -> None:
    assert HEADER.read_text() == header_text()
