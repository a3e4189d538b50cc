"""Draws the progress bar of a terminal."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.text import Text


class _Pace(ProgressColumn):
    """Shows the average number of units per second, and the time left at this pace."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        spent = task.fields["spent_s"]  # until the last unit
        if not task.completed or not spent:
            return Text("")
        left = spent * task.total / task.completed - task.elapsed - task.fields["before_s"]
        return Text(f"{task.completed / spent:,.0f} {self._unit}/s, {duration_text(left)} left")


def duration_text(seconds: float) -> str:
    """Formats a duration as minutes and seconds, and hours if there are any: 0:07, 1:02:30."""
    minutes, rest = divmod(max(round(seconds), 0), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def drawn_bar(title: str, unit: str, started: float | None) -> Iterator[Callable[[int, int, str], None]]:
    """See progress_bar; shows nothing on a terminal that cannot move its cursor."""
    screen = Console(stderr=True, highlight=False, markup=False, emoji=False)
    if not screen.is_interactive:
        yield lambda done, total, item: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(),
               _Pace(unit) if unit else TimeElapsedColumn(), TextColumn("{task.fields[item]}", markup=False))
    with Progress(*columns, console=screen, transient=True) as bar:
        before = 0.0 if started is None else time.monotonic() - started
        task = bar.add_task(title, total=None, item="", spent_s=0.0, before_s=before)
        yield lambda done, total, item: bar.update(task, completed=done, total=total, item=item,
                                                   spent_s=before + (bar.tasks[0].elapsed or 0.0))
