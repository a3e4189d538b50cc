"""Checks names that users choose."""
from __future__ import annotations

MAX_IDENTIFIER = 48  # of a part of a name in C; C99 guarantees 63 significant characters


def naming_problem(name: str, most_bytes: int) -> str | None:
    """Returns the reason why this is not a valid name of at most `most_bytes` bytes, or None."""
    if not name.strip():
        return "is empty"
    if not name.isprintable():
        return "has unprintable characters"
    if len(name.encode("utf-8", "replace")) > most_bytes:
        return f"has more than {most_bytes} bytes"
    return None
