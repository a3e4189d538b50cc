"""Anyone can rewrite a sentence: with every word of all pages replaced, the tests that read pages hold."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from copies import not_sources
from json_tables import HEAD
from pages import ROOT, pages, read_page
from test_readme_text import GENERATED

# Not prose: blocks, comments with the figures or table that they mark, tables of fields and their types, code spans,
# targets of links, headings (which links name), and the numbers of lists of steps.
NOT_PROSE = re.compile(r"^ *```.*?^ *```$|<!-- table: .*?<!-- end of table -->|<!-- figure: .*?<!-- -->|<!--.*?-->"
                       rf"|^{re.escape(HEAD)}(?:\|.*?\n)+|`[^`\n]+`|\]\([^)]*\)|^#.*?$|^\d+\. ",
                       re.MULTILINE | re.DOTALL)
READS_PAGES = re.compile(r"from pages import (?!ROOT$)|unit_test_of_game|\w_tables? import|from fast_rows|\.md\"",
                         re.MULTILINE)


def replaced(prose: str) -> str:
    """Every word reversed, and outside of tables every digit another one."""
    words = re.sub(r"[A-Za-z]{2,}", lambda word: word[0][::-1].swapcase(), prose)
    return re.sub(r"\d", lambda digit: str((int(digit[0]) + 1) % 10), words) if "|" not in prose else words


def rewritten(text: str) -> str:
    parts, last = [], 0
    for match in NOT_PROSE.finditer(text):
        parts += [replaced(text[last:match.start()]), match[0]]
        last = match.end()
    return "".join([*parts, replaced(text[last:])])


def test_only_prose_is_rewritten() -> None:
    text = ("# Costs\n\nIt takes <!-- figure: a.b -->12<!-- --> of `16 KiB`, [or 9](a.md).\n"
            "```c\nint main;\n```\n| one | 4 |\n" + f"{HEAD}| `a` | list of string | | its b |\n")
    assert rewritten(text) == ("# Costs\n\nTi SEKAT <!-- figure: a.b -->12<!-- --> FO `16 KiB`, [RO 0](a.md).\n"
                               "```c\nint main;\n```\n| ENO | 4 |\n" + f"{HEAD}| `a` | list of string | | its b |\n")


@pytest.mark.exhaustive
def test_tests_pass_with_rewritten_pages(tmp_path: Path) -> None:
    shutil.copytree(ROOT, tmp_path, ignore=not_sources(ROOT), dirs_exist_ok=True)
    (tmp_path / "build").symlink_to(ROOT / "build")
    for page in set(pages()) - GENERATED:
        assert rewritten(read_page(page)) != read_page(page)
        (tmp_path / page).write_text(rewritten(read_page(page)), encoding="utf-8")
    tests = [path for path in (tmp_path / "tests").rglob("test_*.py")
             if path.name != Path(__file__).name and READS_PAGES.search(path.read_text(encoding="utf-8"))]
    assert len(tests) > 15
    ran = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                          "-m", "not exhaustive and not integration", *map(str, tests)],
                         cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path / "codegen")},
                         text=True, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stdout
