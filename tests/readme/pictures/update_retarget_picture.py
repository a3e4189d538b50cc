"""Writes the picture of "Your character, somebody else's motion" in ARTISTS.md: poses of a capture, drawn as lines,
above those of a stocky character to which they were retargeted. Both are made from the demo character."""
from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "codegen")]

from ossicle.importers.importer import read_clips, read_mesh  # noqa: E402
from ossicle.model.clip import ROTATION, TRANSLATION, Imported, Skeleton  # noqa: E402
from ossicle.model.mesh.mesh import Mesh  # noqa: E402
from ossicle.model.mesh.skinning import undo_bind  # noqa: E402
from ossicle.model.rotations import inverse, multiply, rotate  # noqa: E402
from ossicle.model.shell import model_matrices  # noqa: E402
from ossicle.retargeting.options import RetargetOptions  # noqa: E402
from ossicle.retargeting.retarget import retarget  # noqa: E402

PICTURE = ROOT / "codegen/demo/retarget.png"
_HERO = PICTURE.with_name("hero.glb")
POSES = (("Run", 2), ("Run", 7), ("Jump", 14), ("Jump", 26), ("Wave", 30), ("Signal", 30))
_CELL, _ROW, _METRE, _GROUND, _MARGIN = 142, 240, 105, 26, 20  # pixels
_FINE = 3  # the factor by which pictures are drawn larger
_PAPER, _LINE, _SHADOW = (246, 244, 240), (176, 84, 40), (226, 222, 214)
# Heights of the demo character, and those of the stocky one: knees, hips, shoulders, the top of the head.
_HEIGHTS = ((-1.0, 0.0, 0.085, 0.5, 0.925, 1.455, 1.8), (-1.2, 0.0, 0.11, 0.32, 0.56, 1.02, 1.52))
_WIDER, _DEEPER = 1.45, 1.5
_CAMERA_YAW, _CAMERA_PITCH = np.radians(-38.0), np.radians(9.0)
_LIGHT = np.array([0.45, 0.75, 0.49])


def _stocky(points: np.ndarray) -> np.ndarray:
    """Returns points [N, 3] of the demo character's bind pose where the stocky character has them."""
    return np.stack([points[:, 0] * _WIDER, np.interp(points[:, 1], *_HEIGHTS), points[:, 2] * _DEEPER], axis=1)


@dataclass(frozen=True)
class SkinnedCharacter:
    """A character that can be drawn."""

    skeleton: Skeleton
    mesh: Mesh

    def vertices(self, frame: np.ndarray) -> np.ndarray:
        """Returns the vertices [V, 3] in a pose [J, 10]."""
        model = model_matrices(self.skeleton.parents, frame[None])[0]
        skin = model[:, :, :3] @ undo_bind(self.skeleton)[:, :3, :3], model[:, :, :3] @ undo_bind(
            self.skeleton)[:, :3, 3:] + model[:, :, 3:]
        corners = np.concatenate([skin[0], skin[1]], axis=2)[self.mesh.joints]
        moved = np.einsum("vkrc,vc->vkr", corners, np.pad(self.mesh.positions, ((0, 0), (0, 1)), constant_values=1.0))
        return np.einsum("vkr,vk->vr", moved, self.mesh.weights)


def stocky_character(hero: Imported, mesh: Mesh) -> SkinnedCharacter:
    """Returns a character with short legs, broad shoulders and a large head, whose joints have names of their own."""
    skeleton = hero.skeleton
    model = model_matrices(skeleton.parents, skeleton.bind[None])[0]
    positions = _stocky(model[:, :, 3])
    world: list[np.ndarray] = []
    bind = skeleton.bind.copy()
    for joint, parent in enumerate(skeleton.parents):
        own = bind[joint, ROTATION]
        world.append(own if parent < 0 else multiply(world[parent], own))
        offset = positions[joint] - (positions[parent] if parent >= 0 else 0.0)
        bind[joint, TRANSLATION] = offset if parent < 0 else rotate(inverse(world[parent]), offset)
    names = tuple(f"stocky_{name}" for name in skeleton.names)
    made = replace(skeleton, names=names, bind=bind, inverse_bind=None, skin_joints=())
    return SkinnedCharacter(made, replace(mesh, positions=_stocky(mesh.positions)))


def _seen(points: np.ndarray) -> np.ndarray:
    """Returns points [N, 3] to the right, up and towards the camera, in metres."""
    x, y, z = points[:, 0], points[:, 1], points[:, 2]
    right = x * np.cos(_CAMERA_YAW) + z * np.sin(_CAMERA_YAW)
    towards = z * np.cos(_CAMERA_YAW) - x * np.sin(_CAMERA_YAW)
    return np.stack([right, y * np.cos(_CAMERA_PITCH) - towards * np.sin(_CAMERA_PITCH),
                     towards * np.cos(_CAMERA_PITCH) + y * np.sin(_CAMERA_PITCH)], axis=1)


class Sheet:
    """A picture of two rows of poses."""

    def __init__(self, columns: int) -> None:
        self._image = Image.new("RGB", ((columns * _CELL + 2 * _MARGIN) * _FINE, 2 * _ROW * _FINE), _PAPER)
        self._draw = ImageDraw.Draw(self._image)

    def _pixels(self, points: np.ndarray, column: int, row: int, centre: np.ndarray) -> list[tuple[float, float]]:
        """Returns the places of points in a cell. centre: the point on the ground in its middle."""
        middle = _seen(centre[None])[0]
        place = (_seen(points) - middle) * _METRE
        return [(_FINE * (_MARGIN + (column + 0.5) * _CELL + x), _FINE * ((row + 1) * _ROW - _GROUND - y))
                for x, y in place[:, :2]]

    def shadow(self, column: int, row: int, width_m: float) -> None:
        """Draws the ground under a character."""
        x, y = _FINE * (_MARGIN + (column + 0.5) * _CELL), _FINE * ((row + 1) * _ROW - _GROUND)
        a, b = _FINE * _METRE * width_m, _FINE * _METRE * width_m * 0.3
        self._draw.ellipse((x - a, y - b, x + a, y + b), fill=_SHADOW)

    def lines(self, positions: np.ndarray, parents: np.ndarray, column: int, centre: np.ndarray) -> None:
        """Draws the bones of a pose, from joint to joint."""
        places = self._pixels(positions, column, 0, centre)
        for joint, parent in enumerate(parents):
            x, y = places[joint]
            if parent >= 0:
                self._draw.line((*places[parent], x, y), fill=_LINE, width=3 * _FINE)
            self._draw.ellipse((x - 4 * _FINE, y - 4 * _FINE, x + 4 * _FINE, y + 4 * _FINE), fill=_LINE)

    def mesh(self, vertices: np.ndarray, mesh: Mesh, column: int, centre: np.ndarray) -> None:
        """Draws the triangles of a pose, from back to front."""
        places, depths = self._pixels(vertices, column, 1, centre), _seen(vertices)[:, 2]
        corners = vertices[mesh.triangles]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
        facing = _seen(normals)[:, 2] > 0.0
        shade = 0.55 + 0.45 * np.maximum(normals @ _LIGHT, 0.0)
        for number in np.argsort(depths[mesh.triangles].mean(axis=1)):
            if facing[number]:
                colour = np.clip(np.asarray(mesh.palette[mesh.colours[number]]), 0.0, 1.0) ** (1 / 2.2)
                self._draw.polygon([places[vertex] for vertex in mesh.triangles[number]],
                                   fill=tuple(int(255 * shade[number] * part) for part in colour))

    def finished(self) -> Image.Image:
        small = self._image.resize((self._image.width // _FINE, self._image.height // _FINE), Image.Resampling.LANCZOS)
        return small.quantize(64, dither=Image.Dither.NONE)


def picture() -> Image.Image:
    """Returns the picture."""
    hero = read_clips([_HERO])
    actor = stocky_character(hero, read_mesh(_HERO, hero.skeleton)[0])
    result = retarget(hero, Imported(actor.skeleton, []), RetargetOptions(), actor.mesh).imported
    sheet = Sheet(len(POSES))
    for column, (name, frame) in enumerate(POSES):
        source, ours = (next(clip for clip in file.clips if clip.name == name).frames[frame] for file in (hero, result))
        positions = model_matrices(hero.skeleton.parents, source[None])[0, :, :, 3]
        sheet.shadow(column, 0, 0.3)
        sheet.shadow(column, 1, 0.36)
        sheet.lines(positions, hero.skeleton.parents, column, positions[0] * (1.0, 0.0, 1.0))
        sheet.mesh(actor.vertices(ours), actor.mesh, column, ours[0, TRANSLATION] * (1.0, 0.0, 1.0))
    return sheet.finished()


if __name__ == "__main__":
    picture().save(PICTURE, optimize=True)
    print(f"wrote {PICTURE.relative_to(ROOT)}")
