"""Answers requests for a part of a file (RFC 9110, section 14)."""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from http import HTTPStatus

_ONE_RANGE = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})\Z")


@dataclass(frozen=True)
class Answer:
    """A status, a body, and the headers of a range."""

    status: HTTPStatus
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


def answer_of(content: bytes, requested: str | None) -> Answer:
    """Returns the answer to a request for a file with this content. requested: the header Range; several ranges, or
    invalid ones, get the whole file, as RFC 9110 permits."""
    match = _ONE_RANGE.match(requested or "")
    if not match or match.groups() == ("", ""):
        return Answer(HTTPStatus.OK, content)
    first, last, size = *match.groups(), len(content)
    if first and last and int(last) < int(first):
        return Answer(HTTPStatus.OK, content)
    start = int(first) if first else max(size - int(last), 0)
    end = min(int(last) + 1, size) if first and last else size
    if start >= end:
        return Answer(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, b"", {"Content-Range": f"bytes */{size}"})
    return Answer(HTTPStatus.PARTIAL_CONTENT, content[start:end], {"Content-Range": f"bytes {start}-{end - 1}/{size}"})
