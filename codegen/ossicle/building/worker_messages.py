"""Checks the results of workers, so that another version, a lack of memory or a failing machine cannot damage files."""
from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..base.conforming import conforms
from ..encoding.cache.key import KEY_BYTES
from .digests import digest_of
from .job import Finished, Planned
from .manifest import Request
from .problems import PROBLEMS, BuildProblem
from .worker_tasks import Done, Encoded

_MOST_LINE = 2000  # characters in a warning


def checked(done: Any, what: str) -> Done[Any]:
    """Returns the result of a task unchanged. what: names the task. Raises BuildProblem for an invalid result."""
    if not (isinstance(done, Done) and isinstance(done.warnings, (list, tuple))
            and all(map(_is_line, done.warnings))
            and _is_outcome(done.outcome)):
        raise _unusable(what, "an invalid result")
    return done


def check_plan(plan: Planned, request: Request) -> None:
    """Raises BuildProblem unless the plan is of this request."""
    if plan.job.request != request:
        raise _unusable(str(request), "a different character")


def check_finished(finished: Finished, planned: Mapping[Request, Planned]) -> None:
    """Raises BuildProblem unless the files are exactly those of one of these plans."""
    plan = planned.get(finished.job.request)
    if plan is None:
        raise _unusable(str(finished.job.request), "a character that was not requested")
    if set(finished.contents) != set(plan.manifest.outputs):
        raise _unusable(str(finished.job.request), "files that were not planned")
    if {path: known for path, (_, known) in finished.manifest.outputs.items()} != \
            {path: digest_of(content) for path, content in finished.contents.items()}:
        raise _unusable(str(finished.job.request), "damaged files")


def _unusable(what: str, returned: str) -> BuildProblem:
    return BuildProblem(f"{what}: a worker returned {returned}; install the same version of Ossicle on all machines, "
                        "restart the workers, and build again")


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
