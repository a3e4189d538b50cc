"""The picture in ARTISTS.md shows what retargeting does now."""
from __future__ import annotations

import numpy as np
from PIL import Image
from update_retarget_picture import PICTURE, picture

MEAN_DIFFERENCE = 2.0  # of 255: versions of Pillow draw edges differently


def test_the_picture_is_current() -> None:
    stored, drawn = Image.open(PICTURE).convert("RGB"), picture().convert("RGB")
    assert stored.size == drawn.size
    difference = np.abs(np.asarray(stored, np.int32) - np.asarray(drawn, np.int32))
    assert difference.mean() < MEAN_DIFFERENCE, "run tests/readme/pictures/update_retarget_picture.py"
