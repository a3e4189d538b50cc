"""Measures the errors of clips without streaming tiers of their bank."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..bank.file import parse_bank
from ..bank.strip import without_tiers
from .errors import errors_m
from .subject import Subject


def without_its_tiers(subject: Subject) -> list[Subject]:
    """Returns the subject with none of the tiers that its bank contains, with the first one, and so on, except with
    all."""
    count = sum(tier.there for tier in subject.bank.tiers)
    return [replace(subject, bank=parse_bank(without_tiers(subject.bank, kept)[0])) for kept in range(count)]


def tier_errors_m(stripped: Sequence[Subject], clip: int) -> list[float]:
    """Returns the largest error of a clip in each of these subjects whose tiers contain data of the clip."""
    return [float(errors_m(subject, clip)[:, :subject.bank.real_joints].max()) for subject in stripped
            if any(chunk.clip == clip for tier in subject.bank.tiers for chunk in tier.chunks)]
