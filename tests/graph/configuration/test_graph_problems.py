"""Graphs that are refused: each message has the file, the key, the value and what to do."""
from __future__ import annotations

from pathlib import Path

import pytest
from graph_character import EVENTS, GRAPH, write_character, write_clips
from mentions import mentions
from ossicle.bank.file import read_bank
from ossicle.bank.graph.check import MOST_PARAMETERS, MOST_STATES, MOST_TRANSITIONS, MOST_TRIGGERS, MOST_WATCHES
from ossicle.bank.graph.ram import character_bytes
from running import run_inside


def refused(folder: Path, graph: str, facts: str, clips: str = EVENTS) -> None:
    """Asserts that the graph is refused, by a message with these facts."""
    path = write_character(folder, graph, clips)
    ran = run_inside("build", path, "--quiet")
    assert ran.status == 1 and not (folder / "hero.ossb").exists()
    line = ran.err.splitlines()[-1]
    assert mentions(line, f"hero.toml [graph] {facts}"), line


@pytest.mark.parametrize(("old", "new", "facts"), [
    ('start = "idle"\n', "", 'start "idle"'),
    ('start = "idle"', 'start = "idl"', "start 'idl' 'idle'"),
    ('start = "idle"', "start = 3", "start 3"),
    ('start = "idle"', 'start = "idle"\nlayer = "own"', "'layer' 'layers'"),
    ('start = "idle"', 'start = "idle"\nover = "17s"', "over '17s' 16.7772"),
    ('start = "idle"', 'start = "idle"\nover = "fast"', "over 'fast' 0.4s"),
    ('start = "idle"', 'start = "idle"\nlongest_step = "2s"', "longest_step '2s' 1"),
    ('start = "idle"', 'start = "idle"\nlongest_step = 0', "longest_step 0"),
    ('start = "idle"', 'start = "idle"\nmax_ram_bytes = 0', "max_ram_bytes 0 1"),
    ('start = "idle"', 'start = "idle"\nplayers = "pool"', "players 'pool' own shared"),
    ('start = "idle"', 'start = "idle"\nplayers = ["own"]', "players ['own'] shared"),
    ('start = "idle"', 'start = "idle"\nmax_ram_bytes = true', "max_ram_bytes True 1"),
    ('start = "idle"', 'start = "idle"\nmax_ram_bytes = 4e3', "max_ram_bytes 4000.0 1"),
    # states
    ('leap = { play = "Jump" }', 'leap = { play = "Jmp" }', "states.leap play 'Jmp' 'Jump'"),
    ('leap = { play = "Jump" }', 'leap = { play = "Nod" }', "states.leap play 'Nod' additive"),
    ('leap = { play = "Jump" }', 'leap = { rndom = "Jump" }', "states.leap 'rndom' 'random'"),
    ('leap = { play = "Jump" }', 'leap = { loops = 1 }', "states.leap play"),
    ('leap = { play = "Jump" }', 'leap = { play = 1 }', "states.leap play 1"),
    ('leap = { play = "Jump" }', 'leap = "Jump"', "states.leap 'Jump' play"),
    ('leap = { play = "Jump" }', 'leap = { play = "Jump", loops = -1 }', "states.leap loops -1 0 65535"),
    ('leap = { play = "Jump" }', 'leap = { play = "Jump", loops = 65536 }', "states.leap loops 65536 65535"),
    ('leap = { play = "Jump" }', 'leap = { play = "Jump", loops = true }', "states.leap loops True"),
    ('leap = { play = "Jump" }', 'leap = { play = "Stand", loops = 0 }', "states.leap loops 0 Stand"),
    ('leap = { play = "Jump" }', 'leap = { play = "Jump", speed = true }', "states.leap speed True"),
    ('leap = { play = "Jump" }', 'leap = { play = "Jump", speed = 32768 }', "states.leap speed 32768"),
    ('leap = { play = "Jump" }', 'leap = { play = "Jump", speed = "pac" }', "states.leap speed 'pac' 'pace'"),
    ('leap = { play = "Jump" }', 'leap = { play = "Jump", speed = "jump" }', "states.leap speed 'jump' trigger"),
    ('leap = { play = "Jump" }', 'leap = { play = "Jump", states = {} }', "states.leap states play"),
    ('leap = { play = "Jump" }', 'leap = { start = "a", states = {} }', "states.leap"),
    ('leap = { play = "Jump" }', 'leap = { mirror = 1, states = { a = { play = "Jump" } } }', "states.leap mirror"),
    ('leap = { play = "Jump" }', 'leap = { play = "Jump" }\n"fly-by" = { play = "Jump" }', "'fly-by'"),
    ('leap = { play = "Jump" }', 'leap = { play = "Jump" }\nfly = { play = "Jump" }', "states.fly idle"),
    ('start = "cut"\n', "", 'states.combat start "cut"'),
    ('start = "cut"', 'start = "cur"', "states.combat start 'cur' 'cut'"),
    ('start = "cut"', "start = 1", "states.combat start 1"),
    ('range = [0.5, 2.0], default = 1.0', 'range = [-0.5, 2.0]', "states.move.walk speed 'pace' -0.5"),
    # transitions
    ('to = "leap"', 'to = "lep"', "transition 1 to 'lep' 'leap'"),
    ('to = "leap", ', "", "transition 1 to"),
    ('{ from = ["idle", "move.*"]', "{ from = []", "transition 1 from []"),
    ('{ from = ["idle", "move.*"]', "{ from = [1]", "transition 1 from 1"),
    ('{ from = ["idle", "move.*"]', '{ from = ["idle", "mov.*"]', "transition 1 from 'mov.*' 'move'"),
    ('{ from = ["idle", "move.*"]', '{ from = ["idle", "mov"]', "transition 1 from 'mov' 'move'"),
    ('{ from = ["idle", "move.*"]', "{ form = 1", "transition 1 'form' 'from'"),
    ('{ from = ["idle", "move.*"]', '{ from = "leap*"', "transition 1 from 'leap*' leap"),
    ('over = "120ms"', 'over = "1h"', "transition 1 over '1h'"),
    ('kind = "cut"', 'kind = "cu"', "transition 5 kind 'cu' 'cut'"),
    ('kind = "cut"', 'kind = "cut", over = "1s"', "transition 5 over '1s' kind"),
    ('kind = "cut"', 'hold = "1074s"', "transition 5 hold '1074s' 1073.74"),
    ('start_at = "0.1s"', 'start_at = "0.8s"', "transition 6 start_at 0.8 Attack2 combat.stab 0.7"),
    ('start_at = "0.1s"', 'start_at = "hitt"', "transition 6 start_at 'hitt' Attack2 'hit'"),
    ('start_at = "0.1s"', 'start_at = "1 day"', "transition 6 start_at '1 day'"),
    ('start_at = "0.1s"', f'start_at = "{"9" * 400}s"', "transition 6 start_at"),
    ("transitions = [", 'transitions = [\n    "a",', "transition 1 'a' from"),
    # conditions
    ('"jump and grounded"', '"jump and grond"', "transition 1 when 'grond' 'grounded'"),
    ('"jump and grounded"', '"jump and"', "transition 1 when 'jump and'"),
    ('"jump and grounded"', '"jump and )"', "transition 1 when ')'"),
    ('"jump and grounded"', '"jump grounded"', "transition 1 when 'grounded' and or"),
    ('"jump and grounded"', '"(jump and grounded"', "transition 1 when )"),
    ('"jump and grounded"', '"jump and grounded or speed >="', "transition 1 when speed >="),
    ('"jump and grounded"', '"jump and in(leap)"', "transition 1 when in(leap) base"),
    ('"jump and grounded"', '"jump and after"', "transition 1 when after(0.4s)"),
    ('"jump and grounded"', '"jump and inside()"', "transition 1 when inside(combo)"),
    ('"jump and grounded"', '"jump and after(soon)"', "transition 1 when after(soon) 0.4s"),
    ('"jump and grounded"', '"jump and after(0)"', "transition 1 when after(0) 0 1073.74"),
    ('"jump and grounded"', '"jump and after(9999s)"', "transition 1 when after(9999s) 0 1073.74"),
    ('"jump and grounded"', "true", "transition 1 when True"),
    ('"jump and grounded"', '"jump and stance = armed"', "transition 1 when '=' =="),
    ('"jump and grounded"', '"(jump and stance=armed)"', "transition 1 when '=' =="),
    ('"jump and grounded"', '"jump and speed => 3"', "transition 1 when '=>' >="),
    ('"jump and grounded"', '"jump and speed <> 3"', "transition 1 when '<>' !="),
    ('"jump and grounded"', '"jump && grounded"', "transition 1 when '&&' and"),
    ('"jump and grounded"', '"jump and (grounded || speed > 3)"', "transition 1 when '||' or"),
    ('"jump and grounded"', '"jump and after(0.5s) | grounded"', "transition 1 when '|' or"),
    ('"jump and grounded"', '"jump and !grounded"', "transition 1 when '!' not"),
    ('"jump and grounded"', '"!(jump and grounded)"', "transition 1 when '!' not"),
    ('"jump and grounded"', '"not jump and grounded"', "transition 1 when jump trigger"),
    ('"jump and grounded"', '"not (grounded or jump)"', "transition 1 when jump trigger"),
    ('"jump and grounded"', '"jump and grounded == 1"', "transition 1 when grounded == 1 flag"),
    ('"jump and grounded"', '"jump > 1"', "transition 1 when jump > 1 trigger"),
    ('"jump and grounded"', '"jump and speed"', "transition 1 when speed >="),
    ('"jump and grounded"', '"jump and speed == 2"', "transition 1 when speed == 2 >="),
    ('"jump and grounded"', '"jump and speed >= fast"', "transition 1 when speed 'fast'"),
    ('"jump and grounded"', '"jump and speed >= 2m"', "transition 1 when speed '2m'"),
    ('"jump and grounded"', '"jump and speed >= 7"', "transition 1 when speed >= 7 never 0 6"),
    ('"jump and grounded"', '"jump and speed <= 6"', "transition 1 when speed <= 6 always 0 6"),
    ('"jump and grounded"', '"jump and speed < 0"', "transition 1 when speed < 0 never 0 6"),
    ('"jump and grounded"', '"jump and stance"', "transition 1 when stance choice relaxed"),
    ('"jump and grounded"', '"jump and stance > armed"', "transition 1 when stance > armed choice"),
    ('"jump and grounded"', '"jump and stance != armd"', "transition 1 when stance != armd 'armd' 'armed'"),
    ('"jump and grounded"', '"jump and grounded and not grounded"', "transition 1 when never"),
    ('"jump and grounded"', '"jump and speed > 3 and speed <= 2"', "transition 1 when speed never"),
    ('"jump and grounded"', '"jump and stance == armed and stance == relaxed"', "transition 1 when stance never"),
    ('"jump and grounded"', '"jump and stance != armed and stance != relaxed"', "transition 1 when stance never"),
    ('"jump and grounded"', '"jump and after(0.5s) and before(0.2s)"', "transition 1 when 0.5s never"),
    ('"jump and grounded"', f'"jump and {"(" * 99}grounded{")" * 99}"', "transition 1 when"),
    ('"jump and grounded"', '"jump and grounded or ' + " or ".join(f"after({at}s)" for at in range(1, 9)) + '"',
     "transition 1 when 8"),
    ('"jump and grounded"', '"jump and ' + " and ".join(f"after({at}s)" for at in range(1, 9)) + '"',
     "transition 1 when 8"),
    ('"jump and grounded"', '"' + " and ".join(f"(after({at}s) or before({at + 20}s))" for at in range(1, 20)) + '"',
     "transition 1 when 8"),
    # marks, spans and ends of clips
    ('inside(combo)', 'inside(comb)', "transition 6 when inside(comb) Attack 'combo'"),
    ('inside(combo)', 'inside(air)', "transition 6 when inside(air) Attack"),
    ('inside(combo)', 'at(combo)', "transition 6 when at(combo) span inside(combo)"),
    ('inside(combo)', 'at(land)', "transition 6 when at(land) Attack"),
    ('inside(combo)', 'not at(combo)', "transition 6 when at(combo)"),
    ('"speed < 0.2"', '"inside(left_foot)"', "transition 4 when inside(left_foot) mark at(left_foot)"),
    ('"speed < 0.2"', '"finished"', "transition 4 when finished move.walk Walk loops = 1"),
    ('"speed < 0.2"', '"speed < 0.2 or not finished"', "transition 4 when finished move.walk Walk loops = 1"),
    ("speed = -0.5", "speed = 0", "transition 7 when finished combat.stab"),
    # without effect
    ('    { from = "move", to = "idle"', '    { from = ["leap"], to = "idle", when = "speed < 1" },\n    '
     '{ from = "leap", to = "combat", when = "grounded and speed < 1" },\n    { from = "move", to = "idle"',
     "transition 5 transition 4 leap"),
    ('    { from = ["leap", "combat"]', '    { from = "*", to = "idle" },\n    { from = ["leap", "combat"]',
     "transition 8 transition 7 leap"),
    ("jump = \"trigger\"", "jump = \"trigger\"\nwave = \"trigger\"", "parameters.wave trigger"),
    # parameters
    ("grounded = true", "grounded = 1", "parameters.grounded 1 range"),
    ("grounded = true", 'grounded = "pint"', "parameters.grounded 'pint' trigger"),
    ("grounded = true", '"on ground" = true', "parameters 'on ground'"),
    ("grounded = true", "finished = true", "parameters 'finished'"),
    ("range = [0.0, 6.0]", "range = [6.0, 0.0]", "parameters.speed range [6.0, 0.0]"),
    ("range = [0.0, 6.0]", "range = [0.0]", "parameters.speed range [0.0]"),
    ("range = [0.0, 6.0]", "range = [0.0, 40000]", "parameters.speed range 40000 32767"),
    ("range = [0.0, 6.0]", 'range = [0.0, "x"]', "parameters.speed range 'x'"),
    ("range = [0.0, 6.0], ", "", "parameters.speed range = [0.0, 6.0]"),
    ("range = [0.0, 6.0], ", "rnge = 1, ", "parameters.speed 'rnge' 'range'"),
    ("default = 1.0", "default = 3.0", "parameters.pace default 3.0 [0.5, 2.0]"),
    ('unit = "m/s"', "unit = 3", "parameters.speed unit 3 m/s"),
    ('slew = "500ms"', 'slew = "17s"', "parameters.speed slew '17s' 16.78"),
    ("grounded = true", f"{'g' * 1001} = true", f"parameters {'g' * 40!r} 1001 1000"),
    ('leap = { play = "Jump" }', f'leap = {{ play = "Jump" }}\n{"l" * 1001} = {{ play = "Jump" }}',
     f"states {'l' * 40!r} 1001 1000"),
    ("stab = {", f'{"l" * 994} = {{ play = "Jump" }}, stab = {{', f"states {'combat.' + 'l' * 33!r} 1001 1000"),
    ('["relaxed", "armed"]', '["relaxed"]', "parameters.stance 1 2 256"),
    ('["relaxed", "armed"]', '["armed", "armed"]', "parameters.stance 'armed'"),
    ('["relaxed", "armed"]', '["armed", 3]', "parameters.stance 3"),
    ('{ trigger = "300ms" }', '{ trigger = "1 day" }', "parameters.attack trigger '1 day'"),
    ('{ trigger = "300ms" }', '{ trigger = 9999 }', "parameters.attack trigger 9999 forever"),
    ('{ trigger = "300ms" }', '{ trigger = 1, range = [0, 1] }', "parameters.attack range trigger"),
    ('{ trigger = "300ms" }', '{ trigger = 1, wait = 1 }', "parameters.attack 'wait'"),
])
def test_a_key_or_value_that_is_wrong(tmp_path: Path, old: str, new: str, facts: str) -> None:
    assert old in GRAPH
    refused(tmp_path, GRAPH.replace(old, new, 1), facts)


@pytest.mark.parametrize(("graph", "facts"), [
    ("graph = 3\n", "3 states"),
    ("[graph]\nstates = 3\n", "states 3"), ("[graph]\nparameters = 3\n", "parameters 3"),
    ("[graph]\ntransitions = 3\n", "transitions 3 from"), ("[graph]\nstart = \"a\"\n", "states"),
])
def test_a_table_that_is_wrong(tmp_path: Path, graph: str, facts: str) -> None:
    text = graph if graph.startswith("[") else ""
    refused(tmp_path, text, facts, graph.replace(text, "") + EVENTS if not text else EVENTS)


def test_a_character_that_needs_more_memory_than_it_may(tmp_path: Path) -> None:
    """The message lists all parts of the memory, and only remedies that help."""
    path = write_character(tmp_path)
    assert run_inside("build", path, "--quiet").status == 0
    needed = character_bytes(read_bank(tmp_path / "hero.ossb"))
    for limit, works in ((needed, True), (needed - 1, False)):
        text = GRAPH.replace("[graph]\n", f"[graph]\nmax_ram_bytes = {limit}\n")
        ran = run_inside("build", write_character(tmp_path, text), "--quiet")
        assert (ran.status == 0) is works
    line = ran.err.splitlines()[-1]
    assert mentions(line, f"hero.toml [graph] max_ram_bytes {needed - 1} hero.glb {needed} player pose inertia allow "
                          f"{needed} cut") and "blend" not in line
    parts, _ = line.split(" bytes, ")[1].split(";")
    assert sum(int(part.split(" for ")[0]) for part in parts.split(", ")) == needed


def test_clips_that_the_bank_leaves_out(tmp_path: Path) -> None:
    """The message of encode names the file, too."""
    path = write_character(tmp_path)
    write_clips(tmp_path)
    ran = run_inside("encode", tmp_path / "hero.glb", "-o", tmp_path / "a.ossb", "--config", path, "--quiet", "--clips",
                     "Idle")
    assert ran.status == 1
    assert mentions(ran.err.splitlines()[-1], "hero.toml [graph] states.leap play 'Jump' Idle")


# ---- circles ----


def circle(folder: Path, parameters: str, transitions: list[str], facts: str) -> None:
    """Three states, a, b and c, with these transitions. facts: of the message; empty if there is none."""
    text = "[graph]\nstart = \"a\"\n" + f"[graph.parameters]\n{parameters}\n[graph.states]\n" + "".join(
        f"{name} = {{ play = \"{clip}\" }}\n" for name, clip in (("a", "Idle"), ("b", "Walk"), ("c", "Jump")))
    text += "".join(f"[[graph.transitions]]\n{transition}\n" for transition in transitions)
    if facts:
        refused(folder, text, facts)
        return
    ran = run_inside("build", write_character(folder, text), "--quiet")
    assert ran.status == 0, ran.err


FLAGS = "x = true\ny = false\nt = \"trigger\"\nspeed = { range = [0, 6] }\nstance = [\"one\", \"two\", \"three\"]"
BACK = 'from = "b"\nto = "a"'
TO_C = 'from = ["a", "b"]\nto = "c"\nwhen = "t"'


@pytest.mark.parametrize(("there", "back", "facts"), [
    ("", "", "transition 1 transition 2"),
    ('when = "x"', 'when = "x"', "transition 1 transition 2 x"),
    ('when = "x"', 'when = "not y"', "transition 1 transition 2 x not y"),
    ('when = "speed >= 2"', 'when = "speed < 3"', "transition 1 transition 2 speed 2"),
    ('when = "stance != one"', 'when = "stance != two"', "transition 1 transition 2 stance three"),
    ('when = "x or after(1s)"', 'when = "x and y or before(0.1s)"', "transition 1 transition 2 x y"),
    ('when = "x"', 'when = "not x"', ""),
    ('when = "speed >= 2"', 'when = "speed < 2"', ""),
    ('when = "stance == one"', 'when = "stance == two"', ""),
    ('when = "x"', 'when = "x and after(10ms)"', ""),
    ('when = "x"', 'when = "x and at(left_foot)"', ""),
    ('when = "x"', 'when = "x and t"', ""),
    ('when = "x"\nhold = "10ms"', 'when = "x"', ""),
    ('when = "x"', 'when = "x"\nhold = "10ms"', "transition 1 transition 2 x"),
])
def test_transitions_in_a_circle(tmp_path: Path, there: str, back: str, facts: str) -> None:
    """Found where parameters alone lead through it; a time, a mark, a trigger or a hold ends it."""
    circle(tmp_path, FLAGS, [f'from = "a"\nto = "b"\n{there}', f"{BACK}\n{back}", TO_C]
           if there or back else [TO_C, f'from = "a"\nto = "b"\n{there}', f"{BACK}\n{back}"],
           facts if there or back else "transition 2 transition 3")


def test_an_earlier_transition_ends_a_circle(tmp_path: Path) -> None:
    circle(tmp_path, FLAGS, ['from = "a"\nto = "b"\nwhen = "x"', 'from = "b"\nto = "c"\nwhen = "x"',
                             f'{BACK}\nwhen = "x or y"', 'from = "c"\nto = "a"\nwhen = "t or finished"'], "")


def test_a_longer_circle_and_one_of_a_state(tmp_path: Path) -> None:
    circle(tmp_path, FLAGS, ['from = "a"\nto = "b"\nwhen = "x"', 'from = "b"\nto = "c"\nwhen = "x"',
                             'from = "c"\nto = "a"\nwhen = "x or t"'], "transition 1 transition 2 transition 3 x")
    circle(tmp_path, FLAGS, ['from = "a"\nto = "b"\nwhen = "x"', 'from = "b"\nto = "b"\nwhen = "y"',
                             'from = "b"\nto = "c"\nwhen = "t"'], "transition 2 b y")


def test_circles_of_many_parameters_are_not_searched(tmp_path: Path) -> None:
    flags = "\n".join(f"x{at} = true" for at in range(14)) + "\nt = \"trigger\""
    circle(tmp_path, flags, [TO_C, *(f'from = "a"\nto = "b"\nwhen = "x{at}"' for at in range(14)), BACK], "")


# ---- limits ----


def test_counts_have_limits(tmp_path: Path) -> None:
    start = "[graph]\nstart = \"s0\"\n"
    flags = "[graph.parameters]\n" + "".join(f"p{at} = true\n" for at in range(MOST_PARAMETERS + 1))
    triggers = "[graph.parameters]\n" + "".join(f"p{at} = \"trigger\"\n" for at in range(MOST_TRIGGERS + 1))
    states = "[graph.states]\n" + "".join(f"s{at} = {{ play = \"Idle\" }}\n" for at in range(MOST_STATES + 1))
    few = "[graph.states]\ns0 = { play = \"Idle\" }\n"
    refused(tmp_path, start + flags + few, f"{MOST_PARAMETERS + 1} {MOST_PARAMETERS}")
    refused(tmp_path, start + triggers + few, f"{MOST_TRIGGERS + 1} {MOST_TRIGGERS}")
    refused(tmp_path, start + states, f"{MOST_STATES + 1} {MOST_STATES}")
    many = "[[graph.transitions]]\nfrom = \"s0\"\nto = \"s0\"\n" * (MOST_TRANSITIONS + 1)
    refused(tmp_path, start + few + many, f"{MOST_TRANSITIONS + 1} {MOST_TRANSITIONS}")


def test_a_state_has_a_limit_of_watches(tmp_path: Path) -> None:
    text = "[graph]\nstart = \"a\"\n[graph.states]\na = { play = \"Jump\" }\nb = { play = \"Idle\" }\n" + "".join(
        f"[[graph.transitions]]\nfrom = \"a\"\nto = \"b\"\nwhen = \"before({at + 1}s) and inside(air)\"\n"
        for at in range(MOST_WATCHES - 1))
    refused(tmp_path, text, f"states.a 2 Jump {MOST_WATCHES - 1} {MOST_WATCHES}")


def test_a_step_has_a_limit_of_events(tmp_path: Path) -> None:
    events = ", ".join(f'{{ time = {at / 1250}, name = "spark" }}' for at in range(300))
    refused(tmp_path, GRAPH, "longest_step 0.25 leap Jump 255",
            EVENTS.replace('{ time = "0.2s", until = "0.7s", name = "air" }', f'{{ time = 0, name = "a" }}, {events}, '
                           '{ time = "0.2s", until = "0.7s", name = "air" }'))


def test_times_that_end_at_the_entry_are_circles(tmp_path: Path) -> None:
    """`before` holds when a state is entered, however often that is."""
    graph = """\
[graph]
start = "a"
transitions = [{ from = "a", to = "b", when = "before(1s)" }, { from = "b", to = "a", when = "before(1s)" }]
states = { a = { play = "Idle" }, b = { play = "Walk" } }
"""
    refused(tmp_path, graph, "transition 1 a b circle")


def test_numbers_that_no_double_has(tmp_path: Path) -> None:
    refused(tmp_path, GRAPH.replace('over = "120ms"', "over = 1" + 400 * "0"), "transition 1 over")


def test_an_event_whose_name_looks_like_a_time(tmp_path: Path) -> None:
    listed = '[clips."Attack2"]\nevents = ['
    clips = EVENTS.replace(listed, listed + '{ frame = 9, name = "2nd" }, ')
    graph = GRAPH.replace('start_at = "0.1s"', 'start_at = "2nd"')
    ran = run_inside("build", write_character(tmp_path, graph, clips), "--quiet")
    assert ran.status == 0, ran.err


def test_blanks_in_brackets_take_no_time(tmp_path: Path) -> None:
    refused(tmp_path, GRAPH.replace("speed >= 3", "at(" + 20_000 * " " + "x"), "transition 2 when")
