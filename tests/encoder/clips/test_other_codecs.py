"""A clip that is encoded with other codecs, like an earlier encoding of it, is the same as without that encoding."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ossicle.encoding import native
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.settings import Settings
from ossicle.importers.importer import read_clips
from ossicle.machines import known_costs

HERO = Path(__file__).resolve().parents[3] / "codegen/demo/hero.glb"


@pytest.mark.parametrize("pins", [(), ("*",)])
@pytest.mark.parametrize("effort", ["fast", "default"])
def test_the_clip_is_the_same(effort: str, pins: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    encode, tried = native.encode_clip, set()

    def encoded(skeleton: native.Skeleton, clip: native.ClipInput, settings: native.EncodeSettings) -> tuple:
        status, result, report = encode(skeleton, clip, settings)
        if settings.like is not None:
            tried.add(settings.codecs)
            alone_status, alone, _ = encode(skeleton, clip, replace(settings, like=None))
            assert status == alone_status
            assert result is None or result.saved() == alone.saved()
        return status, result, report
    monkeypatch.setattr(native, "encode_clip", encoded)
    encode_clips(read_clips([HERO]), Settings(effort=effort, pins=pins, costs=known_costs(None)))
    assert len(tried) > 1 and all(len(codecs) == 1 for codecs in tried)
