"""The fenced blocks of README.md."""
from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
TABLE_START = "<!-- demo table: written by tests/readme/update_table.py -->\n"
TABLE_END = "<!-- end of demo table -->\n"

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE_NAME = re.compile(r"(?:/\*|#) ([\w.]+): ")


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, its text, and the line of the README it begins at."""

    language: str
    text: str
    line: int

    @property
    def file_name(self) -> str | None:
        """The file that the block is: its first line begins with a comment "NAME: ..."."""
        match = _FILE_NAME.match(self.text)
        return match.group(1) if match and self.language in ("c", "toml") else None

    def commands(self) -> list[str]:
        """The commands of a shell block, continued lines joined."""
        joined = self.text.replace("\\\n", " ")
        return [line.strip() for line in joined.splitlines() if line.strip()]


def read_blocks(text: str) -> list[Block]:
    """All fenced blocks of a Markdown text, in order."""
    return [Block(match.group(1), match.group(2), text[: match.start()].count("\n") + 1)
            for match in _FENCE.finditer(text)]


def sample_files(text: str) -> dict[str, str]:
    """The complete files among the blocks by name; ValueError if a name comes twice."""
    files: dict[str, str] = {}
    for block in read_blocks(text):
        if block.file_name in files:
            raise ValueError(f"README.md:{block.line}: {block.file_name} comes twice")
        if block.file_name:
            files[block.file_name] = block.text
    return files


def table_of(text: str) -> str:
    """The text between the markers of the demo table; ValueError without them."""
    start, end = text.find(TABLE_START), text.find(TABLE_END)
    if start < 0 or end < start:
        raise ValueError("README.md: the markers of the demo table are missing")
    return text[start + len(TABLE_START): end]
