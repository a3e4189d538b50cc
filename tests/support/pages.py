"""The pages of the project and their fenced blocks."""
from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
# text: drawings; js: tests/web runs them; cmake, make, meson, ini and cpp: projects of tests/rules
LANGUAGES = {"c", "python", "sh", "toml", "text", "cmake", "make", "meson", "ini", "cpp", "js"}
FOLDERS = ("codegen", "platforms", "runtime", "targets", "tests")

_FENCE = re.compile(r"^(?:<!-- not run: (?P<reason>[^\n]+) -->\n)?(?P<indent> *)```(?P<language>\w*)\n"
                    r"(?P<text>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
_FILE_NAME = re.compile(r"(?:/\*|#) ([\w.]+): ")
_PLACE = re.compile(r'(?:/\*|#|<!--|//) (?P<path>[\w./]+\w), '
                    r'(?:(?P<new>new)|at the end|(?P<place>after|instead of) "(?P<line>.+?)")'
                    r'(?: \*/| -->)?\n')


@dataclass(frozen=True)
class Block:
    """One fenced block: its page, its language, its text, the line of the page it begins at, and why no
    test runs it, if none does."""

    page: str
    language: str
    text: str
    line: int
    reason: str | None = None

    @property
    def where(self) -> str:
        """Page and line, for messages."""
        return f"{self.page}:{self.line}"

    @property
    def file_name(self) -> str | None:
        """The file that the block is: its first line begins with a comment "NAME: ..."."""
        match = _FILE_NAME.match(self.text)
        return match.group(1) if match and self.language in ("c", "toml", "python") else None

    @property
    def edit(self) -> Edit | None:
        """The block's edit of a file of the project: its first line is a comment with the path and
        the place, "PATH, new", "PATH, at the end", 'PATH, after "TEXT"' or 'PATH, instead of "TEXT"'."""
        match = _PLACE.match(self.text)
        return match and Edit(match["path"], self.text[match.end():], match["line"], bool(match["new"]),
                              match["place"] == "instead of")

    def commands(self) -> list[str]:
        """The commands of a shell block, continued lines joined."""
        joined = self.text.replace("\\\n", " ")
        return [line.strip() for line in joined.splitlines() if line.strip()]


@dataclass(frozen=True)
class Edit:
    """Text that a step adds to a file: after the line that has `line` in it, or instead of that line, or at the end."""

    path: str
    text: str
    line: str | None
    new: bool
    instead: bool

    def apply(self, root: Path) -> None:
        """Makes the change; AssertionError where the page does not fit the file."""
        path = root / self.path
        assert path.exists() != self.new, f"{self.path} is {'there' if self.new else 'missing'}"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "" if self.new else path.read_text(encoding="utf-8")
        start = end = len(text)
        if self.line is not None:
            assert text.count(self.line) == 1, f"{self.path}: {self.line!r} has to be there once"
            start, end = text.rindex("\n", 0, text.index(self.line)) + 1, text.index("\n", text.index(self.line)) + 1
        path.write_text(text[:start if self.instead else end] + self.text + text[end:], encoding="utf-8")


def pages() -> list[str]:
    """All pages by their paths, the first one first; the changelog is history, not a page."""
    found = (path.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob("*.md"))
    return [README.name, *sorted(map(str, found))]


def read_page(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def read_blocks(text: str, page: str = README.name) -> list[Block]:
    """All fenced blocks of a Markdown text, in order."""
    return [Block(page, match["language"], re.sub(rf"^{match['indent']}", "", match["text"], flags=re.MULTILINE),
                  text[: match.start("language")].count("\n") + 1, match["reason"])
            for match in _FENCE.finditer(text)]


def parts(page: str) -> dict[str, str]:
    """The parts of a page that tests read, by the names in their markers `<!-- part: NAME -->`. Each ends with the next
    marker or heading of the second level."""
    named = re.split(r"^<!-- part: ([\w-]+) -->\n", read_page(page), flags=re.MULTILINE)
    return {name: text.partition("\n## ")[0] for name, text in zip(named[1::2], named[2::2], strict=True)}


def sample_files(blocks: Iterable[Block]) -> dict[str, str]:
    """The complete files among the blocks by name; ValueError if a name comes twice."""
    files: dict[str, str] = {}
    for block in blocks:
        if block.file_name in files:
            raise ValueError(f"{block.where}: {block.file_name} comes twice")
        if block.file_name:
            files[block.file_name] = block.text
    return files


def all_blocks() -> list[Block]:
    return [block for page in pages() for block in read_blocks(read_page(page), page)]
