"""The same input gives the same bytes: any number of threads, any run, any compiler."""
from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from encoder_builds import bank_hashes, hashes_of_build


@pytest.fixture(scope="module")
def expected() -> list[str]:
    return bank_hashes(jobs=1)


def test_threads_and_runs_do_not_matter(expected: list[str]) -> None:
    assert bank_hashes(jobs=2) == expected
    assert bank_hashes(jobs=5) == expected
    assert bank_hashes() == expected


@pytest.mark.parametrize(("compiler", "level"), [("clang", "-O2"), ("gcc", "-O0")])
def test_compilers_do_not_matter(compiler: str, level: str, tmp_path: Path,
                                 expected: list[str]) -> None:
    """`scons roots` has all levels of both."""
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    assert hashes_of_build(compiler, level, tmp_path) == expected


def test_one_skeleton_serves_many_threads(expected: list[str]) -> None:
    with ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(bank_hashes, 2) for _ in range(4)]
        assert all(run.result() == expected for run in runs)
