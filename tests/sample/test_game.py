"""The sample as a game on a display: what its film shows, how quickly it is drawn, and README's first picture."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest
from figures import figure
from ossicle.machines import TargetError, load_target
from ossicle.machines.tools import which
from PIL import Image, ImageChops
from tools.game import Game, main, make_game

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/readme/pictures"))
from update_film import FILM  # noqa: E402
from mentions import mentions  # noqa: E402

LEAST_PICTURES_A_SECOND = 25.0
MOST_FILM_BYTES = 100_000
STATES = ["idle", "gesture.none", "gesture.wave", "move", "gesture.none", "leap", "move", "gesture.wave", "idle"]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory, built_encoder: None) -> Game:
    if which("gba_run") is None:
        pytest.skip("needs libmgba-dev")
    return make_game("gba", tmp_path_factory.mktemp("game"))


def test_it_is_quick_enough_to_play(game: Game) -> None:
    assert game.pictures_hz >= LEAST_PICTURES_A_SECOND
    assert figure("gba.game_pictures_hz") == int(game.pictures_hz)


def test_the_script_leads_through_all_states(game: Game) -> None:
    assert game.states == STATES


def test_pictures_show_the_character_in_the_middle(game: Game) -> None:
    folder = game.film.parent / "gba/pictures"
    seen = set()
    for number in range(game.measured["pictures"]):
        with Image.open(folder / f"00-{number:03}.png") as picture:
            pixels = picture.convert("RGB").crop((80, 0, 160, 160))
        assert len(pixels.getcolors(256)) > 8
        seen.add(pixels.tobytes())
    assert len(seen) > game.measured["pictures"] // 2


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", ["nds", "pico"])
def test_every_machine_plays_the_same_film(target: str, game: Game, tmp_path: Path) -> None:
    if not load_target(target).runs_here:
        pytest.skip(f"needs the emulator of {target}")
    other = make_game(target, tmp_path)
    assert (other.hash, other.states) == (game.hash, game.states)
    assert other.pictures_hz >= LEAST_PICTURES_A_SECOND


@pytest.mark.exhaustive
def test_the_film_of_readme_is_current(game: Game) -> None:
    """tests/readme/pictures/update_film.py writes it."""
    assert FILM.stat().st_size <= MOST_FILM_BYTES
    with Image.open(game.film) as today, Image.open(FILM) as committed:
        assert today.n_frames == committed.n_frames
        for number in range(today.n_frames):
            today.seek(number)
            committed.seek(number)
            assert ImageChops.difference(today.convert("RGB"), committed.convert("RGB")).getbbox() is None


def test_a_machine_without_a_display(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(TargetError):
        make_game("microbit", tmp_path)
    assert main(["--target", "microbit", "--output", str(tmp_path)]) == 1
    assert mentions(capsys.readouterr().err, "microbit gba nds pico")
