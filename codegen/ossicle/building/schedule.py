"""The order in which workers encode the clips of many characters.

Few characters are encoded concurrently, so that memory does not depend on their number. Each starts with its longest
clips. Short clips are sent together, because every task costs the scheduler time. A character that is small compared
with the remaining work is sent as a whole: a single worker reads it, and its encoded clips need not be transferred.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from . import worker_tasks as tasks
from .faults import Fault
from .job import Finished, Planned

_BATCH_S = 1.0  # approximate time of a batch of clips; a task costs Dask a few milliseconds
_WHOLE_S = 15.0  # longest time of a character that is sent as a whole: it is repeated if its worker dies
_TASKS_A_THREAD = 3  # queued per thread, so that no worker is idle
_CHARACTERS_A_THREAD = 4  # that are encoded concurrently, at most
_FINISHED_A_THREAD = 16  # that wait for earlier ones to be written, at most
_LEAST = 4  # smallest number of tasks and characters, also while there is no worker
_NAMED = 3  # number of clips of a batch that messages name


class WorkerPool(Protocol):
    """The workers; see OnWorkers."""

    def send(self, place: int, task: Any, *arguments: object) -> Any:
        """Submits a task, and returns its future. Tasks with a lower `place` run first."""

    def arriving(self) -> Any:
        """Returns an empty queue, to which futures are added and which yields those that are done."""

    def result(self, future: Any, what: str) -> Any:
        """Returns the outcome of a task, which may be its problem. what: names the task."""

    def threads(self) -> int:
        """Returns the number of tasks that the workers can currently run in parallel."""


@dataclass(eq=False)
class _InWork:
    """A character that is being encoded. place: its index in the build; left: clips that were not sent yet, the longest
    first; sent: the number of batches that are being encoded; entries: of the encoded clips; last: whether the final
    task, which finishes the bank, was sent."""

    place: int
    planned: Planned
    left: deque[int]
    sent: int = 0
    entries: dict[bytes, bytes] = field(default_factory=dict)
    last: bool = False
    outcome: Finished | Exception | None = None

    def work(self, index: int) -> int:
        return self.planned.work[index] * self.planned.joints

    @property
    def is_waiting(self) -> bool:
        """True if a task can be sent: clips or, if all clips are encoded, the bank."""
        return self.outcome is None and not self.last and bool(self.left or not self.sent)

    def next_batch(self, most_work: float) -> list[int]:
        """Takes at least one clip, and further ones up to this amount of work."""
        batch: list[int] = []
        work = 0.0
        while self.left and (not batch or work + self.work(self.left[0]) <= most_work):
            work += self.work(self.left[0])
            batch.append(self.left.popleft())
        return batch


class Schedule:
    """Schedules the encoding of characters. progress(done, item): called with the number of encoded frames."""

    def __init__(self, pool: WorkerPool, planned: Sequence[Planned], progress: Callable[[int, str], None]) -> None:
        self._pool, self._progress = pool, progress
        self._waiting = deque(enumerate(planned))
        self._in_work: deque[_InWork] = deque()  # in the order of the build
        self._running: dict[Any, tuple[_InWork, list[int]]] = {}  # by future: the clips of the task
        self._coming = pool.arriving()
        self._done = 0
        self._unsent = sum(sum(plan.work) * plan.joints for plan in planned)
        self._work = self._seconds = 0.0  # sums over all finished batches

    def results(self) -> Iterator[Finished | Fault]:
        """Yields the characters or their faults, in order."""
        self._fill()
        for future in self._coming:
            self._take(future)
            self._fill()
            while self._in_work and self._in_work[0].outcome is not None:
                character = self._in_work.popleft()
                if isinstance(character.outcome, Exception):
                    yield Fault.of(character.planned.job.request, character.outcome)
                elif character.outcome is not None:
                    yield character.outcome
                self._fill()

    def _take(self, future: Any) -> None:
        character, clips = self._running.pop(future)
        title, names = str(character.planned.job.request), [character.planned.clips[index] for index in clips]
        if character.last:
            character.outcome, item = self._pool.result(future, title), title
        else:
            more = ", ..." if len(names) > _NAMED else ""
            encoded = self._pool.result(future, f"{title}: clip {', '.join(names[:_NAMED])}{more}")
            character.sent -= 1
            item = names[-1]
            if isinstance(encoded, Exception):
                if character.outcome is None:
                    self._unsent -= sum(map(character.work, character.left))
                character.outcome = encoded  # is_waiting then prevents further tasks
            else:
                character.entries |= encoded.entries
                self._work += sum(map(character.work, clips))
                self._seconds += encoded.seconds
        self._done += sum(character.planned.work[index] for index in clips)
        self._progress(self._done, item)
        future.release()

    def _fill(self) -> None:
        """Sends tasks of the earliest characters until all workers have enough."""
        threads = self._pool.threads()
        most_tasks = max(_TASKS_A_THREAD * threads, _LEAST)
        unfinished = sum(character.outcome is None for character in self._in_work)
        most = min(max(_CHARACTERS_A_THREAD * threads, _LEAST) - unfinished,
                   max((_CHARACTERS_A_THREAD + _FINISHED_A_THREAD) * threads, _LEAST) - len(self._in_work))
        for _ in range(min(most, len(self._waiting))):
            place, planned = self._waiting.popleft()
            self._in_work.append(_InWork(place, planned, deque(sorted(
                range(len(planned.work)), key=lambda index: -planned.work[index]))))
        for character in self._in_work:
            while len(self._running) < most_tasks and character.is_waiting:
                self._send(character)
            if len(self._running) >= most_tasks:
                return

    def _send(self, character: _InWork) -> None:
        """Sends the next clips of a character, or its final task."""
        job = character.planned.job
        batch = character.next_batch(self._most_work(character))
        self._unsent -= sum(map(character.work, batch))
        if not (character.left or character.sent):  # no other task of the character is running
            character.last = True
            future = self._pool.send(character.place, tasks.finish, job.request, job.state, character.entries)
            character.entries = {}
        else:
            character.sent += 1
            future = self._pool.send(character.place, tasks.encode, job.request, job.state, batch)
        self._running[future] = character, batch
        self._coming.add(future)

    def _most_work(self, character: _InWork) -> float:
        """Returns the largest amount of work of the character's next task."""
        if not self._seconds:
            return 0.0
        a_second, whole = self._work / self._seconds, sum(map(character.work, character.left))
        share = self._unsent / max(self._pool.threads(), 1)  # divides the last characters among workers
        return whole if whole <= min(_WHOLE_S * a_second, share) else _BATCH_S * a_second
