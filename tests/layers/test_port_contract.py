"""The runtime owns the port contract: required functions of a platform, and headers that it may use."""
from __future__ import annotations

import re
from pathlib import Path

import pytest
from ossicle.machines.settings import PLATFORMS, list_platforms

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = {path.name for path in (ROOT / "runtime").rglob("*.h")}
CONFIG = "osc_port_config.h"
HEADERS = sorted(PLATFORMS.rglob("*.h"), key=str)
ASSEMBLER = sorted((*PLATFORMS.rglob("*.S"), *PLATFORMS.rglob("*.inc")), key=str)
CONTRACT = ("port/osc_port.h", "codecs/osc_port_rows.h", "arithmetic/osc_mix_arithmetic.h",
            "mix/osc_port_mirror.h", "mix/osc_port_offsets.h")
# Beside the ports: for programs, which call them themselves.
FOR_PROGRAMS = {"osc_float.h", "osc_raylib.h", "osc_cpu.h"}


def included(path: Path) -> list[str]:
    return re.findall(r'^ *# *include "([^"]+)"', path.read_text(encoding="utf-8"), re.M)


def included_groups() -> set[str]:
    """The groups of operations that the contract lets a platform replace."""
    text = "".join((ROOT / "runtime" / name).read_text(encoding="utf-8") for name in CONTRACT)
    groups = set(re.findall(r"^#include (OSC_PORT_\w+)$", text, re.M))
    assert groups == set(re.findall(r"^#ifdef (OSC_PORT_\w+)$", text, re.M))
    return groups


def named_headers(config: Path) -> list[str]:
    """The headers that a configuration names for groups of operations."""
    return re.findall(r'^ *#define OSC_PORT_\w+ "([^"]+\.h)"', config.read_text("utf-8"), re.M)


@pytest.mark.parametrize("path", HEADERS, ids=lambda path: str(path.relative_to(PLATFORMS)))
def test_ports_include_the_contract_alone(path: Path) -> None:
    of_runtime = {Path(name).name for name in included(path)} & RUNTIME
    assert of_runtime <= ({"ossicle.h"} if path.name in FOR_PROGRAMS else {"osc_port.h"})


@pytest.mark.parametrize("path", ASSEMBLER, ids=lambda path: str(path.relative_to(PLATFORMS)))
def test_assembler_includes_definitions_alone(path: Path) -> None:
    of_runtime = {Path(name).name for name in included(path)} & RUNTIME
    assert of_runtime <= {"osc_curve_fields.h"}


@pytest.mark.parametrize("platform", list_platforms())
def test_a_platform_needs_one_header(platform: str) -> None:
    config = PLATFORMS / platform / CONFIG
    assert re.search(rf'^#define OSC_PORT_NAME "{platform}"$', config.read_text("utf-8"), re.M)
    assert not included(config)
    assert all((config.parent / name).resolve().is_file() for name in named_headers(config))


def test_the_scalar_platform_has_nothing_else() -> None:
    assert [path.name for path in (PLATFORMS / "scalar").iterdir()] == [CONFIG]


def test_only_the_contract_includes_a_platform() -> None:
    of_platforms = {path.name for path in HEADERS}
    users = {path.name for path in (ROOT / "runtime").rglob("*.[ch]")
             if {Path(name).name for name in included(path)} & of_platforms}
    assert users == {"osc_port.h"}
    groups = {name for path in (ROOT / "runtime").rglob("*.[ch]")
              for name in re.findall(r"^#include (OSC_PORT_\w+)$", path.read_text("utf-8"), re.M)}
    assert groups == set(included_groups())


def test_the_contract_declares_each_group() -> None:
    groups = included_groups()
    text = (ROOT / "runtime/port/osc_port.h").read_text(encoding="utf-8")
    assert all(re.search(rf"^ \*   {group} ", text, re.M) for group in groups)
    described = {"OSC_PORT_NAME", "OSC_PORT_VECTORS", *groups}
    used = {name for platform in list_platforms() for name in re.findall(
        r"OSC_PORT_(?!CONFIG_H)\w+", (PLATFORMS / platform / CONFIG).read_text("utf-8"))}
    assert used <= described
