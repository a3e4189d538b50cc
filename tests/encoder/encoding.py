"""One clip through the encoder and back, with everything that a test may ask about it."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ossicle.encoding import native
from ossicle.bank.clips import name_hash
from ossicle.bank.file import Bank, parse_bank
from ossicle.encoding.sections import names_section
from ossicle.encoding.scheme import Scheme
from damage import damaged_banks
from shell_measure import find_breaks, shell_errors, with_midpoints

ONE_Q20 = 1 << 20
KINDS = ("rotation", "translation", "scale")
DEFAULT_CODECS = native.EncodeSettings(1.0).codecs
PARTS = (slice(0, 4), slice(4, 7), slice(7, 10))
CLEARLY_M = 1e-4  # a difference of errors that cannot be rounding
FLOAT_STEP = 2.0**-23  # of a length of one metre, as decoded clips hold it


@dataclass(frozen=True, eq=False)
class Source:
    """A clip as the encoder takes it: parents [J], bind [J, 10], frames [F, J, 10], steps bool [F, J, 3]."""

    parents: np.ndarray
    bind: np.ndarray
    frames: np.ndarray
    steps: np.ndarray

    def __repr__(self) -> str:
        return (f"<{len(self.frames)} frames, parents {self.parents.tolist()}, "
                f"{int(self.breaks.sum())} breaks>")

    @property
    def breaks(self) -> np.ndarray:
        """The breaks of tracks by the tests' own measure: bool [F, J, 3]."""
        return find_breaks(self.frames, self.steps)


@dataclass(frozen=True, eq=False)
class Encoded:
    """The result of the encoder. played: [2F-1, J, 10]; error_m: by the tests' own measure, which the encoder's agrees
    with. verified: whether the encoder accepts the finished bank, and refuses one that plays otherwise."""

    source: Source
    report: native.Report
    breaks: list[tuple[int, int, str]]
    bank: Bank
    data: bytes
    verified: bool
    played: np.ndarray
    error_m: float

    @property
    def subtrack_kinds(self) -> dict[tuple[int, str], str]:
        """default, constant or animated for every (joint, kind)."""
        clip = self.bank.clips[0]
        kinds = {(j, kind): "default" for j in range(len(self.source.parents)) for kind in KINDS}
        for subtrack in clip.constant_subtracks:
            kind, joint = self.bank.subtracks[subtrack]
            kinds[joint, kind] = "constant"
        for track in clip.tracks:
            kind, joint = self.bank.subtracks[track.subtrack]
            kinds[joint, kind] = "animated"
        return kinds


def make_source(parents: list[int], frames: np.ndarray, bind: np.ndarray | None = None,
                steps: np.ndarray | None = None) -> Source:
    """A source; without a bind pose that of frame 0."""
    return Source(np.array(parents, np.int32), frames[0].copy() if bind is None else bind, frames,
                  np.zeros((*frames.shape[:2], 3), bool) if steps is None else steps)


def closed(source: Source) -> Source:
    """The source with its first frame at the end."""
    frames = source.frames.copy()
    frames[-1] = frames[0]
    return Source(source.parents, source.bind, frames, source.steps)


def rest(frame_count: int, joints: int) -> np.ndarray:
    """Frames in which nothing happens: identity rotations, unit scales."""
    frames = np.zeros((frame_count, joints, 10))
    frames[..., 3] = 1.0
    frames[..., 7:10] = 1.0
    return frames


def axis_angle(axis: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Quaternions x y z w [..., 4] about axes [..., 3] of any length, angles in radians."""
    axis = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
    half = np.asarray(angle, float)[..., None] / 2
    vector, scalar = axis * np.sin(half), np.cos(half)
    return np.concatenate([vector, np.broadcast_to(scalar, (*vector.shape[:-1], 1))], -1)


def try_encode(source: Source, tolerance_m: float, restart_log2: int = 6, effort: str = "default", loop: bool = False,
               shell_m: float = 0.03, codecs: tuple[str, ...] = DEFAULT_CODECS,
               layer: bool = False, scheme: Scheme | None = None,
               ) -> tuple[int, native.EncodedClip | None, native.Report]:
    """The encoder's own answer: status, clip, report. A scheme brings its codec along."""
    skeleton = native.Skeleton(source.parents, source.bind)
    settings = native.EncodeSettings(tolerance_m, shell_m, restart_log2, effort,
                                     codecs if scheme is None else (scheme.codec,), layer=layer, scheme=scheme)
    return native.encode_clip(skeleton, native.ClipInput(source.frames, source.steps, loop), settings)


def write_one(encoded: native.EncodedClip, joints: int, rate: float = 30.0) -> bytes:
    """The bank of a single clip called "clip"."""
    names = names_section([f"joint{j}" for j in range(joints)], ["clip"])
    entry = (name_hash("clip"), round(rate * 65536), round(rate * 2048 * 2**32 / 1e6))
    return native.write_bank(encoded.skeleton, [encoded], [entry], names)


def encode_source(source: Source, tolerance_m: float, restart_log2: int = 6,
                  effort: str = "default", shell_m: float = 0.03,
                  codecs: tuple[str, ...] = DEFAULT_CODECS, loop: bool = False,
                  layer: bool = False, scheme: Scheme | None = None) -> Encoded:
    """Encodes, writes a bank, plays it through the runtime and measures; AssertionError where the encoder gives up."""
    status, clip, report = try_encode(source, tolerance_m, restart_log2, effort, loop, shell_m, codecs, layer, scheme)
    assert status == native.OK and clip is not None, (
        f"status {status}: {report.error_m} m at joint {report.joint}, frame {report.frame}")
    return played_back(source, clip, shell_m)


def played_back(source: Source, clip: native.EncodedClip, shell_m: float = 0.03) -> Encoded:
    """Writes a bank of the clip alone, plays it through the runtime and measures."""
    data = write_one(clip, len(source.parents))
    reference = with_midpoints(source.frames, source.breaks)

    def play(words: np.ndarray) -> tuple[np.ndarray, float]:
        played = native.decode_clip(words, 0, len(source.parents), True).astype(np.float64)
        return played, float(shell_errors(source.parents, reference, played, shell_m, source.bind).max())

    words, told_m = native.bank_words(data), clip.report.axes_error_m
    played, error_m = play(words)
    assert abs(error_m - told_m) <= 1e-6 + 4 * FLOAT_STEP * np.abs(reference).max()
    verified = native.verify_clips(words, [clip]) is None
    with np.errstate(invalid="ignore"):  # rotations of no length, whose error is no number
        shows = next(damaged for damaged in map(native.bank_words, damaged_banks(data, 0))
                     if native.check_bank(damaged)[0] == 0
                     and abs(play(damaged)[1] - told_m) > CLEARLY_M)
    verified = verified and native.verify_clips(shows, [clip]) == 0
    return Encoded(source, clip.report, clip.breaks(), parse_bank(data), data, verified, played, error_m)


def listed_breaks(source: Source) -> list[tuple[int, int, str]]:
    """All breaks of the source as (frame, joint, kind), by frame, kind, joint."""
    frames, joints, kinds = np.nonzero(source.breaks)
    order = np.lexsort((joints, kinds, frames))
    return [(int(frames[i]), int(joints[i]), KINDS[kinds[i]]) for i in order]
