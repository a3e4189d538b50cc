"""The units of joints in a bank, as a reader finds them that was written from SPEC.md."""
from __future__ import annotations

from pathlib import Path

import pytest
from gltf_builder import GltfBuilder, turn
from reference import Decoder
from rescaled import rescale

from ossicle.bank.file import parse_bank
from ossicle.encoding.encoder import encode
from ossicle.encoding.settings import Settings

UNITS = {"hips": 0.01, "left hand": 0.0254, "tip": 100.0}


@pytest.mark.parametrize("units", [{}, {"hips": 0.01}, {"tip": 39.37}, UNITS])
def test_units_stand_behind_the_names(units: dict[str, float], tmp_path: Path) -> None:
    g = GltfBuilder()
    g.node("hips", children=[1, 2])
    g.node("left hand", translation=[0.5, 1.0, 0.0], children=[3])
    g.node("right hand", translation=[-0.5, 1.0, 0.0])
    g.node("tip", translation=[0.1, 0.0, 0.0])
    g.animation("Walk", *((node, "rotation", [0, 1], [turn("x", 0), turn("x", 50)], "LINEAR") for node in range(4)))
    source = rescale(g.write_embedded(tmp_path), tmp_path / "scaled.gltf", units)
    bank = encode([source], Settings()).bank
    decoder = Decoder(bank)
    assert decoder.names() == (["hips", "left hand", "tip", "right hand"], ["Walk"])
    own = [units.get(name, 1.0) for name in decoder.names()[0]]
    assert decoder.units() == pytest.approx(own, rel=1e-7)
    read = parse_bank(bank).units
    whole = [own[0], own[0] * own[1], own[0] * own[1] * own[2], own[0] * own[3]]
    assert read is None if not units else read == pytest.approx(whole, rel=1e-7)
