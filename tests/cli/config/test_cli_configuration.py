"""TOML files: their values apply, the command line overrides them, mistakes are named."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from ossicle.model.joint_rules import parse_joint_rule
from ossicle.model.lengths import Tolerance
from running import Ran, run_command, run_inside, write_bvh
from mentions import mentions


def write_toml(folder: Path, text: str) -> Path:
    path = folder / "hero.toml"
    path.write_text(text, encoding="utf-8")
    return path


def reported(folder: Path, *arguments: object) -> dict[str, dict]:
    """The clips of the JSON report of an `encode` of walk.bvh and wave.bvh, by name."""
    report = folder / "report.json"
    ran = run_inside("encode", folder / "walk.bvh", folder / "wave.bvh", "-o",
                     folder / "hero.ossb", "--json", report, "--quiet", *arguments)
    assert ran.status == 0, ran
    return {clip["name"]: clip for clip in json.loads(report.read_text("utf-8"))["clips"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two clips that close their loop."""
    for name in ("walk", "wave"):
        write_bvh(tmp_path / f"{name}.bvh", frames=31, travel_cm=0.0)
    return tmp_path


def test_a_build_from_elsewhere(folder: Path) -> None:
    """Paths are relative to the TOML file, not to where the command runs."""
    project = folder / "project"
    project.mkdir()
    config = write_toml(project, """
inputs = ["../walk.bvh", "../wave.bvh"]
output = "out/dog.ossb"
generate = "generated"
name = "dog"
embed = true
target = "microbit"
tolerance = "2mm"
restart = 16
[import]
scale = 0.02
[clips."w*"]
loop = true
[clips.wave]
tolerance = "0.5mm"
""")
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    ran = run_command("build", config, "--json", "report.json", "--jobs", "1", cwd=elsewhere)
    assert ran.status == 0 and ran.err == "", ran
    assert sorted(p.name for p in (project / "generated").iterdir()) == [
        "dog.h", "dog_bank.c", "dog_pose.c", "dog_tables.c"]
    document = json.loads(run_inside("inspect", project / "out/dog.ossb", "--json").out)
    assert [(c["name"], c["loop"], c["restart_frames"]) for c in document["clips"]] == [
        ("walk", True, 16), ("wave", True, 16)]
    report = json.loads((elsewhere / "report.json").read_text("utf-8"))
    assert [c["tolerance_mm"] for c in report["clips"]] == [2.0, 0.5]
    bank = (project / "out/dog.ossb").read_bytes()
    assert run_inside("build", config, "--quiet") == Ran(0, "", "")
    assert (project / "out/dog.ossb").read_bytes() == bank


@pytest.mark.parametrize("cwd, config, bank, header", [
    (".", "project/hero.toml", "project/hero.ossb", "generated/dog.h"),
    (".", "./project/../project/hero.toml", "project/hero.ossb", "generated/dog.h"),
    (".", "link.toml", "project/hero.ossb", "generated/dog.h"),
    ("project", "hero.toml", "hero.ossb", "../generated/dog.h"),
    ("elsewhere", "../project/hero.toml", "../project/hero.ossb",
     "../project/../generated/dog.h"),
    (".", "{folder}/project/hero.toml", "project/hero.ossb", "generated/dog.h"),
    ("elsewhere", "{folder}/project/hero.toml", "{folder}/project/hero.ossb",
     "{folder}/project/../generated/dog.h"),
])
def test_a_build_names_files_as_they_were_given(folder: Path, monkeypatch: pytest.MonkeyPatch,
                                                cwd: str, config: str, bank: str, header: str) -> None:
    """From the current directory, where they lie below it."""
    for name in ("project", "elsewhere"):
        (folder / name).mkdir()
    (folder / "link.toml").symlink_to("project/hero.toml")
    write_toml(folder / "project", """
inputs = ["../walk.bvh"]
generate = "../generated"
name = "dog"
target = "microbit"
effort = "fast"
""")
    monkeypatch.chdir(folder / cwd)
    ran = run_inside("build", config.format(folder=folder))
    assert ran.status == 0, ran
    lines, header = ran.out.splitlines(), header.format(folder=folder)
    assert mentions(lines, bank.format(folder=folder)) and mentions(lines, header)
    assert lines[-1].endswith(f" {header.removesuffix('.h')}_*.c")
    assert (folder / "project/hero.ossb").is_file() and (folder / "generated/dog.h").is_file()


def test_a_build_with_defaults(folder: Path) -> None:
    config = write_toml(folder, 'inputs = ["walk.bvh"]\n')
    assert run_inside("build", config, "--quiet") == Ran(0, "", "")
    assert (folder / "hero.ossb").is_file()
    assert sorted(p.name for p in folder.iterdir()) == ["hero.manifest.json", "hero.ossb",
                                                        "hero.toml", "walk.bvh", "wave.bvh"]


@pytest.mark.parametrize(("keys", "evaluates", "composes"), [
    ("", "loop", "loop"),
    ('unroll = "full"', "full", "full"),
    ('unroll = ["evaluate=full"]', "full", "loop"),
    ('target = "host"', "loop", "loop"),
    ('optimise = "cycles"', "full", "full"),
    ('optimise = "cycles"\ntarget = "microbit"', "loop", "loop"),
    ('optimise = "cycles"\ntarget = "mps2_an386"', "loop", "full"),
    ('optimise = "cycles"\ntarget = "microbit"\nunroll = "evaluate=full"', "full", "loop"),
])
def test_code_is_laid_out_for_flash_or_for_the_target_s_speed(
        folder: Path, keys: str, evaluates: str, composes: str) -> None:
    config = write_toml(folder, f'inputs = ["walk.bvh"]\ngenerate = "made"\n{keys}\n')
    assert run_inside("build", config, "--quiet") == Ran(0, "", "")
    assert run_inside("generate", folder / "hero.ossb", "-o", folder / "expected", "--quiet",
                      "--unroll", "full", "--unroll", f"evaluate={evaluates}", "--unroll",
                      f"compose={composes}") == Ran(0, "", "")
    code = (folder / "made/hero_pose.c").read_bytes()
    assert code == (folder / "expected/hero_pose.c").read_bytes()
    assert (b"rotation_joints[" in code) == (evaluates == "loop")


def test_the_command_line_wins(folder: Path) -> None:
    config = write_toml(folder, """
tolerance = "2mm"
shell = "5cm"
effort = "fast"
restart = 0
[import]
fps = 20
[clips.walk]
loop = true
""")
    clips = reported(folder, "--config", config)
    assert {c["tolerance_mm"] for c in clips.values()} == {2.0}
    assert [clips[n]["loop"] for n in ("walk", "wave")] == [True, False]
    assert clips["walk"]["rate"] == 20.0
    clips = reported(folder, "--config", config, "--tolerance", "0.25mm", "--loop", "wave",
                     "--fps", "15", "--restart", "8")
    assert {c["tolerance_mm"] for c in clips.values()} == {0.25}
    assert [clips[n]["loop"] for n in ("walk", "wave")] == [True, True]
    assert clips["walk"]["rate"] == 15.0
    report = json.loads(run_inside("inspect", folder / "hero.ossb", "--json").out)
    assert {c["restart_frames"] for c in report["clips"]} == {8}


def test_layers(folder: Path) -> None:
    config = write_toml(folder, 'mode = "layer"\n[clips.walk]\nmode = "full-body"\n')
    clips = reported(folder, "--config", config)
    assert {name: clip["mode"] for name, clip in clips.items()} == {"walk": "full-body", "wave": "layer"}
    assert clips["walk"]["chain_error_mm"] is None
    assert 0.0 < clips["wave"]["chain_error_mm"] <= 1.0
    report = json.loads(run_inside("inspect", folder / "hero.ossb", "--json").out)
    assert [clip["mode"] for clip in report["clips"]] == ["full-body", "layer"]
    clips = reported(folder, "--config", config, "--layer", "walk")
    assert {clip["mode"] for clip in clips.values()} == {"layer"}


def test_joint_options_equal_those_of_the_file(folder: Path) -> None:
    config = write_toml(folder, '''
pin = ["sp*"]
[joints.hips]
tolerance = "0.2mm"
''')
    by_file = reported(folder, "--config", config)
    bank = (folder / "hero.ossb").read_bytes()
    by_option = reported(folder, "--pin", "sp*", "--joint-tolerance", "hips=0.2mm")
    assert by_option == by_file and (folder / "hero.ossb").read_bytes() == bank
    assert {clip["pinned_joint"] for clip in by_option.values()} == {"spine"}
    assert max(clip["pinned_error_mm"] for clip in by_option.values()) <= 0.1
    reported(folder)
    assert (folder / "hero.ossb").read_bytes() != bank


def test_the_worst_error_is_the_largest_also_where_a_joint_may_be_far_off(folder: Path) -> None:
    clips = reported(folder, "--joint-tolerance", "spine=9mm")
    for clip in clips.values():
        assert clip["error_mm"] > 1.0 and clip["error_joint"] == "spine"
        assert clip["tightest_error_mm"] <= clip["tightest_tolerance_mm"]
        used = clip["tightest_error_mm"] / clip["tightest_tolerance_mm"]
        assert clip["error_mm"] / 9.0 <= used <= 1.0


def test_joint_options_stand_above_the_file(folder: Path) -> None:
    """The last that matches wins; what the file pins stays pinned."""
    config = write_toml(folder, 'pin = ["hips"]\n[joints."*"]\ntolerance = "0.5mm"\n')
    clips = reported(folder, "--config", config, "--pin", "spine",
                     "--joint-tolerance", "spine=5mm", "--joint-tolerance", "*=0.05mm")
    assert max(clip["error_mm"] for clip in clips.values()) <= 0.05
    assert max(clip["pinned_error_mm"] for clip in clips.values()) <= 0.05
    bank = (folder / "hero.ossb").read_bytes()
    write_toml(folder, 'pin = ["hips", "spine"]\n[joints."*"]\ntolerance = "0.05mm"\n')
    assert reported(folder, "--config", config) == clips
    assert (folder / "hero.ossb").read_bytes() == bank


def test_a_joint_s_name_may_hold_an_equals_sign() -> None:
    rule = parse_joint_rule("a=b=0.5px", "--joint-tolerance")
    assert (rule.pattern, rule.tolerance) == ("a=b", Tolerance(pixels=0.5))


def test_an_unknown_target_is_refused_before_the_work(folder: Path) -> None:
    config = write_toml(folder, """
inputs = ["walk.bvh"]
generate = "."
target = "micorbit"
""")
    ran = run_inside("build", config)
    assert ran.status == 1 and mentions(ran.err, "microbit")
    assert not (folder / "hero.ossb").exists()


@pytest.mark.parametrize(("keys", "facts"), [('name = "int"', "int C++ name"), ('output = "new.ossb"', "new C++ name")])
def test_an_impossible_name_is_refused_before_the_work(folder: Path, keys: str, facts: str) -> None:
    config = write_toml(folder, f'inputs = ["walk.bvh"]\ngenerate = "."\n{keys}\n')
    assert mentions(run_inside("build", config).line, facts)
    assert not list(folder.glob("*.ossb"))


@pytest.mark.parametrize("key", ['embed = true', 'unroll = "loop"',
                                 'name = "dog"', '[sets]\nroot = ["hips"]',
                                 '[masks]\nroot = { weights = { hips = 1 } }'])
def test_options_of_generate_need_it(folder: Path, key: str) -> None:
    config = write_toml(folder, f'inputs = ["walk.bvh"]\n{key}\n')
    what = key.strip("[").replace("]", " ").split(" ")[0]
    assert mentions(run_inside("build", config).line, what)
    write_toml(folder, 'inputs = ["walk.bvh"]\nembed = false\n')
    assert run_inside("build", config).status == 0


def test_encode_says_which_keys_it_ignores(folder: Path) -> None:
    config = write_toml(folder, 'inputs = ["a.bvh"]\noutput = "b.ossb"\ntolerance = "2mm"\n')
    ran = run_inside("encode", folder / "walk.bvh", "-o", folder / "hero.ossb", "--config", config)
    assert ran.status == 0 and mentions(ran.err, config)
    assert not (folder / "b.ossb").exists()


def test_the_shell_matters(folder: Path) -> None:
    near = reported(folder, "--shell", "1mm")
    near_bytes = (folder / "hero.ossb").stat().st_size
    reported(folder, "--shell", "1m")
    assert (folder / "hero.ossb").stat().st_size > near_bytes
    assert max(c["error_mm"] for c in near.values()) <= 1.0


@pytest.mark.parametrize("text, facts", [
    ('tolerence = "1mm"', "tolerence tolerance"),
    ("[import]\nfpss = 30", "[import] fpss fps"),
    ("[clips.walk]\nlop = true", "lop loop"),
    ('[joints.Hips]\nloop = true', '[joints.\'Hips\'] loop [clips."NAME"]'),
    ("[joints.Hips]", "[joints.'Hips']"),
    ('[joints."Hip?x"]\ntolerance = "1mm"', "Hip?x"),
    ('pin = ["Fot"]', "Fot"),
    ('pin = "Foot"', "pin Foot"),
    ("[clips.wlak]\nloop = true", "wlak walk"),
    ('mode = "layers"', "layers layer"),
    ('[clips.walk]\nmode = "full"', "[clips.'walk'] full full-body"),
    ('codec = "detla"', "detla delta"),
    ('unroll = "lop"', "unroll lop loop"),
    ('unroll = ["evaluat=loop"]', "unroll evaluat=loop evaluate=loop"),
    ("[sets]\nlegs = 'hips'", "[sets] legs hips"),
    ("[sets]\nlegs = [1]", "[sets] legs 1"),
    ("[sets]\nlegs = []", "[sets] legs"),
    ("[sets]\n2d = ['hips']", "[sets] 2d"),
    ("masks = 1", "masks 1"),
    ("[masks]\nlegs = 'hips'", "[masks] legs hips set"),
    ("[masks]\nlegs = { set = 1 }", "[masks] legs set 1"),
    ("[masks]\nlegs = { set = 'a', fether = 1 }", "[masks] legs fether feather"),
    ("[masks]\nlegs = { set = 'a', feather = 1.5 }", "[masks] legs feather 1.5"),
    ("[masks]\nlegs = { set = 'a', feather = -2 }", "[masks] legs -2 0"),
    ("[masks]\nlegs = { weights = ['hips'] }", "[masks] legs weights hips"),
    ("[masks]\nlegs = { weights = { hips = 'all' } }", "[masks] legs hips all"),
    ("[masks]\nlegs = { weights = { hips = 2 } }", "[masks] legs 2 hips 0 1"),
    ("[masks]\nlegs = {}", "[masks] legs upper"),
    ("unroll = [1]", "unroll 1"),
    ("unroll = true", "unroll True"),
    ('effort = "maximum"', "effort maximum max"),
    ("tolerance = 1.0", "tolerance 1.0"),
    ('tolerance = "1"', "tolerance 1"),
    ("restart = 3", "restart 3"),
    ("restart = true", "restart True"),
    ('inputs = "walk.bvh"', "inputs walk.bvh"),
    ("inputs = [1]", "inputs 1"),
    ("embed = 1", "embed 1 base"),
    ("clips = 1", "clips 1"),
    ("clips.walk = 1", "walk 1"),
    ('[import]\nup = "x"', "[import] up x"),
    ("[import]\nfps = true", "[import] fps True"),
    ("[import]\nfps = nan", "fps nan [import] 0.001 480"),
    ("tolerance = ", "TOML"),
    ('[clips.walk]\nloop = 1', "[clips.'walk'] loop 1 close"),
])
def test_mistakes_are_named(folder: Path, text: str, facts: str) -> None:
    head = "" if text.startswith("inputs") else 'inputs = ["walk.bvh"]\n'
    config = write_toml(folder, head + text + "\n")
    ran = run_inside("build", config)
    assert ran.status == 1 and mentions(ran.line, facts)
    assert not (folder / "hero.ossb").exists()


def test_a_set_without_joints(folder: Path) -> None:
    config = write_toml(folder, """inputs = ["walk.bvh"]
generate = "out"
[sets]
legs = ["hips", "spin"]
""")
    ran = run_inside("build", config, "--quiet")
    assert ran.status == 1 and not (folder / "out").exists()
    assert mentions(ran.line, "[sets] legs spin spine")


def test_a_file_has_masks(folder: Path) -> None:
    config = write_toml(folder, """inputs = ["walk.bvh"]
generate = "out"
[sets]
both = ["hips", "spine"]
[masks]
body = { set = "both", feather = 1 }
top = { weights = { "sp*" = 0.5 } }
""")
    assert run_inside("build", config, "--quiet") == Ran(0, "", "")
    assert run_inside("generate", folder / "hero.ossb", "-o", folder / "expected", "--quiet", "--unroll", "loop",
                      "--joints", "both=hips,spine", "--mask", "body=both:1") == Ran(0, "", "")
    tables = (folder / "out/hero_tables.c").read_text(encoding="utf-8")
    assert "hero_mask_body[HERO_JOINT_COUNT] = {\n    16384, 32768,\n};" in tables
    assert "hero_mask_top[HERO_JOINT_COUNT] = {\n    0, 16384,\n};" in tables
    assert (folder / "expected/hero_tables.c").read_text(encoding="utf-8") in tables


@pytest.mark.parametrize(("mask", "facts"), [
    ('{ set = "bth" }', "[masks] bth both"),
    ('{ set = "both", feather = 2 }', "[masks] 2 both 0 1"),
    ("{ weights = { spin = 1 } }", "[masks] spin spine"),
])
def test_a_mask_that_the_joints_make_impossible(folder: Path, mask: str, facts: str) -> None:
    config = write_toml(folder, f'''inputs = ["walk.bvh"]
generate = "out"
[sets]
both = ["hips", "spine"]
[masks]
m = {mask}
''')
    ran = run_inside("build", config, "--quiet")
    assert ran.status == 1 and not (folder / "out").exists() and mentions(ran.line, facts) and "--" not in ran.line


def test_a_build_without_inputs(folder: Path) -> None:
    config = write_toml(folder, "")
    ran = run_inside("build", config)
    assert ran.status == 1 and mentions(ran.line, "inputs")
    config.write_bytes(b"\xff\xfe")
    assert mentions(run_inside("build", config).line, f"{config} TOML")
    assert mentions(run_inside("build", folder).line, folder)
    assert "--jobs 0" in run_inside("build", write_toml(folder, 'inputs = ["walk.bvh"]'), "--jobs", "0").line


def test_a_build_never_writes_over_an_input(folder: Path) -> None:
    text = (folder / "walk.bvh").read_bytes()
    config = write_toml(folder, 'inputs = ["walk.bvh"]\noutput = "walk.bvh"\n')
    assert mentions(run_inside("build", config).line, "walk.bvh")
    assert (folder / "walk.bvh").read_bytes() == text
