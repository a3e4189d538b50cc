"""Choosing codecs: by name, by clip, by random access, by memory; and tolerances in pixels."""
from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

from ossicle.base.codec import CODEC_CHOICES
from ossicle.base.codec import AUTO_CODECS, OWN_CODECS, RANDOM_ACCESS_CODECS
from ossicle.model.lengths import Screen, parse_tolerance
from ossicle.base.problem import SettingProblem
from ossicle.machines import known_costs
from running import HERO, Ran, run_inside, write_bvh
from mentions import mentions, numbers


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two clips of one skeleton."""
    for name, speed in (("walk", 3.0), ("wave", 7.0)):
        write_bvh(tmp_path / f"{name}.bvh", frames=60, speed=speed)
    return tmp_path


def encode(folder: Path, *arguments: object) -> Ran:
    return run_inside("encode", folder / "walk.bvh", folder / "wave.bvh", "-o",
                      folder / "hero.ossb", "--json", folder / "report.json", *arguments)


def reported(folder: Path, *arguments: object) -> dict:
    ran = encode(folder, "--quiet", *arguments)
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    return json.loads((folder / "report.json").read_text("utf-8"))


def inspected(folder: Path) -> dict:
    return json.loads(run_inside("inspect", folder / "hero.ossb", "--json").out)


def codecs_of(report: dict) -> dict[str, str]:
    return {clip["name"]: clip["codec"] for clip in report["clips"]}


def config(folder: Path, text: str) -> tuple[str, Path]:
    path = folder / "hero.toml"
    path.write_text(text, encoding="utf-8")
    return "--config", path


@pytest.mark.parametrize("codec", OWN_CODECS)
def test_a_codec_by_name(folder: Path, codec: str) -> None:
    report = reported(folder, "--codec", codec)
    assert codecs_of(report) == {"walk": codec, "wave": codec} == codecs_of(inspected(folder))
    assert all(clip["error_mm"] <= 1.0 for clip in report["clips"])
    shown = encode(folder, "--codec", codec).out.splitlines()
    assert shown[0].split()[:3] == ["clip", "codec", "frames"]
    assert shown[1].split()[:3] == ["walk", codec, "60"]


def test_auto_for_the_smallest_bank_is_the_smallest_for_each_clip(folder: Path) -> None:
    sizes = {}
    for choice in CODEC_CHOICES:
        for clip in reported(folder, "--codec", choice, "--optimise", "bank")["clips"]:
            sizes[choice, clip["name"]] = clip["bytes"]
    for clip in ("walk", "wave"):
        assert sizes["auto", clip] <= min(sizes[codec, clip] for codec in AUTO_CODECS)
    assert reported(folder) == reported(folder, "--codec", "auto")


def test_auto_chooses_the_cheapest_codec(tmp_path: Path) -> None:
    """By the goal, among all sets of codecs, each of which was measured."""
    costs = known_costs("microbit")
    least = {"flash": lambda choice: choice["bank_bytes"] + choice["code_bytes"],
             "bank": lambda choice: choice["bank_bytes"],
             "ram": lambda choice: choice["player_bytes"], "cycles": lambda choice: choice["row"]}
    tried = {}
    for goal, cost in least.items():
        report = hero_report(tmp_path, "--optimise", goal, "--target", "microbit")
        chosen, *others = tried[goal] = report["codec_choices"]
        assert all(cost(chosen) <= cost(other) for other in others)
        assert set(chosen["codecs"]) == set(codecs_of(report).values())
        assert (chosen["bank_bytes"], chosen["player_bytes"]) == (report["bytes"], report["player_bytes"])
        assert report["bytes"] == (tmp_path / "hero.ossb").stat().st_size
        for choice in tried[goal]:
            more = choice["code_bytes"] - sum(costs.flash_bytes[codec] for codec in choice["codecs"])
            assert more in ((0, costs.base_row_bytes) if goal == "bank" and "curve" in choice["codecs"] else (0,))
    bank = tried.pop("bank")  # with restart points of its own
    sets = [sorted(map(str, choices)) for choices in tried.values()]
    assert sets[0] == sets[1] == sets[2] and len(sets[0]) > 3
    assert sorted(row["codecs"] for row in bank) == sorted(row["codecs"] for row in tried["flash"])
    tried["bank"] = bank
    assert {tuple(tried[goal][0]["codecs"]) for goal in least} == {("delta",), ("curve", "transform")}
    for codec in AUTO_CODECS:  # each alone is as good as if it had been asked for
        [alone] = [choice for choice in tried["flash"] if choice["codecs"] == [codec]]
        assert alone["bank_bytes"] <= hero_report(tmp_path, "--codec", codec)["bytes"]


def test_code_that_is_linked_anyway_costs_nothing_more(tmp_path: Path) -> None:
    """A clip whose codec the user chose brings its code."""
    text = '[clips.Walk]\ncodec = "curve"\n'
    [chosen, *_] = hero_report(tmp_path, *config(tmp_path, text))["codec_choices"]
    assert chosen["codecs"] == ["curve"]


def test_the_choice_is_shown(tmp_path: Path) -> None:
    lines = hero(tmp_path).out.splitlines()
    [heading] = [i for i, line in enumerate(lines) if line.startswith("codecs ")]
    assert lines[heading].split() == "codecs bank bytes their code both RAM row, instructions".split()
    best = hero_report(tmp_path)["codec_choices"][0]
    assert lines[heading + 1].split()[:2] == ["delta", f"{best['bank_bytes']:,}"]
    assert not any(line.startswith("codecs ") for line in hero(tmp_path, "--codec", "curve").out.splitlines())


def test_a_codec_for_one_clip(folder: Path) -> None:
    text = 'codec = "delta"\n[clips."wa?e"]\ncodec = "transform"\n'
    assert codecs_of(reported(folder, *config(folder, text))) == {"walk": "delta", "wave": "transform"}
    assert codecs_of(reported(folder, *config(folder, text), "--codec", "curve")) == {
        "walk": "curve", "wave": "transform"}


def test_random_access_leaves_transform(folder: Path) -> None:
    wanted = config(folder, "random_access = true\n")
    for arguments in (wanted, (*wanted, "--codec", "transform")):
        assert set(codecs_of(reported(folder, *arguments)).values()) == set(RANDOM_ACCESS_CODECS) & set(AUTO_CODECS)
    text = 'codec = "delta"\n[clips.walk]\nrandom_access = true\ncodec = "auto"\n'
    assert codecs_of(reported(folder, *config(folder, text))) == {"walk": "transform", "wave": "delta"}
    text = 'random_access = true\n[clips.walk]\nrandom_access = false\ncodec = "curve"\n'
    assert codecs_of(reported(folder, *config(folder, text))) == {"walk": "curve", "wave": "transform"}


@pytest.mark.parametrize("codec", [codec for codec in OWN_CODECS if codec not in RANDOM_ACCESS_CODECS])
def test_random_access_with_a_sequential_codec_is_an_error(folder: Path, codec: str) -> None:
    message = f"walk {codec}"
    assert mentions(encode(folder, *config(folder, "random_access = true\n"), "--codec", codec).line, message)
    text = f'random_access = true\n[clips.walk]\ncodec = "{codec}"\n'
    assert mentions(encode(folder, *config(folder, text)).line, message)
    assert not (folder / "hero.ossb").exists()


@pytest.mark.parametrize("text, facts", [
    ('[clips.walk]\ncodec = "tranform"', "tranform transform"),
    ("[clips.walk]\nrandom_access = 1", "random_access 1"),
    ('random_access = "yes"', "random_access yes"),
    ("max_ram_bytes = 0", "max_ram_bytes 0"),
    ("max_ram_bytes = true", "max_ram_bytes True"),
    ("max_ram_bytes = 1e3", "max_ram_bytes 1000.0"),
    ("[screen]\nheigth = 240", "[screen] heigth height"),
    ('[screen]\nheight = "240"', "[screen] height 240"),
    ("[screen]\nheight = 0", "height 0 [screen] 1"),
    ("[screen]\nheight = nan", "height nan [screen]"),
    ("[screen]\nfov = 180", "fov 180 [screen]"),
    ("[screen]\ndistance = 2", "[screen] distance 2"),
    ("screen = 1", "screen 1"),
    ('tolerance = "px"', "tolerance px"),
    ('tolerance = "0px"', "tolerance 0px"),
    ('shell = "1px"', "shell 1px"),
])
def test_mistakes_are_named(folder: Path, text: str, facts: str) -> None:
    assert mentions(encode(folder, *config(folder, text + "\n")).line, facts)
    assert not (folder / "hero.ossb").exists()


# ---- memory ----

def hero(tmp_path: Path, *arguments: object) -> Ran:
    return run_inside("encode", HERO, "-o", tmp_path / "hero.ossb", "--json",
                      tmp_path / "report.json", "--effort", "default", *arguments)


def hero_report(tmp_path: Path, *arguments: object) -> dict:
    ran = hero(tmp_path, "--quiet", *arguments)
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    return json.loads((tmp_path / "report.json").read_text("utf-8"))


def rows_of(tmp_path: Path, *arguments: object) -> int:
    """The bytes of a player and its rows. Which tracks move depends on the codecs a little: they make
    up for each other's errors."""
    report = hero_report(tmp_path, *arguments)
    return report["player_bytes"] - 4 * inspected(tmp_path)["state_words"]


def test_a_limit_rules_sets_of_codecs_out(tmp_path: Path) -> None:
    text = '[clips.Walk]\ncodec = "delta"\n'
    small, *_ = hero_report(tmp_path, "--optimise", "bank", *config(tmp_path, text))["codec_choices"]
    limit = small["player_bytes"] - 1
    chosen, *others = hero_report(tmp_path, "--optimise", "bank", "--max-ram-bytes", limit,
                                  *config(tmp_path, text))["codec_choices"]
    assert chosen["player_bytes"] <= limit and small not in (chosen, *others)


def test_clips_give_up_state_until_the_player_fits(tmp_path: Path) -> None:
    free = hero_report(tmp_path, "--optimise", "bank")
    report = inspected(tmp_path)
    assert report["player_bytes"] == free["player_bytes"]
    assert mentions(run_inside("inspect", tmp_path / "hero.ossb").out, f"{free['player_bytes']:,} 32-bit")
    rows = free["player_bytes"] - 4 * report["state_words"]
    assert report["state_words"] == max(clip["state_words"] for clip in report["clips"]) > 0
    states = sorted({clip["state_words"] for clip in report["clips"]})
    least = hero_report(tmp_path, "--codec", "delta")["player_bytes"]
    for limit in (free["player_bytes"] - 1, rows + 4 * states[len(states) // 2], least):
        tight = hero_report(tmp_path, "--optimise", "bank", "--max-ram-bytes", limit)
        after = inspected(tmp_path)
        assert tight["player_bytes"] <= limit and tight["bytes"] >= free["bytes"]
        most_rows = max(rows, tight["player_bytes"] - 4 * after["state_words"])
        for old, new in zip(report["clips"], after["clips"], strict=True):
            if most_rows + 4 * old["state_words"] <= limit:  # its codec may change, with the set of codecs
                assert new["codec"] != old["codec"] or new["state_words"] == old["state_words"]
            elif rows + 4 * old["state_words"] > limit:
                assert new["state_words"] < old["state_words"]
    assert set(codecs_of(tight).values()) == {"delta"}
    assert hero_report(tmp_path, "--optimise", "bank", "--max-ram-bytes", free["player_bytes"]) == free


def test_a_curve_clip_with_less_state_keeps_its_codec(tmp_path: Path) -> None:
    """The tracks that gain least from sparse keys have a key on every frame."""
    free = hero_report(tmp_path, "--codec", "curve")
    states = [clip["state_words"] for clip in inspected(tmp_path)["clips"]]
    rows = free["player_bytes"] - 4 * max(states)
    limit = rows + 4 * (max(states) - 20)
    tight = hero_report(tmp_path, "--codec", "curve", "--max-ram-bytes", limit)
    after = [clip["state_words"] for clip in inspected(tmp_path)["clips"]]
    assert tight["player_bytes"] <= limit
    assert free["bytes"] < tight["bytes"] < hero_report(tmp_path, "--codec", "delta")["bytes"]
    assert all(new == old for new, old in zip(after, states) if rows + 4 * old <= limit)
    least = int(max(numbers(hero(tmp_path, "--codec", "curve", "--max-ram-bytes", rows).line)))
    assert rows < least < limit
    assert hero_report(tmp_path, "--codec", "curve", "--max-ram-bytes", least)["player_bytes"] <= least


def test_a_limit_below_the_rows_names_the_numbers(tmp_path: Path) -> None:
    rows = hero_report(tmp_path, "--codec", "delta")["player_bytes"]
    (tmp_path / "hero.ossb").unlink()
    line = hero(tmp_path, "--max-ram-bytes", rows - 1).line
    assert mentions(line, f"{rows - 1} {rows}")
    assert not (tmp_path / "hero.ossb").exists()


def write_partly_still(path: Path, moving: tuple[int, ...], travel_cm: float) -> None:
    """Three joints, of which only some turn."""
    write_bvh(path, joints=("hips", "spine", "head"), travel_cm=travel_cm)
    *head, motion = path.read_text("utf-8").partition("MOTION\n")
    lines = motion.splitlines()
    for number, line in enumerate(lines[2:], 2):
        words = line.split()
        for joint in {0, 1, 2} - set(moving):
            words[3 + 3 * joint:6 + 3 * joint] = ["0"] * 3
        lines[number] = " ".join(words)
    path.write_text("".join(head) + "\n".join(lines) + "\n", encoding="utf-8")


def test_a_limit_below_the_rows_names_the_tracks_and_clips_that_cost(tmp_path: Path) -> None:
    """A bank without the named clip has the size that the message states."""
    write_partly_still(tmp_path / "walk.bvh", (0, 1), travel_cm=1.0)
    write_partly_still(tmp_path / "nod.bvh", (2,), travel_cm=0.0)

    def needed(*files: str) -> tuple[int, str]:
        line = run_inside("encode", *(tmp_path / file for file in files), "-o", tmp_path / "x.ossb",
                          "--max-ram-bytes", 1).line
        return int(max(numbers(line))), line

    rows, line = needed("walk.bvh", "nod.bvh")
    assert mentions(line, "1 hips 24") and mentions(line, "3 108")
    without = {name: int(left) for name, left in re.findall(r"\b(walk|nod)\b\D*(\d+)", line)}
    assert without == {"walk": needed("nod.bvh")[0], "nod": needed("walk.bvh")[0]}
    assert list(without) == ["walk", "nod"] and max(without.values()) < rows
    assert "nod" not in (alone := needed("walk.bvh")[1]) and not mentions(alone, "walk")


def test_a_limit_that_a_codec_cannot_keep_names_the_clip(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, "--codec", "transform")
    line = hero(tmp_path, "--max-ram-bytes", rows, "--codec", "transform").line
    assert mentions(line, f"{rows} 7")
    assert mentions(line, "delta")
    allow = int(max(numbers(line)))
    assert hero_report(tmp_path, "--max-ram-bytes", allow, "--codec", "transform")["player_bytes"] == allow
    states = {clip["name"]: clip["state_words"] for clip in inspected(tmp_path)["clips"]}
    worst, *others = sorted(states, key=lambda name: -states[name])
    assert mentions(line, worst)
    assert all(mentions(line, f"{name} {4 * states[name]}") for name in others[:3])


def test_a_limit_below_random_access_offers_permitted_values(tmp_path: Path) -> None:
    wanted = config(tmp_path, "random_access = true\n")
    rows = rows_of(tmp_path, *wanted)
    line = hero(tmp_path, "--max-ram-bytes", rows, *wanted).line
    assert "delta" not in line
    allow = int(max(numbers(line)))
    line = hero(tmp_path, "--max-ram-bytes", 1, *wanted).line
    assert mentions(line, allow)
    text = f'max_ram_bytes = {rows}\n[clips.Walk]\nrandom_access = true\n'
    line = hero(tmp_path, *config(tmp_path, text)).line
    assert mentions(line, "Walk transform") and "delta" not in line


# ---- pixels ----

SCREEN = "[screen]\nheight = 240\nfov = 60\ndistance = '2m'\n"
MM_PER_PIXEL = 1e3 * 2 * 2.0 * math.tan(math.radians(30)) / 240


def test_a_tolerance_in_pixels(folder: Path) -> None:
    text = f'tolerance = "0.5px"\n{SCREEN}[clips.wave]\ntolerance = "0.25px"\n'
    report = reported(folder, *config(folder, text))
    walk, wave = report["clips"]
    assert (walk["tolerance_px"], wave["tolerance_px"]) == (0.5, 0.25)
    assert walk["tolerance_mm"] == pytest.approx(0.5 * MM_PER_PIXEL, abs=1e-9)
    assert wave["tolerance_mm"] == pytest.approx(0.25 * MM_PER_PIXEL, abs=1e-9)
    assert walk["error_mm"] <= walk["tolerance_mm"]
    lines = encode(folder, *config(folder, text)).out.splitlines()
    assert mentions(lines, "0.25px 2.406mm 0.5px 4.811mm")


def test_a_joint_s_tolerance_in_pixels_is_reported_in_millimetres(folder: Path) -> None:
    text = f'{SCREEN}[joints.spine]\ntolerance = "0.25px"\n[joints.hips]\ntolerance = "2mm"\n'
    lines = encode(folder, *config(folder, text)).out.splitlines()
    assert mentions(lines, "0.25px 2.406mm")
    report = reported(folder, *config(folder, text))
    assert sorted(report["joint_tolerances"], key=lambda rule: rule["pattern"]) == [
        {"pattern": "hips", "px": None, "mm": 2.0},
        {"pattern": "spine", "px": 0.25, "mm": pytest.approx(0.25 * MM_PER_PIXEL, abs=1e-9)}]


def test_a_tolerance_in_pixels_on_the_command_line(folder: Path) -> None:
    report = reported(folder, *config(folder, SCREEN), "--tolerance", "0.5px")
    assert report["clips"][0]["tolerance_mm"] == pytest.approx(0.5 * MM_PER_PIXEL, abs=1e-9)
    plain = encode(folder, *config(folder, SCREEN))
    assert plain.status == 0 and " px " not in plain.out
    assert reported(folder, *config(folder, SCREEN))["clips"][0]["tolerance_px"] is None


@pytest.mark.parametrize("given", ["", "fov = 60", "height = 240\ndistance = '2m'"])
def test_pixels_need_a_screen(folder: Path, given: str) -> None:
    line = encode(folder, *config(folder, f"[screen]\n{given}\n"), "--tolerance", "0.5px").line
    assert mentions(line, "tolerance 0.5px") and "[screen]" in line


@pytest.mark.parametrize("key, value, facts", [
    ("height", "0", "height 0 [screen]"),
    ("fov", "-60", "fov -60 [screen]"),
    ("distance", "'2'", "distance 2"),
])
def test_screens_that_cannot_be(folder: Path, key: str, value: str, facts: str) -> None:
    assert mentions(encode(folder, *config(folder, f"[screen]\n{key} = {value}\n")).line, facts)


def test_a_limit_that_means_nothing(folder: Path) -> None:
    assert mentions(encode(folder, "--max-ram-bytes", "0").line, "--max-ram-bytes 0")


def test_a_pixel_at_ninety_degrees_is_plain_to_see() -> None:
    screen = Screen(height=100, fov=90.0, distance_m=1.0)
    assert parse_tolerance("1px", "x").on(screen) == pytest.approx(0.02, rel=1e-12)
    assert parse_tolerance("1mm", "x").on(Screen()) == 1e-3
    with pytest.raises(SettingProblem):
        parse_tolerance("1px", "x").on(Screen(height=100))
