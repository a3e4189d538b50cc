"""`ossicle watch --view`: the page is that of the last build."""
from __future__ import annotations

import re
import signal
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from ossicle.view.server import CHANGES
from running import run_inside, write_bvh
from watching import BUILT, PATIENCE_S, Watching
from mentions import mentioning


@pytest.fixture
def showing(folder: Path) -> Iterator[Watching]:
    started = Watching("--view", "--no-open")
    yield started
    started.process.kill()
    started.process.wait()


def test_the_page_follows(folder: Path, showing: Watching) -> None:
    seen = showing.expect("^http://", 0)
    [address] = re.findall(r"^(http://127.0.0.1:\d+/) ", "".join(showing.lines), re.MULTILINE)

    def read() -> str:
        with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
            return answer.read().decode()

    first = read()
    assert "<title>dog</title>" in first and 'data-change="1"' in first
    with urllib.request.urlopen(f"{address.rstrip('/')}{CHANGES}1", timeout=PATIENCE_S) as events:
        write_bvh(folder / "clips/walk.bvh", speed=5.0)
        showing.expect(BUILT, seen)
        assert events.readline() == b"data: changed\n"
    second = read()
    assert 'data-change="2"' in second and second.replace('"2"', '"1"', 1) != first
    assert showing.end(signal.SIGINT) == 128 + signal.SIGINT


@pytest.mark.parametrize(("arguments", "facts"), [(["--character", "cat"], "cat dog"), ([], "--view --character")])
def test_which_character(folder: Path, arguments: list[str], facts: str) -> None:
    configs = ["dog.toml"]
    if not arguments:
        (folder / "cow.toml").write_text((folder / "dog.toml").read_text())
        configs.append("cow.toml")
    watching = Watching(*configs[1:], "--view", "--no-open", *arguments)
    watching.expect(mentioning(facts), 0)
    assert watching.end(signal.SIGINT) == 128 + signal.SIGINT
    assert run_inside("build", *configs).status == 0
