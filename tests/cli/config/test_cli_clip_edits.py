"""Cuts, speeds and loops in configuration files."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from running import HERO, run_inside, write_bvh
from mentions import mentions


def built(folder: Path, text: str) -> dict[str, dict]:
    config = folder / "hero.toml"
    config.write_text(text, encoding="utf-8")
    ran = run_inside("build", config, "--json", folder / "report.json")
    assert ran.status == 0 and ran.err == "", ran
    (folder / "printed.txt").write_text(ran.out, encoding="utf-8")
    return {clip["name"]: clip for clip in json.loads((folder / "report.json").read_text("utf-8"))["clips"]}


def test_times_and_speed(tmp_path: Path) -> None:
    text = (f'inputs = ["{HERO}"]\neffort = "fast"\n[import]\nclips = ["Walk", "Wave"]\n'
            '[clips.Walk]\nfrom = 0.2\nto = 0.7\nspeed = 2\nreverse = true\n[clips.Wave]\nto = 1.0\n')
    clips = built(tmp_path, text)
    assert (clips["Walk"]["frames"], clips["Walk"]["rate"]) == (16, 60.0)
    assert (clips["Wave"]["frames"], clips["Wave"]["rate"]) == (31, 30.0)
    assert clips["Wave"]["closed_gap_mm"] is None


def test_a_closed_loop_is_reported(tmp_path: Path) -> None:
    write_bvh(tmp_path / "drift.bvh", frames=31, travel_cm=0.05)
    clips = built(tmp_path, 'inputs = ["drift.bvh"]\n[clips.drift]\nloop = "close"\n')
    assert clips["drift"]["loop"] and clips["drift"]["closed_gap_mm"] == pytest.approx(15.0, abs=0.01)
    assert clips["drift"]["closed_moved_mm"] == pytest.approx(7.5, abs=0.01)
    printed = (tmp_path / "printed.txt").read_text(encoding="utf-8")
    assert mentions(printed, "hips 15.000mm 7.500mm")
    plain = run_inside("encode", tmp_path / "drift.bvh", "-o", tmp_path / "a.ossb", "--close-loop", "drift", "--quiet")
    assert plain.status == 0 and (tmp_path / "a.ossb").read_bytes() == (tmp_path / "hero.ossb").read_bytes()


@pytest.mark.parametrize(("text", "message"), [
    ('loop = "closed"', "[clips.'drift'] loop closed"),
    ("from = -1", "[clips.'drift'] from -1 0"),
    ('to = "1s"', "[clips.'drift'] to 1s"),
    ("speed = 0", "[clips.'drift'] speed 0 reverse"),
    ("to = 9.0", "drift.bvh 9s 1s"),
    ('loop = "close"', "drift.bvh hips 3000.000mm 18mm loop [clips] root_motion loop_limit"),
    ("loop = true", "hips 3000mm 0mm root_motion"),
])
def test_mistakes(tmp_path: Path, text: str, message: str) -> None:
    write_bvh(tmp_path / "drift.bvh", frames=31, travel_cm=10.0)
    (tmp_path / "hero.toml").write_text(f'inputs = ["drift.bvh"]\n[clips.drift]\n{text}\n', encoding="utf-8")
    ran = run_inside("build", tmp_path / "hero.toml")
    assert ran.status == 1 and mentions(ran.line, message), ran
