"""The manifests keep to the published rules of the tools that read them: keys, kinds and values that those
allow. A key with * has to be there."""
from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from ossicle.base.places import TARGETS
from ossicle.base.version import versions
from ossicle.cli.main import main
from pages import ROOT

RULES = ROOT / "codegen/rules"
SEMVER = re.compile(r"\d+\.\d+\.\d+")
# zephyr/module.yml, by METADATA_SCHEMA of Zephyr's scripts/zephyr_module.py. Tests, samples, boards and blobs
# are other than the build: this module has none.
ZEPHYR = {"name": str, "build": {
    **dict.fromkeys(("cmake", "kconfig", "sysbuild-cmake", "sysbuild-kconfig"), str),
    **dict.fromkeys(("cmake-ext", "kconfig-ext", "sysbuild-cmake-ext", "sysbuild-kconfig-ext"), bool),
    "depends": [str],
    "settings": dict.fromkeys(("board_root", "dts_root", "soc_root", "arch_root", "module_ext_root", "sca_root"), str)}}
# idf_component.yml, by the page "idf_component.yml Manifest File" of ESP-IDF's component manager.
ESP_IDF = {"version": SEMVER, "description*": str, "license*": re.compile("MIT"),
           **dict.fromkeys(("url", "repository", "documentation", "issues", "discussion"), re.compile("https?://.+")),
           **dict.fromkeys(("maintainers", "targets", "tags"), [str]),
           "dependencies": {"idf*": re.compile(r"[<>=~^]*\d+(\.\d+)*")},
           "files": {"use_gitignore": bool, "include": [str], "exclude": [str]}}

# library.properties, by the "Arduino library specification", rev. 2.2.
ARDUINO = {"name*": re.compile(r"(?!Arduino)(?=.*[A-Za-z])[A-Za-z0-9][\w .-]{0,62}", re.ASCII), "version*": SEMVER,
           **dict.fromkeys(("author*", "maintainer*", "sentence*", "paragraph*"), re.compile(".+")),
           "category*": re.compile("Display|Communication|Signal Input/Output|Sensors|Device Control|Timing|"
                                   "Data Storage|Data Processing|Other"),
           "url*": re.compile("(https?://.+)?"),  # empty: there is none yet
           "architectures*": re.compile(r"\*|\w+(,\w+)*"), "includes": re.compile(r"\w+\.h(,\w+\.h)*"),
           "depends": str, "dot_a_linkage": re.compile("true|false"), "precompiled": re.compile("true|full"),
           "ldflags": str}
# library.json, by platformio/assets/schema/library.json of platformio-core; this library has no examples,
# dependencies or scripts.
PLATFORMIO = {"name*": re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,48}[A-Za-z0-9])?"), "version*": SEMVER,
              "description*": re.compile(".{1,255}"), "keywords*": [re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")],
              "homepage": str, "license": re.compile("MIT"), "headers": [re.compile(r"\w+\.h")],
              "authors": [{"name*": str, "email": str, "url": str, "maintainer": bool}],
              "repository": {"type": re.compile("git|hg|svn"), "url": str, "branch": str},
              "frameworks": str, "platforms": str, "export": {"include": [str], "exclude": [str]},
              "build": {"flags": str, "srcDir": str, "includeDir": str, "srcFilter": str, "libArchive": bool}}


def problem(value: object, rule: object, where: str = "") -> str | None:
    """The problem with a value, or None. rule: a kind, an expression for text, a list with the rule of its
    items, or a dictionary."""
    if isinstance(rule, dict):
        if not isinstance(value, dict):
            return f"{where}: not a table"
        names = {name.rstrip("*"): kind for name, kind in rule.items()}
        missing = {name[:-1] for name in rule if name.endswith("*")} - set(value)
        if missing or set(value) - set(names):
            return f"{where}: missing {missing}, unknown {set(value) - set(names)}"
        return next((found for name, item in value.items() if (found := problem(item, names[name], f"{where}/{name}"))),
                    None)
    if isinstance(rule, list):
        if not isinstance(value, list):
            return f"{where}: not a list"
        return next((found for item in value if (found := problem(item, rule[0], where))), None)
    if isinstance(rule, re.Pattern):
        return None if isinstance(value, str) and rule.fullmatch(value) else f"{where}: {value!r}"
    return None if type(value) is rule else f"{where}: {value!r} is not of {rule}"


def read_yaml(path: Path) -> object:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_zephyr() -> None:
    module = read_yaml(RULES / "zephyr/zephyr/module.yml")
    assert problem(module, ZEPHYR) is None
    assert (RULES / "zephyr" / module["build"]["cmake"] / "CMakeLists.txt").is_file()
    assert (RULES / "zephyr" / module["build"]["kconfig"]).is_file()


def test_esp_idf() -> None:
    assert problem(read_yaml(RULES / "esp-idf/ossicle/idf_component.yml"), ESP_IDF) is None


def test_a_library_for_arduino_and_platformio(tmp_path: Path) -> None:
    """Both look for sources and headers in src/."""
    assert main(["runtime", "--library", "--quiet", "-o", str(tmp_path / "Ossicle")]) == 0
    lines = (tmp_path / "Ossicle/library.properties").read_text(encoding="utf-8").splitlines()
    properties = dict(line.split("=", 1) for line in lines)
    assert len(properties) == len(lines) and problem(properties, ARDUINO) is None
    package = json.loads((tmp_path / "Ossicle/library.json").read_text(encoding="utf-8"))
    assert problem(package, PLATFORMIO) is None
    assert properties["version"] == package["version"] == versions().library
    for header in (*properties["includes"].split(","), *package["headers"]):
        assert (tmp_path / "Ossicle/src" / header).is_file()
    assert {path.name for path in tmp_path.glob("Ossicle/*")} == {"library.json", "library.properties", "src"}
    assert main(["runtime", "--quiet", "-o", str(tmp_path / "plain")]) == 0
    expected = [*tmp_path.rglob("plain/**/*"), *(TARGETS / "stage").iterdir()]
    assert {path.name: path.read_bytes() for path in expected if path.is_file()} == {
        path.name: path.read_bytes() for path in tmp_path.rglob("Ossicle/src/**/*") if path.is_file()}


@pytest.mark.parametrize(("value", "rule"), [
    ({"name": "a", "cmake": "."}, ZEPHYR), ({"build": {"cmake-ext": "yes"}}, ZEPHYR),
    ({"build": {"depends": "a"}}, ZEPHYR), ({"version": "0.1", "description": "", "license": "MIT"}, ESP_IDF),
    ({"version": "0.1.0", "description": ""}, ESP_IDF), ({"name": "Arduino Ossicle"}, {"name": ARDUINO["name*"]}),
    ({"keywords": ["Animation"]}, {"keywords": PLATFORMIO["keywords*"]})])
def test_forbidden_includes_are_found(value: object, rule: object) -> None:
    assert problem(value, rule)
