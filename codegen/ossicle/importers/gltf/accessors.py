"""Reads glTF accessors, including normalised, interleaved and sparse ones, into float64 arrays."""
from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import numpy as np

from ...base.arrays import Array
from ...model.clip import ImportProblem
from . import json_values as gltf_json
from .file import GltfFile
from .json_values import MAX_MAGNITUDE, REEXPORT

_FLOAT = 5126
# componentType: the NumPy type and the integer that represents 1.0 in a normalised accessor.
_COMPONENTS: dict[int, tuple[np.dtype[Any], float | None]] = {
    5120: (np.dtype("i1"), 127.0),
    5121: (np.dtype("u1"), 255.0),
    5122: (np.dtype("<i2"), 32767.0),
    5123: (np.dtype("<u2"), 65535.0),
    5125: (np.dtype("<u4"), None),
    _FLOAT: (np.dtype("<f4"), None),
}
_UNSIGNED = (5121, 5123, 5125)
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}

# An accessor without a buffer view takes no space in the file, so its count needs a limit.
_MAX_VALUES = 1 << 24
# Any number of accessors and channels may use the same bytes. This limits the total of values read: 1 GB as float64.
_MAX_READ = 1 << 27
_TOGETHER = 1 << 20  # values that are read in one call, at most


class Accessors:
    """The accessors of a file, each of which is read once."""

    def __init__(self, file: GltfFile):
        self._file = file
        self._accessors = gltf_json.objects(file.root, "accessors")
        self._read: dict[tuple[int, str, bool, bool], Array] = {}
        self._used = 0
        self._least_steps: dict[int, float] = {}

    @property
    def count(self) -> int:
        return len(self._accessors)

    def kind(self, index: int) -> str:
        """Returns the type of an accessor, such as "VEC3". The index must be in range."""
        return str(gltf_json.text(self._accessors[index], "type", f"accessor {index}"))

    def values(self, index: int, kind: str, normalised: bool = False, plain: bool = False) -> Array:
        """Returns the values of an accessor as float64 [count, width], read-only and finite. The index must be in
        range. kind: the required type ("SCALAR", "VEC3", "VEC4", "MAT4"; matrices column by column); normalised:
        whether normalised integers are allowed in addition to floats; plain: whether other integers are
        (KHR_mesh_quantization)."""
        key = (index, kind, normalised, plain)
        if key not in self._read:
            self._read[key] = self._load(index, kind, normalised, plain)
        self._use(index, self._read[key].size)
        return self._read[key]

    def read_together(self, wanted: Iterable[tuple[int, str]]) -> None:
        """Reads accessors of floats ahead, with their kinds, as `values` with `normalised` then returns them: a call of
        NumPy costs as much as hundreds of values, and most channels have fewer. Leaves the others to `values`, also
        those that are invalid."""
        found: dict[tuple[int, str, bool, bool], Array] = {}
        size = 0
        for index, kind in wanted:
            key = (index, kind, True, False)
            if key in self._read:
                continue
            unit, raw = None, self._plain(index, kind)
            if raw is None:
                with suppress(ImportProblem):
                    raw, unit = self._raw(*key)
            if raw is None or unit is not None:
                continue
            size += raw.size
            if size > _TOGETHER:
                break
            found[key] = raw
        if not found:
            return
        together = np.concatenate([raw.ravel() for raw in found.values()]).astype(np.float64)
        if not np.abs(together).max() <= MAX_MAGNITUDE:
            return
        together.setflags(write=False)
        at = 0
        for key, raw in found.items():
            self._read[key] = np.ndarray(raw.shape, np.float64, together, at)
            at += raw.size * together.itemsize

    def _use(self, index: int, values: int) -> None:
        self._used += values
        if self._used > _MAX_READ:
            raise ImportProblem(f"accessor {index}: the animations up to this one use over {_MAX_READ:,} values; "
                                "export fewer animations in one file")

    def least_step(self, index: int) -> float:
        """Returns the least difference of a number in an accessor, which was read as "SCALAR", from the previous one;
        infinity for a single number."""
        if index not in self._least_steps:
            steps = np.diff(self._read[index, "SCALAR", False, False][:, 0])
            self._least_steps[index] = float(steps.min(initial=math.inf))
        return self._least_steps[index]

    def indices(self, index: int, kind: str) -> Array:
        """Returns the values of an accessor of plain unsigned integers, [count, width]. The index must be in range."""
        where = f"accessor {index}"
        accessor = self._accessors[index]
        code = gltf_json.integer(accessor, "componentType", where, 1 << 16)
        if gltf_json.text(accessor, "type", where) != kind or code not in _UNSIGNED:
            raise ImportProblem(f"{where}: expected {kind} of unsigned integers; {REEXPORT}")
        width = _WIDTHS[kind]
        count = gltf_json.integer(accessor, "count", where, _MAX_VALUES // width + 1, 1)
        raw = self._dense(accessor, where, _COMPONENTS[code][0], count, width)
        if "sparse" in accessor:
            raw = self._overlay(gltf_json.mapping(accessor, "sparse", where), where, raw)
        self._use(index, raw.size)
        return raw

    def _plain(self, index: int, kind: str) -> Array | None:
        """Returns the same as _raw for floats in the form of nearly all accessors, in a quarter of the time; None for
        others."""
        accessor = self._accessors[index]
        view = self._file.plain_view(accessor.get("bufferView"))
        count, offset, width = accessor.get("count"), accessor.get("byteOffset", 0), _WIDTHS[kind]
        if view is None or accessor.get("type") != kind or accessor.get("componentType") != _FLOAT \
                or "sparse" in accessor or type(count) is not int or type(offset) is not int \
                or not 0 < count <= _MAX_VALUES // width or not 0 <= offset <= view[2] - 4 * width * count:
            return None
        return np.ndarray((count, width), _COMPONENTS[_FLOAT][0], view[0], view[1] + offset)

    def _raw(self, index: int, kind: str, normalised: bool, plain: bool) -> tuple[Array, float | None]:
        """Returns the values in the file, and the integer that represents 1.0 if they are normalised."""
        where = f"accessor {index}"
        accessor = self._accessors[index]
        found = gltf_json.text(accessor, "type", where)
        if found != kind:
            raise ImportProblem(f"{where}: is {found}, expected {kind}; {REEXPORT}")
        dtype, unit = self._component(accessor, where, normalised, plain)
        width = _WIDTHS[kind]
        count = gltf_json.integer(accessor, "count", where, _MAX_VALUES // width + 1, 1)
        raw = self._dense(accessor, where, dtype, count, width)
        if "sparse" in accessor:
            raw = self._overlay(gltf_json.mapping(accessor, "sparse", where), where, raw)
        return raw, unit

    def _load(self, index: int, kind: str, normalised: bool, plain: bool) -> Array:
        raw, unit = self._raw(index, kind, normalised, plain)
        values = raw.astype(np.float64)
        if unit is not None:
            # The least integer would give slightly less than -1.
            values = np.maximum(values / unit, -1.0)
        elif not (np.abs(values) <= MAX_MAGNITUDE).all():
            row = int(np.argmin((np.abs(values) <= MAX_MAGNITUDE).all(axis=1)))
            raise ImportProblem(
                f"accessor {index}: key {row} is not finite or too large to use; "
                "check the curve in the modelling tool and export it again"
            )
        values.setflags(write=False)
        return values

    def _component(
        self, accessor: dict[str, Any], where: str, normalised: bool, plain: bool
    ) -> tuple[np.dtype[Any], float | None]:
        code = gltf_json.integer(accessor, "componentType", where, 1 << 16)
        if code == _FLOAT:
            return _COMPONENTS[code]
        expected = "floats or normalised integers" if normalised else "floats"
        if code not in _COMPONENTS:
            raise ImportProblem(
                f"{where}: component type {code} is unknown, expected {expected}; {REEXPORT}"
            )
        dtype, unit = _COMPONENTS[code]
        if plain and unit is not None and accessor.get("normalized") is not True:
            return dtype, None
        if not normalised or unit is None or accessor.get("normalized") is not True:
            raise ImportProblem(
                f"{where}: contains plain {dtype.name} integers, expected {expected}; {REEXPORT}"
            )
        return dtype, unit

    def _dense(
        self, accessor: dict[str, Any], where: str, dtype: np.dtype[Any], count: int, width: int
    ) -> Array:
        if "bufferView" not in accessor:
            return np.zeros((count, width), dtype)
        view = gltf_json.integer(accessor, "bufferView", where, self._file.view_count)
        offset = gltf_json.integer(accessor, "byteOffset", where, 1 << 40, default=0)
        return self._strided(view, where, offset, dtype, count, width)

    def _strided(
        self, view: int, where: str, offset: int, dtype: np.dtype[Any], count: int, width: int
    ) -> Array:
        data, stride = self._file.view(view, where)
        element = dtype.itemsize * width
        if stride is None:
            stride = element
        elif stride < element:
            raise ImportProblem(
                f"{where}: elements of {element} bytes overlap at a stride of {stride}; {REEXPORT}"
            )
        end = offset + stride * (count - 1) + element
        if end > len(data):
            raise ImportProblem(
                f"{where}: {count} elements need {end} bytes of buffer view {view}, which has "
                f"{len(data)}; {REEXPORT}"
            )
        return np.ndarray((count, width), dtype, data, offset, (stride, dtype.itemsize))

    def _overlay(self, sparse: dict[str, Any], where: str, dense: Array) -> Array:
        """Returns a copy of `dense` with the sparse elements inserted."""
        location = f"{where}: sparse"
        count = gltf_json.integer(sparse, "count", location, len(dense) + 1, 1)
        indices_at = gltf_json.mapping(sparse, "indices", location)
        values_at = gltf_json.mapping(sparse, "values", location)
        code = gltf_json.integer(indices_at, "componentType", location, 1 << 16)
        if code not in _UNSIGNED:
            raise ImportProblem(f"{location}: index type {code}, expected unsigned; {REEXPORT}")
        indices = self._sparse_part(indices_at, location, _COMPONENTS[code][0], count, 1)[:, 0]
        if np.any(np.diff(indices.astype(np.int64)) <= 0) or indices[-1] >= len(dense):
            raise ImportProblem(
                f"{location}: indices do not increase within {len(dense)} elements; {REEXPORT}"
            )
        result = dense.copy()
        result[indices] = self._sparse_part(values_at, location, dense.dtype, count, dense.shape[1])
        return result

    def _sparse_part(
        self, part: dict[str, Any], location: str, dtype: np.dtype[Any], count: int, width: int
    ) -> Array:
        view = gltf_json.integer(part, "bufferView", location, self._file.view_count)
        offset = gltf_json.integer(part, "byteOffset", location, 1 << 40, default=0)
        return self._strided(view, location, offset, dtype, count, width)
