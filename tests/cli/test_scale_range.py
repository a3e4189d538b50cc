"""Scales whose product exceeds the range of a model matrix are an error; smaller ones are not."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder
from running import run_inside
from mentions import mentions


def grown(folder: Path, *scales: float) -> Path:
    """A chain whose joints grow to these scales; scales below one hold from the start."""
    g, times = GltfBuilder(), np.linspace(0, 1, 31)
    count = len(scales) + 1
    for joint in range(count):
        g.node(f"J{joint}", translation=[0, 0.3, 0], children=[joint + 1] if joint + 1 < count else [])
    g.skin(list(range(count)))
    keys = [[[scale if 0 < scale < 1 else 1 + (scale - 1) * t] * 3 for t in times] for scale in scales]
    g.animation("Grow", *((joint, "scale", times, values, "LINEAR") for joint, values in enumerate(keys)))
    return g.write_glb(folder)


@pytest.mark.parametrize(("scales", "joint"),
                         [((100.0, 100.0), "J1"), ((3.0, 1000.0), "J1"), ((20.0, 20.0, -20.0), "J2"),
                          ((1.0, 2040.0, 1.1), "J2"), ((60.0, 60.0, 0.01), "J1")])
def test_products_beyond_the_range_are_refused(tmp_path: Path, scales: tuple[float, ...], joint: str) -> None:
    message = run_inside("encode", grown(tmp_path, *scales), "-o", tmp_path / "a.ossb", "--tolerance", "1m")
    assert message.status != 0
    assert mentions(message.line, f"Grow {joint} 30") and "2047" in message.line


@pytest.mark.parametrize("scales", [(40.0, 50.0), (2000.0, 1.0), (0.01, 3.0, 1500.0), (100.0, 0.01, 100.0)])
def test_products_in_range_are_not(tmp_path: Path, scales: tuple[float, ...]) -> None:
    assert run_inside("encode", grown(tmp_path, *scales), "-o", tmp_path / "a.ossb", "--tolerance", "1m",
                      "--effort", "fast").status == 0
