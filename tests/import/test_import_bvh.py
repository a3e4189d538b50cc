"""BVH: variants of the text, channel orders, units, resampling, and broken files."""
from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from gltf_builder import turn
from ossicle.importers.bvh_text import Lines, parse_numbers
from ossicle.importers.importer import read_clips
from ossicle.model.clip import ROTATION, SCALE, TRANSLATION, Imported, ImportProblem
from ossicle.model.import_options import ImportOptions
from mentions import mention_each, mentioning, mentions

HALF = np.sqrt(0.5)
TEXT = """HIERARCHY
ROOT Hips
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Leg
  {
    OFFSET 0 -50 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -40 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.5
1 2 3 0 0 0 0 0 0
10 20 30 90 0 0 0 90 0
"""


def load(folder: Path, text: str, name: str = "walk.bvh", **options: Any) -> Imported:
    path = folder / name
    path.write_bytes(text.encode())
    return read_clips([path], ImportOptions(**options))


def check(imported: Imported) -> None:
    skeleton = imported.skeleton
    assert skeleton.names == ("Hips", "Leg")
    assert skeleton.parents.tolist() == [-1, 0]
    assert skeleton.inverse_bind is None
    np.testing.assert_allclose(skeleton.bind[:, TRANSLATION], [[0, 0.9, 0], [0, -0.5, 0]])
    np.testing.assert_allclose(skeleton.bind[:, ROTATION], [[0, 0, 0, 1]] * 2)
    (clip,) = imported.clips
    assert (clip.name, clip.rate, clip.source) == ("walk", 2.0, "walk.bvh")
    assert clip.frames.shape == (2, 2, 10) and not clip.steps.any()
    assert clip.steps.shape == (2, 2, 3)
    np.testing.assert_allclose(clip.frames[:, 0, TRANSLATION], [[0.01, 0.02, 0.03], [0.1, 0.2, 0.3]])
    np.testing.assert_allclose(clip.frames[:, 1, TRANSLATION], [[0, -0.5, 0]] * 2)
    np.testing.assert_allclose(clip.frames[1, 0, ROTATION], [0, 0, HALF, HALF])
    np.testing.assert_allclose(clip.frames[1, 1, ROTATION], [HALF, 0, 0, HALF])
    np.testing.assert_allclose(clip.frames[..., SCALE], 1)


def test_plain(tmp_path: Path) -> None:
    check(load(tmp_path, TEXT))


@pytest.mark.parametrize(
    "variant",
    [
        TEXT.replace("\n", "\r\n"),
        TEXT.replace("\n", "\r"),
        TEXT.replace("  ", "\t").replace(" ", "\t").replace("End\tSite", "End  Site"),
        TEXT.replace("\n{", " {"),
        TEXT.replace("\n", "  \n\n"),
        TEXT.replace("Hips\n{", "Hips{").replace("  }\n", "}"),
        "\ufeff" + TEXT,
        TEXT.replace("90 0\n", "+.9e2 -0.0\n").replace("0.5", "5.E-1").replace("10 20", "1e1 2E+1"),
        TEXT.upper().replace("HIPS", "Hips").replace("LEG", "Leg"),
        TEXT.replace("Frames: 2", "Frames :2").replace("Frame Time: 0.5", "Frame  Time:\t0.5"),
        TEXT.replace("Frames: 2", "Frames:2").replace("Frame Time: 0.5", "Frame Time:00.5"),
        TEXT + "\n\n  \n",
        TEXT.replace("End Site", "End Site_Toe"),
    ],
)
def test_spellings_are_equivalent(tmp_path: Path, variant: str) -> None:
    assert variant != TEXT
    check(load(tmp_path, variant))


def channels(text: str, row: str) -> str:
    """One joint with these channels and one frame."""
    return (
        f"HIERARCHY\nROOT Hips\n{{\nOFFSET 1 2 3\nCHANNELS {text}\n}}\n"
        f"MOTION\nFrames: 1\nFrame Time: .01\n{row}\n"
    )


def euler(*turns: tuple[str, float]) -> np.ndarray:
    """Rotation matrix of turns about the given axes, the first one outermost."""
    result = np.eye(3)
    for axis, degrees in turns:
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
        matrix = np.eye(3)
        matrix[i, i], matrix[i, j], matrix[j, i], matrix[j, j] = c, -s, s, c
        result = result @ matrix
    return result


@pytest.mark.parametrize("order", ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "zy", "x"])
def test_rotation_orders(tmp_path: Path, order: str) -> None:
    angles = [20.0, -130.0, 55.0][: len(order)]
    names = " ".join(f"{axis.upper()}rotation" for axis in order)
    row = " ".join(map(str, angles))
    frames = load(tmp_path, channels(f"{len(order)} {names}", row)).clips[0].frames
    x, y, z, w = frames[0, 0, ROTATION]
    expected = euler(*zip(order, angles))
    # Trace and antisymmetric part fix the rotation, and are simple in terms of a quaternion.
    assert 4 * w * w - 1 == pytest.approx(np.trace(expected))
    np.testing.assert_allclose(
        4 * w * np.array([x, y, z]),
        [
            expected[2, 1] - expected[1, 2],
            expected[0, 2] - expected[2, 0],
            expected[1, 0] - expected[0, 1],
        ], atol=1e-12, )
    np.testing.assert_allclose(frames[0, 0, TRANSLATION], [0.01, 0.02, 0.03])


def test_channels_in_any_order(tmp_path: Path) -> None:
    text = channels("5 Zrotation Yposition Xrotation Zposition Xposition", "90 5 0 6 4")
    frames = load(tmp_path, text).clips[0].frames
    np.testing.assert_allclose(frames[0, 0, TRANSLATION], [0.04, 0.05, 0.06])
    np.testing.assert_allclose(frames[0, 0, ROTATION], [0, 0, HALF, HALF])


def test_axes_without_position_channel_stay_zero(tmp_path: Path) -> None:
    frames = load(tmp_path, channels("1 Yposition", "7")).clips[0].frames
    np.testing.assert_allclose(frames[0, 0, TRANSLATION], [0, 0.07, 0])


def test_every_joint_may_have_positions(tmp_path: Path) -> None:
    text = TEXT.replace("CHANNELS 3 ", "CHANNELS 6 Xposition Yposition Zposition ")
    text = text.replace("0 0 0\n10", "1 2 3 0 0 0\n10").replace("0 90 0\n", "4 5 6 0 90 0\n")
    imported = load(tmp_path, text.replace("OFFSET 4 5 6 0 90 0", "OFFSET 0 90 0"))
    np.testing.assert_allclose(imported.clips[0].frames[:, 1, TRANSLATION], [[0.01, 0.02, 0.03], [0.04, 0.05, 0.06]])
    np.testing.assert_allclose(imported.skeleton.bind[1, TRANSLATION], [0, -0.5, 0])


def test_joint_names_with_spaces(tmp_path: Path) -> None:
    text = TEXT.replace("JOINT Leg", "JOINT  Left   lower leg ")
    text = text.replace("ROOT Hips\n{", "ROOT A B {")
    assert load(tmp_path, text).skeleton.names == ("A B", "Left lower leg")


def test_scale_and_up_axis(tmp_path: Path) -> None:
    imported = load(tmp_path, TEXT, scale=1.0, up="z")
    np.testing.assert_allclose(imported.skeleton.bind[0, TRANSLATION], [0, 0, -90], atol=1e-12)
    np.testing.assert_allclose(imported.skeleton.bind[1, TRANSLATION], [0, -50, 0])
    np.testing.assert_allclose(imported.clips[0].frames[1, 0, TRANSLATION], [10, 30, -20])
    np.testing.assert_allclose(imported.clips[0].frames[0, 0, ROTATION], [-HALF, 0, 0, HALF])


SECOND = """ROOT Prop
{
  OFFSET 50 0 0
  CHANNELS 3 Xposition Yposition Zposition
  JOINT Tip
  {
    OFFSET 0 20 0
    CHANNELS 1 Xrotation
  }
}
"""


def test_several_roots(tmp_path: Path) -> None:
    """Each ROOT begins a tree of its own; the values of the second tree follow those of the first."""
    text = change("MOTION", SECOND + "MOTION").replace("0 0 0 0 0 0\n", "0 0 0 0 0 0 50 1 2 0\n")
    imported = load(tmp_path,
                    text.replace("0 90 0\n", "0 90 0 60 3 4 90\n").replace("OFFSET 0 90 0 60 3 4 90", "OFFSET 0 90 0"))
    assert imported.skeleton.names == ("Hips", "Leg", "Prop", "Tip")
    assert imported.skeleton.parents.tolist() == [-1, 0, -1, 2]
    np.testing.assert_allclose(imported.skeleton.bind[:, TRANSLATION],
                               [[0, 0.9, 0], [0, -0.5, 0], [0.5, 0, 0], [0, 0.2, 0]])
    (clip,) = imported.clips
    np.testing.assert_allclose(clip.frames[:, 2, TRANSLATION], [[0.5, 0.01, 0.02], [0.6, 0.03, 0.04]])
    np.testing.assert_allclose(clip.frames[1, 3, ROTATION], [HALF, 0, 0, HALF], atol=1e-12)
    check(replace(imported,
                  skeleton=replace(imported.skeleton, names=("Hips", "Leg"), parents=imported.skeleton.parents[:2],
                                   bind=imported.skeleton.bind[:2]),
                  clips=[replace(clip, frames=clip.frames[:, :2], steps=clip.steps[:, :2])]))


def test_equal_names_are_made_distinct(tmp_path: Path) -> None:
    """As Blender does: two dancers of one capture often have equal skeletons."""
    second = TEXT[TEXT.index("ROOT"):TEXT.index("MOTION")]
    text = change("MOTION", second + second.replace("Hips", "Leg.001") + "MOTION").replace("0 0 0 0 0 0\n",
                                                                                           "0 " * 24 + "\n")
    imported = load(tmp_path, text.replace("0 0 0 90 0\n", "0 0 0 90 0" + " 0" * 18 + "\n"))
    assert imported.skeleton.names == ("Hips", "Leg", "Hips.001", "Leg.002", "Leg.001", "Leg.003")
    assert mention_each(imported.warnings, ["2 Hips Hips.001", "3 Leg Leg.002 Leg.003"])


@pytest.mark.parametrize(("channels_of_end", "more"), [
    ("CHANNELS 0", ""), ("CHANNELS 3 Zrotation Xrotation Yrotation", ""),
    ("CHANNELS 3 Zrotation Xrotation Yrotation", " 7 8 9"), ("CHANNELS 1 Xposition", " 7")])
def test_channels_of_end_sites_are_left_out(tmp_path: Path, channels_of_end: str, more: str) -> None:
    """Some programs write values for them, others only their names. Nothing depends on the turn of a tip."""
    rest = "\n  JOINT Arm\n  {\n    OFFSET 1 2 3\n    CHANNELS 1 Xrotation\n  }\n}\nMOTION"
    text = change("OFFSET 0 -40 0", f"OFFSET 0 -40 0\n      {channels_of_end}").replace("\n}\nMOTION", rest)
    text = text.replace("0 0 0 0 0 0\n", f"0 0 0 0 0 0{more} 0\n").replace("0 0 0 90 0\n", f"0 0 0 90 0{more} 90\n")
    imported = load(tmp_path, text)
    assert imported.skeleton.names == ("Hips", "Leg", "Arm")
    (clip,) = imported.clips
    np.testing.assert_allclose(clip.frames[1, 1:, ROTATION], [[HALF, 0, 0, HALF]] * 2, atol=1e-12)
    assert len(imported.warnings) == bool(more) and all("Leg" in warning for warning in imported.warnings)


@pytest.mark.parametrize(("seconds", "warned"),
                         [("30", True), ("33.3333", True), ("1.5", True), ("1", False), ("0.0333333", False)])
def test_a_rate_written_as_a_frame_time_is_a_warning(tmp_path: Path, seconds: str, warned: bool) -> None:
    imported = load(tmp_path, change("0.5", seconds))
    assert len(imported.warnings) == warned
    for warning in imported.warnings:
        assert all(word in warning for word in (
            "walk.bvh: clip walk: line 18:", f"{seconds} s",
            f" {1 / float(seconds):.6g}, or {float(seconds) / 1000:.6g} if"))


def test_resampling(tmp_path: Path) -> None:
    """Half a second at 8 fps: five frames; 90 degrees in quarters, positions linear."""
    clip = load(tmp_path, TEXT, fps=8).clips[0]
    assert clip.rate == 8.0
    u = np.arange(5) / 4
    np.testing.assert_allclose(clip.frames[:, 0, ROTATION], [turn("z", 90 * k) for k in u])
    expected = [[0.01 + 0.09 * k, 0.02 + 0.18 * k, 0.03 + 0.27 * k] for k in u]
    np.testing.assert_allclose(clip.frames[:, 0, TRANSLATION], expected)
    np.testing.assert_allclose(clip.frames[..., SCALE], 1)


def test_resampling_to_fewer_frames_clamps_at_the_end(tmp_path: Path) -> None:
    clip = load(tmp_path, TEXT, fps=3).clips[0]
    assert len(clip.frames) == 3
    np.testing.assert_allclose(clip.frames[2, 0, ROTATION], turn("z", 90))
    np.testing.assert_allclose(clip.frames[1, 0, ROTATION], turn("z", 60))


def test_resampling_a_single_frame(tmp_path: Path) -> None:
    clip = load(tmp_path, channels("1 Yposition", "7"), fps=60).clips[0]
    assert clip.frames.shape == (1, 1, 10)
    np.testing.assert_allclose(clip.frames[0, 0, TRANSLATION], [0, 0.07, 0])


def test_surplus_frames_are_taken_with_a_warning(tmp_path: Path) -> None:
    imported = load(tmp_path, TEXT + "0 0 0 0 0 0 0 0 0\n")
    assert len(imported.clips[0].frames) == 3
    [warning] = imported.warnings
    assert mentions(warning, "walk.bvh walk 3 17 2")


def test_choice_of_skin_is_a_warning(tmp_path: Path) -> None:
    assert mentions(load(tmp_path, TEXT, skin=0).warnings[0], "walk.bvh BVH")


def change(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new)


BAD = {
    "empty": ("", "walk.bvh"),
    "blank": (" \n", "MOTION"),
    "not BVH": (change("HIERARCHY", "SKELETON"), "1 SKELETON HIERARCHY"),
    "no MOTION": (change("MOTION", "MOTIONS"), "MOTION"),
    "no ROOT": ("HIERARCHY\nMOTION\nFrames: 1\n", "ROOT"),
    "only MOTION": ("MOTION\n", "HIERARCHY"),
    "second ROOT inside the first": (change("JOINT Leg", "ROOT Leg"), "6 ROOT"),
    "second ROOT without OFFSET": (change("MOTION", "ROOT Dog\n{\n}\nMOTION"), "16 Dog"),
    "CHANNELS of an End Site": (
        change("-40 0", "-40 0\n      CHANNELS 2 Zrotation"),
        "13 Leg 2 1",
    ),
    "JOINT in an End Site": (change("OFFSET 0 -40 0", "JOINT Toe {"), "12 JOINT"),
    "row for a part of the End Site": (
        change("-40 0", "-40 0\n      CHANNELS 2 Zrotation Yrotation").replace("0 0 0 0 0 0\n", "0 0 0 0 0 0 0\n"),
        "20 10 9 11 Sites",
    ),
    "short row with an End Site": (
        change("-40 0", "-40 0\n      CHANNELS 1 Zrotation").replace("0 0 0 0 0 0\n", "0 0 0 0 0 0 0\n"),
        "21 9 10",
    ),
    "JOINT outside": (change("ROOT", "JOINT"), "2 JOINT"),
    "brace missing": (change("  }\n}\nMOTION", "  }\nMOTION"), "}"),
    "brace too many": (change("}\nMOTION", "}\n}\nMOTION"), "16 }"),
    "no opening brace": (change("ROOT Hips\n{", "ROOT Hips"), "3 OFFSET {"),
    "cut at the name": ("HIERARCHY\nROOT Hips\nMOTION\n", "{"),
    "no name": (change("JOINT Leg", "JOINT"), "6"),
    "unprintable name": (change("Leg", "L\x07g"), "6 L\\x07g"),
    "no OFFSET": (change("    OFFSET 0 -50 0\n", ""), "6 Leg"),
    "OFFSET text": (change("-50", "fifty"), "8 fifty"),
    "OFFSET short": (change("0 -50 0", "0 -50"), "9 CHANNELS"),
    "CHANNELS count": (
        change("CHANNELS 3", "CHANNELS 4"),
        "9 Leg 4 3",
    ),
    "CHANNELS negative": (change("CHANNELS 3", "CHANNELS -3"), "9 Leg -3"),
    "CHANNELS twice": (
        change("    End", "    CHANNELS 1 Xrotation\n    End"),
        "10 Leg",
    ),
    "unknown channel": (
        change("Yrotation\n    End", "Yscale\n    End"),
        "9 Leg Yscale",
    ),
    "position twice": (change("Yposition", "Xposition"), "5 Hips"),
    "nothing moves": (
        "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n}\nMOTION\nFrames: 1\nFrame Time: 1\n",
        "CHANNELS",
    ),
    "Frames: 0": (change("Frames: 2", "Frames: 0"), "17 0"),
    "Frames: 1.5": (change("Frames: 2", "Frames: 1.5"), "17 1.5"),
    "no Frames": (change("Frames: 2\n", ""), "17 0.5"),
    "no Frame Time": (change("Frame Time: 0.5\n", ""), "18 1 2 3 0"),
    "Frame Time: 0": (change("0.5", "0"), "18 0"),
    "Frame Time negative": (change("0.5", "-1"), "18 -1"),
    "Frame Time of a day": (change("0.5", "86400"), "18 86400"),
    "Frame Time with a comma": (change("0.5", "0,5"), "18 0,5 0.5"),
    "Frame Time NaN": (change("0.5", "nan"), "18 nan"),
    "no header": (TEXT[: TEXT.index("Frame Time")], "walk.bvh"),
    "no rows": (TEXT[: TEXT.index("1 2 3")], "0 17 2"),
    "row missing": (TEXT[: TEXT.index("10 20")], "1 17 2"),
    "short row": (change("10 20 30", "10 20"), "20 8 9"),
    "long row": (change("10 20 30", "10 20 30 40"), "20 10 9"),
    "NaN": (change("10 20 30", "10 NaN 30"), "20 NaN"),
    "infinite": (change("10 20 30", "10 1e999 30"), "20 1e999"),
    "underscore": (change("10 20 30", "1_0 20 30"), "20 1_0"),
    "infinity": (change("10 20 30", "inf 20 30"), "20 inf"),
    "hexadecimal": (change("10 20 30", "0x10 20 30"), "20 0x10"),
    "digits of other scripts": (change("10 20 30", "10 \u0661\u0662 30"), "20 \u0661\u0662"),
    "above the limit": (change("10 20 30", "10 20 1000000000001"), "20 1000000000001"),
    "too long": (change("10 20 30", f"10 20 0.{'0' * 399}1"), "20"),
    "two numbers in one word": (change("10 20 30", "10 20-30 30"), "20 20-30"),
    "decimal comma": (change("10 20 30", "10 20,5 30"), "20 20,5 20.5"),
    "digits in groups": (change("10 20 30", "10 2,000.5 30"), "20 2,000.5"),
}


@pytest.mark.parametrize("case", BAD)
def test_broken(tmp_path: Path, case: str) -> None:
    text, message = BAD[case]
    with pytest.raises(ImportProblem) as caught:
        load(tmp_path, text)
    shown = str(caught.value)
    assert mentions(shown, "walk.bvh " + message), shown
    assert ";" in shown, "no remedy"


def test_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "walk.bvh"
    path.write_bytes(TEXT.replace("Leg", "Füße").encode("latin-1"))
    with pytest.raises(ImportProblem, match=mentioning("walk.bvh UTF-8")):
        read_clips([path])


def test_resampling_beyond_memory(tmp_path: Path) -> None:
    text = TEXT.replace("0.5", "1e3").replace("Frames: 2", "Frames: 101") + "\n1 2 3 0 0 0 0 0 0" * 99
    with pytest.raises(ImportProblem, match=mentioning("walk.bvh walk 100000s 480")):
        load(tmp_path, text, fps=480)


@given(st.lists(st.text("0123456789+-.eE_xinfa,\u0661", min_size=1, max_size=12) | st.floats(-1e12, 1e12).map(repr),
                min_size=1, max_size=4))
@example(["1.", "-.5", "+1e-3", "0e999"])
@example(["1e12", "-1e12"])
@example(["1e12", "1000000000000.1"])
def test_a_row_has_the_numbers_of_its_words(words: list[str]) -> None:
    def is_usable(word: str) -> bool:
        return bool(re.fullmatch(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?", word)) \
            and abs(float(word)) <= 1e12
    wrong = [word for word in words if not is_usable(word)]
    if wrong:
        with pytest.raises(ImportProblem) as caught:
            parse_numbers(words, 7)
        assert mentions(str(caught.value), "7 " + wrong[0])
    else:
        assert parse_numbers(words, 7) == [float(word) for word in words]


@given(st.text("ab \r\n\x0b\u2028"))
def test_lines_end_at_returns_and_newlines(text: str) -> None:
    lines, found = Lines(text.encode()), []
    while (line := lines.next()) is not None:
        found.append(line)
    assert found == list(enumerate(re.split(r"\r\n|\n|\r", text), 1))
