"""Every mistake gives one line that says what to do, an exit status, and leaves files alone."""
from __future__ import annotations

import os
import shutil
import subprocess
import threading
from pathlib import Path

import numpy as np
import pytest

from figures import figure
from ossicle.encoding import clip_encoder
from ossicle.encoding import native
from ossicle.base.encoder_library import VARIABLE
from ossicle.base.codec import AUTO_CODECS
from ossicle.model.lengths import Tolerance, parse_length
from ossicle.base.problem import SettingProblem, nearest
from ossicle.base.files.output import write_atomically
from ossicle.encoding.settings import ClipOptions, ClipRule, Settings
from running import HERO, run_command, run_inside, write_bvh
from mentions import mentioning, mentions

BEFORE = b"what was there"


@pytest.fixture
def bvh(tmp_path: Path) -> Path:
    return write_bvh(tmp_path / "walk.bvh")


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """An output that exists already."""
    path = tmp_path / "out" / "hero.ossb"
    path.parent.mkdir()
    path.write_bytes(BEFORE)
    return path


def refused(output: Path, *arguments: object, status: int = 1) -> str:
    """The error line of `encode`, with the output as it was and no scratch file."""
    ran = run_inside("encode", *arguments, "-o", output)
    assert ran.status == status
    assert output.read_bytes() == BEFORE and os.listdir(output.parent) == [output.name]
    assert ran.line.startswith("ossicle")
    return ran.line


def test_a_tolerance_out_of_reach_names_clip_joint_and_frame(bvh: Path, output: Path) -> None:
    line = refused(output, bvh, "--tolerance", "0.1um")
    assert mentions(line, "walk.bvh walk")
    assert ": frame " in line and mentions(line, "0.0001mm")
    assert line.count(" mm") == 1  # no smaller error is out of reach for sure


def test_a_joint_s_own_tolerance_out_of_reach_is_the_one_named(bvh: Path, output: Path) -> None:
    line = refused(output, bvh, "--joint-tolerance", "spine=0.1um")
    assert mentions(line, "spine") and mentions(line, "0.0001mm")


def test_a_length_in_other_units_is_named(tmp_path: Path, output: Path) -> None:
    far = write_bvh(tmp_path / "far.bvh", travel_cm=1e7)
    line = refused(output, far)
    assert mentions(line, "far.bvh hips 1 100000 +-2047")
    assert "--scale" not in line  # the skeleton has the size of a character
    line = refused(output, far, "--scale", "1")
    assert mentions(line, "+-2047 --scale")


@pytest.mark.parametrize("names", [("liquid", "costarring"), ("gv_x", "15xl")])
def test_clips_that_devices_could_not_tell_apart_are_refused(names: tuple[str, str], tmp_path: Path,
                                                             output: Path) -> None:
    """Devices find clips by a hash of 32 bits: these names have the same one."""
    first, second = (write_bvh(tmp_path / f"{name}.bvh") for name in names)
    line = refused(output, first, second)
    assert mentions(line, f"{names[1]}.bvh clips {names[0]} {names[1]}")


def test_an_open_loop_is_refused(bvh: Path, output: Path) -> None:
    line = refused(output, bvh, "--loop", "walk")
    assert mentions(line, "walk.bvh walk 29 290.000mm")


def test_more_breaks_than_a_clip_can_hold_name_the_clip(bvh: Path, output: Path,
                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clip_encoder, "MAX_BREAKS", 28)
    line = refused(output, write_bvh(bvh, travel_cm=500.0))
    assert mentions(line, "walk.bvh walk 29 28")
    line = refused(output, write_bvh(bvh, travel_cm=5.0), "--scale", "1")
    assert mentions(line, "28 --scale")


def test_the_limit_of_breaks_is_the_format_s() -> None:
    assert figure("limits.breaks") == clip_encoder.MAX_BREAKS
    frames = np.zeros((clip_encoder.MAX_BREAKS + 2, 1, 10))
    frames[..., 3] = frames[..., 7] = frames[..., 8] = frames[..., 9] = 1.0
    frames[:, 0, 4] = np.arange(len(frames)) % 2 * 2.0
    skeleton = native.Skeleton(np.array([-1]), frames[0])
    wanted = native.EncodeSettings(1e-3, effort="fast")
    for count, fits in ((len(frames), False), (len(frames) - 1, True)):
        steps = np.zeros((count, 1, 3), bool)
        _, clip, report = native.encode_clip(skeleton, native.ClipInput(frames[:count], steps), wanted)
        assert clip is not None and (report.breaks <= clip_encoder.MAX_BREAKS) == fits
        if fits:
            native.write_bank(skeleton, [clip], [(1, 1, 1)], bytes(8))
        else:
            with pytest.raises(native.NativeProblem, match=mentioning("16,383")):
                native.write_bank(skeleton, [clip], [(1, 1, 1)], bytes(8))


def test_two_clips_of_one_name(bvh: Path, output: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    line = refused(output, bvh, write_bvh(tmp_path / "other" / "walk.bvh", speed=1.0))
    assert mentions(line, "walk.bvh walk")


@pytest.mark.parametrize("option, value, facts", [
    ("--codec", "detla", "--codec detla delta"),
    ("--effort", "fst", "--effort fst fast"),
    ("--restart", "3", "--restart 3"),
    ("--restart", "-4", "--restart -4"),
    ("--restart", "2097152", "--restart 2097152 1048576"),
    ("--loop", "wlak", "wlak walk"),
    ("--pin", "hipps", "hipps hips"),
    ("--joint-tolerance", "hipps=1mm", "hipps"),
    ("--joint-tolerance", "hips", "--joint-tolerance hips"),
    ("--joint-tolerance", "=1mm", "--joint-tolerance =1mm"),
    ("--joint-tolerance", "hips=1", "--joint-tolerance hips 1"),
    ("--joint-tolerance", "hips=0mm", "--joint-tolerance hips 0mm"),
    ("--joint-tolerance", "hips=1px", "1px --config"),
    ("--jobs", "0", "--jobs 0"),
    ("--jobs", "-1", "--jobs -1"),
    ("--fps", "481", "--fps 481 0.001 480"),
    ("--fps", "0", "--fps 0 0.001 480"),
    ("--fps", "1e-300", "--fps 1e-300 0.001 480"),
    ("--fps", "nan", "--fps nan 0.001 480"),
    ("--scale", "0", "--scale 0"),
    ("--scale", "inf", "--scale inf"),
    ("--fps", "many", "--fps many"),
    ("--restart", "1.5", "--restart 1.5 0"),
    ("--up", "x", "--up x"),
    ("--ancestors", "flod", "--ancestors flod fold"),
    ("--config", "missing.toml", "missing.toml"),
])
def test_values_that_mean_nothing(bvh: Path, output: Path, option: str, value: str, facts: str) -> None:
    assert mentions(refused(output, bvh, option, value), facts)


def test_the_standard_output_is_not_written_to(walk_bank: Path, bvh: Path, tmp_path: Path,
                                               monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in (("decode", walk_bank, "--clip", "walk", "-o", "-"), ("encode", bvh, "-o", "-"),
                      ("generate", walk_bank, "-o", "-")):
        ran = run_inside(*arguments)
        assert ran.status == 2 and mentions(ran.line, "-")
    assert not list(tmp_path.glob("-*"))


@pytest.mark.parametrize("option", ["tolerance", "shell"])
@pytest.mark.parametrize("length", ["1", "0mm", "-1mm", "1 inch", "nanmm", "mm", "", "1e999mm",
                                    "1,5mm", "1MM", "infm", "0x1mm", "1e-400m"])
def test_lengths_need_a_number_and_a_unit(bvh: Path, output: Path, option: str, length: str) -> None:
    line = refused(output, bvh, f"--{option}={length}")
    assert f"--{option} {length!r}: " in line
    assert mentions(line, "0.5mm 3cm") or mentions(line, "1e+09m")


@pytest.mark.parametrize("option, value", [("tolerance", "-1mm"), ("tolerance", "-.5cm"), ("shell", "-3cm")])
def test_a_negative_length_is_not_an_option(bvh: Path, output: Path, option: str, value: str) -> None:
    line = refused(output, bvh, f"--{option}", value)
    assert mentions(line, f"--{option} {value}")


WALKS = ["Walking_A", "Walking_B", "Run"]


@pytest.mark.parametrize("pattern, clips, facts", [
    ("Walk", WALKS, "Walking_A Walking_B"),
    ("WALK", WALKS, "Walking_A Walking_B"),
    ("walk?*", WALKS, "Walking_A Walking_B"),
    ("[Ww]alking_[BC]*_?", ["Rig|Talking_", *WALKS],
     "Rig|Talking_ Walking_A Walking_B"),
    ("Walk", ["Rig|Walk_01", "Run"], "Rig|Walk_01"),
    ("Wlaking_A", WALKS, "Walking_A"),
    ("Walk", ["Jump", "Idle"], "Jump Idle"),
    ("*", [], ""),
    ("walk", [f"a_walk_{number}" for number in range(14)],
     "a_walk_0 a_walk_1 a_walk_2 a_walk_3 a_walk_4"),
    ("leg", [f"arm_{number}" for number in range(14)],
     " ".join(f"arm_{number}" for number in range(12))),
])
def test_similar_clips_are_listed(pattern: str, clips: list[str], facts: str) -> None:
    listed = nearest(pattern, clips)
    assert sorted((name for name in clips if mentions(listed, name)), key=listed.index) == facts.split()


@pytest.mark.parametrize("clips", [11, 12, 13])
def test_only_a_list_that_is_not_complete_ends_in_dots(clips: int) -> None:
    assert nearest("leg", [f"arm_{number}" for number in range(clips)]).endswith("...") == (clips > 12)


def test_a_clip_of_another_name_lists_the_candidates(tmp_path: Path, output: Path) -> None:
    walks = [write_bvh(tmp_path / f"Walking_{letter}.bvh") for letter in "AB"]
    line = refused(output, *walks, "--loop", "Walk")
    assert mentions(line, "Walk Walking_A Walking_B")


@pytest.mark.parametrize("text, metres", [("0.5mm", 5e-4), ("3 cm", 0.03), (" 1m ", 1.0),
                                          ("250um", 2.5e-4), (".5mm", 5e-4), ("1e-3m", 1e-3)])
def test_lengths(text: str, metres: float) -> None:
    assert parse_length(text, "x") == pytest.approx(metres, rel=1e-12)


@pytest.mark.parametrize("arguments, facts", [
    (("--tolerence", "1mm"), "--tolerence --tolerance"),
    (("--jsn", "x"), "--jsn --json"),
])
def test_usage_is_status_two(bvh: Path, output: Path, arguments: tuple[str, ...], facts: str) -> None:
    line = refused(output, bvh, *arguments, status=2)
    assert mentions(line, facts) and line.endswith("--help)")


def test_commands_have_nearest_names_too() -> None:
    ran = run_inside("encod", "x")
    assert ran.status == 2 and mentions(ran.line, "encod encode")
    ran = run_inside("inspect", "a", "b")
    assert ran.status == 2 and mentions(ran.line, "b")
    ran = run_inside("encode", HERO)
    assert ran.status == 2 and "-o/--output" in ran.line
    assert run_inside().status == 2


def test_missing_files_are_named(tmp_path: Path, output: Path) -> None:
    assert mentions(refused(output, tmp_path / "nowhere.glb"), "nowhere.glb")
    assert mentions(refused(output, tmp_path / "hero.obj"), "hero.obj .obj .glb")
    for command in (("inspect",), ("generate", "-o", tmp_path / "gen"),
                    ("decode", "--clip", "walk", "-o", tmp_path / "walk.rawclip")):
        ran = run_inside(*command, tmp_path / "nowhere.ossb")
        assert ran.status == 1 and mentions(ran.line, "nowhere.ossb")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out"]


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "text"])
def test_a_damaged_bank_is_refused_everywhere(walk_bank: Path, tmp_path: Path, damage: str) -> None:
    data = bytearray(walk_bank.read_bytes())
    data[len(data) // 2] ^= 16
    bank = tmp_path / "bad.ossb"
    bank.write_bytes({"cut": walk_bank.read_bytes()[:-4], "flipped": bytes(data), "empty": b"",
                      "text": b"what\never it is, this is no bank"}[damage])
    for command in (("inspect",), ("inspect", "--json"), ("generate", "-o", tmp_path / "gen"),
                    ("decode", "--clip", "walk", "-o", tmp_path / "walk.rawclip")):
        ran = run_inside(*command, bank)
        assert ran.status == 1 and mentions(ran.line, bank)
    assert [p.name for p in tmp_path.iterdir()] == ["bad.ossb"]


def test_an_unknown_clip_has_a_nearest_name(walk_bank: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.rawclip"
    ran = run_inside("decode", walk_bank, "--clip", "wlk", "-o", out)
    assert ran.status == 1 and mentions(ran.line, "wlk walk")
    assert not out.exists()


def test_an_unknown_target_has_a_nearest_name(walk_bank: Path, tmp_path: Path) -> None:
    ran = run_inside("generate", walk_bank, "-o", tmp_path / "gen", "--target", "microbt")
    assert ran.status == 1 and "microbit" in ran.line and not (tmp_path / "gen").exists()


def test_an_empty_name_is_not_a_name(walk_bank: Path, tmp_path: Path) -> None:
    ran = run_inside("generate", walk_bank, "-o", tmp_path / "gen", "--name", "")
    assert ran.status == 1 and mentions(ran.line, walk_bank)
    ran = run_inside("decode", walk_bank, "-o", tmp_path / "x.rawclip", "--clip", "")
    assert ran.status == 1 and mentions(ran.line, "walk wave")


def test_an_unknown_joint_has_a_nearest_name(walk_bank: Path, tmp_path: Path) -> None:
    ran = run_inside("generate", walk_bank, "-o", tmp_path / "gen", "--joints", "top=hips,spin")
    assert ran.status == 1 and not (tmp_path / "gen").exists()
    assert mentions(ran.line, f"{walk_bank} --joints spin spine")


def test_an_unknown_layout_has_a_nearest_name(walk_bank: Path, tmp_path: Path) -> None:
    for given, known in (("lop", "loop"), ("composed=loop", "compose=loop"), ("evaluate=fill", "evaluate=full")):
        ran = run_inside("generate", walk_bank, "-o", tmp_path / "gen", "--unroll", given)
        assert ran.status == 1 and not (tmp_path / "gen").exists()
        assert mentions(ran.line, f"--unroll {given} {known}")


@pytest.mark.parametrize("where", ["folder", "below a file"])
def test_outputs_that_cannot_be_written(bvh: Path, tmp_path: Path, where: str) -> None:
    target = tmp_path / "is_a_folder" if where == "folder" else bvh / "hero.ossb"
    if where == "folder":
        target.mkdir()
    ran = run_inside("encode", bvh, "-o", target, "--quiet")
    assert ran.status == 1 and mentions(ran.line, target)
    assert not target.is_file()


def test_a_report_that_cannot_be_written_leaves_the_bank(bvh: Path, output: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert mentions(refused(output, bvh, "--json", tmp_path / "folder"), tmp_path / "folder")


def test_nothing_is_written_over_its_source(bvh: Path, output: Path, walk_bank: Path, tmp_path: Path) -> None:
    text = bvh.read_bytes()
    ran = run_inside("encode", bvh, "-o", bvh.parent / "out" / ".." / "walk.bvh")
    assert ran.status == 1 and mentions(ran.line, bvh.parent / "out/../walk.bvh")
    assert bvh.read_bytes() == text
    assert mentions(refused(output, bvh, "--json", bvh), bvh)
    assert mentions(refused(output, bvh, "--json", output), output)
    bank = shutil.copy(walk_bank, tmp_path / "copy.ossb")
    ran = run_inside("decode", bank, "--clip", "walk", "-o", bank)
    assert ran.status == 1 and mentions(ran.line, bank)
    assert bank.read_bytes() == walk_bank.read_bytes()


def test_a_pipe_is_written_to_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_atomically(pipe, b"bank")
    reader.join(10)
    assert got == [b"bank"] and pipe.is_fifo()


def test_written_files_have_the_usual_rights(tmp_path: Path) -> None:
    write_atomically(tmp_path / "new" / "file", b"1")
    (tmp_path / "plain").write_bytes(b"1")
    assert (tmp_path / "new" / "file").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_library_of_another_kind_is_refused(tmp_path: Path, bvh: Path) -> None:
    (tmp_path / "other.c").write_text("int nothing;\n", encoding="utf-8")
    library = tmp_path / "other.so"
    subprocess.run(["gcc", "-shared", "-fPIC", tmp_path / "other.c", "-o", library], check=True)
    for path, facts in ((library, library), (tmp_path / "missing.so", "missing.so")):
        ran = run_command("encode", bvh, "-o", tmp_path / "x.ossb", environment={VARIABLE: str(path)})
        assert ran.status == 1 and mentions(ran.line, facts) and "scons" in ran.line


def test_a_name_with_a_line_feed_stays_one_line(tmp_path: Path) -> None:
    ran = run_inside("inspect", tmp_path / "two\nlines.ossb")
    assert ran.status == 1 and "two\\nlines.ossb" in ran.line


def test_clip_patterns_match_plain_names_first() -> None:
    rules = Settings(clips=(ClipRule("walk [1]", tolerance=Tolerance(2.0)), ClipRule("w*", loop=True)))
    assert rules.options_for("walk [1]") == ClipOptions(
        loop=True, tolerance=Tolerance(2.0), tolerance_m=2.0, codecs=AUTO_CODECS)
    assert rules.options_for("idle") == ClipOptions(tolerance_m=1e-3, codecs=AUTO_CODECS)
    rules.check_patterns(["walk [1]"])
    with pytest.raises(SettingProblem, match=mentioning("walk [1]")):
        rules.check_patterns(["idle", "Walk 1"])


def test_a_device_without_an_end_is_no_bank() -> None:
    ran = run_inside("inspect", "/dev/zero")
    assert ran.status == 1 and mentions(ran.err, "/dev/zero")


def test_a_codec_that_cannot_follow_a_track_says_so(tmp_path: Path) -> None:
    """A joint that is thrown two kilometres back and forth every few frames."""
    path = write_bvh(tmp_path / "thrown.bvh", frames=40, travel_cm=0.0)
    text = path.read_text(encoding="utf-8").splitlines()
    first = next(i for i, line in enumerate(text) if line.startswith("Frame Time")) + 1
    for frame, at in enumerate(range(first, len(text))):
        values = text[at].split()
        values[0] = str(150000.0 if frame // 7 % 2 else -150000.0 + 0.37 * frame)
        text[at] = " ".join(values)
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    for codec in ("transform", "auto"):
        ran = run_inside("encode", path, "-o", tmp_path / "thrown.ossb", "--codec", codec)
        assert ran.status == 0 or (codec == "transform" and mentions(ran.err, "thrown.bvh thrown hips transform"))
