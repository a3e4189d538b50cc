"""The page needs no other file, survives hostile names, and shows the figures of the document."""
from __future__ import annotations

import re
import time
from html.parser import HTMLParser
from typing import Any

import pytest
from reporting import HOSTILE, Document, renamed, with_idle

from ossicle.analysis.analysis import analyse
from ossicle.analysis.subject import Subject
from ossicle.reporting.error_plots import MOST
from ossicle.reporting.figures import byte_sums
from ossicle.reporting.page import page
from mentions import mentions

VOID = {"meta", "link", "img", "br"}
KNOWN_TAGS = set("""
    html head meta title style body header main section footer h1 h2 h3 p dl div dt dd small figure figcaption table
    thead tbody tfoot tr th td code strong bdi svg desc defs pattern path rect g text tspan polyline circle
    """.split())


class Page(HTMLParser):
    """The elements of a page with their attributes, its cells by row, and its text."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.text = ""
        self.feed(content.decode())
        assert not self.open, "elements that are not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.open and self.rows and {"td", "th"} & {*self.open}:
            self.rows[-1][-1] += " ".join(data.split())

    def count(self, tag: str, **attributes: str) -> int:
        return sum(name == tag and attributes.items() <= {**found}.items() for name, found in self.elements)


def test_the_page_stands_alone(hero: Document) -> None:
    """For names that would break out of it, too."""
    for document in (with_idle(hero, [3, 4]), renamed(hero, HOSTILE)):
        content = page(document)
        parsed = Page(content)
        assert {tag for tag, _ in parsed.elements} <= KNOWN_TAGS
        attributes = {name: value for _, some in parsed.elements for name, value in some.items()}
        assert not {name for name in attributes if name.startswith("on") or name in ("src", "href", "xlink:href")}
        urls = {found for tag, some in parsed.elements for value in some.values() for found in re.findall(
            r"url\(([^)]*)", value or "") if tag != "svg"}
        assert urls <= {"#treemap-hatch", "#joints-hatch"}
        assert parsed.elements[3][1]["content"].startswith("default-src 'none'")
        assert b"@import" not in content and b"@font-face" not in content


def test_names_stand_in_the_page_as_they_are(hero: Document) -> None:
    text = Page(page(renamed(hero, HOSTILE))).text
    assert HOSTILE[0] in text and HOSTILE[4] in text and HOSTILE[6] in text
    assert not {"\u202e", "\x1b", "\x00"} & {*text} and "evil\N{REPLACEMENT CHARACTER}" in text
    assert "x" * 61 not in text


def test_every_plot_has_a_title_and_a_description(hero: Document) -> None:
    content = page(hero)
    parsed = Page(content)
    plots = [some for tag, some in parsed.elements if tag == "svg" and some.get("role") == "img"]
    assert len(plots) == 2 + len(hero["clips"])
    ids = re.findall(r' id="([^"]*)"', content.decode())
    assert len(ids) == len({*ids})
    for plot in plots:
        assert {*plot["aria-labelledby"].split()} <= {*ids}


def test_the_sums_are_the_bank(hero: Document) -> None:
    sums = byte_sums(hero)
    assert sum(row.total for row in sums) == hero["bank"]["bytes"]
    for row in sums:
        exact = sum(track[f"{part}_bits"] for clip in hero["clips"] for track in clip["tracks"]
                    if track["kind"] == row.label for part in ("header", "keys", "values")) / 8
        assert row.parts[0] is None or abs(row.total - exact) < 3 and sum(row.parts) == row.total
    rows = {row[0]: row for row in Page(page(hero)).rows}
    assert rows["the bank"][-2] == f"{hero['bank']['bytes']:,}"
    assert rows["rotation"][-2] == f"{sums[0].total:,}"


def test_all_clips_are_listed_by_size(hero: Document) -> None:
    rows = Page(page(hero)).rows
    clips = sorted(hero["clips"], key=lambda clip: -clip["bytes"])
    listed = rows[-len(clips):]
    assert [row[0] for row in listed] == [clip["name"] for clip in clips]
    heading = rows[-len(clips) - 1]
    for row, clip in zip(listed, clips):
        cells = dict(zip(heading, row))
        assert cells["bytes"] == f"{clip['bytes']:,}" and cells["frames"] == str(clip["frames"])
        assert cells["error mm"] == f"{clip['worst']['error_mm']:.4f}"
        assert cells["at joint"] == hero["joints"][clip["worst"]["joint"]]["name"]
        assert cells["mean mm"] == f"{clip['mean_mm']:.4f}"


def test_the_worst_joints_are_listed(hero: Document) -> None:
    rows = [row for row in Page(page(hero)).rows if len(row) == 6]
    worst = max(hero["joints"], key=lambda joint: joint["worst"]["error_mm"])
    assert rows[rows.index(next(row for row in rows if row[0] == "joint")) + 1][:3] == [
        worst["name"], f"{worst['worst']['error_mm']:.4f}", "1"]


def test_joints_that_carry_nothing_are_marked(hero: Document) -> None:
    assert "class=\"idle" not in page(hero).decode()
    parsed = Page(page(with_idle(hero, [3, 4])))
    assert mentions(" ".join(parsed.text.split()), "2 18")
    taken = hero["joints"][3]["bytes"] + hero["joints"][4]["bytes"]
    assert mentions(" ".join(parsed.text.split()), f"{taken:,.0f}")
    assert parsed.count("path", fill="url(#joints-hatch)") == 2
    assert parsed.count("path", fill="url(#treemap-hatch)") >= len(hero["clips"])


def test_a_bank_alone(hero_subject: Subject) -> None:
    parsed = Page(page(analyse(Subject("alone", hero_subject.bank))))
    text = " ".join(parsed.text.split())
    assert mentions(text, "--source") and "mean mm" not in text
    assert parsed.count("svg", role="img") == 2


def test_tolerances_of_their_own(hero: Document) -> None:
    """Errors of joints with different tolerances cannot share an axis in millimetres."""
    for clip in hero["clips"]:
        clip["nearest"]["tolerance_mm"] = 0.5
    hero["joints"][2]["nearest"]["tolerance_mm"] = 0.5
    assert mentions(Page(page(hero)).text, "%")


def test_any_error_allowed(hero: Document) -> None:
    for item in (hero["bank"], *hero["clips"], *hero["joints"]):
        item["nearest"] = item["worst"] = {**item["worst"], "tolerance_mm": None}
    for clip in hero["clips"]:
        clip["tolerance_mm"] = clip["used_over_time"] = None
    parsed = Page(page(hero))
    assert parsed.count("polyline", **{"class": "limit"}) == 0


@pytest.mark.exhaustive
def test_two_thousand_clips(hero: Document) -> None:
    before = time.process_time()
    clips = [{**hero["clips"][number % 7], "name": f"clip {number}"} for number in range(2000)]
    hero["clips"] = clips
    content = page(hero)
    parsed = Page(content)
    assert parsed.count("svg", role="img") == 2 + MOST and len(content) < 2_500_000
    assert mentions(" ".join(parsed.text.split()), f"{MOST} 2,000")
    assert {row[0] for row in parsed.rows} >= {clip["name"] for clip in clips}
    assert time.process_time() - before < 20.0


def test_a_thousand_joints(hero: Document) -> None:
    joint: dict[str, Any] = hero["joints"][5]
    hero["joints"] += [{**joint, "name": f"joint {number}"} for number in range(1006)]
    parsed = Page(page(hero))
    assert mentions(parsed.text, "977")


@pytest.mark.parametrize("clips", [0, 1])
def test_few_clips_and_frames(hero: Document, clips: int) -> None:
    hero["clips"] = [{**clip, "frames": 1, "over_time_mm": clip["over_time_mm"][:1],
                      "used_over_time": clip["used_over_time"][:1]} for clip in hero["clips"][:clips]]
    for item in (hero["bank"], *hero["joints"]):
        item["worst"] = item["nearest"] = {**item["worst"], "clip": 0} if clips else None
    assert Page(page(hero)).count("svg", role="img") == 2 + clips
