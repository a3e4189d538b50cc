"""What nobody writes on purpose: numbers without end, closed outputs, links in circles, signals."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from running import ROOT, Ran, run_command, run_inside, write_bvh

ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT / "codegen"), "PYTHONDONTWRITEBYTECODE": "1"}
PATIENCE_S = 20.0  # far less than what is interrupted takes


def built(folder: Path, text: str) -> Ran:
    write_bvh(folder / "walk.bvh")
    (folder / "hero.toml").write_text(f'inputs = ["walk.bvh"]\n{text}\n', encoding="utf-8")
    return run_inside("build", folder / "hero.toml", "--quiet")


@pytest.mark.parametrize("text, said", [
    ("[import]\nfps = " + "9" * 400, "[import] fps: a number of 400 digits; give a smaller one"),
    ("[import]\nscale = -" + "9" * 400, "[import] scale: a number of 401 digits"),
    ("[screen]\nheight = " + "9" * 400, "[screen] height: a number of 400 digits"),
    ("restart = " + "9" * 5000, "not valid TOML: Exceeds the limit"),
    ("x = " + "[" * 5000 + "]" * 5000, "not valid TOML: nested too deep; remove brackets"),
    ('output = "a\\u0000b"', "output = 'a\\x00b': no path holds a zero byte"),
    ('generate = "a\\u0000b"', "generate = 'a\\x00b': no path holds a zero byte"),
])
def test_values_without_an_end(tmp_path: Path, text: str, said: str) -> None:
    ran = built(tmp_path, text)
    assert ran.status == 1 and ran.line.startswith(f"ossicle: {tmp_path}/hero.toml: ")
    assert said in ran.line
    assert sorted(os.listdir(tmp_path)) == ["hero.toml", "walk.bvh"]


def test_an_input_with_a_zero_byte(tmp_path: Path) -> None:
    (tmp_path / "hero.toml").write_text('inputs = ["a\\u0000.bvh"]', encoding="utf-8")
    assert "no path holds a zero byte" in run_inside("build", tmp_path / "hero.toml").line


def test_a_byte_order_mark_is_no_part_of_the_toml(tmp_path: Path) -> None:
    write_bvh(tmp_path / "walk.bvh")
    (tmp_path / "hero.toml").write_text('inputs = ["walk.bvh"]', encoding="utf-8-sig")
    assert run_inside("build", tmp_path / "hero.toml", "--quiet").status == 0


@pytest.mark.parametrize("arguments", [
    ("--tolerance", "1e300m"), ("--shell", "1e300m"),
    ("--tolerance", "1e307px", "--screen-height", "240", "--fov", "60", "--distance", "1e6m"),
    ("--tolerance", "1e-300px", "--screen-height", "240", "--fov", "60", "--distance", "1e-300m"),
])
def test_lengths_that_no_square_holds(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ran = run_inside("encode", write_bvh(tmp_path / "walk.bvh"), "-o", tmp_path / "x.ossb",
                     *arguments)
    assert ran.status == 1 and "more than zero and finite, at most 1e+09 m" in ran.line


@pytest.mark.parametrize("text, said", [
    ('[joints.spine]\ntolerance = "0.001um"', "joint spine: frame "),
    ('mode = "layer"\n[joints.spine]\ntolerance = "0.001um"', "joint spine: frame "),
    ('pin = ["spine"]\ntolerance = "0.01um"', "joint spine: frame "),
])
def test_a_joint_s_own_tolerance_is_the_one_named(tmp_path: Path, text: str, said: str) -> None:
    ran = built(tmp_path, text)
    assert ran.status == 1 and said in ran.line
    assert " mm even with the finest steps, over the joint's tolerance of 1e-06 mm; raise" in ran.line


def test_an_endless_name_is_refused_before_the_work(tmp_path: Path) -> None:
    bvh = write_bvh(tmp_path / "walk.bvh", joints=("hips", "é" * 501))
    ran = run_inside("encode", bvh, "-o", tmp_path / "x.ossb")
    assert ran.status == 1 and "walk.bvh: the name of joint 1 has 1002 bytes, at most" in ran.line


def test_links_in_a_circle(tmp_path: Path, walk_bank: Path) -> None:
    circle = tmp_path / "circle.bvh"
    circle.symlink_to(circle)
    bvh = write_bvh(tmp_path / "walk.bvh")
    for command in (("encode", circle, "-o", tmp_path / "x.ossb"), ("encode", bvh, "-o", circle),
                    ("decode", walk_bank, "--clip", "walk", "-o", circle)):
        ran = run_inside(*command)
        assert ran.status == 1 and f"ossicle: {circle}: cannot be followed" in ran.line


@pytest.mark.parametrize("command", ["--help", "--version", "", "inspect {bank}",
                                     "inspect {bank} --json"])
@pytest.mark.parametrize("redirection, status", [(">&-", 0), (">/dev/full", 1)])
def test_an_output_that_takes_nothing(walk_bank: Path, command: str, redirection: str,
                                      status: int) -> None:
    line = command.format(bank=walk_bank)
    ran = subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -m ossicle {line} {redirection}"], check=False,
        capture_output=True, text=True, timeout=60, env=ENVIRONMENT)
    assert ran.returncode == (2 if command == "" and status == 0 else status)
    assert "Traceback" not in ran.stderr
    assert status == 0 or ran.stderr == "ossicle: cannot print: No space left on device\n"


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
        assert run_inside("encode", bvh, "-o", tmp_path / "x.ossb", "--jobs", jobs,
                          "--quiet").status == 0
        banks.append((tmp_path / "x.ossb").read_bytes())
    assert banks[0] == banks[1]


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
        time.sleep(3.0)  # the import is over, and if not, that may be interrupted as well
        process.send_signal(number)
        printed, said = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
    assert (printed, said) == ("", "ossicle: interrupted; no file is half-written\n")
    assert process.returncode == 128 + number
    assert os.listdir(out) == ["x.ossb"] and (out / "x.ossb").read_bytes() == b"before"
