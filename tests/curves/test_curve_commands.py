"""Curves in builds, reports, pages and exported files."""
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from curve_files import nod, wave, weighted, weights

from ossicle.cli.main import main
from mentions import mentions, numbers

FRAMES = 31
CONFIG = """inputs = ["hero.glb"]
generate = "."
embed = true
matrices = "q20"
skinning = true
[curves]
smile = 0.01
[clips."Walk"]
curves = "walk.csv"
[masks]
face = { weights = { "curve:*" = 1.0 } }
"""


def run(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    status = main([str(word) for word in words])
    captured = capsys.readouterr()
    assert not status, captured.err
    return captured.out + captured.err


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    g, face = weighted(["smile", "blink"])
    g.animation("Walk", nod(FRAMES), weights(face, np.stack([wave(FRAMES, 0), wave(FRAMES, 1)], axis=1)))
    g.write_glb(tmp_path)
    (tmp_path / "walk.csv").write_text("time,lamp\n0,0\n1,1\n", encoding="utf-8")
    (tmp_path / "hero.toml").write_text(CONFIG, encoding="utf-8")
    return tmp_path


def test_a_build_reads_its_csv_files_again_when_they_change(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "build", "hero.toml")
    assert "walk.csv" in run(capsys, "build", "hero.toml", "--list")
    assert "is unchanged" in run(capsys, "build", "hero.toml")
    (project / "walk.csv").write_text("time,lamp\n0,0\n1,0.5\n", encoding="utf-8")
    assert "is unchanged" not in run(capsys, "build", "hero.toml")


def test_masks_reach_curves_by_their_own_patterns(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "build", "hero.toml")
    tables = (project / "hero_tables.c").read_text(encoding="utf-8")
    assert "hero_mask_face[HERO_JOINT_COUNT] = {\n    0, 0, 32768, 32768,\n};" in tables
    assert '"curve:smile"' in tables and '"lamp"' in tables


def test_inspect_and_reports_show_curves_apart_from_joints(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = run(capsys, "build", "hero.toml")
    assert "smile" in output
    described = json.loads(run(capsys, "inspect", "hero.ossb", "--json"))
    assert [joint["name"] for joint in described["joints"]] == ["root", "head"]
    assert [curve["name"] for curve in described["curves"]] == ["smile", "blink", "lamp"]
    run(capsys, "report", "hero.toml", "--json", "report.json", "-o", "report.html")
    report = json.loads((project / "report.json").read_text(encoding="utf-8"))
    assert [joint["name"] for joint in report["joints"]] == ["root", "head", "curve smile", "curves blink, lamp"]
    assert report["joints"][2]["worst"] is None
    assert report["bank"]["worst"]["joint"] < 2
    errors = {curve["name"]: curve for curve in report["clips"][0]["curves"]}
    assert 0.0 < errors["smile"]["error"] <= errors["smile"]["tolerance"] == 0.01
    assert 0.0 < errors["blink"]["error"] <= errors["blink"]["tolerance"] == 1 / 256


def test_curves_are_exported_as_csv_and_left_out_elsewhere(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "build", "hero.toml")
    run(capsys, "decode", "hero.ossb", "--clip", "Walk", "-o", "out.csv")
    rows = (project / "out.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "time,smile,blink,lamp" and len(rows) == FRAMES + 1
    values = np.array([row.split(",") for row in rows[1:]], float)
    np.testing.assert_allclose(values[:, 1], wave(FRAMES, 0), atol=0.01)
    for name in ("out.glb", "out.bvh", "out.rawclip"):
        assert "csv" in run(capsys, "decode", "hero.ossb", "--clip", "Walk", "-o", name)
    run(capsys, "decode", "hero.ossb", "--source", "hero.glb", "-o", "beside.glb")
    # what is exported comes back
    (project / "walk.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    run(capsys, "build", "hero.toml")
    run(capsys, "decode", "hero.ossb", "--clip", "Walk", "-o", "again.csv")
    again = np.array([row.split(",") for row in (project / "again.csv").read_text().splitlines()[1:]], float)
    np.testing.assert_allclose(again[:, 1], values[:, 1], atol=0.01)


def test_a_bank_of_a_file_that_lacks_a_curve_asks_for_the_configuration(
        project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "build", "hero.toml")
    assert main(["report", "hero.ossb", "--source", "hero.glb", "-o", "report.html"])
    assert mentions(capsys.readouterr().err, "curve lamp")


def test_differences_of_curves_are_values(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "build", "hero.toml")
    (project / "hero.ossb").rename(project / "before.ossb")
    (project / "walk.csv").write_text("time,lamp\n0,0\n1,0.5\n", encoding="utf-8")
    run(capsys, "build", "hero.toml")
    output = run(capsys, "diff", "before.ossb", "hero.ossb")
    assert mentions(output, "lamp") and any(abs(number - 0.5) < 0.01 for number in numbers(output))


def test_comparisons_of_codecs_leave_curves_out(project: Path) -> None:
    from ossicle.importers.importer import read_groups
    from ossicle.model.import_options import ImportOptions
    (group,), _ = read_groups([project / "hero.glb"], ImportOptions())
    assert not group.clips[0].curves and not group.curves
