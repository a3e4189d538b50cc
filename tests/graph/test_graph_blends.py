"""States that blend clips by a number: the clips keep step, and every mark is reported once, by the leader."""
from __future__ import annotations

from random import Random

import pytest
from graph_banks import FRAMES, GraphBank, bank_with
from graph_driver import Moment
from graph_machines import base
from ossicle.bank.clips import ONE_Q11
from ossicle.bank.events import ClipEvent
from ossicle.bank.graph.records import (AT, AT_LEAST, CUT, NUMBER, Atom, Graph, Member, Parameter, State, Sync,
                                        Transition, blend_of)

ONE_Q16, ONE_Q20 = 1 << 16, 1 << 20
TICK_US = 16_667
BEGIN, END, LATE, CUT_SHORT = 1, 2, 4, 8
IDLE, WALK, RUN = 0, 1, 2  # clips
LEFT, RIGHT = range(2)  # events, when these are all
STEPS = {WALK: (0, 10), RUN: (3, 9)}  # frames at which the left and the right foot come down
STRIDES_M = {WALK: 0.6, RUN: 1.05}


def sync_of(clip: int) -> Sync:
    frames = list(FRAMES.values())[clip]
    return Sync(tuple(frame * ONE_Q11 for frame in STEPS[clip]), (frames - 1) * ONE_Q11, 33_333)


def member(clip: int, at_m_s: float) -> Member:
    return Member(clip, round(at_m_s * ONE_Q16), sync_of(clip), round(STRIDES_M[clip] * ONE_Q20))


def moving(*more: ClipEvent, slew_us: int = 0, leave: bool = False) -> GraphBank:
    """A walk at 1.4 m/s and a run at 4.5 m/s. more: events of the run. leave: an idle state follows where the left foot
    comes down at a speed of 5 m/s or more."""
    events = {clip: tuple(sorted((*(ClipEvent(name, frame * ONE_Q11) for name, frame in
                                    zip(("left", "right"), STEPS[clip])), *(more if clip == RUN else ())),
                                 key=lambda event: event.position_q11)) for clip in STEPS}
    speed = Parameter("speed", NUMBER, 0, 6 * ONE_Q16, 0, slew_us, unit="m/s")
    move = blend_of("move", 0, (member(WALK, 1.4), member(RUN, 4.5)))
    transitions: tuple[Transition, ...] = ()
    if leave:
        move = State(**vars(move) | {"transitions": (0,), "positions_q11": (0,)})
        transitions = (Transition(1, CUT, 0, clauses=((Atom(AT, argument=LEFT),
                                                       Atom(AT_LEAST, number=5 * ONE_Q16)),)),)
    states = (move, State("idle", IDLE, 0xFFFFFFFF, ONE_Q16))
    return bank_with(Graph((speed,), base(2), states, transitions, event_count=64), events)


def speed(m_s: float) -> list[int]:
    return [round(m_s * ONE_Q16)]


def test_feet_alternate_at_any_speed(play) -> None:  # type: ignore[no-untyped-def]
    random, made = Random(3), moving()
    with play(made) as player:
        feet = [name for _ in range(4000) for name, _, what in
                player.step(random.choice([TICK_US, random.randrange(90_000)]), speed(random.uniform(-1, 7))).events]
    assert feet[0] == LEFT and len(feet) > 400
    assert all(before != after for before, after in zip(feet, feet[1:]))


@pytest.mark.parametrize("m_s", [0.0, 1.4, 2.0, 2.95, 4.47, 4.5, 6.0])
def test_strides_move_the_character(play, m_s: float) -> None:  # type: ignore[no-untyped-def]
    """Between the clips, a step takes a time and has a length between theirs."""
    with play(moving()) as player:
        marks, place = 0, None
        while marks < 40:
            moment = player.step(TICK_US, speed(m_s))
            marks += len(moment.events)
            place = moment.place
    assert place is not None and place[0] == place[1] == place[3] == 0
    length_m = place[2] / ONE_Q20 / (marks - 1)
    share = min(max((m_s - 1.4) / 3.1, 0), 1)
    knee = [max(weight - 1 / 64, 0) for weight in (1 - share, share)]
    between = (knee[0] * STRIDES_M[WALK] + knee[1] * STRIDES_M[RUN]) / sum(knee)
    assert length_m == pytest.approx(between, abs=0.02)


def test_spans_pair_up_when_the_leader_changes(play) -> None:  # type: ignore[no-untyped-def]
    """The run has a span over the end of its loop, which the walk does not have."""
    random = Random(5)
    made = moving(ClipEvent("wind", 8 * ONE_Q11, 0, 5 * ONE_Q11))
    wind = made.names.index("wind")
    with play(made) as player:
        whats = [what for _ in range(3000) for name, _, what in
                 player.step(TICK_US, speed(random.choice([1.0, 5.0]) if random.random() < 0.05 else 5.0)).events
                 if name == wind]
    assert {BEGIN, BEGIN | LATE, END, END | CUT_SHORT} >= set(whats) and len(whats) > 100
    assert END | CUT_SHORT in whats and BEGIN | LATE in whats
    assert all((before & 3, after & 3) in ((BEGIN, END), (END, BEGIN)) for before, after in zip(whats, whats[1:]))


def test_a_mark_is_a_moment(play) -> None:  # type: ignore[no-untyped-def]
    with play(moving(leave=True)) as player:
        for _ in range(7):
            assert player.step(TICK_US, speed(2.0)).state == 0
        moments: list[Moment] = []
        while not moments or moments[-1].state == 0:
            moments.append(player.step(TICK_US, speed(5.0)))
        assert moments[-1].events == ((LEFT, 0, 0),)  # at the very mark, which belongs to the state that is left
        assert 0 <= moments[-1].state_us < TICK_US


def test_a_slewed_speed_is_on_its_way(play) -> None:  # type: ignore[no-untyped-def]
    """A stride gets longer little by little, and a tick after the slew it is that of the run."""
    with play(moving(slew_us=500_000)) as player:
        places = [0]
        for _ in range(60):
            places.append(player.step(TICK_US, speed(6.0)).place[2])
        steps = [after - before for before, after in zip(places, places[1:])]
    assert steps[:25] == sorted(steps[:25])
    assert steps[5] < steps[15] < steps[30] == pytest.approx(steps[40], abs=16)


def test_the_pose_is_that_of_both_clips(play) -> None:  # type: ignore[no-untyped-def]
    """A pose between two clips differs from both, and one beside a clip is that of the clip alone."""
    rotations = {}
    for m_s in (1.0, 1.41, 3.0, 4.49, 6.0):
        with play(moving()) as player:
            for _ in range(5):
                player.step(1000, speed(m_s))
            rotations[m_s] = player.pose(5000)[1]
    assert rotations[1.0] == rotations[1.41] and rotations[4.49] == rotations[6.0]
    assert rotations[3.0] not in (rotations[1.0], rotations[6.0])
