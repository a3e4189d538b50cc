"""Clips and joints are chosen, and clips renamed, by options and by a file."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from running import HERO, run_inside
from mentions import mentions


def clips(bank: Path) -> list[str]:
    return [clip["name"] for clip in json.loads(run_inside("inspect", bank, "--json").out)["clips"]]


def encoded(bank: Path, *arguments: object) -> list[str]:
    ran = run_inside("encode", HERO, "-o", bank, "--quiet", "--effort", "fast", *arguments)
    assert ran.status == 0, ran
    return clips(bank)


def built(folder: Path, text: str) -> list[str]:
    config = folder / "hero.toml"
    config.write_text(f'inputs = ["{HERO}"]\neffort = "fast"\n{text}', encoding="utf-8")
    ran = run_inside("build", config, "--quiet")
    assert ran.status == 0, ran
    return clips(folder / "hero.ossb")


def test_options(tmp_path: Path) -> None:
    bank = tmp_path / "hero.ossb"
    assert encoded(bank, "--clips", "W*", "--clips", "Idle", "--exclude", "Wave") == ["Idle", "Walk"]
    assert encoded(bank, "--clips", "March", "--rename", "Walk=March", "--loop", "March") == ["March"]


@pytest.mark.parametrize("text", [
    'clips = ["W*", "Idle"]\nexclude = "Wave"\n[rename]\nWalk = "March"\n[import]\nup = "y"\n',
    '[import]\nclips = ["W*", "Idle"]\nexclude = ["Wave"]\nrename = { Walk = "March" }\n[clips."March"]\nloop = true\n'
    '[clips."Run"]\nloop = true\n',
])
def test_files(tmp_path: Path, text: str) -> None:
    assert built(tmp_path, text) == ["Idle", "March"]


def joints(bank: Path) -> list[str]:
    return [joint["name"] for joint in json.loads(run_inside("inspect", bank, "--json").out)["joints"]]


def test_joints(tmp_path: Path) -> None:
    bank = tmp_path / "hero.ossb"
    encoded(bank)
    everything = joints(bank)
    hands = [name for name in everything if name.endswith("_hand")]
    encoded(bank, "--drop", "*_hand", "--drop", "*_foot", "--keep", "left_hand")
    assert set(everything) - set(joints(bank)) == {"right_hand", "left_foot", "right_foot"}
    built(tmp_path, 'drop = "*_hand"\n[import]\nkeep = ["right*"]\n')
    assert set(everything) - set(joints(bank)) == {"left_hand"} and len(hands) == 2


@pytest.mark.parametrize(("sockets", "stays"), [
    ('sockets = "right_h*"', "right_hand"), ('sockets = ["right_hand"]', "right_hand"),
    ('[sockets]\nsword = "right_h*"', "sword"), ('[import]\nsockets = { sword = "right_hand" }', "sword"),
])
def test_sockets(tmp_path: Path, sockets: str, stays: str) -> None:
    built(tmp_path, f'drop = "*_hand"\n{sockets}\n')
    hands = {"left_hand", "right_hand", "sword"}
    assert set(joints(tmp_path / "hero.ossb")) & hands == {stays}
    encoded(tmp_path / "hero.ossb", "--drop", "*_hand", "--socket", "right*")
    assert set(joints(tmp_path / "hero.ossb")) & hands == {"right_hand"}


def test_a_choice_does_not_change_the_clips(tmp_path: Path) -> None:
    all_bytes = {clip["name"]: clip for clip in _described(tmp_path / "all.ossb")}
    chosen = {clip["name"]: clip for clip in _described(tmp_path / "some.ossb", "--clips", "Walk")}
    assert list(chosen) == ["Walk"]
    assert {key: chosen["Walk"][key] for key in ("bytes", "frames", "rate", "error_mm")} == {
        key: all_bytes["Walk"][key] for key in ("bytes", "frames", "rate", "error_mm")}


def _described(bank: Path, *arguments: object) -> list[dict]:
    report = bank.with_suffix(".json")
    encoded(bank, "--json", report, *arguments)
    return json.loads(report.read_text("utf-8"))["clips"]


@pytest.mark.parametrize(("arguments", "message"), [
    (("--clips", "Wlak"), "--clips Wlak Walk"),
    (("--clips", ""), "--clips"),
    (("--rename", "Walk"), "--rename Walk mixamo.com=Walk"),
    (("--rename", "Walk=Run"), "hero.glb Run 1 2"),
])
def test_mistakes_on_the_command_line(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    ran = run_inside("encode", HERO, "-o", tmp_path / "hero.ossb", *arguments)
    assert ran.status == 1 and mentions(ran.line, message)


@pytest.mark.parametrize(("text", "message"), [
    ('drop = ["*_hnad"]', "hero.toml drop *_hnad head left_hand right_hand"),
    ('drop = "unwieghted"', "hero.toml drop unwieghted unweighted"),
    ('clips = ["Wlak"]', "hero.toml clips Wlak Walk"),
    ('exlude = ["Walk"]', "hero.toml exlude exclude"),
    ('exclude = ["Walk"]\n[import]\nexclude = ["Run"]',
     "hero.toml [import]"),
    ('[rename]\nWalk = ""', "hero.toml [import] rename Walk"),
    ('[rename]\nWolk = "Go"', "hero.toml [rename] Wolk Walk"),
    ('clips = ["Walk"]\n[clips."Run"]\nloop = true',
     '3 13 [clips."NAME"] [import]'),
    ('[character.a]\nclips = ["Walk"]\n[character.a.clips."Run"]\nloop = true',
     '4 25 [character.a.clips."NAME"] [character.a.import]'),
    ('[sockets]\nsword = "right_hnd"', "hero.toml right_hnd right_hand"),
    ('[sockets]\nsword = ""', "hero.toml [import] sword"),
    ('[sockets]\nsword = 1', "hero.toml [import] sword 1"),
    ('[sockets]\n" " = "right_hand"', "hero.toml [import]"),
    ('sockets = 1', "hero.toml [import] sockets 1"),
    ("clips = [1]", "hero.toml [import] clips 1"),
])
def test_mistakes_in_a_file(tmp_path: Path, text: str, message: str) -> None:
    config = tmp_path / "hero.toml"
    config.write_text(f'inputs = ["{HERO}"]\n{text}', encoding="utf-8")
    ran = run_inside("build", config)
    assert ran.status == 1 and mentions(ran.line, message)
