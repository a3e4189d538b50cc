"""What can be said before the work is said before the work, and in the reader's words."""
from __future__ import annotations

import dataclasses
import os
import socket
import time
from pathlib import Path

import numpy as np
import pytest

from figures import figure
from ossicle.encode import native
from ossicle.encode.encoder import EncodeProblem, encode_clips
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Clip, Imported, ImportProblem, Skeleton
from ossicle.encode.settings import ClipRule, Settings
from running import HERO, Ran, run_command, run_inside, write_bvh

PATIENCE_S = 20.0
LAST_S = (2**31 - 1) / 1e6


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing longer than two frames, which tell whether a loop is closed, gets to the encoder."""
    original = native.encode_clip

    def refuse(skeleton: native.Skeleton, clip: native.ClipInput, *others: object) -> object:
        assert len(clip.frames) <= 2, "the work has begun"
        return original(skeleton, clip, *others)

    monkeypatch.setattr(native, "encode_clip", refuse)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_bvh(tmp_path / "walk.bvh")
    write_bvh(tmp_path / "still.bvh", travel_cm=0.0)
    return tmp_path


def built(folder: Path, text: str) -> Ran:
    (folder / "dog.toml").write_text(f'inputs = ["walk.bvh", "still.bvh"]\n{text}\n', encoding="utf-8")
    return run_inside("build", "dog.toml")


# What is wrong, as a TOML file and as the command line say it: text, arguments, two messages.
BOTH = [
    ("[import]\nfps = 481", ("--fps", "481"), "fps = 481 in [import]: choose 0.001 to 480 frames",
     "--fps 481: choose 0.001 to 480 frames"),
    ("[import]\nscale = -1", ("--scale", "-1"), "scale = -1 in [import]: give the metres per unit",
     "--scale -1: give the metres per unit"),
    ("[import]\nscale = 1e6", ("--scale", "1e6"), "choose scale in [import], else bring it closer",
     "choose --scale, else bring it closer"),
    ("restart = 3", ("--restart", "3"), "restart 3: choose a power", "--restart 3: choose a power"),
    ("max_ram_bytes = 0", ("--max-ram-bytes", "0"), ": max_ram_bytes 0: give the bytes",
     "--max-ram-bytes 0: give the bytes"),
    ('[clips.wlak]\nloop = true', ("--loop", "wlak"), "clip pattern 'wlak' matches no clip; did you",
     "clip pattern 'wlak' matches no clip; did you"),
    ('[joints.hip]\ntolerance = "1mm"', ("--joint-tolerance", "hip=1mm"),
     "joint pattern 'hip' matches no joint; did you", "joint pattern 'hip' matches no joint; did you"),
    ('pin = ["hip"]', ("--pin", "hip"), "joint pattern 'hip' matches no joint; did you",
     "joint pattern 'hip' matches no joint; did you"),
    ("[clips.walk]\nloop = true", ("--loop", "walk"),
     "clip walk: joint hips: frame 29: is 290.000 mm from", "clip walk: joint hips: frame 29: is 290.000"),
    ('mode = "layer"\n[clips.walk]\nloop = true', ("--loop", "walk", "--layer", "*"),
     "clip walk: joint hips: frame 29: is 290.000 mm from", "clip walk: joint hips: frame 29: is 290.000"),
]


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("text, arguments, in_toml, on_command_line", BOTH)
def test_what_is_wrong_is_said_in_the_words_of_its_reader(
        folder: Path, text: str, arguments: tuple[str, ...], in_toml: str,
        on_command_line: str) -> None:
    ran = built(folder, text)
    assert ran.status == 1 and in_toml in ran.line and "--" not in ran.line
    ran = run_inside("encode", "walk.bvh", "still.bvh", "-o", "x.ossb", *arguments)
    assert ran.status == 1 and on_command_line in ran.line and "[" not in ran.line
    assert sorted(os.listdir()) == ["dog.toml", "still.bvh", "walk.bvh"]


def test_values_of_a_file_are_named_as_there_also_under_encode(folder: Path) -> None:
    (folder / "a.toml").write_text("[import]\nfps = 481\n", encoding="utf-8")
    ran = run_inside("encode", "walk.bvh", "-o", "x.ossb", "--config", "a.toml")
    assert ran.line == ("ossicle: a.toml: fps = 481 in [import]: choose 0.001 to 480 frames per second")


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("text, said", [
    ('[sets]\ntop = ["spin"]', "dog.toml: [sets] top: joint pattern 'spin' matches no joint; did you"),
    ("[sets]\ntop = []", "dog.toml: [sets]: the set 'top' needs joints or patterns, such as upper = ["),
    ('[sets]\n"t-p" = ["hips"]', "dog.toml: [sets]: 't-p' cannot be part of a C name"),
    ('matrices = "q14"', 'dog.toml: matrices = "q14" needs inverse bind matrices, which the bank does '
     "not have; encode it with skinning = true"),
    ("rigid = true", "dog.toml: rigid = true applies to skinning matrices, and none are generated; "
     "choose a format of matrices, and encode with skinning = true"),
    ('name = "class"', "dog.toml: the name 'class' is a keyword of C or C++; choose another with name ="),
    ('output = "7\u00b7.ossb"\nname = "7"', "dog.toml: the name '7' is not a C identifier"),
    ('generate = "walk.bvh"', "walk.bvh/dog.h: cannot be written (Not a directory)"),
    ('generate = "still.bvh/c"', "still.bvh/c/dog.h: cannot be written (Not a directory)"),
    ('output = "dog.toml/x.ossb"', "dog.toml/x.ossb: cannot be written (Not a directory)"),
    ('output = "c/dog.h"', "c/dog.h: is written twice"),
    ('output = "c"', "c/c.h: lies below c, which is an output, too"),
    ('output = ""', 'dog.toml: output = "": give a path'),
    ('skinning = true\nmatrices = "q14"\n[import]\nscale = 5',
     'q14 cannot hold; choose matrices = "q20"'),
])
def test_c_that_cannot_be_generated_is_no_work(folder: Path, text: str, said: str) -> None:
    if "generate" not in text:
        text = f'generate = "c"\n{text}'
    ran = built(folder, text)
    assert ran.status == 1 and said in ran.line and "--" not in ran.line
    assert sorted(os.listdir()) == ["dog.toml", "still.bvh", "walk.bvh"]


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("arguments, said", [
    (("-o", "missing/../walk.bvh/x"), "walk.bvh/x: cannot be written (Not a directory)"),
    (("-o", "folder"), "folder: cannot be written (Is a directory)"),
    (("-o", "x.ossb", "--json", "folder"), "folder: cannot be written (Is a directory)"),
    (("-o", "x.ossb", "--json", "walk.bvh/r.json"), "r.json: cannot be written (Not a directory)"),
    (("-o", "x" * 256), ": cannot be written (File name too long)"),
    (("-o", "a/b", "--json", "a"), "a/b: lies below a, which is an output, too; choose another output"),
])
def test_a_place_that_cannot_be_written_is_no_work(folder: Path, arguments: tuple[str, ...],
                                                   said: str) -> None:
    (folder / "folder").mkdir()
    ran = run_inside("encode", "walk.bvh", *arguments)
    assert ran.status == 1 and said in ran.line
    assert sorted(os.listdir()) == ["folder", "still.bvh", "walk.bvh"]


def test_places_of_short_commands(folder: Path, walk_bank: Path) -> None:
    for arguments in (("decode", walk_bank, "--clip", "walk", "-o", "walk.bvh/x"),
                      ("strip", walk_bank, "--tiers", "0", "-o", "walk.bvh/x"),
                      ("generate", walk_bank, "-o", "walk.bvh"),
                      ("compare", "walk.bvh", "-o", "walk.bvh")):
        ran = run_inside(*arguments)
        assert ran.status == 1 and "cannot be written (Not a directory)" in ran.line, arguments
    for arguments in (("encode", "", "-o", "x"), ("encode", "walk.bvh", "-o", ""), ("inspect", ""),
                      ("compare", ""), ("build", ""), ("generate", walk_bank, "-o", "")):
        ran = run_inside(*arguments)
        assert ran.status == 2 and "'': give a path" in ran.line, arguments
    assert sorted(os.listdir()) == ["still.bvh", "walk.bvh"]


@pytest.mark.usefixtures("no_work")
def test_skin_matrices_that_cannot_be_are_no_work_and_name_their_file() -> None:
    hero = read_clips([HERO])
    assert hero.skeleton.inverse_bind is not None
    matrices = hero.skeleton.inverse_bind.copy()
    matrices[3, 0, 3] = 1e4
    bad = dataclasses.replace(hero, skeleton=dataclasses.replace(hero.skeleton, inverse_bind=matrices))
    name = hero.skeleton.names[3]
    with pytest.raises(ImportProblem, match=f"^hero.glb: joint {name}: its inverse bind matrix holds"):
        encode_clips(bad, Settings(skinning=True))


def still_clip(frames: int, rate: float, name: str = "wait") -> Imported:
    poses = np.zeros((frames, 1, 10))
    poses[..., 3] = poses[..., 7:] = 1.0
    skeleton = Skeleton(("root",), np.array([-1], np.int32), poses[0])
    return Imported(skeleton, [Clip(name, rate, poses, np.zeros((frames, 1, 3), bool), "wait.bvh")])


@pytest.mark.parametrize("rate, most", [(1.0, 2148), (30.0, 64425), (0.01, 22), (480.0, 1030793)])
def test_a_clip_ends_before_its_times_do(rate: float, most: int) -> None:
    """The last frame is reached within an int32 of microseconds."""
    assert round(LAST_S, 2) == figure("limits.clip_s")
    fast = Settings(effort="fast", codec="delta")
    bank = encode_clips(still_clip(most, rate), fast).bank
    assert bank and (most - 1) / rate < LAST_S < most / rate
    with pytest.raises(EncodeProblem) as caught:
        encode_clips(still_clip(most + 1, rate), fast)
    length = most / rate
    assert str(caught.value) == (
        f"wait.bvh: clip wait: takes {int(length // 60)} min {length % 60:.1f} s; times are int32 "
        "microseconds, which end after 35 min 47.5 s: split it")


@pytest.mark.usefixtures("no_work")
def test_a_clip_without_end_is_no_work(folder: Path) -> None:
    write_bvh(folder / "long.bvh", frames=4, rate=1 / 800)
    line = run_inside("encode", "walk.bvh", "long.bvh", "-o", "x.ossb").line
    assert "long.bvh: clip long: takes 40 min 0.0 s; times are int32 microseconds, which end" in line


def test_a_scale_is_no_remedy_where_units_are_right(folder: Path) -> None:
    """Two metres high, and thrown far away, or scaled up: neither is in other units."""
    hero = read_clips([HERO])
    clip = hero.clips[0]
    for part, kind, remedy in ((4, "translation", "bring it closer to the origin"),
                               (7, "scale", "correct its curve")):
        frames = clip.frames.copy()
        frames[5, 0, part] = -3000.0
        far = dataclasses.replace(hero, clips=[dataclasses.replace(clip, frames=frames)])
        with pytest.raises(EncodeProblem) as caught:
            encode_clips(far, Settings())
        assert str(caught.value) == (f"hero.glb: clip Idle: joint hips: frame 5: {kind} -3000 is beyond "
                                     f"+-2047; {remedy}")


def test_cmu_s_scale_is_for_bvh_files(tmp_path: Path) -> None:
    ran = run_inside("encode", HERO, "-o", tmp_path / "x.ossb", "--scale", "0.01", "--quiet", "--effort",
                     "fast")
    assert ran.status == 0 and ran.err.endswith("not the character's size, choose --scale\n")


def test_patterns_win_over_clips_without_end() -> None:
    """Settings are checked in one go with the clips, before any work."""
    with pytest.raises(Exception, match="clip pattern 'nix' matches no clip"):
        encode_clips(still_clip(2, 30.0), Settings(clips=(ClipRule("nix", loop=True),)))


@pytest.mark.parametrize("kind, said", [("pipe", "it is a pipe"), ("folder", "it is a folder"),
                                        ("socket", "it is a socket"), ("device", "it is a device")])
def test_what_is_no_file_is_not_read(folder: Path, kind: str, said: str) -> None:
    """And at once: a pipe that nobody writes to has no end."""
    for suffix in (".glb", ".gltf", ".bvh", ".ossb", ".toml"):
        place = folder / f"odd{suffix}"
        if kind == "pipe":
            os.mkfifo(place)
        elif kind == "folder":
            place.mkdir()
        elif kind == "socket":
            with socket.socket(socket.AF_UNIX) as server:
                server.bind(place.name)  # a path of a hundred characters is too long
        else:
            place.symlink_to("/dev/zero")
    every = [("encode", "odd.glb", "-o", "x"), ("inspect", "odd.ossb"), ("build", "odd.toml"),
             ("encode", "odd.gltf", "-o", "x"), ("encode", "odd.bvh", "-o", "x"),
             ("generate", "odd.ossb", "-o", "x"), ("decode", "odd.ossb", "--clip", "walk", "-o", "x"),
             ("strip", "odd.ossb", "--tiers", "0", "-o", "x"),
             ("encode", "walk.bvh", "--config", "odd.toml", "-o", "x"),
             *([] if kind == "folder" else [("compare", "odd.glb")])]
    readers = 3  # the first of them have all; a process for each command takes a second
    for arguments in every[:readers] if kind == "pipe" else every:
        start = time.monotonic()
        ran = run_command(*arguments, cwd=folder) if kind == "pipe" else run_inside(*arguments)
        assert time.monotonic() - start < PATIENCE_S
        odd = next(word for word in arguments if word.startswith("odd"))
        assert ran.status == 1 and ran.line == f"ossicle: {odd}: cannot be read ({said}); check the path"


def test_a_buffer_that_is_a_pipe(folder: Path) -> None:
    os.mkfifo(folder / "ext.bin")
    (folder / "ext.gltf").write_text(
        '{"asset": {"version": "2.0"}, "buffers": [{"uri": "ext.bin", "byteLength": 8}],'
        '"bufferViews": [{"buffer": 0, "byteLength": 8}],'
        '"accessors": [{"bufferView": 0, "componentType": 5126, "count": 1, "type": "SCALAR"}],'
        '"nodes": [{}], "animations": [{"channels": [{"sampler": 0, "target": {"node": 0, "path": '
        '"translation"}}], "samplers": [{"input": 0, "output": 0}]}]}', encoding="utf-8")
    ran = run_command("encode", "ext.gltf", "-o", "x.ossb", cwd=folder)
    assert "buffer 0: file 'ext.bin' cannot be read (it is a pipe); check the file" in ran.line


def test_numbers_that_only_look_like_some(folder: Path) -> None:
    for skin in ("\u00b2", "9" * 5000):
        ran = run_inside("encode", HERO, "-o", "x.ossb", "--skin", skin)
        assert ran.status == 1 and "hero.glb: no skin " in ran.line
    config = folder / "dog.toml"
    config.write_text('inputs = ["walk.bvh"]\nrestart = 0x' + "f" * 5000, encoding="utf-8")
    assert "dog.toml: not valid TOML: Exceeds the limit" in run_inside("build", config).line
