"""A build does the work of a character once."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jinja2
import pytest
from ossicle.bank import file
from ossicle.building import manifest
from ossicle.encoding import edits
from running import HERO, run_inside, write_bvh

PROJECTS = {
    "plain": "",
    "one codec": 'codec = "curve"\n',
    "a machine": 'target = "microbit"\noptimise = "bank"\n',
    "a limit": 'max_ram_bytes = 4096\noptimise = "ram"\n',
    "tiers": 'tiers = ["8mm"]\n',
    "sizes": 'tiers = ["80%"]\ntier_block = 64\n',
}


def counting(monkeypatch: pytest.MonkeyPatch, counts: Counter[str], owner: Any, name: str,
             key: Callable[..., str] = lambda *arguments: "") -> None:
    """Counts the calls of a function. key: what is added to its name."""
    original = getattr(owner, name)

    def counted(*arguments: Any, **named: Any) -> Any:
        counts[name + key(*arguments)] += 1
        return original(*arguments, **named)
    monkeypatch.setattr(owner, name, counted)


@pytest.mark.parametrize("settings", PROJECTS.values(), ids=PROJECTS.keys())
def test_the_bank_of_a_clip_is_parsed_once(folder: Path, monkeypatch: pytest.MonkeyPatch, settings: str) -> None:
    counts: Counter[str] = Counter()
    for owner, name in ((file, "_parse"), (edits, "posed")):
        counting(monkeypatch, counts, owner, name)
    write_bvh(folder / "walk.bvh", 200, joints=("hips", "spine", "chest", "neck"))
    (folder / "dog.toml").write_text(f'inputs = ["walk.bvh"]\ngenerate = "code"\nembed = true\n{settings}',
                                     encoding="utf-8")
    ran = run_inside("build", "dog.toml", "--quiet")
    assert ran.status == 0, ran
    assert counts == {"_parse": 1, "posed": 1}


def test_c_is_rendered_once_and_manifests_are_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: Counter[str] = Counter()
    for owner in (manifest,):
        counting(monkeypatch, counts, owner, "read_manifest", lambda path: f" {path}")
    counting(monkeypatch, counts, jinja2.Template, "render", lambda self: f" {self.name}")
    assert run_inside("build", "dog.toml", "cat.toml", "--quiet").status == 0
    assert counts["render pose.c.j2"] == 2 and counts["read_manifest dog.manifest.json"] == 1
    assert set(counts.values()) == {1, 2} and all(
        times == (2 if key.startswith("render ") else 1) for key, times in counts.items())


def test_a_mirrored_clip_is_known_before_the_first_build(folder: Path) -> None:
    (folder / "dog.toml").write_text(f'inputs = ["{HERO}"]\nexclude = ["[IRJS]*", "Walk"]\ngenerate = "code"\n'
                                     'effort = "fast"\n[clips."Back"]\nmirror_of = "Wave"\n', encoding="utf-8")
    assert "source=code/dog_mirror.c\n" in run_inside("build", "dog.toml", "--list").out
    assert run_inside("build", "dog.toml", "--quiet").status == 0 and (folder / "code/dog_mirror.c").exists()
