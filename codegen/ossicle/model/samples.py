"""Stores the transforms of a long clip in little memory.

Most numbers of a transform are constant in a clip: scales are one, and bones keep their lengths. Storing constant
numbers once, and a column for each other number, takes less than half of the memory.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from ..base.arrays import Array
from .blocks import blocks

TRANSFORM_WIDTH = 10
LONG = 1 << 17  # joints times frames: shorter clips take less than 10.5 MB and remain arrays


class Samples(NDArrayOperatorsMixin):
    """Immutable transforms [F, J, 10], used like an array; slices and results of operations are arrays. columns: for
    each of the J * 10 numbers of a pose float64 [F], or [1] if it is constant."""

    ndim, dtype = 3, np.dtype(np.float64)

    def __init__(self, frames: int, joints: int, parts: Iterable[Array]) -> None:
        """parts: the frames, in order: float64 [n, J, 10], n >= 1."""
        self.shape = (frames, joints, TRANSFORM_WIDTH)
        self.columns: list[Array] = []
        self._numbers = np.arange(joints * TRANSFORM_WIDTH).reshape(joints, TRANSFORM_WIDTH)
        done = 0
        for part in parts:
            self._add(np.ascontiguousarray(part).reshape(len(part), -1), done)
            done += len(part)
        assert done == frames, (done, frames)

    def _add(self, part: Array, done: int) -> None:
        if done == 0:
            self.columns = [np.array([number]) for number in part[0]]
        bits = part.view(np.int64)  # not the numbers, because -0.0 equals 0.0
        first = np.array([column[0] for column in self.columns]).view(np.int64)
        for number in np.flatnonzero((bits != first).any(axis=0)):
            if len(self.columns[number]) == 1:
                self.columns[number] = np.full(self.shape[0], self.columns[number][0])
        for number, column in enumerate(self.columns):
            if len(column) > 1:
                column[done:done + len(part)] = part[:, number]

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Array]:
        return (self[frame] for frame in range(len(self)))

    def __getitem__(self, key: Any) -> Array:
        keys = key if isinstance(key, tuple) else (key,)
        if Ellipsis in [index for index in keys if not isinstance(index, np.ndarray)]:
            at = keys.index(Ellipsis)
            keys = (*keys[:at], *[slice(None)] * (4 - len(keys)), *keys[at + 1:])
        if any(isinstance(index, (list, np.ndarray)) for index in keys[1:]):
            return np.asarray(self)[key]
        frames, numbers = np.asarray(np.arange(len(self))[keys[0]]), np.asarray(self._numbers[keys[1:]])
        result = np.empty((frames.size, numbers.size))
        for column_index, number in enumerate(numbers.ravel()):
            column = self.columns[number]
            result[:, column_index] = column[keys[0]] if len(column) > 1 else column[0]
        return result.reshape(*frames.shape, *numbers.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        whole = np.empty(self.shape)
        for block in blocks(*self.shape[:2]):
            whole[block] = self[block]
        return whole if dtype is None else whole.astype(dtype, copy=False)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return getattr(ufunc, method)(*[np.asarray(value) if isinstance(value, Samples) else value for value in inputs],
                                      **kwargs)

    def copy(self) -> Array:
        return np.asarray(self)

    def astype(self, dtype: Any) -> Array:
        return np.asarray(self).astype(dtype)


# Samples are used like arrays, and are arrays to type checkers. When messages of workers are checked, both are allowed.
if TYPE_CHECKING:
    Frames = Array
else:
    Frames = Array | Samples


def stored(frames: Frames) -> Frames:
    """Converts the frames [F, J, 10] of a long clip to columns."""
    count, joints = frames.shape[:2]
    return stored_parts(count, joints, (frames[block] for block in blocks(count, joints))) \
        if count * joints >= LONG else frames


def stored_parts(count: int, joints: int, parts: Iterable[Array]) -> Frames:
    """Returns frames [F, J, 10] from their parts, in order: a long clip in columns, others as an array."""
    if count * joints >= LONG:
        result: Any = Samples(count, joints, parts)
        return result
    first, *more = parts
    return np.concatenate([first, *more]) if more else first
