"""The reader and the runtime accept and refuse the same words of a graph."""
from __future__ import annotations

import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from bank_writer import Clip as WrittenClip
from bank_writer import Skeleton, write_bank
from fixed import ONE
from random_graphs import random_graph

from graph_machines import base
from ossicle.bank.assembling import with_sections, words_bytes
from ossicle.bank.clips import ONE_Q11
from ossicle.bank.events import TAG as EVENTS
from ossicle.bank.events import ClipEvent, pack_events
from ossicle.bank.file import parse_bank
from ossicle.bank.graph.layout import TAG
from ossicle.bank.graph.packing import pack_graph
from ossicle.bank.graph.check import OVER_MOST_US, TIME_MOST_US
from ossicle.bank.graph.records import (
    AFTER, ALWAYS, AT, AT_LEAST, CHOICE, CUT, EQUALS, FINISHED, FLAG, FOREVER, INERTIA, INSIDE, IS_SET, NUMBER, POINT,
    TRIGGER, ONE_Q15, PLANE_ONE, WAITS, Atom, Choice, Graph, Limb, Link, Look, Member,
    Parameter, State, Sync, Transition, Triangle, blend_of, point_word)
from ossicle.bank.names import pack_names
from ossicle.bank.words import BankProblem

FRAMES = [11, 21, 1]
OK, ERROR_SECTION = 0, -6
HEADER, PARAMETER, MACHINE = 11, 4, 5  # words
SIZES = (6, 3, 11, 4)  # words of a state, a member, a sync record, a transition
MASK_WORDS = 2  # for three joints
LOOK_WORDS, CHOICE_WORDS = 31, 5
LIMB_WORDS = 10
MOST_WORDS = 4000
TELLING = (0, 1, 2, 0xFF, 0x100, 0xFFFF, 0x10000, TIME_MOST_US, OVER_MOST_US, 1 << 31, (1 << 31) - 1, FOREVER)
PARAMETERS = (Parameter("jump", TRIGGER, 0, 150_000, 0), Parameter("turn", NUMBER, -65536, 65536, 0, 500_000),
              Parameter("speed", NUMBER, 0, 6 << 16, 0), Parameter("grounded", FLAG, 0, 1, 1),
              Parameter("stance", CHOICE, 0, 1, 1, values=("relaxed", "armed")), Parameter("hand", POINT, 0, 1, 0))
MOVE = blend_of("move", 1, (
    Member(0, -65536, Sync((4096, 12288), 10 * ONE_Q11, 33_333)),
    Member(1, 65536, Sync((8192, 2048, 4096), 20 * ONE_Q11, 33_333), 1 << 19)))
TURN = blend_of("turn", 1, tuple(
    Member(at % 2, point_word(point), Sync((4096, 8192), (FRAMES[at % 2] - 1) * ONE_Q11, 33_333))
    for at, point in enumerate(((0, 0), (PLANE_ONE, 0), (PLANE_ONE, PLANE_ONE), (0, PLANE_ONE)))), 2,
    (Triangle((0, 1, 2), (True, False, True)), Triangle((0, 2, 3), (True, True, False))))
EVERYTHING = Graph(
    PARAMETERS, base(5),
    (State("idle", 0, FOREVER, 1 << 16, None, (0, 2), (0, 4096), (120_000,)), State("cut", 1, 1, -1 << 15, None, (1,)),
     State("stab", 2, 2, 0, 2), State(**vars(MOVE) | {"transitions": (1, 3), "positions_q11": (0,)}), TURN),
    (Transition(1, INERTIA, 200_000, 3, 70_000, (
        (Atom(WAITS, argument=0), Atom(IS_SET, argument=3), Atom(AT_LEAST, True, 2, 13107)),
        (Atom(EQUALS, argument=4, number=1), Atom(AT, argument=1), Atom(INSIDE, True, 0)))),
     Transition(0, CUT, 0, clauses=((Atom(FINISHED),), (Atom(AFTER, True, number=120_000),))),
     Transition(2, CUT, 0), Transition(3, INERTIA, 100, clauses=((Atom(ALWAYS),),))),
    looks=(Look("head", 5, ONE_Q15, None, 100, 200, (0, 0, ONE), (0, ONE, 0), (1, 2, 3), ONE, -ONE,
                (Link(2, 20000, 28000), Link(0, ONE_Q15, 0))),),
    limbs=(Limb("hand", 5, 0, (0, 1, 2), (ONE, 0, -ONE), 5, 30000, 1000, None, 100, 5),
           Limb("foot", None, 1, (0, 1, 2), (0, 0, 0), None, ONE_Q15, ONE_Q15, None, 0, 1 << 20)), event_count=7,
    choices=(Choice(0, 2, (3, 1)), Choice(2, 2)))


def plain_bank(joints: int = 3) -> bytes:
    """Three clips of a chain of joints, and an additive one; events of two names."""
    skeleton = Skeleton([*range(-1, joints - 1)], [[0, 0, 0, ONE, 0, 0, 0]] * joints, ([], [], []))
    clips = [WrittenClip(frames, name=f"clip{at}") for at, frames in enumerate([*FRAMES, 5])]
    clips[3].additive = True
    bank = write_bank(skeleton, clips)
    return with_sections(bank, {EVENTS: pack_events({0: [ClipEvent("hit", 2048, 0, 4096), ClipEvent("step", 9000)]})})


def halves(word: int) -> tuple[int, int]:
    return word & 0xFFFF, word >> 16


def words_before_groups(words: list[int]) -> int:
    """The number of words that the runtime reads, by the counts of the header."""
    states, transitions, members, syncs, listed, watches, atoms, _ = (
        half for word in words[2:6] for half in halves(word))
    machines, waits, masks, looks = words[1].to_bytes(4, "little")
    sized = zip((states, members, syncs, transitions), SIZES)
    return HEADER + PARAMETER * (words[0] & 0xFF) + MACHINE * machines + sum(count * size for count, size in sized) + (
        words[8] + (listed + 1) // 2 + watches + atoms + waits + MASK_WORDS * masks + LOOK_WORDS * looks
        + LIMB_WORDS * (words[10] & 0xFF) + CHOICE_WORDS * (words[10] >> 8))


def without_padding(words: list[int]) -> list[int]:
    """The words, with zeros in what the runtime does not read: the half that pads the list, and marks beyond those that
    a clip has, and the span of a limb that reaches for a point, and weights beyond the states of a choice without a
    flag."""
    states, transitions, members, syncs, listed, *_ = (half for word in words[2:6] for half in halves(word))
    first = HEADER + PARAMETER * (words[0] & 0xFF) + MACHINE * (words[1] & 0xFF) + 6 * states + 3 * members
    padded = [*words]
    for at in range(first, first + 11 * syncs, 11):
        count = words[at + 2]
        padded[at + 3:at + 11] = [mark if number < count else 0 for number, mark in enumerate(words[at + 3:at + 11])]
    end = words_before_groups(words)
    for at in range(end - LIMB_WORDS * (words[10] & 0xFF), end, LIMB_WORDS):
        if padded[at] & 0xFF != 0xFF:
            padded[at + 1] = 0
    if listed % 2:
        padded[first + 11 * syncs + words[8] + 4 * transitions + listed // 2] &= 0xFFFF
    last = end - LIMB_WORDS * (words[10] & 0xFF) - LOOK_WORDS * words[1].to_bytes(4, "little")[3]
    for at in range(last - CHOICE_WORDS * (words[10] >> 8), last, CHOICE_WORDS):
        weights = bytearray(words_bytes(padded[at + 1:at + CHOICE_WORDS]))
        count = padded[at] >> 8
        weights[count:] = bytes(len(weights[count:]))
        padded[at + 1:at + CHOICE_WORDS] = [int.from_bytes(weights[byte:byte + 4], "little")
                                            for byte in range(0, 16, 4)]
    return padded


def section_of(words: list[int]) -> bytes:
    """A section with these words as far as the runtime reads them, and what only tools read: names, and no groups."""
    words = [*words[:5], words[5] & 0xFFFF, *words[6:]]
    size = words_before_groups(words)
    words = without_padding((words + [0] * size)[:size])
    kinds = [(words[at] & 0xFF, words[at + 2])
             for at in range(HEADER, HEADER + PARAMETER * (words[0] & 0xFF), PARAMETER)]
    values = [most + 1 for kind, most in kinds if kind == CHOICE and most < 1 << 16]
    machines, _, masks, looks = words[1].to_bytes(4, "little")
    body = words_bytes(words) + pack_names([""] * (2 * len(kinds) + sum(values) + (words[2] & 0xFFFF)
                                                   + max(machines - 1, 0) + masks + looks + (words[10] & 0xFF)))
    return body + bytes(-len(body) % 4)


def words_of(graph: Graph) -> list[int]:
    """The words that the runtime reads."""
    packed = pack_graph(graph)
    words = [int.from_bytes(packed[at:at + 4], "little") for at in range(0, len(packed), 4)]
    return words[:words_before_groups(words)]


def damaged(random: Random, words: list[int]) -> list[int]:
    """The words, one of them changed."""
    changed, at = [*words], random.randrange(len(words))
    changed[at] = random.choice((changed[at] ^ 1 << random.randrange(32), changed[at] + random.randrange(-4, 5),
                                 random.choice(words), random.choice(TELLING))) & 0xFFFFFFFF
    return changed


def has_pose_forever(words: list[int]) -> bool:
    """Whether a state plays a clip of one frame forever, which only tools refuse."""
    first = HEADER + PARAMETER * (words[0] & 0xFF) + MACHINE * (words[1] & 0xFF)
    states = (words[at:at + SIZES[0]] for at in range(first, first + SIZES[0] * (words[2] & 0xFFFF), SIZES[0]))
    return any(state[1:2] == [FOREVER] and state[0] & 0xFFFF == FRAMES.index(1) for state in states)


def is_read(bank: bytes) -> bool:
    try:
        return parse_bank(bank).graph is not None
    except BankProblem:
        return False


def statuses_of(driver: Path, banks: list[Path]) -> list[int]:
    """Returns the status with which the runtime opens the graph of each bank."""
    printed = subprocess.run([driver, *banks], stdin=subprocess.DEVNULL, check=True, stdout=subprocess.PIPE,
                             text=True).stdout
    return [int(line.split()[0]) for line in printed.splitlines()]


@pytest.mark.parametrize(("weights", "choice", "good"), [
    ((), Choice(0, 2, flag=3), True), *((((at, 1 << bit),), Choice(0, 2, flag=3), False)
                                        for at in range(1, CHOICE_WORDS) for bit in (0, 31)),
    ((), Choice(0, 3, flag=3), False), ((), Choice(0, 2, flag=2), False), ((), Choice(0, 2, flag=6), False),
    (((1, 0x0103),), Choice(0, 2), True),
])
def test_a_flag_chooses_between_two_states_without_weights(
        driver: Path, tmp_path: Path, weights: tuple[tuple[int, int], ...], choice: Choice, good: bool) -> None:
    words = words_of(replace(EVERYTHING, choices=(choice,)))
    first = len(words) - LIMB_WORDS * len(EVERYTHING.limbs) - LOOK_WORDS * len(EVERYTHING.looks) - CHOICE_WORDS
    for at, word in weights:
        words[first + at] = word
    path = tmp_path / "forged.ossb"
    path.write_bytes(with_sections(plain_bank(), {TAG: section_of(words)}))
    assert is_read(path.read_bytes()) is good
    assert statuses_of(driver, [path]) == [OK if good else ERROR_SECTION]


def test_a_look_turns_up_to_eight_joints(driver: Path, tmp_path: Path) -> None:
    look = replace(EVERYTHING.looks[0], links=tuple(Link(joint, ONE_Q15, 0) for joint in reversed(range(8))))
    path = tmp_path / "chain.ossb"
    path.write_bytes(with_sections(plain_bank(8), {TAG: section_of(words_of(replace(EVERYTHING, looks=(look,))))}))
    assert is_read(path.read_bytes())
    assert statuses_of(driver, [path]) == [OK]


@pytest.mark.parametrize("seed", range(8))
def test_the_reader_and_the_runtime_agree(driver: Path, tmp_path: Path, seed: int) -> None:
    random, banks = Random(seed), []
    while len(banks) < 400:
        words = words_of(EVERYTHING if len(banks) % 2 else random_graph(random, FRAMES, 2))
        changed = damaged(random, words)
        if words_before_groups(changed) > MOST_WORDS or has_pose_forever(changed):
            continue
        path = tmp_path / f"{len(banks)}.ossb"
        path.write_bytes(with_sections(plain_bank(), {TAG: section_of(changed)}))
        banks.append((path, words, changed))
    statuses, counted = statuses_of(driver, [path for path, *_ in banks]), Counter[bool]()
    for (path, words, changed), status in zip(banks, statuses, strict=True):
        read = is_read(path.read_bytes())
        counted[read] += 1
        assert status == (OK if read else ERROR_SECTION), [
            (at, f"{word:#x}", f"{other:#x}") for at, (word, other) in enumerate(zip(words, changed)) if word != other]
    assert min(counted[True], counted[False]) >= 50, counted
