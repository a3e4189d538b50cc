"""Reads the clips of source files that share a skeleton."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..base.arrays import Array
from ..base.portable_math import dot
from ..base.problem import SettingProblem
from ..base.reading import read_file
from ..model.clip import (
    MAX_JOINT_FRAMES,
    ROTATION,
    SCALE,
    TRANSLATION,
    Clip,
    Imported,
    ImportProblem,
    Skeleton,
    problems_of,
)
from ..model.editing.aligning import aligned
from ..model.import_options import ImportOptions
from ..model.mesh.mesh import Material, Mesh, Surface
from .assimp.conversion import as_glb
from .bvh import read_bvh
from .clip_choice import ClipChoice, rename_example
from .gltf.clips import GltfSource, read_gltf
from .gltf.file import GltfFile, may_name_files
from .gltf.mesh.meshes import read_mesh as read_gltf_mesh
from .gltf.mesh.meshes import read_surfaces as read_gltf_surfaces
from .gltf.skeleton import Rig
from .joint_choice import carrying_in, with_chosen_joints, with_sockets_of
from .suffixes import BINARY_GLTF, CONVERTED, GLTF_SUFFIXES, MESH_SUFFIXES, SUFFIXES, listed

_READERS: dict[str, Callable[[Path, bytes, ImportOptions, ClipChoice], Imported]] = {
    **dict.fromkeys(MESH_SUFFIXES, read_gltf),
    ".bvh": read_bvh,
}
# Longer files exceed MAX_JOINT_FRAMES or have another format.
_MOST_BYTES = {**dict.fromkeys(BINARY_GLTF, 1 << 32), ".gltf": 1 << 30, ".bvh": 1 << 29,
               **dict.fromkeys(CONVERTED, 1 << 29)}
# Skeletons that differ by more (metres, units) are different ones. Smaller differences are common, because exporters
# round rest poses and capture systems measure them for every recording; clips keep their own values.
_BIND_TOLERANCE = 1e-3


def files_of(paths: Sequence[Path], outside: bool = False) -> dict[Path, Path]:
    """Maps the inputs, and files that a glTF file names, such as buffers and images, to their input. Fast, because
    nothing is sampled. Skips files that cannot be read, which read_clips reports. outside: see ImportOptions."""
    files = {path: path for path in paths}
    for path in paths:
        if path.suffix.lower() in GLTF_SUFFIXES:
            with suppress(ImportProblem, OSError):
                data = read_file(path)
                for named in GltfFile(path, data, outside).named_files() if may_name_files(data) else ():
                    files.setdefault(named, path)
    return files


def read_clips(paths: Sequence[Path], options: ImportOptions = ImportOptions()) -> Imported:
    """Returns the selected clips of all files, in order.

    The result has the first file's skeleton, and its inverse bind matrices if it has a skin; that file need not have
    clips. Files with the same joint names, parents and, within 1e-3, bind pose (except translations of joints that the
    clips move) keep all of their own values; the order of joints may differ. Clips of other glTF files move the joints
    of the first by name, with warnings (gltf/placing.py). Raises ImportProblem for files that cannot be read, and
    SettingProblem for a pattern without a match.
    """
    options.check()
    if not paths:
        raise ImportProblem(f"no input file; name at least one {listed(SUFFIXES)}")
    with np.errstate(over="ignore", invalid="ignore"):
        # Readers check that their results are finite, because only they can explain other values.
        return _read_all(paths, options)


def _read_all(paths: Sequence[Path], options: ImportOptions) -> Imported:
    files, choice, moving = _read_sharing(paths, options, frozenset())
    if moving:
        files, choice, _ = _read_sharing(paths, options, moving)
    choice.check_renames()
    choice.check_patterns()
    skeleton, first_name = None, ""
    clips: list[Clip] = []
    sources: dict[str, str] = {}
    warnings: list[str] = []
    curves: dict[str, float] = {}
    chosen = with_chosen_joints(files, options)
    for (name, _), imported in zip(files, chosen):
        with problems_of(name):
            if skeleton is None:
                skeleton, first_name = imported.skeleton, name
            else:
                imported = with_sockets_of(imported, skeleton, options)
                order = _match(imported, skeleton, first_name)
                imported = _reordered(imported, order)
            for clip in imported.clips:
                _check_unique(clip, sources)
            clips += imported.clips
            curves = {**imported.curves, **curves}
        warnings += [f"{name}: {warning}" for warning in imported.warnings]
    assert skeleton is not None
    if not clips:
        raise ImportProblem(f"{first_name}: no file has a clip that moves a joint; add one that has")
    return _with_axes(Imported(skeleton, [clip for clip in clips if clip.name not in choice.references], warnings,
                               choice.left_out, carrying_in(chosen), curves=curves,
                               references=[clip for clip in clips if clip.name in choice.references]), options)


def _with_axes(imported: Imported, options: ImportOptions) -> Imported:
    return aligned(imported) if options.axes == "model" else imported


def _read_sharing(paths: Sequence[Path], options: ImportOptions, moving: frozenset[str]) \
        -> tuple[list[tuple[str, Imported]], ClipChoice, frozenset[str]]:
    """Returns the files with their names, for the skeleton of the first one, the selection of clips, and the names of
    nodes that clips of a later file move but that are not joints of the first file. moving: the names that an earlier
    call returned."""
    choice = ClipChoice(options)
    files: list[tuple[str, Imported]] = []
    rig: Rig | None = None
    more: set[str] = set()
    size = 0
    for number, path in enumerate(map(Path, paths)):
        with problems_of(path.name):
            if _reader_of(path) is not read_gltf:
                imported = _read_file(path, options, choice)
            elif number == 0:
                imported, rig = GltfSource(path, _bytes_of(path), options, choice).read(moving, is_first=len(paths) > 1)
            elif rig is None:
                imported, _ = GltfSource(path, _bytes_of(path), options, choice).read()
            else:
                source = GltfSource(path, _bytes_of(path), options, choice)
                imported, has_own_joints = _read_later(source, rig, moving, files[0], options)
                if not has_own_joints:
                    more |= source.moving(rig.may_be_joints - moving)
            files.append((path.name, imported))
            size += _size(imported.clips)
            _check_size(size)
    return files, choice, frozenset(more)


def _read_later(source: GltfSource, rig: Rig, moving: frozenset[str], first: tuple[str, Imported],
                options: ImportOptions) -> tuple[Imported, bool]:
    """Returns the clips of a later file, and whether they move its own joints, which equal those of the first file, or
    were applied to the latter. rig: of the first file. Raises ImportProblem."""
    name, imported = first
    try:
        own, _ = source.read(moving | rig.promoted, is_later=True)
        if _fits(own, imported, options):
            return own, True
    except ImportProblem:  # an invalid skeleton does not matter if its clips fit the first file's
        with suppress(ImportProblem):
            if not source.has_rivals(rig):
                return source.read_onto(rig, name), False
        raise
    return source.read_onto(rig, name), False


def _fits(imported: Imported, first: Imported, options: ImportOptions) -> bool:
    """Returns whether a file has the joints and the bind pose of the first file, after the selection of joints."""
    try:
        base, chosen = with_chosen_joints([("", replace(first, clips=[], references=[])), ("", imported)], options)
    except (SettingProblem, ImportProblem):
        return True  # reported later, for all files
    try:
        _match(with_sockets_of(chosen, base.skeleton, options), base.skeleton, "")
    except ImportProblem:
        return False
    return True


def read_separately(paths: Sequence[Path], options: ImportOptions) -> list[Imported]:
    """Reads each file separately; skeletons and names of clips may differ. Raises ImportProblem and SettingProblem like
    read_clips."""
    options.check()
    choice = ClipChoice(options, numbered=True)
    files: list[tuple[str, Imported]] = []
    for path in map(Path, paths):
        with np.errstate(over="ignore", invalid="ignore"), problems_of(path.name):
            files.append((path.name, _read_file(path, options, choice, may_be_empty=len(paths) > 1)))
    choice.check_renames()
    choice.check_patterns()
    return [replace(imported, warnings=[f"{name}: {warning}" for warning in imported.warnings])
            for (name, _), imported in zip(files, with_chosen_joints(files, options))]


def read_mesh(path: Path, skeleton: Skeleton, options: ImportOptions = ImportOptions()) -> tuple[Mesh, list[str]]:
    """Returns the mesh of a glTF file that the joints of a bank move, and warnings; see gltf.mesh. Raises
    ImportProblem."""
    with np.errstate(over="ignore", invalid="ignore"), problems_of(path.name):
        if not has_meshes(path):
            raise ImportProblem(f"meshes are not read from files of type '{path.suffix}'; export as "
                                f"{listed(MESH_SUFFIXES)}")
        return read_gltf_mesh(path, _bytes_of(path), skeleton, options)


def read_surfaces(path: Path, skeleton: Skeleton, options: ImportOptions = ImportOptions()
                  ) -> tuple[list[Surface], list[Material], list[str]]:
    """Returns the surfaces of a glTF file that the joints of a bank move, their materials, and warnings; see gltf.mesh.
    Raises ImportProblem."""
    with np.errstate(over="ignore", invalid="ignore"), problems_of(path.name):
        return read_gltf_surfaces(path, _bytes_of(path), skeleton, options)


def has_meshes(path: Path) -> bool:
    """Returns whether files of this type can have meshes."""
    return _reader_of(path) is read_gltf


def _size(clips: Iterable[Clip]) -> int:
    """Returns the number of joints times frames."""
    return sum(clip.steps.shape[0] * clip.steps.shape[1] for clip in clips)


def _check_size(size: int) -> None:
    if size > MAX_JOINT_FRAMES:
        raise ImportProblem(f"with this file there are over {MAX_JOINT_FRAMES} joints times frames; "
                            "encode fewer files at once")


def read_groups(paths: Sequence[Path], options: ImportOptions, optional: Sequence[Path] = ()) \
        -> tuple[list[Imported], list[str]]:
    """Groups the clips of all files by skeleton. Returns an Imported for each skeleton, in the order of the files, and
    a warning for each of the `optional` files that cannot be read. Leaves out curves, and groups without a selected
    clip.

    If clips of different files have the same name, the names of the files become a prefix, and patterns apply to the
    result. Raises ImportProblem and SettingProblem like read_clips.
    """
    options.check()
    renaming = ClipChoice(replace(options, only=(), exclude=()))
    choice = ClipChoice(options)
    files: list[tuple[Path, Imported]] = []
    left_out: list[str] = []
    with np.errstate(over="ignore", invalid="ignore"):
        for path in map(Path, paths):
            try:
                with problems_of(path.name):
                    is_named = path not in optional
                    files.append((path, _read_file(path, options, renaming, is_named and len(paths) > 1)))
            except ImportProblem as problem:
                if path not in optional:
                    raise
                left_out.append(f"{problem}; left out")
        smaller = with_chosen_joints([(path.name, imported) for path, imported in files], options)
    groups: list[Imported] = []
    for (path, _), imported in zip(files, smaller):
        try:
            with problems_of(path.name):
                _add_to_group(imported, groups, path)
        except ImportProblem as problem:
            if path not in optional:
                raise
            left_out.append(f"{problem}; left out")
    renaming.check_renames()
    chosen = [replace(group, curves={}, clips=[replace(clip, curves={}) for clip in group.clips
                                               if choice.takes(clip.name, clip.name)])
              for group in groups]
    choice.check_patterns()
    return [_with_axes(group, options) for group in chosen if group.clips], left_out


def _add_to_group(imported: Imported, groups: list[Imported], path: Path) -> None:
    """Adds the clips to the group with their skeleton, or to a new group."""
    group, at = Imported(imported.skeleton, []), len(groups)
    for index, other in enumerate(groups):
        with suppress(ImportProblem):
            imported = _reordered(imported, _match(imported, other.skeleton, ""))
            group, at = other, index
            break
    taken = {clip.name: clip.source for clip in group.clips}
    if any(clip.name in taken for clip in imported.clips):
        imported = replace(imported, clips=[replace(clip, name=f"{path.stem}.{clip.name}")
                                            for clip in imported.clips])
    for clip in imported.clips:
        _check_unique(clip, taken)
    if _size((*group.clips, *imported.clips)) > MAX_JOINT_FRAMES:
        raise ImportProblem(f"with this file there are over {MAX_JOINT_FRAMES} joints times frames "
                            "of one skeleton; compare fewer files at once")
    warnings = [f"{path.name}: {warning}" for warning in imported.warnings]
    groups[at:at + 1] = [replace(group, clips=group.clips + imported.clips,
                                 warnings=group.warnings + warnings)]


def _reader_of(path: Path) -> Callable[[Path, bytes, ImportOptions, ClipChoice], Imported] | None:
    return _READERS.get(path.suffix.lower())


def _read_file(path: Path, options: ImportOptions, choice: ClipChoice, may_be_empty: bool = False) -> Imported:
    """Reads a file. may_be_empty: whether it may have a character without clips."""
    reader = _reader_of(path)
    if reader is None:
        raise ImportProblem(
            f"files of type '{path.suffix}' are not read; export as {listed(SUFFIXES)}"
        )
    if reader is read_gltf and may_be_empty:
        return GltfSource(path, _bytes_of(path), options, choice).read(is_first=True)[0]
    return reader(path, _bytes_of(path), options, choice)


def _bytes_of(path: Path) -> bytes:
    try:
        data = read_file(path, limit_bytes=_MOST_BYTES.get(path.suffix.lower()))
    except OSError as error:
        raise ImportProblem(f"cannot be read ({error.strerror}); check the path") from error
    if not data:
        raise ImportProblem("is empty; export it again")
    suffix = path.suffix.lower()
    return as_glb(data, suffix) if suffix in CONVERTED else data


def _check_unique(clip: Clip, sources: dict[str, str]) -> None:
    """Adds the clip's name to `sources`, which maps the names of previous clips to their files."""
    if clip.name in sources:
        raise ImportProblem(
            f"clip {clip.name}: {sources[clip.name]} already has a clip of this name; rename one, or leave out a file; "
            "to name clips after their files, use " + rename_example(clip.name, "{file}")
        )
    sources[clip.name] = clip.source


def _match(imported: Imported, skeleton: Skeleton, first_name: str) -> Array:
    """Returns the index in `imported` of each joint of `skeleton`. Raises ImportProblem at the first difference."""
    other = imported.skeleton
    index = {name: j for j, name in enumerate(other.names)}
    remedy = f"all inputs must share the skeleton of {first_name}"
    for name in skeleton.names:
        if name not in index:
            raise ImportProblem(f"joint {name}: missing; {remedy}")
    known = set(skeleton.names)
    for name in other.names:
        if name not in known:
            raise ImportProblem(f"joint {name}: not in {first_name}; {remedy}")
    order = np.array([index[name] for name in skeleton.names])
    # Nearly all are equal, also in the signs of rotations, which bind_difference ignores.
    differs = ~(np.abs(other.bind[order] - skeleton.bind) <= _BIND_TOLERANCE).all(axis=1)
    for j, name in enumerate(skeleton.names):
        ours, theirs = _parent_name(skeleton, j), _parent_name(other, index[name])
        if ours != theirs:
            raise ImportProblem(f"joint {name}: its parent is {theirs} instead of {ours}; {remedy}")
        if differs[j] and (what := bind_difference(other.bind[order[j]], skeleton.bind[j],
                                                   _is_placed(imported, order[j]))):
            raise ImportProblem(f"joint {name}: bind {what}; {remedy}")
    return order


def _parent_name(skeleton: Skeleton, joint: int) -> str:
    parent = skeleton.parents[joint]
    return "the world" if parent < 0 else skeleton.names[parent]


def _is_placed(imported: Imported, joint: int) -> bool:
    """Returns whether clips move the joint (BVH position channels, root motion), so that its position in the bind pose
    does not matter."""
    rest = imported.skeleton.bind[joint, TRANSLATION]
    return any(
        np.max(np.abs(clip.frames[:, joint, TRANSLATION] - rest)) > _BIND_TOLERANCE
        for clip in imported.clips
    )


def bind_difference(theirs: Array, ours: Array, placed: bool) -> str:
    """Describes the first difference of two transforms [10]; empty if there is none. placed: whether to ignore the
    translation."""
    sign = -1.0 if dot(theirs[ROTATION], ours[ROTATION]) < 0.0 else 1.0
    for what, part, factor in (
        ("rotation", ROTATION, sign),
        ("translation", TRANSLATION, 1.0),
        ("scale", SCALE, 1.0),
    ):
        a, b = factor * theirs[part], ours[part]
        if not (placed and what == "translation") and np.max(np.abs(a - b)) > _BIND_TOLERANCE:
            return f"{what} is {_listed(a)} instead of {_listed(b)}"
    return ""


def _listed(values: Array) -> str:
    return "(" + ", ".join(f"{v:.6g}" for v in values) + ")"


def _reordered(imported: Imported, order: Array) -> Imported:
    if np.array_equal(order, np.arange(len(order))):  # as nearly always
        return imported
    clips = [
        replace(c, frames=c.frames[:, order], steps=c.steps[:, order],
                curve=c.curve and c.curve.reordered(order))
        for c in imported.clips
    ]
    return Imported(imported.skeleton, clips, imported.warnings, curves=imported.curves)
