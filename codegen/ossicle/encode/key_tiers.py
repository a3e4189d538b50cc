"""Chooses which keys of a bank's dense clips lie in which streaming tier, over all clips at once."""
from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from ..bank.file import parse_bank
from ..base.problem import SettingProblem
from . import native

LIMITS_M = np.geomspace(1e-5, 1e2, 97)  # errors that clips are tried with

# Of all distributions of the bytes over clips the one with the smallest sum of the clips' largest
# errors, each to this power, is chosen: large errors weigh most, but a long wild clip may be off by
# more than short calm ones, whose bytes would not make it any better.
POWER = 3.0
HALVINGS = 40
TRIES = 8  # to meet a stated size, each from the bytes that the last one led to
SLACK = 0.0005  # of a size: how much lower the next try aims after one too many bytes


@dataclass(frozen=True)
class TierLimit:
    """What is stated for a bank with the first tiers alone. One of: error_m, the largest error of any
    clip; share, of the bytes of the bank with all tiers; size_bytes."""

    error_m: float | None = None
    share: float | None = None
    size_bytes: int | None = None


def move_keys(clips: Sequence[native.EncodedClip], limits: Sequence[TierLimit], write: Callable[[], bytes],
              jobs: int | None = None) -> None:
    """Moves keys of all clips that were encoded with a scheme with tiers into len(limits) tiers, so that
    the bank with the first 0, 1, .. tiers alone keeps the limits. The clips' reports then have their
    errors.

    clips: all of the bank; those that have no keys to move are left as they are. write: makes the
    bank of the clips as they are. Raises SettingProblem for a size that the bank cannot have.
    """
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        _Chooser(clips, limits, write, pool).choose()


class _Chooser:
    """Looks for the errors of every clip that lead to the stated sizes."""

    def __init__(self, clips: Sequence[native.EncodedClip], limits: Sequence[TierLimit],
                 write: Callable[[], bytes], pool: ThreadPoolExecutor) -> None:
        self.clips, self.limits, self.write, self.pool = clips, limits, write, pool
        stated = [LIMITS_M[0] if limit.error_m is None else limit.error_m for limit in limits]
        self.errors_m = np.tile(np.array(stated), (len(clips), 1))  # [clip, tier]

    def choose(self) -> None:
        self._move()
        if all(limit.error_m is not None for limit in self.limits):
            return
        sizes, total = self._sizes()
        best, fullest, lower = None, 0.0, 0.0
        for _ in range(TRIES):
            kept = self._estimates()
            self._aim([None if want is None else want * (1.0 - lower) - size + of_keys
                       for want, size, of_keys in zip(self._wanted(total), sizes, kept)])
            self._move()
            sizes, total = self._sizes()
            filled = [size / want for want, size in zip(self._wanted(total), sizes) if want is not None]
            if max(filled) > 1.0:
                lower = max(2 * lower, SLACK)
            elif min(filled) > fullest:
                best, fullest = self.errors_m.copy(), min(filled)
                if fullest > 1.0 - 2 * SLACK:
                    return
        if best is None:
            self._refuse()
        self.errors_m = best
        self._move()

    def _wanted(self, total: int) -> list[float | None]:
        """The bytes that are stated for the bank with the first 0, 1, .. tiers; None for an error."""
        return [limit.size_bytes if limit.share is None else limit.share * total for limit in self.limits]

    def _move(self) -> None:
        list(self.pool.map(lambda clip, errors: clip.move_keys(errors.tolist()), self.clips, self.errors_m))

    def _sizes(self) -> tuple[list[int], int]:
        """The bytes of the bank with the first 0, 1, .. tiers, and with all."""
        bank = self.write()
        tiers = [4 * tier.words for tier in parse_bank(bank).tiers]
        tiers += [0] * (len(self.limits) - len(tiers))
        return [len(bank) - sum(tiers[with_tiers:]) for with_tiers in range(len(tiers))], len(bank)

    def _estimates(self) -> list[float]:
        """The bytes of keys with the first 0, 1, .. tiers alone."""
        counts = self.pool.map(lambda clip, errors: clip.key_bits(errors.tolist()), self.clips, self.errors_m)
        bits = np.sum(list(counts), axis=0)
        return list(np.cumsum(bits)[:-1] / 8)

    def _curves(self) -> np.ndarray:
        """The bytes of keys that each clip would lose with each of the errors in LIMITS_M."""
        def curve(clip: native.EncodedClip) -> list[float]:
            return [clip.key_bits([limit])[1] / 8 for limit in LIMITS_M.tolist()]

        return np.maximum.accumulate(np.array(list(self.pool.map(curve, self.clips))), axis=1)

    def _aim(self, wanted: Sequence[float | None]) -> None:
        """Sets the errors with which keys are estimated to take no more in the base and the first 0,
        1, .. tiers."""
        curves = self._curves()
        for tier in reversed(range(len(wanted))):
            if wanted[tier] is None:
                continue
            few, many = self._nearest(curves, tier, wanted[tier])
            low, high = 0.0, 1.0  # the share of the way between the two
            for _ in range(HALVINGS // 2):
                middle = (low + high) / 2
                self._set(tier, few ** (1 - middle) * many ** middle)
                low, high = (middle, high) if self._estimates()[tier] > wanted[tier] else (low, middle)
            self._set(tier, few ** (1 - high) * many ** high)

    def _set(self, tier: int, errors_m: np.ndarray) -> None:
        """Sets the errors of one tier; those before it are no smaller."""
        self.errors_m[:, tier] = errors_m
        for before in range(tier):
            if self.limits[before].error_m is None:
                self.errors_m[:, before] = np.maximum(self.errors_m[:, before], errors_m)

    def _nearest(self, curves: np.ndarray, tier: int, wanted: float) -> tuple[np.ndarray, np.ndarray]:
        """The best errors of all clips with which a little too few keys move, and with which enough do."""
        harm = (LIMITS_M / LIMITS_M[-1]) ** POWER

        def best(log_price: float) -> np.ndarray:
            return LIMITS_M[np.argmin(harm - np.exp(log_price) * curves, axis=1)]

        low, high = -90.0, 0.0  # logarithms of what a byte is worth
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            self._set(tier, best(middle))
            low, high = (middle, high) if self._estimates()[tier] > wanted else (low, middle)
        return best(low), best(high)

    def _refuse(self) -> None:
        """Raises a SettingProblem that says what is the least."""
        for tier, limit in enumerate(self.limits):
            if limit.error_m is None:
                self.errors_m[:, tier] = LIMITS_M[-1]
        self._move()
        sizes, total = self._sizes()
        for tier, (want, size) in enumerate(zip(self._wanted(total), sizes)):
            if want is not None and size > want:
                what = "the base" if tier == 0 else f"the base with {tier} of {len(sizes)} tiers"
                raise SettingProblem(f"tiers: {what} takes {size} of {total} bytes at least "
                                     f"({100 * size / total:.1f} %), but {want:.0f} are stated; state more")
        raise SettingProblem(f"tiers: no distribution of the keys was found that keeps the stated sizes of {total} "
                             "bytes in all; state sizes that differ more")
