"""Results of the counters: each line of the runtime in several builds, the lines with branches that
nothing reaches, and how those compare with the list."""
from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

Counted = Mapping[str, dict]  # gcovr's record of every file: its lines, and its functions


@dataclass(frozen=True)
class Gap:
    """A line with branches that are not reached, or the first one of a function that is not."""

    file: str
    number: int
    text: str
    missing: int

    def __str__(self) -> str:
        return f"{self.file}:{self.number}: {self.text}"


def _branches(line: dict) -> list[int]:
    return [branch["count"] for branch in line["branches"]]


def _rank(line: dict) -> tuple[int, int, int]:
    counts = _branches(line)
    return len(counts), sum(count > 0 for count in counts), line["count"]


def _best(records: Iterable[dict], key: str, rank: Callable[[dict], object]) -> list[dict]:
    found: dict[object, list[dict]] = defaultdict(list)
    for record in records:
        found[record[key]].append(record)
    return [max(same, key=rank) for _, same in sorted(found.items())]


def combine(builds: Iterable[Counted]) -> dict[str, dict]:
    """Each line as one build counts it: among the builds in which it has most branches, the one that reaches most of
    them. Counters of different builds are never added, so nothing looks reached that is not."""
    files: dict[str, list[dict]] = defaultdict(list)
    for build in builds:
        for name, file in build.items():
            files[name].append(file)
    return {name: {
        "file": name,
        "lines": _best((line for file in same for line in file["lines"]
                        if not line["gcovr/noncode"]), "line_number", _rank),
        "functions": _best((function for file in same for function in file["functions"]), "name",
                           lambda function: function["execution_count"]),
    } for name, same in sorted(files.items())}


def totals(combined: Counted) -> dict[str, list[int]]:
    """For each file: lines of code, those that are reached, branches, those that are reached."""
    result = {}
    for name, file in combined.items():
        lines = [line["count"] for line in file["lines"]]
        branches = [count for line in file["lines"] for count in _branches(line)]
        result[name.removeprefix("runtime/")] = [len(lines), sum(map(bool, lines)),
                                                 len(branches), sum(map(bool, branches))]
    return result


def find_gaps(combined: Counted, texts: Mapping[str, list[str]]) -> list[Gap]:
    """The gaps; lines without a branch are reached with the one before them, or with the function."""
    gaps = []
    for name, file in combined.items():
        missing = {line["line_number"]: sum(count == 0 for count in _branches(line)) for line in file["lines"]}
        missing |= {function["lineno"]: 1 for function in file["functions"] if function["execution_count"] == 0}
        gaps += [Gap(name.removeprefix("runtime/"), number, texts[name][number - 1].strip(), count)
                 for number, count in sorted(missing.items()) if count]
    return gaps


def read_list(path: Path) -> list[dict]:
    """The entries of the list; KeyError where one lacks something."""
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("gap", [])
    for entry in entries:
        unknown = entry.keys() ^ {"file", "line", "missing", "reason"}
        if unknown or not entry["reason"]:
            raise KeyError(f"{path.name}: {entry}: file, line, missing and reason are needed")
    return entries


def judge(gaps: list[Gap], listed: list[dict], texts: Mapping[str, list[str]]) -> list[str]:
    """Messages about gaps that are not listed, and entries of the list that are not gaps."""
    problems = []
    found: dict[tuple[str, str], list[Gap]] = defaultdict(list)
    for gap in gaps:
        found[gap.file, gap.text].append(gap)
    lines = {(file.removeprefix("runtime/"), line.strip()) for file, text in texts.items() for line in text}
    for entry in listed:
        key = entry["file"], entry["line"]
        missing = sum(gap.missing for gap in found.pop(key, []))
        if key not in lines:
            problems.append(f"{key[0]}: the listed line is gone: {key[1]}")
        elif missing == 0:
            problems.append(f"{key[0]}: the listed line is reached: {key[1]}")
        elif missing != entry["missing"]:
            problems.append(f"{key[0]}: {missing} branches are not reached, the list says "
                            f"{entry['missing']}: {key[1]}")
    problems += [f"not reached, and not listed: {gap} ({gap.missing})" for same in found.values() for gap in same]
    return problems
