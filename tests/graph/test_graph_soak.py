"""What graphs promise, over a long time: nothing pops but a cut, time can be cut anywhere, and a copy of the state
plays on with the same bits."""
from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from graph_banks import random_graph
from graph_character import GRAPH, write_character
from pose_driver import build_with_runtime
from running import ROOT, run_inside
from test_graph_layers import AIM, BARE, GESTURE, NOD
from test_graph_layers import GRAPH as LAYERED
from varied_graphs import varied_graph

SOURCE = ROOT / "tests/graph/graph_soak.c"
SAMPLE = ROOT / "targets/sample/sample.toml"
BLEND = """\
[graph.states.stroll]
by = "amount"
blend = { Walk = 0.0, Run = 1.0 }
sync = ["left_foot", "right_foot"]
"""
BLENDED = BARE.replace("transitions = [", """transitions = [
    { from = "*", to = "stroll", when = "armed", over = "300ms" },
    { from = "stroll", to = "idle", when = "not armed" },""") + BLEND
FADED = BLENDED.replace('over = "', 'kind = "fade", over = "').replace('not armed" },', 'not armed", kind = "fade" },')
VARIED = "varied "
ALL_KINDS = [f"{VARIED}{seed}" for seed in (1, 15, 26, 35)]  # each has positions or mirror images, and fades in step
Soak = Callable[[str, str, int], dict[str, int]]


def build(folder: Path, graph: str) -> Path:
    ran = run_inside("build", write_character(folder, graph), "--quiet")
    assert ran.status == 0, ran.err
    return folder / "hero.ossb"


def bank_of(name: str, folder: Path) -> Path:
    """Writes the bank of a graph: the game, with layers, with a blend, the sample, or the number of a random one, with
    states of all kinds if VARIED is before it."""
    if name == "sample":
        from ossicle.config.project import read_project
        from ossicle.encoding.encoder import encode
        project = read_project(SAMPLE)
        bank = encode(list(project.inputs), project.settings).bank
    elif name.isdigit():
        bank = random_graph(int(name)).bank
    elif name.startswith(VARIED):
        bank = varied_graph(int(name.removeprefix(VARIED))).bank
    else:
        return build(folder, {
            "game": GRAPH, "layers": LAYERED + GESTURE + AIM + NOD, "blend": BLENDED, "fade": FADED}[name])
    path = folder / "graph.ossb"
    path.write_bytes(bank)
    return path


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that plays graphs for a long time, under sanitizers."""
    return build_with_runtime([SOURCE], tmp_path_factory.mktemp("soak") / "graph_soak")


@pytest.fixture
def soak(built_encoder: None, program: Path, tmp_path: Path) -> Soak:
    """Plays a graph, and returns what the program has counted."""
    def run(name: str, what: str, count: int) -> dict[str, int]:
        ran = subprocess.run([program, bank_of(name, tmp_path), what, str(count), "1"], capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        words = ran.stdout.replace(",", "").split()
        return {name: int(words[words.index(name) + 1]) for name in ("compared", "switched") if name in words}
    return run


def lengths(short: int, long: int) -> list[object]:
    """A length for each run, and one for `scons roots`."""
    return [short, pytest.param(long, marks=pytest.mark.exhaustive)]


@pytest.mark.parametrize("ticks", lengths(20_000, 1_000_000))
@pytest.mark.parametrize("name", ["game", "layers", "blend", "fade", "0", "2", "16", "30", *ALL_KINDS,
                                  pytest.param("sample", marks=pytest.mark.exhaustive)])
def test_nothing_pops_but_a_cut(soak: Soak, name: str, ticks: int) -> None:
    """In no tick does a joint of a machine move further than its clips do and the offset of a transition."""
    counted = soak(name, "jumps", ticks)
    assert counted["compared"] > ticks // 4 and counted["switched"] > ticks // 200


@pytest.mark.parametrize("stretches", lengths(2_000, 100_000))
@pytest.mark.parametrize("name", ["game", "layers", "fade"])
def test_time_can_be_cut_anywhere(soak: Soak, name: str, stretches: int) -> None:
    """States, clocks, weights, events and triggers of a stretch do not depend on the lengths of its steps."""
    counted = soak(name, "cuts", stretches)
    assert counted["compared"] > stretches // 2 and counted["switched"] > stretches // 10


@pytest.mark.parametrize("saves", lengths(1, 20))
@pytest.mark.parametrize("name", ["game", "layers", "blend", "fade", "0", "16", *ALL_KINDS,
                                  pytest.param("sample", marks=pytest.mark.exhaustive)])
def test_a_saved_state_plays_on_for_10000_ticks(soak: Soak, name: str, saves: int) -> None:
    """In another character, whose players have played something else."""
    assert soak(name, "saves", saves)["compared"] == saves * 10_000
