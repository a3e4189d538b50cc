"""Results of workers are checked before use: any message passes unchanged or is refused in one line, and only planned
files are written."""
from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ossicle.base.conforming import conforms
from ossicle.base.problem import SettingProblem
from ossicle.encoding.cache.place import Caching
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.building.digests import digest_of
from ossicle.building.job import Finished, Planned
from ossicle.building.manifest import Request, own_digest
from ossicle.building.worker_messages import check_finished, check_plan, checked
from ossicle.building import worker_tasks as tasks
from mentions import mentioning

HERO = Path(__file__).resolve().parents[2] / "codegen/demo/hero.glb"
ROUNDS = 3000
JUNK: tuple[Any, ...] = (None, 0, -1, True, 1 << 80, float("nan"), float("inf"), -1.0, "", "line\nline", "x" * 3000,
                         "\x1b[2J", b"",
                         b"x" * 31, [], [None], {}, {b"": b""}, {"a": b"b"}, {Path("/etc/passwd"): b"mine"}, Path("x"),
                         object(),
                         ValueError("of no task"), SettingProblem)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> tuple[Request, list[tasks.Done]]:
    """A request, and the messages of all tasks for it: its plan, a clip, its files, and a problem."""
    folder = tmp_path_factory.mktemp("game")
    (folder / "hero.toml").write_text(f'inputs = ["{HERO}"]\neffort = "fast"\n', encoding="utf-8")
    request = Request(folder / "hero.toml", folder / "out")
    orders = tasks.BuildContext(str(Path.cwd()), own_digest(), Caching(None, False), None, 1)
    planned = tasks.plan(orders, request)
    assert isinstance(planned.outcome, Planned), planned.outcome
    state = planned.outcome.job.state
    encoded = tasks.encode(orders, request, state, [0])
    finished = tasks.finish(orders, request, state, encoded.outcome.entries)
    refused = tasks.plan(dataclasses.replace(orders, made_by="another"), request)
    assert isinstance(finished.outcome, Finished) and isinstance(refused.outcome, SettingProblem)
    return request, [planned, encoded, finished, refused]


def variants(noise: random.Random, message: Any) -> Iterator[Any]:
    """The message with one part replaced, at any depth."""
    while True:
        path, at = [], message
        while dataclasses.is_dataclass(at) and not isinstance(at, type) and (noise.random() < 0.8 or not path):
            name = noise.choice([field.name for field in dataclasses.fields(at)])
            path.append(name)
            at = getattr(at, name)
        yield _replaced(message, path, noise.choice(JUNK))


def _replaced(message: Any, path: list[str], value: Any) -> Any:
    if not path:
        return value
    return dataclasses.replace(message, **{path[0]: _replaced(getattr(message, path[0]), path[1:], value)})


def test_what_tasks_return_passes(answers: tuple[Request, list[tasks.Done]]) -> None:
    request, messages = answers
    for message in messages:
        assert checked(message, "hero") is message
    check_plan(messages[0].outcome, request)
    check_finished(messages[2].outcome, {request: messages[0].outcome})


def test_changed_messages_pass_or_are_refused_in_one_line(answers: tuple[Request, list[tasks.Done]]) -> None:
    request, messages = answers
    plan = messages[0].outcome
    noise, refused = random.Random(1), 0
    sources = [variants(noise, message) for message in messages]
    for number in range(ROUNDS):
        message = next(sources[number % len(sources)])
        try:
            outcome = checked(message, "hero").outcome
            if isinstance(outcome, Planned):
                check_plan(outcome, request)
                sum(outcome.work) * outcome.joints  # as a schedule does
            if isinstance(outcome, Finished):
                check_finished(outcome, {request: plan})
                assert set(outcome.contents) == set(plan.manifest.outputs)
        except SettingProblem as problem:
            assert re.match(r"[^:]+: \w", str(problem)) and str(problem).isprintable()
            refused += 1
    assert refused > ROUNDS // 2


@pytest.mark.parametrize(("changes", "fit"), [({"loop": "close", "speed": 2.0}, True), ({"loop": 3.5}, False),
                                              ({"lop": True}, False)])
def test_rules_change_fields_of_clips(changes: dict[str, Any], fit: bool) -> None:
    assert conforms(Settings(clips=(ClipRule("*", **changes),)), Settings) == fit


@pytest.mark.parametrize("junk", range(len(JUNK)))
def test_junk_is_no_message(junk: int) -> None:
    for message in (JUNK[junk], tasks.Done(JUNK[junk], []), tasks.Done(SettingProblem("a"), JUNK[junk])):
        if isinstance(message, tasks.Done) and isinstance(message.outcome, SettingProblem) and message.warnings == []:
            continue
        with pytest.raises(SettingProblem, match=mentioning("hero")):
            checked(message, "hero")


def test_only_planned_files_are_written(answers: tuple[Request, list[tasks.Done]], tmp_path: Path) -> None:
    request, messages = answers
    plan, finished = messages[0].outcome, messages[2].outcome
    plans = {request: plan}
    first = next(iter(finished.contents))
    profile = tmp_path / "profile"
    outputs = {**finished.manifest.outputs, profile: ("source", digest_of(b"mine"))}
    more = dataclasses.replace(finished, contents={**finished.contents, profile: b"mine"},
                               manifest=dataclasses.replace(finished.manifest, outputs=outputs))
    fewer = dataclasses.replace(finished, contents={})
    damaged = dataclasses.replace(finished, contents={**finished.contents, first: finished.contents[first] + b"x"})
    other = dataclasses.replace(finished,
                                job=dataclasses.replace(finished.job, request=Request(tmp_path / "other.toml")))
    for outcome, name in ((more, "hero"), (fewer, "hero"), (damaged, "hero"), (other, "other.toml")):
        with pytest.raises(SettingProblem, match=mentioning(name)):
            check_finished(outcome, plans)
    with pytest.raises(SettingProblem, match=mentioning("other.toml")):
        check_plan(plan, Request(tmp_path / "other.toml"))
    assert digest_of(finished.contents[first]) == finished.manifest.outputs[first][1]
