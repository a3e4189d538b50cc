"""`ossicle compare`: every scheme on the same clips, against banks that `encode` makes."""
from __future__ import annotations

import csv
import json
import os
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder, turn
from matplotlib.image import imread
from running import HERO, Ran, run_command, run_inside, write_bvh
from shell_measure import find_breaks, shell_errors, with_midpoints

from ossicle.compare import report as compare_report
from ossicle.encoding import presets
from ossicle.importers import rawclip
from ossicle.bank.file import parse_bank
from ossicle.base.codec import OWN_CODECS
from ossicle.importers.importer import read_clips
from ossicle.model.import_options import ImportOptions
from ossicle.encoding.presets import PRESETS
from mentions import mentions

QUICK = ("auto", "delta", "goodhue-2017")
PNG = b"\x89PNG\r\n\x1a\n"
LEAST_PIXELS = 400
NOTE_PIXELS = 45  # the lowest lines of a picture
LABEL_PIXELS = 28
LABEL_WIDTH = 0.3  # of the picture; the numbers of the axes take 0.2
TIER_PADDING = 24  # bytes: a clip measured alone has two tiers, with a word of padding each
DIGITS = 1e-4  # the tables have five
NEARLY = "0.2000001mm"  # 0.2 in the tables


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three clips of one skeleton, one of which jumps, and one of another."""
    folder = tmp_path_factory.mktemp("actors")
    write_bvh(folder / "walk.bvh")
    write_bvh(folder / "leap.bvh", frames=12, travel_cm=450.0)  # more than any rate follows
    write_bvh(folder / "stand.bvh", frames=1)
    (folder / "props").mkdir()
    write_bvh(folder / "props/crane.bvh", joints=("base", "arm", "hook"))
    return folder


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def compared(clips: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ran]:
    """Files and output of a comparison."""
    out = tmp_path_factory.mktemp("out") / "new"
    ran = run_inside("compare", clips, "--tolerance", f"1mm,{NEARLY}", "--presets", "delta,goodhue-2017", "-o", out)
    assert ran.status == 0, ran
    return out, ran


def encoded(folder: Path, scheme: str, tolerance_mm: str, *sources: Path) -> tuple[Path, dict]:
    """A bank and its report as `encode` makes them."""
    bank, report = folder / f"{scheme}.ossb", folder / "report.json"
    how = ("--preset", scheme) if scheme in PRESETS else ("--codec", scheme, "--optimise", "bank", "--restart", "64")
    ran = run_inside("encode", *sources, "-o", bank, "--json", report, *how, "--tolerance",
                     f"{tolerance_mm}mm", "--quiet")
    assert ran.status == 0, ran
    return bank, json.loads(report.read_text(encoding="utf-8"))


def mean_error_mm(bank: Path, sources: list[Path], folder: Path) -> float:
    """Over all joints and samples of all clips, as the tests of the encoder measure."""
    imported = read_clips(sources, ImportOptions())
    errors = []
    for clip in imported.clips:
        out = folder / "clip.rawclip"
        assert run_inside("decode", bank, "--clip", clip.name, "--midpoints", "-o", out).status == 0
        played = rawclip.read(out)[1].frames
        reference = with_midpoints(clip.frames, find_breaks(clip.frames, clip.steps))
        errors.append(shell_errors(imported.skeleton.parents, reference, played).ravel())
    return float(np.concatenate(errors).mean()) * 1e3


def test_the_table_is_the_output_of_encode(clips: Path, compared: tuple[Path, Ran], tmp_path: Path) -> None:
    rows = rows_of(compared[0] / "compare.csv")
    assert tuple(rows[0]) == compare_report.COLUMNS
    assert [(row["corpus"], row["tolerance_mm"], row["scheme"]) for row in rows] == [
        (corpus, tolerance, scheme) for corpus in (clips.name, "crane")
        for tolerance in ("1", "0.2") for scheme in QUICK]
    for row in rows:
        sources = sorted(clips.glob("*.bvh")) if row["corpus"] == clips.name else [clips / "props/crane.bvh"]
        bank, report = encoded(tmp_path, row["scheme"], row["tolerance_mm"], *sources)
        assert int(row["clips"]) == len(sources)
        assert int(row["bytes"]) == bank.stat().st_size
        assert int(row["ram_bytes"]) == report["player_bytes"]
        assert float(row["ratio"]) == pytest.approx(report["raw_bytes"] / report["bytes"], DIGITS)
        assert float(row["worst_mm"]) == pytest.approx(report["worst_error_mm"], DIGITS)
        assert float(row["mean_mm"]) == pytest.approx(mean_error_mm(bank, sources, tmp_path), DIGITS)
        assert row["share_holding"] == "1" and row["row_m4"] == ""


def test_clips_add_up(compared: tuple[Path, Ran]) -> None:
    whole = {(row["corpus"], row["tolerance_mm"], row["scheme"]): row for row in rows_of(compared[0] / "compare.csv")}
    seen: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in rows_of(compared[0] / "clips.csv"):
        seen.setdefault((row["corpus"], row["tolerance_mm"], row["scheme"]), []).append(row)
    assert seen.keys() == whole.keys()
    for key, rows in seen.items():
        assert len(rows) == int(whole[key]["clips"])
        assert max(float(row["worst_mm"]) for row in rows) == float(whole[key]["worst_mm"])
        assert sum(int(row["bytes"]) for row in rows) < int(whole[key]["bytes"])
        assert {row["holds"] for row in rows} == {"1"}


def pictures(folder: Path) -> Iterator[tuple[str, int, int]]:
    """Name, width and height of every PNG."""
    for path in sorted(folder.glob("*.png")):
        data = path.read_bytes()
        assert data.startswith(PNG)
        yield path.name, *struct.unpack(">II", data[16:24])


def test_pictures(clips: Path, compared: tuple[Path, Ran]) -> None:
    shown = list(pictures(compared[0]))
    assert [name for name, _, _ in shown] == sorted(
        f"{corpus}-{what}.png" for corpus in (clips.name, "crane")
        for what in ("error-size", "gains-1mm", f"gains-{NEARLY}"))
    assert all(min(width, height * 2) > LEAST_PIXELS for _, width, height in shown)
    lowest = imread(compared[0] / f"{clips.name}-error-size.png")[-LABEL_PIXELS:, :, :3]
    assert (lowest < 0.5).all(axis=2).any(axis=0).mean() > LABEL_WIDTH  # the labels of the axes


def test_joints_without_data_are_named_below_the_pictures(clips: Path, tmp_path: Path) -> None:
    drawn = []
    for number, schemes in enumerate(("delta", "delta,unreal4-identity")):
        out = tmp_path / str(number)
        assert run_inside("compare", clips / "walk.bvh", "--presets", schemes, "-o", out).status == 0
        drawn.append(imread(out / "walk-gains-1mm.png"))
    without, with_note = drawn
    assert np.array_equal(without[:-NOTE_PIXELS], with_note[:len(without) - NOTE_PIXELS])
    assert (with_note[-NOTE_PIXELS:] < 1.0).any() and without.shape[1] == with_note.shape[1]
    assert not np.array_equal(without, with_note)


def test_keys_in_tiers_belong_to_their_clip(tmp_path: Path) -> None:
    bank, report = encoded(tmp_path, "acl-2.1-tiers", "1", HERO)
    parsed = parse_bank(bank.read_bytes())
    keys = sum(clip.size_bytes for clip in parsed.clips) + 4 * sum(t.words for t in parsed.tiers)
    reported = sum(clip["bytes"] for clip in report["clips"])
    assert len(parsed.tiers) == 2 and keys <= reported <= keys + TIER_PADDING * len(parsed.clips)


def test_a_clip_of_one_key(tmp_path: Path) -> None:
    """Its curve has no tolerance at midpoints."""
    g = GltfBuilder()
    g.node("hip", children=[1])
    g.node("knee", translation=[0.0, -0.5, 0.0])
    g.animation("Stand", (1, "rotation", [0.0], [turn("x", 20.0)], "LINEAR"))
    ran = run_inside("compare", g.write_glb(tmp_path), "--presets", "delta")
    assert ran.status == 0 and mentions(ran.out, "hero 1 1mm")


def test_output(clips: Path, compared: tuple[Path, Ran]) -> None:
    out, ran = compared
    for row in rows_of(out / "compare.csv"):
        assert any(line.split()[:2] == [row["scheme"], f"{int(row['bytes']):,}"] for line in ran.out.splitlines())
    assert mentions(ran.out, f"{clips.name} 3 0.2mm") and mentions(ran.out, "crane 1 1mm")
    for path in out.iterdir():
        assert mentions(ran.out, path)


@pytest.mark.exhaustive
def test_results_do_not_depend_on_threads_or_time(clips: Path, compared: tuple[Path, Ran], tmp_path: Path) -> None:
    ran = run_command("compare", clips, "--tolerance", "1mm", "--tolerance", "0.2mm", "--presets",
                      "goodhue-2017", "--presets", "delta", "-o", tmp_path, "--jobs", "1", "--quiet")
    assert ran == Ran(0, "", "")
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert files == {path.name: path.read_bytes() for path in compared[0].iterdir()}


def test_all_schemes_are_compared(clips: Path) -> None:
    ran = run_inside("compare", clips / "walk.bvh")
    assert ran.status == 0 and ran.err == ""
    listed = [line.split()[0] for line in ran.out.splitlines() if line]
    assert {"auto", *OWN_CODECS, *PRESETS} <= set(listed)


def test_clips_that_are_not_held_show_their_error(clips: Path, tmp_path: Path) -> None:
    ran = run_inside("compare", clips / "walk.bvh", "--tolerance", "0.001mm", "--presets", "delta", "-o", tmp_path)
    assert ran.status == 0, ran
    for row in rows_of(tmp_path / "compare.csv"):
        assert row["share_holding"] == "0" and float(row["worst_mm"]) > 0.001
        assert int(row["bytes"]) > 0
    assert " 0/1 " in ran.out


def test_presets_that_fit_nothing_show_their_error(clips: Path, tmp_path: Path) -> None:
    name, source = "unreal4-fixed32", clips / "walk.bvh"
    ran = run_inside("compare", source, "--tolerance", "0.1mm,500mm", "--presets", name, "-o", tmp_path)
    assert ran.status == 0, ran
    fine, coarse = [row for row in rows_of(tmp_path / "compare.csv") if row["scheme"] == name]
    assert (fine["share_holding"], coarse["share_holding"]) == ("0", "1")
    report = tmp_path / "report.json"
    assert run_inside("encode", source, "-o", tmp_path / "bank.ossb", "--preset", name,
                      "--tolerance", "none", "--json", report, "--quiet").status == 0
    document = json.loads(report.read_text(encoding="utf-8"))
    for row in (fine, coarse):
        assert int(row["bytes"]) == document["bytes"]
        assert float(row["worst_mm"]) == pytest.approx(document["worst_error_mm"], DIGITS)


def test_some_clips_alone(clips: Path) -> None:
    ran = run_inside("compare", clips, "--clips", "w*", "--clips", "stand", "--presets", "delta")
    assert ran.status == 0 and mentions(ran.out, "2 1mm") and "crane" not in ran.out


def test_clips_of_one_name_and_files_that_cannot_be_read(clips: Path, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        shutil.copy(clips / "walk.bvh", tmp_path / folder / f"walk{folder}.bvh")
    shutil.copytree(tmp_path / "a", tmp_path / "c")
    (tmp_path / "bad.glb").write_bytes(b"no model")
    ran = run_inside("compare", tmp_path, "--presets", "delta", "-o", tmp_path / "out")
    assert ran.status == 0 and ran.err.count("\n") == 1
    assert mentions(ran.err, "bad.glb")
    names = [row["clip"] for row in rows_of(tmp_path / "out/clips.csv") if row["scheme"] == "auto"]
    assert names == ["walka", "walkb", "walka.walka"]
    named = run_inside("compare", tmp_path / "bad.glb")
    assert named.status == 1 and "bad.glb" in named.line


@pytest.mark.parametrize(("arguments", "message"), [
    (("--presets", "goodhue"), "--presets goodhue goodhue-2017"),
    (("--presets", ""), "--presets"),
    (("--tolerance", "1"), "--tolerance 1"),
    (("--tolerance", "1mm,"), "--tolerance"),
    (("--tolerance", "1px"), "--tolerance 1px"),
    (("--tolerance", "none"), "--tolerance none"),
    (("--clips", "wolk"), "--clips wolk walk"),
    (("--effort", "most"), "--effort most fast"),
    (("--jobs", "0"), "--jobs 0"),
    (("-o", "-"), "-o"),
    (("-o", "walk.bvh"), "walk.bvh/compare.csv"),
    (("nothing",), ".glb .gltf .vrm .vrma .bvh"),
    (("missing.bvh",), "missing.bvh No such file or directory"),
    (("missing",), "No such file or directory"),
    (("--fps", "900"), "--fps 900 0.001 480"),
    (("--scale", "1000"), "+-2047 --scale"),
])
def test_what_cannot_be_compared(clips: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                 arguments: tuple[str, ...], message: str) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(clips / "walk.bvh", "walk.bvh")
    Path("nothing").mkdir()
    ran = run_inside("compare", "--presets", "delta", *arguments, "walk.bvh", "--quiet")
    assert ran.status in (1, 2) and mentions(ran.line, message)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["nothing", "walk.bvh"]


@pytest.mark.parametrize("place", ["file", "file/new", "locked/new"])
def test_where_nothing_can_be_written_nothing_is_compared(
        clips: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "locked").mkdir()
    real = os.access  # root may write anywhere
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "locked" and real(path, mode))
    ran = run_inside("compare", clips / "walk.bvh", "--presets", "delta", "-o", tmp_path / place)
    assert ran.status == 1 and mentions(ran.line, f"{place}/compare.csv")


def test_pictures_need_matplotlib(clips: Path, tmp_path: Path) -> None:
    (tmp_path / "matplotlib.py").write_text("raise ImportError('not here')\n", encoding="utf-8")
    ran = run_inside("compare", clips / "walk.bvh", "--presets", "delta")
    assert ran.status == 0
    code = Path(presets.__file__).parents[2]
    blocked = run_command("compare", clips / "walk.bvh", "--presets", "delta", "-o",
                          tmp_path / "out", environment={"PYTHONPATH": f"{tmp_path}:{code}"})
    assert blocked.status == 1 and mentions(blocked.line, "python3-matplotlib ossicle[plots] -o")
    assert not (tmp_path / "out").exists()


@pytest.mark.exhaustive
def test_rows_are_counted(tmp_path: Path) -> None:
    ran = run_inside("compare", HERO, "--clips", "Run", "--presets", "delta,transform", "--rows", "-o", tmp_path)
    assert ran.status == 0 and "Cortex-M4" in ran.out
    rows = {row["scheme"]: int(row["row_m4"]) for row in rows_of(tmp_path / "compare.csv")}
    assert 100 < rows["delta"] < rows["transform"]  # sums of a basis cost more than steps
    assert 100 < rows["auto"]


def test_rows_without_a_compiler(clips: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = run_inside("compare", clips / "walk.bvh", "--presets", "delta", "--rows", "-o", tmp_path / "out")
    assert ran.status == 0 and mentions(ran.out, "delta")
    assert {row["row_m4"] for row in rows_of(tmp_path / "out/compare.csv")} == {""}


def test_half_turns_between_keys_have_errors(tmp_path: Path) -> None:
    """Keys on every third frame that are each other's negatives meet in no rotation at all."""
    source = write_bvh(tmp_path / "flip.bvh", frames=130)
    lines = source.read_text(encoding="utf-8").splitlines()
    turned = np.cumsum(np.random.default_rng(1).random(130) < 0.4) * 180.0
    motion = [f"0 90 0 {angle:.1f} 0 0 0 10 0" for angle in turned]
    source.write_text("\n".join(lines[:-130] + motion) + "\n", encoding="utf-8")
    ran = run_inside("compare", source, "--presets", "intro-2021-third", "-o", tmp_path / "out")
    assert ran.status == 0 and "Warning" not in ran.err, ran
    row = rows_of(tmp_path / "out/compare.csv")[1]
    assert 0.0 < float(row["mean_mm"]) <= float(row["worst_mm"])
