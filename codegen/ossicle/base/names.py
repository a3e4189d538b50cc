"""Names that users give to things of a clip."""
from __future__ import annotations


def naming_problem(name: str, most_bytes: int) -> str | None:
    """Why this is no name of at most so many bytes; None if it is one."""
    if not name.strip():
        return "is empty"
    if not name.isprintable():
        return "has unprintable characters"
    if len(name.encode("utf-8", "replace")) > most_bytes:
        return f"has more than {most_bytes} bytes"
    return None
