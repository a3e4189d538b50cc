"""Random graphs with states of all kinds: clips, mirror images, positions that a parameter drives, and blends, which
fade in step."""
from __future__ import annotations

from dataclasses import replace
from random import Random

from graph_banks import GROUNDED, PARAMETERS, GraphBank, bank_with, plain_bank, random_atom, random_events, watches_of
from graph_machines import base
from ossicle.bank.assembling import with_sections
from ossicle.bank.clips import ONE_Q11, Clip
from ossicle.bank.events import TAG as EVENTS
from ossicle.bank.events import pack_events
from ossicle.bank.file import parse_bank
from ossicle.bank.graph.records import (AT, CUT, FADE, FINISHED, FOREVER, INERTIA, INSIDE, NUMBER, STEP, Choice, Graph,
                                        Member, Parameter, State, Sync, Transition, blend_of)

ONE_Q16 = 1 << 16
FRAME_US = 33_333
TURN = len(PARAMETERS)
OF_EVENTS = (AT, INSIDE, FINISHED)  # conditions on the clip that a state plays
MOST_CLAUSES, MOST_ATOMS, MOST_TRANSITIONS = 2, 3, 12


def _member(clip: int, clips: tuple[Clip, ...], at: int) -> Member:
    """A clip with a mark at its beginning and one in its middle."""
    end_q11 = (clips[clip].frame_count - 1) * ONE_Q11
    return Member(clip, at, Sync((0, end_q11 // 2), end_q11, FRAME_US))


def _state(random: Random, clips: tuple[Clip, ...], name: str) -> State:
    """A state of any kind."""
    kind = random.choice(["clip", "clip", "position", "blend"])
    if kind == "blend":
        loops = [number for number, clip in enumerate(clips) if clip.loop]
        slow, fast = random.sample(loops, 2)
        return blend_of(name, TURN, (_member(slow, clips, 0), _member(fast, clips, ONE_Q16)))
    clip = random.randrange(len(clips))
    if kind == "position":
        return State(name, clip, FOREVER, ONE_Q16, TURN, by_position=True)
    return State(name, clip, random.choice([1, FOREVER]) if clips[clip].loop else 1, ONE_Q16)


def _image(state: State, clips: tuple[Clip, ...]) -> State:
    """The state that plays the mirror images of the clips of another one, or their originals."""
    def other(clip: int) -> int:
        return clip - 1 if clips[clip].mirrored else clip + 1
    return replace(state, name=f"{state.name} 2", clip=state.clip if state.members else other(state.clip),
                   members=tuple(replace(member, clip=other(member.clip)) for member in state.members))


def varied_graph(seed: int) -> GraphBank:
    """A graph whose states, conditions, kinds and start positions are made at random. A flag chooses mirror images."""
    random = Random(seed)
    clips = tuple(parse_bank(plain_bank(True)).clips)
    events = random_events(random, clips)
    names = parse_bank(with_sections(plain_bank(True), {EVENTS: pack_events(events)})).events.names
    states: list[State] = []
    choices: list[Choice] = []
    for number in range(random.randrange(3, 6)):
        states.append(_state(random, clips, f"state {number}"))
        if random.random() < 0.4:
            choices.append(Choice(len(states) - 1, 2, flag=GROUNDED))
            states.append(_image(states[-1], clips))
    images = {choice.first + 1 for choice in choices}
    targets = [number for number in range(len(states)) if number not in images]
    transitions = [_transition(random, states, targets, clips) for _ in range(random.randrange(4, MOST_TRANSITIONS))]
    left: list[list[int]] = [[] for _ in states]
    for number, transition in enumerate(transitions):
        allowed = [at for at, state in enumerate(states) if _allows(state, transition)]
        for source in random.sample(allowed, min(len(allowed), random.randrange(2, 5))):
            left[source].append(number)
    states = [watches_of(replace(state, transitions=tuple(left[number])), transitions, clips[state.clip],
                         events[state.clip], names) for number, state in enumerate(states)]
    parameters = (*PARAMETERS, Parameter("turn", NUMBER, 0, ONE_Q16, 0))
    return bank_with(Graph(parameters, base(len(states), targets[0]), tuple(states), tuple(transitions),
                           event_count=255, choices=tuple(choices), mirrors=True), events)


def _allows(state: State, transition: Transition) -> bool:
    """Returns whether a condition has no events where there are none, or no watches of them."""
    return not (state.by_position or state.members) or not any(
        atom.operation in OF_EVENTS for clause in transition.clauses for atom in clause)


def _transition(random: Random, states: list[State], targets: list[int], clips: tuple[Clip, ...]) -> Transition:
    target = random.choice(targets)
    clip = clips[states[target].clip]
    kind = random.choice([INERTIA, INERTIA, CUT, FADE, *[STEP, STEP] * bool(states[target].members)])
    plays = not states[target].members and not states[target].by_position
    clauses = tuple(tuple(random_atom(random, clip) for _ in range(random.randrange(1, MOST_ATOMS + 1)))
                    for _ in range(random.randrange(1, MOST_CLAUSES + 1)))
    return Transition(target, kind, random.choice([80_000, 200_000, 300_000]),
                      random.choice([0, 0, random.randrange(clip.frame_count - 1) * ONE_Q11]) if plays else 0,
                      random.choice([0, 0, random.randrange(200_000)]), clauses)
