"""Random graphs do what their definition says, whatever the lengths of steps."""
from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from graph_banks import GraphBank, random_graph, random_values
from graph_driver import MachineMoment, Moment, Player
from graph_model import Model
from ossicle.bank.graph.records import FOREVER

STEPS = 60
SEEDS = [*range(12), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(12, 120))]


def of_model(model: Model) -> Moment:
    """The state of a model as the driver states it."""
    machine = MachineMoment(model.state, model.state_us, model.position_q11, model.position_q32 & 0xFFFFFFFF,
                            FOREVER if model.loops == FOREVER else model.loops, 0, 0)
    events = tuple((model.names.index(name), state, what) for name, state, what in model.passed)
    model.passed.clear()
    ages = tuple(model.ages[trigger] for _, trigger in model.graph.waits)
    return Moment(model.switches, (0, 0, 0, 0), (machine,), ages, events)


def written(made: GraphBank, folder: Path) -> Path:
    path = folder / "graph.ossb"
    path.write_bytes(made.bank)
    return path


@pytest.mark.parametrize("seed", SEEDS)
def test_the_runtime_does_what_the_definition_says(driver: Path, tmp_path: Path, seed: int) -> None:
    made, random = random_graph(seed), Random(seed)
    model = Model(made.graph, made.clips, made.events, made.names)
    with Player(driver, written(made, tmp_path)) as player:
        assert player.status == 0
        for number in range(STEPS):
            values, elapsed_us = random_values(random), random.choice([random.randrange(40_000), 16_667])
            model.step(values, elapsed_us)
            assert player.step(elapsed_us, values) == of_model(model), f"step {number}"
