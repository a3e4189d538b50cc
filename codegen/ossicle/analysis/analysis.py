"""Analyses a bank: its content, its sizes and its errors, as a JSON document. codegen/JSON.md describes every field."""
from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict

from ..base.curve_names import curves_in, is_curve, title_of
from ..base.version import versions
from ..bank.file import describe
from ..encoding.curves.errors import curve_errors
from ..encoding.derived.mirrored import breaks_of
from ..encoding.results import raw_bytes
from ..model.clip import Clip
from .bits import BankBits, ClipBits, bits_of
from .clip_errors import ClipErrors, Peak, clip_errors
from .subject import Source, Subject
from .tier_errors import tier_errors_m, without_its_tiers

# The version of the document. It is incremented when a field is removed or changes its meaning, not when one is added.
SCHEMA = 1


def analyse(subject: Subject) -> dict[str, object]:
    """Returns the document, of dicts, lists, strings, numbers, bools and None only. It depends only on the bank, the
    sources and the settings."""
    bits = bits_of(subject.bank)
    errors = None if subject.source is None else [
        clip_errors(subject, clip) for clip in range(len(subject.bank.clips))]
    return {
        "schema": SCHEMA,
        "ossicle": versions().library,
        "warnings": list(subject.warnings),
        "bank": _bank(subject, bits, errors),
        "joints": _joints(subject, bits, errors),
        "clips": _clips(subject, bits, errors),
        "drops": _drops(subject, bits),
    }


def analysis_json(document: dict[str, object]) -> bytes:
    """Formats the document as JSON."""
    return (json.dumps(document, ensure_ascii=False) + "\n").encode(errors="backslashreplace")


def _bank(subject: Subject, bits: BankBits, errors: Sequence[ClipErrors] | None) -> dict[str, object]:
    bank, described = subject.bank, describe(subject.bank)
    frames = sum(clip.frame_count for clip in bank.clips)
    return {
        "name": subject.name,
        **{key: described[key] for key in ("bytes", "format", "crc", "player_bytes", "sections", "tiers")},
        "shell_mm": None if subject.source is None else _mm(subject.source.settings.shell_m),
        "raw_bytes": raw_bytes(frames, [joint.name for joint in bank.joints]),
        "sources": None if subject.source is None else [path.name for path in subject.source.files],
        "header_bits": bits.header,
        "other_bits": bits.other,
        "worst": _error(max((clip_error.largest for clip_error in errors), key=_metres)) if errors else None,
        "nearest": _error(max((clip_error.nearest for clip_error in errors), key=_nearness)) if errors else None,
    }


def _joints(subject: Subject, bits: BankBits, errors: Sequence[ClipErrors] | None) -> list[dict[str, object]]:
    bank, carrying = subject.bank, None if subject.source is None else subject.source.carrying
    result: list[dict[str, object]] = []
    for number, (joint, own, size) in enumerate(zip(bank.joints, bits.joints, joint_bits(bits), strict=True)):
        peaks = [clip_error.joints[number] for clip_error in errors or () if number < bank.real_joints]
        result.append({
            "name": title_of(joint.name), "curves": list(curves_in(joint.name)), "parent": joint.parent,
            "bytes": size / 8, "share": round(size / bits.total, 6),
            "bind_bits": own.bind, "skin_bits": own.skin, "name_bits": own.name,
            "carries": None if carrying is None or is_curve(joint.name) else joint.name in carrying,
            "worst": _error(max(peaks, key=_metres)) if peaks else None,
            "nearest": _error(max(peaks, key=_nearness)) if peaks else None,
        })
    return result


def _clips(subject: Subject, bits: BankBits, errors: Sequence[ClipErrors] | None) -> list[dict[str, object]]:
    bank, source = subject.bank, subject.source
    stripped = [] if source is None else without_its_tiers(subject)
    result: list[dict[str, object]] = []
    for number, (clip, size) in enumerate(zip(bank.clips, bits.clips, strict=True)):
        raw = raw_bytes(clip.frame_count, [joint.name for joint in bank.joints])
        result.append({
            "name": clip.name, "source": None if source is None else source.clips[number].source,
            "codec": clip.codec, "frames": clip.frame_count, "rate": clip.rate_q16 / 65536,
            "loop": clip.loop, "mode": clip.mode, "additive": bank.additive_text(number),
            "mirror_of": bank.mirror_text(number),
            "bytes": clip.size_bytes, "raw_bytes": raw,
            "ratio": None if clip.mirrored else round(raw / clip.size_bytes, 3),
            "restart_frames": clip.restart_frames, "breaks": [list(item) for item in breaks_of(bank, number)],
            **_bits_of_clip(size), **_errors_of_clip(errors[number] if errors else None),
            "curves": None if source is None else _curves(subject, source, number),
            "measure": None if source is None else _measure(source.clips[number]),
            "tier_errors_mm": None if source is None else [_mm(item) for item in tier_errors_m(stripped, number)],
        })
    return result


def _curves(subject: Subject, source: Source, clip: int) -> list[dict[str, object]]:
    """Returns the largest error of every curve of a clip, in units of its values."""
    return [asdict(error) for error in curve_errors(subject.bank, subject.words, clip, source.clips[clip],
                                                    breaks_of(subject.bank, clip), source.limits_m[clip])]


def _measure(clip: Clip) -> dict[str, float] | None:
    """Returns how a retargeted clip differs from its source, or None for other clips."""
    return None if clip.measure is None or clip.mirror_of else asdict(clip.measure)


def _bits_of_clip(bits: ClipBits) -> dict[str, object]:
    return {"entry_bits": bits.entry, "shared_bits": bits.shared,
            "tracks": [{"joint": track.joint, "kind": track.kind, "header_bits": track.header,
                        "keys_bits": track.keys, "values_bits": track.values} for track in bits.tracks]}


def _errors_of_clip(errors: ClipErrors | None) -> dict[str, object]:
    if errors is None:
        return dict.fromkeys(("tolerance_mm", "mean_mm", "worst", "nearest", "over_time_mm", "used_over_time",
                              "joint_errors_mm"))
    used = [round(share, 6) for share in errors.used.tolist()] if errors.used.any() else None
    return {
        "tolerance_mm": _limit_mm(errors.tolerance_m), "mean_mm": _mm(errors.mean_m),
        "worst": _error(errors.largest), "nearest": _error(errors.nearest),
        "over_time_mm": [_mm(error) for error in errors.over_time_m.tolist()], "used_over_time": used,
        "joint_errors_mm": [_mm(peak.metres) for peak in errors.joints],
    }


def _drops(subject: Subject, bits: BankBits) -> dict[str, object] | None:
    """Returns the savings of leaving out the joints that carry nothing, or None if these are unknown."""
    source = subject.source
    if source is None or source.idle is None:
        return None
    sizes = joint_bits(bits)
    idle = [joint for joint, name in enumerate(source.skeleton.names) if name in source.idle]
    saved = sum(sizes[joint] for joint in idle)
    return {"joints": [{"joint": joint, "bytes": sizes[joint] / 8} for joint in idle],
            "bytes": saved / 8, "share": round(saved / bits.total, 6)}


def joint_bits(bits: BankBits) -> list[int]:
    """Returns the bits of every joint: its bind pose, skin matrix and name, and its tracks in all clips."""
    sizes = [joint.total for joint in bits.joints]
    for clip in bits.clips:
        for track in clip.tracks:
            sizes[track.joint] += track.total
    return sizes


def _metres(peak: Peak) -> float:
    return peak.metres


def _nearness(peak: Peak) -> tuple[float, float]:
    """Returns the fraction of the tolerance that an error uses, and its size, which decides among infinite
    tolerances."""
    return peak.metres / peak.limit_m, peak.metres


def _error(peak: Peak) -> dict[str, object]:
    return {"error_mm": _mm(peak.metres), "tolerance_mm": _limit_mm(peak.limit_m), "clip": peak.clip,
            "joint": peak.joint, "frame": peak.sample / 2}


def _mm(metres: float) -> float:
    """Returns millimetres, rounded to nanometres: a thousandth of the smallest step of a bank."""
    return round(metres * 1e3, 6)


def _limit_mm(metres: float) -> float | None:
    return _mm(metres) if math.isfinite(metres) else None
