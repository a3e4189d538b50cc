"""Presets: published schemes under their names, as settings of a codec (PRESETS.md)."""
from __future__ import annotations

from dataclasses import dataclass

from .native import NO_RESTARTS_LOG2
from .scheme import Scheme


@dataclass(frozen=True)
class Preset:
    """A published scheme.

    source: where it was published. codec: of velocity, whose keys are one of native.KEYS; a preset
    of the codecs sparse and dense has schemes instead, of which every clip gets the one that makes
    it smallest. restart_log2: restart points where the user asks for none, as in the publication;
    None: as in every bank.
    """

    name: str
    about: str
    source: str
    codec: str = ""
    keys: str = "smallest"
    schemes: tuple[Scheme, ...] = ()
    restart_log2: int | None = None

    @property
    def codecs(self) -> tuple[str, ...]:
        """The codecs that it writes."""
        return tuple(dict.fromkeys(scheme.codec for scheme in self.schemes)) or (self.codec,)

    @property
    def fixed(self) -> bool:
        """Whether it fits nothing to a tolerance."""
        return bool(self.schemes) and all(scheme.fixed for scheme in self.schemes)


def scheme_preset(name: str, about: str, source: str, *schemes: Scheme,
                  restart_log2: int = NO_RESTARTS_LOG2) -> Preset:
    """A preset of the codecs sparse and dense; published formats know no restart points, unless
    they say so."""
    return Preset(name, about, source, schemes=schemes, restart_log2=restart_log2)


NO_PRESET = "none"
PRESETS = {preset.name: preset for preset in (
    Preset("goodhue-2017",
           "velocity keys: differences in one zero-centred range, 8-bit speed keys, 32-bit "
           "velocities, seed frames",
           "Goodhue, Velocity-based Compression of 3D Animated Rotations, SIGGRAPH 2017",
           codec="velocity", keys="published"),
    scheme_preset("acl-2017",
                  "segments of 16 frames, ranges of the clip and of the segment, in each segment "
                  "the lowest rates that hold; root last",
                  "Frechette, Simple and Powerful Animation Compression, GDC 2017",
                  Scheme("dense", "variable", "variable", margin="leaf_first"), restart_log2=4),
)}
