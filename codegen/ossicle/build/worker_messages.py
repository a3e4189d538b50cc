"""Checks the results of workers before a build uses them: another version, a worker that runs out of memory or a
machine that fails must not damage files."""
from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..base.conforming import conforms
from ..encode.cache.key import KEY_BYTES
from .digests import digest_of
from .job import Finished, Planned
from .manifest import Request
from .problems import PROBLEMS, BuildProblem
from .worker_tasks import Done, Encoded

_MOST_LINE = 2000  # characters of a line for the user


def checked(done: Any, what: str) -> Done[Any]:
    """Returns the message of a task unchanged. what: names the task. Raises BuildProblem if no task returns such a
    message."""
    if not (isinstance(done, Done) and isinstance(done.said, (list, tuple)) and all(map(_is_line, done.said))
            and _is_outcome(done.outcome)):
        raise _unusable(what, "an answer of another form")
    return done


def check_plan(plan: Planned, request: Request) -> None:
    """Raises BuildProblem unless this is a plan of the request."""
    if plan.job.request != request:
        raise _unusable(str(request), "another character")


def check_finished(one: Finished, planned: Mapping[Request, Planned]) -> None:
    """Raises BuildProblem unless these are the files of one of these plans: only planned files are written."""
    plan = planned.get(one.job.request)
    if plan is None:
        raise _unusable(str(one.job.request), "a character that was not requested")
    if set(one.contents) != set(plan.manifest.outputs):
        raise _unusable(str(one.job.request), "other files than those that were planned")
    if {path: known for path, (_, known) in one.manifest.outputs.items()} != \
            {path: digest_of(content) for path, content in one.contents.items()}:
        raise _unusable(str(one.job.request), "files that are damaged")


def _unusable(what: str, returned: str) -> BuildProblem:
    return BuildProblem(f"{what}: a worker returned {returned}; install the same Ossicle on all machines, restart the "
                        "workers, and build again")


def _is_line(line: object) -> bool:
    return isinstance(line, str) and line.isprintable() and len(line) <= _MOST_LINE


def _is_outcome(outcome: object) -> bool:
    if isinstance(outcome, Exception):
        return isinstance(outcome, PROBLEMS)
    if isinstance(outcome, Encoded):
        return (conforms(outcome, Encoded) and all(len(key) == KEY_BYTES for key in outcome.entries)
                and 0.0 <= outcome.seconds < math.inf)
    if isinstance(outcome, Planned):
        return (conforms(outcome, Planned) and len(outcome.clips) == len(outcome.work) and outcome.joints >= 1
                and all(work >= 1 for work in outcome.work))
    return conforms(outcome, Finished)
