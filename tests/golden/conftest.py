"""The pose driver, compiled once a worker, or the one that OSSICLE_POSE_DRIVER names."""
from __future__ import annotations

import os
import shlex
from collections.abc import Iterator

import pytest

from c_programs import ROOT
from pose_driver import Driver, build_with_runtime, compiler


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """A running pose driver."""
    if "OSSICLE_POSE_DRIVER" in os.environ:
        with Driver(*shlex.split(os.environ["OSSICLE_POSE_DRIVER"])) as running:
            yield running
        return
    if compiler() is None:
        pytest.skip("no C compiler")
    program = tmp_path_factory.mktemp("driver") / "pose_driver"
    build_with_runtime([ROOT / "tests/support/drivers/pose_driver.c"], program)
    with Driver(program) as running:
        yield running
