"""The program that shows a character, on every machine with a display: its pictures and costs."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from gltf_builder import simple, turn
from tools import rom
from tools.rom import CLOCK_HZ, Rom
from ossicle.machines import TargetError
from ossicle.machines.tools import which
from PIL import Image, ImageChops
from target_support import ROOT

sys.path.insert(0, str(ROOT / "tests/readme/pictures"))
from update_picture import PICTURE, demo_rom  # noqa: E402
from mentions import mentions

LEAST_PICTURES_A_SECOND = 20.0
MOST_PICTURE_BYTES = 24 * 1024
CLIPS = ["Idle", "Walk", "Run", "Jump", "Wave", "Spin", "Signal"]
ROM_HEADER = 0xC0


@pytest.fixture(scope="module")
def hero(tmp_path_factory: pytest.TempPathFactory, built_encoder: None) -> Rom:
    if which("gba_run") is None:
        pytest.skip("needs libmgba-dev")
    return demo_rom(tmp_path_factory.mktemp("rom"))


@pytest.mark.exhaustive
def test_the_picture_of_readme_is_current(hero: Rom) -> None:
    """tests/readme/pictures/update_picture.py writes it."""
    assert PICTURE.stat().st_size <= MOST_PICTURE_BYTES
    with Image.open(hero.sheet) as today, Image.open(PICTURE) as committed:
        assert ImageChops.difference(today.convert("RGB"), committed.convert("RGB")).getbbox() is None


def test_warnings_of_the_encoder_are_shown(tmp_path: Path, built_encoder: None, monkeypatch: pytest.MonkeyPatch,
                                           capsys: pytest.CaptureFixture[str]) -> None:
    """The warning about a moving prop that is no joint appears before anything is built."""
    def stop(*_: object, **__: object) -> None:
        raise TargetError("nothing is built")

    g = simple()
    g.document["nodes"][1]["children"] = [g.node("Sword")]
    g.channel(0, 2, "rotation", g.accessor([0, 1]), g.accessor([turn("x", 0), turn("x", 90)]), "LINEAR")
    monkeypatch.setattr(rom, "generate", stop)
    assert rom.main([str(g.write_glb(tmp_path)), "--output", str(tmp_path / "rom")]) == 1
    assert mentions(capsys.readouterr().err, "--socket")


def test_every_picture_shows_the_character(hero: Rom) -> None:
    """Skin, suit and the name of the clip on the background; and no two pictures of a walk are the same, but
    those where the loop ends."""
    folder = hero.program.parent / "gba/pictures"
    seen = set()
    for clip, tour in enumerate(hero.tour.clips):
        for number in range(tour.pictures):
            with Image.open(folder / f"{clip:02}-{number:03}.png") as picture:
                pixels = picture.convert("RGB")
                background = pixels.getpixel((0, 159))
                drawn = ImageChops.difference(pixels, Image.new("RGB", pixels.size, background)).getbbox()
                assert drawn is not None and drawn[3] - drawn[1] > 100, (clip, number)
                assert 3 < len(pixels.getcolors(256)) <= 2 * 16 + 2
                if clip == CLIPS.index("Walk"):
                    seen.add(pixels.tobytes())
    assert len(seen) >= hero.tour.clips[CLIPS.index("Walk")].pictures - 2


def test_it_is_quick_enough_to_look_at(hero: Rom) -> None:
    assert hero.tour.unit == "cycles" and hero.clips == CLIPS
    slowest = max(clip.worst for clip in hero.tour.clips)
    assert CLOCK_HZ["gba"] / slowest >= LEAST_PICTURES_A_SECOND
    assert all(set(clip.parts) == {"row", "pose", "skin", "place", "draw"} for clip in hero.tour.clips)


def test_the_film_has_every_second_picture(hero: Rom) -> None:
    """Equal ones after each other are one, which is shown longer."""
    most = sum((clip.pictures + 1) // 2 for clip in hero.tour.clips)
    with Image.open(hero.film) as film:
        assert most - len(CLIPS) <= film.n_frames <= most
        assert film.size == (240, 160)


def test_the_program_is_a_cartridge_that_plays_on(hero: Rom, tmp_path: Path) -> None:
    """Without a tour it does not end: it is stopped after 90 frames, and has drawn."""

    header = hero.program.read_bytes()[:ROM_HEADER]
    assert header[0xB2] == 0x96 and (0x19 + sum(header[0xA0:0xBE])) & 0xFF == 0
    ran = subprocess.run([which("gba_run"), hero.program, tmp_path, "90"], check=False, timeout=60)
    assert ran.returncode == 0
    with Image.open(tmp_path / "last.png") as picture:
        colours = picture.convert("RGB").getcolors(256)
    assert colours is not None and len(colours) > 8
