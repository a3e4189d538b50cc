"""Distributes the keys of a bank's dense clips among streaming tiers, for all clips together."""
from __future__ import annotations

import math
import operator
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate

import numpy as np

from ...base.arrays import Array
from .. import native
from ..problems import EncodeProblem, keys_too_large
from .sizes import TierTargets

# The errors to try: 10 um to 100 m, in steps of a sixth.
LIMITS_M = np.array(list(accumulate([7.0 / 6.0] * 105, operator.mul, initial=1e-5)))

# The distribution of bytes among clips minimises the sum of the cubes of the clips' largest errors: large errors weigh
# most, but a long wild clip may have a larger error than short calm ones, whose bytes would hardly improve it.
LEAST_PRICE = 1e-39  # of a byte, in the largest of these sums
HALVINGS = 40
TRIES = 8  # to meet a stated size, each based on the bytes of the previous one
SLACK = 0.0005  # relative reduction of the next target size after a result with too many bytes


def move_keys(clips: Sequence[native.EncodedClip], targets: TierTargets, write: Callable[[], bytes],
              source: str, jobs: int | None = None) -> None:
    """Moves keys of all clips whose scheme has tiers into targets.count tiers, so that the bank with only the first 0,
    1, .. tiers meets the targets: errors of every clip, or sizes, where shares are of the bank with all tiers. Updates
    the errors in the clips' reports.

    clips: all of the bank; those without movable keys do not change. write: returns the bank with the current clips.
    source: a file for messages. Raises EncodeProblem for a size that the bank cannot have.
    """
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        _Chooser(clips, targets, write, source, pool).choose()


class _Chooser:
    """Searches for the errors of every clip that result in the stated sizes."""

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
            key_bytes = self._estimates()
            self._aim([limit * (1.0 - lower) - size + of_keys
                       for limit, size, of_keys in zip(self.targets.limits(total), sizes, key_bytes)])
            self._move()
            sizes, total = self._sizes()
            filled = [size / limit for limit, size in zip(self.targets.limits(total), sizes)]
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
        """Returns the bytes of the bank with the first 0, 1, .. tiers, and with all."""
        whole, tiers = len(self.write()), native.bank_size(self.clips).tier_bytes[:self.targets.count]
        return [whole - sum(tiers[with_tiers:]) for with_tiers in range(len(tiers))], whole

    def _estimates(self) -> list[float]:
        """Returns the bytes of keys with only the first 0, 1, .. tiers."""
        counts = self.pool.map(lambda clip, errors: clip.key_bits(errors.tolist()), self.clips, self.errors_m)
        bits = [math.fsum(of_tier) for of_tier in zip(*counts)]
        return [total / 8 for total in accumulate(bits)][:-1]

    def _curves(self) -> Array:
        """Returns the bytes of keys that each clip would save with each of the errors in LIMITS_M."""
        def curve(clip: native.EncodedClip) -> list[float]:
            return [clip.key_bits([limit])[1] / 8 for limit in LIMITS_M.tolist()]

        return np.maximum.accumulate(np.array(list(self.pool.map(curve, self.clips))), axis=1)

    def _aim(self, target_bytes: Sequence[float]) -> None:
        """Sets errors with which the estimated bytes of keys in the base and the first 0, 1, .. tiers are within these
        targets."""
        curves = self._curves()
        for tier in reversed(range(len(target_bytes))):
            few, many = self._nearest(curves, tier, target_bytes[tier])
            low, high = 0.0, 1.0  # interpolate between the two
            for _ in range(HALVINGS // 2):
                middle = (low + high) / 2
                self._set(tier, few + middle * (many - few))
                low, high = (middle, high) if self._estimates()[tier] > target_bytes[tier] else (low, middle)
            self._set(tier, few + high * (many - few))

    def _set(self, tier: int, errors_m: Array) -> None:
        """Sets the errors of a tier, and raises those before it to at least the same."""
        self.errors_m[:, tier] = errors_m
        for before in range(tier):
            self.errors_m[:, before] = np.maximum(self.errors_m[:, before], errors_m)

    def _nearest(self, curves: Array, tier: int, target_bytes: float) -> tuple[Array, Array]:
        """Returns the best errors of all clips with which slightly too few keys move, and with which enough move."""
        share = LIMITS_M / LIMITS_M[-1]
        harm = share * share * share

        def best(price: float) -> Array:
            return LIMITS_M[np.argmin(harm - price * curves, axis=1)]

        low, high = LEAST_PRICE, 1.0
        for _ in range(HALVINGS):
            middle = math.sqrt(low * high)
            self._set(tier, best(middle))
            low, high = (middle, high) if self._estimates()[tier] > target_bytes else (low, middle)
        return best(low), best(high)

    def _towards_the_fewest(self) -> Array:
        """Returns errors, equal in all clips, that result in the stated sizes, using only measured sizes because the
        estimates failed. Raises an EncodeProblem with the smallest possible size if that is too large."""
        best = np.full_like(self.errors_m, LIMITS_M[-1])
        self.errors_m = best
        self._move()
        sizes, total = self._sizes()
        for tiers, (limit, size) in enumerate(zip(self.targets.limits(total), sizes)):
            if size > limit:
                raise EncodeProblem(keys_too_large(self.source, tiers, size, total, limit))
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
