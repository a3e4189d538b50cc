"""Feet in a cross-fade of clips that keep step: they slide no further than those of the clips alone."""
from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from c_programs import COMPILER, INCLUDES, RUNTIME, STRICT, build_program
from figures import figure
from ossicle.bank.file import parse_bank
from ossicle.encoding.events.contact_rules import parse_contacts
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Skeleton
from ossicle.model.import_options import ImportOptions
from ossicle.model.rotations import multiply, rotate
from pages import read_blocks, read_page
from running import HERO

CORPUS = Path(__file__).resolve().parents[3] / "shared/corpus"
TICK_US, ONE_Q20, ONE_Q15 = 16667, 1 << 20, 1 << 15
LOOPS_TICKS = 360  # of a clip alone
PHASES = 32  # of the first clip, at which a fade begins
FADE_S = 0.3
SLID_M = 0.025  # the higher a point is, the less its move counts as a slide, down to nothing here
MOST = 1.2  # times what either clip does


@dataclass
class Pair:
    """Two clips of a bank. travel: metres that a loop of each stands for. points: of soles, of the left foot and
    then of the right one, a joint and where in its space."""

    program: Path
    bank: Path
    clips: list[int]
    ends_q11: list[int]
    marks: list[int]
    points: list[tuple[int, np.ndarray]]
    travel: list[float]

    def play(self, weights: tuple[int, int], fade_s: float, ticks: int, start_q11: int, lock: bool) -> np.ndarray:
        """Positions of the points at each tick [T, feet, points, 3], in metres."""
        words = [*self.clips, *(round(metres * ONE_Q20) for metres in self.travel), *self.marks, *weights,
                 round(fade_s * 1e6), TICK_US, ticks, start_q11, int(lock)]
        for joint, at in self.points:
            words += [joint, *np.rint(at * ONE_Q20).astype(int)]
        ran = subprocess.run([self.program, self.bank, *map(str, words)], capture_output=True, text=True, check=True)
        rows = np.array([line.split()[:-3] for line in ran.stdout.splitlines()], float) / ONE_Q20
        return rows.reshape(len(rows), 2, -1, 3)

    def alone(self, which: int) -> np.ndarray:
        return self.play((ONE_Q15 * which,) * 2, 0.0, LOOPS_TICKS, 0, False)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sync")
    source = Path(__file__).with_name("sync_driver.c")
    return build_program(COMPILER, [*STRICT, "-O2", *INCLUDES], [source, *RUNTIME], folder / "sync")


def bind_of(skeleton: Skeleton, joint: int) -> tuple[np.ndarray, np.ndarray]:
    """The rotation and the place of a joint in the bind pose, in model space."""
    bind, parent = skeleton.bind[joint], int(skeleton.parents[joint])
    if parent < 0:
        return bind[:4], bind[4:7]
    turn, place = bind_of(skeleton, parent)
    return multiply(turn, bind[:4]), place + rotate(turn, bind[4:7])


def pair_of(program: Path, folder: Path, sources: Sequence[Path], rules: Sequence[ClipRule], feet: Sequence[str],
            soles: Sequence[tuple[str, float, float | None]], travel: Sequence[float] | None = None) -> Pair:
    """soles: of each foot, points by a joint, with `foot` for the foot's own name, metres ahead of it and metres below,
    None for those to the ground of the bind pose. travel: None for what the feet say."""
    clips = [rule.pattern for rule in rules]
    imported = read_clips(sources, ImportOptions(only=tuple(clips)))
    settings = Settings(clips=tuple(rules), contacts=parse_contacts(list(feet), "contacts"), effort="fast",
                        loop_limit_m=0.3)
    (folder / "bank").write_bytes(encode_clips(imported, settings).bank)
    bank = parse_bank((folder / "bank").read_bytes())
    numbers = [[clip.name for clip in bank.clips].index(name) for name in clips]
    skeleton, points = imported.skeleton, []
    for foot in feet:
        for name, ahead_m, below_m in soles:
            joint = skeleton.names.index(foot if name == "foot" else name + foot[-2:])
            turn, place = bind_of(skeleton, joint)
            at = np.array([0.0, -(place[1] if below_m is None else below_m), ahead_m])
            points.append((joint, rotate(turn * [-1.0, -1.0, -1.0, 1.0], at)))
    marks = [bank.events.names.index(f"{foot.replace('.', '_')}_down") for foot in feet]
    pair = Pair(program, folder / "bank", numbers, [(bank.clips[n].frame_count - 1) << 11 for n in numbers], marks,
                points, list(travel or (0.0, 0.0)))
    if travel is None:
        rates = [bank.clips[number].rate_q16 / 65536 for number in numbers]
        pair.travel = [stated_by_feet(pair.alone(which)) * (end >> 11) / rate
                       for which, (end, rate) in enumerate(zip(pair.ends_q11, rates))]
    return pair


def lowest(places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each tick and foot: the distance that its lowest point moves over the ground, and its height."""
    moved = np.linalg.norm(np.diff(places[..., [0, 2]], axis=0), axis=-1)
    heights = (places[1:, ..., 1] + places[:-1, ..., 1]) / 2
    which = heights.argmin(-1)[..., None]
    return np.take_along_axis(moved, which, -1)[..., 0], np.take_along_axis(heights, which, -1)[..., 0]


def stated_by_feet(places: np.ndarray) -> float:
    """Metres a second: the median of what feet on the ground move back in a clip in place."""
    moved, heights = lowest(places)
    return float(np.median(moved[heights < heights.min() + 0.01])) * 1e6 / TICK_US


def slides(places: np.ndarray, ground: float) -> np.ndarray:
    """Metres that both feet slide in each tick."""
    moved, heights = lowest(places)
    return (moved * (2.0 - 2.0 ** np.clip((heights - ground) / SLID_M, 0.0, 1.0))).sum(1)


def most_slide(pair: Pair, weights: tuple[int, int], lock: bool, fade_s: float = FADE_S) -> float:
    """The most that feet slide in a fade, whenever it begins, as a share of the most that either clip does in the
    same time."""
    ticks = round(fade_s * 1e6 / TICK_US)
    alone = [pair.alone(which) for which in (0, 1)]
    ground = min(float(places[..., 1].min()) for places in alone)
    own = max(np.convolve(slides(places, float(places[..., 1].min())), np.ones(ticks), "valid").max()
              for places in alone)
    fades = [slides(pair.play(weights, fade_s, ticks, pair.ends_q11[0] * k // PHASES, lock), ground).sum()
             for k in range(PHASES)]
    return float(max(fades) / own)


TO_RUN, TO_WALK = (0, ONE_Q15), (ONE_Q15, 0)


def check(pair: Pair, character: str) -> None:
    """Feet slide as much as stated, and locked feet little."""
    measured = [most_slide(pair, weights, lock) for weights in (TO_RUN, TO_WALK) for lock in (False, True)]
    print(character, measured)
    assert max(measured[1], measured[3]) < MOST < min(measured[0], measured[2])
    stated = [figure(f"sliding.{character}_to_{fade}") for fade in ("run", "run_locked", "walk", "walk_locked")]
    assert measured == pytest.approx(stated, abs=0.06)


@pytest.fixture(scope="module")
def hero(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return pair_of(program, tmp_path_factory.mktemp("hero"), [HERO],
                   [ClipRule("Walk", loop=True), ClipRule("Run", loop=True)],
                   ("left_foot", "right_foot"), (("foot", -0.06, None), ("foot", 0.17, None)), (1.2, 2.1))


def test_the_hero_stands_on_its_feet(hero: Pair) -> None:
    check(hero, "hero")
    slow = most_slide(hero, TO_RUN, False, 1.0)
    assert slow == pytest.approx(figure("sliding.hero_to_run_in_a_second"), abs=0.06)


def test_the_code_of_the_page_has_the_soles_of_the_hero(hero: Pair) -> None:
    code = " ".join(block.text for block in read_blocks(read_page("runtime/POSES.md")))
    soles = re.findall(r"HERO_JOINT_(\w+)_FOOT, {(-?\d+), (-?\d+), (-?\d+)}", code)
    assert [side for side, *_ in soles] == ["LEFT"] * 2 + ["RIGHT"] * 2
    assert [int(word) for _, *words in soles for word in words] == [
        round(word * ONE_Q20) for _, at in hero.points for word in at]


@pytest.mark.skipif(not (CORPUS / "Knight.glb").is_file(), reason="no corpus beside the checkout")
def test_the_knight_stands_on_its_feet(program: Path, tmp_path: Path) -> None:
    check(pair_of(program, tmp_path, [CORPUS / "Knight.glb"],
                  [ClipRule("Walking_A", loop=True), ClipRule("Running_A", loop=True)],
                  ("foot.l", "foot.r"), (("foot", 0.0, None), ("toes", 0.0, None))), "knight")


@pytest.mark.skipif(not (CORPUS / "bandai").is_dir(), reason="no corpus beside the checkout")
def test_captures_that_travel_stand_on_their_feet(program: Path, tmp_path: Path) -> None:
    """A cycle of each, moved by its trajectory."""
    cycles = {"walk": (8, 42, "Hips"), "run": (0, 23, "joint_Root")}
    rules = [ClipRule(f"dataset-1_{gait}_normal_001", loop="close", start_s=first / 30, end_s=last / 30,
                      root_motion=("x", "z", "yaw"), root_joint=root) for gait, (first, last, root) in cycles.items()]
    check(pair_of(program, tmp_path, [CORPUS / f"bandai/{rule.pattern}.bvh" for rule in rules], rules,
                  ("Foot_L", "Foot_R"), (("foot", 0.0, 0.0), ("Toes", 0.0, 0.0)), (0.0, 0.0)), "bandai")
