"""Presets: published schemes under their names, as settings of a codec (PRESETS.md)."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """A published scheme. keys: one of native.KEYS, how the velocity codec writes its keys."""

    name: str
    codec: str
    keys: str
    about: str


NO_PRESET = "none"
PRESETS = {preset.name: preset for preset in (
    Preset("goodhue-2017", "velocity", "published",
           "velocity keys: differences in one zero-centred range, 8-bit speed keys, 32-bit "
           "velocities, seed frames"),
)}
