"""Mistakes are reported before the work begins, in the reader's words."""
from __future__ import annotations

import dataclasses
import os
import socket
import time
from pathlib import Path

import numpy as np
import pytest

from figures import figure
from ossicle.encoding import native
from ossicle.encoding.encoder import EncodeProblem, encode_clips
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Clip, Imported, ImportProblem, Skeleton
from ossicle.encoding.settings import ClipRule, Settings
from running import HERO, Ran, run_command, run_inside, write_bvh
from mentions import mentioning, mentions

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
    ("[import]\nfps = 481", ("--fps", "481"), "fps 481 [import] 0.001 480", "--fps 481 0.001 480"),
    ("[import]\nscale = -1", ("--scale", "-1"), "scale -1 [import]", "--scale -1"),
    ("[import]\nscale = 1e6", ("--scale", "1e6"), "scale [import]", "--scale"),
    ("restart = 3", ("--restart", "3"), "restart 3", "--restart 3"),
    ("max_ram_bytes = 0", ("--max-ram-bytes", "0"), "max_ram_bytes 0", "--max-ram-bytes 0"),
    ('[clips.wlak]\nloop = true', ("--loop", "wlak"), "wlak walk", "wlak walk"),
    ('[joints.hip]\ntolerance = "1mm"', ("--joint-tolerance", "hip=1mm"), "hip hips", "hip hips"),
    ('pin = ["hip"]', ("--pin", "hip"), "hip hips", "hip hips"),
    ("[clips.walk]\nloop = true", ("--loop", "walk"), "walk hips 29 290.000mm", "walk hips 29 290.000mm"),
    ('mode = "layer"\n[clips.walk]\nloop = true', ("--loop", "walk", "--layer", "*"), "walk hips 29 290.000mm",
     "walk hips 29 290.000mm"),
]


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("text, arguments, in_toml, on_command_line", BOTH)
def test_mistakes_are_reported_in_the_terms_of_the_reader(
        folder: Path, text: str, arguments: tuple[str, ...], in_toml: str, on_command_line: str) -> None:
    ran = built(folder, text)
    assert ran.status == 1 and mentions(ran.line, in_toml) and "--" not in ran.line
    ran = run_inside("encode", "walk.bvh", "still.bvh", "-o", "x.ossb", *arguments)
    assert ran.status == 1 and mentions(ran.line, on_command_line) and "[" not in ran.line
    assert sorted(os.listdir()) == ["dog.toml", "still.bvh", "walk.bvh"]


def test_values_of_a_file_are_named_as_there_also_under_encode(folder: Path) -> None:
    (folder / "a.toml").write_text("[import]\nfps = 481\n", encoding="utf-8")
    ran = run_inside("encode", "walk.bvh", "-o", "x.ossb", "--config", "a.toml")
    assert mentions(ran.line, "a.toml fps 481 [import] 0.001 480")


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("text, facts", [
    ('[sets]\ntop = ["spin"]', "dog.toml [sets] spin"),
    ("[sets]\ntop = []", "dog.toml [sets] top upper"),
    ('[sets]\n"t-p" = ["hips"]', "dog.toml [sets] t-p"),
    ('matrices = "q14"', "dog.toml matrices q14 skinning"),
    ("rigid = true", "dog.toml rigid skinning"),
    ('name = "class"', "dog.toml class C++ name"),
    ('output = "7\u00b7.ossb"\nname = "7"', "dog.toml 7"),
    ('generate = "walk.bvh"', "walk.bvh/dog.h Not a directory"),
    ('generate = "still.bvh/c"', "still.bvh/c/dog.h Not a directory"),
    ('output = "dog.toml/x.ossb"', "dog.toml/x.ossb Not a directory"),
    ('output = "c/dog.h"', "c/dog.h"),
    ('output = "c"', "c/c.h"),
    ('output = ""', "dog.toml output"),
    ('skinning = true\nmatrices = "q14"\n[import]\nscale = 5',
     "q14 matrices q20"),
])
def test_c_that_cannot_be_generated_is_no_work(folder: Path, text: str, facts: str) -> None:
    if "generate" not in text:
        text = f'generate = "c"\n{text}'
    ran = built(folder, text)
    assert ran.status == 1 and mentions(ran.line, facts) and "--" not in ran.line
    assert sorted(os.listdir()) == ["dog.toml", "still.bvh", "walk.bvh"]


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("arguments, facts", [
    (("-o", "missing/../walk.bvh/x"), "walk.bvh/x Not a directory"),
    (("-o", "folder"), "Is a directory"),
    (("-o", "x.ossb", "--json", "folder"), "Is a directory"),
    (("-o", "x.ossb", "--json", "walk.bvh/r.json"), "r.json Not a directory"),
    (("-o", "x" * 256), "File name too long"),
    (("-o", "a/b", "--json", "a"), "a/b"),
])
def test_a_place_that_cannot_be_written_is_no_work(folder: Path, arguments: tuple[str, ...], facts: str) -> None:
    (folder / "folder").mkdir()
    ran = run_inside("encode", "walk.bvh", *arguments)
    assert ran.status == 1 and mentions(ran.line, facts)
    assert sorted(os.listdir()) == ["folder", "still.bvh", "walk.bvh"]


def test_places_of_short_commands(folder: Path, walk_bank: Path) -> None:
    for arguments in (("decode", walk_bank, "--clip", "walk", "-o", "walk.bvh/x"),
                      ("strip", walk_bank, "--tiers", "0", "-o", "walk.bvh/x"),
                      ("generate", walk_bank, "-o", "walk.bvh"),
                      ("compare", "walk.bvh", "-o", "walk.bvh")):
        ran = run_inside(*arguments)
        assert ran.status == 1 and mentions(ran.line, "Not a directory"), arguments
    for arguments in (("encode", "", "-o", "x"), ("encode", "walk.bvh", "-o", ""), ("inspect", ""),
                      ("compare", ""), ("build", ""), ("generate", walk_bank, "-o", "")):
        ran = run_inside(*arguments)
        assert ran.status == 2 and "''" in ran.line, arguments
    assert sorted(os.listdir()) == ["still.bvh", "walk.bvh"]


@pytest.mark.usefixtures("no_work")
def test_skin_matrices_that_cannot_be_are_no_work_and_name_their_file() -> None:
    hero = read_clips([HERO])
    assert hero.skeleton.inverse_bind is not None
    matrices = hero.skeleton.inverse_bind.copy()
    matrices[3, 0, 3] = 1e4
    bad = dataclasses.replace(hero, skeleton=dataclasses.replace(hero.skeleton, inverse_bind=matrices))
    name = hero.skeleton.names[3]
    with pytest.raises(ImportProblem, match=mentioning(f"hero.glb {name}")):
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
    assert mentions(str(caught.value), f"wait.bvh wait {int(length // 60)} min {length % 60:.1f}s int32 35 47.5s")


@pytest.mark.usefixtures("no_work")
def test_a_clip_without_end_is_no_work(folder: Path) -> None:
    write_bvh(folder / "long.bvh", frames=4, rate=1 / 800)
    line = run_inside("encode", "walk.bvh", "long.bvh", "-o", "x.ossb").line
    assert mentions(line, "long.bvh 40 min 0.0s int32")


def test_a_scale_is_no_remedy_where_units_are_right(folder: Path) -> None:
    """Two metres high, and thrown far away, or scaled up: neither is in other units."""
    hero = read_clips([HERO])
    clip = hero.clips[0]
    for part, kind in ((4, "translation"), (7, "scale")):
        frames = clip.frames.copy()
        frames[5, 0, part] = -3000.0
        far = dataclasses.replace(hero, clips=[dataclasses.replace(clip, frames=frames)])
        with pytest.raises(EncodeProblem) as caught:
            encode_clips(far, Settings())
        assert mentions(caught.value, f"hero.glb Idle hips 5 {kind} -3000 +-2047")
        assert "--scale" not in str(caught.value)


def test_cmu_s_scale_is_for_bvh_files(tmp_path: Path) -> None:
    ran = run_inside("encode", HERO, "-o", tmp_path / "x.ossb", "--scale", "0.01", "--quiet", "--effort", "fast")
    assert ran.status == 0 and mentions(ran.err, "--scale")


def test_patterns_win_over_clips_without_end() -> None:
    """Settings are checked in one go with the clips, before any work."""
    with pytest.raises(Exception, match=mentioning("nix")):
        encode_clips(still_clip(2, 30.0), Settings(clips=(ClipRule("nix", loop=True),)))


@pytest.mark.parametrize("kind", ["pipe", "folder", "socket", "device"])
def test_only_files_are_read(folder: Path, kind: str) -> None:
    """The check comes first: reading a pipe without a writer would never end."""
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
        assert ran.status == 1 and mentions(ran.line, odd)


def test_a_buffer_that_is_a_pipe(folder: Path) -> None:
    os.mkfifo(folder / "ext.bin")
    (folder / "ext.gltf").write_text(
        '{"asset": {"version": "2.0"}, "buffers": [{"uri": "ext.bin", "byteLength": 8}],'
        '"bufferViews": [{"buffer": 0, "byteLength": 8}],'
        '"accessors": [{"bufferView": 0, "componentType": 5126, "count": 1, "type": "SCALAR"}],'
        '"nodes": [{}], "animations": [{"channels": [{"sampler": 0, "target": {"node": 0, "path": '
        '"translation"}}], "samplers": [{"input": 0, "output": 0}]}]}', encoding="utf-8")
    ran = run_command("encode", "ext.gltf", "-o", "x.ossb", cwd=folder)
    assert mentions(ran.line, "0 ext.bin")


def test_numbers_that_only_look_like_some(folder: Path) -> None:
    for skin in ("\u00b2", "9" * 5000):
        ran = run_inside("encode", HERO, "-o", "x.ossb", "--skin", skin)
        assert ran.status == 1 and mentions(ran.line, "hero.glb")
    config = folder / "dog.toml"
    config.write_text('inputs = ["walk.bvh"]\nrestart = 0x' + "f" * 5000, encoding="utf-8")
    assert mentions(run_inside("build", config).line, "dog.toml Exceeds")
