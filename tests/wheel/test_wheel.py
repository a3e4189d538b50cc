"""`pip install` from a source archive gives the whole command, which works without a checkout."""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from assimp import has_assimp
from captures import HERO, write_capture
from fbx_writer import FbxJoint, write_fbx
from meshopt_packing import Packed

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli"))
from ossicle.base.places import BUILT  # noqa: E402
from ossicle.cli.commands.init import targets_with_game  # noqa: E402
from ossicle.machines import load_target  # noqa: E402
from running import run_inside, write_bvh  # noqa: E402
from unit_test_of_game import MOST_LINES, write_game  # noqa: E402
from mentions import mentions

PARTS = ("codegen", "platforms", "runtime", "targets", "LICENSE", "MANIFEST.in", "README.md",
         "pyproject.toml", "setup.py", *BUILT)
PLAIN = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "OSSICLE_ENCODER")}
QUICK = PLAIN | {"CFLAGS": "-O0"}  # banks do not depend on the level

Command = Callable[..., subprocess.CompletedProcess[str]]


def run(*words: object, cwd: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=environment, check=False,
                          capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def build_wheel(folder: Path) -> Path:
    """A wheel, built from a source archive of a copy of the checkout, both of which are gone."""
    copy = folder / "copy"
    copy.mkdir()
    for name in PARTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name,
                            ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "generated"))
        else:
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy / name)
    run(sys.executable, "setup.py", "--quiet", "sdist", cwd=copy, environment=QUICK)
    [archive] = (copy / "dist").iterdir()
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--no-index",
        "--wheel-dir", folder, archive, cwd=folder, environment=QUICK)
    shutil.rmtree(copy)
    [wheel] = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Command:
    """The command of a virtual environment that holds the wheel and nothing else. Its packages are
    those of the system."""
    run(sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", folder, cwd=wheel.parent,
        environment=PLAIN)
    python = folder / "bin/python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel,
        cwd=folder, environment=PLAIN)

    def command(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
        return run(folder / "bin/ossicle", *words, cwd=cwd, environment=PLAIN)
    return command


def check_the_wheel(wheel: Path) -> None:
    assert "-py3-none-" in wheel.name and not wheel.name.endswith("-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "ossicle/files/runtime/ossicle.h" in names
    assert "ossicle/files/codegen/blender/blender_manifest.toml" in names
    assert "ossicle/files/platforms/dsp/osc_port_config.h" in names
    assert not [name for name in names if "SConscript" in name or name.endswith(".pyc")]


def check_a_unit_test_of_a_game(ossicle: Command, tmp_path: Path) -> None:
    """The one of the page on mocks, with the page's own Makefile."""
    assert write_game(tmp_path).read_text(encoding="utf-8").count("\n") <= MOST_LINES
    testing = Path(ossicle("paths", "testing", cwd=tmp_path).stdout.strip())
    assert (testing / "mock_spi_nor.h").is_file() and ROOT not in testing.parents
    path = f"{tmp_path.parent / 'bare/bin'}:{PLAIN['PATH']}"
    done = run("make", "test", cwd=tmp_path, environment=PLAIN | {"PATH": path})
    assert "[  PASSED  ] 1 test(s)." in done.stdout + done.stderr


def check_build(ossicle: Command, tmp_path: Path) -> None:
    (tmp_path / "hero.toml").write_text(
        'inputs = ["walk.bvh"]\ngenerate = "."\nembed = true\ntarget = "host"\n', encoding="utf-8")
    built = ossicle("build", "hero.toml", cwd=tmp_path)
    expected = tmp_path / "expected.ossb"
    assert run_inside("encode", tmp_path / "walk.bvh", "-o", expected, "--quiet").status == 0
    assert (tmp_path / "hero.ossb").read_bytes() == expected.read_bytes()
    [hint] = [line for line in built.stdout.splitlines() if mentions(line, "-c -std=c99 -I")]
    compiled = subprocess.run(["bash", "-c", hint.partition(": ")[2]], cwd=tmp_path, check=False,
                              capture_output=True, text=True, timeout=600)
    assert compiled.returncode == 0, compiled.stderr
    assert (tmp_path / "hero_pose.o").is_file() and (tmp_path / "osc_bank.o").is_file()


def check_other_commands(ossicle: Command, tmp_path: Path) -> None:
    ossicle("encode", "walk.bvh", "-o", "walk.ossb", "--quiet", cwd=tmp_path)
    ossicle("generate", "walk.ossb", "-o", "code", "--quiet", cwd=tmp_path)
    assert "walk" in ossicle("inspect", "walk.ossb", cwd=tmp_path).stdout
    assert (tmp_path / "code/walk_pose.c").is_file()
    runtime = Path(ossicle("paths", "runtime", cwd=tmp_path).stdout.strip())
    assert (runtime / "ossicle.h").is_file() and ROOT not in runtime.parents
    listed = json.loads(ossicle("targets", "--json", cwd=tmp_path).stdout)
    assert {"gba", "host", "microbit"} <= {target["name"] for target in listed}
    ossicle("view", "walk.ossb", "--source", "walk.bvh", "-o", "walk.html", "--no-open", cwd=tmp_path)
    assert "<title>walk</title>" in (tmp_path / "walk.html").read_text(encoding="utf-8")
    write_packed(tmp_path)
    ossicle("encode", "packed.glb", "-o", "packed.ossb", "--quiet", cwd=tmp_path)
    assert "0.1.0" in ossicle("--version", cwd=tmp_path).stdout


def check_retargeting(ossicle: Command, folder: Path) -> None:
    """Of a capture, and of an .fbx file where Assimp is installed, with the bytes that the checkout writes."""
    def run_checkout(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
        return run(sys.executable, "-m", "ossicle", *words, cwd=cwd,
                   environment=PLAIN | {"PYTHONPATH": str(ROOT / "codegen")})

    write_capture(folder / "walk.bvh")
    write_fbx(folder / "hero.fbx", [FbxJoint("Hips"), FbxJoint("Head", "Hips")],
              {"Nod": {("Head", "R", "X"): [(0.0, 0.0), (1.0, 60.0)]}})
    written = {}
    for name, command in (("installed", ossicle), ("checkout", run_checkout)):
        out = folder / name
        out.mkdir()
        command("retarget", "walk.bvh", "--onto", HERO, "-o", name, "--quiet", cwd=folder)
        out.joinpath("hero.toml").write_text(f"inputs = [{str(HERO)!r}]\nclips = ['walk']\n"
                                             "[[retarget]]\ninputs = ['../walk.bvh']\n", encoding="utf-8")
        command("build", f"{name}/hero.toml", "--quiet", cwd=folder)
        if has_assimp():
            command("encode", "hero.fbx", "-o", f"{name}/fbx.ossb", "--quiet", cwd=folder)
        written[name] = {path.name: path.read_bytes() for path in out.iterdir() if path.suffix in (".glb", ".ossb")}
    assert written["installed"] == written["checkout"] and "walk.glb" in written["checkout"]


def write_packed(folder: Path) -> None:
    """A glTF file that needs the decoder of meshoptimizer."""
    g = Packed()
    g.node("Hips", translation=[0, 1, 0])
    g.document["animations"] = [{"name": "Turn", "samplers": [], "channels": []}]
    times, turns = np.arange(2, dtype="<f4"), np.array([[0, 0, 0, 1], [0, 0, 1, 0]], "<f4")
    accessors = [g.raw_accessor(bufferView=g.packed(values, stride), componentType=5126, type=kind, count=2)
                 for values, stride, kind in ((times, 4, "SCALAR"), (turns, 16, "VEC4"))]
    g.channel(0, 0, "rotation", *accessors, "LINEAR")
    g.write_glb(folder, "packed.glb")


def check_games(ossicle: Command, commands: Path, folder: Path) -> None:
    """Every game that `init` offers is built in an empty folder, and played where this computer can, with the same
    poses: the height of a hand, or on a display the states and the hash of a film."""
    printed: dict[bool, set[tuple[str, ...]]] = {False: set(), True: set()}
    environment = PLAIN | {"PATH": f"{commands}:{PLAIN['PATH']}", "OSSICLE_CACHE": str(folder / "clips")}
    for target in targets_with_game():
        game = folder / target
        assert "make" in ossicle("init", target, "-o", target, cwd=folder).stdout.splitlines()[-1]
        machine = load_target(target)
        if target == "pico" and machine.runs_here:  # else npm loads it again
            shutil.copytree(ROOT / "build/pico", game / "build/pico", symlinks=True)
            os.utime(game / "build/pico/node_modules")
        goal = "run" if machine.runs_here else "all"
        output = run("make", "-s", "-j2", goal, cwd=game, environment=environment)
        assert not re.search("warning: (?!linking abicalls)", output.stderr)
        if goal == "run":
            printed[bool(machine.screen)].add(tuple(
                line for line in (output.stdout + output.stderr).splitlines()
                if line.partition(" ")[0] in ("right", "state", "hash")))
    assert [len(outputs) for outputs in printed.values()] == [1, 1]
    assert all(len(output) >= 6 for [output] in printed.values())


@pytest.mark.exhaustive
def test_the_installed_command(tmp_path: Path) -> None:
    """One test: every worker that runs a part of it would build a wheel."""
    wheel = build_wheel(tmp_path)
    check_the_wheel(wheel)
    ossicle = install(wheel, tmp_path / "bare")
    game = tmp_path / "game"
    game.mkdir()
    check_a_unit_test_of_a_game(ossicle, game)
    project = tmp_path / "project"
    project.mkdir()
    write_bvh(project / "walk.bvh")
    check_build(ossicle, project)
    check_other_commands(ossicle, project)
    retargeting = tmp_path / "retargeting"
    retargeting.mkdir()
    check_retargeting(ossicle, retargeting)
    games = tmp_path / "games"
    games.mkdir()
    check_games(ossicle, tmp_path / "bare/bin", games)


def test_a_missing_compiler_is_named(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, ROOT / "setup.py", "--quiet", "build", "--build-base", tmp_path],
                          cwd=ROOT, env=PLAIN | {"CC": "no-such-cc"}, check=False, capture_output=True, text=True)
    assert done.returncode != 0 and mentions(done.stderr, "no-such-cc No such file or directory")
