"""Generated C of animation graphs: it compiles everywhere, plays as the runtime does, and has valid names."""
from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from bank_builder import biped
from c_programs import INCLUDES, RUNTIME, STRICT, build_program
from compiling import run
from graph_bank import graph, graph_bank, renamed, skeleton

from ossicle.bank.file import parse_bank
from ossicle.base.embedding import BASE
from ossicle.base.places import TEMPLATES
from ossicle.generate.code import Code
from ossicle.generate.emit import code_file_names, code_files, generate
from ossicle.generate.graph_plan import CONSTANTS, GraphPlan
from ossicle.generate.plan import make_plan

HERE = Path(__file__).parent
TICKS = 6_000
COMPILERS = {"gcc": ["-O2"], "clang": ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]}


def written(folder: Path, bank: bytes, **code: object) -> list[Path]:
    """The sources of a bank's code, without the header."""
    (folder / "hero.ossb").write_bytes(bank)
    return [path for path in generate(folder / "hero.ossb", folder, Code(**code)) if path.suffix == ".c"]  # type: ignore


def plan_of(bank: bytes, **code: object) -> GraphPlan:
    found = make_plan(parse_bank(bank), Code("hero", **code)).graph  # type: ignore[arg-type]
    assert found is not None
    return found


@pytest.mark.parametrize(("compiler", "embed", "events", "travels", "has_scale", "inertia"), [
    ("gcc", True, True, True, False, True),
    ("clang", False, True, True, True, True),
    ("gcc", False, False, True, False, False),
    ("clang", BASE, False, False, True, True),
    ("gcc", True, True, False, True, False),
])
def test_a_character_plays_as_by_the_functions_of_the_runtime(
        compiler: str, embed: bool | str, events: bool, travels: bool, has_scale: bool, inertia: bool,
        tmp_path: Path) -> None:
    sources = written(tmp_path, graph_bank(skeleton(has_scale), graph(events, inertia), events, travels), embed=embed)
    defines = [f"-D{name}={int(bool(value))}" for name, value in (
        ("EMBEDDED", embed), ("HAS_EVENTS", events), ("HAS_TRAJECTORIES", travels), ("HAS_INERTIA", inertia))]
    program = build_program(compiler, [*STRICT, *COMPILERS[compiler], *INCLUDES, f"-I{tmp_path}", *defines,
                                       f"-DTICKS={TICKS}"],
                            [HERE / "generated_driver.c", *sources, *RUNTIME], tmp_path / "play")
    printed = run([program, tmp_path / "hero.ossb"]).stdout.splitlines()
    states = Counter(line.split()[-1] for line in printed)
    assert set(states) >= {"idle", "combat.cut", "combat.stab", "leap"} and min(states.values()) > 20
    assert any("event" in line for line in printed) == events
