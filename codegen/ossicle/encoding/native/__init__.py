"""Calls the encoder with the arrays and settings of this package."""
from __future__ import annotations

from ...base.encoder_library import EFFORTS, KEYS, POINTS, NativeProblem, library
from .arrays import ERROR_LOOP, ERROR_RANGE, ERROR_TOLERANCE, ERROR_TOO_LARGE, OK, bank_words
from .bank_player import check_bank, decode_clip, pose_hash, track_bits
from .bank_writer import BankSize, Skin, Tiers, Version, bank_size, verify_clips, write_bank, write_sized_bank
from .clips import (
    ClipInput, EncodeSettings, EncodedClip, Probes, Report, Skeleton, encode_clip, fast_moves, load_clip,
    resampling_error, share_memory,
)

__all__ = [
    "BankSize", "ClipInput", "EFFORTS", "ERROR_LOOP", "ERROR_RANGE", "ERROR_TOLERANCE",
    "ERROR_TOO_LARGE", "EncodeSettings", "EncodedClip", "KEYS", "NativeProblem", "OK", "POINTS", "Probes", "Report",
    "Skeleton", "Skin", "Tiers", "Version", "bank_size", "bank_words", "check_bank", "decode_clip", "encode_clip",
    "fast_moves", "library", "load_clip", "pose_hash", "resampling_error", "share_memory", "track_bits", "verify_clips",
    "write_bank", "write_sized_bank",
]
