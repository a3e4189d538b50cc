"""Builds on workers of which one, or the build itself, is killed at any moment."""
from __future__ import annotations

import json
import random
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from make_library import make_library
from running import Ran, contents, run_inside
from running_builds import Build

KILLS = 20
WORKERS = 2


def begin() -> Build:
    return Build("library.toml", "--cache", "kept")


def kill_one(build: Build, chance: random.Random) -> bool:
    """Kills a worker or the build, and returns whether that was the build."""
    workers = build.workers()
    if workers and chance.random() < 0.5:
        with suppress(psutil.NoSuchProcess):
            chance.choice(workers).send_signal(signal.SIGKILL)
        return False
    build.kill()
    return True


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, built_encoder: None) -> Path:
    folder = tmp_path_factory.mktemp("kills")
    make_library(folder, 6, 12, 1.0, 22, seed=1)
    return folder


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(KILLS))
def test_nothing_is_lost_or_encoded_again(library: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Only clips that a dead process was encoding are encoded again."""
    monkeypatch.chdir(library)
    if not Path("one").exists():
        began = time.monotonic()
        assert run_inside("build", "library.toml", "-o", "one", "--quiet", "--cache", "off") == Ran(0, "", "")
        Path("seconds").write_text(str(time.monotonic() - began), encoding="utf-8")
    for name in ("out", "kept"):
        shutil.rmtree(name, ignore_errors=True)
    chance, build = random.Random(seed), begin()
    while not build.workers():
        time.sleep(0.01)
    time.sleep(chance.uniform(0.0, float(Path("seconds").read_text(encoding="utf-8"))))
    died = kill_one(build, chance)
    if died:
        build = begin()
    assert build.result() == Ran(0, "", "")
    assert contents(library / "out") == contents(library / "one")
    stats = json.loads(run_inside("cache", "stats", "--json", "--cache", "kept").out)
    assert stats["misses"] - stats["entries"] <= (WORKERS if died else 1)
