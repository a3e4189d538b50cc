"""The demo character on boards, with its base in flash and its tiers on a serial flash of 25 MHz: every clip starts
immediately, and soon is as fine as with all tiers in memory."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tools.demo import HERO
from ossicle.encoding.encoder import encode
from ossicle.encoding.settings import Settings
from ossicle.encoding.tiers.sizes import parse_tiers
from ossicle.model.lengths import Tolerance
from stream_program import CLOCKS, MEMORY_BYTES, PASSES, Streamed, rows, stream

MOST_FULL_US = 100_000
CLIPS = 7
MOST_OF_A_ROW = 1.08  # instructions with tiers, per instruction without

SETTINGS = Settings(tolerance=Tolerance(1e-3), codec="curve", effort="fast")


def encoded(settings: Settings, path: Path) -> Path:
    path.write_bytes(encode([HERO], settings, 1).bank)
    return path


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tiers = parse_tiers(["8mm", "3mm"], "tiers")
    return encoded(replace(SETTINGS, tiers=tiers), tmp_path_factory.mktemp("bank") / "hero.ossb")


@pytest.fixture(scope="module")
def host(bank: Path, tmp_path_factory: pytest.TempPathFactory) -> Streamed:
    return stream(bank, "host", tmp_path_factory.mktemp("host"))


def test_poses_on_this_computer_are_those_of_attached_tiers(host: Streamed) -> None:
    assert host.numbers["differ"] == host.numbers["failures"] == host.numbers["violations"] == 0
    assert host.numbers["read_bytes"] > 0


@pytest.mark.parametrize("target", ["gba", "pico"])
def test_clips_start_in_a_frame_and_are_fine_in_100_ms(target: str, bank: Path, host: Streamed, tmp_path: Path) -> None:
    played = stream(bank, target, tmp_path)
    _, frame_cycles = CLOCKS[target]
    assert len(played.starts) == PASSES * CLIPS
    assert max(played.column("first")) <= frame_cycles
    assert max(played.column("full_us")) <= MOST_FULL_US
    assert sum(played.column("late")) == 0
    assert played.numbers["ram"] <= MEMORY_BYTES
    assert played.numbers["differ"] == played.numbers["failures"] == played.numbers["violations"] == 0
    assert played.pose_hash == host.pose_hash


def test_rows_of_tiers_cost_as_much_as_others(bank: Path, tmp_path: Path) -> None:
    """Exact counts on a Cortex-M4, of the same clips, which give the same poses."""
    without = rows(encoded(SETTINGS, tmp_path / "plain.ossb"), "mps2_an386", tmp_path / "plain")["base"]
    found = rows(bank, "mps2_an386", tmp_path / "tiers")
    for mode in ("attached", "streamed"):
        assert (found[mode].rows, found[mode].poses) == (without.rows, without.poses)
        assert without.seek <= found[mode].seek <= MOST_OF_A_ROW * without.seek
    assert found["streamed"].streaming > found["attached"].streaming == 0
