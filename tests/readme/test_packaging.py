"""pyproject.toml, CHANGELOG.md and LICENSE agree with the code."""
from __future__ import annotations

import ast
import importlib
import re
import sys
import tomllib

from figures import figure, filled, marked
from ossicle.base.version import versions
from pages import ROOT

MODULES = {"pillow": "PIL"}  # where the package is not named after its module
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGE = ROOT / "codegen/ossicle"


def test_one_version_everywhere() -> None:
    version = versions().library
    assert PROJECT["project"]["version"] == version
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## \[(.+?)\]", changes, re.MULTILINE)
    assert newest and newest.group(1) == version
    section = changes.partition(newest.group(0))[2].partition("\n## ")[0]
    assert figure("versions.library") == version and figure("versions.bank_format") == versions().bank_format
    assert "versions.bank_format" in marked(section) and filled(section) == section


def test_the_command_is_a_function() -> None:
    module, _, function = PROJECT["project"]["scripts"]["ossicle"].partition(":")
    assert callable(getattr(importlib.import_module(module), function))


def test_dependencies_are_the_imported_packages() -> None:
    imported = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                imported.add(node.module.split(".")[0])
    assert imported - set(sys.stdlib_module_names) == {
        MODULES.get(name, name) for name in (*PROJECT["project"]["dependencies"],
                                             *(module for extra in ("workers", "plots")
                                               for module in PROJECT["project"]["optional-dependencies"][extra]))}


def test_the_variable_for_the_encoder_is_named() -> None:
    library = importlib.import_module("ossicle.base.encoder_library")
    assert library.VARIABLE in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_the_license_is_named() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith("MIT License")
    assert "Copyright (c) 2026 the Ossicle authors" in text
    assert PROJECT["project"]["license"]["file"] == "LICENSE"
