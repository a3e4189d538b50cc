"""Presets: published schemes by name, as settings of a codec (PRESETS.md)."""
from __future__ import annotations

from dataclasses import dataclass

from .scheme import NO_RESTARTS_LOG2, Scheme


@dataclass(frozen=True)
class Preset:
    """A published scheme.

    source: its publication. codec: only for velocity, whose keys are one of native.KEYS; a preset of the codecs sparse
    and dense has schemes instead, and every clip uses the scheme with which it is smallest. restart_log2: the default
    restart points, as in the publication; None: the same as without a preset.
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
        """The codecs that the preset writes."""
        return tuple(dict.fromkeys(scheme.codec for scheme in self.schemes)) or (self.codec,)

    @property
    def fixed(self) -> bool:
        """Returns whether the preset ignores tolerances."""
        return bool(self.schemes) and all(scheme.fixed for scheme in self.schemes)


def scheme_preset(name: str, about: str, source: str, *schemes: Scheme,
                  restart_log2: int = NO_RESTARTS_LOG2) -> Preset:
    """Returns a preset of the codecs sparse and dense. Published formats have no restart points unless restart_log2
    states them."""
    return Preset(name, about, source, schemes=schemes, restart_log2=restart_log2)


def every(rotations: str, vectors: str, period: int = 1) -> Scheme:
    """Returns a scheme with keys in one format on every frame, or every second or third; nothing is fitted."""
    return Scheme("dense", rotations, vectors, period=period, fixed=True)


ACL = "Frechette, Simple and Powerful Animation Compression, GDC 2017"
ACL_TIERS = "Frechette, Animation Compression Library 2.0 and 2.1: databases, 2021"
UNREAL4 = "Unreal Engine 4.15, as Frechette reviews it (2017)"
UNREAL4_BITWISE = tuple(every(*formats) for formats in (
    ("float128", "float96"), ("float96", "float96"), ("fixed48", "float96"),
    ("ranged32", "ranged32"), ("fixed32", "float96"), ("small_float", "float96")))
INTRO = "Animation Tech Intro, part 2: Compression, animcoding.com, 2021"
RIOT = "Compressing Skeletal Animation Data, Riot Games Technology, 2015"
UNITY5 = "Unity 5, as Frechette reviews it (2017)"
UNREAL4_LINEAR = tuple(Scheme("sparse", rotations, "float96", "linear", "remove")
                       for rotations in ("fixed48", "float96"))
UNREAL4_PER_TRACK = Scheme("sparse", "best", "best", "linear", "remove", mix=True)


def riot(basis: str) -> Scheme:
    """Returns a scheme with curve-fitted keys of 80 bits."""
    return Scheme("sparse", "smallest48", "ranged48", basis, "insert", "depth", time_bits=16,
                  tag_bits=16)


def unity_curves(mix: bool) -> Scheme:
    """Returns a scheme with streaming curves. mix: a track may have a key on every frame instead."""
    return Scheme("sparse", "float128", "float96", "hermite", "remove", time_bits=32,
                  component_tag_bits=32, mix=mix)


NO_PRESET = "none"
PRESETS = {preset.name: preset for preset in (
    Preset("goodhue-2017",
           "velocity keys: differences in one zero-centred range, 8-bit speed keys, 32-bit "
           "velocities, seed frames",
           "Goodhue, Velocity-based Compression of 3D Animated Rotations, SIGGRAPH 2017",
           codec="velocity", keys="published"),
    scheme_preset("acl-2017",
                  "segments of 16 frames, ranges of the clip and of the segment, in each segment "
                  "the lowest rates that hold, leaves first",
                  ACL, Scheme("dense", "variable", "variable", margin="leaf_first"),
                  restart_log2=4),
    scheme_preset("acl-2017-root-first", "acl-2017 with rates raised from the roots down", ACL,
                  Scheme("dense", "variable", "variable", margin="root_first"), restart_log2=4),
    scheme_preset("acl-2017-type-rate",
                  "acl-2017 with one rate for rotations, one for translations, one for scales", ACL,
                  Scheme("dense", "variable", "variable", margin="kind"), restart_log2=4),
    scheme_preset("acl-2017-clip-rate", "acl-2017 with one rate for all of the clip", ACL,
                  Scheme("dense", "variable", "variable", margin="clip"), restart_log2=4),
    scheme_preset("acl-2.1-tiers",
                  "acl-2017, and the keys that matter least in two streaming tiers", ACL_TIERS,
                  Scheme("dense", "variable", "variable", margin="leaf_first", tiers=2),
                  restart_log2=4),
    scheme_preset("unreal4-none", "a key on every frame, in full", UNREAL4,
                  every("float128", "float96")),
    scheme_preset("unreal4-float96", "rotations of three singles", UNREAL4,
                  every("float96", "float96")),
    scheme_preset("unreal4-fixed48", "rotations of 16-16-16 bits", UNREAL4,
                  every("fixed48", "float96")),
    scheme_preset("unreal4-interval32", "all of 11-11-10 bits in the track's range", UNREAL4,
                  every("ranged32", "ranged32")),
    scheme_preset("unreal4-fixed32", "rotations of 11-11-10 bits", UNREAL4,
                  every("fixed32", "float96")),
    scheme_preset("unreal4-float32", "rotations of 11-11-10 bits with three of exponent", UNREAL4,
                  every("small_float", "float96")),
    scheme_preset("unreal4-identity", "no keys: moving tracks rest", UNREAL4,
                  every("none", "none")),
    scheme_preset("unreal4-least-destructive", "three singles throughout", UNREAL4,
                  every("float96", "float96")),
    scheme_preset("unreal4-trivial", "one key for what stands still, three singles for the rest",
                  UNREAL4, every("float96", "float96")),
    scheme_preset("unreal4-bitwise", "for each clip the shortest of the formats above, but identity, that "
                  "holds",
                  UNREAL4, *UNREAL4_BITWISE),
    scheme_preset("unreal4-every-second", "a key on every second frame, three singles", UNREAL4,
                  every("float96", "float96", period=2)),
    scheme_preset("unreal4-automatic",
                  "for each clip the smallest of unreal4-bitwise, every second key, linear keys, and "
                  "the best format for each track",
                  UNREAL4, *UNREAL4_BITWISE, every("float96", "float96", period=2),
                  every("fixed48", "float96", period=2), Scheme("dense", "best", "best"),
                  *UNREAL4_LINEAR, UNREAL4_PER_TRACK),
    scheme_preset("unity5-none", "a key on every frame, in full",
                  "Unity 5, compression off; as Frechette reviews it (2017)",
                  every("float128", "float96")),
    scheme_preset("intro-2021-half", "half angles of 16-16-16 bits on every second frame", INTRO,
                  every("half_angle48", "fixed20m", period=2)),
    scheme_preset("intro-2021-third", "half angles of 16-16-16 bits on every third frame", INTRO,
                  every("half_angle48", "fixed20m", period=3)),
    scheme_preset("unreal4-linear", "keys that linear ones replace are left out", UNREAL4,
                  *UNREAL4_LINEAR),
    scheme_preset("unreal4-per-track", "unreal4-linear, and for each track the best format", UNREAL4,
                  UNREAL4_PER_TRACK),
    scheme_preset("riot-2015",
                  "curve-fitted keys of 48 bits, with a time and an index: Catmull-Rom, uniform",
                  RIOT, riot("uniform")),
    scheme_preset("riot-2015-timed", "riot-2015, knots at the times of the keys", RIOT,
                  riot("timed")),
    scheme_preset("riot-2015-chordal", "riot-2015, chordal knots", RIOT, riot("chordal")),
    scheme_preset("riot-2015-centripetal", "riot-2015, centripetal knots", RIOT,
                  riot("centripetal")),
    scheme_preset("riot-2015-load", "the keys of riot-2015 on every frame, quantised at load time",
                  RIOT, Scheme("sparse", "smallest48", "ranged48", "uniform", time_bits=16,
                               tag_bits=16, fixed=True)),
    scheme_preset("unity5-keyframe", "streaming curves: Hermite sections of full precision",
                  UNITY5, unity_curves(False)),
    scheme_preset("unity5-optimal", "streaming or dense curves, for each track the smaller",
                  UNITY5, unity_curves(True)),
    scheme_preset("intro-2021", "half angles of 16-16-16 bits, keys that linear ones replace left out",
                  INTRO, *(Scheme("sparse", "half_angle48", vectors, "linear", "remove")
                           for vectors in ("fixed20m", "ranged48"))),
)}
