"""The committed vectors: the runtime and the reference give these very words, and the files are what
make_vectors.py writes."""
from __future__ import annotations

from pathlib import Path

import pytest
from make_vectors import all_samples, vector_text
from pose_driver import Driver, Query
from reference import Decoder
from sample_banks import Sample
from vector_files import FOLDER, read_vectors

FILES = sorted(FOLDER.glob("*.vectors"))


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
def test_file_is_what_the_writer_gives(sample: Sample) -> None:
    assert (FOLDER / f"{sample.name}.vectors").read_text() == vector_text(sample)
