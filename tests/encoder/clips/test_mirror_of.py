"""Clips that are the mirror image of another clip: their size, their poses, and refused settings."""
from __future__ import annotations

import json
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import GltfBuilder, two_arms

from ossicle.analysis.analysis import analyse
from ossicle.analysis.bits import bits_of
from ossicle.analysis.subject import encoded_subject, matched_subject
from ossicle.bank.clips import ENTRY_WORDS
from ossicle.bank.file import describe, parse_bank
from ossicle.bank.names import pack_names
from ossicle.bank.words import BankProblem
from ossicle.base.problem import SettingProblem
from tools.demo import HERO
from ossicle.encoding.derived.additive_rules import parse_additive
from ossicle.encoding.events.contact_rules import parse_contacts
from ossicle.encoding.encoder import BankResult, encode, encode_clips
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.encoding.tiers.sizes import TierTargets
from ossicle.export.played import play
from ossicle.generate.code import Code
from ossicle.generate.plan import make_plan
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Imported, Skeleton
from ossicle.model.import_options import ImportOptions
from ossicle.model.editing.mirroring import mirrored_clip
from ossicle.model.rotations import multiply, rotate
from ossicle.model.shell import shell_errors
from ossicle.model.sides import Mirror
from ossicle.base.sides import with_other_sides
from mentions import mentioning, mentions

CORPUS = Path(__file__).resolve().parents[4] / "shared/corpus"
TOLERANCE_M = 1e-3
MIRRORING_M = 20e-6  # what the bind pose's rounding and its own asymmetry come to, as of osc_mirror_pose


@pytest.fixture(scope="module")
def hero() -> Imported:
    return read_clips([HERO], ImportOptions(only=("Idle", "Walk")))


def encoded(imported: Imported, *rules: ClipRule, of: str = "Walk", **options: Any) -> BankResult:
    return encode_clips(imported, Settings(clips=(ClipRule(of, loop=True), *rules),
                                           **{"effort": "fast", "codec": "delta", **options}))


IMAGE = ClipRule("Walked", mirror_of="Walk")


def test_it_takes_an_entry_and_its_name(hero: Imported) -> None:
    alone, both = encoded(hero), encoded(hero, IMAGE)
    names = [len(pack_names([*hero.skeleton.names, *names]))
             for names in (["Idle", "Walk"], ["Idle", "Walk", "Walked"])]
    words = [-(-size // 4) for size in names]
    assert len(both.bank) - len(alone.bank) == 4 * (ENTRY_WORDS + words[1] - words[0])
    bank = parse_bank(both.bank)
    assert [(clip.name, clip.mirrored, clip.size_bytes > 0) for clip in bank.clips] == [
        ("Idle", False, True), ("Walk", False, True), ("Walked", True, False)]
    assert bits_of(bank).total == 8 * len(both.bank)
    assert [clip.size_bytes for clip in bank.clips[:2]] == [clip.size_bytes for clip in parse_bank(alone.bank).clips]


def test_partners_of_joints_that_move_can_be_blended(tmp_path: Path) -> None:
    """Blends and transitions change only joints with a sub-track. One arm moves, and in the mirror the other."""
    g = two_arms()
    g.animation("Wave", (1, "rotation", [0.0, 1.0], [[0, 0, 0, 1], [0, 0, 1, 0]], "LINEAR"))
    one_arm = read_clips([g.write_glb(tmp_path)])
    for rules, joints in (((), [1]), ((ClipRule("Image", mirror_of="Wave"),), [1, 2])):
        bank = parse_bank(encode_clips(one_arm, Settings(clips=rules, effort="fast")).bank)
        assert bank.subtracks == tuple(("rotation", joint) for joint in joints)


def check_plays_mirrored(imported: Imported, clip: str) -> None:
    """As close to the source in the mirror as the clip is to its source."""
    result = encoded(imported, ClipRule("Image", mirror_of=clip), of=clip, points="sphere")
    bank = parse_bank(result.bank)
    names = [item.name for item in bank.clips]
    played, image = play(bank, [names.index(clip), names.index("Image")], "bank")
    wanted = next(item for item in imported.clips if item.name == clip)
    mirrored = mirrored_clip(wanted, "Image", imported.skeleton)
    parents = imported.skeleton.parents
    assert shell_errors(parents, mirrored.frames, image.frames, 0.03).max() < TOLERANCE_M + MIRRORING_M
    again = mirrored_clip(image, "again", imported.skeleton)
    assert shell_errors(parents, again.frames, played.frames, 0.03).max() < MIRRORING_M
    assert shell_errors(parents, mirrored.frames, wanted.frames, 0.03).max() > 0.1  # it is another motion


def test_the_hero_walks_in_the_mirror(hero: Imported) -> None:
    check_plays_mirrored(hero, "Walk")


def places(skeleton: Skeleton, frame: np.ndarray) -> np.ndarray:
    """Positions of the joints of a pose [J, 10]."""
    turns, at = frame[:, :4].copy(), frame[:, 4:7].copy()
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            at[joint] = at[parent] + rotate(turns[parent], at[joint])
            turns[joint] = multiply(turns[parent], turns[joint])
    return at


def test_joints_are_where_a_mirror_shows_them(hero: Imported) -> None:
    names, walk = hero.skeleton.names, hero.clips[1]
    other = [names.index(with_other_sides(name)) for name in names]
    image = mirrored_clip(walk, "Walked", hero.skeleton)
    assert other != sorted(other) and image.steps.shape == walk.steps.shape
    for frame in range(0, len(walk.frames), 5):
        seen = places(hero.skeleton, walk.frames[frame])[other] * [-1.0, 1.0, 1.0]
        assert np.abs(places(hero.skeleton, image.frames[frame]) - seen).max() < MIRRORING_M


@pytest.mark.skipif(not (CORPUS / "Knight.glb").is_file(), reason="no corpus beside the checkout")
def test_the_knight_walks_in_the_mirror() -> None:
    check_plays_mirrored(read_clips([CORPUS / "Knight.glb"], ImportOptions(only=("Walking_A",))), "Walking_A")


def test_a_clip_that_is_mirrored_before_plays_the_same(hero: Imported) -> None:
    """Encoded on its own, the mirror image has the same poses within both tolerances."""
    image = mirrored_clip(hero.clips[1], "Walked", hero.skeleton)
    own = encoded(replace(hero, clips=[replace(image, mirror_of=None)]), of="Walked")
    shared = encoded(hero, IMAGE)
    [first], [second] = (play(parse_bank(result.bank), [number], "bank") for result, number in ((own, 0), (shared, 2)))
    assert shell_errors(hero.skeleton.parents, first.frames, second.frames, 0.03).max() < 2 * TOLERANCE_M + MIRRORING_M


def test_events_and_root_motion_are_mirrored(hero: Imported) -> None:
    result = encoded(hero, IMAGE, contacts=parse_contacts(["*_foot"], "contacts"))
    bank = parse_bank(result.bank)
    walk, walked = ([(event.name, event.position_q11) for event in bank.events.of(clip)] for clip in (1, 2))
    assert walked == [({"left_foot_down": "right_foot_down", "right_foot_down": "left_foot_down"}[name], at)
                      for name, at in walk] and walk
    travelling = replace(hero.clips[1], frames=hero.clips[1].frames.copy())
    share = np.linspace(0.0, 1.0, len(travelling.frames))
    travelling.frames[:, 0, 4] += 0.8 * share
    travelling.frames[:, 0, 6] += 1.2 * share ** 2
    moved = encoded(replace(hero, clips=[hero.clips[0], replace(travelling, curve=None)]),
                    ClipRule("Walked", mirror_of="Walk"), root_motion=("x", "z", "yaw"))
    trajectories = parse_bank(moved.bank).trajectories
    assert set(trajectories) >= {1, 2} and trajectories[1] != trajectories[2]
    read = [clip.trajectory for clip in moved.sources]
    for name in ("start", "end", "keys"):
        assert np.array_equal(getattr(read[2], name), getattr(read[1], name) * [-1, 1, 1, -1])


def test_tools_say_so(hero: Imported) -> None:
    settings = Settings(clips=(ClipRule("Walk", loop=True), IMAGE), effort="fast")
    result = encode_clips(hero, settings)
    bank = parse_bank(result.bank)
    assert [clip.mirror_of for clip in result.clips] == [None, None, "Walk"]
    assert [clip["mirror_of"] for clip in describe(bank)["clips"]] == [None, None, "Walk"]
    assert result.clips[2].bytes == 4 * ENTRY_WORDS
    plan = make_plan(bank, Code("hero"))
    assert "Walk" in plan.clips[2].comment and plan.mirror is not None
    assert make_plan(parse_bank(encoded(hero).bank), Code("hero")).mirror is None
    for subject in (encoded_subject("hero", result, hero, settings, [HERO]),
                    matched_subject("hero", bank, hero, settings, [HERO])):
        clips = json.loads(json.dumps(analyse(subject)))["clips"]
        assert mentions(clips[2]["mirror_of"], "Walk")
        assert 0.0 < clips[2]["worst"]["error_mm"] < result.clips[1].sphere_error_mm + 1e3 * MIRRORING_M


def test_errors_are_at_the_joints_that_the_mirror_shows(hero: Imported) -> None:
    _, walk, walked = encoded(hero, IMAGE).clips
    for name in ("error_joint", "tightest_joint"):
        assert getattr(walked, name) == with_other_sides(getattr(walk, name))
    assert walk.error_joint != walked.error_joint and walk.error_mm == walked.error_mm


@pytest.mark.parametrize(("rules", "options", "problem"), [
    ((ClipRule("A", mirror_of="Wlak"),), {}, "mirror_of Wlak Walk"),
    ((ClipRule("A", mirror_of="Walk"), ClipRule("B", mirror_of="A")), {},
     "mirror_of Walk"),
    ((ClipRule("A", mirror_of="Walk"), ClipRule("B", mirror_of="Walk")), {}, "B Walk A"),
    ((ClipRule("Idle", mirror_of="Walk"),), {}, "hero.glb Idle"),
    ((ClipRule("A*", mirror_of="Walk"),), {}, "A*"),
    ((ClipRule("", mirror_of="Walk"),), {}, "mirror_of Walk"),
    ((ClipRule("A\0", mirror_of="Walk"),), {}, "A\\x00 mirror_of Walk"),
    ((ClipRule("A\nB", mirror_of="Walk"),), {}, "A\\nB mirror_of Walk"),
    ((ClipRule("A" * 1001, mirror_of="Walk"),), {}, "1000"),
    ((ClipRule("Walked", mirror_of="Walk"), ClipRule("W*d", loop=True)), {},
     "W*d Walked Walk"),
    ((ClipRule("A", mirror_of="Walk", loop=True),), {}, "Walk"),
    ((ClipRule("Walk", additive=parse_additive("Idle@0", "additive")), ClipRule("A", mirror_of="Walk")), {},
     "Walk"),
    ((ClipRule("A", mirror_of="Walk"),), {"tiers": TierTargets(errors_m=(0.008,))}, "Walk"),
])
def test_impossible_settings_are_refused(
        hero: Imported, rules: tuple[ClipRule, ...], options: dict[str, Any], problem: str) -> None:
    with pytest.raises(SettingProblem, match=mentioning(problem)):
        encoded(hero, *rules, **options)


@pytest.mark.parametrize(("mirror", "problem"), [
    (Mirror(), None),
    (Mirror("y"), "mirror"),
    (Mirror(pairs=(("left_hand", "left_hand"), ("right_hand", "right_hand"))),
     " left_hand Walked right_hand"),
    (Mirror(pairs=tuple((name, name) for side in ("left", "right") for name in (
        f"{side}_{place}" for place in ("upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot")))),
     "mirror [mirror]"),
])
def test_poses_are_mirrored_as_clips_are(hero: Imported, mirror: Mirror, problem: str | None) -> None:
    bank = parse_bank(encoded(hero, IMAGE).bank)
    if problem is None:
        assert make_plan(bank, Code("hero", mirror=mirror)).mirror == make_plan(bank, Code("hero")).mirror
    else:
        with pytest.raises(SettingProblem, match=mentioning(problem)):
            make_plan(bank, Code("hero", mirror=mirror))


def test_poses_are_mirrored_along_the_axis_of_clips(tmp_path: Path) -> None:
    """Hands so near the middle that each axis fits."""
    g = GltfBuilder()
    root, *hands = g.node("root"), *(g.node(f"hand.{side}", translation=[x, 1, 0])
                                     for side, x in (("l", 0.01), ("r", -0.01)))
    g.document["nodes"][root]["children"] = hands
    g.skin([root, *hands])
    g.animation("Walk", (hands[0], "rotation", [0, 1], [[0, 0, 0, 1], [0, 0.6, 0, 0.8]], "LINEAR"))
    bank = parse_bank(encode([g.write_glb(tmp_path)], Settings(clips=(IMAGE,))).bank)
    assert make_plan(bank, Code("hero", mirror=Mirror("x"))).mirror is not None
    with pytest.raises(SettingProblem, match=mentioning("axis z Walked x")):
        make_plan(bank, Code("hero", mirror=Mirror("z")))


def test_a_pattern_may_match_clips_beside_their_mirror_images(hero: Imported) -> None:
    result = encoded(hero, IMAGE, ClipRule("Walk*", loop=False))
    assert [clip.loop for clip in result.clips] == [False, False, False]


def test_rigs_without_sides_are_refused(hero: Imported) -> None:
    names = tuple(f"joint{number}" for number in range(len(hero.skeleton.names)))
    with pytest.raises(SettingProblem, match=mentioning("Walked")):
        encoded(replace(hero, skeleton=replace(hero.skeleton, names=names)), IMAGE)
    bind = hero.skeleton.bind.copy()
    bind[hero.skeleton.names.index("left_upper_leg"), 5] += 0.5
    with pytest.raises(SettingProblem, match=mentioning("Walked")):
        encoded(replace(hero, skeleton=replace(hero.skeleton, bind=bind)), IMAGE)


def test_damaged_entries_are_refused(hero: Imported) -> None:
    """A mirror image is like the clip before it in all but its name."""
    bank = bytearray(encoded(hero, IMAGE).bank)
    section = next(item for item in parse_bank(bytes(bank)).sections if item.tag == "CLIP")
    entry = 4 * (section.offset + section.words - ENTRY_WORDS)
    bank[entry + 4] ^= 1
    bank[12:16] = zlib.crc32(bank[16:], zlib.crc32(bank[:12])).to_bytes(4, "little")
    with pytest.raises(BankProblem, match=mentioning("encode")):
        parse_bank(bytes(bank))
