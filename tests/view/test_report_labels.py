"""The names in the treemap of `ossicle report`, as a browser lays them out."""
from __future__ import annotations

from pathlib import Path

import pytest
from chromium import Browser
from ossicle.cli.main import main
from written import HERO

pytestmark = pytest.mark.integration

OVERLAPPING = """
    const boxOf = (name) => [name.textContent, name.getBoundingClientRect()];
    const names = [...document.querySelectorAll('svg text.name')].map(boxOf);
    return [names.length, names.flatMap(([text, a], index) => names.slice(index + 1)
        .filter(([, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom - 2 && b.top < a.bottom - 2)
        .map(([other]) => [text, other]))]"""


def test_names_do_not_overlap(browser: Browser, tmp_path: Path, built_encoder: None) -> None:
    report = tmp_path / "report.html"
    assert main(["report", str(HERO), "-o", str(report), "--quiet"]) == 0
    browser.open(report)
    count, overlapping = browser.run(OVERLAPPING)
    assert count > 50 and overlapping == []
