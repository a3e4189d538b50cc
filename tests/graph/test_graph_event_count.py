"""The most events of a step: never exceeded by the runtime, and exact in small cases."""
from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from graph_banks import random_graph, random_values
from graph_driver import Player
from ossicle.bank.clips import ONE_Q11
from ossicle.bank.events import ClipEvent
from ossicle.bank.graph.check import MOST_EVENTS
from ossicle.bank.graph.records import FOREVER
from ossicle.graph.clips import GraphClip
from ossicle.graph.event_count import Entry, Stay, most_events

ONE_Q16 = 1 << 16
STEPS, LONGEST_US = 150, 250_000
SEEDS = [*range(8), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(8, 200))]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_step_has_more(driver: Path, tmp_path: Path, seed: int) -> None:
    """Of random graphs whose banks have memory for all events."""
    made, random = random_graph(seed), Random(seed)
    assert made.graph.event_count == MOST_EVENTS
    clips = [GraphClip(clip.name, clip.frame_count, clip.rate_q16 / ONE_Q16, clip.position_per_us_q32, clip.loop, False,
                       made.events.get(number, ())) for number, clip in enumerate(made.clips)]
    stays = [Stay.of(clips[state.clip], state.loops, state.speed_q16) for state in made.graph.states]
    entries = [([state for state, own in enumerate(made.graph.states) if number in own.transitions], transition.target,
                transition.start_q11) for number, transition in enumerate(made.graph.transitions)]
    most = most_events(stays, range(len(stays)), [entry for entry in entries if entry[0]], LONGEST_US).events
    path = tmp_path / "graph.ossb"
    path.write_bytes(made.bank)
    seen = 0
    with Player(driver, path) as player:
        for _ in range(STEPS):
            elapsed_us = random.choice([16_667, LONGEST_US, random.randrange(LONGEST_US)])
            seen = max(seen, len(player.step(elapsed_us, random_values(random)).events))
    assert 0 <= seen <= most


def clip(frames: int, *events: ClipEvent) -> GraphClip:
    """A clip of 100 frames a second."""
    return GraphClip("clip", frames, 100.0, round(100 * ONE_Q11 * 2**32 / 1e6), True, False, events)


def at(*frames: float) -> list[ClipEvent]:
    return [ClipEvent("hit", round(frame * ONE_Q11)) for frame in frames]


WALK = Stay.of(clip(101, *at(0, 50)), FOREVER, ONE_Q16)


@pytest.mark.parametrize(("stays", "entries", "longest_us", "most"), [
    ([Stay.of(clip(101), FOREVER, ONE_Q16)], [], 250_000, 0),
    ([WALK], [], 250_000, 2),  # a mark, and that at the beginning after osc_graph_go
    ([WALK], [], 600_000, 3),  # half a second later there are two
    ([WALK], [([0], 0, 0)], 1, 5),  # four times from the beginning
    ([WALK], [([0], 0, ONE_Q11)], 1, 2),
    ([Stay.of(clip(101, *at(0, 50)), FOREVER, 4 * ONE_Q16)], [], 250_000, 4),  # four times as fast
    ([Stay.of(clip(101, *at(0, 50)), FOREVER, 0)], [], 1_000_000, 2),
    ([Stay.of(clip(101, *at(0, 100)), FOREVER, -ONE_Q16)], [], 1, 3),  # both where the loop begins again
    ([Stay.of(clip(11, *at(0, 10)), 1, ONE_Q16)], [], 90_000, 2),
    ([Stay.of(clip(11, *at(0, 10)), 1, ONE_Q16)], [], 101_000, 3),
    ([Stay.of(clip(11, *at(0, 10)), 2, ONE_Q16)], [], 1_000_000, 8),
    ([Stay.of(clip(1, *at(0, 0)), 1, ONE_Q16)], [], 1, 4),
    ([Stay.of(clip(101, ClipEvent("air", 20 * ONE_Q11, 0, 40 * ONE_Q11)), FOREVER, ONE_Q16)], [], 1, 2),
    ([Stay.of(clip(101, ClipEvent("air", 90 * ONE_Q11, 0, 10 * ONE_Q11)), FOREVER, ONE_Q16)], [], 1, 3),
])
def test_small_cases(stays: list[Stay], entries: list[Entry], longest_us: int, most: int) -> None:
    """osc_graph_go adds a leave and an entry to each of them."""
    assert most_events(stays, range(len(stays)), entries, longest_us).events == most


def test_large_counts_are_equal_and_name_the_state() -> None:
    crowded = Stay.of(clip(101, *at(*(frame / 4 for frame in range(400)))), FOREVER, 4 * ONE_Q16)
    counted = most_events([WALK, crowded], range(2), [([0], 1, 0), ([1], 0, 0)], 1_000_000)
    assert counted.events == MOST_EVENTS + 1 and counted.state == 1
