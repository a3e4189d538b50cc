"""A build writes what has changed, and nothing else."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from gltf_builder import GltfBuilder, turn
from ossicle.building import job, manifest
from ossicle.config.project import Project
from running import ROOT, Ran, contents, run_command, run_inside, write_bvh
from mentions import mentions

CODE = ("dog.h", "dog_bank.c", "dog_pose.c", "dog_tables.c")
HEAVY = ("numpy", "jinja2", "cffi", "rich", "matplotlib", "distributed", "PIL", "tomllib")
SLOW = ("ossicle.importers.importer", "ossicle.encoding.settings", "ossicle.machines")


def times(folder: Path) -> dict[str, int]:
    """The time of the last change of every file below a folder, and of every folder."""
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*")}


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_several_files_at_once(folder: Path) -> None:
    assert run_inside("build", "dog.toml", "cat.toml", "--quiet") == Ran(0, "", "")
    for name in ("dog", "cat"):
        assert (folder / f"{name}.ossb").is_file() and (folder / f"code/{name}_bank.c").is_file()


def test_all_outputs_in_a_folder(folder: Path) -> None:
    """As they would be in the places that the file names; and nothing is written there."""
    before = contents(folder)
    assert run_inside("build", "dog.toml", "-o", "made/here", "--quiet") == Ran(0, "", "")
    built = contents(folder / "made/here")
    assert sorted(built) == sorted([*CODE, "dog.manifest.json", "dog.ossb"])
    assert {name: content for name, content in contents(folder).items() if not name.startswith("made")} == before
    assert run_inside("build", "dog.toml", "--quiet") == Ran(0, "", "")
    assert all((folder / "code" / name).read_bytes() == built[name] for name in CODE)
    assert (folder / "dog.ossb").read_bytes() == built["dog.ossb"]


def test_a_source_file_alone(folder: Path) -> None:
    assert run_inside("build", "walk.bvh", "-o", "out", "--quiet") == Ran(0, "", "")
    assert sorted(contents(folder / "out")) == sorted(
        ["walk.manifest.json", "walk.ossb", *(name.replace("dog", "walk") for name in CODE)])
    assert run_inside("encode", "walk.bvh", "-o", "expected.ossb", "--quiet") == Ran(0, "", "")
    assert (folder / "out/walk.ossb").read_bytes() == (folder / "expected.ossb").read_bytes()


@pytest.mark.parametrize("options", [(), ("-o", "out"), ("--json", "dog.json")])
def test_nothing_is_touched_when_nothing_has_changed(folder: Path, options: tuple[str, ...]) -> None:
    build = ("build", "dog.toml", *options, "--depfile", "dog.d")
    assert run_inside(*build, "--quiet") == Ran(0, "", "")
    before = times(folder)
    assert run_inside(*build) == Ran(0, "dog.toml is unchanged\n", "")
    assert run_inside(*build, "--quiet") == Ran(0, "", "")
    assert times(folder) == before


def test_no_depfile_replaces_the_manifest_of_an_unchanged_character(folder: Path) -> None:
    assert run_inside("build", "dog.toml", "--quiet") == Ran(0, "", "")
    before = contents(folder)
    line = run_inside("build", "dog.toml", "--depfile", "dog.manifest.json").line
    assert mentions(line, "dog.manifest.json")
    assert contents(folder) == before


def imported(script: str) -> list[str]:
    """The modules that a script has imported at its end, without the lines that it prints before."""
    ran = subprocess.run([sys.executable, "-c", f"import sys\n{script}\nprint(*sys.modules)"], check=True,
                         capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT / "codegen")})
    return ran.stdout.splitlines()[-1].split()


@pytest.mark.parametrize(("words", "most"), [(["--version"], 25), (["completion", "bash"], 60),
                                             (["build", "dog.toml", "--quiet"], 60)])
def test_quick_commands_import_few_modules(folder: Path, words: list[str], most: int) -> None:
    """They take less than 0.1 s of a processor (`python -X importtime -m ossicle` shows it), because they import no
    large package, and not more than `most` modules of Ossicle."""
    if "build" in words:
        assert run_inside(*words) == Ran(0, "", "")
    modules = imported(f"sys.argv[1:] = {words!r}\nfrom ossicle.__main__ import main\n"
                       "try: main()\nexcept SystemExit: pass")
    assert not {*HEAVY, *SLOW} & {*modules}
    assert len([name for name in modules if name.startswith("ossicle")]) <= most


def test_a_parser_with_the_options_of_a_command_imports_no_large_package(folder: Path) -> None:
    modules = imported("from ossicle.cli.parser import make_parser\n"
                       "make_parser().parse_args(['encode', 'a.bvh', '-o', 'b.ossb'])")
    assert not set(HEAVY) & set(modules)


@pytest.mark.parametrize("change", ["clip", "settings", "bank", "code", "missing", "report", "damaged"])
def test_changed_characters_are_rebuilt(folder: Path, change: str) -> None:
    build: tuple[str, ...] = ("build", "dog.toml", "cat.toml", "--quiet")
    assert run_inside(*build) == Ran(0, "", "")
    first, before = contents(folder), times(folder)
    if change == "clip":
        write_bvh(folder / "walk.bvh", speed=5.0)
    elif change == "settings":
        edit(folder / "dog.toml", "embed = true", 'embed = true\ntolerance = "3mm"')
    elif change in ("bank", "code", "damaged"):
        name = {"bank": "dog.ossb", "code": "code/dog.h", "damaged": "dog.manifest.json"}[change]
        (folder / name).write_bytes(b"[1]")
    elif change == "missing":
        (folder / "code/dog_pose.c").unlink()
    else:
        build = ("build", "dog.toml", "--json", "dog.json", "--quiet")
    assert run_inside(*build) == Ran(0, "", "")
    if change in ("clip", "settings"):
        assert contents(folder)["dog.ossb"] != first["dog.ossb"]
    else:
        kept = {name: content for name, content in contents(folder).items() if name in first}
        kept["dog.manifest.json"] = first["dog.manifest.json"]  # has the report
        assert kept == first
    after = times(folder)
    assert not [name for name in before if "/cat" in name and after[name] != before[name]]


def test_settings_that_change_while_they_are_built(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading = job.read_project

    def edited_afterwards(config: Path, character: str) -> Project:
        read = reading(config, character)
        edit(config, 'generate = "code"', 'generate = "edited"')
        return read
    with monkeypatch.context() as patched:
        patched.setattr(job, "read_project", edited_afterwards)
        assert run_inside("build", "dog.toml", "--quiet") == Ran(0, "", "")
    assert "unchanged" not in run_inside("build", "dog.toml").out
    assert (folder / "edited/dog.h").is_file() and not (folder / "code/dog.h").exists()


def test_only_outputs_with_other_content_are_written(folder: Path) -> None:
    assert run_inside("build", "dog.toml", "--quiet") == Ran(0, "", "")
    before = times(folder)
    edit(folder / "dog.toml", "embed", "# a remark\nembed")
    assert "wrote" in run_inside("build", "dog.toml").out
    after = times(folder)
    changed = {Path(name).name for name in after if after[name] != before[name]} - {folder.name}
    assert changed == {"dog.toml", "dog.manifest.json"}


def test_a_file_that_a_gltf_refers_to(folder: Path) -> None:
    builder = GltfBuilder()
    root = builder.node("root")
    builder.animation("Nod", (root, "rotation", [0.0, 1.0], [turn("x", 0.0), turn("x", 90.0)], "LINEAR"))
    builder.skin([root])
    document, data = json.loads(builder.json_bytes()), bytes(builder.binary)
    (folder / "nod.bin").write_bytes(data)
    document["buffers"][0]["uri"] = "nod.bin"
    (folder / "nod.gltf").write_text(json.dumps(document), encoding="utf-8")
    build = ("build", "nod.gltf", "-o", "out", "--depfile", "out/nod.d", "--quiet")
    assert run_inside(*build) == Ran(0, "", "")
    assert "nod.bin" in (folder / "out/nod.d").read_text(encoding="utf-8")
    assert mentions(run_command(*build[:-1]).out, "nod.gltf")
    (folder / "nod.bin").write_bytes(data + b"\0")
    assert "wrote" in run_command(*build[:-1]).out


def test_files_that_are_no_longer_generated_are_removed(folder: Path) -> None:
    assert run_inside("build", "dog.toml", "cat.toml", "--quiet") == Ran(0, "", "")
    (folder / "code/mine.c").write_text("int mine;\n", encoding="utf-8")
    edit(folder / "dog.toml", "embed = true", 'name = "hound"')
    assert mentions(run_inside("build", "dog.toml").out, "code/dog_bank.c")
    assert sorted(path.name for path in (folder / "code").iterdir()) == [
        "cat.h", "cat_bank.c", "cat_pose.c", "cat_tables.c", "hound.h", "hound_pose.c", "hound_tables.c",
        "mine.c"]


def test_a_file_that_somebody_edited_is_not_removed(folder: Path) -> None:
    assert run_inside("build", "dog.toml", "--quiet") == Ran(0, "", "")
    (folder / "code/dog_bank.c").write_text("/* mine */\n", encoding="utf-8")
    edit(folder / "dog.toml", "embed = true", "embed = false")
    assert run_inside("build", "dog.toml", "--quiet") == Ran(0, "", "")
    assert (folder / "code/dog_bank.c").read_text(encoding="utf-8") == "/* mine */\n"


def test_a_name_that_moves_to_another_file_is_not_removed(folder: Path) -> None:
    assert run_inside("build", "dog.toml", "cat.toml", "--quiet") == Ran(0, "", "")
    edit(folder / "dog.toml", "embed = true", 'embed = true\nname = "wolf"')
    edit(folder / "cat.toml", "embed = true", 'embed = true\nname = "dog"')
    assert run_inside("build", "cat.toml", "dog.toml", "--quiet") == Ran(0, "", "")
    assert all((folder / "code" / name).is_file() for name in CODE)


def test_another_ossicle_builds_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_inside("build", "dog.toml", "--quiet") == Ran(0, "", "")
    monkeypatch.setattr(manifest, "library_path", lambda: folder / "walk.bvh")
    manifest.own_digest.cache_clear()
    assert "wrote" in run_inside("build", "dog.toml").out
    manifest.own_digest.cache_clear()


@pytest.mark.parametrize(("second", "facts"), [
    ('inputs = ["sit.bvh"]\noutput = "dog.ossb"\n', "dog.ossb"),
    ('inputs = ["sit.bvh"]\ngenerate = "code"\nname = "dog"\n', "code/dog.h"),
    ('inputs = ["sit.bvh"]\noutput = "walk.bvh"\n', "walk.bvh"),
    ('inputs = ["absent.bvh"]\n', "absent.bvh"),
    ('inputs = ["sit.bvh"]\ntolerence = "1mm"\n', "tolerence"),
])
@pytest.mark.parametrize("built", [False, True])
def test_problems_are_found_before_anything_is_written(folder: Path, second: str, facts: str, built: bool) -> None:
    if built:
        assert run_inside("build", "dog.toml", "--quiet") == Ran(0, "", "")
    (folder / "cat.toml").write_text(second, encoding="utf-8")
    before = contents(folder)
    assert mentions(run_inside("build", "dog.toml", "cat.toml", "--fail-fast").line, facts)
    assert contents(folder) == before
    ran = run_inside("build", "dog.toml", "cat.toml", "--quiet")
    assert ran.status == 1 and mentions(ran.line, "cat.toml") and mentions(ran.line, facts)
    assert {path.name for path in folder.glob("*.ossb")} == {"dog.ossb"}


def test_a_report_is_of_one_character(folder: Path) -> None:
    assert mentions(run_inside("build", "dog.toml", "cat.toml", "--json", "x.json").line, "2")


@pytest.mark.parametrize("words", [("--output=out",), ("-o",), ("-o", ""), ("--colour",), ("--jobs", "0"),
                                   ("--depfile", "-"), ("--depfile", "walk.bvh")])
def test_unusual_words(folder: Path, words: tuple[str, ...]) -> None:
    assert run_inside("build", "dog.toml", "--quiet") == Ran(0, "", "")
    assert (run_inside("build", "dog.toml", "--quiet", *words).status != 0) == (words != ("--output=out",))
