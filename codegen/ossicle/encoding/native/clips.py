"""Encodes clips with the arrays and settings of this package."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from ...base.arrays import Array
from ...base.codec import codec_bits
from ...base.encoder_library import EFFORTS, KEYS, POINTS, declarations, library
from ...model.blocks import blocks
from ...model.clip import TRACK_KINDS
from ...model.samples import Frames, Samples
from ..scheme import Scheme, scheme_numbers
from .arrays import OK, Pointer, bank_words, check_memory, doubles, pointer, words_bytes

Report: TypeAlias = Any  # a pointer to enc_report


@dataclass(frozen=True, eq=False)
class Images:
    """Mirror images of a skeleton's poses. partners: the joint that moves instead of each; apart: bool [J, 3], whether
    rotation, translation and scale of the bind pose are elsewhere in its image."""

    partners: Sequence[int]
    apart: Array


class Skeleton:
    """A skeleton inside the encoder.

    parents: int [J], parents before their children, -1 for roots; bind: float64 [J, 10]; 1 <= J <=
    1024; images: of poses, in banks with mirror images.
    """

    def __init__(self, parents: Array, bind: Array, images: Images | None = None) -> None:
        handle = library().enc_skeleton_new(
            len(parents), pointer("int32_t", np.ascontiguousarray(parents, np.int32)),
            pointer("double", np.ascontiguousarray(bind, np.float64)))
        if not handle:
            raise MemoryError("the encoder ran out of memory")
        self.handle = declarations().gc(handle, library().enc_skeleton_free)
        self.parents, self.bind = parents, bind
        if images is not None:
            check_memory(library().enc_skeleton_mirror(
                handle, pointer("int32_t", np.array(images.partners, np.int32)),
                pointer("uint8_t", np.ascontiguousarray(images.apart, np.uint8))))

    def bind_q20(self) -> tuple[Array, bool]:
        """Returns the bind pose as stored in a bank, int32 [J, 10], and whether the bank has scale for it."""
        bind = np.zeros((len(self.parents), 10), np.int32)
        return bind, bool(library().enc_skeleton_bind(self.handle, pointer("int32_t", bind)))

    def travel(self, frames: Array, shell_m: float) -> Array:
        """Returns how far the shell of any joint moves from each frame [F, J, 10] to the next:
        metres [F - 1]."""
        travel = np.zeros(max(len(frames) - 1, 0))
        for block in blocks(len(travel), frames.shape[1]):
            some, moved = np.ascontiguousarray(frames[block.start:block.stop + 1], np.float64), travel[block]
            check_memory(library().enc_travel(
                self.handle, len(some), pointer("double", some),
                declarations().new("enc_shell *", {"distance_m": shell_m}), pointer("double", moved)))
        return travel


class EncodedClip:
    """A clip inside the encoder, with its report; keeps its skeleton and its input alive."""

    def __init__(self, handle: Pointer, skeleton: Skeleton, report: Report, arguments: Arguments) -> None:
        self.handle = declarations().gc(handle, library().enc_clip_free)
        self.skeleton, self.report, self._arguments = skeleton, report, arguments

    def breaks(self) -> list[tuple[int, int, str]]:
        """Returns (frame, joint, kind) of every break, in ascending order of frames."""
        triples = np.zeros((self.report.breaks, 3), np.uint32)
        count = library().enc_clip_breaks(self.handle, pointer("uint32_t", triples), len(triples))
        return [(int(f), int(j), TRACK_KINDS[k]) for f, j, k in triples[:count]]

    def saved(self) -> bytes:
        """Returns the words from which load_clip restores this clip. To be called before keys are moved."""
        ffi = declarations()
        out, count = ffi.new("uint32_t **"), ffi.new("uint32_t *")
        check_memory(library().enc_clip_save(self.handle, out, count))
        return words_bytes(out[0], count[0])

    def move_keys(self, errors_m: Sequence[float]) -> None:
        """Moves the keys of a clip whose scheme has tiers, so that with only the first 0, 1, .. tiers no joint exceeds
        these errors. Updates the errors in its report."""
        check_memory(library().enc_clip_move_keys(self.handle, len(errors_m), doubles(errors_m), self.report))

    def key_bits(self, errors_m: Sequence[float]) -> list[int]:
        """Returns the bits that keys and their positions would take in the clip and in each tier with these errors."""
        bits = declarations().new("uint64_t[]", len(errors_m) + 1)
        check_memory(library().enc_clip_key_bits(self.handle, len(errors_m), doubles(errors_m), bits))
        return list(bits)

    def probe(self, probes: Probes) -> tuple[float, int, int]:
        """Returns the shell error at positions of the source that is largest relative to its
        joint's tolerance, in metres, with its joint and probe."""
        ffi, arguments = declarations(), Arguments()
        error, joint, probe = ffi.new("double *"), ffi.new("uint32_t *"), ffi.new("uint32_t *")
        check_memory(library().enc_clip_probe(
            self.handle, ffi.new("enc_probes *", arguments.probes(probes)), error, joint, probe))
        return error[0], joint[0], probe[0]


@dataclass(frozen=True)
class EncodeSettings:
    """Settings of the encoder. Lengths are in metres; restart points are every 2**restart_log2
    frames."""

    tolerance_m: float
    shell_m: float = 0.03
    restart_log2: int = 6
    effort: str = "default"
    codecs: tuple[str, ...] = ("delta",)
    joint_tolerance_m: Array | None = None  # float64 [J]; replaces tolerance_m
    pinned: Array | None = None  # bool [J]
    layer: bool = False  # no compensation; every chain keeps the tolerance on its own
    keys: str = KEYS[0]  # how the velocity codec writes its keys
    scheme: Scheme | None = None  # the scheme of the codecs sparse and dense
    points: str = POINTS[0]  # the points of the shell that are measured
    state_bits: int = 0  # that a word of a player's state counts as in the codec curve; at most 2**16
    values: Sequence[bool] | None = None  # [J]: roots with curves, which no figure of the report includes
    # an encoding of the same input with the same settings but other codecs, which saves time and changes nothing else
    like: EncodedClip | None = field(default=None, metadata={"keyed": False})


@dataclass(frozen=True, eq=False)
class Probes:
    """Positions of a source between its frames. positions_q11: uint32 [N], in frames, Q11;
    transforms: float64 [N, J, 10], the source at these positions."""

    positions_q11: Array
    transforms: Array


@dataclass(frozen=True, eq=False)
class ClipInput:
    """A clip to encode. frames: float64 [F, J, 10]; steps: bool [F, J, 3], True if the track jumps
    at that frame; loop: whether the last frame must equal the first; middles: float64 [F - 1, J,
    10], the source at the midpoints, or None if these are means; probes: further positions at which the tolerance must
    hold; over: float64 [J, 10], the pose from which the clip's transforms are
    differences, or None; kept: bool [F], True where keys of the codec dense never move to a tier."""

    frames: Frames
    steps: Array
    loop: bool = False
    middles: Array | None = None
    probes: Probes | None = None
    kept: Array | None = None
    over: Array | None = None


class Arguments:
    """Structures for a call, by field. Keeps the data that they point to, which must live until the call returns, and
    as long as the resulting clip."""

    def __init__(self) -> None:
        self._kept: list[Pointer] = []

    def _keep(self, pointer: Pointer) -> Pointer:
        self._kept.append(pointer)
        return pointer

    def _array(self, kind: str, array: Array | Sequence[bool] | None, dtype: type) -> Pointer:
        if array is None:
            return declarations().NULL
        return self._keep(pointer(kind, np.ascontiguousarray(array, dtype)))

    def probes(self, probes: Probes | None) -> dict[str, Any]:
        return {} if probes is None else {
            "count": len(probes.positions_q11),
            "positions_q11": self._array("uint32_t", probes.positions_q11, np.uint32),
            "transforms": self._array("double", probes.transforms, np.float64)}

    def _frames(self, frames: Frames) -> dict[str, Any]:
        if not isinstance(frames, Samples):
            return {"frames": self._array("double", frames, np.float64)}
        columns = [self._array("double", column, np.float64) for column in frames.columns]
        return {"columns": self._keep(declarations().new("double *[]", columns)),
                "varies": self._array("uint8_t", [len(column) > 1 for column in frames.columns], np.uint8)}

    def input(self, clip: ClipInput) -> Pointer:
        return declarations().new("enc_input *", {
            "frame_count": len(clip.frames), "loop": clip.loop,
            **self._frames(clip.frames),
            "steps": self._array("uint8_t", clip.steps, np.uint8),
            "middles": self._array("double", clip.middles, np.float64),
            "probes": self.probes(clip.probes),
            "over": self._array("double", clip.over, np.float64),
            "kept": self._array("uint8_t", clip.kept, np.uint8)})

    def options(self, settings: EncodeSettings) -> Pointer:
        ffi = declarations()
        return ffi.new("enc_options *", {
            "tolerance_m": settings.tolerance_m,
            "shell": {"distance_m": settings.shell_m, "points": POINTS.index(settings.points)},
            "restart_log2": settings.restart_log2, "effort": EFFORTS.index(settings.effort),
            "codecs": codec_bits(settings.codecs),
            "joint_tolerance_m": self._array("double", settings.joint_tolerance_m, np.float64),
            "pinned": self._array("uint8_t", settings.pinned, np.uint8),
            "values": self._array("uint8_t", settings.values, np.uint8),
            "layer": settings.layer, "keys": KEYS.index(settings.keys),
            "state_bits": settings.state_bits,
            "like": ffi.NULL if settings.like is None else settings.like.handle,
            "scheme": ffi.NULL if settings.scheme is None else
            self._keep(ffi.new("enc_scheme *", scheme_numbers(settings.scheme)))})


def encode_clip(skeleton: Skeleton, clip: ClipInput, settings: EncodeSettings) \
        -> tuple[int, EncodedClip | None, Report]:
    """Encodes one clip. Returns the status (OK or ERROR_*), the clip if it succeeded, and the report in any case.
    Raises MemoryError."""
    ffi, arguments = declarations(), Arguments()
    handle, report = ffi.new("enc_clip **"), ffi.new("enc_report *")
    status = library().enc_clip_encode(skeleton.handle, arguments.input(clip),
                                       arguments.options(settings), handle, report)
    check_memory(status)
    encoded = EncodedClip(handle[0], skeleton, report, arguments) if status == OK else None
    return status, encoded, report


def load_clip(skeleton: Skeleton, clip: ClipInput, settings: EncodeSettings, saved: bytes) -> EncodedClip | None:
    """Restores the result of encode_clip with the same arguments from the words of EncodedClip.saved. Returns None if
    they do not belong to it."""
    ffi, arguments = declarations(), Arguments()
    handle, report = ffi.new("enc_clip **"), ffi.new("enc_report *")
    words = bank_words(saved)
    status = library().enc_clip_load(
        skeleton.handle, arguments.input(clip), arguments.options(settings),
        ffi.new("enc_saved_clip *", {"words": pointer("uint32_t", words), "word_count": len(words)}), handle, report)
    check_memory(status)
    return EncodedClip(handle[0], skeleton, report, arguments) if status == OK else None


def share_memory(threads: int) -> None:
    """Lets this many threads share freed memory, which each of them would keep otherwise."""
    library().enc_share_memory(threads)


def fast_moves(frames: Array, parts: int = 1) -> Array:
    """Returns bool [F, J, 3]: the tracks that move too fast from the previous frame to be blended. parts: the
    number of equal parts into which further frames divide the motion."""
    fast = np.zeros((*frames.shape[:2], len(TRACK_KINDS)), bool)
    for block in blocks(len(frames), frames.shape[1]):
        first = max(block.start - 1, 0)  # the first frame's speed needs the previous frame
        some = np.ascontiguousarray(frames[first:block.stop], np.float64)
        found = np.zeros((*some.shape[:2], len(TRACK_KINDS)), np.uint8)
        library().enc_fast_moves(frames.shape[1], len(some), pointer("double", some), parts,
                                 pointer("uint8_t", found))
        fast[block] = found[block.start - first:]
    return fast


def resampling_error(skeleton: Skeleton, clip: ClipInput, settings: EncodeSettings) \
        -> tuple[int, Report]:
    """Compares the frames of a clip, blended exactly, with its source at midpoints and probes. Returns the status and
    the report, which has the errors."""
    report, arguments = declarations().new("enc_report *"), Arguments()
    status = library().enc_resampling_error(skeleton.handle, arguments.input(clip),
                                            arguments.options(settings), report)
    return status, report
