"""`ossicle report` and `ossicle encode --html`: input, output and refused options."""
from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import HERO, run_inside, write_bvh

from ossicle.reporting.page import SVG_FILES
from mentions import mentions


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with walk.bvh and its bank, its page, and game.toml, which names both."""
    folder = tmp_path_factory.mktemp("built")
    write_bvh(folder / "walk.bvh")
    (folder / "game.toml").write_text('inputs = ["walk.bvh"]\noutput = "walk.ossb"\n', encoding="utf-8")
    assert run_inside("encode", folder / "walk.bvh", "-o", folder / "walk.ossb", "--html", folder / "walk.html",
                      "--quiet").status == 0
    return folder


@pytest.mark.parametrize("arguments", [
    ["walk.ossb", "--source", "walk.bvh"], ["game.toml"], ["walk.bvh"], ["walk.bvh", "--jobs", "1"],
    ["walk.bvh", "--config", "game.toml"]])
def test_all_sources_give_the_same_page(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                        arguments: list[str]) -> None:
    monkeypatch.chdir(built)
    outputs = [tmp_path / "page.html", tmp_path / "all.json", *(tmp_path / "svg" / name for name in SVG_FILES)]
    ran = run_inside("report", *arguments, "-o", outputs[0], "--json", outputs[1], "--svg", tmp_path / "svg")
    assert ran.status == 0 and ran.err == ""
    assert ran.out.splitlines() == [f"wrote {path}, {path.stat().st_size:,} bytes" for path in outputs]
    assert outputs[0].read_bytes() == (built / "walk.html").read_bytes()
    assert json.loads(outputs[1].read_text("utf-8"))["bank"]["name"] == "walk"


def test_the_summary(built: Path) -> None:
    ran = run_inside("report", built / "walk.ossb", "--source", built / "walk.bvh")
    size = (built / "walk.ossb").stat().st_size
    assert ran.status == 0 and mentions(ran.out, f"walk {size:,} 1 2")
    assert "error mm" in ran.out
    assert "error mm" not in (alone := run_inside("report", built / "walk.ossb").out)
    assert "--source" in alone
    assert run_inside("report", built / "walk.ossb", "--quiet").out == ""
    (built / "fast.toml").write_text('effort = "fast"\n', encoding="utf-8")
    drawn = run_inside("report", HERO, "--config", built / "fast.toml").out
    assert "left_hand" in drawn


def test_a_bank_alone_has_no_plot_of_errors(built: Path, tmp_path: Path) -> None:
    assert run_inside("report", built / "walk.ossb", "--svg", tmp_path, "--quiet").out == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(SVG_FILES[:2])


def test_one_character_of_several(built: Path, tmp_path: Path) -> None:
    pets = tmp_path / "pets.toml"
    pets.write_text("".join(f'[character.{name}]\ninputs = ["{built}/walk.bvh"]\n' for name in ("cat", "dog")),
                    encoding="utf-8")
    assert run_inside("build", pets, "--quiet").status == 0
    assert run_inside("report", pets, "--character", "dog").out.startswith("dog: ")
    assert mentions(run_inside("report", pets).line, f"{pets} --character cat dog")
    assert mentions(run_inside("report", pets, "--character", "dgo").line, f"{pets} dgo dog")


@pytest.mark.parametrize(("arguments", "facts"), [
    (["walk.bvh", "-o", "walk.bvh"], "walk.bvh"),
    (["walk.ossb", "--source", "walk.bvh", "--json", "walk.bvh"], "walk.bvh"),
    (["game.toml", "-o", "walk.ossb"], "walk.ossb"),
    (["game.toml", "-o", "walk.bvh"], "walk.bvh"),
    (["walk.ossb", "-o", "a.html", "--json", "a.html"], "a.html"),
    (["walk.ossb", "-o", "out/joints.svg", "--svg", "out"], "out/joints.svg"),
    (["walk.ossb", "--svg", "walk.bvh"],
     "walk.bvh/treemap.svg Not a directory"),
    (["game.toml", "--config", "game.toml"], "game.toml --config"),
    (["walk.bvh", "--config", "game.toml", "-o", "game.toml"], "game.toml"),
    (["walk.bvh", "--character", "dog"], "--character"),
    (["walk.ossb", "--jsom", "2mm"], "--jsom --json --help"),
    (["walk.ossb", "--tolerance", "2mm"], "--tolerance tolerance 1mm --config --help"),
])
def test_mistakes(built: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], facts: str) -> None:
    monkeypatch.chdir(built)
    before = sorted(built.rglob("*"))
    ran = run_inside("report", *arguments)
    assert ran.status != 0 and mentions(ran.line.removeprefix("ossicle: "), facts)
    assert sorted(built.rglob("*")) == before


def test_messages_name_the_keys_of_the_configuration_file(built: Path) -> None:
    (built / "far.toml").write_text("[import]\nscale = 1e6\n", encoding="utf-8")
    line = run_inside("report", built / "walk.bvh", "--config", built / "far.toml").line
    assert "choose scale in [import]" in line and "--scale" not in line


def test_encode_writes_bank_and_page_together(built: Path, tmp_path: Path) -> None:
    ran = run_inside("encode", built / "walk.bvh", "-o", tmp_path / "a.ossb", "--html", tmp_path / "a.ossb")
    assert mentions(ran.line, f"{tmp_path}/a.ossb")
    assert not list(tmp_path.iterdir())
