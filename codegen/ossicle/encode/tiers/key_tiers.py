"""Chooses which keys of a bank's dense clips lie in which streaming tier, over all clips at once."""
from __future__ import annotations

import math
import operator
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate

import numpy as np

from .. import native
from ..problems import EncodeProblem, keys_too_large
from .targets import TierTargets

# Errors that clips are tried with: 10 um to 100 m, each a sixth more than the one before.
LIMITS_M = np.array(list(accumulate([7.0 / 6.0] * 105, operator.mul, initial=1e-5)))

# Of all distributions of the bytes over clips the one with the smallest sum of the clips' largest
# errors, each to the power of three, is chosen: large errors weigh most, but a long wild clip may be off by
# more than short calm ones, whose bytes would not make it any better.
LEAST_PRICE = 1e-39  # of a byte, in the largest of these sums
HALVINGS = 40
TRIES = 8  # to meet a stated size, each from the bytes that the last one led to
SLACK = 0.0005  # of a size: how much lower the next try aims after one too many bytes


def move_keys(clips: Sequence[native.EncodedClip], targets: TierTargets, write: Callable[[], bytes],
              source: str, jobs: int | None = None) -> None:
    """Moves keys of all clips that were encoded with a scheme with tiers into targets.count tiers, so
    that the bank with the first 0, 1, .. tiers alone keeps what is stated: errors in every clip, or
    sizes, shares being those of the bank with all tiers. The clips' reports then have their errors.

    clips: all of the bank; those without keys that can move are left as they are. write: makes the
    bank of the clips as they are. source: a file for messages. Raises EncodeProblem for a size that the
    bank cannot have.
    """
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        _Chooser(clips, targets, write, source, pool).choose()


class _Chooser:
    """Looks for the errors of every clip that lead to the stated sizes."""

    def __init__(self, clips: Sequence[native.EncodedClip], targets: TierTargets,
                 write: Callable[[], bytes], source: str, pool: ThreadPoolExecutor) -> None:
        self.clips, self.targets, self.write, self.source, self.pool = clips, targets, write, source, pool
        stated = targets.errors_m or (LIMITS_M[0],) * targets.count
        self.errors_m = np.tile(np.array(stated), (len(clips), 1))  # [clip, tier]

    def choose(self) -> None:
        self._move()
        if self.targets.errors_m:
            return
        sizes, total = self._sizes()
        best, fullest, lower = None, 0.0, 0.0
        for _ in range(TRIES):
            kept = self._estimates()
            self._aim([want * (1.0 - lower) - size + of_keys
                       for want, size, of_keys in zip(self.targets.limits(total), sizes, kept)])
            self._move()
            sizes, total = self._sizes()
            filled = [size / want for want, size in zip(self.targets.limits(total), sizes)]
            if max(filled) > 1.0:
                lower = max(2 * lower, SLACK)
            elif min(filled) > fullest:
                best, fullest = self.errors_m.copy(), min(filled)
                if fullest > 1.0 - 2 * SLACK:
                    return
        self.errors_m = self._towards_the_fewest() if best is None else best
        self._move()

    def _move(self) -> None:
        list(self.pool.map(lambda clip, errors: clip.move_keys(errors.tolist()), self.clips, self.errors_m))

    def _sizes(self) -> tuple[list[int], int]:
        """The bytes of the bank with the first 0, 1, .. tiers, and with all."""
        whole, tiers = len(self.write()), native.bank_size(self.clips).tier_bytes[:self.targets.count]
        return [whole - sum(tiers[with_tiers:]) for with_tiers in range(len(tiers))], whole

    def _estimates(self) -> list[float]:
        """The bytes of keys with the first 0, 1, .. tiers alone."""
        counts = self.pool.map(lambda clip, errors: clip.key_bits(errors.tolist()), self.clips, self.errors_m)
        bits = [math.fsum(of_tier) for of_tier in zip(*counts)]
        return [total / 8 for total in accumulate(bits)][:-1]

    def _curves(self) -> np.ndarray:
        """The bytes of keys that each clip would lose with each of the errors in LIMITS_M."""
        def curve(clip: native.EncodedClip) -> list[float]:
            return [clip.key_bits([limit])[1] / 8 for limit in LIMITS_M.tolist()]

        return np.maximum.accumulate(np.array(list(self.pool.map(curve, self.clips))), axis=1)

    def _aim(self, wanted: Sequence[float]) -> None:
        """Sets the errors with which keys are estimated to take no more in the base and the first 0,
        1, .. tiers."""
        curves = self._curves()
        for tier in reversed(range(len(wanted))):
            few, many = self._nearest(curves, tier, wanted[tier])
            low, high = 0.0, 1.0  # the share of the way between the two
            for _ in range(HALVINGS // 2):
                middle = (low + high) / 2
                self._set(tier, few + middle * (many - few))
                low, high = (middle, high) if self._estimates()[tier] > wanted[tier] else (low, middle)
            self._set(tier, few + high * (many - few))

    def _set(self, tier: int, errors_m: np.ndarray) -> None:
        """Sets the errors of one tier; those before it are no smaller."""
        self.errors_m[:, tier] = errors_m
        for before in range(tier):
            self.errors_m[:, before] = np.maximum(self.errors_m[:, before], errors_m)

    def _nearest(self, curves: np.ndarray, tier: int, wanted: float) -> tuple[np.ndarray, np.ndarray]:
        """The best errors of all clips with which a little too few keys move, and with which enough do."""
        share = LIMITS_M / LIMITS_M[-1]
        harm = share * share * share

        def best(price: float) -> np.ndarray:
            return LIMITS_M[np.argmin(harm - price * curves, axis=1)]

        low, high = LEAST_PRICE, 1.0
        for _ in range(HALVINGS):
            middle = math.sqrt(low * high)
            self._set(tier, best(middle))
            low, high = (middle, high) if self._estimates()[tier] > wanted else (low, middle)
        return best(low), best(high)

    def _towards_the_fewest(self) -> np.ndarray:
        """Errors, the same in all clips, that lead to the stated sizes by what was measured alone: estimates
        have led to none. Raises an EncodeProblem that says what is the least, if that is too much."""
        best = np.full_like(self.errors_m, LIMITS_M[-1])
        self.errors_m = best
        self._move()
        sizes, total = self._sizes()
        for tiers, (want, size) in enumerate(zip(self.targets.limits(total), sizes)):
            if size > want:
                raise EncodeProblem(keys_too_large(self.source, tiers, size, total, want))
        low, high = np.full_like(best, LIMITS_M[0]), best
        for _ in range(TRIES):
            middle = np.sqrt(low * high)
            self.errors_m = np.maximum.accumulate(middle[:, ::-1], axis=1)[:, ::-1]
            self._move()
            sizes, total = self._sizes()
            fits = np.array(sizes) <= np.array(self.targets.limits(total))
            low, high = np.where(fits, low, middle), np.where(fits, middle, high)
            if fits.all():
                best = self.errors_m
        return best
