"""The settings of an encoding, and the options of each clip."""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from ..bank.clips import FULL_BODY
from ..bank.tiers import BLOCK_LOG2_MAX
from ..base.codec import AUTO_CODECS, OWN_CODECS, RANDOM_ACCESS_CODECS, CodecCosts
from ..base.format import number
from ..base.patterns import matches
from ..base.problem import SettingProblem, nearest
from ..model.clip import ImportOptions
from ..model.curves.curve import CurveRule
from ..model.joints import JointRule
from ..model.lengths import Screen, Tolerance
from ..model.editing.timing import Timing
from ..model.trajectory.extraction import FIRST
from .derived.additive import AdditiveRule
from .codec_sets import GOALS
from .events.contact_rules import ContactRule
from .curves.rules import CurveFile, Stated
from .events.rules import EventRule
from .native import POINTS
from .presets import NO_PRESET, PRESETS, Preset
from .scheme import NO_RESTARTS_LOG2, Scheme
from .tiers.targets import TierTargets

CODEC_CHOICES = ("auto", *OWN_CODECS)
CLOSE = "close"  # the value of `loop` for clips whose gap is spread
SHELL_M = 0.03
ROOT_TOLERANCE_M = 0.03
DEFAULT_TOLERANCE = Tolerance(metres=0.001)
DEFAULT_RESTART_FRAMES = 64
BANK_RESTART_FRAMES = 256  # with optimise = bank: most clips of games are shorter, and restart only at their start
DEFAULT_BLOCK_FRAMES = 512
LEAST_BLOCK_FRAMES = 64
_MOST_RESTART = number("MAX_FRAMES")
_PRESETS_OWN = "preset"  # the value of `codec` if a preset chooses the codecs


def parse_restart(frames: object, what: str) -> int:
    """Returns log2 of the restart spacing. 0 frames means no restart point except the first. what:
    the option or key, for messages, here and below."""
    if frames == 0 and not isinstance(frames, bool):
        return NO_RESTARTS_LOG2
    if isinstance(frames, bool) or not isinstance(frames, int) or frames < 1 or \
            frames & (frames - 1) or frames > _MOST_RESTART:
        raise SettingProblem(f"{what} {frames!r}: choose a power of two up to {_MOST_RESTART}, or 0 for "
                             "none but the first frame")
    return frames.bit_length() - 1


def parse_block(frames: object, what: str) -> int:
    """Returns log2 of the frames of a block in tiers. 0 frames means that no clip is divided."""
    if frames == 0 and not isinstance(frames, bool):
        return BLOCK_LOG2_MAX
    if isinstance(frames, bool) or not isinstance(frames, int) or frames < LEAST_BLOCK_FRAMES or \
            frames & (frames - 1) or frames > _MOST_RESTART:
        raise SettingProblem(f"{what} {frames!r}: choose a power of two from {LEAST_BLOCK_FRAMES} to {_MOST_RESTART}, "
                             "or 0 to divide no clip")
    return frames.bit_length() - 1


def parse_max_ram(limit: object, what: str) -> int:
    """Returns the bytes that a player may take. Raises SettingProblem unless the value is a whole
    number above 0."""
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise SettingProblem(f"{what} {limit!r}: give the bytes that a player may take, a "
                             "whole number of at least 1")
    return limit


def choice(value: object, choices: Sequence[str], what: str) -> str:
    """Returns a value that is one of the choices. Raises SettingProblem, with the nearest choice,
    for any other value."""
    if not isinstance(value, str) or value not in choices:
        raise SettingProblem(f"{what} {value!r} is unknown" + nearest(str(value), choices))
    return value


@dataclass(frozen=True)
class ClipRule:
    """Options for the clips whose name matches a shell pattern; None keeps the earlier value. A
    rule has a codec or a preset, which replace each other. loop: whether the clip loops, or
    CLOSE if its gap is spread first. additive: what the clip is added to; False: nothing. mirror_of:
    the clip of which this one, which the sources do not have, is the mirror image."""

    pattern: str
    loop: bool | str | None = None
    mode: str | None = None
    tolerance: Tolerance | None = None
    codec: str | None = None
    random_access: bool | None = None
    preset: str | None = None
    start_s: float | None = None
    end_s: float | None = None
    speed: float | None = None
    reverse: bool | None = None
    keep_frames: tuple[int | str, ...] | None = None
    events: tuple[EventRule, ...] | None = None
    curves: Stated | None = None
    contacts: bool | tuple[ContactRule, ...] | None = None
    root_motion: tuple[str, ...] | None = None
    root_joint: str | None = None
    root_tolerance_m: float | None = None
    root_yaw: str | None = None
    additive: AdditiveRule | bool | None = None
    mirror_of: str | None = None

    def matches(self, clip: str) -> bool:
        """Whether the rule applies to a clip."""
        return matches(self.pattern, clip)


@dataclass(frozen=True)
class ClipOptions:
    """The options of one clip. tolerance_px: the tolerance as it was given, if in pixels; codecs:
    those to choose from, of which random_access excludes some. mode: one of MODES; in a layer every
    chain of joints keeps the tolerance by itself. preset: the preset that writes the clip, or
    NO_PRESET; schemes: the schemes from which the preset chooses; keys: how the velocity codec
    writes its keys, one of native.KEYS; restart_log2: log2 of the frames between restart points.
    closes: whether the gap of the loop is spread over the clip. timing: the part that is used.
    keep_frames: frames whose keys stay out of tiers, as parse_kept_frames returns them. events: those that
    are stated for the clip, besides those of its file; curves: likewise. contacts: the joints whose contacts with the
    ground are events, or True for the feet. root_motion: the components of trajectory.COMPONENTS
    that are taken out of the clip; root_joint: of this joint, or None for the first one that moves;
    root_tolerance_m: how far the trajectory may be from it; root_yaw: the reference of its yaw, one of
    trajectory.YAWS. additive: what the clip is added to, or None."""

    loop: bool
    mode: str
    tolerance_m: float
    tolerance_px: float | None
    codecs: tuple[str, ...]
    random_access: bool = False
    preset: str = NO_PRESET
    schemes: tuple[Scheme, ...] = ()
    keys: str = Preset.keys
    restart_log2: int = DEFAULT_RESTART_FRAMES.bit_length() - 1
    closes: bool = False
    timing: Timing = Timing()
    keep_frames: tuple[int | str, ...] = ()
    events: tuple[EventRule, ...] = ()
    curves: Stated = ()
    contacts: bool | tuple[ContactRule, ...] = False
    root_motion: tuple[str, ...] = ()
    root_joint: str | None = None
    root_tolerance_m: float = ROOT_TOLERANCE_M
    root_yaw: str = FIRST
    additive: AdditiveRule | None = None


@dataclass(frozen=True)
class Settings:
    """Everything besides its input files that a bank depends on. max_ram_bytes: the most that a
    player may take on a 32-bit machine, or None for no limit; skinning: whether the bank holds
    inverse bind matrices. points: which points of a joint's shell are measured, one of POINTS.
    preset: one of PRESETS, or NO_PRESET. restart_log2: None for the preset's value, or the
    default. optimise: what codecs are chosen for, one of GOALS; target: the machine, by name; costs:
    what codecs cost there, or None for the smallest clips whatever their code takes. loop_limit_m: the
    largest gap of a loop that is closed, or None for a share of the character's size. tiers: the streaming tiers that
    are wanted; tier_block_log2: clips of more than 2**n frames are divided into blocks of as many in these.
    contacts, root_motion, root_joint, root_tolerance_m, root_yaw: as in ClipOptions."""

    tolerance: Tolerance = DEFAULT_TOLERANCE
    screen: Screen = Screen()
    shell_m: float = SHELL_M
    points: str = POINTS[0]
    mode: str = FULL_BODY
    codec: str = "auto"
    preset: str = NO_PRESET
    random_access: bool = False
    max_ram_bytes: int | None = None
    effort: str = "default"
    restart_log2: int | None = None
    importing: ImportOptions = ImportOptions()
    clips: tuple[ClipRule, ...] = ()
    joints: tuple[JointRule, ...] = ()
    pins: tuple[str, ...] = ()
    curves: tuple[CurveRule, ...] = ()
    skinning: bool = False
    optimise: str = GOALS[0]
    target: str | None = None
    costs: CodecCosts | None = None
    loop_limit_m: float | None = None
    tiers: TierTargets = TierTargets()
    tier_block_log2: int = DEFAULT_BLOCK_FRAMES.bit_length() - 1
    contacts: bool | tuple[ContactRule, ...] = False
    root_motion: tuple[str, ...] = ()
    root_joint: str | None = None
    root_tolerance_m: float = ROOT_TOLERANCE_M
    root_yaw: str = FIRST

    def with_preset(self, name: str, where: str) -> Settings:
        """Returns the settings with a preset, which replaces the codec. Raises SettingProblem."""
        choice(name, (NO_PRESET, *PRESETS), where)
        return replace(self, preset=name, codec=_codec_beside(name, self.codec))

    def options_for(self, clip: str) -> ClipOptions:
        """Returns the options of a clip; later rules override earlier ones. Raises SettingProblem
        for a tolerance in pixels without a screen, a codec that contradicts random access, or a
        missing tolerance if a scheme is fitted to it."""
        holding = ClipRule(clip, False, self.mode, self.tolerance, self.codec, self.random_access,
                           self.preset, contacts=self.contacts, root_motion=self.root_motion,
                           root_joint=self.root_joint,
                           root_tolerance_m=self.root_tolerance_m, root_yaw=self.root_yaw)
        origin = self.mirrored.get(clip, clip)
        for rule in self.clips:
            if rule.matches(origin) and rule.mirror_of is None:
                holding = _overlaid(holding, rule)
        assert holding.tolerance is not None and holding.mode is not None and holding.preset is not None
        assert holding.contacts is not None and holding.root_motion is not None
        assert holding.root_tolerance_m is not None and holding.root_yaw is not None
        preset = PRESETS[holding.preset] if holding.codec == _PRESETS_OWN else None
        if math.isinf(holding.tolerance.on(self.screen)) and not (preset and preset.fixed):
            name = f"the preset {preset.name}" if preset else f"the codec {holding.codec}"
            raise SettingProblem(f"clip {clip}: tolerance none: {name} fits clips to a tolerance; "
                                 "only presets that fit nothing need none" + _fixed_presets()
                                 + "; give a length, such as 1mm")
        codecs = _codecs_of(holding, preset)
        restart = self.restart_log2
        if restart is None:
            restart = preset.restart_log2 if preset else None
        if restart is None:
            wide = self.optimise == "bank" and preset is None
            restart = (BANK_RESTART_FRAMES if wide else DEFAULT_RESTART_FRAMES).bit_length() - 1
        timing = Timing(holding.start_s, holding.end_s, holding.speed or 1.0, bool(holding.reverse))
        return ClipOptions(bool(holding.loop), holding.mode, holding.tolerance.on(self.screen),
                           holding.tolerance.pixels, codecs, bool(holding.random_access),
                           preset.name if preset else NO_PRESET,
                           self._with_tiers(tuple(scheme for scheme in (preset.schemes if preset else ())
                                                  if scheme.codec in codecs)),
                           preset.keys if preset else ClipOptions.keys,
                           restart,
                           holding.loop == CLOSE, timing, holding.keep_frames or (), holding.events or (),
                           holding.curves or (), holding.contacts, holding.root_motion, holding.root_joint,
                           holding.root_tolerance_m, holding.root_yaw,
                           holding.additive if isinstance(holding.additive, AdditiveRule) else None)

    @property
    def mirrored(self) -> dict[str, str]:
        """The clips that are mirror images, each with the one that it is the image of."""
        return {rule.pattern: rule.mirror_of for rule in self.clips if rule.mirror_of is not None}

    @property
    def reading(self) -> ImportOptions:
        """How source files are read: with the clips that others are added to, chosen or not."""
        rules = [rule.additive for rule in self.clips if isinstance(rule.additive, AdditiveRule)]
        return replace(self.importing, references=tuple(dict.fromkeys(rule.clip for rule in rules if rule.clip)))

    def _with_tiers(self, schemes: tuple[Scheme, ...]) -> tuple[Scheme, ...]:
        """Returns the schemes of a clip with the errors that are stated for its tiers. Schemes without keys in
        tiers have versions in them, as other codecs do."""
        errors = self.tiers.errors_m
        return tuple(replace(scheme, tiers=len(errors), tier_m=errors) if scheme.tiers and errors else scheme
                     for scheme in schemes)

    @property
    def may_have_tiers(self) -> bool:
        """True if the settings or a preset may give the bank streaming tiers."""
        presets = [PRESETS[name] for name in (self.preset, *(rule.preset for rule in self.clips)) if name in PRESETS]
        return self.tiers.count > 0 or any(scheme.tiers for preset in presets for scheme in preset.schemes)

    @property
    def curve_files(self) -> list[Path]:
        """The files with curves of clips."""
        return [rule.curves.path for rule in self.clips if isinstance(rule.curves, CurveFile)]

    def check_patterns(self, clips: list[str]) -> None:
        """Raises SettingProblem for a rule that matches no clip, which must be misspelt, and for one that matches
        mirror images alone, which have the options of the clips that they mirror."""
        for rule in self.clips:
            matched = [clip for clip in clips if rule.matches(clip)]
            if not matched:
                raise SettingProblem(f"clip pattern {rule.pattern!r} matches no clip"
                                     + nearest(rule.pattern, clips))
            if rule.mirror_of is None and all(clip in self.mirrored for clip in matched):
                image, of = matched[0], self.mirrored[matched[0]]
                raise SettingProblem(f"clip pattern {rule.pattern!r} matches only {image!r}, the mirror image of "
                                     f"{of!r} with the same options; give them to {of!r}")


def _codec_beside(preset: str, codec: str) -> str:
    """Returns the codec of a clip whose codec was `codec` before this preset, or none, was
    chosen."""
    if preset != NO_PRESET:
        return _PRESETS_OWN
    return "auto" if codec == _PRESETS_OWN else codec


def _overlaid(holding: ClipRule, rule: ClipRule) -> ClipRule:
    """Returns the options after a rule has replaced some of them."""
    said = {f.name: getattr(rule, f.name) for f in fields(rule)[1:]}
    if rule.preset is not None and rule.codec is None:
        assert holding.codec is not None
        said["codec"] = _codec_beside(rule.preset, holding.codec)
    return replace(holding, **{k: v for k, v in said.items() if v is not None})


def _fixed_presets() -> str:
    names = [preset.name for preset in PRESETS.values() if preset.fixed]
    return f", such as {names[0]}" if names else ""


def _codecs_of(rule: ClipRule, preset: Preset | None) -> tuple[str, ...]:
    """Returns the codecs that a clip may have. rule: its options, under its name; preset: the one
    that writes it, if any."""
    assert rule.codec is not None
    wanted = preset.codecs if preset else AUTO_CODECS if rule.codec == "auto" else (rule.codec,)
    allowed = tuple(codec for codec in wanted
                    if not rule.random_access or codec in RANDOM_ACCESS_CODECS)
    if not allowed:
        own = [codec for codec in RANDOM_ACCESS_CODECS if codec in OWN_CODECS]
        raise SettingProblem(f"clip {rule.pattern}: codec {wanted[0]!r} is sequential, which "
                             f"contradicts random access; choose auto or {' or '.join(own)}, "
                             "or give up random access")
    return allowed
