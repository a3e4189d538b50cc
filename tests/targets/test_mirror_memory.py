"""Vector backends give the same poses with and without the memory that OSC_MIRROR gives a player."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from ossicle import demo, emit, encode, targets
from ossicle.settings import Settings
from target_support import SUPPORTED

MIRROR = "-DOSC_MIRROR"
VECTORS = [name for name in SUPPORTED if MIRROR in targets.load_target(name).flags]


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """C of the demo character, all of whose clips are of the codec that uses such memory."""
    folder = tmp_path_factory.mktemp("generated")
    bank = encode.encode([demo.HERO], Settings(effort="fast", codec="transform"), 1).bank
    (folder / "character.ossb").write_bytes(bank)
    emit.generate(folder / "character.ossb", folder, embed=True)
    return folder


@pytest.fixture(scope="module")
def expected(generated: Path) -> list[int]:
    return targets.run(targets.build("host", generated, generated / "host"), count=False).hashes


@pytest.mark.parametrize("target", VECTORS)
def test_poses_do_not_depend_on_it(target: str, generated: Path, expected: list[int],
                                   tmp_path: Path) -> None:
    machine = targets.load_target(target)
    without = replace(machine, flags=tuple(flag for flag in machine.flags if flag != MIRROR))
    for tested in (machine, without):
        firmware = targets.build(target, generated, tmp_path / str(len(tested.flags)), tested=tested)
        assert targets.run(firmware, count=False).hashes == expected
