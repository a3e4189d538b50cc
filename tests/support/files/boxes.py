"""Makes glTF files of boxes that joints move, and evaluates them: where the file has their vertices, and where a
skeleton of the importer moves ours. The two share no code."""
from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from gltf_builder import U8, U16, GltfBuilder, turn
from gltf_reader import Gltf, local_matrices
from ossicle.importers.importer import read_clips, read_surfaces
from ossicle.model.clip import Imported
from ossicle.model.import_options import ImportOptions
from ossicle.model.mesh.mesh import Surface
from ossicle.model.mesh.skinning import skinning_of

CORNERS = np.array([[x, y, z] for x in (-0.1, 0.1) for y in (0.0, 0.3) for z in (-0.2, 0.2)])
# counter-clockwise from outside
SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
TRIANGLES = np.array([[(a, b, c), (a, c, d)] for a, b, c, d in SIDES]).reshape(-1, 3)
TIMES = (0.0, 0.5, 1.0)


def attributes_of(g: GltfBuilder, joint: int | None = None, **more: int) -> dict[str, int]:
    """The attributes of a box; with a joint, its vertices follow this one of a skin, and the upper ones half the
    next."""
    attributes = {"POSITION": g.accessor(CORNERS), **more}
    if joint is not None:
        upper = CORNERS[:, 1] > 0.0
        attributes["JOINTS_0"] = g.accessor([[joint, joint + number, 0, 0] for number in upper], U8)
        attributes["WEIGHTS_0"] = g.accessor(np.where(upper[:, None], (0.5, 0.5, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))
    return attributes


def add_box(g: GltfBuilder, joint: int | None = None, material: int | None = None, **more: int) -> int:
    """Adds a mesh with a box, and returns its number. more: further attributes."""
    primitive: dict[str, Any] = {"attributes": attributes_of(g, joint, **more),
                                 "indices": g.accessor(TRIANGLES.reshape(-1), U16)}
    return g._add("meshes", {"primitives": [primitive | ({} if material is None else {"material": material})]})


def arm(armature: dict[str, Any] = {}, upper: dict[str, Any] = {}, metre: float = 1.0) -> GltfBuilder:
    """An Armature above the joints Upper and Lower, which bend. metre: in the armature's unit."""
    g = GltfBuilder()
    g.node("Armature", children=[1], **armature)
    g.node("Upper", translation=[0, 0.2 * metre, 0], rotation=turn("z", 20), children=[2], **upper)
    g.node("Lower", translation=[0, 0.5 * metre, 0], rotation=turn("x", 10))
    g.animation("Bend", (1, "rotation", TIMES, [turn("z", 20), turn("z", 70), turn("x", 40)], "LINEAR"),
                (2, "rotation", TIMES, [turn("x", 10), turn("y", 60), turn("x", 80)], "LINEAR"),
                (2, "translation", TIMES, [[0, 0.5 * metre, 0], [0, 0.6 * metre, 0], [0.1 * metre, 0.5 * metre, 0]],
                 "LINEAR"))
    return g


def add_skin(g: GltfBuilder, folder: Path, joints: list[int], object_matrix: np.ndarray = np.eye(4)) -> int:
    """Adds a skin whose matrices leave a mesh at rest as it is, after this matrix."""
    models = Gltf(g.write_glb(folder, "at_rest.glb")).models(None, np.zeros(1))
    return g.skin(joints, [np.linalg.inv(models[joint][0]) @ object_matrix for joint in joints])


def below(g: GltfBuilder, parent: int, node: int) -> int:
    """Hangs a node on another one, and returns it."""
    g.document["nodes"][parent].setdefault("children", []).append(node)
    return node


def surfaces_of(path: Path, options: ImportOptions = ImportOptions()) -> tuple[list[Surface], Imported, list[str]]:
    imported = read_clips([path], options)
    surfaces, _, warnings = read_surfaces(path, imported.skeleton, options)
    return surfaces, imported, warnings


def ours(surface: Surface, imported: Imported) -> np.ndarray:
    """The vertices [F, V, 3] of a surface at the frames of the first clip."""
    skeleton, frames = imported.skeleton, imported.clips[0].frames
    local = [local_matrices({"rotation": frames[:, joint, 0:4], "translation": frames[:, joint, 4:7],
                             "scale": frames[:, joint, 7:10]}) for joint in range(frames.shape[1])]
    models: list[np.ndarray] = []
    for joint, parent in enumerate(skeleton.parents):
        models.append(local[joint] if parent < 0 else models[parent] @ local[joint])
    moving = np.stack(models, axis=1) @ skinning_of(skeleton)  # [F, J, 4, 4]
    positions = np.concatenate([surface.positions, np.ones((len(surface.positions), 1))], axis=1)
    return np.einsum("vk,fvkij,vj->fvi", surface.weights, moving[:, surface.joints], positions)[..., :3]


def theirs(path: Path, node: int, imported: Imported, primitive: int = 0) -> np.ndarray:
    """The vertices [F, V, 3] of a node's primitive at the same times."""
    gltf, clip = Gltf(path), imported.clips[0]
    models = gltf.models(gltf.animations[0], np.arange(len(clip.frames)) / clip.rate)
    fields = gltf.nodes[node]
    attributes = gltf.document["meshes"][fields["mesh"]]["primitives"][primitive]["attributes"]
    positions = gltf.values(attributes["POSITION"])
    positions = np.concatenate([positions, np.ones((len(positions), 1))], axis=1)
    if "skin" not in fields:
        return np.einsum("fij,vj->fvi", models[node], positions)[..., :3]
    skin = gltf.document["skins"][fields["skin"]]
    binds = gltf.values(skin["inverseBindMatrices"]).reshape(-1, 4, 4).swapaxes(1, 2)
    moving = np.stack([models[joint] @ bind for joint, bind in zip(skin["joints"], binds)], axis=1)
    joints, weights = gltf.array(attributes["JOINTS_0"]), gltf.values(attributes["WEIGHTS_0"])
    return np.einsum("vk,fvkij,vj->fvi", weights, moving[:, joints], positions)[..., :3]


def outwards(positions: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """True if all triangles of a convex body with these vertices [V, 3] are counter-clockwise from outside."""
    a, b, c = (positions[triangles[:, corner]] for corner in range(3))
    return np.einsum("ti,ti->t", np.cross(b - a, c - a), a - positions.mean(axis=0)) > 0.0


def picture(pixels: np.ndarray, kind: str = "PNG") -> bytes:
    """The file of a picture [H, W, 3 or 4]."""
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(np.asarray(pixels, np.uint8)).save(file, kind, **({"lossless": True} if kind == "WEBP" else {}))
    return file.getvalue()
