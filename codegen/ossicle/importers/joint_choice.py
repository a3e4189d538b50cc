"""Applies the user's selection of joints to source files, and finds joints that carry nothing."""
from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..base.option_names import either, named
from ..base.patterns import matches
from ..base.problem import SettingProblem, nearest
from ..model.editing.adding import with_joints
from ..model.clip import Imported, Skeleton, problems_of
from ..model.import_options import ImportOptions
from ..model.editing.dropping import without_joints

UNWEIGHTED = "unweighted"
_SHOWN = 24
_MOST_SOCKETS = 6  # in an example


def with_chosen_joints(files: Sequence[tuple[str, Imported]], options: ImportOptions) -> list[Imported]:
    """Returns the files, given with their names, with the selected joints, and with warnings about those that carry
    nothing. Raises SettingProblem for a pattern that matches no joint, and ImportProblem, which names the file, for a
    joint that cannot be dropped."""
    _check_sockets([imported for _, imported in files], options)
    files = [(name, _with_socket_names(file, options)) for name, file in files]
    read = [imported for _, imported in files]
    names = _joints_of(read)
    idle = _idle(read)
    dropped = _dropped(names, idle, options)
    result = []
    for name, file in files:
        with problems_of(name):
            result.append(_with_warnings(without_joints(file, dropped), idle, options))
    return result


def _joints_of(files: Sequence[Imported]) -> list[str]:
    return list(dict.fromkeys(name for file in files for name in file.skeleton.names))


def _dropped(names: Sequence[str], idle: set[str] | None, options: ImportOptions) -> frozenset[str]:
    if not options.drop and not options.keep:
        return frozenset()
    patterns = [pattern for pattern in options.drop if pattern != UNWEIGHTED]
    for what, listed_patterns in (("drop", patterns), ("keep", options.keep)):
        for pattern in listed_patterns:
            if not any(matches(pattern, name) for name in names):
                raise SettingProblem(f"{either(f'--{what}', what)} {pattern!r} matches no joint"
                                     + nearest(pattern, [*names, UNWEIGHTED] if what == "drop" else names))
    dropped = {name for name in names
               if not options.drop or any(matches(pattern, name) for pattern in patterns)}
    if UNWEIGHTED in options.drop:
        if idle is None:
            raise SettingProblem(f"{named('--drop', UNWEIGHTED)}: no file has a mesh whose weights can be "
                                 "read; give patterns of joints")
        dropped |= idle
    dropped -= {name for name in names if is_kept(name, options)}
    if len(dropped) == len(names):
        raise SettingProblem(f"{either('--drop and --keep', 'drop and keep')} leave no joint" + nearest("", names))
    return frozenset(dropped)


def with_sockets_of(imported: Imported, skeleton: Skeleton, options: ImportOptions) -> Imported:
    """Adds the sockets of the first file's skeleton that an import lacks: files of motions come without props."""
    missing: list[str] = []
    for name, parent in zip(skeleton.names, skeleton.parents):
        present = {*imported.skeleton.names, *missing}
        if name not in present and parent >= 0 and skeleton.names[parent] in present \
                and is_socket(name, options):
            missing.append(name)
    return with_joints(imported, skeleton, missing) if missing else imported


def is_kept(name: str, options: ImportOptions) -> bool:
    """Returns whether the user's settings keep a joint."""
    return is_socket(name, options) or any(matches(pattern, name) for pattern in options.keep)


def is_socket(name: str, options: ImportOptions) -> bool:
    """Returns whether a joint, by its old or new name, is a socket."""
    return any(name == socket.name or matches(socket.pattern, name) for socket in options.sockets)


def _check_sockets(files: Sequence[Imported], options: ImportOptions) -> None:
    """Raises SettingProblem for a socket without a node, for several joints that would get the same name, and for the
    name of another joint."""
    names = _joints_of(files)
    for socket in options.sockets:
        found = [name for name in names if matches(socket.pattern, name)]
        what = f"{either('--socket', 'sockets')} {socket.pattern!r}"
        if not found:
            raise SettingProblem(f"{what} matches no joint and no other node" + nearest(
                socket.pattern, [*names, *(node for file in files for node in file.nodes)]))
        if socket.name is None:
            continue
        if len(found) > 1:
            raise SettingProblem(f"{what} matches {listed(found)}; only one of them can be named {socket.name}")
        if socket.name in names and socket.name != found[0] or \
                [other.name for other in options.sockets].count(socket.name) > 1:
            raise SettingProblem(f"{what}: another joint is named {socket.name}; choose another name")


def _with_socket_names(file: Imported, options: ImportOptions) -> Imported:
    """Renames the joints that are sockets."""
    new = {name: socket.name for socket in options.sockets if socket.name is not None
           for name in file.skeleton.names if matches(socket.pattern, name)}
    if not new:
        return file

    def renamed(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(new.get(name, name) for name in names)
    skeleton = replace(file.skeleton, names=renamed(file.skeleton.names),
                       skin_joints=renamed(file.skeleton.skin_joints))
    return replace(file, skeleton=skeleton,
                   carrying=None if file.carrying is None else frozenset(renamed(file.carrying)))


def carrying_in(files: Iterable[Imported]) -> frozenset[str] | None:
    """Returns the joints that carry something in any file, or None if no file has readable meshes."""
    known = [file.carrying for file in files if file.carrying is not None]
    return frozenset().union(*known) if known else None


def with_joints_above(skeleton: Skeleton, joints: Iterable[str]) -> frozenset[str]:
    """Returns these names, and those of all joints above them."""
    found = set(joints)
    for name, parent in reversed(list(zip(skeleton.names, skeleton.parents))):
        if name in found and parent >= 0:
            found.add(skeleton.names[parent])
    return frozenset(found)


def _idle(files: Sequence[Imported]) -> set[str] | None:
    """Returns the joints that carry nothing in any file, like all joints below them, or None if no file has readable
    meshes."""
    busy = carrying_in(files)
    if busy is None:
        return None
    for file in files:
        busy = with_joints_above(file.skeleton, busy)
    return {name for file in files for name in file.skeleton.names} - busy


def _with_warnings(file: Imported, idle: set[str] | None, options: ImportOptions) -> Imported:
    joints = file.skeleton.names
    idle_here = [name for name in joints if name in (idle or ())
                 and not is_kept(name, options)]
    if not idle_here or file.carrying is None:
        return file
    return replace(file, warnings=[
        *file.warnings,
        f"no vertex is weighted to {len(idle_here)} of {len(joints)} joints, nor to joints below them: "
        f"{listed(idle_here)}; {named('--drop', UNWEIGHTED)} leaves them out, {named('--keep')} names "
        "exceptions"])


def socket_example(names: Sequence[str]) -> str:
    """Returns the setting that makes joints of these nodes, for messages: `skin` instead of too many sockets."""
    if len(names) > _MOST_SOCKETS:
        return named("--skin", "none")
    return either(" ".join(f"--socket {shlex.quote(name)}" for name in names),
                  f"sockets = [{', '.join(json.dumps(name, ensure_ascii=False) for name in names)}] in [import]")


def listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
