"""Renders the C of a mesh in the format of targets/stage/stage_mesh.h."""
from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from ..base.arrays import Array
from ..base.portable_math import cross, dot, length, sums_at
from ..base.problem import SettingProblem
from ..base.version import versions
from ..model.mesh.mesh import Mesh
from ..model.mesh.srgb import srgb_of
from .emit import environment

MOST_VERTICES = 1 << 16
MOST_JOINTS = 1 << 8  # of a stage_run
COLOURS, SHADES = 15, 16  # of a palette of 256: 15 ramps, and one for the background
MOST_BITS = 14  # of fraction in a position
_FARTHEST = 32767  # a position in sixteen bits
WEIGHT_ONE, NORMAL_ONE, CHANNEL_ONE = 256, 127, 31
_AMBIENT = 0.35  # the light of the darkest shade, where that of the brightest is 1


@dataclass(frozen=True)
class Run:
    """Consecutive vertices of a joint."""

    joint: int
    count: int


@dataclass(frozen=True)
class MeshPlan:
    """The data of the templates; all lists are numbers in C's order."""

    name: str
    prefix: str
    library: str
    source: str
    bits: int
    low: list[int]
    high: list[int]
    positions: list[list[int]]
    normals: list[list[int]]
    runs: list[Run]
    blends: list[tuple[list[int], list[int]]]
    faces: list[tuple[list[int], list[int], int, int]]
    ramps: list[list[int]]


def mesh_files(mesh: Mesh, name: str, source: str) -> dict[str, bytes]:
    """Returns <name>_mesh.h and <name>_mesh.c. Raises SettingProblem for a mesh that is too large."""
    plan = make_mesh_plan(mesh, name, source)
    templates = environment()
    return {f"{name}_mesh.{suffix}": templates.get_template(f"mesh.{suffix}.j2").render(plan=plan).encode("utf-8")
            for suffix in ("h", "c")}


def make_mesh_plan(mesh: Mesh, name: str, source: str) -> MeshPlan:
    """Converts a mesh to integers: merges equal vertices, removes triangles without an area, and puts vertices of a
    single joint first, by joints."""
    bits = _bits_of(mesh.positions)
    colours, palette, glow = _few_colours(mesh)
    positions = np.rint(mesh.positions * 2**bits).astype(np.int64)
    weights = _whole_weights(mesh.weights)
    joints = np.where(weights > 0, mesh.joints, mesh.joints[:, :1])
    vertices, index = np.unique(np.concatenate([positions, joints, weights], axis=1), axis=0, return_inverse=True)
    index = index.reshape(-1)
    normals = sums_at(index, mesh.normals, len(vertices))
    order = np.lexsort((np.arange(len(vertices)), vertices[:, 3], vertices[:, 7] < WEIGHT_ONE))
    number = np.empty(len(vertices), np.int64)
    number[order] = np.arange(len(vertices))
    triangles = number[index[mesh.triangles]]
    vertices, normals = vertices[order], normals[order]
    faces = _faces(vertices, triangles, colours)
    if len(vertices) >= MOST_VERTICES or len(faces) >= MOST_VERTICES:
        raise SettingProblem(f"the mesh has {len(vertices)} vertices and {len(faces)} triangles, but fewer than "
                             f"{MOST_VERTICES} of each are possible; simplify the mesh")
    if (last := int(vertices[:, 3:7].max())) >= MOST_JOINTS:
        raise SettingProblem(f"the mesh follows joint {last}, but only the first {MOST_JOINTS} joints are possible; "
                             "remove others from the bank with --drop")
    rigid = vertices[vertices[:, 7] == WEIGHT_ONE]
    runs = [Run(int(joint), int(count)) for joint, count in zip(*np.unique(rigid[:, 3], return_counts=True))]
    blends = [(row[3:7].tolist(), row[7:].tolist()) for row in vertices[len(rigid):]]
    bounds = np.stack([vertices[:, :3].min(axis=0), vertices[:, :3].max(axis=0)]) if mesh.bounds is None else \
        np.clip(np.rint(mesh.bounds * 2**bits), -_FARTHEST, _FARTHEST).astype(np.int64)
    low, high = bounds.tolist()
    return MeshPlan(name, name.upper(), versions().library, source, bits, low, high, vertices[:, :3].tolist(),
                    _unit_bytes(normals).tolist(), runs, blends, faces, _ramps(palette, glow))


def _bits_of(positions: Array) -> int:
    """Returns the bits of fraction with which every position fits 16 bits."""
    most = float(np.abs(positions).max())
    bits = next((bits for bits in range(MOST_BITS, -1, -1) if most * 2**bits < 32767.0), None)
    if bits is None:
        raise SettingProblem(f"the mesh reaches {most:.6g} m; less than 32767 m is possible")
    return bits


def _whole_weights(weights: Array) -> Array:
    """Returns weights with the sum WEIGHT_ONE; the first one absorbs the rounding error."""
    whole = np.rint(weights * WEIGHT_ONE).astype(np.int64)
    whole[:, 0] += WEIGHT_ONE - dot(whole, np.ones_like(whole))
    return whole


def _faces(vertices: Array, triangles: Array, colours: Array
           ) -> list[tuple[list[int], list[int], int, int]]:
    """Returns corners, normal, joint and colour of each triangle that has an area. Its joint is that of the corner with
    the largest weight."""
    a, b, c = (vertices[triangles[:, corner], :3] for corner in range(3))
    normals = cross(b - a, c - a)
    shown = normals.any(axis=1)
    triangles, normals, colours = triangles[shown], _unit_bytes(normals[shown].astype(float)), colours[shown]
    strongest = triangles[np.arange(len(triangles)), np.argmax(vertices[triangles, 7], axis=1)]
    return list(zip(triangles.tolist(), normals.tolist(), vertices[strongest, 3].tolist(), (colours + 1).tolist()))


def _unit_bytes(vectors: Array) -> Array:
    return np.rint(vectors / np.maximum(length(vectors), 1e-12)[:, None] * NORMAL_ONE).astype(np.int64)


def _few_colours(mesh: Mesh) -> tuple[Array, Array, Array]:
    """Returns the colour of each triangle in a palette of at most COLOURS, the palette, and its glow, by cutting boxes
    of colours at the median of their widest channel (Heckbert 1982)."""
    used, times = np.unique(mesh.colours, return_counts=True)
    counts = np.zeros(len(mesh.palette), np.int64)
    counts[used] = times
    both = np.concatenate([mesh.palette, mesh.glow], axis=1)
    seen = srgb_of(both)
    boxes = [np.flatnonzero(counts)]
    while len(boxes) < COLOURS:
        widths = [np.ptp(seen[box], axis=0).max() if len(box) > 1 else 0.0 for box in boxes]
        widest = int(np.argmax(widths))
        if widths[widest] == 0.0:
            break
        box = boxes.pop(widest)
        channel = int(np.argmax(np.ptp(seen[box], axis=0)))
        box = box[np.lexsort((seen[box, channel],))]
        below = list(accumulate(counts[box].tolist()))
        cut = min(1 + int(np.searchsorted(below, below[-1] / 2)), len(box) - 1)
        boxes += [box[:cut], box[cut:]]
    of = np.zeros(len(both), np.int64)
    few = np.zeros((len(boxes), both.shape[1]))
    for number, box in enumerate(boxes):
        of[box] = number
        few[number] = dot(both[box].T, counts[box]) / dot(counts[box], np.ones_like(box))
    return of[mesh.colours], few[:, :3], few[:, 3:]


def _ramps(palette: Array, glow: Array) -> list[list[int]]:
    """Returns the shades of each colour, red in the lowest five bits."""
    light = _AMBIENT + (1.0 - _AMBIENT) * np.arange(SHADES) / (SHADES - 1)
    shades = palette[:, None, :] * light[None, :, None] + glow[:, None, :]
    channels = np.rint(srgb_of(shades) * CHANNEL_ONE).astype(np.int64)
    return (channels[..., 0] | channels[..., 1] << 5 | channels[..., 2] << 10).tolist()
