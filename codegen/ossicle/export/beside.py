"""Adds decoded clips to the glTF file that they were encoded from, in addition to its own animations.

Encoding folds the static nodes above joints, the unit and the up-axis into the joints; here the transforms are
converted back to those of the file's nodes. Nodes between joints, and joints that the bank lacks, stay at rest.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..base.problem import nearest
from ..base.files.reading import read_file
from ..importers.gltf import json_values as gltf_json
from ..importers.gltf.chains import chains_of
from ..importers.gltf.file import GltfFile
from ..importers.gltf.joint_nodes import find_joints, moved_nodes
from ..importers.gltf.nodes import NodeTree
from ..importers.matching import bind_difference
from ..model.clip import Clip, ImportProblem, Skeleton, problems_of
from ..model.import_options import ImportOptions
from ..model.rotations import IDENTITY
from ..model.editing.aligning import Alignment, alignment_of, axes_between, model_rotations
from ..model.editing.folding import Folding
from ..base.glb import GlbFile, data_address
from .gltf import add_animation, rest_of
from .tracks import moved
from .weights import Curve, add_weights

_MEDIA_TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp",
                ".ktx2": "image/ktx2"}
_PNG = "image/png"
# A white pixel.
_WHITE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg=="
_REMEDY = ("give the file from which the bank was encoded, and repeat its --config, --scale, --up, "
           "--ancestors, --joint-axes and --socket")


def pack(path: Path, skeleton: Skeleton, clips: Sequence[Clip], placed: Sequence[bool],
         options: ImportOptions, curves: Sequence[Mapping[str, Curve]]) -> tuple[bytes, list[str], list[str]]:
    """Returns the bytes of a .glb file with the content of the glTF file and the clips, under names that end with
    ` (decoded)`. Embeds the files that it names. Also returns the names of curves without a morph target in the file,
    which are left out, and warnings.

    placed [J]: whether clips move the translation of a joint, whose rest translation may then differ. options: scale,
    up, ancestors, axes and sockets with which the bank was encoded. curves: of each clip. Raises ImportProblem (file,
    joint, remedy) if the file lacks a joint or has it elsewhere.
    """
    with problems_of(str(path)):
        try:
            file = GltfFile(path, read_file(path), options.outside)
        except OSError as error:
            raise ImportProblem(f"cannot be read ({error.strerror}); check the path") from error
        for kind in ("accessors", "animations", "bufferViews", "buffers", "images", "nodes", "skins", "textures"):
            gltf_json.objects(file.root, kind)
        tree = NodeTree(file.root)
        nodes = _nodes_of(file.root, tree, skeleton, options)
        folding, alignment = _folding(tree, nodes, skeleton, placed, options)
        warnings = _embed_files(file)
        glb = GlbFile(file.root, file.binary)
        taken = {gltf_json.text(animation, "name", "animation", "")
                 for animation in gltf_json.objects(file.root, "animations")}
        chosen = moved(clips, skeleton.bind)
        _use_transforms(file.root, tree, [nodes[joint] for joint in np.flatnonzero(chosen.any(axis=1))])
        left_out = {name: None for clip_curves in curves for name in clip_curves}
        for clip, clip_curves in zip(clips, curves, strict=True):
            name = f"{clip.name} (decoded)"
            if name in taken:
                raise ImportProblem(f"already has an animation {name!r}; give the original file")
            added = add_animation(glb, name, replace(clip, frames=folding.undo(alignment.undo(clip.frames))), chosen,
                                  nodes)
            for written in add_weights(glb, file.root, tree, added, clip_curves, clip.rate):
                left_out.pop(written, None)
        try:
            return glb.to_bytes(), list(left_out), warnings
        except ValueError as error:  # such as the number 1e999, which Python reads as infinite
            raise ImportProblem(f"cannot be rewritten ({error}); {gltf_json.REEXPORT}") from error


def _nodes_of(root: dict[str, Any], tree: NodeTree, skeleton: Skeleton, options: ImportOptions) -> list[int]:
    """Returns the node of each joint, by its name."""
    found = find_joints(root, tree, moved_nodes(root, tree), skeleton, options.sockets)
    for joint, name in enumerate(skeleton.names):
        if joint not in found.nodes:
            raise ImportProblem(f"joint {name}: no node has this name"
                                f"{nearest(name, map(tree.name, range(len(tree))))}; {_REMEDY}")
        if joint in found.rivals:
            raise ImportProblem(f"joint {name}: nodes {found.nodes[joint]} and {found.rivals[joint]} both have its "
                                "name; rename one")
    return [found.nodes[joint] for joint in range(len(skeleton.names))]


def _folding(tree: NodeTree, nodes: Sequence[int], skeleton: Skeleton, placed: Sequence[bool],
             options: ImportOptions) -> tuple[Folding, Alignment]:
    """Returns the folding and the alignment that converted the transforms of the nodes to those of the joints."""
    chains = chains_of(tree, nodes, skeleton.names, options)
    with problems_of("bind pose"):
        rest = np.array([tree.rest(node) for node in nodes])
    folding = chains.folding(rest)
    bind = folding.apply(rest)
    axes = np.tile(IDENTITY, (len(nodes), 1))
    if options.axes == "model":
        axes = axes_between(*(model_rotations(skeleton.parents, pose) for pose in (bind, skeleton.bind)))
    alignment = alignment_of(skeleton.parents, axes)
    bind = alignment.apply(bind)
    for joint, name in enumerate(skeleton.names):
        if chains.parents[joint] != skeleton.parents[joint]:
            raise ImportProblem(f"joint {name}: its node is below a different joint than in the bank; {_REMEDY}")
        if difference := bind_difference(bind[joint], skeleton.bind[joint], placed[joint]):
            raise ImportProblem(f"joint {name}: bind {difference} in the bank; {_REMEDY}")
    return folding, alignment


def _embed_files(file: GltfFile) -> list[str]:
    """Embeds the buffers and images that the file names, and a white pixel instead of each image that cannot be read.
    Returns a warning about each of these."""
    for number, buffer in enumerate(gltf_json.objects(file.root, "buffers")):
        _embed(file, buffer, f"buffer {number}")
    warnings = []
    for number, image in enumerate(gltf_json.objects(file.root, "images")):
        try:
            _embed(file, image, f"image {number}")
        except ImportProblem as problem:
            warnings.append(f"{problem}; a white pixel replaces it")
            _whiten(file.root, number)
    return warnings


def _embed(file: GltfFile, owner: dict[str, Any], here: str) -> None:
    uri = gltf_json.text(owner, "uri", here, "data:")
    if not uri.startswith("data:"):
        owner["uri"] = data_address(file.linked(uri, here),
                                    _MEDIA_TYPES.get(Path(uri).suffix.lower(), "application/octet-stream"))


def _whiten(root: dict[str, Any], number: int) -> None:
    """Replaces an image by a white pixel, the neutral element of multiplication. It is a PNG, which textures use
    without an extension."""
    image = gltf_json.objects(root, "images")[number]
    image |= {"uri": f"data:{_PNG};base64,{_WHITE}", "mimeType": _PNG}
    for texture in gltf_json.objects(root, "textures"):
        extensions = gltf_json.mapping(texture, "extensions", "texture")
        for name in [name for name, entry in extensions.items()
                     if isinstance(entry, dict) and entry.get("source") == number]:
            del extensions[name]
            texture.setdefault("source", number)
        if "extensions" in texture and not extensions:
            del texture["extensions"]


def _use_transforms(root: dict[str, Any], tree: NodeTree, nodes: Sequence[int]) -> None:
    """Replaces the matrices of nodes, which cannot be animated, by a rotation, a translation and a scale."""
    for node in nodes:
        if "matrix" in root["nodes"][node]:
            rest = rest_of(tree.rest(node))
            del root["nodes"][node]["matrix"]
            root["nodes"][node] |= rest
