"""Events and trajectories of an embedded bank are generated as the runtime's functions open them."""
from __future__ import annotations

from pathlib import Path

import pytest
from compiling import INCLUDES, ROOT, STRICT, run

from ossicle.cli.main import main

RUNTIME = ROOT / "build/host/libossicle.a"
MAIN = """
#include "hero.h"

int main(void)
{
    osc_events e;
    osc_trajectories t;
    if (osc_events_open(&e, &hero_embedded) != OSC_OK || osc_trajectories_open(&t, &hero_embedded) != OSC_OK)
        return 1;
    if (e.bank != hero_events.bank || e.names != hero_events.names || e.kinds != hero_events.kinds ||
        e.clips != hero_events.clips || e.marks != hero_events.marks)
        return 2;
    if (e.name_count != hero_events.name_count || e.kind_count != hero_events.kind_count ||
        e.clip_count != hero_events.clip_count || e.mark_count != hero_events.mark_count)
        return 3;
    if (t.bank != hero_trajectories.bank || t.words != hero_trajectories.words || t.count != hero_trajectories.count)
        return 4;
    return 0;
}
"""
SETTINGS = """
inputs = ["hero.glb"]
generate = "."
root_motion = "xz yaw"
tolerance = "4mm"
tiers = ["20mm"]
embed = EMBED
[import]
clips = ["Walk", "Idle"]
[clips."Walk"]
events = [{ time = "0.1s", name = "step", value = 7 }]
[clips."Idle"]
events = [{ time = "0.1s", length = "0.2s", name = "hit" }]
"""


@pytest.mark.parametrize("embed", ["true", '"base"'])
def test_the_generated_bank_is_the_opened_bank(embed: str, tmp_path: Path, built_encoder: None) -> None:
    (tmp_path / "hero.glb").write_bytes((ROOT / "codegen/demo/hero.glb").read_bytes())
    (tmp_path / "hero.toml").write_text(SETTINGS.replace("EMBED", embed), encoding="utf-8")
    assert main(["build", str(tmp_path / "hero.toml"), "--quiet"]) == 0
    (tmp_path / "main.c").write_text(MAIN, encoding="utf-8")
    run(["gcc", *STRICT, *INCLUDES, f"-I{tmp_path}", tmp_path / "main.c", *sorted(tmp_path.glob("hero_*.c")), RUNTIME,
         "-o", tmp_path / "main"])
    run([tmp_path / "main"])
