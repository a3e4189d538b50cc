"""The same input gives the same bytes: any number of threads, any run, compiler, or processor."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import every_output
import made_clips
import pytest
from encoder_builds import HERO, bank_hashes
from ossicle.building.encoding import with_costs
from ossicle.encoding import native
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.settings import Settings
from ossicle.importers.importer import read_clips
from other_processors import ENVIRONMENTS, LIBM_HAS_A_CHOICE, PLAIN_NUMPY


@pytest.fixture(scope="module")
def expected() -> list[str]:
    return bank_hashes(jobs=1)


def test_threads_and_runs_do_not_matter(expected: list[str]) -> None:
    assert bank_hashes(jobs=2) == expected
    assert bank_hashes(jobs=5) == expected
    assert bank_hashes() == expected


def test_one_skeleton_serves_many_threads(expected: list[str]) -> None:
    with ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(bank_hashes, 2) for _ in range(4)]
        assert all(run.result() == expected for run in runs)


def test_all_codecs_share_the_threads() -> None:
    """A thread keeps the memory that it has used."""
    threads: set[int] = set()

    def encode(*arguments: Any) -> tuple[int, native.EncodedClip | None, native.Report]:
        threads.add(threading.get_ident())
        return native.encode_clip(*arguments)
    settings = with_costs(Settings(effort="fast"))
    chosen = encode_clips(read_clips([HERO]), settings, jobs=2, encode=encode).choices
    assert len(chosen) > 1
    assert 1 <= len(threads) <= 2


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of one clip or character of each kind."""
    folder = tmp_path_factory.mktemp("sources")
    shutil.copy(HERO, folder)
    made_clips.write_capture(folder / "capture.bvh", frames=60)
    made_clips.write_actions(folder / "actions.glb", actions=2)
    return folder


def made_in(environment: dict[str, str], sources: Path) -> dict:
    """Output of every_output.py in an environment of its own."""
    path = os.pathsep.join(sys.path)
    finished = subprocess.run([sys.executable, every_output.__file__, sources], check=True, text=True,
                              capture_output=True, timeout=300, env=os.environ | {"PYTHONPATH": path} | environment)
    return json.loads(finished.stdout)


@pytest.fixture(scope="module")
def here(sources: Path) -> dict:
    return made_in({}, sources)


@pytest.mark.exhaustive
@pytest.mark.parametrize("libraries", ENVIRONMENTS)
def test_processors_do_not_matter(libraries: str, sources: Path, here: dict) -> None:
    """NumPy and the C library choose their code by processor; banks and C files stay as they are."""
    environment = ENVIRONMENTS[libraries]
    there = made_in(environment, sources)
    if PLAIN_NUMPY.items() <= environment.items():
        switched_off = set(PLAIN_NUMPY["NPY_DISABLE_CPU_FEATURES"].split())
        assert not switched_off & set(there["libraries"]["features"])
    if libraries != "numpy" and LIBM_HAS_A_CHOICE:
        assert there["libraries"]["sines"] != here["libraries"]["sines"], "nothing was switched off"
    assert there["made"] == here["made"]
