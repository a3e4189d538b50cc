"""Time and memory that a library of 100,000 clips takes on 1 to 1,000 workers (scons bench-library).

Makes a synthetic library, measures what the tasks of a build take, and builds it with one and two workers, beside what
library_model.py predicts. Then the model goes on to more workers, and to efforts that would take too long to run.
Writes a table and a picture. Times need an idle machine with two cores."""
from __future__ import annotations

import argparse
import csv
import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import psutil

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / folder) for folder in ("codegen", "tests/bench")]

from library_model import Costs, build
from make_library import make_library
from picture import save, subplots
from ossicle.building import worker_tasks as tasks
from ossicle.encoding.cache.place import Caching
from ossicle.building.job import open_request
from ossicle.building.manifest import own_digest, requests_of
from ossicle.building.local_workers import SMALL, LocalWorkers, local_scheduler
from ossicle.building.encoding import with_costs
from ossicle.encoding import native
from ossicle.encoding.clip_queue import ClipQueue

ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT / "codegen")}
CLIPS = 200  # of a character
SECONDS, JOINTS = 2.0, 22
MEASURED = 3  # characters whose tasks are measured, after one that warms up
TASKS = 400  # empty ones, to measure what a task costs the process of the build
BATCH = 20  # clips
EFFORTS = {"fast": 8, "default": 8, "max": 2}  # clips that are timed to learn what an effort takes
WORKERS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 500, 1000)
LIBRARY = 100_000  # clips
LOOK_S = 0.1
MB = 1e6


@dataclass(frozen=True)
class Run:
    """A command. here: the process of the build; workers: the others, the largest first."""

    seconds: float
    here_s: float
    here_mb: float
    workers_mb: tuple[float, ...]


def run(folder: Path, *words: str) -> Run:
    """Runs `ossicle build library.toml` in a folder, and looks at its processes."""
    began = time.monotonic()
    child = subprocess.Popen([sys.executable, "-m", "ossicle", "build", "library.toml", "--quiet", "--cache", "off",
                              *words], cwd=folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
    here, most, spent = psutil.Process(child.pid), {}, 0.0
    while child.poll() is None:
        try:
            spent = max(spent, sum(here.cpu_times()[:2]))
            for process in (here, *here.children(recursive=True)):
                most[process.pid] = max(most.get(process.pid, 0), process.memory_info().rss)
        except psutil.Error:
            pass  # it has ended
        time.sleep(LOOK_S)
    if child.returncode != 0:
        raise SystemExit(f"ossicle build {' '.join(words)} failed")
    others = sorted((size / MB for pid, size in most.items() if pid != child.pid), reverse=True)
    return Run(time.monotonic() - began, spent, most[child.pid] / MB, tuple(others))


def memory_mb() -> float:
    return psutil.Process().memory_info().rss / MB


class Clock:
    """Processor seconds of this process since the last look."""

    def __init__(self) -> None:
        self._at = time.process_time()

    def lap(self) -> float:
        before, self._at = self._at, time.process_time()
        return self._at - before


def task_costs(folder: Path) -> dict[str, float]:
    """Average costs of the tasks of some characters of a library."""
    import distributed  # noqa: F401  for the memory that a worker has at its start
    os.chdir(folder)
    orders = tasks.BuildContext(os.getcwd(), own_digest(), Caching(None, False), None, 1)
    worker_mb, rows = memory_mb(), []
    for request in requests_of([Path("library.toml")], folder / "never")[:1 + MEASURED]:
        row, clock, before = {}, Clock(), memory_mb()
        planned = tasks.plan(orders, request).outcome
        row["plan_s"], row["imported_mb"] = clock.lap(), memory_mb() - before
        state, entries, count = planned.job.state, {}, len(planned.work)
        for first in range(0, count, BATCH):
            entries |= tasks.encode(orders, request, state, range(first, min(first + BATCH, count))).outcome.entries
        row["clip_s"] = clock.lap() / count
        tasks.finish(orders, request, state, entries)
        row["load_s"] = clock.lap()
        tasks.plan(orders, request)  # reads again what is forgotten once it is finished
        clock.lap()
        finished = tasks.finish(orders, request, state, {}).outcome
        row["whole_s"] = clock.lap()
        open_request(request).queue()
        row["read_s"] = clock.lap()
        row["entries_mb"], row["finished_mb"], row["planned_mb"] = (
            len(pickle.dumps(what)) / MB for what in (entries, finished, planned))
        row["file_mb"] = sum(path.stat().st_size for path in planned.job.inputs) / MB
        rows.append(row)
    first, *others = rows
    means = {key: float(np.mean([row[key] for row in others])) for key in first}
    return means | {"worker_mb": worker_mb, "imported_mb": first["imported_mb"],
                    "encoding_mb": memory_mb() - worker_mb - first["imported_mb"]}


def task_here_s() -> float:
    """Seconds that an empty task costs the process of a build."""
    import distributed
    with tempfile.TemporaryDirectory() as folder, local_scheduler(distributed) as cluster, \
            distributed.Client(cluster) as client, LocalWorkers(cluster, 1, Path(folder)):
        client.submit(int).result()
        clock = Clock()
        client.gather([client.submit(int, number, pure=False) for number in range(TASKS)])
        return clock.lap() / TASKS


def seconds_a_clip(folder: Path, effort: str) -> float:
    """Cost of encoding a clip with an effort, with all that is tried."""
    [opened] = map(open_request, requests_of([folder / "library.toml"], folder / "never")[:1])
    settings = replace(with_costs(opened.job.project.settings), effort=effort)
    clock = Clock()
    ClipQueue(opened.character, settings).encode(range(EFFORTS[effort]), native.encode_clip)
    return clock.lap() / EFFORTS[effort]


def in_a_process(what: str, *words: object) -> str:
    """The output of a process of its own about a measurement."""
    return subprocess.run([sys.executable, __file__, "--measure", what, *map(str, words)], check=True, text=True,
                          stdout=subprocess.PIPE, env=ENVIRONMENT | SMALL).stdout


def costs_of(folder: Path, characters: int, tiny: Path) -> tuple[Costs, float]:
    """The costs of the characters of a library, and what the process of the build does at its start. tiny: a library
    with a single clip."""
    measured = json.loads(in_a_process("tasks", folder))
    start, listed = run(tiny, "--workers", "1", "--list"), run(folder, "--workers", "1", "--list")
    task_s = float(in_a_process("task"))
    costs = Costs(clips=CLIPS, start_s=start.seconds, build_mb=start.here_mb, task_here_s=task_s,
                  plan_here_s=max((listed.here_s - start.here_s) / characters - task_s, 0.0), character_here_s=0.0,
                  **measured)
    return costs, start.here_s


def check(folder: Path, characters: int, costs: Costs, start_here_s: float) -> tuple[Costs, list[dict[str, object]]]:
    """The costs with what the process of the build does for a character, and the rows of builds with one and two
    workers beside those of the model. start_here_s: what that process does at its start."""
    rows = []
    for workers in (1, 2):
        shutil.rmtree(folder / "out", ignore_errors=True)
        done = run(folder, "--workers", str(workers), "-o", "out")
        if workers == 1:
            left_s = done.here_s - start_here_s - (build(costs, characters, 1).here_s - costs.start_s)
            costs = replace(costs, character_here_s=max(left_s / characters, 0.0))
        rows.append(row_of("measured", "fast", characters, workers, done.seconds, done.here_s / done.seconds,
                           done.here_mb, max(done.workers_mb)))
        rows.append(modelled("fast", costs, characters, workers))
    return costs, rows


def row_of(how: str, effort: str, characters: int, workers: int, seconds: float, busy: float, here_mb: float,
           worker_mb: float, read_mb: float = 0.0) -> dict[str, object]:
    return {"how": how, "effort": effort, "clips": characters * CLIPS, "workers": workers, "seconds": round(seconds, 1),
            "clips_a_second": float(f"{characters * CLIPS / seconds:.3g}"), "build_busy_percent": round(100 * busy),
            "build_mb": round(here_mb), "worker_mb": round(worker_mb), "read_mb_a_second": round(read_mb / seconds, 1)}


def modelled(effort: str, costs: Costs, characters: int, workers: int) -> dict[str, object]:
    """A row of the model."""
    found = build(costs, characters, workers)
    return row_of("model", effort, characters, workers, found.seconds, found.busy, found.here_mb,
                  found.worker_mb, found.read_mb)


def draw(rows: list[dict[str, object]], path: Path) -> None:
    """The picture: clips a second against workers."""
    figure, axis = subplots(figsize=(5.6, 3.4))
    for effort, colour in zip(EFFORTS, ("#2f6f8f", "#5b8c3e", "#b04a3a")):
        some = [row for row in rows if row["effort"] == effort and row["clips"] == LIBRARY]
        axis.plot([row["workers"] for row in some], [row["clips_a_second"] for row in some], color=colour,
                  label=f"effort {effort}")
    measured = [row for row in rows if row["how"] == "measured"]
    axis.plot([row["workers"] for row in measured], [row["clips_a_second"] for row in measured], "o", color="#2f6f8f",
              label="measured")
    axis.set(xlabel="workers", ylabel="clips a second", xscale="log", yscale="log")
    for side in (axis.xaxis, axis.yaxis):
        side.set_major_formatter(lambda value, place: f"{value:,.4g}")
    axis.grid(True, alpha=0.3)
    axis.legend(frameon=False)
    save(figure, path)


def bench(output: Path, characters: int) -> list[dict[str, object]]:
    """Measures, and writes library.csv and library.svg."""
    with tempfile.TemporaryDirectory(prefix="ossicle-library-") as place:
        folder, tiny = Path(place) / "library", Path(place) / "tiny"
        make_library(folder, characters, CLIPS, SECONDS, JOINTS)
        make_library(tiny, 1, 1, SECONDS, JOINTS)
        costs, rows = check(folder, characters, *costs_of(folder, characters, tiny))
        clip_s = {effort: float(in_a_process("effort", folder, effort)) for effort in EFFORTS}
    for effort, seconds in clip_s.items():
        more_s = seconds - clip_s["fast"]
        slower = replace(costs, clip_s=costs.clip_s + more_s, whole_s=costs.whole_s + CLIPS * more_s)
        rows += [modelled(effort, slower, LIBRARY // CLIPS, workers) for workers in WORKERS]
    output.mkdir(parents=True, exist_ok=True)
    with (output / "library.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    draw(rows, output / "library.svg")
    for name, value in asdict(costs).items():
        print(f"{name} {value:.4g}")
    print(*rows[0], sep="\t")
    for row in rows:
        print(*row.values(), sep="\t")
    return rows


def measure(what: str, words: list[str]) -> None:
    """Prints one measurement."""
    if what == "tasks":
        print(json.dumps(task_costs(Path(words[0]))))
    elif what == "task":
        print(task_here_s())
    else:
        print(seconds_a_clip(Path(words[0]), words[1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, help="the folder for library.csv and library.svg")
    parser.add_argument("--characters", type=int, default=20, help=f"of {CLIPS} clips, to build")
    parser.add_argument("--smallest", action="store_const", dest="characters", const=1 + MEASURED,
                        help=f"{1 + MEASURED} characters: shows that the bench works")
    parser.add_argument("--measure", nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        measure(arguments.measure[0], arguments.measure[1:])
    else:
        bench(arguments.output, arguments.characters)


if __name__ == "__main__":
    main()
