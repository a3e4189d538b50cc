"""The demo character on every target: the poses have the same bits everywhere."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from tools import demo
from ossicle.generate.code import Code
from ossicle.generate import emit
from ossicle.encoding import encoder as encode
from ossicle import machines
from ossicle.config.project import read_project
from ossicle.machines import RunResult
from target_support import one_of_a_platform
from mentions import mentions

OTHERS = [name for name in machines.list_supported_targets() if name != "host"]


@dataclass(frozen=True)
class Character:
    """The generated demo character, and its results on the host."""

    folder: Path
    host: RunResult


@pytest.fixture(scope="module")
def hero(tmp_path_factory: pytest.TempPathFactory) -> Character:
    folder = tmp_path_factory.mktemp("hero")
    settings = read_project(demo.HERO_PROJECT).settings
    (folder / "hero.ossb").write_bytes(encode.encode([demo.HERO], settings, 1).bank)
    emit.generate(folder / "hero.ossb", folder, Code("character", embed=True))
    return Character(folder, machines.run(machines.build("host", folder, folder / "host"), count=False))


@pytest.mark.parametrize("target", one_of_a_platform(OTHERS))
def test_the_bits_are_those_of_the_host(hero: Character, target: str, tmp_path: Path) -> None:
    result = machines.run(machines.build(target, hero.folder, tmp_path), count=False)
    assert hero.host.poses > 800 and len(hero.host.hashes) == 7
    assert (result.hashes, result.total_hash, result.poses) == (hero.host.hashes, hero.host.total_hash, hero.host.poses)
    machine = machines.load_target(target)
    if machine.memory is not None:
        assert (result.instructions or result.cycles)["evaluate"] > 100 and result.stack_bytes is not None


@pytest.mark.exhaustive
def test_a_board_without_a_display_gets_the_player(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main(["--output", str(tmp_path), "--target", "stm32f4"]) == 0
    assert mentions(capsys.readouterr().out, "hash")
    assert {path.suffix for path in (tmp_path / "stm32f4").glob("hero.*")} == {".bin", ".hex", ".elf"}
    assert demo.main(["--output", str(tmp_path / "none"), "--target", "stmf4"]) == 1
    assert mentions(capsys.readouterr().err, "stm32f4") and not (tmp_path / "none").exists()
