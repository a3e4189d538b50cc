"""Graphs of configuration files, as they are in the bank."""
from __future__ import annotations

import pickle
import re
from dataclasses import replace
from pathlib import Path

import pytest
from graph_character import EVENTS, GRAPH, write_character
from ossicle.bank.clips import ONE_Q11
from ossicle.bank.file import Bank, read_bank
from ossicle.bank.graph.layout import TAG
from ossicle.bank.graph.records import (AFTER, ALWAYS, AT, AT_LEAST, CHOICE, CUT, EQUALS, FINISHED, FLAG, FOREVER,
                                        INERTIA, INSIDE, IS_SET, NUMBER, TRIGGER, UNCONDITIONAL, WAITS, Atom, Graph,
                                        Group, Parameter)
from ossicle.base.conforming import conforms
from ossicle.base.format import number
from ossicle.config.project import read_project
from ossicle.encoding.cache.check import cache_facts
from ossicle.encoding.settings import Settings
from running import ROOT, run_inside

ONE_Q16 = 1 << 16
FRAME = ONE_Q11  # at 100 frames a second


def built(folder: Path, graph: str = GRAPH, clips: str = EVENTS) -> Graph:
    """The graph of a character that `ossicle build` has built."""
    path = write_character(folder, graph, clips)
    ran = run_inside("build", path, "--quiet")
    assert ran.status == 0, ran.err
    graph_of = read_bank(folder / "hero.ossb").graph
    assert graph_of is not None
    return graph_of


def test_parameters(tmp_path: Path) -> None:
    """Triggers first, then numbers with a slew, then the others in their order."""
    assert built(tmp_path).parameters == (
        Parameter("jump", TRIGGER, 0, 150_000, 0), Parameter("attack", TRIGGER, 0, 300_000, 0),
        Parameter("speed", NUMBER, 0, 6 * ONE_Q16, 0, 500_000, "m/s"),
        Parameter("pace", NUMBER, ONE_Q16 // 2, 2 * ONE_Q16, ONE_Q16), Parameter("grounded", FLAG, 0, 1, 1),
        Parameter("stance", CHOICE, 0, 1, 0, values=("relaxed", "armed")))


JUMP, ATTACK, SPEED, PACE, GROUNDED, STANCE = range(6)
IDLE, LEAP, WALK, RUN, CUT_, STAB = range(6)


def test_states_and_groups(tmp_path: Path) -> None:
    graph = built(tmp_path)
    assert [state.name for state in graph.states] == ["idle", "leap", "move.walk", "move.run", "combat.cut",
                                                      "combat.stab"]
    assert graph.groups == (Group("move", WALK, 2), Group("combat", CUT_, 2)) and graph.machines[0].start == IDLE
    clips = [clip.name for clip in read_bank(tmp_path / "hero.ossb").clips]
    assert [clips[state.clip] for state in graph.states] == ["Idle", "Jump", "Walk", "Run", "Attack", "Attack2"]
    assert [state.loops for state in graph.states] == [FOREVER, 1, FOREVER, FOREVER, 1, 1]
    assert [state.speed_parameter for state in graph.states] == [None, None, PACE, None, None, None]
    assert graph.states[STAB].speed_q16 == -ONE_Q16 // 2


def test_transitions(tmp_path: Path) -> None:
    """Lists of states ascend; a pattern and a group do not include their target."""
    graph = built(tmp_path)
    assert [state.transitions for state in graph.states] == [(0, 2, 4), (6,), (0, 1, 3, 4), (0, 2, 3, 4), (5, 6), (6,)]
    assert [transition.target for transition in graph.transitions] == [LEAP, RUN, WALK, IDLE, CUT_, STAB, IDLE]
    assert [transition.over_us for transition in graph.transitions] == [
        120_000, 200_000, 200_000, 200_000, 0, 200_000, 200_000]
    assert [transition.kind for transition in graph.transitions] == [CUT if at == 4 else INERTIA for at in range(7)]
    assert graph.transitions[5].start_q11 == 10 * FRAME and graph.transitions[5].hold_us == 200_000


def test_conditions(tmp_path: Path) -> None:
    """Numbers are rounded; a comparison that is not >= becomes one, or its opposite."""
    graph = built(tmp_path)
    combo = read_bank(tmp_path / "hero.ossb").events.names.index("combo")
    assert [transition.clauses for transition in graph.transitions] == [
        ((Atom(WAITS, argument=JUMP), Atom(IS_SET, argument=GROUNDED)),),
        ((Atom(AT_LEAST, argument=SPEED, number=3 * ONE_Q16), Atom(EQUALS, True, STANCE, 1)),),
        ((Atom(AT_LEAST, argument=SPEED, number=13107), Atom(AT_LEAST, True, SPEED, 3 * ONE_Q16)),),
        ((Atom(AT_LEAST, True, SPEED, 13107),),),
        ((Atom(WAITS, argument=ATTACK),),),
        ((Atom(WAITS, argument=ATTACK), Atom(INSIDE, argument=combo)),),
        ((Atom(FINISHED),), (Atom(AFTER, number=1_500_000),))]


def test_watches(tmp_path: Path) -> None:
    """Ends of the spans in the clip of the state, and of the clip: the first frame where it plays backward."""
    graph = built(tmp_path)
    assert graph.states[CUT_].positions_q11 == (30 * FRAME, 50 * FRAME, 60 * FRAME)
    assert graph.states[STAB].positions_q11 == (0,)
    assert graph.states[LEAP].positions_q11 == (90 * FRAME,)
    assert [state.times_us for state in graph.states] == [(), (1_500_000,), (), (), (1_500_000,), (1_500_000,)]


SMALL = """\
[graph]
start = "a"
over = "0.1s"
longest_step = 0.5
[graph.parameters]
x = true
t = { trigger = "forever" }
[graph.states]
a = { play = "Walk", loops = 2 }
b = { play = "Jump", loops = 0, speed = -1 }
"""


def small(folder: Path, transition: str, more: str = "") -> Graph:
    """Two states, with a transition from a to b, and one back."""
    back = "[[graph.transitions]]\nfrom = \"b\"\nto = \"a\"\nwhen = \"t\"\n"
    return built(folder, f"{SMALL}{more}[[graph.transitions]]\nfrom = \"a\"\nto = \"b\"\n{transition}\n{back}")


def test_defaults_of_the_graph(tmp_path: Path) -> None:
    graph = small(tmp_path, "when = \"at(right_foot) or before(0.2) and not x\"")
    assert graph.longest_us == 500_000
    right = read_bank(tmp_path / "hero.ossb").events.names.index("right_foot")
    flag = [parameter.name for parameter in graph.parameters].index("x")
    assert graph.transitions[0].clauses == ((Atom(AT, argument=right),),
                                            (Atom(AFTER, True, number=200_000), Atom(IS_SET, True, flag)))
    assert graph.transitions[0].over_us == 100_000
    assert graph.states[0].loops == 2 and graph.states[1].loops == FOREVER
    assert graph.states[0].positions_q11 == (50 * FRAME,)
    assert graph.states[0].times_us == (200_000,)
    assert graph.transitions[0].start_q11 == 90 * FRAME, "a state that plays backward begins at the end"
    assert graph.parameters[0].most == FOREVER


def test_where_a_target_begins(tmp_path: Path) -> None:
    assert small(tmp_path, "start_at = \"land\"").transitions[0].start_q11 == 70 * FRAME
    assert small(tmp_path, "start_at = \"0.25s\"").transitions[0].start_q11 == 25 * FRAME
    assert small(tmp_path, "start_at = 0.9001").transitions[0].start_q11 == 90 * FRAME
    assert small(tmp_path, "").transitions[0].clauses == UNCONDITIONAL == ((Atom(ALWAYS),),)


def test_one_frame_plays_once(tmp_path: Path) -> None:
    graph = built(tmp_path, "[graph]\nstart = \"a\"\nstates = { a = { play = \"Stand\" } }\n")
    assert graph.states[0].loops == 1 and graph.transitions == ()


def test_a_graph_for_several_characters(tmp_path: Path) -> None:
    """Characters override keys of the graph above, and of folders."""
    (tmp_path / "big").mkdir()
    write_character(tmp_path / "big")
    write_character(tmp_path)
    shared = EVENTS.replace("inputs = [\"hero.glb\"]\n", "") + GRAPH
    path = tmp_path / "two.toml"
    path.write_text(shared + """
[folder."big".graph]
over = "0.5s"
parameters.pace = { range = [0.0, 1.5] }
[character.tall]
inputs = ["big/hero.glb"]
[character.small]
inputs = ["hero.glb"]
[character.small.graph.states.idle]
speed = 0.5
""", encoding="utf-8")
    ran = run_inside("build", path, "--quiet")
    assert ran.status == 0, ran.err
    tall, little = (read_bank(tmp_path / f"{name}.ossb").graph for name in ("tall", "small"))
    assert tall and little
    assert (tall.transitions[1].over_us, little.transitions[1].over_us) == (500_000, 200_000)
    assert (tall.parameters[PACE].most, little.parameters[PACE].most) == (3 * ONE_Q16 // 2, 2 * ONE_Q16)
    assert [graph.states[IDLE].speed_q16 for graph in (tall, little)] == [ONE_Q16, ONE_Q16 // 2]


def test_all_commands_that_encode_read_the_graph(tmp_path: Path) -> None:
    expected = built(tmp_path)
    ran = run_inside("encode", tmp_path / "hero.glb", "-o", tmp_path / "a.ossb", "--config", tmp_path / "hero.toml",
                     "--quiet")
    assert ran.status == 0
    assert read_bank(tmp_path / "a.ossb").graph == expected


def test_encode_warns_only_of_keys_that_it_ignores(tmp_path: Path) -> None:
    """The masks of layers are in the bank, too."""
    layer = '[[graph.layers]]\nname = "arm"\nmask = "arm"\nplay = "Attack"\n'
    for graph, ignored in ((GRAPH, ("sets", "masks", "generate")), (GRAPH + layer, ("generate",))):
        path = write_character(tmp_path, '[sets]\narm = ["Arm"]\n[masks]\narm = { set = "arm" }\n' + graph,
                               'generate = "."\n' + EVENTS)
        ran = run_inside("encode", tmp_path / "hero.glb", "-o", tmp_path / "a.ossb", "--config", path)
        assert ran.status == 0, ran.err
        warning = next(line for line in ran.err.splitlines() if "only `ossicle build`" in line)
        assert all((key in warning) == (key in ignored) for key in ("sets", "masks", "generate"))


LEG = """\

[graph.limbs.left_leg]
joints = ["upper_leg_l", "lower_leg_l", "foot_l"]
lock = "foot_l_planted"
"""


def test_the_example_of_the_reference(tmp_path: Path) -> None:
    page = (ROOT / "codegen/CONFIGURATION.md").read_text(encoding="utf-8")
    example = re.search(r"^## Animation graphs\n.*?```toml\n(.*?)```", page, re.DOTALL | re.MULTILINE)
    assert example is not None
    names = {'"Wave"': '"Attack2"', 'mask = "upper"\n': "", "neck =": "Body =", "head =": "Arm =",
             LEG: ""}  # the test character has other names, and no legs
    text = example[1]
    for name, own in names.items():
        assert name in text
        text = text.replace(name, own)
    graph = built(tmp_path, text)
    assert [state.name for state in graph.states] == ["idle", "move", "jump", "combat.cut", "combat.stab",
                                                      "gesture.none", "gesture.wave"]
    assert [look.name for look in graph.looks] == ["head"]


def test_workers_accept_settings_with_a_graph(tmp_path: Path) -> None:
    settings = read_project(write_character(tmp_path)).settings
    assert settings.graph is not None and conforms(settings, Settings)
    assert pickle.loads(pickle.dumps(settings)) == settings
    assert not conforms(replace(settings, graph=replace(settings.graph, over_us="1s")), Settings)


def without_graph(bank: Bank) -> dict[str, tuple[int, ...]]:
    return {section.tag: section.cut(bank.words) for section in bank.sections if section.tag != "GRPH"}


def test_a_graph_changes_no_clip(tmp_path: Path) -> None:
    """Neither the clips nor their keys in a cache: the second build encodes nothing."""
    path, cache = write_character(tmp_path), tmp_path / "cache"
    assert run_inside("build", path, "--quiet", "--cache", cache).status == 0
    before = read_bank(tmp_path / "hero.ossb")
    facts = [cache_facts(cache)]
    path.write_text(EVENTS, encoding="utf-8")
    assert run_inside("build", path, "--quiet", "--cache", cache).status == 0
    facts.append(cache_facts(cache))
    after = read_bank(tmp_path / "hero.ossb")
    assert after.graph is None and before.graph is not None
    assert without_graph(after) == without_graph(before)
    assert facts[0].entries == facts[1].entries > 0 and facts[0].misses == facts[1].misses


@pytest.mark.parametrize("start", ["combat", "combat.stab"])
def test_a_graph_begins_in_a_group(tmp_path: Path, start: str) -> None:
    graph = built(tmp_path, GRAPH.replace('start = "idle"', f'start = "{start}"'))
    assert graph.machines[0].start == {"combat": CUT_, "combat.stab": STAB}[start]
    assert replace(graph, machines=built(tmp_path).machines) == built(tmp_path)


@pytest.mark.parametrize("embed", [False, True])
def test_a_build_generates_code_for_the_graph_in_its_bank(embed: bool, tmp_path: Path) -> None:
    path = write_character(tmp_path, clips=f'generate = "."\nembed = {str(embed).lower()}\n{EVENTS}')
    ran = run_inside("build", path, "--quiet")
    assert ran.status == 0, ran.err
    bank = read_bank(tmp_path / "hero.ossb")
    [section] = (section for section in bank.sections if section.tag == TAG)
    checksum = section.cut(bank.words)[number("GRAPH_LAYOUT_CRC")]
    assert f"HERO_GRAPH_LAYOUT_CRC 0x{checksum:08x}u" in (tmp_path / "hero_graph.h").read_text(encoding="utf-8")
