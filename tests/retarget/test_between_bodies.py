"""Motion on characters with other proportions, conventions and rest poses."""
from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from captures import HERO, hero
from disguises import Z_UP, Disguise, disguise, models
from ossicle.base.arrays import Array
from mentions import mention_each, mentioning
from ossicle.importers.importer import read_mesh
from ossicle.model.clip import TRANSLATION, Imported, ImportProblem, Skeleton
from ossicle.model.import_options import ImportOptions
from ossicle.model.mesh.mesh import Mesh
from ossicle.model.mesh.skinning import skinning_of
from ossicle.model.rotations import between, inverse, multiply, rotate
from ossicle.retargeting.character import from_bind, from_motion
from ossicle.retargeting.humanoid import CharacterProblem, Humanoid, RetargetProblem
from ossicle.retargeting.mapping import find_humanoid
from ossicle.retargeting.options import RetargetOptions
from ossicle.retargeting.retarget import Retargeted, retarget
from ossicle.retargeting.rig import World, rig_of
from ossicle.retargeting.rules import RetargetRule
from ossicle.retargeting.corrections.sole_points import skin_of
from ossicle.retargeting.sources import CharacterMesh, RuleTransfer
from schemes import SCHEMES
from walkers import long_shoes, over_ground, stocky

ARM_DEGREES = 0.01
LEG_DEGREES = 3.0  # on average; legs that are too short or too far apart reach for the ground
HINGE_DEGREES = 6.0
BACK_DEGREES = 10.0
SLIDE_MM, GROUND_MM = 2.0, 3.0
CAP_M = 0.15
FRAMES, SUNK_M = 60, 0.03
NEAR_M = 1e-6
QUARTER = np.array([0.0, np.sqrt(0.5), 0.0, np.sqrt(0.5)])
KINDS: list[dict[str, object]] = [{}, {"scale": 1.3}, {"world": Z_UP}, {"mirrored": True, "world": Z_UP, "scale": 0.5}]


@lru_cache(maxsize=None)
def walk() -> Imported:
    return over_ground("Walk")


def named(scheme: str) -> Imported:
    return Imported(SCHEMES[scheme].skeleton(), [])


def with_names(disguised: Imported, made: Disguise, skeleton: Skeleton) -> Imported:
    """Gives joints of a disguise their own names."""
    names = tuple(skeleton.names[old] for old in made.order)
    return replace(disguised, skeleton=replace(disguised.skeleton, names=names))


def places(skeleton: Skeleton, frames: Array) -> Array:
    """Returns the positions of joints [F, J, 3]."""
    position: Array = models(skeleton, frames)[..., 3]
    return position


def bones(position: Array, body: Humanoid, limb: str) -> Array:
    """Returns the unit vectors of both bones of the left and right limbs [F, 4, 3]."""
    lines = []
    for side in ("left", "right"):
        found = getattr(body, f"{side}_{limb}")
        ends = found.upper, found.lower, found.hand if limb == "arm" else found.foot
        lines += [position[:, ends[1]] - position[:, ends[0]], position[:, ends[2]] - position[:, ends[1]]]
    line = np.stack(lines, axis=1)
    unit: Array = line / np.linalg.norm(line, axis=-1, keepdims=True)
    return unit


def degrees(a: Array, b: Array) -> Array:
    angle: Array = np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), (a * b).sum(axis=-1)))
    return angle


def directions(source: Imported, result: Retargeted, limb: str, clip: int = 0) -> Array:
    """Returns the angles between the bones of source and result [F, 4]."""
    assert result.source_map is not None and result.character_map is not None
    theirs = bones(places(source.skeleton, source.clips[clip].frames), result.source_map, limb)
    ours = bones(places(result.imported.skeleton, result.imported.clips[clip].frames), result.character_map, limb)
    return degrees(theirs, ours)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_walk_on_every_convention(scheme: str) -> None:
    result = retarget(walk(), named(scheme))
    assert directions(walk(), result, "arm").max() < ARM_DEGREES
    assert directions(walk(), result, "leg").mean() < LEG_DEGREES
    measure, = result.measures
    assert measure.slide_mm < SLIDE_MM and measure.ground_mm is None


def hinges(skeleton: Skeleton, frames: Array, body: Humanoid) -> Array:
    """Returns the axes about which elbows bend, in the axes of the upper arms [F, 2, 3]; 0 for straight arms."""
    matrices, lines = models(skeleton, frames), bones(places(skeleton, frames), body, "arm")
    result = []
    for number, arm in enumerate((body.left_arm, body.right_arm)):
        assert arm is not None
        axis = np.cross(lines[:, 2 * number], lines[:, 2 * number + 1])
        bent = np.linalg.norm(axis, axis=-1, keepdims=True)
        axis = np.where(bent > np.sin(np.radians(15.0)), axis / bent, 0.0)
        result.append(np.einsum("fba,fb->fa", matrices[:, arm.upper, :, :3], axis))
    return np.stack(result, axis=1)


@pytest.mark.parametrize("clip", ["Walk", "Wave", "Run"])
def test_elbows_bend_about_their_axes(clip: str) -> None:
    """The bind pose of the character bends its elbows a little, about the same axes."""
    source, character = over_ground(clip), named("Mixamo")
    result = retarget(source, character)
    body, skeleton = result.character_map, character.skeleton
    assert body is not None
    rest = hinges(skeleton, skeleton.bind[None], body)[0]
    moved = hinges(skeleton, result.imported.clips[0].frames, body)
    bends = np.abs(moved).max(axis=-1) > 0.0
    assert bends.any()
    theirs = hinges(source.skeleton, source.clips[0].frames, find_humanoid(source.skeleton))
    spread = max(degrees(theirs[:, side][bends[:, side]], theirs[:, side].sum(axis=0)).mean() for side in (0, 1)
                 if bends[:, side].any())
    assert degrees(moved, np.broadcast_to(rest, moved.shape))[bends].mean() < HINGE_DEGREES + spread


@pytest.mark.parametrize("kind", KINDS)
def test_a_character_in_disguise_moves_alike(kind: dict[str, object]) -> None:
    """Whatever the axes, units, order, armature and up axis of the character."""
    character = named("Mixamo")
    made = disguise(character.skeleton, 3, **kind)
    other = with_names(made.imported(character), made, character.skeleton)
    ours = retarget(walk(), other).imported.clips[0]
    wanted = made.clip(retarget(walk(), character).imported.clips[0], character.skeleton)
    difference = models(other.skeleton, ours.frames) - models(other.skeleton, wanted.frames)
    assert np.abs(difference).max() < NEAR_M * 10.0 / made.scale


@pytest.mark.parametrize("kind", KINDS)
def test_a_source_in_disguise_gives_the_same(kind: dict[str, object]) -> None:
    """Except for the head, whose axes are taken for those of a body if they are near to them."""
    made = disguise(hero().skeleton, 4, **kind)
    other = with_names(made.imported(walk()), made, hero().skeleton)
    ours, wanted = (retarget(source, named("Unreal mannequin")) for source in (other, walk()))
    body = ours.character_map
    assert body is not None
    joints = [joint for joint in range(len(ours.imported.skeleton.names)) if joint not in (*body.neck, body.head)]
    a, b = (places(result.imported.skeleton, result.imported.clips[0].frames)[:, joints] for result in (ours, wanted))
    assert np.abs(a - b).max() < NEAR_M


def test_a_turned_motion_turns_the_result() -> None:
    ours, wanted = (places(named("LaFAN1").skeleton, retarget(source, named("LaFAN1")).imported.clips[0].frames)
                    for source in (over_ground("Walk", turn=QUARTER), walk()))
    assert np.abs(ours[..., [2, 1]] - wanted[..., [0, 1]] * (-1.0, 1.0)).max() < NEAR_M


def test_motion_comes_back() -> None:
    """Arms of the demo character have nearly the same orientation after a visit to another skeleton, and its soles are
    above the ground."""
    there = retarget(walk(), named("Mixamo")).imported
    back = retarget(there, hero(), mesh=read_mesh(HERO, hero().skeleton)[0])
    body = find_humanoid(hero().skeleton)
    assert body.left_arm is not None
    joints = [body.hips, *body.trunk, body.left_arm.upper, body.left_arm.lower, body.left_leg.upper]
    ours, theirs = (models(hero().skeleton, clip.frames)[:, joints, :, :3]
                    for clip in (back.imported.clips[0], walk().clips[0]))
    assert np.abs(ours - theirs).max() < np.radians(BACK_DEGREES)
    assert back.measures[0].slide_mm < SLIDE_MM and back.measures[0].ground_mm < GROUND_MM


def test_only_rotations() -> None:
    """Without feet, legs have the directions of the source."""
    result = retarget(walk(), named("CMU"), RetargetOptions(feet=False))
    assert directions(walk(), result, "leg").max() < ARM_DEGREES


def test_the_travel_may_be_given() -> None:
    result = retarget(walk(), named("Mixamo"), RetargetOptions(scale=0.5)).imported
    ours, theirs = (places(imported.skeleton, imported.clips[0].frames)[:, 0, 2] for imported in (result, walk()))
    assert abs(np.ptp(ours) / np.ptp(theirs) - 0.5) < 0.01


def test_a_loop_stays_a_loop() -> None:
    source = replace(hero(), clips=[clip for clip in hero().clips if clip.name in ("Walk", "Idle", "Spin")])
    for clip in retarget(source, named("Mixamo")).imported.clips:
        assert np.abs(np.asarray(clip.frames)[0] - np.asarray(clip.frames)[-1]).max() < 1e-4


def test_a_pose_elsewhere_is_left_out() -> None:
    """As in the database of CMU, whose clips begin with a T-pose at the origin."""
    clip = walk().clips[0]
    frames = np.concatenate([hero().skeleton.bind[None] + [0, 0, 0, 0, 2.0, 0, 0, 0, 0, 0], clip.frames])
    source = replace(walk(), clips=[replace(clip, frames=frames, steps=np.zeros((*frames.shape[:2], 3), bool))])
    result = retarget(source, named("Mixamo"))
    assert mention_each(result.warnings, ["Walk"])
    wanted = retarget(walk(), named("Mixamo")).imported.clips[0]
    assert np.abs(np.asarray(result.imported.clips[0].frames) - np.asarray(wanted.frames)).max() < NEAR_M


def test_a_pose_of_the_source_may_stand_for_the_bind_pose() -> None:
    """The result has the character's bind pose where the source has this pose, wherever that faces."""
    pose = np.asarray(hero().clips[4].frames)[30]
    clip = replace(hero().clips[4], frames=np.repeat(pose[None], 3, axis=0), curve=None)
    source = replace(hero(), clips=[replace(clip, steps=np.zeros((3, len(pose), 3), bool))])
    character = named("Mixamo")
    result = retarget(source, character, RetargetOptions(rest_pose=pose, feet=False)).imported.clips[0]
    turned = np.abs(np.asarray(result.frames)[:, 1:, :4]) - np.abs(character.skeleton.bind[1:, :4])
    assert np.abs(turned).max() < NEAR_M


def test_clips_tell_about_a_bind_pose_that_does_not_stand() -> None:
    """A skeleton with bones along x, those of right limbs along -x, and a clip with the same motion as before."""
    moved = retarget(walk(), named("Mixamo")).imported
    axes = np.array([[0.0, 0.0, 0.0, 1.0]] * len(moved.skeleton.names))
    for joint, parent in enumerate(moved.skeleton.parents):
        offset = moved.skeleton.bind[joint, 4:7]
        if parent >= 0 and np.count_nonzero(moved.skeleton.parents == parent) == 1:
            along = -1.0 if "Right" in moved.skeleton.names[parent] else 1.0
            axes[parent] = between(np.array([along, 0.0, 0.0]), offset / np.linalg.norm(offset))
    made = Disguise(tuple(range(len(axes))), axes, 1.0)
    other = with_names(made.imported(moved), made, moved.skeleton)
    bind = other.skeleton.bind.copy()
    bind[:, :4] = (0.0, 0.0, 0.0, 1.0)
    lies = replace(other, skeleton=replace(other.skeleton, bind=bind))
    result = retarget(walk(), lies)
    assert directions(walk(), result, "arm").max() < ARM_DEGREES
    assert directions(walk(), result, "leg").mean() < LEG_DEGREES
    with pytest.raises(CharacterProblem, match=mentioning("bind pose")):
        retarget(walk(), replace(lies, clips=[]))


def test_a_leg_of_one_bone_is_a_problem_of_the_file_that_has_it() -> None:
    skeleton = named("Mixamo").skeleton
    bind = skeleton.bind.copy()
    bind[skeleton.names.index("mixamorig:LeftFoot"), TRANSLATION] = 0.0
    flat = replace(skeleton, bind=bind)
    mesh = CharacterMesh([Path("flat.bvh")], ImportOptions())
    with pytest.raises(ImportProblem, match=mentioning("flat.bvh mixamorig:LeftFoot mixamorig:LeftLeg")) as problem:
        RuleTransfer(RetargetRule([]), mesh, ImportOptions()).retargeted(walk(), Imported(flat, []))
    assert problem.value.names_file
    with pytest.raises(RetargetProblem, match=mentioning("mixamorig:LeftFoot mixamorig:LeftLeg")) as other:
        retarget(Imported(flat, retarget(walk(), named("Mixamo")).imported.clips), hero())
    assert not isinstance(other.value, CharacterProblem)


def test_a_clip_of_one_frame() -> None:
    clip = walk().clips[0]
    source = replace(walk(), clips=[replace(clip, frames=np.asarray(clip.frames)[:1], steps=clip.steps[:1])])
    assert directions(source, retarget(source, named("Mixamo")), "arm").max() < ARM_DEGREES


@pytest.mark.parametrize("share", [0.5, 0.25])
def test_twist_joints_take_the_roll_of_the_lower_arm(share: float) -> None:
    """Those at a share of the way to the hand take this share of it; the elbow stays as it is."""
    straight = retarget(walk(), named("Mixamo")).imported
    joint = straight.skeleton.names.index("mixamorig:LeftForeArm")
    bone = straight.skeleton.bind[joint + 1, 4:7]
    frames = np.asarray(straight.clips[0].frames).copy()
    rolls = np.linspace(0.0, 100.0, len(frames))
    sine = np.sin(np.radians(rolls / 2.0))[:, None]
    roll = np.concatenate([sine * bone / np.linalg.norm(bone), np.cos(np.radians(rolls / 2.0))[:, None]], axis=1)
    frames[:, joint, :4] = multiply(frames[:, joint, :4], roll)
    rolled = replace(straight, clips=[replace(straight.clips[0], frames=frames)])
    character = named("Unreal mannequin")
    names = [character.skeleton.names.index(name) for name in ("lowerarm_l", "lowerarm_twist_01_l", "hand_l")]
    character.skeleton.bind[names[1], TRANSLATION] = share * character.skeleton.bind[names[2], TRANSLATION]
    ours, theirs = (np.asarray(retarget(source, character).imported.clips[0].frames)[:, names, :4]
                    for source in (rolled, straight))
    turns = multiply(ours, inverse(theirs))
    angles = np.degrees(2.0 * np.arctan2(np.linalg.norm(turns[..., :3], axis=-1), np.abs(turns[..., 3])))
    assert np.abs(angles - rolls[:, None] * (0.0, share, 1.0)).max() < 1.0


def accelerations(position: Array, rate: float) -> Array:
    found: Array = np.linalg.norm(np.diff(position, 2, axis=0), axis=-1) * rate * rate
    return found


@pytest.mark.parametrize("clip, wide, most", [
    *((clip, False, 1.5) for clip in ("Walk", "Run", "Jump", "Spin")),
    *((clip, True, 2.5) for clip in ("Walk", "Run", "Jump"))])
def test_knees_and_feet_move_smoothly(clip: str, wide: bool, most: float) -> None:
    """The largest acceleration, compared in leg lengths. A spin moves wide hips more."""
    source, character = over_ground(clip), stocky() if wide else named("Mixamo")
    result = retarget(source, character)
    assert result.source_map is not None and result.character_map is not None
    theirs = places(source.skeleton, source.clips[0].frames)
    ours = places(character.skeleton, result.imported.clips[0].frames)
    legs = [(body.left_leg, body.right_leg) for body in (result.source_map, result.character_map)]
    lengths = [sum(np.linalg.norm(position[0, b] - position[0, a]) for a, b in
                   ((leg[0].upper, leg[0].lower), (leg[0].lower, leg[0].foot)))
               for position, leg in zip((theirs, ours), legs)]
    for their_leg, our_leg in zip(*legs):
        for a, b in ((their_leg.lower, our_leg.lower), (their_leg.foot, our_leg.foot)):
            ratio = lengths[1] / lengths[0]
            assert accelerations(ours[:, b], 30.0).max() / ratio <= most * accelerations(theirs[:, a], 30.0).max() + 2.0


def lowest_m(mesh: Mesh, result: Retargeted) -> float:
    """Returns the lowest height of a vertex, which has two joints of equal weight."""
    skeleton = result.imported.skeleton
    matrices, undo = models(skeleton, result.imported.clips[0].frames), skinning_of(skeleton)
    corners = np.concatenate([mesh.positions, np.ones((len(mesh.positions), 1))], axis=1)
    height = sum(0.5 * np.einsum("fvb,vbc,vc->fv", matrices[:, mesh.joints[:, side], 1], undo[mesh.joints[:, side]],
                                 corners) for side in (0, 1))
    return float(height.min())


@pytest.mark.parametrize("clip", ["Walk", "Run", "Jump", "Spin"])
def test_long_shoes_stay_above_the_ground(clip: str) -> None:
    character = stocky()
    mesh = long_shoes(character)
    result = retarget(over_ground(clip), character, mesh=mesh)
    lowest = lowest_m(mesh, result)
    assert lowest > -GROUND_MM / 1000.0
    assert abs(result.measures[0].ground_mm + 1000.0 * min(lowest, 0.0)) < 0.1
    assert result.measures[0].slide_mm < SLIDE_MM


@pytest.mark.parametrize("tilt", [0.0, 60.0, 100.0, 125.0])
def test_the_lowest_point_of_a_shoe_may_be_its_cap(tilt: float) -> None:
    """When its toes point down and back."""
    character = stocky()
    mesh, rig = long_shoes(character, CAP_M), rig_of(character.skeleton)
    body = from_bind(character.skeleton, find_humanoid(character.skeleton))
    assert body is not None
    skin = skin_of(rig, body.legs[0], body.frames, mesh)
    turn = np.array([np.sin(np.radians(tilt) / 2.0), 0.0, 0.0, np.cos(np.radians(tilt) / 2.0)])
    place = body.bind.positions[0, body.legs[0].foot]
    turned = World(multiply(turn, body.bind.rotations), place + rotate(turn, body.bind.positions - place))
    left = mesh.positions[mesh.positions[:, 0] > 0.0]
    assert np.abs(skin.lowest(turned) - (place + rotate(turn, left - place))[:, 1].min()).max() < NEAR_M


def test_joints_without_a_partner() -> None:
    """The demo character has neither toes nor collar bones nor fingers."""
    unmapped = retarget(walk(), named("Unreal mannequin")).unmapped
    assert {"ball_l", "clavicle_r", "thumb_01_l", "ik_foot_root", "root"} <= set(unmapped)
    assert not {"spine_02", "neck_01", "head", "hand_l", "lowerarm_twist_01_r", "foot_r"} & set(unmapped)


@pytest.mark.parametrize("clip", ["Walk", "Run"])
def test_feet_of_a_clip_in_place_reach_the_ground(clip: str) -> None:
    """Where the foot of the source is lowest, though it slides below a body that does not travel."""
    source = replace(hero(), clips=[read for read in hero().clips if read.name == clip])
    character = stocky()
    result = retarget(source, character)
    body, theirs = result.character_map, result.source_map
    assert body is not None and theirs is not None
    rest = places(character.skeleton, character.skeleton.bind[None])[0, body.left_leg.foot, 1]
    height = places(character.skeleton, result.imported.clips[0].frames)[:, body.left_leg.foot, 1]
    low = places(source.skeleton, source.clips[0].frames)[:, theirs.left_leg.foot, 1]
    assert np.abs(height - rest)[low < low.min() + 0.001].max() < 0.005


def test_hips_may_lie_on_the_ground() -> None:
    """As in rigs whose root carries thighs and trunk."""
    character = named("Mixamo")
    bind = character.skeleton.bind.copy()
    below = np.flatnonzero(character.skeleton.parents == 0)
    bind[below, 4:7] += bind[0, 4:7]
    bind[0, 4:7] = 0.0
    result = retarget(walk(), Imported(replace(character.skeleton, bind=bind), []))
    wanted = places(character.skeleton, retarget(walk(), character).imported.clips[0].frames)
    assert np.abs(places(result.imported.skeleton, result.imported.clips[0].frames) - wanted)[:, 1:].max() < 0.02


def test_the_ground_is_where_the_body_stands() -> None:
    """And not where its feet sink while it sits, as into a mat."""
    skeleton, body = hero().skeleton, find_humanoid(hero().skeleton)
    standing = from_bind(skeleton, body)
    assert standing is not None
    frames = np.tile(skeleton.bind, (2 * FRAMES, 1, 1))
    for leg in standing.legs:
        frames[FRAMES:, leg.upper, :4] = multiply(np.array([-np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]),
                                                  frames[FRAMES:, leg.upper, :4])
    sitting = rig_of(skeleton).world(frames[-1:]).positions[0]
    frames[FRAMES:, body.hips, 5] -= sitting[[leg.foot for leg in standing.legs], 1].min() - standing.ankle_m + SUNK_M
    character, _ = from_motion(skeleton, body, [(frames, 30.0)])
    assert abs(character.ankle_m - standing.ankle_m) < NEAR_M
