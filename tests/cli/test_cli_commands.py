"""Every command on the demo character, as a user runs it."""
from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import rawclip_reader

from ossicle.importers import rawclip
from ossicle.model.bind_size import bind_size
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Skeleton
from ossicle.model.import_options import ImportOptions
from ossicle.machines import list_targets, load_target
from ossicle.base.places import FOLDERS
from ossicle.base.version import versions
from json_tables import Checker
from judging import SHELL_M, gltf_models
from running import HERO, ROOT, Ran, run_command, run_inside, write_bvh
from shell_measure import distances, find_breaks, model_matrices, shell_errors, with_midpoints
from mentions import mentions

COMMANDS = ("encode", "generate", "decode", "inspect", "diff", "strip", "pack", "clips", "compare", "presets", "build")
TOLERANCE_MM = 0.5
SINGLE_PRECISION_M = 1e-6


@pytest.fixture(scope="module")
def hero(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict, Ran]:
    """The demo character's bank, its report, and what `encode` printed."""
    folder = tmp_path_factory.mktemp("hero")
    bank, report = folder / "new" / "hero.ossb", folder / "report.json"
    ran = run_command("encode", HERO, "-o", bank, "--tolerance", f"{TOLERANCE_MM}mm", "--json", report, "--jobs", "2")
    assert ran.status == 0, ran
    return bank, json.loads(report.read_text(encoding="utf-8")), ran


def test_encode_reports(hero: tuple[Path, dict, Ran]) -> None:
    bank, report, ran = hero
    source = read_clips([HERO], ImportOptions())
    Checker().check("codegen/JSON.md", "encode-and-build", report)
    assert report["bytes"] == bank.stat().st_size and report["warnings"] == []
    assert report["joints"] == len(source.skeleton.names)
    assert [c["name"] for c in report["clips"]] == [c.name for c in source.clips]
    for clip, original in zip(report["clips"], source.clips):
        assert clip["frames"] == len(original.frames) and clip["source"] == HERO.name
        assert 0 < clip["error_mm"] <= clip["tolerance_mm"] == TOLERANCE_MM
        assert clip["error_joint"] in source.skeleton.names
        assert clip["raw_bytes"] == 40 * report["joints"] * clip["frames"]
        assert clip["ratio"] == pytest.approx(clip["raw_bytes"] / clip["bytes"], abs=1e-3)
        tracks = clip["default_tracks"] + clip["constant_tracks"] + clip["animated_tracks"]
        assert tracks == 3 * report["joints"]
        for frame, joint, kind in clip["breaks"]:
            assert 1 <= frame < clip["frames"] and joint in source.skeleton.names
            assert kind in ("rotation", "translation", "scale")
    assert report["worst_error_mm"] == max(c["error_mm"] for c in report["clips"])
    assert report["breaks"] == sum(len(c["breaks"]) for c in report["clips"]) > 0
    assert sum(c["bytes"] for c in report["clips"]) < report["bytes"]
    assert ran.err == "" and mentions(ran.out, bank)
    rows = ran.out.splitlines()
    for clip in report["clips"]:
        assert any(row.startswith(clip["name"]) and f"{clip['error_mm']:.4f}" in row for row in rows)


def test_inspect_agrees_with_the_report(hero: tuple[Path, dict, Ran]) -> None:
    bank, report, _ = hero
    ran = run_command("inspect", bank, "--json")
    assert ran.status == 0 and ran.err == ""
    document = json.loads(ran.out)
    assert document["bytes"] == report["bytes"] and document["format"] == versions().bank_format
    assert len(document["joints"]) == report["joints"]
    for ours, theirs in zip(document["clips"], report["clips"], strict=True):
        for key in ("name", "frames", "rate", "bytes", "loop", "mode", "codec", "animated_tracks"):
            assert ours[key] == theirs[key]
        assert [(b["frame"], b["joint"], b["kind"]) for b in ours["breaks"]] == [tuple(b) for b in theirs["breaks"]]
    plain = run_command("inspect", bank)
    assert plain.status == 0 and plain.err == ""
    lines = plain.out.splitlines()
    assert document["crc"] in lines[0] and document["layout_crc"] in lines[0]
    for joint in document["joints"]:
        assert any(line.startswith(joint["name"]) for line in lines)


def test_decode_with_midpoints_holds_the_tolerance(hero: tuple[Path, dict, Ran], tmp_path: Path) -> None:
    bank, report, _ = hero
    source = read_clips([HERO], ImportOptions())
    for clip, entry in zip(source.clips, report["clips"]):
        out = tmp_path / f"{clip.name}.rawclip"
        ran = run_inside("decode", bank, "--clip", clip.name, "--midpoints", "-o", out)
        count = 2 * len(clip.frames) - 1
        assert (ran.status, ran.err) == (0, "")
        assert mentions(ran.out, f"{out} {count}")
        skeleton, played = rawclip.read(out)
        assert skeleton.names == source.skeleton.names and played.rate == 2 * clip.rate
        assert np.array_equal(skeleton.parents, source.skeleton.parents)
        breaks = find_breaks(clip.frames, clip.steps)
        errors = shell_errors(skeleton.parents, with_midpoints(clip.frames, breaks), played.frames)
        assert errors.max() * 1e3 <= TOLERANCE_MM
        assert errors.max() == pytest.approx(entry["error_mm"] * 1e-3, abs=SINGLE_PRECISION_M)


def test_decode_as_a_command(hero: tuple[Path, dict, Ran], tmp_path: Path) -> None:
    """The report matches the files, by readers of the tests' own."""
    bank, report, _ = hero
    out = tmp_path / "walk.rawclip"
    ran = run_command("decode", bank, "--clip", "Walk", "--midpoints", "-o", out)
    assert ran.status == 0
    played = rawclip_reader.read(out)
    walk = next(c for c in report["clips"] if c["name"] == "Walk")
    halves = np.arange(len(played.frames)) / (2.0 * walk["rate"])
    errors = distances(gltf_models(HERO, tuple(played.names), "Walk", halves),
                       model_matrices(np.array(played.parents), played.frames.astype(float)), SHELL_M)
    assert errors.max() == pytest.approx(walk["error_mm"] * 1e-3, abs=SINGLE_PRECISION_M)


def test_decode_without_midpoints_is_every_other_frame(walk_bank: Path, tmp_path: Path) -> None:
    for extra in ((), ("--midpoints",)):
        ran = run_inside("decode", walk_bank, "--clip", "walk", "-o", tmp_path / f"{len(extra)}.rawclip", *extra)
        assert ran.status == 0
    frames, dense = (rawclip.read(tmp_path / f"{n}.rawclip")[1] for n in (0, 1))
    assert len(frames.frames) == 30 and len(dense.frames) == 59
    assert np.array_equal(frames.frames, dense.frames[::2])
    assert (frames.rate, dense.rate) == (30.0, 60.0)


def test_generate_writes_the_same_files_again(walk_bank: Path, tmp_path: Path) -> None:
    ran = run_command("generate", walk_bank, "-o", tmp_path / "a", "--embed", "--name", "dog", "--target", "microbit")
    assert ran.status == 0 and ran.err == ""
    names = ["dog.h", "dog_bank.c", "dog_pose.c", "dog_tables.c"]
    assert sorted(p.name for p in (tmp_path / "a").iterdir()) == names
    for name in names:
        assert mentions(ran.out.splitlines(), tmp_path / 'a' / name)
    machine = load_target("microbit")
    hint = ran.out.splitlines()[-1]
    assert hint.startswith("compile ") and f"{machine.compiler} -c -std=c99 " in hint
    assert f" -I runtime -I platforms/{machine.platform} runtime/*/*.c " in hint
    assert " ".join(machine.flags) in hint and f" {tmp_path / 'a'}/dog_*.c" in hint
    quiet = run_inside("generate", walk_bank, "-o", tmp_path / "b", "--embed", "--name", "dog",
                       "--unroll", "loop", "--quiet")
    assert (quiet.status, quiet.out, quiet.err) == (0, "", "")
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    ran = run_inside("generate", walk_bank, "-o", tmp_path / "c", "--quiet")
    assert sorted(p.name for p in (tmp_path / "c").iterdir()) == ["walk.h", "walk_pose.c", "walk_tables.c"]


def test_generate_prints_the_sizes_of_the_layouts(walk_bank: Path, tmp_path: Path) -> None:
    """Sizes of both layouts, with stars at the generated one: the machine's or the user's."""
    for options, starred in (((), {"evaluate": "loop", "compose": "loop"}),
                             (("--unroll", "evaluate=full"),
                              {"evaluate": "full", "compose": "loop"})):
        ran = run_inside("generate", walk_bank, "-o", tmp_path, "--target", "microbit", *options)
        assert (ran.status, ran.err) == (0, "")
        for part, layout in starred.items():
            [row] = [line.split() for line in ran.out.splitlines() if line.startswith(part)]
            star = row.index("*")
            full_code, full_tables, loop_code, loop_tables = (
                int(word.replace(",", "")) for word in row[1:] if word != "*")
            assert star == (5 if layout == "loop" else 3)
            assert 20 < loop_code <= full_code < 4000
            assert 0 <= full_tables < 200 and 0 <= loop_tables < 200
    code = [(tmp_path / name).read_bytes() for name in ("walk.h", "walk_pose.c")]
    assert b"rotation_joints" not in code[1]


def test_generate_for_sets_of_joints(walk_bank: Path, tmp_path: Path) -> None:
    ran = run_inside("generate", walk_bank, "-o", tmp_path / "a", "--target", "microbit",
                     "--joints", "top=sp*", "--joints", "both=hips,spine")
    assert (ran.status, ran.err) == (0, "")
    for part in ("evaluate_top", "compose_top", "evaluate_both", "compose_both"):
        assert [line for line in ran.out.splitlines() if line.startswith(f"{part} ")]
        assert f"void walk_{part}(" in (tmp_path / "a/walk.h").read_text("utf-8")
    config = tmp_path / "walk.toml"
    config.write_text("inputs = ['walk.bvh']\ngenerate = 'b'\nname = 'walk'\nunroll = 'loop'\n"
                      "[sets]\ntop = ['sp*']\nboth = ['hips', 'spine']\n", encoding="utf-8")
    write_bvh(tmp_path / "walk.bvh")
    assert run_inside("build", config, "--quiet").status == 0
    declarations = [[line for line in (tmp_path / folder / "walk.h").read_text("utf-8").splitlines()
                     if line.startswith("void walk_")] for folder in "ab"]
    assert len(declarations[0]) == 7 + 2 * 3 and declarations[0] == declarations[1]


def test_generate_without_the_compiler(walk_bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = run_inside("generate", walk_bank, "-o", tmp_path / "out", "--target", "microbit")
    assert (ran.status, ran.err) == (0, "")
    assert mentions(ran.out, "arm-none-eabi-gcc gcc-arm-none-eabi")


def test_quiet_prints_nothing(tmp_path: Path) -> None:
    bvh = write_bvh(tmp_path / "walk.bvh")
    ran = run_command("encode", bvh, "-o", tmp_path / "walk.ossb", "--quiet")
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    assert (tmp_path / "walk.ossb").read_bytes()[:4] == b"OSSB"


def test_all_folders_are_printed_or_one() -> None:
    named = dict(line.split(maxsplit=1) for line in run_inside("paths").out.splitlines())
    assert named == {name: str(folder) for name, folder in FOLDERS.items()}
    for name in named:
        assert run_inside("paths", name) == Ran(0, f"{named[name]}\n", "")


def test_help_and_version() -> None:
    text = run_inside("--help")
    assert text.status == 0 and all(f"  {command} " in text.out for command in COMMANDS)
    for command in COMMANDS:
        ran = run_inside(command, "--help")
        assert ran.status == 0 and ran.err == ""
        assert ran.out.startswith(f"usage: ossicle {command} ")
        options = re.findall(r"^  (?:-\w.*, )?(--[\w-]+)", ran.out, re.MULTILINE)
        assert "--help" in options and len(options) == len(set(options))
    ran = run_command("--version")
    expected = f"ossicle {versions().library}, bank format {versions().bank_format}\n"
    assert (ran.status, ran.out, ran.err) == (0, expected, "")


def test_a_pipe_gets_whole_lines_and_plain_names(tmp_path: Path) -> None:
    """Names are printed unchanged: not folded, cut or interpreted as markup."""
    long_joint, odd_clip = "spine_" + "x" * 200, "[red]walk[/] :smile:"
    bvh = write_bvh(tmp_path / f"{'w' * 150}.bvh", joints=("hips", long_joint))
    odd = tmp_path / "odd.bvh"
    odd.write_bytes(bvh.read_bytes())
    bank = tmp_path / "walk.ossb"
    ran = run_command("encode", bvh, odd, "-o", bank, environment={"COLUMNS": "40"})
    assert ran.status == 0 and ran.err == ""
    rows = [row for row in ran.out.splitlines() if row.startswith("w" * 150)]
    assert len(rows) == 1 and len(rows[0].split()) >= 7
    shown = run_command("inspect", bank, environment={"COLUMNS": "40"})
    assert mentions(shown.out.splitlines()[0], versions().bank_format)
    assert sum(long_joint in line for line in shown.out.splitlines()) == 1

    try:
        named = odd.with_name(f"{odd_clip.replace('/', '')}.bvh")
        odd.rename(named)
    except OSError:
        pytest.skip("the file system takes no such name")
    ran = run_inside("encode", named, "-o", bank)
    assert ran.status == 0 and named.stem in ran.out
    assert named.stem in run_inside("inspect", bank).out


@pytest.mark.parametrize(("scale", "size"), [("0.001", "0.06"), ("1", "60"), ("0.01", None)])
def test_an_unusual_size_is_a_warning(tmp_path: Path, scale: str, size: str | None) -> None:
    """A chain of two joints, 60 units apart."""
    bvh = write_bvh(tmp_path / "walk.bvh", frames=3, travel_cm=0.0)
    ran = run_inside("encode", bvh, "-o", tmp_path / "walk.ossb", "--scale", scale)
    if size is None:
        assert ran.err == "" and mentions(ran.out, "0.6m 0m")
    else:
        assert mentions(ran.err, f"walk.bvh {size}m 0m --scale CMU's .bvh 0.056444")


def test_the_size_is_that_of_the_model(tmp_path: Path) -> None:
    """Turned and scaled joints reach where their transforms put them."""
    half = 0.5 ** 0.5
    bind = np.array([[0, 0, half, half, 7, 7, 7, 1, 2, 1], [0, 0, 0, 1, 0, 1.5, 0, 1, 1, 1],
                     [0, 0, 0, 1, 0, 0, 0.5, 1, 1, 1]])
    skeleton = Skeleton(("a", "b", "c"), np.array([-1, 0, 1], np.int32), bind)
    assert bind_size(skeleton) == pytest.approx((3.0, 0.0, 0.5))


def test_warnings_go_to_stderr_even_when_quiet(tmp_path: Path) -> None:
    far = write_bvh(tmp_path / "far.bvh", travel_cm=150.0)
    ran = run_inside("encode", far, "-o", tmp_path / "far.ossb", "--quiet")
    assert ran.status == 0 and ran.out == ""
    facts = "far.bvh far 29 30"
    assert mentions(ran.err, facts) and "--scale" not in ran.err  # the skeleton has the size of a character
    write_bvh(far, travel_cm=1.5)
    ran = run_inside("encode", far, "-o", tmp_path / "far.ossb", "--quiet", "--scale", "1")
    assert mentions(ran.err, f"{facts} --scale")


@pytest.mark.parametrize("sink", ["closed pipe", "full disk"])
def test_an_output_that_takes_nothing(walk_bank: Path, sink: str) -> None:
    if sink == "full disk":
        handle = os.open("/dev/full", os.O_WRONLY)
    else:
        reader, handle = os.pipe()
        os.close(reader)
    try:
        for extra in ((), ("--json",)):
            finished = subprocess.run(
                [sys.executable, "-m", "ossicle", "inspect", walk_bank, *extra], stdout=handle,
                stderr=subprocess.PIPE, text=True, check=False, timeout=60,
                env=os.environ | {"PYTHONPATH": str(ROOT / "codegen")})
            assert finished.returncode == 1
            if sink == "closed pipe":
                assert finished.stderr == ""
            else:
                assert finished.stderr.count("\n") == 1 and "No space left on device" in finished.stderr
    finally:
        os.close(handle)


def test_skinning_matrices_from_the_command_line(hero: tuple[Path, dict, Ran], tmp_path: Path) -> None:
    bank = tmp_path / "skin.ossb"
    assert run_command("encode", HERO, "-o", bank, "--effort", "fast", "--skin-matrices", "--quiet").status == 0
    ran = run_command("generate", bank, "-o", tmp_path, "--matrices", "20.12", "--rigid")
    assert ran.status == 0 and mentions(ran.out, f"{tmp_path}/skin_skin.c")
    header = (tmp_path / "skin.h").read_text(encoding="utf-8")
    assert "SKIN_SKIN_FORMAT_20_12" in header and "SKIN_SKIN_RIGID" in header
    ran = run_command("generate", hero[0], "-o", tmp_path / "none", "--matrices", "q14")
    assert ran.status != 0 and mentions(ran.err, "--skin-matrices")
    ran = run_command("generate", bank, "-o", tmp_path / "none", "--matrices", "q16")
    assert ran.status != 0 and mentions(ran.err, "--matrices q16 q14")


def test_targets_are_listed() -> None:
    ran = run_inside("targets")
    rows = {line.split()[0]: line for line in ran.out.splitlines()[1:]}
    assert ran.status == 0 and sorted(rows) == list_targets()
    assert "only compiled" in rows["psp"] and "-mcpu=arm946e-s -marm" in rows["nds"]
    assert "playdate" in rows["mps2_an500"] and "dsp" in rows["mps2_an500"]


def test_targets_are_listed_as_json(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def listed() -> dict[str, dict]:
        return {entry["name"]: entry for entry in json.loads(run_inside("targets", "--json").out)}
    board = listed()["microbit"]
    assert board["cpu"] == "cortex-m0" and "m0" in board["aliases"] and "-mthumb" in board["flags"]
    assert board["compiler"] == "arm-none-eabi-gcc" and board["platform"] == "scalar"
    assert board["runs_here"] and not listed()["psp"]["runs_here"] and listed()["host"]["runs_here"]
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not listed()["microbit"]["runs_here"]
    assert listed()["microbit"]["programs_run_in"] == "qemu-system-arm, not installed"


def test_the_text_lists_where_tracks_jump(tmp_path: Path) -> None:
    """Breaks are listed by clip, frame, time and track, up to a number of rows."""
    leap = write_bvh(tmp_path / "leap.bvh", frames=26, travel_cm=500.0)  # more than any rate follows
    ran = run_inside("encode", leap, "-o", tmp_path / "leap.ossb")
    shown = run_inside("inspect", tmp_path / "leap.ossb")
    for text in (ran.out, shown.out):
        rows = [line.split() for line in text.splitlines() if line.split()[-2:] == ["hips", "translation"]]
        assert rows == [["leap", str(frame), f"{frame / 30:.3f}", "hips", "translation"] for frame in range(1, 21)]
        assert any(mentions(line, "5") for line in text.splitlines())
    assert mentions(ran.err, "leap.bvh leap")  # the hips or what they carry


@pytest.mark.parametrize("words", [("encode", "dog.bvh", "-o", "dog.ossb"), ("report", "dog.bvh"),
                                   ("build", "dog.toml"), ("clips", "dog.bvh"), ("inspect", "dog.ossb"), ("targets",)])
def test_json_goes_to_the_standard_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, built_encoder: None,
                                          words: tuple[str, ...]) -> None:
    """And nothing else does."""
    monkeypatch.chdir(tmp_path)
    write_bvh(Path("dog.bvh"))
    Path("dog.toml").write_text('inputs = ["dog.bvh"]\n', encoding="utf-8")
    assert run_inside("encode", "dog.bvh", "-o", "dog.ossb", "--quiet").status == 0
    ran = run_inside(*words, "--json", "-")
    assert ran.status == 0 and json.loads(ran.out)


@pytest.mark.parametrize("words", [("clips", "--", "-x.bvh"), ("encode", "-o", "zz", "--", "-x.bvh"),
                                   ("encode", "-o=-x.ossb", "--", "-x.bvh"), ("report", "--", "-x.bvh")])
def test_the_next_command_takes_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, built_encoder: None,
                                         words: tuple[str, ...]) -> None:
    """Also one that begins with a dash, or has no suffix."""
    monkeypatch.chdir(tmp_path)
    write_bvh(Path("-x.bvh"))
    last = run_inside(*words).out.splitlines()[-1]
    assert run_inside(*shlex.split(last)[2:]).status == 0


def test_clips_of_one_name_have_no_next_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_bvh(Path("a.bvh"))
    (tmp_path / "copy").mkdir()
    write_bvh(Path("copy/a.bvh"))
    assert "next" not in run_inside("clips", "a.bvh", "copy/a.bvh").out


@pytest.mark.parametrize("words", [("clips", "dog.bvh"), ("encode", "dog.bvh", "-o", "dog.ossb"),
                                   ("report", "dog.bvh")])
def test_a_command_ends_with_the_next_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, built_encoder: None,
                                          words: tuple[str, ...]) -> None:
    """Which runs as it is."""
    monkeypatch.chdir(tmp_path)
    write_bvh(Path("dog.bvh"))
    last = run_inside(*words).out.splitlines()[-1]
    assert last.startswith("next: ossicle ")
    assert run_inside(*shlex.split(last)[2:]).status == 0
