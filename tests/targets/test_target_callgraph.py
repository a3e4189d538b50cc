"""Worst-case stack: sums along the deepest path, and errors where there is no bound."""
from __future__ import annotations

from pathlib import Path

import pytest
from ossicle.machines import TargetError, load_target
from ossicle.machines.callgraph import LIBRARY_STACK_BYTES, CallGraph, read_call_graphs, worst_stack
from ossicle.machines.firmware import compile_object
from target_support import CORTEX_M
from mentions import mentioning, mentions

KNOWN = CallGraph(
    frames={"root": 16, "left": 100, "right": 8, "deep": 200, "copies": 24},
    calls={"root": {"left", "right", "copies"}, "right": {"deep"}, "copies": {"memcpy"}}, )
CHAIN = """
#define PLAIN __attribute__((noipa))
extern int sink;
int top(int n), middle(int n), bottom(int n);
PLAIN int bottom(int n) { volatile int room[25]; room[0] = n; return room[0]; }
PLAIN int middle(int n) { volatile int room[10]; room[0] = n; return bottom(n) + room[0]; }
PLAIN int top(int n) { return middle(n) + 1; }
"""
UNBOUNDED = {
    "top > again > again":
        "int top(int), again(int);"
        "__attribute__((noipa)) int again(int n) { return n ? (again(n - 1) ^ n) >> 1 : 0; }"
        "int top(int n) { return again(n) + 1; }",
    "top > __indirect_call":
        "int top(int (*f)(int)); int top(int (*f)(int)) { return f(3) + 1; }",
    "top":
        "int top(int n); int top(int n) { volatile char room[n]; room[0] = 1; return room[0]; }",
    "top > stranger":
        "int stranger(int); int top(int n); int top(int n) { return stranger(n) + 1; }",
}


def graph_of(target: str, text: str, folder: Path) -> CallGraph:
    (folder / "piece.c").write_text(text + "\n", encoding="utf-8")
    path = compile_object(load_target(target), folder / "piece.c", folder)
    return read_call_graphs([path.with_suffix(".ci")])


def test_known_graph_is_summed() -> None:
    assert worst_stack(KNOWN, "root") == 16 + 8 + 200
    assert worst_stack(KNOWN, "left") == 100
    assert worst_stack(KNOWN, "copies") == 24 + LIBRARY_STACK_BYTES


POINTERS = """
typedef int function(int);
int play(function *f), open(function *f);
#define PLAIN __attribute__((noipa))
PLAIN static int small(int n) { volatile int room[10]; room[0] = n; return room[0]; }
PLAIN static int large(int n) { volatile int room[50]; room[0] = n; return room[0]; }
int play(function *f) { return f(small(3)) + 1; }
int open(function *f) { return f(large(3)) + 1; }
"""


def test_pointers_lead_to_the_stated_files(tmp_path: Path) -> None:
    """The first pattern that fits the caller decides, and the worst of its functions counts."""
    graph = graph_of("microbit", POINTERS, tmp_path)
    frames = {title.rpartition(":")[2]: size for title, size in graph.frames.items()}
    pointed = {"^play$": ["absent", "small", "large"], "": ["small"]}
    assert worst_stack(graph, "play", pointed) == frames["play"] + frames["large"]
    assert worst_stack(graph, "open", {"": ["small"], **pointed}) == frames["open"] + frames["large"]
    assert worst_stack(graph, "play", {"": []}) == frames["play"] + frames["small"]
    with pytest.raises(TargetError, match=mentioning("play")):
        worst_stack(graph, "play", {"^open$": ["small"]})


@pytest.mark.parametrize("target", ["host", *CORTEX_M])
def test_compiled_chain_is_summed(target: str, tmp_path: Path) -> None:
    graph = graph_of(target, CHAIN, tmp_path)
    frames = [graph.frames[name] for name in ("top", "middle", "bottom")]
    assert worst_stack(graph, "top") == sum(frames)
    assert frames[1] >= 40 and frames[2] >= 100 or target == "host"  # below the red zone there


@pytest.mark.parametrize("message", UNBOUNDED)
def test_settings_without_a_bound_are_errors(message: str, tmp_path: Path) -> None:
    graph = graph_of("microbit", UNBOUNDED[message], tmp_path)
    with pytest.raises(TargetError) as caught:
        worst_stack(graph, "top")
    assert mentions(str(caught.value), message)


def test_unknown_root_and_missing_file_are_errors(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match=mentioning("nowhere")):
        worst_stack(KNOWN, "nowhere")
    with pytest.raises(TargetError, match=mentioning("-fcallgraph-info=su")):
        read_call_graphs([tmp_path / "missing.ci"])


ASSEMBLER = """
    .syntax unified
    .thumb
    .type {name}, %function
    .thumb_func
{name}:
    .cfi_startproc
    push {{r4, r5, lr}}
    .cfi_adjust_cfa_offset 12
    bl leaf
    .cfi_remember_state
    sub sp, sp, #20
    .cfi_adjust_cfa_offset 20
    {call}
    add sp, sp, #20
    .cfi_restore_state
    pop {{r4, r5, pc}}
    .cfi_endproc
    .type leaf, %function
    .thumb_func
leaf:
    {leaf}
    bx lr
    {end}
"""


def assembled(folder: Path, call: str, known: bool = True) -> CallGraph:
    start, end = (".cfi_startproc", ".cfi_endproc") if known else ("nop", "")
    text = ASSEMBLER.format(name="top", call=call, leaf=f"{start}\n    nop", end=end)
    (folder / "piece.S").write_text("    .cfi_sections .debug_frame\n    .global top\n" + text, encoding="utf-8")
    path = compile_object(load_target("mps2_an386"), folder / "piece.S", folder)
    return read_call_graphs([path.with_suffix(".ci")])


def test_assembler_tells_its_stack_by_its_directives(tmp_path: Path) -> None:
    graph = assembled(tmp_path, "bl strange")
    assert graph.frames == {"top": 12 + 20, "leaf": 0}
    assert graph.calls == {"top": {"leaf", "strange"}}
    with pytest.raises(TargetError, match=mentioning("strange")):
        worst_stack(graph, "top")
    with pytest.raises(TargetError, match=mentioning("top")):
        worst_stack(assembled(tmp_path, "blx r3"), "top")


def test_assembler_without_directives_has_no_bound(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match=mentioning("leaf .cfi")):
        assembled(tmp_path, "nop", known=False)


@pytest.mark.parametrize("target", [name for name in CORTEX_M if any(load_target(name).platform_folder.glob("*.S"))])
def test_the_loop_over_curve_rows_has_a_bound(target: str, tmp_path: Path) -> None:
    machine = load_target(target).with_fast_rows()
    [source] = machine.platform_folder.glob("*.S")
    graph = read_call_graphs([compile_object(machine, source, tmp_path).with_suffix(".ci")])
    if graph.frames:
        deepest = graph.frames["osc_curve_fill"] + graph.frames["key_code"] + graph.frames["any_code"]
        assert worst_stack(graph, "osc_curve_fill") == deepest == 160
