"""Generated C of animation graphs: it compiles everywhere, plays as the runtime does, and has valid names."""
from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from bank_builder import biped, random_skeleton
from c_programs import INCLUDES, RUNTIME, STRICT, build_program
from compiling import run
from graph_bank import PARAMETERS, graph, graph_bank, plain_bank, skeleton
from mentions import mentions

from graph_machines import base
from ossicle.bank.file import parse_bank
from ossicle.bank.graph.check import MOST_PARAMETERS
from ossicle.bank.graph.ram import character_bytes
from ossicle.bank.graph.records import (
    CHOICE, CUT, FADE, FLAG, FOREVER, INERTIA, NUMBER, ONE_Q15, POINT, TRIGGER, Graph, Group, Limb, Parameter, State,
    Transition)
from ossicle.base.option_values import EMBED_BASE
from ossicle.base.places import TEMPLATES
from ossicle.generate.code import Code
from ossicle.generate.emit import code_file_names, code_files, generate
from ossicle.generate.plans.graph import CONSTANTS, GraphPlan
from ossicle.generate.identifiers import KEYWORDS
from ossicle.generate.plan import make_plan

HERE = Path(__file__).parent
OK, LAYOUT, NOT_FOUND = 0, -12, -9  # of the runtime
TICKS = 6_000
COMPILERS = {"gcc": ["-O2"], "clang": ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]}
CASES = {  # compiler, embed, events, travels, has_scale, inertia, blends
    "embedded": ("gcc", True, True, True, False, True, True),
    "opened, scale": ("clang", False, True, True, True, True, True),
    "no events, no inertia, no blends": ("gcc", False, False, True, False, False, False),
    "nothing but a graph": ("clang", EMBED_BASE, False, False, True, True, False),
    "cuts": ("gcc", True, True, False, True, False, True)}


LIMBED = replace(graph(), parameters=(*PARAMETERS, Parameter("hand", POINT, 0, 1, 0)), limbs=tuple(
    Limb(name, point, 0, (0, 1, 2), (1 << 20, 0, 0), None, ONE_Q15, ONE_Q15, None, 100_000, 1 << 20)
    for name, point in (("hand", len(PARAMETERS)), ("foot", None))))


def faded(described: Graph) -> Graph:
    """Fades instead of inertia."""
    return replace(described, transitions=tuple(replace(each, kind=FADE if each.kind == INERTIA else each.kind)
                                                for each in described.transitions))


def written(folder: Path, bank: bytes, code: Code = Code()) -> list[Path]:
    """The sources of a bank's code."""
    (folder / "hero.ossb").write_bytes(bank)
    return [path for path in generate(folder / "hero.ossb", folder, code) if path.suffix == ".c"]


def driver(folder: Path, sources: list[Path], compiler: str, **defines: object) -> Path:
    flags = [*STRICT, *COMPILERS[compiler], *INCLUDES, f"-I{folder}", f"-DTICKS={TICKS}",
             *(f"-D{name}={int(bool(value))}" for name, value in defines.items())]
    return build_program(compiler, flags, [HERE / "graph_code_driver.c", *sources, *RUNTIME], folder / "play")


def plan_of(described: Graph) -> GraphPlan:
    found = make_plan(parse_bank(graph_bank(biped(), described)), Code("hero")).graph
    assert found is not None
    return found


@pytest.mark.parametrize(("compiler", "embed", "events", "travels", "has_scale", "inertia", "blends"), CASES.values(),
                         ids=CASES)
def test_a_character_plays_as_by_the_functions_of_the_runtime(
        compiler: str, embed: bool | str, events: bool, travels: bool, has_scale: bool, inertia: bool, blends: bool,
        tmp_path: Path) -> None:
    """Also if it is copied, or continues elsewhere from its saved state."""
    described = graph(events, inertia, blends, plane=has_scale and blends, chosen=travels)
    if inertia and embed is not True:
        described = faded(described)
    bank = graph_bank(skeleton(has_scale), described, events, travels)
    program = driver(tmp_path, written(tmp_path, bank, Code(embed=embed)), compiler, EMBEDDED=embed, HAS_EVENTS=events,
                     HAS_TRAJECTORIES=travels, HAS_INERTIA=inertia, IS_RANDOM=travels)
    printed = run([program, tmp_path / "hero.ossb"]).stdout.splitlines()
    states = Counter(line.split()[-1] for line in printed if not line.startswith(" "))
    assert set(states) == {"idle", "combat.cut", "combat.stab", "leap", "limp"} and min(states.values()) > 5
    assert any(line.startswith(" ") for line in printed) == events


@pytest.mark.parametrize("embed", [False, True])
def test_characters_that_share_rows_have_the_same_poses(embed: bool, tmp_path: Path) -> None:
    """The pool has no room for all clips."""
    bank = graph_bank(skeleton(False), replace(graph(), shared=True))
    program = driver(tmp_path, written(tmp_path, bank, Code(embed=embed)), "clang", EMBEDDED=embed, HAS_EVENTS=True,
                     HAS_TRAJECTORIES=True, HAS_INERTIA=True, SHARED=True)
    printed = run([program, tmp_path / "hero.ossb"]).stdout.splitlines()
    assert {line.split()[-1] for line in printed if not line.startswith(" ")} >= {"idle", "leap", "limp"}
    header = (tmp_path / "hero_graph.h").read_text(encoding="utf-8")
    assert "hero_player players" not in header and "hero_row_pool *pool" in header


@pytest.mark.parametrize("embed", [False, True])
def test_a_bank_with_another_graph_is_refused(embed: bool, tmp_path: Path) -> None:
    spec, described = biped(), graph()
    program = driver(tmp_path, written(tmp_path, graph_bank(spec), Code(embed=embed)), "gcc", EMBEDDED=embed,
                     HAS_EVENTS=True, HAS_TRAJECTORIES=True, HAS_INERTIA=True)
    longer = replace(described.transitions[2], over_us=90_000)
    others = {
        "another duration": (
            replace(described, transitions=(*described.transitions[:2], longer, *described.transitions[3:])), True, OK),
        "a parameter more": (
            replace(described, parameters=(*described.parameters, Parameter("more", FLAG, 0, 1, 0))), True, LAYOUT),
        "a trigger for a flag": (replace(described, parameters=(
            *described.parameters[:2], Parameter("more", TRIGGER, 0, 0, 0), *described.parameters[2:4]),
            states=tuple(replace(described.states[at], speed_parameter=None) for at in (0, 1, 2, 3, 3)),
            transitions=(Transition(0, CUT, 0),) * 7), True, LAYOUT),
        "no slew": (replace(described, parameters=tuple(replace(parameter, slew_us=0)
                                                        for parameter in described.parameters)), True, LAYOUT),
        "a state more": (replace(described, machines=base(6), states=(*described.states, described.states[0])), True,
                         LAYOUT),
        "triggers in another order": (
            replace(described, parameters=(*described.parameters[1::-1], *described.parameters[2:])), True, LAYOUT),
        "another name of a value": (replace(described, parameters=(
            *described.parameters[:-1], replace(described.parameters[-1], values=("relaxed", "armed", "shot")))), True,
            LAYOUT),
        "another unit": (replace(described, parameters=tuple(replace(parameter, unit=parameter.unit and "km/h")
                                                             for parameter in described.parameters)), True, LAYOUT),
        "states in another order": (replace(described, states=tuple(
            replace(state, name=name) for state, name in zip(described.states, (
                "leap", "combat.cut", "combat.stab", "idle", "limp")))), True, LAYOUT),
        "a smaller group": (replace(described, groups=(Group("combat", 1, 1),)), True, LAYOUT),
        "a number for a flag": (replace(described, transitions=(Transition(0, CUT, 0),) * 7, parameters=tuple(
            replace(parameter, kind=NUMBER) if parameter.kind == FLAG else parameter
            for parameter in described.parameters)), True, LAYOUT),
        "another range": (replace(described, parameters=tuple(
            replace(parameter, most=parameter.most + 1) if parameter.kind == NUMBER else parameter
            for parameter in described.parameters)), True, OK),
        "fewer events": (replace(described, event_count=1), True, OK),
        "more events": (replace(described, event_count=25), True, LAYOUT),
        "no events": (graph(events=False), False, NOT_FOUND),
    }
    for name, (other, events, expected) in others.items():
        (tmp_path / "other.ossb").write_bytes(graph_bank(spec, other, events))
        opened, status = run([program, tmp_path / "hero.ossb", tmp_path / "other.ossb"]).stdout.split()
        assert (int(opened), int(status)) == (OK, LAYOUT if embed else expected), name
    (tmp_path / "other.ossb").write_bytes(plain_bank(spec))
    opened, status = run([program, tmp_path / "hero.ossb", tmp_path / "other.ossb"]).stdout.split()
    assert (int(opened), int(status)) == (OK, LAYOUT if embed else NOT_FOUND)


def test_a_graph_that_needs_no_memory_of_transitions_refuses_inertia(tmp_path: Path) -> None:
    program = driver(tmp_path, written(tmp_path, graph_bank(biped(), graph(inertia=False))), "gcc", HAS_EVENTS=True,
                     HAS_TRAJECTORIES=True)
    (tmp_path / "other.ossb").write_bytes(graph_bank(biped(), graph()))
    assert run([program, tmp_path / "hero.ossb", tmp_path / "other.ossb"]).stdout.split() == [str(OK), str(LAYOUT)]


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("embed", [False, True])
@pytest.mark.parametrize("command", [
    ["gcc", *STRICT, "-Os"], ["clang", *STRICT, "-O1", "-Wcast-align"],
    ["arm-none-eabi-gcc", *STRICT, "-mcpu=cortex-m0", "-mthumb", "-Os", "-ffreestanding", "-Wcast-align=strict"],
    ["arm-none-eabi-gcc", *STRICT, "-mcpu=arm7tdmi", "-marm", "-O2", "-ffreestanding"],
    ["g++", "-std=gnu++20", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-x", "c++"],
], ids=lambda words: words[0] + words[-2])
def test_the_code_compiles_everywhere(command: list[str], embed: bool, shared: bool, tmp_path: Path) -> None:
    described = replace(graph(plane=True, chosen=True) if embed else LIMBED, shared=shared)
    written(tmp_path, graph_bank(skeleton(embed), described), Code(embed=embed))
    run([*command, *INCLUDES, "-c", tmp_path / "hero_graph.c", "-o", tmp_path / "graph.o"])


def test_only_graphs_with_limbs_reach(tmp_path: Path) -> None:
    """Others link no function of osc_ik.h."""
    for described, reaches in ((graph(), False), (LIMBED, True)):
        for embed in (False, True):
            written(tmp_path, graph_bank(biped(), described), Code(embed=embed))
            text = (tmp_path / "hero_graph.c").read_text(encoding="utf-8")
            assert any(name in text for name in ("osc_graph_reach", "osc_graph_move_limbs")) == reaches


def test_the_smallest_graph_compiles(tmp_path: Path) -> None:
    """One state, no parameter, no transition, no event; also of a skeleton that does not move."""
    smallest = Graph((), base(1), (State("idle", 0, FOREVER, 1 << 16),))
    still = random_skeleton(1, 1, density=0.0)
    for number, bank in enumerate((graph_bank(biped(), smallest, False, False),
                                   graph_bank(still, replace(smallest, transitions=(Transition(0, INERTIA, 9),)), False,
                                              False))):
        for embed in (False, True):
            folder = tmp_path / f"{number}{embed}"
            folder.mkdir()
            written(folder, bank, Code(embed=embed))
            for compiler in ("gcc", "clang"):
                run([compiler, *STRICT, "-fsyntax-only", *INCLUDES, folder / "hero_graph.c"])


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_the_header_is_usable_from_cxx(compiler: str, tmp_path: Path) -> None:
    written(tmp_path, graph_bank(biped()), Code(embed=True))
    (tmp_path / "main.cpp").write_text("""#include "hero_graph.h"
int main()
{
    static hero_graph hero;
    static hero_model model;
    if (hero_graph_start(&hero, &hero_embedded) != OSC_OK)
        return 1;
    hero.set.jump |= hero.set.grounded;
    hero_graph_step(&hero, 16667, &model);
    for (osc_graph_event event; hero_graph_next_event(&hero, &event);)
        if (event.name == HERO_EVENT_HIT)
            return 2;
    return hero_graph_in(&hero, HERO_STATE_COMBAT);
}
""", encoding="utf-8")
    run([compiler, "-std=c++11", "-Wall", "-Wextra", "-Wconversion", "-Werror", *INCLUDES, f"-I{tmp_path}",
         "-fsyntax-only", tmp_path / "main.cpp"])


@pytest.mark.parametrize("has_scale", [False, True])
@pytest.mark.parametrize("described", [
    graph(), graph(plane=True), graph(chosen=True), graph(inertia=False, blends=False),
    graph(events=False, blends=False),
    replace(graph(), parameters=(*PARAMETERS, Parameter("odd", FLAG, 0, 1, 0), Parameter("more", NUMBER, 0, 9, 0))),
    LIMBED, faded(graph(plane=True)), replace(graph(), shared=True), replace(faded(graph()), shared=True),
    Graph((), base(1), (State("idle", 0, FOREVER, 1 << 16),))],
    ids=("all", "plane", "chosen", "cuts", "no events", "padding", "limbs", "fades", "shared", "shared fades",
         "smallest"))
def test_the_stated_memory_is_that_of_the_structure(described: Graph, has_scale: bool, tmp_path: Path) -> None:
    for embed, events in ((True, True), (False, True), (False, False)):
        if not events and described.event_count:
            continue
        bank = graph_bank(skeleton(has_scale), described, events, travels=events)
        written(tmp_path, bank, Code(embed=embed))
        stated = character_bytes(parse_bank(bank), embed)
        assert f" {stated:,} bytes" in (tmp_path / "hero_graph.h").read_text(encoding="utf-8")
        (tmp_path / "size.c").write_text(
            f'#include "hero_graph.h"\ntypedef char same[sizeof(hero_graph) == {stated} ? 1 : -1];\n', encoding="utf-8")
        run(["arm-none-eabi-gcc", "-std=c99", "-fsyntax-only", *INCLUDES, f"-I{tmp_path}", tmp_path / "size.c"])


# ---- names ----

def test_the_files_of_a_graph(tmp_path: Path) -> None:
    bank = parse_bank(graph_bank(biped()))
    names = ["hero.h", "hero_tables.c", "hero_pose.c", "hero_graph.h", "hero_graph.c", "hero_bank.c"]
    assert code_file_names(bank, Code("hero", embed=True)) == names
    without = parse_bank(plain_bank(biped()))
    assert "hero_graph.c" not in code_files(without, Code("hero"))
    assert "graph" not in code_files(bank, Code("hero"))["hero.h"].decode()


def test_fields_have_the_type_and_the_unit_of_their_parameter() -> None:
    plan = plan_of(graph())
    assert [(field.type, field.name, field.default) for field in plan.fields] == [
        ("bool", "jump", "false"), ("bool", "attack", "false"), ("int32_t", "speed_q16", "65536"),
        ("bool", "grounded", "true"), ("uint8_t", "stance", "1")]
    comments = {field.name: field.comment for field in plan.fields}
    assert mentions(comments["speed_q16"], "0.5 2 m/s 1 500 ms")
    assert "150 ms" in comments["jump"] and "armed" in comments["stance"] and "true" in comments["grounded"]
    assert [value.identifier for choice in plan.choices for value in choice.values] == [
        "HERO_STANCE_RELAXED", "HERO_STANCE_ARMED", "HERO_STANCE_HURT"]
    assert [state.identifier for state in plan.states] == [
        "HERO_STATE_IDLE", "HERO_STATE_COMBAT_CUT", "HERO_STATE_COMBAT_STAB", "HERO_STATE_LEAP",
        "HERO_STATE_LIMP"]
    assert [(group.identifier, group.first, group.count) for group in plan.groups] == [("HERO_STATE_COMBAT", 1, 2)]


@pytest.mark.parametrize(("waits", "fact"), [(FOREVER, "until"), (0, "start"), (1_500_000, "1,500 ms"),
                                             (999, "0.999 ms")])
def test_the_comment_of_a_trigger_has_its_time(waits: int, fact: str) -> None:
    [field] = plan_of(replace(graph(), parameters=(Parameter("go", TRIGGER, 0, waits, 0),), transitions=(),
                              machines=base(1), states=(State("idle", 0, FOREVER, 1 << 16),), groups=())).fields
    assert fact in field.comment


def test_names_that_collide_get_valid_identifiers(tmp_path: Path) -> None:
    """Keywords, macros of compilers, digits, other scripts, names that differ in case, constants of the header."""
    names = ["int", "2nd", "linux", "Speed", "speed", "speed_q16", "走る", "*/", "x" * 80, "x" * 81, "", "event",
             "joint"]
    parameters = tuple(Parameter(name, FLAG, 0, 1, 0) for name in names)
    parameters += tuple(Parameter(name, NUMBER, -65536, 65536, 0, unit="*/ m")
                        for name in ("speed", "int", "9", "x" * 80))
    parameters += tuple(Parameter(name, CHOICE, 0, 2, 0, values=values) for name, values in (
        ("joint", ("count", "Hips", "*/")), ("Joint", ("count", "hips", "")), ("clip", ("Idle", "count", "COUNT")),
        ("player words", ("", "a", "A")), ("player", ("words", "int", "9")), ("skin", ("format q14", "crc", "bits")),
        ("state", ("combat", "idle", "count"))))
    states = tuple(State(name, 0, FOREVER, 1 << 16) for name in
                   ("combat.cut", "combat_cut", "Combat", "count", "*/", "9 lives", "combat.cut.deep"))
    groups = (Group("combat", 0, 2), Group("combat.cut", 1, 1), Group("count", 2, 5))
    described = Graph(parameters, base(len(states)), states, groups=groups)
    plan = plan_of(described)
    assert len({field.name for field in plan.fields}) == len(parameters)
    assert all(re.fullmatch("[a-z][a-z0-9_]*", field.name) for field in plan.fields)
    assert {"speed_q16", "int_q16", "speed", "event"} <= {field.name for field in plan.fields}
    assert not {"int", "linux", ""} & {field.name for field in plan.fields}
    for embed in (False, True):
        folder = tmp_path / f"{embed}"
        folder.mkdir()
        written(folder, graph_bank(biped(), described), Code(embed=embed))
        for compiler, standard in (("gcc", "gnu99"), ("clang", "c99"), ("g++", "gnu++20")):
            run([compiler, "-Wall", "-Wextra", "-Werror", f"-std={standard}", "-x", "c++" if compiler == "g++" else "c",
                 "-fsyntax-only", *INCLUDES, folder / "hero_graph.c"])


C_HEADERS = ("assert", "complex", "ctype", "errno", "fenv", "inttypes", "locale", "math", "setjmp", "signal", "stdarg",
             "stdio", "stdlib", "string", "tgmath", "time", "wchar", "wctype")
SYSTEM_HEADERS = ("fcntl", "netdb", "netinet/in", "pthread", "sys/socket", "sys/stat", "sys/wait", "unistd",
                  "winsock2", "windows", "commctrl")
SYSTEMS = (("gcc", "-std=gnu17"), ("clang", "-std=gnu17"), ("aarch64-linux-gnu-gcc",), ("arm-linux-gnueabihf-gcc",),
           ("arm-none-eabi-gcc",), ("x86_64-w64-mingw32-gcc",),
           *(("clang", "-std=gnu99", "-nostdinc", f"--target={system}") for system in (
               "i386-linux", "mips-linux", "sparc-sun-solaris", "powerpc-linux", "m68k-linux", "avr", "wasm32")))
OTHER_NAME = r"(?!__)[A-Za-z_]\w*|__\w+\(\w+\)|__to\w+|__is\w+"


def macros_of(compiler: tuple[str, ...], folder: Path) -> set[str]:
    """The macros in lower case of a compiler and its headers that stand for something else than another name, which
    would only rename a member."""
    headers = "".join(f"#if __has_include(<{name}.h>)\n#include <{name}.h>\n#endif\n"
                      for name in (*C_HEADERS, *SYSTEM_HEADERS))
    (folder / "headers.c").write_text(headers, encoding="utf-8")
    defined = run([*compiler, "-dM", "-E", folder / "headers.c"]).stdout
    return {name for name, value in re.findall(r"^#define ([a-z][a-z0-9_]*)(?: (.*))?$", defined, re.MULTILINE)
            if not re.fullmatch(OTHER_NAME, value) or value in KEYWORDS}


def test_fields_are_no_macros(tmp_path: Path) -> None:
    def fields(names: Iterable[str]) -> list[str]:
        parameters = tuple(Parameter(name, FLAG, 0, 1, 0) for name in names)
        return [field.name for field in plan_of(
            Graph(parameters, base(1), (State("idle", 0, FOREVER, 1 << 16),))).fields]

    names = sorted(set().union(*(macros_of(compiler, tmp_path) for compiler in SYSTEMS if shutil.which(compiler[0]))))
    assert {"errno", "linux", "stdin", "i386"} <= set(names)
    for first in range(0, len(names), MOST_PARAMETERS):
        assert not set(names).intersection(fields(names[first:first + MOST_PARAMETERS]))
    ordinary = ["armed", "interfaces", "linux_like", "standing", "sa", "chx", "stern"]
    assert fields(ordinary) == ordinary


def test_the_constants_of_headers_are_known() -> None:
    """A value of a choice could otherwise have the identifier of one."""
    found = {name for path in TEMPLATES.rglob("*.j2")
             for name in re.findall(r"prefix \}\}_([A-Z0-9_]+)", path.read_text(encoding="utf-8"))}
    beginnings = {name for name in found if name.endswith("_")}
    assert found - beginnings <= CONSTANTS
    assert beginnings - {"STATE_", "CURVE_"} == {"COLD_", "SKIN_FORMAT_"}
