"""Changes to a document that a bank could have."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Document = dict[str, Any]

HOSTILE = ("<script>alert(1)</script>", "\"' onload=alert(1) x='", "]]></style></svg><img src=x onerror=alert(1)>",
           "x" * 1000, "\u05e9\u05dc\u05d5\u05dd", "evil\u202egpj.exe", "{{ bank }}{% endfor %}", "a\x00\x1b[2J\n&amp;",
           "\ud800", "\u6b69\u304f" * 30, "--><!--", "url(http://example.com/a.png)")


def renamed(document: Document, names: Sequence[str]) -> Document:
    """Gives everything that has a name one of these."""
    document["bank"] |= {"name": names[0], "sources": list(names)}
    for key in ("joints", "clips"):
        for number, item in enumerate(document[key]):
            item["name"] = names[number % len(names)]
            item["source"] = names[-1 - number % len(names)]
    for joint in document["joints"]:
        del joint["source"]
    return document


def with_idle(document: Document, joints: Sequence[int]) -> Document:
    """Says that these joints carry nothing."""
    sizes = [document["joints"][joint]["bytes"] for joint in joints]
    document["drops"] = {"joints": [{"joint": joint, "bytes": size} for joint, size in zip(joints, sizes)],
                         "bytes": sum(sizes), "share": sum(sizes) / document["bank"]["bytes"]}
    return document
