"""A bank of short clips, and graphs over them that are made at random."""
from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
from gltf_builder import GltfBuilder, turn
from graph_machines import base
from ossicle.bank.assembling import with_sections
from ossicle.bank.clips import ONE_Q11, Clip
from ossicle.bank.events import TAG as EVENTS
from ossicle.bank.events import ClipEvent, pack_events
from ossicle.bank.file import parse_bank
from ossicle.bank.graph.layout import TAG
from ossicle.bank.graph.packing import pack_graph
from ossicle.bank.graph.records import (AFTER, ALWAYS, AT, AT_LEAST, CHOICE, CUT, EQUALS, FADE, FINISHED, FLAG, FOREVER,
                                        INERTIA, INSIDE, IS_SET, NUMBER, TRIGGER, WAITS, WITH_NUMBER,
                                        WITHOUT_OPPOSITE, Atom, Clause, Graph, Parameter, State, Transition)
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.importers.importer import read_clips

FRAMES = {"Idle": 41, "Walk": 21, "Run": 13, "Jump": 19, "Hit": 8}  # at 30 Hz
LOOPS = ("Idle", "Walk", "Run")
NAMES = ("combo", "left", "right")
PARAMETERS = (Parameter("jump", TRIGGER, 0, 150_000, 0), Parameter("attack", TRIGGER, 0, FOREVER, 0),
              Parameter("grounded", FLAG, 0, 1, 1), Parameter("stance", CHOICE, 0, 2, 0, values=("a", "b", "c")),
              Parameter("speed", NUMBER, -1 << 16, 6 << 16, 0, unit="m/s"))
JUMP, ATTACK, GROUNDED, STANCE, SPEED = range(len(PARAMETERS))


@cache
def plain_bank(mirrored: bool = False) -> bytes:
    """A body whose arm moves, in five clips. mirrored: it has a second arm, and each clip has a mirror image."""
    g = GltfBuilder()
    g.node("Body", children=[1, 2] if mirrored else [1])
    g.node("arm_l", translation=[0.4, 0, 0])
    if mirrored:
        g.node("arm_r", translation=[-0.4, 0, 0])
    g.skin([0, 1, 2] if mirrored else [0, 1])
    for at, (name, frames) in enumerate(FRAMES.items()):
        times = np.arange(frames) / 30
        swing = [turn("z", (20 + 9 * at) * np.sin(2 * np.pi * frame / (frames - 1))) for frame in range(frames)]
        g.animation(name, (1, "rotation", times, swing, "LINEAR"))
    with TemporaryDirectory() as folder:
        rules = tuple(ClipRule(name, loop=name in LOOPS) for name in FRAMES)
        rules += tuple(ClipRule(f"{name}2", mirror_of=name) for name in FRAMES if mirrored)
        return encode_clips(read_clips([g.write_glb(Path(folder))]), Settings(clips=rules, effort="fast")).bank


@dataclass(frozen=True)
class GraphBank:
    """A bank with a graph. names: of its events."""

    bank: bytes
    graph: Graph
    clips: tuple[Clip, ...]
    events: dict[int, tuple[ClipEvent, ...]]
    names: tuple[str, ...]


def bank_with(graph: Graph, events: dict[int, tuple[ClipEvent, ...]]) -> GraphBank:
    """Adds events and a graph to the plain bank. The reader accepts it."""
    words = with_sections(plain_bank(graph.mirrors), {EVENTS: pack_events(events), TAG: pack_graph(graph)})
    parsed = parse_bank(words)
    assert parsed.graph is not None
    return GraphBank(words, parsed.graph, tuple(parsed.clips), events, parsed.events.names)


# ---- random graphs ----


def random_events(random: Random, clips: tuple[Clip, ...]) -> dict[int, tuple[ClipEvent, ...]]:
    """Marks and spans, some at the ends of clips and some around the end of a loop. Each name occurs."""
    found = {}
    for number, clip in enumerate(clips):
        end, events = (clip.frame_count - 1) * ONE_Q11, []
        for name in NAMES if number == 0 else random.choices(NAMES, k=random.randrange(5)):
            at, until = (random.choice([0, end, random.randrange(end + 1)]) for _ in range(2))
            lasts = random.random() < 0.5 and at != until and (until > at or clip.loop)
            events.append(ClipEvent(name, at, 0, until if lasts else None))
        found[number] = tuple(sorted(events, key=lambda each: each.position_q11))
    return found


def random_atom(random: Random, clip: Clip) -> Atom:
    """An atom of a condition in a state that plays this clip."""
    kind = random.choice([ALWAYS, WAITS, WAITS, IS_SET, AT_LEAST, EQUALS, FINISHED, AFTER, AT, INSIDE])
    argument, number = 0, 0
    if kind in (AT, INSIDE):
        argument = random.randrange(len(NAMES))
    elif kind in (WAITS, IS_SET, AT_LEAST, EQUALS):
        argument = {WAITS: random.choice([JUMP, ATTACK]), IS_SET: GROUNDED, AT_LEAST: SPEED, EQUALS: STANCE}[kind]
    if kind in WITH_NUMBER:
        number = {AT_LEAST: random.randrange(-1 << 16, 6 << 16), EQUALS: random.randrange(3),
                  AFTER: random.randrange(1, 900_000)}[kind]
    return Atom(kind, kind not in WITHOUT_OPPOSITE and kind != ALWAYS and random.random() < 0.3, argument, number)


def watches_of(state: State, transitions: list[Transition], clip: Clip, events: tuple[ClipEvent, ...],
               names: tuple[str, ...]) -> State:
    """Returns the state with the watches of the conditions that leave it."""
    positions, times = set(), set()
    for atom in (atom for number in state.transitions for clause in transitions[number].clauses for atom in clause):
        named = [event for event in events if atom.operation in (AT, INSIDE) and event.name == names[atom.argument]]
        positions |= {event.position_q11 for event in named}
        positions |= {event.end_q11 for event in named if event.end_q11 is not None and atom.operation == INSIDE}
        if atom.operation == FINISHED and state.loops != FOREVER:
            positions.add((clip.frame_count - 1) * ONE_Q11)
        if atom.operation == AFTER:
            times.add(atom.number)
    return replace(state, positions_q11=tuple(sorted(positions)), times_us=tuple(sorted(times)))


def random_graph(seed: int) -> GraphBank:
    """A graph whose conditions, kinds, start positions and holds are made at random."""
    random = Random(seed)
    clips = tuple(parse_bank(plain_bank()).clips)
    events = random_events(random, clips)
    names = parse_bank(with_sections(plain_bank(), {EVENTS: pack_events(events)})).events.names
    states = []
    for number in range(random.randrange(2, 7)):
        clip = random.randrange(len(clips))
        loops = random.choice([1, FOREVER]) if clips[clip].loop else 1
        states.append(State(f"state {number}", clip, loops, 1 << 16))
    transitions: list[Transition] = []
    left: list[list[int]] = [[] for _ in states]
    for number in range(random.randrange(1, 12)):
        target, sources = random.randrange(len(states)), random.sample(range(len(states)), random.randrange(1, 3))
        clip = clips[states[sources[0]].clip]
        clauses: tuple[Clause, ...] = tuple(
            tuple(random_atom(random, clip) for _ in range(random.randrange(1, 4)))
            for _ in range(random.randrange(1, 3)))
        end = (clips[states[target].clip].frame_count - 1) * ONE_Q11
        transitions.append(Transition(
            target, random.choice([INERTIA, CUT]), random.choice([0, 80_000, 200_000]),
            random.choice([0, 0, 0, random.randrange(end)]), random.choice([0, 0, random.randrange(200_000)]), clauses))
        if number % 3 == 2 and transitions[-1].kind == INERTIA:
            transitions[-1] = replace(transitions[-1], kind=FADE)
        for source in sources:
            left[source].append(number)
    states = [watches_of(replace(state, transitions=tuple(left[number])), transitions, clips[state.clip],
                         events[state.clip], names) for number, state in enumerate(states)]
    return bank_with(Graph(PARAMETERS, base(len(states)), tuple(states), tuple(transitions), event_count=255), events)


def random_values(random: Random) -> list[int]:
    """Parameters, some of them outside their ranges."""
    return [int(random.random() < 0.3), int(random.random() < 0.15), random.choice([0, 1, 1, 5]),
            random.randrange(-1, 4),
            random.choice([-9 << 16, 0, random.randrange(7 << 16), 6 << 16])]
