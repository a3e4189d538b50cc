"""The tables of mirrored poses: pairs of names, any axes, real characters."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bank_builder import bank_bytes, biped
from compiling import compile_strict, run

from ossicle.bank.file import Bank, Joint, parse_bank
from ossicle.base.problem import SettingProblem
from tools.demo import HERO
from ossicle.config.project import read_project
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.settings import Settings
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.generate.plans.mirror import ONE_Q20, MirrorPlan, plan_mirror
from ossicle.model.sides import Mirror, other_side, partners_of
from ossicle.importers.importer import read_clips
from ossicle.model.import_options import ImportOptions
from ossicle.model.rotations import multiply, normalise, rotate
from mentions import mentioning

DRIVER = Path(__file__).with_name("mirror_driver.c")
CORPUS = Path(__file__).resolve().parents[4] / "shared" / "corpus"

PLACE_LIMIT_UM = 20.0  # rounding of the composition along a chain, in Q20 metres
TURNED_LIMIT = 2e-5  # of constants, and of the bind pose, in Q20

REFLECTED = {"x": np.array([1.0, -1.0, -1.0, 1.0]), "y": np.array([-1.0, 1.0, -1.0, 1.0]),
             "z": np.array([-1.0, -1.0, 1.0, 1.0])}
CONJUGATE = np.array([-1.0, -1.0, -1.0, 1.0])
CESIUM_PAIRS = (("node16", "node13"), ("node17", "node14"), ("node18", "node15"), ("node7", "node3"),
                ("node8", "node4"), ("node9", "node5"), ("node10", "node6"))


@pytest.mark.parametrize(("name", "other"), [
    ("left_hand", "right_hand"), ("LeftHand", "RightHand"), ("handLeft", "handRight"), ("hand.L", "hand.R"),
    ("hand_l", "hand_r"), ("hand-l", "hand-r"), ("L_hand", "R_hand"), ("mixamorig:LeftArm", "mixamorig:RightArm"),
    ("Bip01 L Thigh", "Bip01 R Thigh"), ("LEFT_ARM", "RIGHT_ARM"), ("finger.l.001", "finger.r.001"),
])
def test_names_tell_sides(name: str, other: str) -> None:
    names = [name, other, "root"]
    assert other_side(name, names) == other and other_side(other, names) == name


@pytest.mark.parametrize("name", ["_larm", "pelvis", "cleft", "Relight", "skull", "tail", "left_ear"])
def test_other_names_have_no_side(name: str) -> None:
    assert other_side(name, [name, "_rarm", "peRvis", "cright", "Rerightt", "taiR"]) is None


def test_a_name_with_two_sides_is_asked_for() -> None:
    names = ["l_arm_l", "r_arm_l", "l_arm_r", "r_arm_r"]
    with pytest.raises(SettingProblem, match=mentioning("l_arm_r")):
        other_side("l_arm_l", names)
    assert other_side("l_arm_l", ["l_arm_l", "r_arm_r"]) == "r_arm_r"


def test_joints_of_one_side_have_no_partner() -> None:
    names, parents = ["hips", "hand.l", "hand.r", "sword", "blade", "tail"], [None, 0, 0, 2, 3, 0]
    assert partners_of(Mirror(), names, parents) == [0, 2, 1, None, None, 5]


@pytest.mark.parametrize(("pairs", "message"), [
    ([("hand.l", "claw")], "claw"),
    ([("hand.l", "hand.r"), ("hand.l", "foot.r")], "hand.l"),
    ([("hand.l", "tip")], "hips hand.l"),
])
def test_pairs_that_cannot_be(pairs: list[tuple[str, str]], message: str) -> None:
    names, parents = ["hips", "hand.l", "hand.r", "foot.r", "tip"], [None, 0, 0, 0, 1]
    with pytest.raises(SettingProblem, match=mentioning(message)):
        partners_of(Mirror("x", tuple(pairs)), names, parents)


def test_a_bank_without_sides_is_reported_with_the_remedy() -> None:
    bank = parse_bank(bank_bytes(biped(), []))
    joints = tuple(replace(joint, name=f"joint{number}") for number, joint in enumerate(bank.joints))
    with pytest.raises(SettingProblem, match=mentioning("hand.l hand.r [mirror]")):
        plan_mirror(replace(bank, joints=joints), [joint.name for joint in joints], Mirror())


# ---- any axes ----

def random_rotation(rng: np.random.Generator) -> np.ndarray:
    return normalise(rng.normal(size=4))


def rig(seed: int, kind: str, axis: str) -> tuple[Bank, np.ndarray]:
    """A bank whose sides are mirror images, with axes of a kind; and C of each joint."""
    rng = np.random.default_rng(seed)
    parents = [None, 0, 1, 1, 2, 3, 4, 5, 1]
    names = ["hips", "spine", "arm.l", "arm.r", "elbow.l", "elbow.r", "hand.l", "hand.r", "head"]
    partners = [0, 1, 3, 2, 5, 4, 7, 6, 8]
    n = "xyz".index(axis)
    rotations, places = np.zeros((9, 4)), np.zeros((9, 3))
    turns = np.tile([0.0, 0.0, 0.0, 1.0], (9, 1))
    for joint, partner in enumerate(partners):
        if partner == joint:  # about the axis: it reflects to itself
            rotations[joint] = normalise(np.where(np.arange(4) == n, rng.normal(), 0.0) + [0, 0, 0, rng.normal()])
            if kind == "any":
                rotations[joint] = random_rotation(rng)
                turns[joint] = multiply(rotations[joint] * REFLECTED[axis] * CONJUGATE, rotations[joint])
            places[joint] = np.where(np.arange(3) == n, 0.0, rng.normal(size=3))
        elif partner > joint:
            rotations[joint], places[joint] = random_rotation(rng), rng.normal(size=3)
            choice = {"same": [0, 0, 0, 1.0], "half": np.eye(4)[rng.integers(4)], "any": random_rotation(rng)}[kind]
            turns[joint] = choice
            # B_j = (R B_p R) C_j, and so B_p = R B_j R (R C_j R)^-1
            back = np.array(choice) * REFLECTED[axis] * CONJUGATE
            turns[partner] = back
            rotations[partner] = multiply(rotations[joint] * REFLECTED[axis], back)
            places[partner] = np.where(np.arange(3) == n, -places[joint], places[joint])
    joints = []
    for joint, parent in enumerate(parents):
        q, t = rotations[joint], places[joint]
        if parent is not None:
            above = rotations[parent] * CONJUGATE
            q, t = multiply(above, q), rotate(above, t - places[parent])
        joints.append(Joint(names[joint], parent, tuple(int(v) for v in np.rint(np.concatenate([q, t]) * ONE_Q20)),
                            (True, True, False)))
    bank = replace(parse_bank(bank_bytes(biped(), [])), joints=tuple(joints))
    return bank, turns


def mirrored(plan: MirrorPlan, names: list[str], rotations: np.ndarray, places: np.ndarray) \
        -> tuple[np.ndarray, np.ndarray]:
    """The mirrored pose by the table, in floats."""
    number = {name: joint for joint, name in enumerate(names)}
    out, moved = rotations.copy(), places.copy()
    for group in plan.groups:
        signs = np.array([-1.0, -1.0, -1.0, 1.0]) if group.axis else np.ones(4)
        if group.axis:
            signs[group.axis - 1] = 1.0
        for left, right in (*group.pairs, *((joint, joint) for joint in group.middle)):
            for to, source in ((left, right), (right, left)):
                out[number[to]] = rotations[number[source]] * signs
                moved[number[to]] = places[number[source]] * -signs[:3]
    for rule in plan.turned:
        for to, source, turn in ((rule.joint, rule.partner, rule.turn), (rule.partner, rule.joint, rule.back)):
            rows, lines = plan.turns[turn]
            out[number[to]] = np.reshape(rows, (4, 4)) / ONE_Q20 @ rotations[number[source]]
            moved[number[to]] = np.reshape(lines, (3, 3)) / ONE_Q20 @ places[number[source]]
    return out, moved


def composed(parents: list[int | None], rotations: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    model, at = rotations.copy(), places.copy()
    for joint, parent in enumerate(parents):
        if parent is not None:
            at[joint] = at[parent] + rotate(model[parent], places[joint])
            model[joint] = multiply(model[parent], rotations[joint])
    return model, at


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("kind", ["same", "half", "any"])
def test_any_axes_mirror(kind: str, axis: str) -> None:
    for seed in range(20):
        bank, turns = rig(seed, kind, axis)
        names, parents = [joint.name for joint in bank.joints], [joint.parent for joint in bank.joints]
        plan = plan_mirror(bank, names, Mirror(axis))
        assert plan is not None
        if kind == "same":
            assert not plan.turned and [group.axis for group in plan.groups] == ["xyz".index(axis) + 1]
        if kind == "half":  # of 20 rigs all have joints that change signs
            assert all(set(map(abs, rows)) <= {0, ONE_Q20} for rows, _ in plan.turns)
        rng = np.random.default_rng(seed + 1000)
        rotations = np.array([random_rotation(rng) for _ in names])
        places = rng.normal(size=(len(names), 3))
        model, at = composed(parents, rotations, places)
        image, image_at = composed(parents, *mirrored(plan, names, rotations, places))
        signs = np.where(np.arange(3) == "xyz".index(axis), -1.0, 1.0)
        for joint, partner in enumerate(map(names.index, plan.partners)):
            expected = multiply(model[partner] * REFLECTED[axis], turns[joint])
            assert min(np.abs(image[joint] - expected).max(), np.abs(image[joint] + expected).max()) < TURNED_LIMIT * 5
            assert np.abs(image_at[joint] - at[partner] * signs).max() < TURNED_LIMIT * 50


def test_a_lopsided_bind_pose_is_refused() -> None:
    bank, _ = rig(1, "same", "x")
    with pytest.raises(SettingProblem, match=mentioning("hand.l hand.r 3313mm [mirror]")):
        plan_mirror(bank, [joint.name for joint in bank.joints], Mirror("y"))


# ---- real characters ----

def play(folder: Path, bank: bytes, mirror: Mirror, axes_agree: bool) -> tuple[float, bool]:
    """The largest difference from the mirror image in micrometres, and whether twice is once."""
    (folder / "hero.ossb").write_bytes(bank)
    written = generate(folder / "hero.ossb", folder, Code(embed=True, mirror=mirror))
    compile_strict("gcc", [path for path in written if path.suffix == ".c"] + [DRIVER], folder / "play", "-O2",
                   f"-DAXIS={'xyz'.index(mirror.axis)}", f"-DAXES_AGREE={int(axes_agree)}", "-Wl,-lm")
    off, twice = run([folder / "play"]).stdout.split()
    return float(off), twice == "1"


def test_the_demo_mirrors(tmp_path: Path) -> None:
    imported = read_clips([HERO], ImportOptions())
    off, twice = play(tmp_path, encode_clips(imported, Settings()).bank, Mirror(), True)
    assert twice and off < PLACE_LIMIT_UM


@pytest.mark.skipif(not (CORPUS / "Knight.glb").is_file(), reason="no corpus beside the checkout")
def test_the_knight_mirrors(tmp_path: Path) -> None:
    imported = read_clips([CORPUS / "Knight.glb"], ImportOptions(only=("Walking_A", "1H_Melee_Attack_Chop")))
    off, twice = play(tmp_path, encode_clips(imported, Settings()).bank, Mirror(), True)
    assert twice and off < PLACE_LIMIT_UM


@pytest.mark.skipif(not (CORPUS / "cesium_man.gltf").is_file(), reason="no corpus beside the checkout")
def test_axes_of_no_convention_mirror(tmp_path: Path) -> None:
    imported = read_clips([CORPUS / "cesium_man.gltf"], ImportOptions())
    off, _ = play(tmp_path, encode_clips(imported, Settings()).bank, Mirror("z", CESIUM_PAIRS), False)
    assert off < PLACE_LIMIT_UM


@pytest.mark.skipif(not (CORPUS / "bandai").is_dir(), reason="no corpus beside the checkout")
def test_a_rest_pose_that_is_no_pose_is_refused() -> None:
    imported = read_clips(sorted((CORPUS / "bandai").glob("*.bvh"))[:1], ImportOptions())
    bank = parse_bank(encode_clips(imported, Settings()).bank)
    with pytest.raises(SettingProblem, match="T-pose"):
        plan_mirror(bank, [joint.name for joint in bank.joints], Mirror())


def test_the_file_has_a_table(tmp_path: Path) -> None:
    path = tmp_path / "hero.toml"
    head = 'inputs = ["hero.glb"]\ngenerate = "."\n[mirror]\n'
    path.write_text(head + 'axis = "z"\npairs = [["a", "b"]]\n', encoding="utf-8")
    assert read_project(path).mirror == Mirror("z", (("a", "b"),))
    for wrong, message in (('axes = "z"', "axes"), ('axis = "w"', "w"), ('pairs = [["a"]]', "pairs ['a']")):
        path.write_text(head + wrong + "\n", encoding="utf-8")
        with pytest.raises(SettingProblem, match=mentioning(message)):
            read_project(path)
