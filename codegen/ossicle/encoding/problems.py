"""The messages about clips that cannot be encoded."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..bank.clips import MAX_RATES, ONE_Q11, name_hash
from ..bank.file import MAX_JOINTS
from ..bank.names import MAX_NAME_BYTES
from ..base.arrays import Array
from ..base.codec import AUTO_CODECS
from ..base.curve_names import is_curve, title_of
from ..base.option_values import MAX_RATE, MIN_RATE
from ..base.option_names import either, named
from ..base.problem import Problem
from ..model.bind_size import length_remedy
from ..model.curves.keys import MOST_KEYS
from ..model.blocks import blocks
from ..model.clip import SCALE, TRACK_KINDS, TRANSLATION, Clip, Skeleton
from ..model.clip_facts import travel_of
from ..model.joint_rules import check_joint_patterns
from ..model.loops import largest_gap_m
from ..model.mesh.skinning import LARGEST
from . import native
from .settings import ClipOptions, Settings

LAST_TIME_US = 2**31 - 1


class EncodeProblem(Problem):
    """A clip that cannot be encoded as requested; str() is one line with the file, the clip, the
    joint and the remedy."""


def entry(clip: Clip) -> tuple[int, int, int]:
    """Returns the entry of a clip in a bank: name hash, rate in Q16, position per microsecond in Q32."""
    position = round(clip.rate * ONE_Q11 * 2**32 / 1_000_000)
    return name_hash(clip.name), round(clip.rate * 65536), min(position, 2**32 - 1)


@dataclass(frozen=True, eq=False)
class Refused:
    """A clip that the encoder refused. clip: at the rate of encoding; resampled: whether that differs from the rate of
    the file."""

    status: int
    clip: Clip
    resampled: bool
    report: native.Report

    @property
    def where(self) -> str:
        """The beginning of every message."""
        return f"{self.clip.source}: clip {self.clip.name}: "

    def at(self, frame: float) -> str:
        """Returns the text for a frame, with the rate if it differs from the file's."""
        rate = f" at {self.clip.rate:g} frames per second" if self.resampled else ""
        return f"frame {frame:g}{rate}: "


def _explain_tolerance(refused: Refused, skeleton: Skeleton, options: ClipOptions,
                       codecs: Sequence[str], limits: Array) -> str:
    """Returns one line for a clip that does not hold the tolerance; parameters as for explain."""
    report = refused.report
    joint, limit = skeleton.names[report.tight_joint], limits[report.tight_joint]
    at = refused.at(report.tight_frame)
    if is_curve(joint):
        return (f"{title_of(joint)}: {at}the {'preset ' + options.preset if options.schemes else 'codec'} does not "
                f"hold the tolerance of {limit:g}; raise it in [curves]")
    if options.schemes:
        return f"joint {joint}: {at}" + _explain_preset(options, _tolerance_text(limit, options), report)
    # The message has no number, because the error with the finest steps is not the lowest error
    # that the search can reach.
    finest = (f"even the finest steps cannot keep {_tolerance_text(limit, options)}; raise the tolerance")
    if report.tight_start >= 0:
        return (f"chain from {skeleton.names[report.tight_start]} to {joint}: {at}{finest}, or encode "
                "it as full-body")
    if report.tight_error_m > limit:
        return f"joint {joint}: {at}{finest}"
    other = "" if set(codecs) >= set(AUTO_CODECS) else "allow another codec, or "
    return (f"joint {joint}: {at}the codec {' or '.join(codecs)} cannot follow this track "
            f"within {limit * 1e3:g} mm; {other}try another tolerance")


def _explain_preset(options: ClipOptions, limit: str, report: native.Report) -> str:
    if all(scheme.fixed for scheme in options.schemes):
        return (f"the preset {options.preset} is off by {report.tight_error_m * 1e3:.4g} mm, over {limit}, and does "
                "not adapt to a tolerance; raise the tolerance, or use none, to see the result")
    return (f"the preset {options.preset} does not hold {limit} even with its highest precision; raise the tolerance, "
            "or choose another preset")


def _explain_loop(refused: Refused, skeleton: Skeleton, options: ClipOptions,
                  limits: Array) -> str:
    report, names = refused.report, skeleton.names
    if report.chain_joint < 0 and is_curve(names[report.joint]):
        return (f"{title_of(names[report.joint])}: {refused.at(report.frame)}differs by {report.error_m:.4g} from its "
                f"value at frame 0, over the tolerance of {limits[report.joint]:g}; let it end "
                "with its first value, or encode the clip without loop; "
                + either(f"--close-loop {refused.clip.name}", 'loop = "close"')
                + " spreads the difference over the clip")
    if report.chain_joint >= 0:
        return (f"joint {names[report.chain_joint]}: {refused.at(report.chain_frame)}is "
                f"{report.chain_error_m * 1e3:.3f} mm from where it was at frame 0 in the chain from "
                f"{names[report.chain_start]}, over {_tolerance_text(limits[report.chain_joint], options)}; close the "
                "loop of every joint, or encode the clip as full-body or without loop")
    return (f"joint {names[report.joint]}: {refused.at(report.frame)}is {report.error_m * 1e3:.3f} mm "
            f"from where it was at frame 0, over {_tolerance_text(limits[report.joint], options)}; "
            + _travelling(refused.clip, skeleton, limits[report.joint])
            + "close the loop, or encode the clip without loop"
            + _closing(refused.clip, report.error_m, skeleton))


def _travelling(clip: Clip, skeleton: Skeleton, limit_m: float) -> str:
    """Returns the advice for a clip that moves over the ground."""
    joint, (x, _, z) = travel_of(clip)
    if joint is None or max(abs(x), abs(z)) <= limit_m:
        return ""
    return (f"{skeleton.names[joint]} travels {x * 1e3:.0f} mm along x and {z * 1e3:.0f} mm along z: remove this "
            'motion with root_motion = "xz yaw", and let the game move the character along the trajectory; otherwise ')


def _closing(clip: Clip, gap_m: float, skeleton: Skeleton) -> str:
    """Returns the advice for a loop that is nearly closed."""
    if gap_m > largest_gap_m(skeleton):
        return ""
    return "; " + either(f"--close-loop {clip.name}", 'loop = "close"') + " spreads the gap over the clip"


def explain(refused: Refused, skeleton: Skeleton, options: ClipOptions, codecs: Sequence[str],
            limits: Array) -> str:
    """Returns one line for a clip that the encoder refused. codecs: those from which it could
    choose; limits: float64 [J], metres, the tolerance of every joint."""
    report = refused.report
    if refused.status == native.ERROR_TOLERANCE:
        message = _explain_tolerance(refused, skeleton, options, codecs, limits)
    elif refused.status == native.ERROR_LOOP:
        message = _explain_loop(refused, skeleton, options, limits)
    elif refused.status == native.ERROR_RANGE:
        joint = skeleton.names[report.joint] if report.joint >= 0 else "?"
        message = (f"{_titled(joint)}: {refused.at(report.frame)}"
                   + _beyond(refused.clip, joint, TRACK_KINDS[report.kind], report.value, skeleton))
    else:
        message = _explain_size(refused.clip)
    return refused.where + message


def _explain_size(clip: Clip) -> str:
    if len(clip.frames) > 2 * MOST_KEYS or clip.curve is None:
        return f"{len(clip.frames)} frames are too many; split it"
    return (f"its joints and curves have keys at {len(clip.curve.times):,} times, more than {MOST_KEYS:,}; split the "
            "clip, or remove keys between the frames")


def _tolerance_text(limit_m: float, options: ClipOptions) -> str:
    whose = "the" if limit_m == options.tolerance_m else "the joint's"
    return f"{whose} tolerance of {limit_m * 1e3:g} mm"


def _check_name(name: str, what: str, source: str) -> None:
    size = len(name.encode())
    if size > MAX_NAME_BYTES:
        raise EncodeProblem(f"{source}: the name of {what} has {size} bytes, at most "
                            f"{MAX_NAME_BYTES} are possible; rename it at the source")


def _check_length(clip: Clip) -> None:
    """Raises EncodeProblem for a clip that ends after the last time that a player can be set to."""
    last_position = (len(clip.frames) - 1) * ONE_Q11
    if last_position > LAST_TIME_US * entry(clip)[2] >> 32:
        raise EncodeProblem(f"{clip.source}: clip {clip.name}: takes "
                            f"{_minutes((len(clip.frames) - 1) / clip.rate)}; times are int32 "
                            f"microseconds, which reach {_minutes(LAST_TIME_US / 1e6)}; split it")


def _minutes(seconds: float) -> str:
    return f"{int(seconds // 60)} min {seconds % 60:.1f} s"


def _check_range(clip: Clip, skeleton: Skeleton) -> None:
    """Raises EncodeProblem for the first translation or scale that key rows cannot hold."""
    for kind, part in (("translation", TRANSLATION), ("scale", SCALE)):
        for block in blocks(len(clip.frames), clip.frames.shape[1]):
            outside = ~(np.abs(clip.frames[block, :, part]) < LARGEST)
            if not outside.any():
                continue
            frame, joint, axis = np.argwhere(outside)[0]
            frame += block.start
            name, value = skeleton.names[joint], clip.frames[frame, joint, part][axis]
            raise EncodeProblem(f"{clip.source}: clip {clip.name}: {_titled(name)}: frame {frame}: "
                                + _beyond(clip, name, kind, value, skeleton))


def _titled(joint: str) -> str:
    return title_of(joint) if is_curve(joint) else f"joint {joint}"


def _beyond(clip: Clip, joint: str, kind: str, value: float, skeleton: Skeleton) -> str:
    if is_curve(joint):
        what = f"is {value:g}" if clip.reference is None else f"differs by {value:g} from {clip.reference.text}"
        return f"{what}, beyond +-{LARGEST:g}; reduce its values"
    remedy = "correct its curve" if kind == "scale" else length_remedy(
        skeleton, "bring it closer to the origin")
    return f"{kind} {value:g} is beyond +-{LARGEST:g}; {remedy}"


def check_rates(clips: Sequence[Clip]) -> None:
    """Raises EncodeProblem if the clips have more different rates than a bank can hold."""
    rates = {entry(clip)[1:] for clip in clips}
    if len(rates) > MAX_RATES:
        raise EncodeProblem(f"{clips[0].source}: the clips have {len(rates)} different frame rates, but a bank can "
                            f"hold {MAX_RATES}; choose {named('--fps')} or split the bank")


def check_tiers(source: str, errors_m: Sequence[float], tolerances_m: Sequence[float]) -> None:
    """Raises EncodeProblem for a stated error of a tier that is not above the tolerance of any clip."""
    finest = min(tolerances_m)
    for error in errors_m:
        if error <= finest:
            raise EncodeProblem(f"{source}: {named('--tiers')}: {error * 1e3:g} mm is not above the tolerance, "
                                f"{finest * 1e3:g} mm, which the clips hold with all tiers; leave it out")


def too_small(source: str, limit: int, smallest: int) -> str:
    """The message for a base that does not fit the stated size."""
    return (f"{source}: {named('--tiers')}: the base takes {smallest:,} bytes even with errors of thousands of "
            f"tolerances, over {limit:,}; give it more, or encode fewer clips")


def keys_too_large(source: str, tiers: int, least: int, whole: int, limit: int) -> str:
    """Returns the message for a base, or a base with its first tiers, that exceeds the stated size with the fewest
    keys. whole: the bytes of the bank."""
    what = "the base" + (f" with {tiers} tier{'s'[:tiers > 1]}" if tiers else "")
    return (f"{source}: {named('--tiers')}: {what} takes {least:,} bytes even with the fewest keys, over {limit:,}; "
            f"give it more of the {whole:,} of the bank, or encode fewer clips")


def nothing_in_tiers(source: str, whole: int, sized: bool) -> str:
    """Returns the message for tiers that would be empty. whole: the bytes of the bank; sized: whether sizes are
    stated."""
    why = ("fits the base" if sized else
           "would not be smaller with the first error: no clip has a tolerance below it, or all are as small as "
           "possible")
    return (f"{source}: {named('--tiers')}: the whole bank, {whole:,} bytes, {why}, so that nothing remains for tiers; "
            + ("state smaller sizes, or leave tiers out" if sized else "state larger errors, or leave tiers out"))


def check_input(skeleton: Skeleton, clips: Sequence[Clip], settings: Settings,
                left_out: Sequence[str] = ()) -> None:
    """Checks clips and settings before anything is encoded. left_out: clips that are not encoded, which settings may
    still name. Raises EncodeProblem or SettingProblem."""
    if not clips:
        raise EncodeProblem("no clip in the input; check that the file has animations")
    if len(skeleton.names) > MAX_JOINTS:
        raise EncodeProblem(f"{clips[0].source}: {len(skeleton.names)} joints; the limit is "
                            f"{MAX_JOINTS}")
    for joint, name in enumerate(skeleton.names):
        _check_name(name, title_of(name) if is_curve(name) else f"joint {joint}", clips[0].source)
    hashes: dict[int, str] = {}
    for clip in clips:
        _check_name(clip.name, "a clip", clip.source)
        other = hashes.setdefault(name_hash(clip.name), clip.name)
        if other != clip.name:
            raise EncodeProblem(f"{clip.source}: clips {other} and {clip.name} have the same name "
                                "hash; rename one")
        if clip.rate < MIN_RATE:
            raise EncodeProblem(f"{clip.source}: clip {clip.name}: {clip.rate:g} frames per "
                                f"second, below {MIN_RATE:g}; choose {named('--fps')}")
        if clip.rate > MAX_RATE:
            raise EncodeProblem(f"{clip.source}: clip {clip.name}: {clip.rate:g} frames per "
                                f"second, over {MAX_RATE:g}; choose {named('--fps')}")
        _check_length(clip)
        _check_range(clip, skeleton)
    check_rates(clips)
    settings.check_patterns([*(clip.name for clip in clips), *left_out])
    check_joint_patterns([*(rule.pattern for rule in settings.joints), *settings.pins],
                         skeleton.names)
