"""Folders, files, sections, options and lists in the pages are correct."""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from ossicle.base.codec import CODECS
from ossicle.config.option_table import OPTIONS
from ossicle.machines import list_targets
from ossicle.machines.settings import list_platforms
from pages import README, ROOT, all_blocks, pages, parts, read_blocks, read_page, sample_files

# Pages that are written by a program, which takes them from the code.
GENERATED = {"codegen/CONFIGURATION.md"}


def first_column(page: str, name: str) -> list[str]:
    """The names in the first column of the first table of a part."""
    rows = re.search(r"^\|[-|:]+\n((?:\|.*\n)+)", parts(page)[name], re.MULTILINE).group(1)
    return [re.match(r"\| `([\w.]+)/?` \|", row).group(1) for row in rows.splitlines() if not row.startswith("| |")]


def anchors(text: str) -> set[str]:
    """Fragments of links to the headings of a page."""
    plain = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", plain, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_folder_is_listed() -> None:
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith((".", "__"))}
    assert set(first_column(README.name, "folders")) == folders | {"build"}


@pytest.mark.parametrize(("page", "tables", "names"), [
    ("targets/README.md", ["targets"], list_targets()), ("platforms/README.md", ["platforms"], list_platforms()),
    ("codegen/README.md", ["codecs", "published-codecs"], CODECS)])
def test_the_tables_list_all(page: str, tables: list[str], names: list[str]) -> None:
    assert sorted(name for table in tables for name in first_column(page, table)) == sorted(names)


@pytest.mark.parametrize("page", pages())
def test_every_link_leads_somewhere(page: str) -> None:
    for path, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]+))?\)", read_page(page)):
        target = (ROOT / page).parent / path if path else ROOT / page
        assert target.is_file(), path
        assert not anchor or anchor in anchors(target.read_text(encoding="utf-8")), anchor


@pytest.mark.parametrize("page", pages())
def test_every_path_exists(page: str) -> None:
    written = {block.edit.path for block in all_blocks() if block.edit and block.edit.new}
    examples = ROOT / "tests/steps/codec"
    for path in re.findall(r"`((?:codegen|platforms|runtime|targets|tests)/[\w./]+)`", read_page(page)):
        assert path in written or (ROOT / path).exists() or (examples / path).is_file(), path


def test_every_page_is_reached_from_the_first() -> None:
    reached, ahead = set(), [README]
    while ahead:
        page = ahead.pop()
        reached.add(page)
        links = re.findall(r"\]\(([^)#:]+\.md)", page.read_text(encoding="utf-8"))
        ahead += {(page.parent / link).resolve() for link in links} - reached
    assert {ROOT / page for page in pages()} <= reached


def test_options_in_commands_and_text_exist() -> None:
    known = {option.name for option in OPTIONS} | {"--help", "--version"}
    for page in set(pages()) - GENERATED:
        commands = re.findall(r"^build/bin/ossicle .*|`ossicle [^`]*`|`--[a-z][^`]*", read_page(page), re.MULTILINE)
        for option in re.findall(r"--[a-z]+(?:-[a-z]+)*", " ".join(commands)):
            assert option in known, f"{page}: {option}"


def test_a_sample_given_twice_is_an_error() -> None:
    twice = "```c\n/* a.c: x */\n```\n" * 2
    with pytest.raises(ValueError, match=r"README.md:4: a.c comes twice"):
        sample_files(read_blocks(twice))


def test_write_samples_reports_a_folder_it_cannot_write(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    script = Path(__file__).with_name("write_samples.py")
    failed = subprocess.run([sys.executable, script, blocked], check=False, text=True, stderr=subprocess.PIPE)
    assert failed.returncode == 1
    assert str(blocked) in failed.stderr and failed.stderr.count("\n") == 1
