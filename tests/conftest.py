"""Shared by all tests: the package and the support modules on the path, and the encoder."""
from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / folder) for folder in ("codegen", "tests/support", "tests/support/files")]

from ossicle.encoding import native  # noqa: E402
from ossicle.machines import object_store  # noqa: E402
from part import part_of  # noqa: E402
from pose_driver import Driver, build_with_runtime  # noqa: E402

# As `scons test` does. What tests start writes no caches beside the sources, and starts quickly.
os.environ.setdefault(object_store.VARIABLE, str(ROOT / "build/objects"))
os.environ.setdefault("PYTHONPYCACHEPREFIX", str(ROOT / "build/pycache"))
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["OSSICLE_CACHE"] = "off"  # tests encode, whatever the user's cache has


# The same examples in each run of `scons test`, and no assertion on time.
settings.register_profile("repeatable", derandomize=True, deadline=None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--part", default="", metavar="SEED/COUNT", help="one test of COUNT (see tests/support/part.py)")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps the chosen part of the tests that -m and -k select."""
    selected = set(part_of((item.nodeid for item in items), config.getoption("--part")))
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in selected])
    items[:] = [item for item in items if item.nodeid in selected]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "exhaustive: repeats at length what another test shows; "
                                       "`scons roots` runs it, `scons test` does not")
    config.addinivalue_line("markers", "integration: works with other programs, such as build systems and browsers; "
                                       "`scons integration` runs it, `scons test` does not")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Once, not in every worker."""
    if not hasattr(session.config, "workerinput"):
        object_store.forget_unused()


@pytest.fixture(scope="session")
def built_encoder() -> None:
    """NativeProblem where the library was not built; `scons test` builds it first."""
    native.library()


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """A running pose driver: the runtime's answers about banks. OSSICLE_POSE_DRIVER names another
    command than the program that is compiled here."""
    command = shlex.split(os.environ.get("OSSICLE_POSE_DRIVER", ""))
    if not command:
        program = tmp_path_factory.mktemp("driver") / "pose_driver"
        build_with_runtime([ROOT / "tests/support/drivers/pose_driver.c"], program)
        command = [str(program)]
    with Driver(*command) as running:
        yield running
