"""The settings of an encoding, and the options of each clip."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Self

from ..base.option_values import FULL_BODY
from ..base.codec import AUTO_CODECS, OWN_CODECS, RANDOM_ACCESS_CODECS, CodecCosts, StepCosts
from ..base.encoder_library import POINTS
from ..base.format import number
from ..base.patterns import matches
from ..base.problem import SettingProblem, choice, nearest
from ..graph.rules import GraphRules
from ..model.import_options import ImportOptions
from ..model.curves.rule import CurveRule
from ..model.joint_rules import JointRule
from ..model.lengths import Screen, Tolerance
from ..model.trajectory.components import FIRST
from ..retargeting.rules import RetargetRule
from .derived.additive_rules import AdditiveRule
from .choice.codec_sets import GOALS
from .events.contact_rules import ContactRule
from .curves.rules import CurveFile, Stated
from .events.rules import EventRule
from .presets import NO_PRESET, PRESETS, Preset
from .scheme import NO_RESTARTS_LOG2, Scheme
from .tiers.sizes import TierTargets

CLOSE = "close"  # the value of `loop` for clips whose gap is spread
SHELL_M = 0.03
ROOT_TOLERANCE_M = 0.03
DEFAULT_TOLERANCE = Tolerance(metres=0.001)
DEFAULT_RESTART_FRAMES = 64
BANK_RESTART_FRAMES = 256  # with optimise = bank: most clips of games are shorter, with only their first restart point
DEFAULT_BLOCK_FRAMES = 512
LEAST_BLOCK_FRAMES = 64
_MOST_RESTART = number("MAX_FRAMES")


def parse_restart(frames: object, what: str) -> int:
    """Returns log2 of the restart spacing. 0 frames means no restart point except the first. what:
    the option or key, for messages, here and below."""
    if frames == 0 and not isinstance(frames, bool):
        return NO_RESTARTS_LOG2
    if isinstance(frames, bool) or not isinstance(frames, int) or frames < 1 or \
            frames & (frames - 1) or frames > _MOST_RESTART:
        raise SettingProblem(f"{what} {frames!r}: choose a power of two up to {_MOST_RESTART}, or 0 for only the first "
                             "frame")
    return frames.bit_length() - 1


def parse_block(frames: object, what: str) -> int:
    """Returns log2 of the frames of a block in tiers. 0 frames means that no clip is divided."""
    if frames == 0 and not isinstance(frames, bool):
        return number("BLOCK_LOG2_MAX")
    if isinstance(frames, bool) or not isinstance(frames, int) or frames < LEAST_BLOCK_FRAMES or \
            frames & (frames - 1) or frames > _MOST_RESTART:
        raise SettingProblem(f"{what} {frames!r}: choose a power of two from {LEAST_BLOCK_FRAMES} to {_MOST_RESTART}, "
                             "or 0 to divide no clip")
    return frames.bit_length() - 1


def parse_max_ram(limit: object, what: str) -> int:
    """Returns the bytes that a player may take. Raises SettingProblem unless the value is a whole
    number above 0."""
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise SettingProblem(f"{what} {limit!r}: give the memory of a player in bytes, a whole number of at least 1")
    return limit


@dataclass(frozen=True)
class ClipSettings:
    """The settings that may differ for each clip. loop: whether the clip loops, or CLOSE if its gap is closed first.
    mode: one of MODES; in a layer every chain of joints keeps the tolerance on its own. codec: one of CODEC_CHOICES,
    unless preset, one of PRESETS, chooses it; random_access excludes some codecs. start_s, end_s,
    speed, reverse: as in Timing. keep_frames: frames whose keys stay out of tiers, as parse_kept_frames returns
    them. events: those stated for the clip, in addition to those of its file; curves: likewise. contacts: the joints
    whose contacts with the ground are events, or True for the feet; contact_spans: likewise, as spans. root_motion: the
    components of trajectory.COMPONENTS that are removed from the clip; root_joint: from this joint, or None for the
    first joint that moves; root_tolerance_m: the largest distance of the trajectory from it; root_yaw: the reference of
    its yaw, one of trajectory.YAWS. additive: the reference to which the clip is added, or None. mirror_of: the
    original of a mirror image, which the sources do not contain."""

    tolerance: Tolerance = DEFAULT_TOLERANCE
    mode: str = FULL_BODY
    codec: str = "auto"
    preset: str = NO_PRESET
    random_access: bool = False
    loop: bool | str = False
    start_s: float | None = None
    end_s: float | None = None
    speed: float = 1.0
    reverse: bool = False
    keep_frames: tuple[int | str, ...] = ()
    events: tuple[EventRule, ...] = ()
    curves: Stated = ()
    contacts: bool | tuple[ContactRule, ...] = False
    contact_spans: bool | tuple[ContactRule, ...] = False
    root_motion: tuple[str, ...] = ()
    root_joint: str | None = None
    root_tolerance_m: float = ROOT_TOLERANCE_M
    root_yaw: str = FIRST
    additive: AdditiveRule | None = None
    mirror_of: str | None = None

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """Returns the settings with other values of these fields. A preset replaces the codec, and a codec the
        preset."""
        if changes.get("preset", NO_PRESET) != NO_PRESET:
            changes = {"codec": "auto"} | changes
        elif "codec" in changes:
            changes = {"preset": NO_PRESET} | changes
        return replace(self, **changes)


@dataclass(frozen=True, init=False)
class ClipRule:
    """Other values of ClipSettings, by field, for the clips whose name matches a shell pattern."""

    pattern: str
    changes: Annotated[Mapping[str, Any], ClipSettings]

    def __init__(self, pattern: str, **changes: Any) -> None:
        object.__setattr__(self, "pattern", pattern)
        object.__setattr__(self, "changes", changes)

    def matches(self, clip: str) -> bool:
        """Returns whether the rule applies to a clip."""
        return matches(self.pattern, clip)

    @property
    def mirror_of(self) -> str | None:
        return self.changes.get("mirror_of")


@dataclass(frozen=True, kw_only=True)
class ClipOptions(ClipSettings):
    """The settings of a clip, and values derived from them. codecs: those to choose from; schemes: those from which the
    preset chooses; keys: the keys of the velocity codec, one of native.KEYS; restart_log2: log2 of the frames between
    restart points."""

    tolerance_m: float
    codecs: tuple[str, ...]
    schemes: tuple[Scheme, ...] = ()
    keys: str = Preset.keys
    restart_log2: int = DEFAULT_RESTART_FRAMES.bit_length() - 1


@dataclass(frozen=True)
class Settings(ClipSettings):
    """All inputs of a bank except its files: the settings of clips without a rule, and those of the whole bank.
    clips, joints, curve_rules: rules, of which later ones override earlier ones. max_ram_bytes: the most that a
    player may take on a 32-bit machine, or None for no limit; skinning: whether the bank contains inverse bind
    matrices. points: the points of a joint's shell that are measured, one of POINTS. restart_log2: None for the
    preset's value, or the default. optimise: the goal of choosing codecs, one of GOALS; target: the machine, by
    name; costs: of codecs there, or None for the smallest clips regardless of code; step_costs: of a step of a graph
    there, or None for no estimate. loop_limit_m: the largest gap of a loop that is closed, or None for a share of the
    character's size. tiers: the requested streaming tiers; tier_block_log2: in these, clips of more than 2**n frames
    are divided into blocks of 2**n. graph: the animation graph, if there is one. retarget: files of other skeletons,
    whose clips are transferred to the character."""

    screen: Screen = Screen()
    shell_m: float = SHELL_M
    points: str = POINTS[0]
    max_ram_bytes: int | None = None
    effort: str = "default"
    restart_log2: int | None = None
    importing: ImportOptions = ImportOptions()
    clips: tuple[ClipRule, ...] = ()
    joints: tuple[JointRule, ...] = ()
    pins: tuple[str, ...] = ()
    curve_rules: tuple[CurveRule, ...] = ()
    skinning: bool = False
    optimise: str = GOALS[0]
    target: str | None = None
    costs: CodecCosts | None = None
    step_costs: StepCosts | None = None
    loop_limit_m: float | None = None
    tiers: TierTargets = TierTargets()
    tier_block_log2: int = DEFAULT_BLOCK_FRAMES.bit_length() - 1
    graph: GraphRules | None = None
    retarget: tuple[RetargetRule, ...] = ()

    def with_preset(self, name: str, where: str) -> Settings:
        """Returns the settings with a preset, which replaces the codec. Raises SettingProblem."""
        choice(name, (NO_PRESET, *PRESETS), where)
        return self.changed({"preset": name})

    def options_for(self, clip: str) -> ClipOptions:
        """Returns the options of a clip; later rules override earlier ones. Raises SettingProblem
        for a tolerance in pixels without a screen, a codec that contradicts random access, or a
        missing tolerance if a scheme is fitted to it."""
        chosen = ClipSettings(**{field.name: getattr(self, field.name) for field in fields(ClipSettings)})
        origin = self.mirrored.get(clip, clip)
        for rule in self.clips:
            if rule.matches(origin) and rule.mirror_of is None:
                chosen = chosen.changed(rule.changes)
        preset, tolerance_m = PRESETS.get(chosen.preset), chosen.tolerance.on(self.screen)
        if math.isinf(tolerance_m) and not (preset and preset.fixed):
            name = f"the preset {preset.name}" if preset else f"the codec {chosen.codec}"
            raise SettingProblem(f"clip {clip}: tolerance none: {name} fits clips to a tolerance; "
                                 "only presets that fit nothing need none" + _fixed_presets()
                                 + "; give a length, such as 1mm")
        codecs = _codecs_of(clip, chosen, preset)
        restart = self.restart_log2
        if restart is None:
            restart = preset.restart_log2 if preset else None
        if restart is None:
            wide = self.optimise == "bank" and preset is None
            restart = (BANK_RESTART_FRAMES if wide else DEFAULT_RESTART_FRAMES).bit_length() - 1
        schemes = [scheme for scheme in (preset.schemes if preset else ()) if scheme.codec in codecs]
        return ClipOptions(**vars(chosen), tolerance_m=tolerance_m, codecs=codecs, schemes=self._with_tiers(schemes),
                           keys=preset.keys if preset else Preset.keys, restart_log2=restart)

    @property
    def base_row_bytes(self) -> int:
        """Returns the bytes that a base row must save: 1 if only the bank counts, otherwise those of its code. 0: the
        bank gets none, because the machine is not known."""
        if self.optimise == "bank":
            return 1
        return self.costs.base_row_bytes if self.costs is not None else 0

    @property
    def mirrored(self) -> dict[str, str]:
        """Returns the original of each mirror image."""
        return {rule.pattern: rule.mirror_of for rule in self.clips if rule.mirror_of is not None}

    @property
    def reading(self) -> ImportOptions:
        """Returns the options for reading source files, including the references of additive clips, chosen or not."""
        references = [additive.clip for additive in self._stated("additive") if additive and additive.clip]
        return replace(self.importing, references=tuple(dict.fromkeys(references)))

    def _stated(self, field: str) -> list[Any]:
        """Returns the values of a field of clips, in all rules that have it."""
        return [rule.changes[field] for rule in self.clips if field in rule.changes]

    def _with_tiers(self, schemes: Sequence[Scheme]) -> tuple[Scheme, ...]:
        """Returns the schemes of a clip with the errors stated for its tiers. Schemes without keys in tiers use
        versions, like other codecs."""
        errors = self.tiers.errors_m
        return tuple(replace(scheme, tiers=len(errors), tier_m=errors) if scheme.tiers and errors else scheme
                     for scheme in schemes)

    @property
    def may_have_tiers(self) -> bool:
        """Returns whether the settings or a preset may give the bank streaming tiers."""
        presets = [PRESETS[name] for name in (self.preset, *self._stated("preset")) if name in PRESETS]
        return self.tiers.count > 0 or any(scheme.tiers for preset in presets for scheme in preset.schemes)

    @property
    def curve_files(self) -> list[Path]:
        """Returns the files with curves of clips."""
        return [curves.path for curves in self._stated("curves") if isinstance(curves, CurveFile)]

    def check_patterns(self, clips: list[str]) -> None:
        """Raises SettingProblem for a rule that matches no clip (it must be misspelt) or only mirror images, which have
        the options of their originals."""
        for rule in self.clips:
            matched = [clip for clip in clips if rule.matches(clip)]
            if not matched:
                raise SettingProblem(f"clip pattern {rule.pattern!r} matches no clip"
                                     + nearest(rule.pattern, clips))
            if rule.mirror_of is None and all(clip in self.mirrored for clip in matched):
                image, of = matched[0], self.mirrored[matched[0]]
                raise SettingProblem(f"clip pattern {rule.pattern!r} matches only {image!r}, the mirror image of "
                                     f"{of!r}, which shares its options; move them to {of!r}")


def _fixed_presets() -> str:
    names = [preset.name for preset in PRESETS.values() if preset.fixed]
    return f", such as {names[0]}" if names else ""


def _codecs_of(clip: str, chosen: ClipSettings, preset: Preset | None) -> tuple[str, ...]:
    """Returns the codecs that a clip may have. preset: its preset, if any."""
    codecs = preset.codecs if preset else AUTO_CODECS if chosen.codec == "auto" else (chosen.codec,)
    allowed = tuple(codec for codec in codecs
                    if not chosen.random_access or codec in RANDOM_ACCESS_CODECS)
    if not allowed:
        own = [codec for codec in RANDOM_ACCESS_CODECS if codec in OWN_CODECS]
        raise SettingProblem(f"clip {clip}: codec {codecs[0]!r} is sequential, which "
                             f"contradicts random access; choose auto or {' or '.join(own)}, "
                             "or give up random access")
    return allowed
