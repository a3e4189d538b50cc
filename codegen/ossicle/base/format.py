"""The numbers of the bank format, read from the headers of the C runtime, which define them."""
from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from .places import RUNTIME

HEADERS = ("ossicle.h", "bank/osc_format.h", "bank/osc_internal.h", "published/osc_published_format.h", "osc_mix.h",
           *(f"codecs/osc_{name}_arithmetic.h" for name in ("curve", "transform")),
           *(f"published/osc_{name}_arithmetic.h" for name in ("sparse", "dense", "velocity")), "osc_graph.h")
CODECS = "bank/osc_codecs.def"

_DEFINE = re.compile(r"^#define[ \t]+OSC_(\w+)[ \t]+(.+?)[ \t]*(?:/\*.*)?$", re.MULTILINE)
_PLAIN = re.compile(r"(0x[0-9a-fA-F]+|\d+)u?(?:$|[ \t]|\))")
_SHIFTED = re.compile(r"\((\d+)u? << (\d+)\)$")
_ENUM = re.compile(r"^(?:typedef )?enum \w* ?\{(.*?)\}", re.MULTILINE | re.DOTALL)
_MEMBER = re.compile(r"\s*[A-Z]+_(\w+)(?:\s*=\s*(?:[A-Z]+_(\w+)\s*\+\s*)?(-?\d+))?\s*\Z")
_FIELD = re.compile(r"^#define OSC_(\w+)\(record\) \(+record\)?(?: >> (\d+))?\)?(?: ?& ?(\d+)u)?\)"
                    r"[ \t]*(?:/\*.*)?$",
                    re.MULTILINE)
_ENTRY = re.compile(r"^OSC_CODEC\((\w+), (\w+), ([01])\)$", re.MULTILINE)


@dataclass(frozen=True)
class CodecEntry:
    """A line of osc_codecs.def. direct: whether the codec can unpack any frame directly."""

    name: str
    number: int
    direct: bool


def numbers_in(text: str) -> Iterator[tuple[str, int]]:
    """Yields the constants of a C header in order: plain and shifted numbers, and members of enumerations. Names lack
    their prefix, OSC_ or ENC_."""
    for name, value in _DEFINE.findall(text):
        if shifted := _SHIFTED.match(value):
            yield name, int(shifted[1]) << int(shifted[2])
        elif plain := _PLAIN.match(value):
            yield name, int(plain[1], 0)
    for body in _ENUM.findall(text):
        count = 0
        before: dict[str, int] = {}
        for member in re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL).split(","):
            if not (match := _MEMBER.match(member)):
                break
            count = before.get(match[2], 0) + int(match[3]) if match[3] else count
            before[match[1]] = count
            yield match[1], count
            count += 1


@functools.lru_cache(maxsize=None)
def _numbers(header: str) -> dict[str, int]:
    return dict(numbers_in((RUNTIME / header).read_text(encoding="utf-8")))


def number(name: str) -> int:
    """Returns the value of OSC_`name`, a constant as in numbers_in. Raises KeyError if the headers do not define it."""
    for header in HEADERS:
        if name in (numbers := _numbers(header)):
            return numbers[name]
    raise KeyError(name)


@functools.lru_cache(maxsize=1)
def _fields() -> dict[str, tuple[int, int]]:
    text = (RUNTIME / HEADERS[1]).read_text(encoding="utf-8")
    return {name: (int(shift or 0), int(mask or 0xffffffff)) for name, shift, mask in _FIELD.findall(text)}


def field(name: str, record: int) -> int:
    """Returns the bits of a track record that the macro OSC_`name`(record) extracts. Raises KeyError if there is no
    such macro."""
    shift, mask = _fields()[name]
    return record >> shift & mask


@functools.lru_cache(maxsize=1)
def codec_entries() -> tuple[CodecEntry, ...]:
    """Returns the codecs of the runtime, by number."""
    text = (RUNTIME / CODECS).read_text(encoding="utf-8")
    found = [CodecEntry(name, number(f"CODEC_{upper}"), direct == "1")
             for upper, name, direct in _ENTRY.findall(text)]
    return tuple(sorted(found, key=lambda entry: entry.number))
