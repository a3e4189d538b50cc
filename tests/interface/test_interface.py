"""`import ossicle` does what the commands do, with the same settings, results and messages."""
from __future__ import annotations

import json
import os
import pickle
import re
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import ossicle
import pytest
from captures import write_capture
from mentions import mentioning, mentions
from running import HERO, ROOT, Ran, run_inside, write_bvh


def test_importing_it_loads_nothing_heavy() -> None:
    script = "import sys; sys.path.insert(0, sys.argv[1]); import ossicle; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-I", "-c", script, ROOT / "codegen"], capture_output=True, text=True,
                            check=True).stdout.split()
    assert [name for name in loaded if name.startswith("ossicle")] == ["ossicle"]
    assert not {"numpy", "rich", "argparse", "cffi"} & set(loaded)


def test_every_name_is_documented() -> None:
    for name in dir(ossicle):
        assert getattr(ossicle, name).__doc__ and name in dir(ossicle)
    with pytest.raises(AttributeError, match=mentioning("ossicle encod")):
        ossicle.encod  # type: ignore[attr-defined]


def test_encode_gives_the_bank_and_the_report_of_the_command() -> None:
    Path("hero.toml").write_text('[clips.Walk]\nloop = true\n', encoding="utf-8")
    assert run_inside("encode", HERO, "-o", "hero.ossb", "--tolerance", "2mm", "--clips", "W*", "--config", "hero.toml",
                      "--json", "hero.json", "--quiet").status == 0
    encoded = ossicle.encode(HERO, tolerance="2mm", clips=["W*"], effort="default")
    looped = ossicle.encode(HERO, tolerance="2mm", clips={"Walk": {"loop": True}}, **{"import": {"clips": ["W*"]}})
    assert encoded.bank.data != looped.bank.data == Path("hero.ossb").read_bytes()
    assert looped.report == json.loads(Path("hero.json").read_text(encoding="utf-8"))
    assert looped.warnings == looped.report["warnings"]
    looped.bank.write("again.ossb")
    assert Path("again.ossb").read_bytes() == Path("hero.ossb").read_bytes()


def test_options_of_the_import_are_keys() -> None:
    write_bvh(Path("walk.bvh"))
    half = ossicle.read("walk.bvh", scale=0.5).skeleton.bind
    assert np.array_equal(half, ossicle.read("walk.bvh", **{"import": {"scale": 0.5}}).skeleton.bind)
    assert np.allclose(half[:, 4:7], 50.0 * ossicle.read("walk.bvh").skeleton.bind[:, 4:7])


def test_a_bank_describes_and_decodes_itself() -> None:
    write_bvh(Path("walk.bvh"))
    bank = ossicle.encode("walk.bvh").bank
    bank.write("walk.ossb")
    read = ossicle.Bank.read("walk.ossb")
    assert (read.joints, read.clips) == (["hips", "spine"], ["walk"])
    assert read.describe() == json.loads(run_inside("inspect", "walk.ossb", "--json").out)
    assert ossicle.Bank.from_bytes(Path("walk.ossb").read_bytes()).data == bank.data
    assert run_inside("decode", "walk.ossb", "-o", "walk.glb", "--midpoints").status == 0
    ossicle.write(read.decode("walk", midpoints=True), "ours.glb")
    assert Path("ours.glb").read_bytes() == Path("walk.glb").read_bytes()
    ossicle.write(read.decode("walk"), "ours.bvh")
    assert ossicle.read("ours.bvh").clips[0].frames.shape == (30, 2, 10)


def test_build_says_what_it_wrote() -> None:
    write_bvh(Path("walk.bvh"))
    Path("dog.toml").write_text('inputs = ["walk.bvh"]\ngenerate = "."\n', encoding="utf-8")
    first, = ossicle.build("dog.toml")
    again, = ossicle.build("dog.toml")
    assert (first.name, first.changed, again.changed) == ("dog.toml", True, False)
    assert set(first.files) == set(again.files) and {Path("dog.ossb"), Path("dog_pose.c")} <= set(first.files)
    assert run_inside("build", "dog.toml") == Ran(0, "dog.toml is unchanged\n", "")
    assert ossicle.build("dog.toml", output="out")[0].changed and Path("out/dog.ossb").is_file()


def test_a_failed_build_has_built_the_others() -> None:
    write_bvh(Path("walk.bvh"))
    Path("pets.toml").write_text('[character.dog]\ninputs = ["walk.bvh"]\n[character.cat]\ninputs = ["run.bvh"]\n',
                                 encoding="utf-8")
    with pytest.raises(ossicle.BuildFailed, match=mentioning("cat run.bvh")) as caught:
        ossicle.build("pets.toml")
    assert list(caught.value.lines) == ["pets.toml [character.cat]"] and Path("dog.ossb").is_file()


def test_report_measures_as_the_command() -> None:
    write_bvh(Path("walk.bvh"))
    assert run_inside("report", "walk.bvh", "--json", "report.json", "--quiet").status == 0
    expected = json.loads(Path("report.json").read_text(encoding="utf-8"))
    assert ossicle.report("walk.bvh") == expected
    assert expected["warnings"] == []
    ossicle.encode("walk.bvh").bank.write("walk.ossb")
    assert ossicle.report("walk.ossb")["bank"]["sources"] is None
    assert ossicle.report("walk.ossb", source="walk.bvh")["bank"]["sources"] == ["walk.bvh"]


def test_report_has_the_warnings_of_encoding() -> None:
    write_bvh(Path("walk.bvh"))
    Path("small.toml").write_text("[import]\nscale = 0.0001\n", encoding="utf-8")
    warning, = ossicle.report("walk.bvh", config="small.toml")["warnings"]
    assert mentions(warning, "walk.bvh scale")


def test_retarget_writes_what_the_command_writes() -> None:
    write_capture(Path("walk.bvh"))
    assert run_inside("retarget", "walk.bvh", "--onto", HERO, "--scale", "1.5", "-o", "walk.glb", "--quiet").status == 0
    result = ossicle.retarget("walk.bvh", onto=HERO, scale=1.5)
    ossicle.write(result, "ours.glb")
    assert Path("ours.glb").read_bytes() == Path("walk.glb").read_bytes()
    assert result.clips[0].measure is not None


@pytest.mark.parametrize(("call", "facts"), [
    (lambda: ossicle.encode(HERO, tolerence="1mm"), "tolerence tolerance"),
    (lambda: ossicle.encode(HERO, tolerance="wide"), "tolerance wide"),
    (lambda: ossicle.encode(HERO, generate="."), "generate"),
    (lambda: ossicle.encode("none.glb"), "none.glb"),
    (lambda: ossicle.read(HERO, clips=["Wlk"]), "Wlk Walk"),
    (lambda: ossicle.Bank.read("none.ossb"), "none.ossb"),
    (lambda: ossicle.Bank.from_bytes(b"bank", "a.ossb"), "a.ossb"),
    (lambda: ossicle.retarget(HERO, onto=HERO, mapp={}), "mapp map"),
    (lambda: ossicle.retarget(HERO, onto="none.glb"), "none.glb"),
    (lambda: ossicle.write(ossicle.read(HERO), "hero.fbx"), "hero.fbx .glb .bvh"),
    (lambda: ossicle.write(ossicle.read(HERO), "hero.bvh"), "hero.bvh .glb"),
    (lambda: ossicle.build("none.toml"), "none.toml"),
    (lambda: ossicle.report("none.ossb"), "none.ossb"),
])
def test_failures_are_problems_with_a_line(call: object, facts: str) -> None:
    with pytest.raises(ossicle.Problem, match=mentioning(facts)):
        call()  # type: ignore[operator]


def test_curves_are_curves() -> None:
    """And no joints, as in what the commands print and write."""
    write_bvh(Path("walk.bvh"))
    bank = ossicle.encode("walk.bvh", clips={"walk": {"curves": {"glow": [[0.0, 0.0], ["0.5s", 1.0]]}}}).bank
    assert bank.joints == [joint["name"] for joint in bank.describe()["joints"]]
    bank.write("walk.ossb")
    assert run_inside("decode", "walk.ossb", "-o", "walk.glb").status == 0
    decoded = bank.decode()
    ossicle.write(decoded, "ours.glb")
    assert Path("ours.glb").read_bytes() == Path("walk.glb").read_bytes()
    assert all(set(clip.curves) == {"glow"} and list(decoded.skeleton.names) == bank.joints for clip in decoded.clips)


def test_calls_print_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    write_bvh(Path("walk.bvh"))
    ossicle.report("walk.bvh")
    ossicle.encode("walk.bvh", cache="off").bank.write("-")
    assert capfd.readouterr() == ("", "") and Path("-").is_file()


def test_clips_of_one_name_are_refused() -> None:
    write_capture(Path("walk.bvh"))
    write_capture(Path("more/walk.bvh"))
    with pytest.raises(ossicle.Problem, match=mentioning("more/walk.bvh walk")):
        ossicle.retarget("walk.bvh", "more/walk.bvh", onto=HERO)
    assert len(ossicle.retarget("walk.bvh", "walk.bvh", onto=HERO).clips) == 1
    with pytest.raises(ossicle.Problem, match="map = {"):
        ossicle.retarget("walk.bvh", onto=HERO, map={"left_hand": "LeftUpLeg"})


def test_sources_are_a_path_or_a_list() -> None:
    write_bvh(Path("walk.bvh"))
    ossicle.encode("walk.bvh").bank.write("walk.ossb")
    assert ossicle.report("walk.ossb", source=["walk.bvh"]) == ossicle.report("walk.ossb", source="walk.bvh")


def test_type_checkers_see_every_name() -> None:
    stated = set(re.findall(r"^    from \S+ import (\w+) as \1$", Path(ossicle.__file__).read_text(), re.M))
    assert stated == set(dir(ossicle))


LAYERED = {"start": "walk", "states": {"walk": {"play": "walk"}},
           "layers": [{"name": "above", "mask": "upper", "play": "walk", "weight": 0.5}]}


def test_layers_have_masks() -> None:
    """As those of files, in which sets and masks are beside the graph."""
    write_bvh(Path("walk.bvh"))
    Path("dog.toml").write_text("""inputs = ["walk.bvh"]
sets = { above = ["spine"] }
masks = { upper = { set = "above" } }
[graph]
start = "walk"
states.walk.play = "walk"
layers = [{ name = "above", mask = "upper", play = "walk", weight = 0.5 }]
""", encoding="utf-8")
    ossicle.build("dog.toml")
    ours = ossicle.encode("walk.bvh", graph=LAYERED, sets={"above": ["spine"]}, masks={"upper": {"set": "above"}})
    assert ours.bank.data == Path("dog.ossb").read_bytes()
    with pytest.raises(ossicle.Problem, match=mentioning("masks")):
        ossicle.encode("walk.bvh", masks={"upper": {"set": "above"}})


def test_problems_of_a_graph_name_no_file() -> None:
    write_bvh(Path("walk.bvh"))
    with pytest.raises(ossicle.Problem, match=r"^\[graph") as caught:
        ossicle.encode("walk.bvh", graph={"start": "run", "states": {"run": {"play": "run"}}})
    assert "None" not in str(caught.value)


def test_failed_builds_travel_between_processes() -> None:
    failed = pickle.loads(pickle.dumps(ossicle.BuildFailed({"dog.toml": "a line"})))
    assert failed.lines == {"dog.toml": "a line"} and str(failed) == "a line"


@pytest.mark.parametrize("options", [{"jobs": -1}, {"jobs": 0}, {"jobs": "2"}, {"jobs": float("nan")}, {"jobs": True},
                                     {"cache": b"x"}, {"cache": 1}])
def test_options_are_checked(options: dict[str, object]) -> None:
    write_bvh(Path("walk.bvh"))
    Path("dog.toml").write_text('inputs = ["walk.bvh"]\n', encoding="utf-8")
    for call, given in ((ossicle.encode, "walk.bvh"), (ossicle.build, "dog.toml"), (ossicle.report, "walk.bvh")):
        with pytest.raises(ossicle.Problem, match=mentioning(*options)):
            call(given, **options)  # type: ignore[operator]
    assert sorted(os.listdir()) == ["dog.toml", "walk.bvh"]


@pytest.mark.parametrize("name", ["a\nb", "a\0b"])
def test_paths_have_no_control_characters(name: str) -> None:
    write_bvh(Path("walk.bvh"))
    bank = ossicle.encode("walk.bvh").bank
    for call in (lambda: bank.write(f"{name}.ossb"), lambda: ossicle.write(bank.decode(), f"{name}.glb"),
                 lambda: ossicle.encode(f"{name}.glb"), lambda: ossicle.Bank.read(f"{name}.ossb"),
                 lambda: ossicle.build("dog.toml", output=name), lambda: ossicle.retarget("walk.bvh", onto=name)):
        with pytest.raises(ossicle.Problem, match=mentioning("control character")):
            call()
    assert os.listdir() == ["walk.bvh"]


def test_protected_files_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """As from commands."""
    write_bvh(Path("walk.bvh"))
    bank = ossicle.encode("walk.bvh").bank
    for name in ("walk.ossb", "walk.glb"):
        Path(name).write_bytes(b"mine")
    monkeypatch.setattr(os, "access", lambda path, _: not Path(path).is_file())  # root may write to all files
    for call in (lambda: bank.write("walk.ossb"), lambda: ossicle.write(bank.decode(), "walk.glb")):
        with pytest.raises(ossicle.Problem, match=mentioning("written choose path")):
            call()
    assert Path("walk.ossb").read_bytes() == Path("walk.glb").read_bytes() == b"mine"


@pytest.mark.parametrize("mask", [0o022, 0o027])
def test_files_get_the_rights_of_new_files(mask: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mask of the process is not changed meanwhile: files of other threads would be open to all users."""
    write_bvh(Path("walk.bvh"))
    bank = ossicle.encode("walk.bvh").bank
    before = os.umask(mask)
    try:
        with monkeypatch.context() as patched:
            patched.delattr(os, "umask")
            bank.write("walk.ossb")
    finally:
        os.umask(before)
    if os.name == "posix":
        assert stat.S_IMODE(Path("walk.ossb").stat().st_mode) == 0o666 & ~mask


def test_no_key_is_ignored() -> None:
    with pytest.raises(ossicle.Problem, match=mentioning("scale import")):
        ossicle.read(HERO, scale=1.0, **{"import": {"scale": 2.0}})
    with pytest.raises(ossicle.Problem, match=mentioning("inputs retarget")):
        ossicle.retarget("walk.bvh", onto=HERO, inputs=["more.bvh"])


def test_values_may_be_of_similar_types() -> None:
    """Tuples as lists, NumPy's scalars as numbers, and Path as text, also inside tables."""
    write_bvh(Path("walk.bvh"))
    plain = ossicle.encode("walk.bvh", pin=["spine"], fps=30.0, clips=["walk"], skinning=True)
    other = ossicle.encode("walk.bvh", pin=("spine",), fps=np.float32(30.0), clips=("walk",), skinning=np.bool_(True))
    assert plain.bank.data == other.bank.data == ossicle.Bank.from_bytes(memoryview(other.bank.data)).data
    retargeted = ossicle.read(HERO, retarget=[{"inputs": (write_capture(Path("turn.bvh")),)}])
    assert "turn" in [clip.name for clip in retargeted.clips]


@pytest.mark.parametrize(("call", "facts"), [
    (lambda: ossicle.encode(HERO, clips={1: {}}), "1 clips"),
    (lambda: ossicle.read(HERO, screen={1: 2}), "1 screen"),
    (lambda: ossicle.retarget(HERO, onto=HERO, map={"left_hand": 3}), "left_hand 3"),
    (lambda: ossicle.encode(HERO, tolerance=np.zeros(3)), "tolerance"),
])
def test_other_types_are_problems(call: object, facts: str) -> None:
    with pytest.raises(ossicle.Problem, match=mentioning(facts)):
        call()  # type: ignore[operator]


def test_a_handler_of_the_host_stays() -> None:
    """One that C code has installed, which Python can neither read nor restore."""
    Path("host.c").write_text("#include <signal.h>\nstatic void ignore(int number) { (void)number; }\n"
                              "__attribute__((constructor)) static void install(void) { signal(SIGTERM, ignore); }\n")
    subprocess.run(["gcc", "-shared", "-fPIC", "host.c", "-o", "host.so"], check=True)
    script = ("import signal, sys\n"
              "sys.path.insert(0, sys.argv[1])\n"
              "from ossicle.base import signals\n"
              "with signals.deferred():\n    pass\n"
              "signal.raise_signal(signal.SIGTERM)\n"
              "print('alive')\n")
    ran = subprocess.run([sys.executable, "-c", script, ROOT / "codegen"], capture_output=True, text=True, check=False,
                         env=os.environ | {"LD_PRELOAD": str(Path("host.so").absolute())})
    assert ran.stdout == "alive\n", ran.stderr
