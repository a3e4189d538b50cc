"""The state of a graph is plain data: a copy of it plays on with the same bits, however time is cut."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from graph_banks import ATTACK, PARAMETERS, GraphBank, bank_with, random_graph, random_values
from graph_driver import Moment, Player
from ossicle.bank.graph.records import AFTER, AT, WAITS, Graph, Transition
from varied_graphs import varied_graph

TICKS, RESTORED, STRETCHES = 400, 6, 150
SEEDS = [*range(6), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(6, 120))]


def started(driver: Path, folder: Path, made: GraphBank) -> Player:
    path = folder / "graph.ossb"
    path.write_bytes(made.bank)
    return Player(driver, path)


def values_of(made: GraphBank, random: Random) -> list[int]:
    """Parameters of a graph, of which varied ones have one more."""
    more = len(made.graph.parameters) - len(PARAMETERS)
    return [*random_values(random), *(random.randrange(1 << 16) for _ in range(more))]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("make", [random_graph, varied_graph])
def test_a_restored_character_has_the_same_bits(driver: Path, tmp_path: Path, make: Callable[[int], GraphBank],
                                                seed: int) -> None:
    """Another character, with other players, takes over at random ticks."""
    made = make(seed)
    hashes = []
    for restores in (0, RESTORED):
        random, saves = Random(seed), Random(seed + 100)
        at = set(saves.sample(range(TICKS), restores))
        with started(driver, tmp_path, made) as player:
            played = []
            for tick in range(TICKS):
                if tick in at:
                    player.ask("save")
                    player.ask("load")
                moment = player.step(16_667, values_of(made, random))
                played.append((moment, player.pose(16_667)[0]))
            hashes.append(played)
    assert hashes[0] == hashes[1]


def without_endless_switches(made: GraphBank) -> GraphBank:
    """The graph without transitions that can be taken again and again within a moment: those that wait for no trigger,
    mark or time; and without those by a trigger that enter the state again, which cannot happen at the moment of its
    entry."""
    def can_repeat(transition: Transition) -> bool:
        return any(not any(atom.operation in (WAITS, AT, AFTER) and not atom.opposite for atom in clause)
                   for clause in transition.clauses)

    def restarts(number: int, transition: Transition) -> bool:
        chosen = next((choice.first for choice in made.graph.choices
                       if 0 <= number - choice.first < choice.count), number)
        return transition.target == chosen and any(atom.operation == WAITS for clause in transition.clauses
                                                   for atom in clause)
    kept = [number for number, transition in enumerate(made.graph.transitions) if not can_repeat(transition)]
    states = tuple(replace(state, transitions=tuple(
        kept.index(entry) for entry in state.transitions
        if entry in kept and not restarts(number, made.graph.transitions[entry])))
        for number, state in enumerate(made.graph.states))
    transitions = tuple(made.graph.transitions[number] for number in kept)
    return bank_with(Graph(**vars(made.graph) | {"states": states, "transitions": transitions}), made.events)


def same_but_switches(moment: Moment, graph: Graph) -> Moment:
    """Without what a step counts, and what rounds: the placement, and the phase at which a blend began in step."""
    machines = tuple(replace(machine, position_q11=0) if graph.states[machine.state].members else machine
                     for machine in moment.machines)
    return replace(moment, switches=0, place=(0, 0, 0, 0), machines=machines)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("make", [random_graph, varied_graph])
def test_time_can_be_cut_anywhere(driver: Path, tmp_path: Path, make: Callable[[int], GraphBank], seed: int) -> None:
    """While parameters are constant, states, clocks, events and triggers do not depend on the lengths of steps."""
    made, random = without_endless_switches(make(seed)), Random(seed)
    with started(driver, tmp_path, made) as player:
        for number in range(STRETCHES):
            values, total_us = values_of(made, random), random.randrange(1, made.graph.longest_us)
            values[ATTACK] = 0  # two triggers at one moment could enter a state twice, which waits for a second look
            player.ask("save")
            whole = player.cut(total_us, 1_000_000, 1, values)
            player.ask("load")
            parts = player.cut(total_us, random.choice([3000, 40_000]), number, values)
            if whole.switches == 4:
                continue  # the step has reached its limit
            assert same_but_switches(parts, made.graph) == same_but_switches(whole, made.graph), f"stretch {number}"
