"""Computes the worst-case stack from gcc's call graphs (-fcallgraph-info=su)."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .tools import TargetError

# An upper bound of the stack of library functions that compilers call implicitly. They are leaves that save a few
# registers, compiled without a call graph.
LIBRARY_STACK_BYTES = 64
_LIBRARY = re.compile(
    r"(__builtin_)?mem(cpy|move|set|cmp)|__aeabi_mem\w+|__aeabi_u?idiv(mod)?|__gnu_thumb1_\w+"
)
INDIRECT = "__indirect_call"
_NODE = re.compile(r'node: \{ title: "([^"]*)" label: "([^"]*)"( shape : ellipse)?')
_EDGE = re.compile(r'edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"')
_SIZE = re.compile(r"(\d+) bytes \(([^)]*)\)")


@dataclass
class CallGraph:
    """Frame sizes in bytes and calls, by function. Static functions are FILE:NAME."""

    frames: dict[str, int] = field(default_factory=dict)
    calls: dict[str, set[str]] = field(default_factory=dict)
    unbounded: set[str] = field(default_factory=set)  # frames of variable size


def read_call_graphs(paths: list[Path]) -> CallGraph:
    """Joins the .ci files of several objects. Raises TargetError if one is missing."""
    graph = CallGraph()
    for path in paths:
        if not path.is_file():
            raise TargetError(f"{path}: no call graph; compile with -fcallgraph-info=su")
        text = path.read_text(encoding="utf-8", errors="replace")
        for title, label, external in _NODE.findall(text):
            size = _SIZE.search(label)
            if external or size is None:
                continue
            graph.frames[title] = int(size.group(1))
            if size.group(2) == "dynamic":
                graph.unbounded.add(title)
        for source, target in _EDGE.findall(text):
            graph.calls.setdefault(source, set()).add(target)
    return graph


def worst_stack(graph: CallGraph, root: str, pointed: Mapping[str, Sequence[str]] | None = None) -> int:
    """Returns the maximum bytes of stack of a call of `root`, including its own frame.

    pointed: the functions that are called through pointers, by a regular expression of the callers. Static functions
    are named without their file.

    Raises TargetError if there is no bound, because of recursion, calls through other pointers,
    frames of variable size or functions without a call graph. The message gives the path of calls.
    """
    if root not in graph.frames:
        raise TargetError(f"{root}: not in the call graph")
    titles = {_plain(title): title for title in graph.frames}
    pointers = [(re.compile(caller), [titles[name] for name in names if name in titles])
                for caller, names in (pointed or {}).items()]
    return _Search(graph, pointers).worst(root, ())


def _plain(title: str) -> str:
    return title.rpartition(":")[2]


@dataclass
class _Search:
    """A search for the deepest path. known: the stack of functions already visited."""

    graph: CallGraph
    pointers: list[tuple[re.Pattern[str], list[str]]]
    known: dict[str, int] = field(default_factory=dict)

    def worst(self, name: str, path: tuple[str, ...]) -> int:
        """Returns the stack of a call of `name`. path: the functions that lead to it."""
        if name in self.known:
            return self.known[name]
        route = " > ".join((*path, name))
        if name in path:
            raise TargetError(f"worst-case stack: recursion: {route}")
        if name in self.graph.unbounded:
            raise TargetError(f"worst-case stack: {name} has a frame of variable size: {route}")
        if name not in self.graph.frames:
            if _LIBRARY.fullmatch(name):
                return LIBRARY_STACK_BYTES
            raise TargetError(f"worst-case stack: no call graph of {name}: {route}")
        below = [self.worst(callee, (*path, name)) for callee in self._callees(name, route)]
        self.known[name] = self.graph.frames[name] + max(below, default=0)
        return self.known[name]

    def _callees(self, name: str, route: str) -> list[str]:
        callees = set(self.graph.calls.get(name, ()))
        if INDIRECT in callees:
            callees.remove(INDIRECT)
            pointed = [names for caller, names in self.pointers if caller.search(_plain(name))]
            if not pointed:
                raise TargetError(f"worst-case stack: call through a pointer in {name}: "
                                  f"{route} > {INDIRECT}")
            callees.update(pointed[0])
        return sorted(callees)
