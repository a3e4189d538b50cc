"""Chooses which keys of a bank's dense clips lie in which streaming tier, over all clips at once."""
from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from ..base.problem import SettingProblem
from ..bank.file import parse_bank
from . import native

LEAST_M, MOST_M = 1e-6, 1e3  # errors between which those are looked for that lead to a size
HALVINGS = 24
TRIES = 6  # to meet a stated size, each from the bytes that the last one led to
SLACK = 0.0005  # of a size that each try aims lower than the last one


@dataclass(frozen=True)
class TierLimit:
    """What is stated for a bank with the first tiers alone. One of: error_m, the largest error of any
    clip; share, of the bytes of the bank with all tiers; size_bytes."""

    error_m: float | None = None
    share: float | None = None
    size_bytes: int | None = None


def move_keys(clips: Sequence[native.EncodedClip], limits: Sequence[TierLimit], write: Callable[[], bytes],
              jobs: int | None = None) -> list[float]:
    """Moves keys of all clips that were encoded with a scheme with tiers into len(limits) tiers, so that
    the bank with the first 0, 1, .. tiers alone keeps the limits, and returns the errors, in metres,
    that all clips keep then. For sizes they are the smallest that can be kept by all clips.

    write: makes the bank of the clips as they are. Raises SettingProblem for a size that the bank
    cannot have.
    """
    chooser = _Chooser(clips, limits, write, jobs)
    try:
        return chooser.choose()
    finally:
        chooser.pool.shutdown()


class _Chooser:
    """Looks for the errors that lead to the stated sizes."""

    def __init__(self, clips: Sequence[native.EncodedClip], limits: Sequence[TierLimit],
                 write: Callable[[], bytes], jobs: int | None) -> None:
        self.clips, self.limits, self.write = clips, limits, write
        self.pool = ThreadPoolExecutor(jobs or os.cpu_count() or 1)
        self.errors_m = [LEAST_M if limit.error_m is None else limit.error_m for limit in limits]

    def choose(self) -> list[float]:
        self._move()
        if all(limit.error_m is not None for limit in self.limits):
            return self.errors_m
        sizes, total = self._sizes()
        best: list[float] | None = None
        for attempt in range(TRIES):
            # what no key takes, and what keys take that stay because a clip is measured
            beside = [size - of_keys for size, of_keys in zip(sizes, self._estimate())]
            self._aim([None if want is None else want * (1.0 - attempt * SLACK) - rest
                       for want, rest in zip(self._wanted(total), beside)])
            self._move()
            sizes, total = self._sizes()
            wanted = self._wanted(total)
            if all(want is None or size <= want for want, size in zip(wanted, sizes)):
                if best is None or self.errors_m < best:
                    best = list(self.errors_m)
            elif best is not None:
                break
        if best is None:
            self._refuse(wanted, sizes, total)
        if best != self.errors_m:
            self.errors_m = best
            self._move()
        return self.errors_m

    def _wanted(self, total: int) -> list[float | None]:
        """The bytes that are stated for the bank with the first 0, 1, .. tiers; None for an error."""
        return [None if limit.error_m is not None else
                limit.size_bytes if limit.share is None else limit.share * total for limit in self.limits]

    def _move(self) -> None:
        list(self.pool.map(lambda clip: clip.move_keys(self.errors_m), self.clips))

    def _sizes(self) -> tuple[list[int], int]:
        """The bytes of the bank with the first 0, 1, .. tiers, and with all."""
        bank = self.write()
        tiers = [4 * tier.words for tier in parse_bank(bank).tiers]
        tiers += [0] * (len(self.limits) - len(tiers))
        return [len(bank) - sum(tiers[with_tiers:]) for with_tiers in range(len(tiers))], len(bank)

    def _estimate(self) -> list[float]:
        """The bytes of keys with the first 0, 1, .. tiers alone."""
        counts = list(self.pool.map(lambda clip: clip.key_bits(self.errors_m), self.clips))
        bits = [sum(of_tier) for of_tier in zip(*counts)]
        return [sum(bits[:with_tiers + 1]) / 8 for with_tiers in range(len(self.limits))]

    def _aim(self, wanted: Sequence[float | None]) -> None:
        """Sets the smallest errors with which keys are estimated to take no more."""
        for tier in reversed(range(len(wanted))):
            if wanted[tier] is None:
                continue
            low, high = LEAST_M, MOST_M
            for _ in range(HALVINGS):
                self.errors_m[tier] = (low * high) ** 0.5
                for before in range(tier):
                    if self.limits[before].error_m is None:
                        self.errors_m[before] = max(self.errors_m[before], self.errors_m[tier])
                if self._estimate()[tier] > wanted[tier]:
                    low = self.errors_m[tier]
                else:
                    high = self.errors_m[tier]
            self.errors_m[tier] = high

    def _refuse(self, wanted: Sequence[float | None], sizes: Sequence[int], total: int) -> None:
        for tier, (want, size) in enumerate(zip(wanted, sizes)):
            if want is not None and size > want:
                what = "the base" if tier == 0 else f"the base with {tier} of its tiers"
                raise SettingProblem(f"tiers: {what} takes at least {size} of {total} bytes "
                                     f"({100 * size / total:.1f} %), more than the {want:.0f} that were stated; "
                                     "state more")
