"""Prints JSON documents."""
from __future__ import annotations

import codecs
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..base.files.output import write_all

STDOUT = Path("-")  # the standard output, as the file of --json
_SURROGATES, _NOT_ASCII = re.compile("[\ud800-\udfff]+"), re.compile(r"[^\x00-\x7f]+")


def print_json(document: Any) -> None:
    print_json_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")


def print_json_text(text: str) -> None:
    """Prints JSON. Escapes characters that the standard output would not write as UTF-8, whatever its encoding."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    foreign = _SURROGATES if codecs.lookup(encoding).name == "utf-8" else _NOT_ASCII
    print(foreign.sub(_escaped, text), end="")


def write_and_print(contents: Mapping[Path, bytes]) -> None:
    """Writes all of these files or none, and then prints the JSON of STDOUT."""
    write_all({path: content for path, content in contents.items() if path != STDOUT})
    if STDOUT in contents:
        print_json_text(contents[STDOUT].decode(errors="backslashreplace"))


def _escaped(characters: re.Match[str]) -> str:
    units = characters[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at:at + 2].hex()}" for at in range(0, len(units), 2))
