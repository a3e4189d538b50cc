"""Memory of workers."""
from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterator
from pathlib import Path

import distributed
import pytest

from make_library import make_library
from ossicle.building import worker_tasks as tasks
from ossicle.encoding.cache.place import Caching
from ossicle.building.manifest import own_digest, requests_of
from ossicle.building.local_workers import LocalWorkers, local_scheduler
from ossicle.encoding.clip_queue import ClipQueue

CHARACTERS = 5
BUSY_S = 1.5  # Dask profiles in periods of a second


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Dask's workers collect late."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def alive() -> int:
    """The characters in memory."""
    return sum(isinstance(item, ClipQueue) for item in gc.get_objects())


def test_characters_are_forgotten_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_collector: None) -> None:
    make_library(tmp_path, CHARACTERS, 2, 0.5, 22, seed=1)
    monkeypatch.chdir(tmp_path)
    orders = tasks.BuildContext(os.getcwd(), own_digest(), Caching(None, False), None, 1)
    requests = requests_of([Path("library.toml")], tmp_path / "out")
    planned = {request: tasks.plan(orders, request).outcome for request in requests}
    assert alive() == tasks.KEPT
    for request, plan in planned.items():
        encoded = tasks.encode(orders, request, plan.job.state, [0, 1]).outcome
        assert 0 < alive() <= tasks.KEPT
        assert len(tasks.finish(orders, request, plan.job.state, encoded.entries).outcome.contents) == 1
    assert alive() == 0


def test_workers_keep_no_profile(tmp_path: Path) -> None:
    """Dask's grows for an hour, to 180 MB."""
    with local_scheduler(distributed) as cluster, distributed.Client(cluster) as client, LocalWorkers(cluster, 1,
                                                                                                      tmp_path):
        client.submit(time.sleep, BUSY_S).result()
        assert client.profile()["count"] == 0
