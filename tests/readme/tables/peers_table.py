"""Costs of other libraries beside those of this project, as codegen/COMPARISONS.md shows them."""
from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests/bench")]

import peers  # noqa: E402
from gba_table import BANKS, TOLERANCE_MM, rows_of  # noqa: E402

PAGE = ROOT / "codegen/COMPARISONS.md"
TOOLBOX, SEEKS = ROOT / "build/bench/toolbox.csv", ROOT / "build/bench/seeks.csv"
TARGETS = {"host_sse41": "SSE4.1", "host_avx2": "AVX2", "virt_aarch64": "AArch64"}
CODECS, LIBRARIES = ("auto", "transform"), {"ozz": "ozz", "acl": "ACL"}
KNIGHT = "as the Knight"  # the generated character whose operations stand beside those of other libraries
OPERATIONS = ("compose", "compose and skin", "blend of two", "blend of two, masked", "each further pose", "additive",
              "two-bone IK", "look-at", "recompose a leg")
COMMON = OPERATIONS[:6]  # of every character
POSES = (("Knight Walking_A", "forward", tuple(TARGETS)),
         *((clip, "random", ("host_sse41",)) for clip in ("Knight Walking_A", "Knight Sit_Floor_Idle",
                                                          "bandai walk_normal_001")))
CORPORA = {"Knight": "bytes of the Knight's 76 clips", "bandai": "bytes of 12 motion captures"}
OTHERS = {"motion capture": "motion capture, 22 joints", "scaling": "scales, 41 joints", "face": "face, 260 joints"}

Row = Mapping[str, str]
Cells = Sequence[int | None]  # None: not measured


def line(name: str, groups: Iterable[Cells]) -> str:
    """A line of a table. In a group of several figures, the smallest is bold."""
    cells = []
    for group in groups:
        known = [value for value in group if value is not None]
        bold = min(known) if len(known) > 1 else None
        cells += ["" if value is None else f"**{value:,}**" if value == bold else f"{value:,}" for value in group]
    return f"| {name} | " + " | ".join(cells) + " |"


def head(*names: str) -> list[str]:
    """The first lines of a table."""
    return ["| | " + " | ".join(names) + " |", "|---|" + "---:|" * len(names)]


def cost(rows: Iterable[Row], column: str, **keys: str) -> int:
    """The figure of the only row with these values; ValueError without it."""
    found = [row[column] for row in rows if all(row[key] == value for key, value in keys.items())]
    if len(found) != 1:
        raise ValueError(f"no row of {', '.join(keys.values())}; run scons bench BENCH_TARGETS={','.join(TARGETS)} "
                         "with the corpus beside the checkout")
    return int(found[0])


def pose_lines(seeks: Sequence[Row], banks: Sequence[Row]) -> list[str]:
    """Local poses, bytes and memory: codecs, and other libraries."""
    lines = head(*(f"`{codec}`" for codec in CODECS), *LIBRARIES.values())
    for clip, order, targets in POSES:
        for target in targets:
            ours = [cost(seeks, "forward" if order == "forward" else "seek", bank=clip, codec=codec, target=target)
                    for codec in CODECS]
            theirs = [peers.costs(order, target).get(library, {}).get(clip) for library in LIBRARIES]
            lines.append(line(f"{clip}, {'forward' if order == 'forward' else 'at random'}, {TARGETS[target]}",
                              [[*ours, *theirs]]))
    lines.append(line("RAM of an instance of the Knight, bytes, SSE4.1", [[
        *(cost(seeks, "player_bytes", bank="Knight", codec=codec, target="host_sse41") for codec in CODECS),
        *(peers.instance_bytes().get(library) for library in LIBRARIES)]]))
    for corpus, name in CORPORA.items():
        lines.append(line(name, [[
            *(cost(banks, "bytes", corpus=corpus, scheme=codec, tolerance_mm=TOLERANCE_MM) for codec in CODECS),
            *(peers.clip_bytes().get(library, {}).get(corpus) for library in LIBRARIES)]]))
    return lines


def operation_lines(toolbox: Sequence[Row]) -> list[str]:
    """Operations on poses of the Knight: this project and ozz, for each machine."""
    lines = head(*(f"{name}: {who}" for name in TARGETS.values() for who in ("Ossicle", LIBRARIES["ozz"])))
    for operation in OPERATIONS:
        lines.append(line(operation, [[
            cost(toolbox, "instructions", character=KNIGHT, operation=operation, target=target),
            peers.costs("operations", target)["ozz"].get(operation)] for target in TARGETS]))
    return lines


def other_lines(toolbox: Sequence[Row], seeks: Sequence[Row]) -> list[str]:
    """Characters for which there are no figures of other libraries."""
    lines = head(*(f"{character}: {name}" for character in OTHERS.values() for name in TARGETS.values()))
    captured = {"motion capture": "bandai walk_normal_001"}
    for name, column, codec in (("local pose forward, `auto`", "forward", "auto"),
                                ("local pose at random, `transform`", "seek", "transform")):
        lines.append(line(name, [[cost(seeks, column, bank=captured.get(character, character), codec=codec,
                                       target=target)] for character in OTHERS for target in TARGETS]))
    for operation in COMMON:
        lines.append(line(operation, [[cost(toolbox, "instructions", character=character, operation=operation,
                                            target=target)] for character in OTHERS for target in TARGETS]))
    return lines


def table(toolbox: Sequence[Row], seeks: Sequence[Row], banks: Sequence[Row]) -> str:
    """The three tables, from what `scons bench` and `scons presets` measured. ValueError if rows are missing."""
    return "\n" + "\n\n".join("\n".join(lines) for lines in (
        pose_lines(seeks, banks), operation_lines(toolbox), other_lines(toolbox, seeks))) + "\n\n"


def made_table(_: Path) -> str:
    """The tables of the last measurements."""
    written = f"scons bench BENCH_TARGETS={','.join(TARGETS)} writes it"
    return table(rows_of(TOOLBOX, written), rows_of(SEEKS, written), rows_of(BANKS, "scons presets writes it"))
