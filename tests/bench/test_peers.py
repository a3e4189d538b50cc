"""Costs of other libraries: every figure has a library, and targets that exist."""
from __future__ import annotations

import tomllib

import peers
from ossicle.machines import load_target
from toolbox_table import OPERATIONS


def test_figures_have_a_library_and_targets() -> None:
    tables = tomllib.loads(peers.PEERS.read_text(encoding="utf-8"))
    libraries = tables.pop("libraries")
    assert set(tables.pop("instance_bytes")) == set(tables.pop("clip_bytes")) == set(libraries)
    assert set(tables.pop("encoding")) <= set(libraries)
    assert set(tables) == {"operations", "forward", "random"}
    for what in tables:
        assert set(tables[what]) <= set(libraries)
        for figures in tables[what].values():
            for target in {target for by_target in figures.values() for target in by_target}:
                assert load_target(target).name == target
    assert set(tables["operations"]["ozz"]) <= {operation.name for operation in OPERATIONS}


def test_costs_are_those_of_a_target() -> None:
    assert peers.costs("operations", "host_avx2")["ozz"]["additive"] == 868
    assert peers.costs("random", "virt_aarch64") == {}
    assert list(peers.costs("forward", "virt_aarch64")) == ["acl", "ozz"]
