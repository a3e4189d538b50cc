"""The costs of codecs that `auto` assumes for a machine are those measured there."""
from __future__ import annotations

from pathlib import Path

import pytest
from cost_tables import CODECS, GRAPH, HOT, TABLES
from ossicle.machines import known_costs, known_step_costs
from ossicle.machines.settings import COMMON

OFTEN = (COMMON,)


@pytest.fixture(scope="module")
def banks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return CODECS.banks(tmp_path_factory.mktemp("banks"))


@pytest.mark.parametrize("target", [
    pytest.param(name, marks=[] if name in OFTEN else pytest.mark.exhaustive) for name in CODECS.targets])
def test_costs_are_those_measured(target: str, banks: dict[str, Path], tmp_path: Path) -> None:
    assert CODECS.written(target) == CODECS.measure(target, banks, tmp_path), "run update_codec_costs.py"


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", GRAPH.targets)
def test_costs_of_steps_are_those_measured(target: str, tmp_path: Path) -> None:
    assert GRAPH.written(target) == GRAPH.measure(target, GRAPH.banks(tmp_path), tmp_path), "run update_codec_costs.py"


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", HOT.targets)
def test_fast_memory_holds_the_stated_code(target: str, tmp_path: Path) -> None:
    assert HOT.written(target) == HOT.measure(target, HOT.banks(tmp_path), tmp_path), "run update_codec_costs.py"


def test_tables_are_measured_with_banks_of_their_own(tmp_path: Path) -> None:
    """Both tables have a bank named after a codec, and one of them is skinned."""
    banks = {table.name: table.banks(tmp_path) for table in TABLES}
    paths = [path for each in banks.values() for path in each.values()]
    assert {"delta"} <= banks["codecs"].keys() & banks["hot"].keys()
    assert len(set(paths)) == len(paths)


def test_every_board_has_its_costs() -> None:
    assert all(known_costs(name).target == name for name in CODECS.targets)
    assert known_costs(None).target == known_costs("wasm").target == COMMON
    assert known_costs("gba").target == known_costs("m0plus").target == "microbit"


def test_every_board_has_the_costs_of_steps() -> None:
    assert all(known_step_costs(name).target == name for name in GRAPH.targets)
    assert known_step_costs(None).target == known_step_costs("wasm").target == COMMON
    assert known_step_costs("nds").target == "microbit"
