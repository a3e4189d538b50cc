"""The command uses nothing that Windows lacks: here it runs in a Python from which all of that is
removed once Python's own modules are loaded."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from ossicle.base.places import library_name
from running import ROOT, run_inside, write_bvh

# What the standard library documents as missing on Windows, of what a command line might use.
LIMITED = '''
import os, signal, sys, subprocess, tempfile, shutil, threading
import numpy, cffi, jinja2, rich.console, rich.progress
for module, names in ((os, "pathconf statvfs fstatvfs fork getuid geteuid getpgid killpg mkfifo chown uname"),
                      (signal, "pthread_sigmask pthread_kill sigwait SIGHUP SIGKILL SIGALRM SIG_UNBLOCK SIG_BLOCK "
                               "setitimer alarm")):
    for name in names.split():
        delattr(module, name)
for module in "fcntl pwd grp resource termios tty pty syslog".split():
    sys.modules[module] = None
plain_link = os.link
def link(source, place, *, follow_symlinks=True):
    if not follow_symlinks:
        raise NotImplementedError("link: follow_symlinks unavailable on this platform")
    plain_link(source, place)
os.link = link
sys.argv = ["ossicle", *sys.argv[1:]]
from ossicle.__main__ import main
sys.exit(main())
'''


def run_limited(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LIMITED, *map(str, arguments)], cwd=cwd, check=False, text=True,
        capture_output=True, timeout=120,
        env=os.environ | {"PYTHONPATH": str(ROOT / "codegen"), "OSSICLE_OBJECTS": str(cwd / "objects")})


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_bvh(tmp_path / "walk.bvh")
    (tmp_path / "hero.toml").write_text(
        'inputs = ["walk.bvh"]\ngenerate = "code"\nembed = true\ntarget = "microbit"\n', encoding="utf-8")
    return tmp_path


@pytest.mark.exhaustive
def test_everything_is_built(project: Path) -> None:
    for _ in range(2):  # the second run replaces files
        ran = run_limited("build", "hero.toml", cwd=project)
        assert (ran.returncode, ran.stderr) == (0, "")
    expected = project / "expected.ossb"
    assert run_inside("encode", project / "walk.bvh", "-o", expected, "--quiet").status == 0
    assert (project / "hero.ossb").read_bytes() == expected.read_bytes()
    assert (project / "code/hero_pose.c").is_file() and not list(project.glob(".ossicle-*"))


def test_errors_are_still_one_line(project: Path) -> None:
    long = run_limited("encode", "walk.bvh", "-o", "x" * 300, cwd=project)
    assert long.returncode == 1 and "File name too long" in long.stderr and long.stderr.count("\n") == 1
    if os.getuid():  # for root, every folder can be written
        (project / "locked").mkdir(0o500)
        ran = run_limited("encode", "walk.bvh", "-o", "locked/x.ossb", cwd=project)
        assert ran.returncode == 1 and "Permission denied" in ran.stderr


@pytest.mark.parametrize(("system", "name"), [
    ("linux", "libossicle_encoder.so"), ("darwin", "libossicle_encoder.dylib"),
    ("win32", "libossicle_encoder.dll")])
def test_the_library_has_the_name_of_its_system(system: str, name: str) -> None:
    assert library_name(system) == name
