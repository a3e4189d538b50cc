"""Joins the runtime into one C file, ossicle.c, next to the headers that games and generated code include, and those
of a platform. Other files of the runtime are inserted at their first inclusion."""
from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ..base.codec import CODECS
from ..base.places import RUNTIME
from ..base.version import versions
from .own_names import with_prefix

PUBLIC = ("ossicle.h", "osc_crowd.h", "osc_graph.h", "osc_mix.h", "osc_ik.h", "osc_motion.h", "osc_skin.h",
          "osc_stream.h", "bank/osc_codecs.h", "graph/osc_graph_code.h", "port/osc_port.h", "port/osc_port_mix.h")
WITH_CODE = ("osc_skin.h", "port/osc_port.h", "port/osc_port_mix.h")  # headers with inline functions
CONFIG = "osc_port_config.h"
ALL_CODECS = "osc_all_codecs.c"

_INCLUDE = re.compile(r'#include ["<](.+)[">]')
_NEIGHBOUR = re.compile(r'"(?:\.\./\w+/)?(\w+\.(?:h|inc))"')
_FOLDER = re.compile(r'"\.\./\w+/(\w+\.\w+")')
_LICENSE = "/* SPDX-License-Identifier: MIT */\n"
_BLANK = re.compile(r"\n{3,}")
# The file contains unused functions of headers, and the game may compile it as C++.
_BEGIN = """#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#if defined(__cplusplus)
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wpedantic"
#endif
#endif
"""
_END = """
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
"""


def amalgamate(platform: Path, codecs: Sequence[str] | None = None, defines: Sequence[str] = ()) -> dict[str, bytes]:
    """Returns the files by name: ossicle.c, the headers PUBLIC, and the platform's headers.

    platform: its folder; codecs: those to keep, or None for all of them and for osc_bank_open and osc_bank_load, which
    need all; defines: those of a target, as NAME or NAME=VALUE, for build systems without flags for a library.
    """
    headers = {name: _Joined() for name in PUBLIC}
    texts = {name: header.expand(RUNTIME / name) for name, header in headers.items()}
    whole = _Joined(set().union(*(header.seen for header in headers.values())))
    parts = [whole.own(path) for path in _sources(codecs)]
    includes = "".join(f'#include "{name}"\n' for name in PUBLIC)
    kept = "all codecs" if codecs is None else ", ".join(codecs)
    banner = f"/* The runtime of Ossicle {versions().library} in one file, for platforms/{platform.name}: {kept}. */\n"
    for name in WITH_CODE:
        texts[name] = _in_c(texts[name])
    texts["ossicle.h"] = "".join(map(_define, defines)) + texts["ossicle.h"]
    texts["ossicle.c"] = banner + _in_c(includes + "".join(parts))
    texts |= _platform_headers(platform)
    return {name: (_LICENSE + _BLANK.sub("\n\n", text.replace(_LICENSE, ""))).encode("utf-8")
            for name, text in texts.items()}


def _define(entry: str) -> str:
    """Returns lines that define NAME=VALUE unless the compiler's flags define it."""
    name, _, value = entry.partition("=")
    return f"#ifndef {name}\n#define {name} {value or 1}\n#endif\n"


def _in_c(text: str) -> str:
    return _BEGIN + text + _END


def _sources(codecs: Sequence[str] | None) -> list[Path]:
    """Returns the files to join: those of no single codec, and those of the codecs to keep."""
    left_out = [f"osc_{codec}" for codec in CODECS if codecs is not None and codec not in codecs]
    if codecs is not None:
        left_out.append(Path(ALL_CODECS).stem)
    return [path for path in sorted(RUNTIME.rglob("*.c"))
            if not any(path.stem == stem or path.stem.startswith(f"{stem}_") for stem in left_out)]


class _Joined:
    """Joins files of the runtime with the headers that they include. seen: files that were already inserted."""

    def __init__(self, seen: set[Path] | None = None) -> None:
        self.seen = set(seen or ())

    def own(self, path: Path) -> str:
        """Returns the text of a source file, with the prefix osc_ for all names, because it may be compiled together
        with a game."""
        return self.expand(path, with_prefix(path.read_text(encoding="utf-8"), "osc_own_", "osc_"))

    def expand(self, path: Path, text: str | None = None) -> str:
        """Returns the text of a file, or `text` instead, with the headers that it includes."""
        self.seen.add(path)
        lines = (path.read_text(encoding="utf-8") if text is None else text).splitlines(keepends=True)
        return "".join(self._included(line, include[1]) if (include := _INCLUDE.match(line)) else line
                       for line in lines)

    def _included(self, line: str, name: str) -> str:
        """Returns the replacement of an #include: the line itself for headers that remain files, the header at its
        first inclusion, or nothing."""
        found = RUNTIME / name
        if not found.is_file():  # a header of the platform or the system
            return line
        if found.suffix == ".def":
            return self.expand(found)
        if found in self.seen:
            return ""
        if name not in PUBLIC:
            return self.expand(found)
        public = _Joined()
        public.expand(found)
        self.seen |= public.seen
        return line


def _platform_headers(platform: Path) -> dict[str, str]:
    """Returns the headers that a platform's configuration includes, in one folder."""
    texts: dict[str, str] = {}
    pending = [platform / CONFIG]
    while pending:
        path = pending.pop()
        text = path.read_text(encoding="utf-8")
        texts[path.name] = _FOLDER.sub(r'"\1', text)
        for name in _NEIGHBOUR.finditer(text):
            found = (path.parent / name[0].strip('"')).resolve()
            if found.is_file() and found.name not in texts:
                pending.append(found)
    return texts
