from __future__ import annotations

from pathlib import Path

import draw_codecs
import pytest


@pytest.mark.exhaustive
def test_the_picture_is_current(built_encoder: None, tmp_path: Path) -> None:
    draw_codecs.draw(tmp_path / "codecs.svg")
    assert (tmp_path / "codecs.svg").read_bytes() == draw_codecs.PICTURE.read_bytes(), "run draw_codecs.py"
