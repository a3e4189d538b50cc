"""What `auto` takes codecs to cost on a machine is what they cost there."""
from __future__ import annotations

from pathlib import Path

import pytest
from codec_cost_table import demo_banks, measurable, table_of, written_table
from hot_table import hot_banks, hot_table_of, written_hot_table
from ossicle.targets import known_costs, list_targets, load_target
from ossicle.targets.settings import COMMON

BOARDS = [name for name in list_targets() if measurable(name)]
OFTEN = (COMMON,)


@pytest.fixture(scope="module")
def banks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return demo_banks(tmp_path_factory.mktemp("banks"))


@pytest.mark.parametrize("target", [
    pytest.param(name, marks=[] if name in OFTEN else pytest.mark.exhaustive) for name in BOARDS])
def test_costs_are_those_measured(target: str, banks: dict[str, Path], tmp_path: Path) -> None:
    assert written_table(target) == table_of(target, banks, tmp_path), "run update_codec_costs.py"


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", [name for name in list_targets() if load_target(name).hot])
def test_fast_memory_holds_what_is_said(target: str, tmp_path: Path) -> None:
    assert written_hot_table(target) == hot_table_of(target, hot_banks(tmp_path), tmp_path), \
        "run update_codec_costs.py"


def test_every_board_has_its_costs() -> None:
    assert all(known_costs(name).target == name for name in BOARDS)
    assert known_costs(None).target == known_costs("wasm").target == COMMON
    assert known_costs("gba").target == known_costs("m0plus").target == "microbit"
