"""Reads the clips of source files that share a skeleton."""
from __future__ import annotations

import glob
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..base.problem import SettingProblem
from ..base.files.reading import read_file
from ..model.clip import (
    MAX_JOINT_FRAMES,
    Clip,
    Imported,
    ImportProblem,
    Skeleton,
    problems_of,
)
from ..model.editing.aligning import aligned
from ..model.import_options import ImportOptions
from ..model.mesh.mesh import Material, Mesh, Surface
from .bvh import read_bvh
from .clip_choice import ClipChoice, rename_example
from .gltf.clips import GltfSource, read_gltf
from .gltf.file import GltfFile, may_name_files
from .gltf.mesh.meshes import read_mesh as read_gltf_mesh
from .gltf.mesh.meshes import read_surfaces as read_gltf_surfaces
from .gltf.skeleton import Rig
from .joint_choice import carrying_in, with_chosen_joints, with_sockets_of
from .matching import match, reordered
from .suffixes import BINARY_GLTF, CONVERTED, GLTF_SUFFIXES, MESH_SUFFIXES, SUFFIXES, listed

_READERS: dict[str, Callable[[Path, bytes, ImportOptions, ClipChoice], Imported]] = {
    **dict.fromkeys(MESH_SUFFIXES, read_gltf),
    ".bvh": read_bvh,
}
# Longer files exceed MAX_JOINT_FRAMES or have another format.
_MOST_BYTES = {**dict.fromkeys(BINARY_GLTF, 1 << 32), ".gltf": 1 << 30, ".bvh": 1 << 29,
               **dict.fromkeys(CONVERTED, 1 << 29)}


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


@dataclass(frozen=True)
class Transfer:
    """Files whose clips move another skeleton. options: for reading them, without names and selections, which are those
    of all clips. apply: returns the clips of such a file, the first argument, for the skeleton of the second, which has
    the clips of the character's own files."""

    paths: Sequence[Path]
    options: ImportOptions
    apply: Callable[[Imported, Imported], Imported]


def read_clips(paths: Sequence[Path], options: ImportOptions = ImportOptions(),
               transfers: Sequence[Transfer] = ()) -> Imported:
    """Returns the selected clips of all files, in order, and then those of the transfers.

    The result has the first file's skeleton, and its inverse bind matrices if it has a skin; that file need not have
    clips. Files with the same joint names, parents and, within 1e-3, bind pose (except translations of joints that the
    clips move) keep all of their own values; the order of joints may differ. Clips of other glTF files move the joints
    of the first by name, with warnings (gltf/placing.py). Raises ImportProblem for files that cannot be read, and
    SettingProblem for a pattern without a match.
    """
    options.check()
    if not paths:
        raise ImportProblem(f"no input file; name at least one {listed(SUFFIXES)}")
    _check_each_once([*paths, *(path for transfer in transfers for path in transfer.paths)])
    with np.errstate(over="ignore", invalid="ignore"):
        # Readers check that their results are finite, because only they can explain other values.
        return _read_all(paths, options, transfers)


def _read_all(paths: Sequence[Path], options: ImportOptions, transfers: Sequence[Transfer]) -> Imported:
    may_be_empty = len(paths) > 1 or len(transfers) > 0
    files, choice, moving = _read_sharing(paths, options, frozenset(), may_be_empty)
    if moving:
        files, choice, _ = _read_sharing(paths, options, moving, may_be_empty)
    others = _read_others(files, transfers, choice)
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
                order = match(imported, skeleton, first_name)
                imported = reordered(imported, order)
            for clip in imported.clips:
                _check_unique(clip, sources)
            clips += imported.clips
            curves = {**imported.curves, **curves}
        warnings += [f"{name}: {warning}" for warning in imported.warnings]
    assert skeleton is not None
    character = Imported(skeleton, clips, carrying=carrying_in(chosen))
    for name, other, transfer in others:
        with problems_of(name):
            imported = transfer.apply(other, character)
            for clip in imported.clips:
                _check_unique(clip, sources)
            clips = clips + imported.clips
            curves = {**imported.curves, **curves}
            _check_size(_size(clips))
        warnings += [f"{name}: {warning}" for warning in imported.warnings]
    if not clips:
        raise ImportProblem(f"{first_name}: no file has a clip that moves a joint; add one that has")
    return _with_axes(Imported(skeleton, [clip for clip in clips if clip.name not in choice.references], warnings,
                               choice.left_out, character.carrying, curves=curves,
                               references=[clip for clip in clips if clip.name in choice.references]), options)


def _check_each_once(paths: Iterable[Path]) -> None:
    seen: set[Path] = set()
    for path in map(Path, paths):
        if path.resolve() in seen:
            raise ImportProblem(f"{path}: is named twice; leave one out")
        seen.add(path.resolve())


def _with_axes(imported: Imported, options: ImportOptions) -> Imported:
    return aligned(imported) if options.axes == "model" else imported


def _read_others(files: Sequence[tuple[str, Imported]], transfers: Sequence[Transfer], choice: ClipChoice) \
        -> list[tuple[str, Imported, Transfer]]:
    """Returns the files of the transfers with their names, except those without a selected clip. files: those of the
    character."""
    others = []
    size = sum(_size(imported.clips) for _, imported in files)
    for transfer in transfers:
        for path in transfer.paths:
            with problems_of(str(path)):
                imported = _read_file(path, transfer.options, choice)
                size += _size(imported.clips)
                _check_size(size)
            if imported.clips:
                others.append((path.name, imported, transfer))
    return others


def _read_sharing(paths: Sequence[Path], options: ImportOptions, moving: frozenset[str], may_be_empty: bool) \
        -> tuple[list[tuple[str, Imported]], ClipChoice, frozenset[str]]:
    """Returns the files with their names, for the skeleton of the first one, the selection of clips, and the names of
    nodes that clips of a later file move but that are not joints of the first file. moving: the names that an earlier
    call returned; may_be_empty: whether the first file may have no clips."""
    choice = ClipChoice(options)
    files: list[tuple[str, Imported]] = []
    rig: Rig | None = None
    more: set[str] = set()
    size = 0
    for number, path in enumerate(map(Path, paths)):
        with problems_of(str(path)):
            if _reader_of(path) is not read_gltf:
                imported = _read_file(path, options, choice)
            elif number == 0:
                imported, rig = GltfSource(path, _bytes_of(path), options, choice).read(moving, is_first=may_be_empty)
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
        match(with_sockets_of(chosen, base.skeleton, options), base.skeleton, "")
    except ImportProblem:
        return False
    return True


def read_separately(paths: Sequence[Path], options: ImportOptions) -> list[Imported]:
    """Reads each file separately, with the selected joints; skeletons and names of clips may differ. Raises
    ImportProblem and SettingProblem like read_clips."""
    files = [(path.name, imported) for path, imported in zip(paths, read_all_joints(paths, options))]
    return [replace(imported, warnings=[f"{name}: {warning}" for warning in imported.warnings])
            for (name, _), imported in zip(files, with_chosen_joints(files, options))]


def read_all_joints(paths: Sequence[Path], options: ImportOptions, may_be_empty: bool = False) -> list[Imported]:
    """Reads each file separately, with all its joints. may_be_empty: whether a single file may have no clips. Raises
    ImportProblem and SettingProblem like read_clips."""
    options.check()
    choice = ClipChoice(options, numbered=True)
    files = []
    for path in map(Path, paths):
        with np.errstate(over="ignore", invalid="ignore"), problems_of(str(path)):
            files.append(_read_file(path, options, choice, may_be_empty or len(paths) > 1))
    choice.check_renames()
    choice.check_patterns()
    return files


def read_mesh(path: Path, skeleton: Skeleton, options: ImportOptions = ImportOptions()) -> tuple[Mesh, list[str]]:
    """Returns the mesh of a glTF file that the joints of a bank move, and warnings; see gltf.mesh. Raises
    ImportProblem."""
    with np.errstate(over="ignore", invalid="ignore"), problems_of(str(path)):
        if not has_meshes(path):
            raise ImportProblem(f"meshes are not read from files of type '{path.suffix}'; export as "
                                f"{listed(MESH_SUFFIXES)}")
        return read_gltf_mesh(path, _bytes_of(path), skeleton, options)


def read_surfaces(path: Path, skeleton: Skeleton, options: ImportOptions = ImportOptions()
                  ) -> tuple[list[Surface], list[Material], list[str]]:
    """Returns the surfaces of a glTF file that the joints of a bank move, their materials, and warnings; see gltf.mesh.
    Raises ImportProblem."""
    with np.errstate(over="ignore", invalid="ignore"), problems_of(str(path)):
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
                with problems_of(str(path)):
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
            with problems_of(str(path)):
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
            imported = reordered(imported, match(imported, other.skeleton, ""))
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
    if reader is None and path.is_dir():
        raise ImportProblem(f"is a folder; name the files in it, such as {path / '*'}{SUFFIXES[0]}")
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
        more = ", or write the pattern without quotes" if glob.has_magic(path.name) else ""
        raise ImportProblem(f"cannot be read ({error.strerror}); check the path{more}") from error
    if not data:
        raise ImportProblem("is empty; export it again")
    suffix = path.suffix.lower()
    if suffix not in CONVERTED:
        return data
    from .assimp.conversion import as_glb  # imported here, because few sources are converted
    return as_glb(data, suffix)


def _check_unique(clip: Clip, sources: dict[str, str]) -> None:
    """Adds the clip's name to `sources`, which maps the names of previous clips to their files."""
    if clip.name in sources:
        raise ImportProblem(
            f"clip {clip.name}: {sources[clip.name]} already has a clip of this name; rename one, or leave out a file; "
            "to name clips after their files, use " + rename_example(clip.name, "{file}")
        )
    sources[clip.name] = clip.source
