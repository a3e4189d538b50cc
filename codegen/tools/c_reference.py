"""The reference of the C interface: a page for each public header, from the comments before its declarations."""
from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

# A comment at the beginning of a line, and the declarations that follow it, up to an empty line.
_BLOCK = re.compile(r"^/\* (?P<comment>.*?) ?\*/\n(?P<code>(?:(?!/\*)[^\n]+\n)*)", re.MULTILINE | re.DOTALL)
_LICENCE = "SPDX-License-Identifier"
_NAMES = re.compile(r"^#define (\w+)|\b(osc_\w+)\(|^(?:typedef )?(?:struct|enum|union) (\w+)|^\} (\w+);|\b(osc_\w+);$",
                    re.MULTILINE)
_GUARDS = re.compile(
    r"^(?:#ifndef OS\w+_H|#define OS\w+_H|#endif|#ifdef __cplusplus|extern \"C\" \{|\})$", re.MULTILINE)


@dataclass(frozen=True)
class Described:
    """A comment, and what it describes. text: without the stars of its lines."""

    text: str
    code: str

    @property
    def name(self) -> str:
        """The first name that the code declares, or "" if it declares none."""
        found = _NAMES.search(self.code)
        return next(filter(None, found.groups())) if found else ""


def described(header: str) -> list[Described]:
    """Returns the blocks of a header: first that of the header itself."""
    blocks = []
    for match in _BLOCK.finditer(header):
        if _LICENCE not in match["comment"]:
            text = re.sub(r"^ \* ?", "", match["comment"], flags=re.MULTILINE)
            code = _whole(header, match.start("code"), match["code"])
            blocks.append(Described(text.strip(), _GUARDS.sub("", code).strip("\n")))
    return blocks


def _whole(header: str, start: int, code: str) -> str:
    """Returns a declaration up to its end, with the comments and empty lines inside its braces."""
    if code.count("{") == code.count("}"):
        return code
    end = re.compile(r"^\}.*\n|\A\Z", re.MULTILINE).search(header, start)
    return header[start:end.end()] if end else code


def _prose(text: str) -> str:
    """Returns Markdown for the text of a comment: names as code, and drawings and examples as blocks."""
    parts = []
    for paragraph in re.split(r"\n\s*\n", text):
        if all(line.startswith("    ") for line in paragraph.splitlines()):
            parts.append(f"```c\n{paragraph}\n```")
        else:
            marked = re.sub(r"[<>*_\[\]]", r"\\\g<0>", paragraph)
            parts.append(re.sub(r"(?<![\w`\\])(?:(?:osc|OSC|hero|HERO)(?:\\_\w+)+(?:\(\))?)",
                                lambda match: f"`{match[0]}`".replace("\\", ""), marked))
    return "\n\n".join(parts)


def page(path: Path) -> str:
    """Returns the page of a header as Markdown."""
    first, *blocks = described(path.read_text(encoding="utf-8"))
    parts = [f"# {path.name}", _prose(first.text)]
    for block in blocks:
        if block.name:
            parts.append(f"## {block.name}")
        if block.text.startswith("----"):
            continue
        parts.append(_prose(block.text))
        if block.code:
            parts.append(f"```c\n{block.code}\n```")
    return "\n\n".join(parts) + "\n"
