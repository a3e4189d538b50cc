"""Every preset's clips are the same poses on the boards as here."""
from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from ossicle import machines
from tools.demo import HERO, HERO_PROJECT
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.encoding.encoder import encode_clips
from ossicle.importers.importer import read_clips
from ossicle.model.lengths import Tolerance
from ossicle.encoding.presets import PRESETS
from ossicle.config.project import read_project
from ossicle.encoding.settings import ClipRule, Settings

pytestmark = pytest.mark.exhaustive
CLIP = "Walk"
BOARD = "mps2_an386"  # Cortex-M4


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank in which each preset has written the same clip, under its own name, and its C."""
    folder = tmp_path_factory.mktemp("presets")
    imported = read_clips([HERO], read_project(HERO_PROJECT).settings.importing)
    [walk] = [clip for clip in imported.clips if clip.name == CLIP]
    rules = tuple(ClipRule(name, preset=name, **({"tolerance": Tolerance(metres=math.inf)} if preset.fixed else {}))
                  for name, preset in PRESETS.items())
    result = encode_clips(replace(imported, clips=[replace(walk, name=name) for name in PRESETS]),
                          Settings(clips=rules, effort="fast"))
    assert [set(PRESETS[clip.name].codecs) >= {clip.codec} for clip in result.clips] == [True] * len(PRESETS)
    (folder / "presets.ossb").write_bytes(result.bank)
    generate(folder / "presets.ossb", folder / "c", Code("character", embed=True))
    return folder / "c"


def test_presets_play_alike_on_a_board(generated: Path, tmp_path: Path) -> None:
    hashes = {}
    for target in ("host", BOARD):
        folder = tmp_path / target
        played = machines.run(machines.build(target, generated, folder), count=False)
        hashes[target] = dict(zip(PRESETS, played.hashes, strict=True))
    assert hashes[BOARD] == hashes["host"]
    fitted = [name for name in PRESETS if not PRESETS[name].fixed]
    assert len({hashes["host"][name] for name in fitted}) == len(fitted)


def test_programs_play_each_clip_and_not_another(tmp_path: Path) -> None:
    """If two banks differ only in their second clip, only its hash differs."""
    imported = read_clips([HERO], read_project(HERO_PROJECT).settings.importing)
    [walk] = [clip for clip in imported.clips if clip.name == CLIP]
    back = replace(walk, frames=walk.frames[::-1], curve=None)
    hashes = []
    for second in (walk, back):
        folder = tmp_path / str(len(hashes))
        folder.mkdir()
        clips = [walk, replace(second, name="Second")]
        bank = encode_clips(replace(imported, clips=clips), Settings(effort="fast")).bank
        (folder / "two.ossb").write_bytes(bank)
        generate(folder / "two.ossb", folder / "c", Code("character", embed=True))
        hashes.append(machines.run(machines.build("host", folder / "c", folder), count=False).hashes)
    assert hashes[0][0] == hashes[1][0] and hashes[0][1] != hashes[1][1]
