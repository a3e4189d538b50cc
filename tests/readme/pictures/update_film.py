"""Writes the film of README: the sample as a game on a Game Boy Advance."""
from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "codegen"))

from tools.game import make_game  # noqa: E402

FILM = ROOT / "codegen/demo/game.gif"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        FILM.write_bytes(make_game("gba", Path(folder)).film.read_bytes())
    print(f"wrote {FILM.relative_to(ROOT)}")
