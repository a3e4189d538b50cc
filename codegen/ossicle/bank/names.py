"""Lists of names in a bank. Each name is stored as the number of bytes that it shares with the previous one (a byte),
its other bytes (UTF-8 together), and a zero byte (SPEC.md section 2.5)."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from os.path import commonprefix

from .words import BankProblem

# A C99 compiler must accept strings of 4095 characters; an escaped byte takes up to four.
MAX_NAME_BYTES = 1000
MOST_SHARED = 255  # bytes that a name can share with the previous one


def pack_names(names: Sequence[str]) -> bytes:
    """Packs a list of names, without padding."""
    body, previous = b"", b""
    for name in names:
        text = name.encode()
        shared = min(len(commonprefix([previous, text])), MOST_SHARED)
        body += bytes([shared]) + text[shared:] + b"\0"
        previous = text
    return body


def read_names(section: bytes, first: int, count: int, whole: str, what: Callable[[int], str]) \
        -> tuple[list[str], int]:
    """Reads the names of a section, which begin at the byte `first`. Returns the names and the offset of their end.
    whole, what: describe the section and each entry in messages. Raises BankProblem."""
    names: list[str] = []
    raw, at = b"", first
    for number in range(count):
        end = section.find(b"\0", at + 1)
        if end < 0 or section[at] > len(raw):
            raise BankProblem(f"the {whole} section does not contain {count} names; encode the bank again")
        raw, at = raw[:section[at]] + section[at + 1:end], end + 1
        if len(raw) > MAX_NAME_BYTES:
            raise BankProblem(f"the name of {what(number)} has {len(raw)} bytes, but at most {MAX_NAME_BYTES} are "
                              "possible; rename it at the source")
        try:
            names.append(raw.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise BankProblem(f"the name of {what(number)} is not UTF-8; encode the bank again") from error
    return names, at


def check_end(section: bytes, at: int, count: int, whole: str) -> None:
    """Raises BankProblem unless the section ends with its names. at: the offset of their end."""
    if len(section) - at > 3 or any(section[at:]):
        raise BankProblem(f"the {whole} section contains more than {count} names; encode the bank again")
