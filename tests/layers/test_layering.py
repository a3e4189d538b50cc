"""Folders show the architecture: a file uses what lies in its own folder, and below."""
from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENCODER = ROOT / "codegen/encoder"
PACKAGE = ROOT / "codegen/ossicle"
RUNTIME = ROOT / "runtime"
OBJECTS = ROOT / "build/host/encoder"

# From the bottom to the top. A folder is in the layer that its path begins with, the longest first.
LAYERS = ["base", "model", "codecs", "published/keys", "published", "solve", "writer"]
RUNTIME_LAYERS = ("arithmetic", "bank", "codecs", "published", "pose", "mix", "ik", "motion", "crowd", "stream",
                  "graph")
# The files of the encoder that offer the published schemes. Nothing else outside published/ knows them.
OFFER_PUBLISHED = {"solve/search.c": {"published/schemes/schemes.h"}, "writer/clip.h": {"published/tiers/plan.h"},
                   "writer/clip_tiers.c": {"published/tiers/tiers.h"}}
PYTHON_LAYERS = ["base", "model", "importers", "retargeting", "bank", "graph", "encoding", "export", "analysis",
                 "machines", "generate", "reporting", "compare", "play", "view", "config", "building", "interface",
                 "cli"]


def layer_of(file: str) -> int:
    """Height of an encoder's file; what every file may use is at the bottom."""
    if "/" not in file:
        return -1
    fitting = [layer for layer in LAYERS if file.startswith(f"{layer}/")]
    assert fitting, f"codegen/encoder/{file} is in no layer: add its folder to {Path(__file__).name}"
    return LAYERS.index(max(fitting, key=len))


def sources() -> list[str]:
    return sorted(str(path.relative_to(ENCODER)) for path in ENCODER.rglob("*.[ch]"))


def included(file: str) -> list[str]:
    """The encoder's own headers that a file includes."""
    text = (ENCODER / file).read_text(encoding="utf-8")
    return [name for name in re.findall(r'^#include "([^"]+)"', text, re.M) if (ENCODER / name).is_file()]


def cycle_in(edges: dict[str, Iterable[str]]) -> list[str]:
    """Names on a circle of the graph; empty where there is none."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_a_circle_is_found() -> None:
    assert cycle_in({"a": ["b"], "b": ["c"], "c": []}) == []
    assert set(cycle_in({"a": ["b"], "b": ["c"], "c": ["b"]})) == {"b", "c"}


@pytest.mark.parametrize("file", sources())
def test_the_encoder_includes_downward(file: str) -> None:
    upward = [name for name in included(file) if layer_of(name) > layer_of(file)]
    assert not upward, f"codegen/encoder/{file} includes {', '.join(upward)} of a layer above"


def test_codecs_do_not_know_each_other() -> None:
    codecs = {Path(file).parent.name for file in sources() if Path(file).name == "bits.c"}
    assert {"delta", "velocity"} <= codecs
    for file in sources():
        if Path(file).parent.name in codecs:
            assert {Path(name).parent.name for name in included(file)} & codecs <= {Path(file).parent.name}, file


def test_published_schemes_stay_apart() -> None:
    """A program that plays other clips needs none of their files."""
    for file in sources():
        if not file.startswith("published/"):
            published = {name for name in included(file) if name.startswith("published/")}
            assert published == OFFER_PUBLISHED.get(file, set()), file
    for path in RUNTIME.rglob("*.[ch]"):
        if path.parent.name != "published":
            assert not [name for name in runtime_includes(path) if name.startswith("published/")], path


def test_no_headers_include_each_other() -> None:
    headers = {file: included(file) for file in sources() if file.endswith(".h")}
    assert not cycle_in(headers)


def runtime_includes(path: Path) -> list[str]:
    """The runtime's headers that a file includes, from the runtime's folder on."""
    names = re.findall(r'^#include "([^"]+)"', path.read_text(encoding="utf-8"), re.M)
    return [name for name in names if (RUNTIME / name).is_file()]


@pytest.mark.parametrize("path", sorted(RUNTIME.glob("*/*.[ch]")), ids=lambda path: str(path.relative_to(RUNTIME)))
def test_the_runtime_includes_downward(path: Path) -> None:
    """Files above the folders, such as ossicle.h, are for all of them, and so is the port contract."""
    folders = {Path(name).parent.name for name in runtime_includes(path)} - {"", "port"}
    height = RUNTIME_LAYERS.index("arithmetic" if path.parent.name == "port" else path.parent.name)
    assert all(RUNTIME_LAYERS.index(folder) <= height for folder in folders)


def test_the_runtime_s_tests_lie_in_its_folders() -> None:
    """The build finds them only there."""
    folders = {str(path.parent.relative_to(ROOT / "tests")) for path in (ROOT / "tests/runtime").rglob("*.c")}
    assert folders and folders <= {f"runtime/{folder}" for folder in RUNTIME_LAYERS}


def test_no_runtime_headers_include_each_other() -> None:
    headers = {str(path.relative_to(RUNTIME)): runtime_includes(path) for path in RUNTIME.rglob("*.h")}
    assert sum(map(len, headers.values())) > len(headers)
    assert not cycle_in(headers)


def symbols(file: Path) -> tuple[set[str], set[str]]:
    """Names that an object defines, and those that it needs."""
    listing = subprocess.run(["nm", file], capture_output=True, text=True, check=True).stdout
    parts = [line.split() for line in listing.splitlines()]
    return ({part[-1] for part in parts if part[-2] in "TDRB"}, {part[-1] for part in parts if part[-2] == "U"})


def test_no_units_call_each_other(built_encoder: None) -> None:
    """Compares symbols of objects, because a header can declare functions that another file defines."""
    units = {file[:-2]: symbols(OBJECTS / f"{file[:-2]}.os") for file in sources() if file.endswith(".c")}
    owner = {name: unit for unit, (defined, _) in units.items() for name in defined}
    calls = {unit: {owner[name] for name in needed if name in owner} - {unit} for unit, (_, needed) in units.items()}
    assert any(calls.values())
    assert not cycle_in(calls)
    for unit, called in calls.items():
        assert not [other for other in called if layer_of(other) > layer_of(unit)], unit


def modules() -> list[str]:
    """The package's modules below a folder, dotted, without the package's own name."""
    found = (path.relative_to(PACKAGE).with_suffix("") for path in PACKAGE.rglob("*.py"))
    return sorted(".".join(path.parts) for path in found if len(path.parts) > 1)


def imported(module: str) -> set[str]:
    """The package's modules that one imports."""
    folder, known, found = module.split(".")[:-1], set(modules()), set()
    text = (PACKAGE / Path(*module.split("."))).with_suffix(".py").read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.level:
            start = [*folder[:len(folder) - node.level + 1], *(node.module or "").split(".")]
            base = ".".join(part for part in start if part)
            names = {base, f"{base}.__init__", *(f"{base}.{name.name}" for name in node.names)}
            found |= names & known
    return found - {module}


@pytest.mark.parametrize("module", modules())
def test_python_imports_downward(module: str) -> None:
    def layer(name: str) -> int:
        return PYTHON_LAYERS.index(name.split(".")[0])

    upward = [name for name in imported(module) if layer(name) > layer(module)]
    assert not upward, f"ossicle.{module} imports {', '.join(upward)} of a layer above"


def test_no_modules_import_each_other() -> None:
    imports = {module: imported(module) for module in modules()}
    assert sum(map(len, imports.values())) > len(imports)
    assert not cycle_in(imports)
