"""Writes clips to files of other programs."""
from __future__ import annotations

from ..base.files.output import check_outputs, write_atomically
from ..base.problem import SettingProblem, nearest
from ..export import bvh, gltf
from ..model.clip import Imported
from .paths import PathName, path_of


def write(imported: Imported, path: PathName) -> None:
    """Writes a skeleton and its clips as binary glTF, or a single clip as .bvh, whole or not at all. Raises
    Problem."""
    out, clips = path_of(path), imported.clips
    suffix = out.suffix.lower()
    if suffix not in (gltf.SUFFIX, bvh.SUFFIX):
        raise SettingProblem(f"{out}: files of type '{suffix}' cannot be written"
                             + nearest(suffix, [gltf.SUFFIX, bvh.SUFFIX]))
    if suffix == bvh.SUFFIX and len(clips) != 1:
        raise SettingProblem(f"{out}: can hold only one clip, not {len(clips)}; choose one, or write a {gltf.SUFFIX}")
    check_outputs({}, [out])
    write_atomically(out, gltf.pack(imported.skeleton, clips) if suffix == gltf.SUFFIX else
                     bvh.pack(imported.skeleton, clips[0]))
