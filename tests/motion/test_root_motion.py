"""Root motion: clips in place and their trajectories together are the source, and captured walks loop."""
from __future__ import annotations

import math
import subprocess
from pathlib import Path

import numpy as np
import pytest
from c_programs import COMPILER, INCLUDES, RUNTIME, STRICT, build_program
from gltf_builder import GltfBuilder, turn
from ossicle.bank.file import parse_bank
from ossicle.encoding import native
from ossicle.encoding.encoder import BankResult, encode_clips
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.importers.importer import read_clips
from ossicle.model import rotations
from ossicle.model.clip import ROTATION, TRANSLATION, Imported
from ossicle.model.shell import shell_errors
from ossicle.model.trajectory.components import COMPONENTS
from running import run_inside
from mentions import mentions

TOLERANCE_M = 1e-3
ROUNDING_M = 5e-6
SHELL_M = 0.03
FRAMES = 41


def walk(folder: Path, turned: float = 30.0, offset: float = 3.0, under: bool = True, kind: str = "LINEAR") -> Path:
    """Hips that walk forward on a curve, sway, and swing a leg twice, from far off the origin. under: below a root
    that stays."""
    g = GltfBuilder()
    first = 0
    if under:
        g.node("Root", children=[1])
        first = 1
    g.node("Hips", translation=[0, 0.9, 0], children=[first + 1])
    g.node("Leg", translation=[0.1, -0.1, 0], children=[first + 2])
    g.node("Foot", translation=[0, -0.7, 0])
    g.skin(list(range(first + 3)))
    times = np.arange(FRAMES) / 30
    share = times / times[-1]
    step = 4 * math.pi * share
    yaw = math.radians(turned) * share
    path = [[offset + 1.4 * math.sin(a) * s + 0.02 * math.sin(p), 0.9 + 0.03 * math.cos(p),
             -offset + 1.4 * math.cos(a) * s]
            for a, s, p in zip(yaw, share, step)]
    spins = [turn("y", 70 + turned * s + 4 * math.sin(p)) for s, p in zip(share, step)]
    swings = [turn("x", 35 * math.sin(p)) for p in step]

    def keys(values: list[list[float]]) -> list:
        return [[[0.0] * len(value), value, [0.0] * len(value)]
                for value in values] if kind == "CUBICSPLINE" else values
    g.animation("Walk", *((node, path, times, keys(values), kind) for node, path, values in (
        (first, "translation", path), (first, "rotation", spins), (first + 1, "rotation", swings))))
    return g.write_glb(folder)


def encoded(path: Path, components: tuple[str, ...] = ("x", "z", "yaw"), **rule: object) -> tuple[Imported, BankResult]:
    imported = read_clips([path])
    rules = (ClipRule("Walk", root_motion=components, **rule),)
    return imported, encode_clips(imported, Settings(clips=rules, effort="fast"))


@pytest.fixture(scope="session")
def trajectory_driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Prints the trajectory of a bank as the runtime reads it."""
    driver = Path(__file__).with_name("trajectory_driver.c")
    return build_program(COMPILER, [*STRICT, "-O2", *INCLUDES], [*RUNTIME, driver],
                         tmp_path_factory.mktemp("trajectory") / "trajectory_driver")


def together(imported: Imported, result: BankResult, driver: Path, folder: Path) -> np.ndarray:
    """Poses that the runtime plays, at frames and midpoints, moved by the trajectory as the runtime reads it."""
    bank = folder / "together.ossb"
    bank.write_bytes(result.bank)
    lines = subprocess.run([driver, bank, "1024"], check=True, capture_output=True, text=True).stdout.split("\n")[:-1]
    numbers = np.array([line.split() for line in lines], float)
    moved, start = numbers[:-1], numbers[-1:]
    names = imported.skeleton.names
    played = native.decode_clip(native.bank_words(result.bank), 0, len(names), True).astype(np.float64)
    facing = _yaw(start[:, 3])
    position = start[:, :3] / 2**20 + rotations.rotate(facing, moved[:, :3] / 2**20)
    rotation = rotations.multiply(facing, _yaw(moved[:, 3]))
    joint = names.index("Hips")  # what is above stays where the character stands
    whole = played.copy()
    whole[:, joint, TRANSLATION] = position + rotations.rotate(rotation, played[:, joint, TRANSLATION])
    whole[:, joint, ROTATION] = rotations.multiply(rotation, played[:, joint, ROTATION])
    return whole


def _yaw(yaw_q24: np.ndarray) -> np.ndarray:
    half = np.pi * yaw_q24 / 2**24
    zero = np.zeros_like(half)
    return np.stack([zero, np.sin(half), zero, np.cos(half)], axis=-1)


@pytest.mark.parametrize("kind", ["LINEAR", "CUBICSPLINE"])
@pytest.mark.parametrize("under", [True, False])
@pytest.mark.parametrize("components", [("x", "z", "yaw"), ("x", "z"), ("yaw",), ("y",), COMPONENTS])
def test_clip_and_trajectory_are_the_source(tmp_path: Path, trajectory_driver: Path, components: tuple[str, ...],
                                            under: bool, kind: str) -> None:
    imported, result = encoded(walk(tmp_path, under=under, kind=kind), components)
    clip, played = imported.clips[0], together(imported, result, trajectory_driver, tmp_path)
    seconds = np.arange(len(played)) / (len(played) - 1) * clip.curve.times[-1]
    off = shell_errors(imported.skeleton.parents, clip.curve.at(seconds), played, SHELL_M)
    assert off.max() <= TOLERANCE_M + ROUNDING_M


def test_a_walk_that_ends_elsewhere_loops(tmp_path: Path) -> None:
    path = walk(tmp_path)
    bank = tmp_path / "walk.ossb"
    refused = run_inside("encode", path, "-o", bank, "--loop", "Walk")
    assert refused.status != 0
    _, result = encoded(path, loop=True)
    clip = parse_bank(result.bank).clips[0]
    trajectory = parse_bank(result.bank).trajectories[0]
    assert clip.loop and trajectory.components == ("x", "z", "yaw")
    assert trajectory.start == pytest.approx((3.0, -3.0, 70 / 360), abs=1e-5)
    assert trajectory.end[2] == pytest.approx(30 / 360, abs=1e-6)
    assert math.hypot(*trajectory.end[:2]) == pytest.approx(1.4, abs=1e-4)


def test_the_hips_stay_above_the_origin(tmp_path: Path) -> None:
    imported, result = encoded(walk(tmp_path), root_tolerance_m=0.02)
    frames = result.sources[0].frames
    assert np.abs(frames[:, 1, [4, 6]]).max() <= 0.02 * math.sqrt(2) + ROUNDING_M
    yaw = 2 * np.degrees(np.arctan2(frames[:, 1, 1], frames[:, 1, 3]))
    assert np.abs(yaw).max() <= math.degrees(0.02 / 0.5) + 1e-3
    assert (frames[:, 0] == imported.clips[0].frames[:, 0]).all()


def test_a_clip_that_stays_has_no_trajectory(tmp_path: Path) -> None:
    imported, _ = encoded(walk(tmp_path))
    still = walk(tmp_path, turned=0.0, offset=0.0)
    _, result = encoded(still, ("y",), root_tolerance_m=0.1)
    assert parse_bank(result.bank).trajectories == {} and result.sources[0].trajectory is None
    assert imported.clips[0].trajectory is None


@pytest.mark.parametrize(("tolerance_m", "segments", "size_bytes"), [(3e-4, 40, 300), (3e-3, 10, 120), (0.02, 5, 64)])
def test_trajectories_have_as_few_segments_as_they_need(tmp_path: Path, tolerance_m: float, segments: int,
                                                        size_bytes: int) -> None:
    """Numbers of segments grow by a quarter until all frames are within the tolerance, and keys have the width that it
    needs."""
    _, result = encoded(walk(tmp_path), root_tolerance_m=tolerance_m)
    trajectory = parse_bank(result.bank).trajectories[0]
    assert (trajectory.segments, trajectory.size_bytes) == (segments, size_bytes)


def test_the_file_says_it(tmp_path: Path) -> None:
    config, bank = tmp_path / "walk.toml", tmp_path / "walk.ossb"
    config.write_text('root_motion = "yaw xz"\nroot_joint = "Hips"\nroot_tolerance = "2cm"\n[clips."Walk"]\n'
                      'root_tolerance = "1cm"\nloop = true\n', encoding="utf-8")
    assert run_inside("encode", walk(tmp_path), "-o", bank, "--config", config, "--quiet").status == 0
    lines = run_inside("inspect", bank).out.splitlines()
    head = next(number for number, line in enumerate(lines) if mentions(line, "clip moves"))
    assert [line.split()[0] for line in lines[head + 1:head + 2]] == ["Walk"]
    stripped = parse_bank(bank.read_bytes())
    assert stripped.trajectories[0].components == ("x", "z", "yaw")


@pytest.mark.parametrize(("line", "problem"), [
    ('root_motion = "xq"', "q"), ('root_motion = "xx"', "x"),
    ('root_motion = ""', "root_motion xz"), ("root_motion = true", "root_motion True"),
    ('root_motion = "x"\nroot_joint = "hips"', "Walk root_joint hips Hips"),
])
def test_bad_settings_are_refused(tmp_path: Path, line: str, problem: str) -> None:
    config = tmp_path / "walk.toml"
    config.write_text(line, encoding="utf-8")
    ran = run_inside("encode", walk(tmp_path), "-o", tmp_path / "walk.ossb", "--config", config)
    assert ran.status != 0 and mentions(ran.line, problem)
