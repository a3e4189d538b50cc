"""What workers keep in memory."""
from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from make_library import make_library
from ossicle.cli import worker_tasks as tasks
from ossicle.cli.cache_place import Caching
from ossicle.cli.manifest import own_digest, requests_of
from ossicle.encode.ahead import Ahead
from ossicle.model.clip import Imported

CHARACTERS = 5
KEPT = 2  # characters that a worker keeps


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Dask's workers collect late."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_characters_are_forgotten_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_collector: None) -> None:
    make_library(tmp_path, CHARACTERS, 2, 0.5, 22, 0.0, 1, 'effort = "fast"\n')
    monkeypatch.chdir(tmp_path)
    orders = tasks.Orders(os.getcwd(), own_digest(), Caching(None, False), 1)
    for request in requests_of([Path("library.toml")], tmp_path / "out"):
        planned = tasks.plan(orders, request)
        encoded = tasks.encode(orders, request, planned.job.state, [0, 1])
        assert len(tasks.finish(orders, request, planned.job.state, encoded.entries).contents) == 1
        assert len(tasks.finish(orders, request, planned.job.state, {}).contents) == 1
    alive = [type(one) for one in gc.get_objects() if isinstance(one, (Ahead, Imported))]
    assert alive.count(Ahead) == KEPT and alive.count(Imported) <= 2 * KEPT
