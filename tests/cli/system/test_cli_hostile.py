"""Hostile input: numbers without end, closed outputs, circular links, signals."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import numpy as np
import pytest
from ossicle.base import signals

from ossicle.encoding import native
from ossicle.bank.clips import name_hash
from ossicle.encoding.encoder import EncodeProblem, encode_clips
from ossicle.encoding.sections import names_section
from ossicle.model.clip import Clip, Imported, Skeleton
from ossicle.encoding.settings import Settings
from running import ROOT, Ran, run_command, run_inside, write_bvh
from mentions import mentioning, mentions

ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT / "codegen")}
PATIENCE_S = 20.0  # far less than what is interrupted takes


def built(folder: Path, text: str) -> Ran:
    write_bvh(folder / "walk.bvh")
    (folder / "hero.toml").write_text(f'inputs = ["walk.bvh"]\n{text}\n', encoding="utf-8")
    return run_inside("build", folder / "hero.toml", "--quiet")


@pytest.mark.parametrize("text, facts", [
    ("[import]\nfps = " + "9" * 400, "[import] fps 400"),
    ("[import]\nscale = -" + "9" * 400, "[import] 401"),
    ("[screen]\nheight = " + "9" * 400, "[screen] 400"),
    ("restart = " + "9" * 5000, "Exceeds"),
    ("x = " + "[" * 5000 + "]" * 5000, "hero.toml nested"),
    ('output = "a\\u0000b"', "output a\\x00b U+0000"),
    ('generate = "a\\u0000b"', "generate a\\x00b U+0000"),
])
def test_values_without_an_end(tmp_path: Path, text: str, facts: str) -> None:
    ran = built(tmp_path, text)
    assert ran.status == 1 and mentions(ran.line, f"{tmp_path}/hero.toml")
    assert mentions(ran.line, facts)
    assert sorted(os.listdir(tmp_path)) == ["hero.toml", "walk.bvh"]


def test_an_input_with_a_zero_byte(tmp_path: Path) -> None:
    (tmp_path / "hero.toml").write_text('inputs = ["a\\u0000.bvh"]', encoding="utf-8")
    assert mentions(run_inside("build", tmp_path / "hero.toml").line, "U+0000")


def test_a_byte_order_mark_is_no_part_of_the_toml(tmp_path: Path) -> None:
    write_bvh(tmp_path / "walk.bvh")
    (tmp_path / "hero.toml").write_text('inputs = ["walk.bvh"]', encoding="utf-8-sig")
    assert run_inside("build", tmp_path / "hero.toml", "--quiet").status == 0


@pytest.mark.parametrize("arguments", [
    ("--tolerance", "1e300m"), ("--shell", "1e300m"),
    ("--tolerance", "1e307px", "1e6m"), ("--tolerance", "1e-300px", "1e-300m"),
])
def test_lengths_that_no_square_holds(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    *arguments, distance = arguments if len(arguments) == 3 else (*arguments, "2m")
    config = tmp_path / "screen.toml"
    config.write_text(f"[screen]\nheight = 240\nfov = 60\ndistance = '{distance}'\n", encoding="utf-8")
    arguments += ["--config", config]
    ran = run_inside("encode", write_bvh(tmp_path / "walk.bvh"), "-o", tmp_path / "x.ossb", *arguments)
    assert ran.status == 1 and mentions(ran.line, "1e+09m")


@pytest.mark.parametrize("text, facts", [
    ('[joints.spine]\ntolerance = "0.001um"', "spine"),
    ('mode = "layer"\n[joints.spine]\ntolerance = "0.001um"', "spine"),
    ('pin = ["spine"]\ntolerance = "0.01um"', "spine"),
])
def test_a_joint_s_own_tolerance_is_the_one_named(tmp_path: Path, text: str, facts: str) -> None:
    ran = built(tmp_path, text)
    assert ran.status == 1 and mentions(ran.line, facts)
    assert mentions(ran.line, "1e-06mm")


def test_an_endless_name_is_refused_before_the_work(tmp_path: Path) -> None:
    bvh = write_bvh(tmp_path / "walk.bvh", joints=("hips", "é" * 501))
    ran = run_inside("encode", bvh, "-o", tmp_path / "x.ossb")
    assert ran.status == 1 and mentions(ran.line, "walk.bvh 1 1002")


def test_links_in_a_circle(tmp_path: Path, walk_bank: Path) -> None:
    circle = tmp_path / "circle.bvh"
    circle.symlink_to(circle)
    bvh = write_bvh(tmp_path / "walk.bvh")
    (tmp_path / "circle.toml").symlink_to(tmp_path / "circle.toml")
    assert mentions(run_inside("build", tmp_path / "circle.toml").line, "circle.toml")
    assert mentions(run_inside("build", circle).line, "circle")
    (tmp_path / "hero.toml").write_text('inputs = ["circle.bvh/a.bvh"]', encoding="utf-8")
    assert mentions(run_inside("build", tmp_path / "hero.toml").line, "circle.bvh")
    for command in (("encode", circle, "-o", tmp_path / "x.ossb"), ("encode", bvh, "-o", circle),
                    ("decode", walk_bank, "--clip", "walk", "-o", circle)):
        ran = run_inside(*command)
        assert ran.status == 1 and mentions(ran.line, circle)


@pytest.mark.parametrize("command", ["--help", "--version", "", "inspect {bank}", "inspect {bank} --json"])
@pytest.mark.parametrize("redirection, status", [(">&-", 0), (">/dev/full", 1)])
def test_an_output_that_takes_nothing(walk_bank: Path, command: str, redirection: str, status: int) -> None:
    line = command.format(bank=walk_bank)
    ran = subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -m ossicle {line} {redirection}"], check=False,
        capture_output=True, text=True, timeout=60, env=ENVIRONMENT)
    assert ran.returncode == (2 if command == "" and status == 0 else status)
    assert "Traceback" not in ran.stderr
    assert status == 0 or mentions(ran.stderr, "No space left on device")


def test_names_that_the_output_has_no_letters_for(tmp_path: Path) -> None:
    bvh = write_bvh(tmp_path / "walk \U0001f468.bvh")
    bank, plain = tmp_path / "\U0001f468.ossb", {"PYTHONIOENCODING": "ascii"}
    assert "walk \\U0001f468" in run_command("encode", bvh, "-o", bank, environment=plain).out
    ran = run_command("inspect", bank, "--json", environment=plain)
    assert ran.status == 0 and json.loads(ran.out.replace("\\U0001f468", "x"))
    assert "\\U0001f468" in run_command("inspect", bank, environment=plain).out


def test_more_threads_than_there_can_be(tmp_path: Path) -> None:
    bvh, banks = write_bvh(tmp_path / "walk.bvh"), []
    for jobs in ("1", "9" * 30):
        assert run_inside("encode", bvh, "-o", tmp_path / "x.ossb", "--jobs", jobs, "--quiet").status == 0
        banks.append((tmp_path / "x.ossb").read_bytes())
    assert banks[0] == banks[1]


def wait_for_encoder(process: int) -> None:
    """Waits a little longer than the library takes to load, so that clips are being encoded."""
    deadline = time.monotonic() + 3 * PATIENCE_S
    while b"libossicle_encoder" not in Path(f"/proc/{process}/maps").read_bytes():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(0.5)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_long_encode_at_once(tmp_path: Path, number: signal.Signals) -> None:
    """Every clip takes minutes, and no thread can be stopped."""
    joints = tuple(f"joint{j}" for j in range(60))
    bvh = write_bvh(tmp_path / "walk.bvh", frames=400, joints=joints)
    out = tmp_path / "out"
    out.mkdir()
    (out / "x.ossb").write_bytes(b"before")
    process = subprocess.Popen(
        [sys.executable, "-m", "ossicle", "encode", bvh, "-o", out / "x.ossb", "--effort", "max"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
    try:
        wait_for_encoder(process.pid)
        process.send_signal(number)
        printed, errors = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
    assert (printed, errors) == ("", f"ossicle: {signals.MESSAGE}\n")
    assert process.returncode == 128 + number
    assert os.listdir(out) == ["x.ossb"] and (out / "x.ossb").read_bytes() == b"before"


def written_bank(path: Path, joints: tuple[str, ...], clip: str, last_frame: int = 1) -> Path:
    """A bank of still joints, with names and a frame count that `encode` would refuse."""
    count = len(joints)
    frames = np.zeros((2, count, 10))
    frames[..., 3] = frames[..., 7:] = 1.0
    skeleton = native.Skeleton(np.array([-1] + [0] * (count - 1)), frames[0])
    status, encoded, _ = native.encode_clip(
        skeleton, native.ClipInput(frames, np.zeros((2, count, 3), bool)), native.EncodeSettings(1e-3, restart_log2=31))
    assert status == native.OK and encoded is not None
    data = bytearray(native.write_bank(skeleton, [encoded], [(name_hash(clip), 1 << 16, 1)],
                                       names_section(joints, [clip])))
    sections = {bytes(data[at:at + 4]): int.from_bytes(data[at + 4:at + 8], "little") & 0x7FFFFFFF
                for at in range(20, 68, 12)}
    shape = 4 * sections[b"CLIP"] + 4 * 4  # behind one rate and the hash
    data[shape:shape + 4] = (int.from_bytes(data[shape:shape + 4], "little") - 1 + last_frame).to_bytes(4, "little")
    data[12:16] = zlib.crc32(data[16:], zlib.crc32(data[:12])).to_bytes(4, "little")
    path.write_bytes(data)
    return path


def test_names_of_foreign_banks_do_not_steer_the_terminal(tmp_path: Path) -> None:
    bank = written_bank(tmp_path / "x.ossb", ("a\x1b[2J", "[red]b"), "*/\n\x9bc\u202e")
    ran = run_inside("inspect", bank)
    assert ran.status == 0 and "a\ufffd[2J" in ran.out and "*/\ufffd\ufffdc\ufffd" in ran.out
    assert "[red]b" in ran.out and all(c.isprintable() for c in ran.out.replace("\n", ""))


def test_a_bank_that_decodes_to_more_than_memory(tmp_path: Path) -> None:
    bank = written_bank(tmp_path / "x.ossb", tuple(f"j{j}" for j in range(64)), "walk", 0xFFFFF)
    assert run_inside("inspect", bank).status == 0
    ran = run_inside("decode", bank, "--clip", "walk", "-o", tmp_path / "walk.rawclip")
    assert ran.status == 1 and mentions(ran.line, "walk 1048576 64")


def test_rates_that_are_the_same_on_the_device_count_once() -> None:
    frames = np.zeros((2, 1, 10))
    frames[..., 3] = frames[..., 7:] = 1.0
    clips = [Clip(f"c{i}", 30.0 + i * 1e-9, frames, np.zeros((2, 1, 3), bool), "x.bvh") for i in range(70)]
    skeleton = Skeleton(("root",), np.array([-1], np.int32), frames[0])
    assert len(encode_clips(Imported(skeleton, clips), Settings()).clips) == 70


def test_an_error_beyond_all_measure_is_still_one_readable_line() -> None:
    joints = 60
    frames = np.zeros((2, joints, 10))
    frames[..., 3], frames[..., 4], frames[..., 7:] = 1.0, 0.1, 2000.0
    frames[1, :, 4] = 0.12
    clip = Clip("grow", 30.0, frames, np.zeros((2, joints, 3), bool), "x.bvh")
    skeleton = Skeleton(tuple(f"j{j}" for j in range(joints)), np.arange(-1, joints - 1), frames[0])
    with pytest.raises(EncodeProblem, match=mentioning("scale")) as problem:
        encode_clips(Imported(skeleton, [clip]), Settings())
    assert len(str(problem.value)) < 200
