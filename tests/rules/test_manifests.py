"""The manifests keep to the published rules of the tools that read them: keys, kinds and values that those
allow. A key with * has to be there."""
from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from ossicle.base.version import versions
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
ESP_IDF = {"version*": SEMVER, "description*": str, "license*": re.compile("MIT"),
           **dict.fromkeys(("url", "repository", "documentation", "issues", "discussion"), re.compile("https?://.+")),
           **dict.fromkeys(("maintainers", "targets", "tags"), [str]),
           "dependencies": {"idf*": re.compile(r"[<>=~^]*\d+(\.\d+)*")},
           "files": {"use_gitignore": bool, "include": [str], "exclude": [str]}}


def problem(value: object, rule: object, where: str = "") -> str | None:
    """What is wrong with a value, or None. rule: a kind, an expression for text, a list with the rule of its
    items, or a dictionary."""
    if isinstance(rule, dict):
        if not isinstance(value, dict):
            return f"{where}: not a table"
        names = {name.rstrip("*"): one for name, one in rule.items()}
        missing = {name[:-1] for name in rule if name.endswith("*")} - set(value)
        if missing or set(value) - set(names):
            return f"{where}: missing {missing}, unknown {set(value) - set(names)}"
        return next((found for name, one in value.items() if (found := problem(one, names[name], f"{where}/{name}"))),
                    None)
    if isinstance(rule, list):
        if not isinstance(value, list):
            return f"{where}: not a list"
        return next((found for one in value if (found := problem(one, rule[0], where))), None)
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
    manifest = read_yaml(RULES / "esp-idf/ossicle/idf_component.yml")
    assert problem(manifest, ESP_IDF) is None
    assert manifest["version"] == versions().library


@pytest.mark.parametrize(("value", "rule"), [
    ({"name": "a", "cmake": "."}, ZEPHYR), ({"build": {"cmake-ext": "yes"}}, ZEPHYR),
    ({"build": {"depends": "a"}}, ZEPHYR), ({"version": "0.1", "description": "", "license": "MIT"}, ESP_IDF),
    ({"version": "0.1.0", "description": ""}, ESP_IDF)])
def test_what_is_not_allowed_is_found(value: object, rule: object) -> None:
    assert problem(value, rule)
