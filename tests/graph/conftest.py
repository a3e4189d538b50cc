"""The driver of these tests, which encode or write banks without the encoder."""
from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from graph_banks import GraphBank
    from graph_driver import Player

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / folder) for folder in ("golden", "cli")]


@pytest.fixture(scope="session")
def driver(built_encoder: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The driver, compiled, or the program that OSSICLE_GRAPH_DRIVER names."""
    from graph_driver import build_driver  # which needs the paths above
    named = os.environ.get("OSSICLE_GRAPH_DRIVER")
    return Path(named) if named else build_driver(tmp_path_factory.mktemp("driver"))


@pytest.fixture
def play(driver: Path, tmp_path: Path) -> Callable[[GraphBank], Player]:
    """Starts a driver with a bank."""
    from graph_driver import Player

    def start(made: GraphBank) -> Player:
        path = tmp_path / "graph.ossb"
        path.write_bytes(made.bank)
        return Player(driver, path)
    return start
