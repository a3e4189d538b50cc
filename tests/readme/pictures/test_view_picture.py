"""The second picture of README shows the current page."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from chromium import browser
from PIL import Image
from update_view_picture import PICTURE, SIZE, shot

MOST_BYTES = 100_000
# Of 255. Letters and edges may be drawn a little differently by another version of the browser.
MOST_MEAN_DIFFERENCE = 3.0


@pytest.mark.exhaustive
def test_the_picture_is_up_to_date(tmp_path: Path, built_encoder: None) -> None:
    assert PICTURE.stat().st_size <= MOST_BYTES
    with Image.open(PICTURE) as committed, browser() as running:
        assert committed.size == SIZE
        now = np.asarray(shot(running, tmp_path)).astype(int)
        difference = np.abs(now - np.asarray(committed.convert("RGB")).astype(int))
    assert difference.mean() <= MOST_MEAN_DIFFERENCE
