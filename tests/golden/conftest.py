"""The pose driver, compiled once a worker."""
from __future__ import annotations

from collections.abc import Iterator

import pytest

from c_programs import ROOT
from pose_driver import Driver, build_with_runtime


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """A running pose driver."""
    program = tmp_path_factory.mktemp("driver") / "pose_driver"
    build_with_runtime([ROOT / "tests/support/drivers/pose_driver.c"], program)
    with Driver(program) as running:
        yield running
