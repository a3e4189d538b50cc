"""`ossicle inspect --joints`, `--tracks` and `--sort`."""
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from gltf_builder import U8, GltfBuilder

from running import HERO, Ran, run_inside
from mentions import mentions

WEIGHTED = ("hips", "hand")
JOINTS = ("hips", "control", "tip", "hand")  # control and tip below the hips


def inspected(*arguments: object) -> dict:
    ran = run_inside("inspect", *arguments, "--json")
    assert ran.status == 0 and ran.err == "", ran
    return json.loads(ran.out)


def lines_of(*arguments: object) -> list[str]:
    ran = run_inside("inspect", *arguments)
    assert ran.status == 0 and ran.err == "", ran
    return ran.out.splitlines()


def first_cells(lines: list[str]) -> list[str]:
    return [line.split()[0] for line in lines]


@pytest.fixture(scope="module")
def character(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A .glb with two joints that carry nothing, and its bank."""
    folder, random = tmp_path_factory.mktemp("character"), np.random.default_rng(1)
    g = GltfBuilder()
    for index, name in enumerate(JOINTS):
        below = {0: [1, 3], 1: [2]}.get(index)
        g.node(name, translation=[0, 0.3, 0], **({"children": below} if below else {}))
    g.node("Body", mesh=0, skin=0)
    g.skin([0, 1, 2, 3])
    g.document["meshes"] = [{"primitives": [{"attributes": {
        "JOINTS_0": g.accessor([[0, 3, 0, 0]], U8), "WEIGHTS_0": g.accessor([[0.5, 0.5, 0, 0]])}}]}]
    g.animation("Walk", *((joint, "translation", [0, 0.5, 1], random.normal(size=(3, 3)) / 10, "LINEAR")
                          for joint in range(len(JOINTS))))
    source, bank = g.write_glb(folder), folder / "hero.ossb"
    assert run_inside("encode", source, "-o", bank, "--quiet").status == 0
    return source, bank


def test_joints_sum_to_the_bank(walk_bank: Path) -> None:
    costs = inspected(walk_bank, "--joints")
    assert costs["bytes"] == walk_bank.stat().st_size
    assert sum(joint["bits"] for joint in costs["joints"]) + sum(costs["beside_joints"].values()) == 8 * costs["bytes"]
    lines = lines_of(walk_bank, "--joints")
    assert first_cells(lines)[:3] == ["joint", "hips", "spine"]
    assert lines[-2].split() == ["bank", f"{costs['bytes']:,}", "100.0"]
    assert "--source" in lines[-1] and "carries" not in lines[0]
    assert f"{costs['joints'][0]['bits'] / 8:,.1f}" in lines[1]


def test_tracks_sum_to_the_bank(walk_bank: Path) -> None:
    costs = inspected(walk_bank, "--tracks")
    assert "joints" not in costs
    assert sum(track["bits"] for track in costs["tracks"]) + sum(costs["beside_tracks"].values()) == 8 * costs["bytes"]
    for track in costs["tracks"]:
        assert track["bits"] == track["header_bits"] + track["keys_bits"] + track["values_bits"]
    lines = lines_of(walk_bank, "--tracks")
    assert lines[-1].split() == ["bank", f"{costs['bytes']:,}", "100.0"]
    assert [line.split()[:3] for line in lines[1:4]] == [
        [track["clip"], track["joint"], track["kind"]] for track in costs["tracks"][:3]]


def test_both_tables_at_once(walk_bank: Path) -> None:
    both = inspected(walk_bank, "--joints", "--tracks")
    assert set(both) == {"bytes", "joints", "beside_joints", "tracks", "beside_tracks"}
    lines = lines_of(walk_bank, "--joints", "--tracks")
    assert sum(line.startswith("bank ") for line in lines) == 2


def test_joints_that_carry_nothing_are_named_by_the_source(character: tuple[Path, Path]) -> None:
    source, bank = character
    costs = inspected(bank, "--joints", "--source", source)
    assert {joint["name"]: joint["carries"] for joint in costs["joints"]} == {name: name in WEIGHTED for name in JOINTS}
    lines = lines_of(bank, "--joints", "--source", source)
    idle = sum(joint["bits"] for joint in costs["joints"] if not joint["carries"])
    assert mentions(lines[-1], f"2 {idle / 8:,.1f} {100 * idle / 8 / costs['bytes']:.1f}")
    assert [line.split()[-1] for line in lines[:5]] == ["carries", *("yes" if joint["carries"] else "no"
                                                                     for joint in costs["joints"])]


@pytest.mark.parametrize("arguments, table, name", [
    (["--joints"], "joints", "name"), (["--tracks"], "tracks", "clip"), ([], "clips", "name")])
def test_sorting(character: tuple[Path, Path], tmp_path: Path, arguments: list[str], table: str, name: str) -> None:
    bank = character[1]
    if table == "clips":
        bank = tmp_path / "hero.ossb"
        assert run_inside("encode", HERO, "-o", bank, "--effort", "fast", "--quiet").status == 0
    size = "bytes" if table == "clips" else "bits"
    plain = inspected(bank, *arguments)[table]
    by_bytes = inspected(bank, *arguments, "--sort", "bytes")[table]
    by_name = inspected(bank, *arguments, "--sort", "name")[table]
    assert [row[size] for row in by_bytes] == sorted((row[size] for row in plain), reverse=True)
    assert [row[name] for row in by_name] == sorted(row[name] for row in plain)
    assert plain not in (by_bytes, by_name) or table == "tracks"
    shown = first_cells([line for line in lines_of(bank, *arguments, "--sort", "bytes") if line])
    assert by_bytes[0][name] in shown


def test_values_that_cannot_be_expressed(walk_bank: Path, character: tuple[Path, Path], tmp_path: Path) -> None:
    source, _ = character

    def line(*arguments: object) -> str:
        ran: Ran = run_inside("inspect", walk_bank, *arguments)
        assert ran.status == 1
        return ran.line

    assert mentions(line("--source", source), "--source --joints")
    assert mentions(line("--joints", "--sort", "size"), "--sort size")
    bvh = walk_bank.parent / "walk.bvh"
    assert mentions(line("--joints", "--source", bvh), f"--source {bvh}")
    assert mentions(line("--joints", "--source", tmp_path / "missing.glb"), "missing.glb")
