"""Chooses the joints of source files, as the user asks, and finds joints that nothing needs."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..base.option_names import either, named
from ..base.patterns import matches, near
from ..base.problem import SettingProblem
from ..model.adding import with_joints
from ..model.clip import Imported, ImportOptions, Skeleton, problems_of
from ..model.dropping import without_joints

UNWEIGHTED = "unweighted"
_SHOWN = 24


def with_chosen_joints(files: Sequence[tuple[str, Imported]], options: ImportOptions) -> list[Imported]:
    """Returns the files, given with their names, with the joints that remain, and with warnings of
    those that carry nothing. Raises SettingProblem for a pattern that matches no joint, and
    ImportProblem, which names the file, for a joint that cannot be dropped."""
    read = [imported for _, imported in files]
    names = list(dict.fromkeys(name for file in read for name in file.skeleton.names))
    _check_sockets(read, names, options)
    idle = _idle(read)
    dropped = _dropped(names, idle, options)
    result = []
    for name, file in files:
        with problems_of(name):
            result.append(_with_warnings(without_joints(file, dropped), idle, options))
    return result


def _dropped(names: Sequence[str], idle: set[str] | None, options: ImportOptions) -> frozenset[str]:
    if not options.drop and not options.keep:
        return frozenset()
    patterns = [pattern for pattern in options.drop if pattern != UNWEIGHTED]
    for what, some in (("drop", patterns), ("keep", options.keep)):
        for pattern in some:
            if not any(matches(pattern, name) for name in names):
                raise SettingProblem(f"{either(f'--{what}', what)} {pattern!r} matches no joint"
                                     + near(pattern, names))
    dropped = {name for name in names
               if not options.drop or any(matches(pattern, name) for pattern in patterns)}
    if UNWEIGHTED in options.drop:
        if idle is None:
            raise SettingProblem(f"{named('--drop', UNWEIGHTED)}: no file has a mesh whose weights can be "
                                 "read; give patterns of joints")
        dropped |= idle
    dropped -= {name for name in names if _is_wanted(name, options)}
    if len(dropped) == len(names):
        raise SettingProblem(f"{either('--drop and --keep', 'drop and keep')} leave no joint" + near("", names))
    return frozenset(dropped)


def with_sockets_of(imported: Imported, skeleton: Skeleton, options: ImportOptions) -> Imported:
    """Returns an import with the sockets of the first file's skeleton that its file does not have:
    files of motions come without props."""
    missing: list[str] = []
    for name, parent in zip(skeleton.names, skeleton.parents):
        there = {*imported.skeleton.names, *missing}
        if name not in there and parent >= 0 and skeleton.names[parent] in there \
                and any(matches(pattern, name) for pattern in options.sockets):
            missing.append(name)
    return with_joints(imported, skeleton, missing) if missing else imported


def _is_wanted(name: str, options: ImportOptions) -> bool:
    """Whether the user names a joint that stays."""
    return any(matches(pattern, name) for pattern in (*options.keep, *options.sockets))


def _check_sockets(files: Sequence[Imported], names: Sequence[str], options: ImportOptions) -> None:
    """Raises SettingProblem for a socket that is neither a joint nor below one."""
    for pattern in options.sockets:
        if not any(matches(pattern, name) for name in names):
            raise SettingProblem(f"{either('--socket', 'sockets')} {pattern!r} matches no joint and no node below "
                                 "one" + near(pattern, [*names, *(node for file in files for node in file.nodes)]))


def _idle(files: Sequence[Imported]) -> set[str] | None:
    """Returns the joints that carry nothing in any file, and have no joint below that does; None if
    no file has readable meshes."""
    known = [file.carrying for file in files if file.carrying is not None]
    if not known:
        return None
    busy = set().union(*known)
    for file in files:
        for name, parent in reversed(list(zip(file.skeleton.names, file.skeleton.parents))):
            if name in busy and parent >= 0:
                busy.add(file.skeleton.names[parent])
    return {name for file in files for name in file.skeleton.names} - busy


def _with_warnings(file: Imported, idle: set[str] | None, options: ImportOptions) -> Imported:
    joints = file.skeleton.names
    idle_here = [name for name in joints if name in (idle or ())
                 and not _is_wanted(name, options)]
    if not idle_here or file.carrying is None:
        return file
    return replace(file, warnings=[
        *file.warnings,
            f"no vertex is weighted to {len(idle_here)} of {len(joints)} joints, nor to joints below them: "
            f"{_listed(idle_here)}; {named('--drop', UNWEIGHTED)} leaves them out, {named('--keep')} names "
            "exceptions"])


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
