"""The encoder library (codegen/encoder, C), called through ctypes.

The structures mirror codegen/encoder/encoder.h. Calls release the interpreter lock, so that
several clips can be encoded at once from threads.
"""
from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from ctypes import (
    POINTER,
    Structure,
    byref,
    c_double,
    c_float,
    c_int32,
    c_uint8,
    c_uint32,
    c_void_p,
)
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from ..base.codec import codec_bits
from .scheme import BASES, FORMATS, MARGINS, REDUCTIONS, Scheme

OK = 0
ERROR_MEMORY, ERROR_RANGE, ERROR_TOLERANCE, ERROR_LOOP, ERROR_TOO_LARGE, ERROR_INTERNAL = range(
    -1, -7, -1
)
EFFORTS = ("fast", "default", "max")
POINTS = ("axes", "sphere")  # enc_points
KEYS = ("smallest", "published", "full")  # enc_keys
KINDS = ("rotation", "translation", "scale")
NO_RESTARTS_LOG2 = 31
MOST_TIERS = 2

LIBRARY_VARIABLE = "OSSICLE_ENCODER"
_BUILT_LIBRARY = Path(__file__).resolve().parents[3] / "build/host/libossicle_encoder.so"


class NativeProblem(Exception):
    """The encoder library is missing or refused a bank; str() is the one-line message."""


class SchemeOptions(Structure):
    """enc_scheme."""

    _fields_ = [(name, c_uint32) for name in (
        "rotations", "vectors", "basis", "reduction", "margin", "period", "time_bits", "tag_bits",
        "component_tag_bits", "mix", "fixed", "tiers")]


class _Shell(Structure):
    _fields_ = [("distance_m", c_double), ("points", c_uint32)]


class _Probes(Structure):
    _fields_ = [
        ("count", c_uint32),
        ("positions_q11", POINTER(c_uint32)),
        ("transforms", POINTER(c_double)),
    ]


class _Input(Structure):
    _fields_ = [
        ("frame_count", c_uint32),
        ("loop", c_int32),
        ("frames", POINTER(c_double)),
        ("steps", POINTER(c_uint8)),
        ("middles", POINTER(c_double)),
        ("probes", _Probes),
    ]


class _Options(Structure):
    _fields_ = [
        ("tolerance_m", c_double),
        ("shell", _Shell),
        ("restart_log2", c_uint32),
        ("effort", c_uint32),
        ("codecs", c_uint32),
        ("joint_tolerance_m", POINTER(c_double)),
        ("pinned", POINTER(c_uint8)),
        ("layer", c_uint32),
        ("keys", c_uint32),
        ("scheme", POINTER(SchemeOptions)),
    ]


class Report(Structure):
    """enc_report: what came of a clip, or where it failed."""

    _fields_ = [
        ("error_m", c_double),
        ("frame", c_double),
        ("value", c_double),
        ("joint", c_int32),
        ("kind", c_uint32),
        ("default_tracks", c_uint32),
        ("constant_tracks", c_uint32),
        ("animated_tracks", c_uint32),
        ("breaks", c_uint32),
        ("codec", c_uint32),
        ("pinned_error_m", c_double),
        ("pinned_joint", c_int32),
        ("chain_error_m", c_double),
        ("chain_frame", c_double),
        ("chain_start", c_int32),
        ("chain_joint", c_int32),
        ("tight_error_m", c_double),
        ("tight_frame", c_double),
        ("tight_start", c_int32),
        ("tight_joint", c_int32),
        ("axes_error_m", c_double),
        ("sphere_error_m", c_double),
        ("tiers", c_uint32),
        ("tier_error_m", c_double * MOST_TIERS),
    ]


class _ClipEntry(Structure):
    _fields_ = [
        ("name_hash", c_uint32),
        ("rate_q16", c_uint32),
        ("position_per_us_q32", c_uint32),
    ]


@lru_cache(maxsize=1)
def library() -> ctypes.CDLL:
    """The loaded encoder; NativeProblem where it was never built."""
    path = Path(os.environ.get(LIBRARY_VARIABLE, _BUILT_LIBRARY))
    try:
        lib = ctypes.CDLL(str(path))
    except OSError as error:
        raise NativeProblem(
            f"the encoder library cannot be loaded ({error}); build it with `scons`"
        ) from error
    words = POINTER(c_uint32)
    signatures = {
        "enc_skeleton_new": (c_void_p, [c_uint32, POINTER(c_int32), POINTER(c_double)]),
        "enc_skeleton_free": (None, [c_void_p]),
        "enc_clip_encode": (
            c_int32,
            [c_void_p, POINTER(_Input), POINTER(_Options), POINTER(c_void_p), POINTER(Report)],
        ),
        "enc_travel": (
            c_int32, [c_void_p, c_uint32, POINTER(c_double), POINTER(_Shell), POINTER(c_double)],
        ),
        "enc_resampling_error": (
            c_int32, [c_void_p, POINTER(_Input), POINTER(_Options), POINTER(Report)],
        ),
        "enc_clip_probe": (
            c_int32, [c_void_p, POINTER(_Probes), POINTER(c_double), words, words],
        ),
        "enc_clip_free": (None, [c_void_p]),
        "enc_clip_breaks": (c_uint32, [c_void_p, words, c_uint32]),
        "enc_bank_write": (
            c_int32,
            [c_void_p, c_uint32, POINTER(c_void_p), POINTER(_ClipEntry), words, c_uint32, words,
             c_uint32, POINTER(words), POINTER(c_uint32)],
        ),
        "enc_words_free": (None, [words]),
        "enc_bank_verify": (c_int32, [words, c_uint32, c_uint32, POINTER(c_void_p), words]),
        "enc_bank_decode": (c_int32, [words, c_uint32, c_uint32, c_int32, POINTER(c_float)]),
        "enc_bank_check": (c_int32, [words, c_uint32, words]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(lib, name, None)
        if function is None:
            raise NativeProblem(f"{path} is no encoder library of this Ossicle ({name} is "
                                "missing); build it again with `scons`")
        function.restype, function.argtypes = result, arguments
    return lib


def _pointer(array: np.ndarray, kind: type) -> ctypes._Pointer:
    return array.ctypes.data_as(POINTER(kind))


class Skeleton:
    """A skeleton inside the encoder.

    parents: int [J], parents first, -1 for roots; bind: float64 [J, 10]; 1 <= J <= 1024.
    """

    def __init__(self, parents: np.ndarray, bind: np.ndarray) -> None:
        self._free = library().enc_skeleton_free
        parents = np.ascontiguousarray(parents, np.int32)
        bind = np.ascontiguousarray(bind, np.float64)
        self.handle = library().enc_skeleton_new(
            len(parents), _pointer(parents, c_int32), _pointer(bind, c_double)
        )
        if not self.handle:
            raise MemoryError("the encoder ran out of memory")

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self._free(self.handle)

    def travel(self, frames: np.ndarray, shell_m: float) -> np.ndarray:
        """How far the shell of any joint moves from each frame [F, J, 10] to the next: metres
        [F - 1]."""
        frames = np.ascontiguousarray(frames, np.float64)
        travel = np.zeros(max(len(frames) - 1, 0))
        _check_memory(library().enc_travel(
            self.handle, len(frames), _pointer(frames, c_double), byref(_Shell(shell_m)),
            _pointer(travel, c_double)))
        return travel


class EncodedClip:
    """A clip inside the encoder, with its report; keeps its skeleton alive."""

    def __init__(self, handle: int, skeleton: Skeleton, report: Report) -> None:
        self._free = library().enc_clip_free
        self.handle, self.skeleton, self.report = handle, skeleton, report

    def __del__(self) -> None:
        self._free(self.handle)

    def breaks(self) -> list[tuple[int, int, str]]:
        """(frame, joint, kind) of every break, ascending by frame."""
        triples = np.zeros((self.report.breaks, 3), np.uint32)
        count = library().enc_clip_breaks(self.handle, _pointer(triples, c_uint32), len(triples))
        return [(int(f), int(j), KINDS[k]) for f, j, k in triples[:count]]

    def probe(self, probes: Probes) -> tuple[float, int, int]:
        """The shell error at positions of the source, in metres, that is largest relative to its
        joint's tolerance, with its joint and probe."""
        error, joint, probe = c_double(), c_uint32(), c_uint32()
        arguments = _Arguments()
        _check_memory(library().enc_clip_probe(self.handle, byref(arguments.probes(probes)),
                                               byref(error), byref(joint), byref(probe)))
        return error.value, joint.value, probe.value


@dataclass(frozen=True)
class EncodeSettings:
    """How clips are encoded: lengths in metres; restart points every 2**restart_log2 frames."""

    tolerance_m: float
    shell_m: float = 0.03
    restart_log2: int = 6
    effort: str = "default"
    codecs: tuple[str, ...] = ("delta",)
    joint_tolerance_m: np.ndarray | None = None  # float64 [J], instead of tolerance_m
    pinned: np.ndarray | None = None  # bool [J]
    layer: bool = False  # no compensation; every chain keeps the tolerance by itself
    keys: str = "smallest"  # of KEYS: how the velocity codec writes its keys
    scheme: Scheme | None = None  # what the codecs sparse and dense write
    points: str = "axes"  # of POINTS: which points of the shell are measured


@dataclass(frozen=True, eq=False)
class Probes:
    """Positions of a source between its frames. positions_q11: uint32 [N], in frames, Q11;
    transforms: float64 [N, J, 10], the source there."""

    positions_q11: np.ndarray
    transforms: np.ndarray


@dataclass(frozen=True, eq=False)
class ClipInput:
    """A clip to encode. frames: float64 [F, J, 10]; steps: bool [F, J, 3], True where the track
    jumps at that frame; loop: whether the last frame is to be the first; middles: float64
    [F - 1, J, 10], the source half way between frames, None where that is the mean; probes: where
    else the tolerance has to hold."""

    frames: np.ndarray
    steps: np.ndarray
    loop: bool = False
    middles: np.ndarray | None = None
    probes: Probes | None = None


def scheme_options(scheme: Scheme) -> SchemeOptions:
    return SchemeOptions(
        FORMATS.index(scheme.rotations), FORMATS.index(scheme.vectors), BASES.index(scheme.basis),
        REDUCTIONS.index(scheme.reduction), MARGINS.index(scheme.margin), scheme.period,
        scheme.time_bits, scheme.tag_bits, scheme.component_tag_bits, scheme.mix, scheme.fixed,
        scheme.tiers)


class _Arguments:
    """Structures for a call. It keeps the arrays and structures that they point to, which have to live
    until the call returns."""

    def __init__(self) -> None:
        self._kept: list[object] = []

    def _array(self, array: np.ndarray | None, dtype: type, kind: type) -> object:
        if array is None:
            return None
        self._kept.append(np.ascontiguousarray(array, dtype))
        return _pointer(self._kept[-1], kind)

    def probes(self, probes: Probes | None) -> _Probes:
        if probes is None:
            return _Probes()
        return _Probes(len(probes.positions_q11),
                       self._array(probes.positions_q11, np.uint32, c_uint32),
                       self._array(probes.transforms, np.float64, c_double))

    def input(self, clip: ClipInput) -> _Input:
        return _Input(len(clip.frames), clip.loop, self._array(clip.frames, np.float64, c_double),
                      self._array(clip.steps, np.uint8, c_uint8),
                      self._array(clip.middles, np.float64, c_double), self.probes(clip.probes))

    def options(self, settings: EncodeSettings) -> _Options:
        scheme = None
        if settings.scheme is not None:
            self._kept.append(scheme_options(settings.scheme))
            scheme = ctypes.pointer(self._kept[-1])
        shell = _Shell(settings.shell_m, POINTS.index(settings.points))
        return _Options(settings.tolerance_m, shell, settings.restart_log2,
                        EFFORTS.index(settings.effort), codec_bits(settings.codecs),
                        self._array(settings.joint_tolerance_m, np.float64, c_double),
                        self._array(settings.pinned, np.uint8, c_uint8), settings.layer,
                        KEYS.index(settings.keys), scheme)


def _check_memory(status: int) -> None:
    if status != OK:
        raise MemoryError("the encoder ran out of memory")


def encode_clip(skeleton: Skeleton, clip: ClipInput, settings: EncodeSettings) \
        -> tuple[int, EncodedClip | None, Report]:
    """Encodes one clip: status (OK or ERROR_*), the clip if it succeeded, the report in any
    case."""
    handle, report, arguments = c_void_p(), Report(), _Arguments()
    status = library().enc_clip_encode(skeleton.handle, byref(arguments.input(clip)),
                                       byref(arguments.options(settings)), byref(handle),
                                       byref(report))
    encoded = EncodedClip(handle.value, skeleton, report) if status == OK else None
    return status, encoded, report


def resampling_error(skeleton: Skeleton, clip: ClipInput, settings: EncodeSettings) \
        -> tuple[int, Report]:
    """How far the frames of a clip, blended exactly, are from its source half way between them and
    at its probes: status, and the report, which has the errors."""
    report, arguments = Report(), _Arguments()
    status = library().enc_resampling_error(skeleton.handle, byref(arguments.input(clip)),
                                            byref(arguments.options(settings)), byref(report))
    return status, report


def _handles(clips: Sequence[EncodedClip]) -> ctypes.Array[c_void_p]:
    return (c_void_p * len(clips))(*(clip.handle for clip in clips))


def write_bank(
    skeleton: Skeleton,
    clips: list[EncodedClip],
    entries: list[tuple[int, int, int]],
    names: bytes,
    skin: np.ndarray | None = None,
) -> bytes:
    """The bank of these clips, little endian.

    entries: name hash, rate (Q16), position per microsecond (Q32) for each clip; names: the body of
    the NAME section, a multiple of four bytes; skin: int32 [J, 12], the inverse bind matrices in
    Q20, None for a bank without them.
    """
    table = (_ClipEntry * len(clips))(*(_ClipEntry(*entry) for entry in entries))
    name_words = np.frombuffer(names, "<u4").astype(np.uint32)
    out, count = POINTER(c_uint32)(), c_uint32()
    skin_words = None if skin is None else np.ascontiguousarray(skin, np.int32).view(np.uint32)
    status = library().enc_bank_write(
        skeleton.handle, len(clips), _handles(clips), table, _pointer(name_words, c_uint32),
        len(name_words), None if skin_words is None else _pointer(skin_words, c_uint32),
        0 if skin_words is None else skin_words.size, byref(out), byref(count),
    )
    if status == ERROR_TOO_LARGE:
        raise NativeProblem("the bank would pass 65,535 clips or 256 MB, or a clip 16,383 breaks or "
                            "32 KB of track headers; split it")
    if status != OK:
        raise MemoryError("the encoder ran out of memory")
    try:
        return np.ctypeslib.as_array(out, (count.value,)).astype("<u4").tobytes()
    finally:
        library().enc_words_free(out)


def bank_words(bank: bytes) -> np.ndarray:
    """The words of a bank in the host's byte order, as the functions below take them."""
    return np.frombuffer(bank, "<u4", len(bank) // 4).astype(np.uint32)


def verify_clips(words: np.ndarray, clips: Sequence[EncodedClip]) -> int | None:
    """Whether the finished bank of these clips, played by the runtime, has exactly the errors that
    were reported: None, or the index of the first clip that differs."""
    verified = c_uint32()
    status = library().enc_bank_verify(
        _pointer(words, c_uint32), len(words), len(clips), _handles(clips), byref(verified))
    if status == ERROR_MEMORY:
        raise MemoryError("the encoder ran out of memory")
    return None if status == OK else verified.value


def decode_clip(words: np.ndarray, index: int, joint_count: int, midpoints: bool) -> np.ndarray:
    """Local transforms of a clip as the runtime plays it: float32 [F or 2F-1, J, 10]."""
    pointer = _pointer(words, c_uint32)
    count = library().enc_bank_decode(pointer, len(words), index, int(midpoints), None)
    if count < 0:
        raise NativeProblem(f"the runtime refuses the bank (error {count})")
    out = np.zeros((count, joint_count, 10), np.float32)
    library().enc_bank_decode(pointer, len(words), index, int(midpoints), _pointer(out, c_float))
    return out


def check_bank(words: np.ndarray) -> tuple[int, int]:
    """The runtime's verdict (0 or OSC_ERROR_*), and the words of memory that a player needs."""
    player_words = c_uint32()
    status = library().enc_bank_check(_pointer(words, c_uint32), len(words), byref(player_words))
    return status, player_words.value
