"""Public names use the terms of the glossary in tests/README.md."""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ossicle.config.option_table import OPTIONS

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "codegen/ossicle"
ROW = re.compile(r"^\| (?!term)[^|]+ \| [^|]+ \| ([^|]*)\|$", re.MULTILINE)

# Names in which such a word has another meaning, or that follow the C language or the format.
EXCEPTIONS = {
    "one": {"one_line", "one_of", "groups_at_one_time", "OSC_ONE_Q11", "OSC_ONE_Q15", "OSC_ONE_Q16", "OSC_ONE_Q20",
            "OSC_ONE_Q24"},  # the number
    "made": {"OSC_LOOPS_AS_MADE", "OSC_PLAY_AS_MADE"},  # as the artist made it
    "place": {"place", "in_place", "InPlaceCurve"},  # the verb; a clip without root motion; where a cache lies
    "places": {"places"},  # of the project's files
    "say": {"say"},  # prints a message
    "turn": {"osc_mirror_turn"}, "turned": {"Turned", "osc_mirror_turned"},  # the constants of SPEC.md section 17
    "wants": {"wants_fast_rows"},
}


def avoided() -> set[str]:
    """Returns the words of the third column of the glossary."""
    text = (ROOT / "tests/README.md").read_text(encoding="utf-8").partition("## Glossary")[2].partition("\n## ")[0]
    return {word for cell in ROW.findall(text) for word in re.findall(r"`(\w+)`", cell)}


def words_of(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def defined_in(path: Path) -> Iterator[str]:
    yield path.stem
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from (method.name for method in node.body if isinstance(method, ast.FunctionDef))


def public_names() -> Iterator[str]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield from defined_in(path)
    for path in sorted((ROOT / "runtime").glob("*.h")):
        yield from re.findall(r"\b(?:osc|OSC)_\w+", path.read_text(encoding="utf-8"))
    yield from (option.name for option in OPTIONS)


@pytest.fixture(scope="module")
def names() -> dict[str, set[str]]:
    return {name: words_of(name) for name in public_names() if not name.startswith("_")}


def test_public_names_follow_the_glossary(names: dict[str, set[str]]) -> None:
    words = avoided()
    assert {"way", "said", "one", "made"} <= words
    offences = {f"{name}: {word}" for name, found in names.items() for word in found & words
                if name not in EXCEPTIONS.get(word, ())}
    assert not offences, "see the glossary in tests/README.md: " + ", ".join(sorted(offences))


def test_every_exception_exists(names: dict[str, set[str]]) -> None:
    assert {name for exceptions in EXCEPTIONS.values() for name in exceptions} <= names.keys()
