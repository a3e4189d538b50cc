"""Figures of the documentation: pages show those of figures.toml, each is shown, and each is measured by a test."""
from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from figures import (FILE, GOAL, all_figures, figure, filled, flat, marked, shown, table, tables, tables_with,
                     write_table)
from pages import ROOT, pages, read_page

REMEDY = "run /usr/bin/python3 tests/readme/update_figures.py"
CHANGES = "CHANGELOG.md"  # of which only the newest section is kept up to date (test_packaging)


def code_of(text: str) -> str:
    """Fenced blocks and code spans, in which markers would be seen."""
    return "\n".join(re.findall(r"^ *```.*?^ *```$|`[^`\n]+`", text, re.MULTILINE | re.DOTALL))


def test_pages_show_the_figures() -> None:
    assert [page for page in pages() if filled(read_page(page)) != read_page(page)] == [], REMEDY


def test_markers_are_whole_and_invisible() -> None:
    """A comment that begins a line begins a block of HTML, which ends the paragraph."""
    for page in pages():
        text = read_page(page)
        prose = re.sub(r"`[^`\n]+`", "", text)
        assert len(re.findall(r"<!-- figure: ", prose)) == prose.count("<!-- -->") == sum(
            len(re.findall(rf"<!-- figure: {name}(?: [^>]*)? -->[^<]+<!-- -->", prose)) for name in marked(prose)), page
        assert not re.search(r"^[\s>*+\d.-]*<!-- figure: ", text, re.MULTILINE), page
        assert "<!-- figure: " not in code_of(text).replace("<!-- figure: NAME", ""), page


def test_every_figure_is_shown() -> None:
    in_pages = set().union(*(marked(read_page(page)) for page in (*pages(), CHANGES)))
    in_comments = set()
    for name, file in tables_with(FILE).items():
        text = (ROOT / file).read_text(encoding="utf-8")
        for key, value in flat(tables()[name], f"{name}.").items():
            number = rf"(?<![\d,.]){re.escape(shown(value))}(?!,?\d|\.\d)"
            assert re.search(number, text), f"{file}: {key} is {shown(value)}"
            in_comments.add(key)
    assert in_pages.isdisjoint(in_comments)
    assert in_pages | in_comments == set(all_figures())


def names_in(tree: ast.AST) -> set[str]:
    """Patterns of the figures that a test names: its strings with a dot, whose inserted parts match anything."""
    found = set()
    for node in ast.walk(tree):
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        texts = [getattr(part, "value", None) if isinstance(part, ast.Constant) else None for part in parts]
        if isinstance(texts[0], str) and re.match(r"[a-z]+\.", texts[0]):
            found.add("".join(".+" if text is None else re.escape(text) for text in texts))
    return found


def test_every_figure_is_measured() -> None:
    paths = [path for path in (ROOT / "tests").rglob("test_*.py") if path != Path(__file__)]
    tests = [path.read_text(encoding="utf-8") for path in paths]
    names = set().union(*(names_in(ast.parse(text)) for text in tests if "from figures import" in text))
    assert {name for name in all_figures() if not any(re.fullmatch(pattern, name) for pattern in names)} == {
        name for name in all_figures() if name.partition(".")[0] in tables_with(GOAL)}
    goals = (ROOT / "SConstruct").read_text(encoding="utf-8")
    assert all(f'"{goal}": "' in goals for goal in tables_with(GOAL).values())


@pytest.mark.parametrize(("value", "form", "text"), [
    (45659, "", "45,659"), (0.5, "", "0.5"), (82_684, "KB", "83"), (3_235_064, "MB .1f", "3.2"),
    (1 << 28, "MiB", "256"), (3.17, ".3f", "3.170"), ("0.1.0", "", "0.1.0")])
def test_formats(value: float | str, form: str, text: str) -> None:
    assert shown(value, form) == text


def test_names_and_formats_are_checked() -> None:
    with pytest.raises(ValueError, match="limits.joints"):
        figure("limits.joint")
    with pytest.raises(ValueError, match="limits.joint"):
        filled("at most <!-- figure: limits.joint -->9<!-- --> joints")
    with pytest.raises(ValueError, match="'GB'"):
        filled("at most <!-- figure: limits.joints GB -->9<!-- --> joints")


def test_texts_are_filled() -> None:
    old = "at most <!-- figure: limits.bank_bytes KiB -->9<!-- --> KiB, <!-- figure: limits.joints -->?<!-- --> joints"
    assert filled(old) == old.replace(">9<", f">{figure('limits.bank_bytes') >> 10:,}<").replace(
        ">?<", f">{figure('limits.joints'):,}<")


def test_tables_are_replaced(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- table: sizes -->\n| 1 |\n<!-- end of table -->\nb\n", encoding="utf-8")
    assert table(page, "sizes") == "| 1 |\n"
    assert write_table(page, "sizes", "| 2 |\n") and not write_table(page, "sizes", "| 2 |\n")
    assert page.read_text(encoding="utf-8") == "a\n<!-- table: sizes -->\n| 2 |\n<!-- end of table -->\nb\n"
    with pytest.raises(ValueError, match="page.md.*'costs'"):
        table(page, "costs")
