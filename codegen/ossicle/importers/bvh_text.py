"""Reads the lines and the numbers of BVH files."""
from __future__ import annotations

import re
from contextlib import suppress

import numpy as np

from ..base.arrays import Array
from ..base.encoder_library import declarations, library
from ..model.clip import ImportProblem

_MAX_MAGNITUDE = 1e12
_LONGEST_NUMBER = 400  # characters
_NUMBER_BYTES = b"0123456789+-.eE"
# float() would also accept "nan", "infinity" and "1_0".
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
_LINE_END = re.compile(r"\r\n|\n|\r")
_MOST_HEADER = 1 << 24  # characters before MOTION
_MOST_HEADER_LINES = 1 << 18
_AT_ONCE = 1 << 16  # characters of rows


class Lines:
    """Reads the lines of a file one by one, because a list of them would take many times their bytes."""

    def __init__(self, data: bytes):
        try:
            if b"\0" in data:  # gaps in damaged files are zeros, which are valid UTF-8
                raise ImportProblem("is not text: it contains zero bytes; copy or export it again")
            self._text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ImportProblem("is not UTF-8 text; save it as UTF-8") from error
        self._at = self._number = 0
        self._end = _only_line_end(self._text)

    def next(self) -> tuple[int, str] | None:
        """Returns the next line and its number, or None after the last one."""
        if self._at > len(self._text):
            return None
        end, after = self._next_end()
        line = self._text[self._at:end]
        self._at = after
        self._number += 1
        return self._number, line

    def _next_end(self) -> tuple[int, int]:
        """Returns where the line ends, and where the next one begins."""
        if self._end is None:
            if (match := _LINE_END.search(self._text, self._at)) is not None:
                return match.span()
        elif (end := self._text.find(self._end, self._at)) >= 0:  # several times as fast
            return end, end + len(self._end)
        return len(self._text), len(self._text) + 1

    def next_with_content(self) -> tuple[int, str] | None:
        """Returns the next line that is not empty, and its number, or None after the last one."""
        while (found := self.next()) is not None and not found[1].strip():
            pass
        return found

    def rows(self, width: int, most: int) -> Array:
        """Returns the numbers of the next lines, float64 [N, width], up to the first line that has other text, or whose
        numbers have many digits. N may be 0, and is at most `most`."""
        text = self._text[self._at:self._at + _AT_ONCE].encode("utf-8")
        rows, count = np.empty((min(len(text) // (2 * width), most), width)), declarations().new("uint32_t *")
        self._at += library().enc_read_rows(text, len(text), width, len(rows),
                                            declarations().from_buffer("double[]", rows), count)
        self._number += count[0]
        return rows[:count[0]]

    def before_motion(self) -> list[str]:
        """Returns the lines before MOTION, and skips that line."""
        lines: list[str] = []
        while (found := self.next()) is not None:
            if found[1].strip().upper() == "MOTION":
                return lines
            lines.append(found[1])
            if self._at > _MOST_HEADER or len(lines) > _MOST_HEADER_LINES:
                raise ImportProblem(f"line {found[0]}: no MOTION section yet; check that the file is BVH, and leave "
                                    "out joints that need not be animated")
        raise ImportProblem("no MOTION section; check that the file is BVH and complete")


def _only_line_end(text: str) -> str | None:
    """Returns the end of every line, or None if these differ."""
    if "\r" not in text:  # several times as fast as counting
        return "\n"
    returns = text.count("\r")
    return "\r\n" if returns == text.count("\r\n") == text.count("\n") else None


def parse_numbers(words: list[str], line: int) -> list[float]:
    """Parses finite numbers. Raises ImportProblem, which names the line and the first invalid word."""
    # Of words that consist of these characters, float() accepts exactly those that _NUMBER matches.
    if words and not "".join(words).encode("utf-8", "replace").translate(None, _NUMBER_BYTES):
        with suppress(ValueError):
            values = [*map(float, words)]
            if -_MAX_MAGNITUDE <= min(values) and max(values) <= _MAX_MAGNITUDE and \
                    len(max(words, key=len)) <= _LONGEST_NUMBER:
                return values
    for word in words:
        if len(word) > _LONGEST_NUMBER or not _NUMBER.fullmatch(word) or not abs(float(word)) <= _MAX_MAGNITUDE:
            point = word.replace(",", ".")
            has_comma = "," in word and _NUMBER.fullmatch(point)
            remedy = f"write {point}, with a decimal point" if has_comma else "correct it"
            raise ImportProblem(f"line {line}: '{word}' is not a usable number; {remedy}")
    return [float(word) for word in words]
