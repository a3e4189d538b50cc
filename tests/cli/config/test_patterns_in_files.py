"""Keys of a configuration file whose order does not matter, and keys in the wrong table."""
from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import tomllib
from ossicle.base.patterns import from_general_to_specific, matches
from ossicle.base.problem import SettingProblem
from ossicle.config import option_kinds as kinds
from ossicle.config.option import IMPORT
from ossicle.config.option_lookup import keys_of
from ossicle.config.project import read_project, read_settings
from running import run_inside, write_bvh
from mentions import mentions

# From general to specific, for Walk_left.
ORDERED = ("*", "W*", "?alk*", "[VW]alk_*", "Walk_*", "*_left", "Walk_lef?", "Walk_left")
NAME = ORDERED[-1]


def winner(rules: list[tuple[str, Any]]) -> Any:
    """The value of the last rule that matches."""
    return [value for pattern, value in rules if matches(pattern, NAME)][-1]


def test_the_more_specific_pattern_wins_in_any_order() -> None:
    for few in permutations(ORDERED[:4] + ORDERED[6:], 3):
        assert winner(from_general_to_specific({pattern: pattern for pattern in few})) == max(few, key=ORDERED.index)
    assert [pattern for pattern, _ in from_general_to_specific({"b*": 0, "a*": 0, "?*": 0})] == ["b*", "a*", "?*"]


@pytest.mark.parametrize("read", [
    lambda table: [(rule.pattern, rule.changes["speed"]) for rule in read_settings({"clips": {
        pattern: {"speed": value} for pattern, value in table.items()}}).clips],
    lambda table: [(rule.pattern, rule.tolerance.metres) for rule in read_settings({"joints": {
        pattern: {"tolerance": f"{value}m"} for pattern, value in table.items()}}).joints],
    lambda table: [(rule.pattern, rule.tolerance) for rule in read_settings({"curves": table}).curve_rules],
    lambda table: [(rule.pattern, float(rule.name)) for rule in read_settings({"import": {"rename": {
        pattern: str(value) for pattern, value in table.items()}}}).importing.rename],
    lambda table: [(rule.pattern, float(rule.event[1:])) for rule in read_settings({"contacts": {
        pattern: f"e{value}" for pattern, value in table.items()}}).contacts],
    lambda table: list(kinds.MASKS.read_all({"mask": {"weights": table}}, "masks")["mask"].weights),
], ids=["clips", "joints", "curves", "rename", "contacts", "weights"])
def test_every_table_of_patterns(read: Callable[[dict[str, float]], list[tuple[str, float]]]) -> None:
    for patterns in ((NAME, "*"), ("*", NAME), ("Walk_*", "W*", "*"), ("W*", NAME, "Walk_*")):
        assert winner(read({pattern: len(pattern) / 16 for pattern in patterns})) == max(map(len, patterns)) / 16


def test_a_folder_s_general_table_does_not_override_a_file_s_specific_one(tmp_path: Path) -> None:
    (tmp_path / "pets.toml").write_text('[clips."Walk"]\nspeed = 2.0\n[character.dog]\ninputs = ["dog.glb"]\n'
                                        '[character.dog.clips."*"]\nspeed = 3.0\n', encoding="utf-8")
    settings = read_project(tmp_path / "pets.toml", "dog").settings
    assert [settings.options_for(clip).speed for clip in ("Walk", "Run")] == [2.0, 3.0]


def problem(text: str, path: Path, character: str = "") -> str:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingProblem) as raised:
        read_project(path, character)
    return str(raised.value)


@pytest.mark.parametrize("key", keys_of(IMPORT))
def test_a_key_of_import_may_stand_at_the_top_or_is_sent_to_its_table(tmp_path: Path, key: str) -> None:
    """With any keys."""
    line = f"{key} = {keys_of(IMPORT)[key].sample_value()}\n"
    at_top = tomllib.loads(line)
    try:
        (tmp_path / "hero.toml").write_text(line, encoding="utf-8")
        assert read_project(tmp_path / "hero.toml").settings.importing == read_settings({IMPORT: at_top}).importing
    except SettingProblem as error:
        assert mentions(str(error), f"{key} [import]")


@pytest.mark.parametrize(("text", "place"), [
    ("loop = true\n", '[clips."NAME"]'), ("height = 240\n", "[screen]"),
    ('[import]\ntarget = "gba"\n', "target"),
    ('[screen]\ntolerance = "1mm"\n', '[clips."NAME"] [joints."NAME"]'),
    ('[clips."A"]\nfps = 30\n', "[import]")])
def test_a_key_in_the_wrong_table_is_sent_to_its_own(tmp_path: Path, text: str, place: str) -> None:
    assert mentions(problem(text, tmp_path / "hero.toml"), place)


def test_the_table_of_a_character(tmp_path: Path) -> None:
    text = '[character.dog]\ninputs = ["dog.glb"]\nfps = 30\n'
    assert mentions(problem(text, tmp_path / "hero.toml", "dog"), "[character.dog.import]")


def test_clips_that_could_loop_are_named(built_encoder: None, tmp_path: Path) -> None:
    """Loops, clips that travel and motionless clips are not suggested."""
    for name, travel, speed in (("wave", 0.0, 3.0), ("walk", 5.0, 3.0), ("stand", 0.0, 0.0), ("cycle", 0.0, 2.0)):
        write_bvh(tmp_path / f"{name}.bvh", frames=9, travel_cm=travel, speed=speed)
    (tmp_path / "dog.toml").write_text('inputs = ["*.bvh"]\neffort = "fast"\n[clips.cycle]\nloop = true\n',
                                       encoding="utf-8")
    assert mentions(run_inside("build", tmp_path / "dog.toml").out, "loop wave")
    ran = run_inside("encode", *sorted(tmp_path.glob("*.bvh")), "-o", tmp_path / "a.ossb", "--loop", "cycle",
                     "--effort", "fast")
    assert mentions(ran.out, "--loop wave")
