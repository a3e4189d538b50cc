"""Benches measure the corpora that are present, or only the demo character."""
from __future__ import annotations

from pathlib import Path

import pytest

from bench_inputs import CORPORA, files_of_corpora
from tools.demo import HERO


def test_corpora_that_are_not_there_are_named(one_corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert files_of_corpora(one_corpus) == {"bandai": [one_corpus / "corpus/bandai/walk.bvh"]}
    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith("Knight: ") and CORPORA["Knight"] in line


def test_the_smallest_input_is_in_every_checkout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert files_of_corpora(tmp_path, smallest=True) == {"hero": [HERO]}
    assert not capsys.readouterr().out
