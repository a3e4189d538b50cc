"""The options for reading source files.

Modules that read options do not import NumPy: that takes longer than a build with nothing to do.
"""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from ..base.option_values import MAX_RATE, MIN_RATE
from ..base.option_names import named
from ..base.problem import SettingProblem


@dataclass(frozen=True)
class Rename:
    """A new name for the clips that match a shell pattern. pattern: of clip names or `FILE:NAME`; `#2` at the end
    selects the second clip of that name in the file. name: the new name, in which {file} is the stem of the file and
    {name} the old name."""

    pattern: str
    name: str


@dataclass(frozen=True)
class Socket:
    """Nodes that become joints, and joints that are never left out. pattern: of their names. name: the new name of the
    only match, or None to keep the names."""

    pattern: str
    name: str | None = None


@dataclass(frozen=True)
class ImportOptions:
    """The user's options for source files.

    skin: names or indices of glTF skins, separated by commas; needed only if the skins of a file are not of one
        character. `none` selects the joints of all skins, and all nodes that move and those above.
    fps: frames per second of the result; None means the rate of the keys, or a multiple.
    scale: metres per unit of length of the file; None means 1 for glTF, 0.01 for BVH.
    up: the axis that points upwards in the file; 'z' is rotated to Y-up.
    ancestors: the treatment of glTF nodes above the root joints: 'fold' multiplies their transform into the root joints
        or, if they move, makes joints of them; 'drop' ignores them.
    only, exclude: patterns of the clips to read, and of those not to read, by old or new names.
        Without a pattern in `only`, all are read.
    axes: those of joints: of the 'source', or parallel to the 'model' in the bind pose (editing/aligning.py).
    outside: whether glTF files may refer to files outside their folder.
    references: names of clips that are always read, as references of others.
    rename: new names of clips; the last match wins.
    drop, keep: patterns of joints to leave out ('unweighted' means those that carry nothing) and to keep. With only
        `keep`, all other joints are left out.
    """

    skin: str | int | None = None
    fps: float | None = None
    scale: float | None = None
    up: Literal["y", "z"] = "y"
    ancestors: Literal["fold", "drop"] = "fold"
    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    rename: tuple[Rename, ...] = ()
    drop: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    sockets: tuple[Socket, ...] = ()
    axes: Literal["source", "model"] = "source"
    outside: bool = False
    references: tuple[str, ...] = ()

    def check(self) -> None:
        """Raises SettingProblem for an invalid value."""
        if self.fps is not None and not MIN_RATE <= self.fps <= MAX_RATE:
            raise SettingProblem(f"{named('--fps', self.fps)}: choose {MIN_RATE:g} to {MAX_RATE} "
                                 "frames per second")
        if self.scale is not None and not (0.0 < self.scale and math.isfinite(self.scale)):
            raise SettingProblem(f"{named('--scale', self.scale)}: give the metres per unit, more than 0")
        if self.up not in ("y", "z"):
            raise SettingProblem(f"{named('--up', self.up)}: choose y or z")
        if self.ancestors not in ("fold", "drop"):
            raise SettingProblem(f"{named('--ancestors', self.ancestors)}: choose fold or drop")
        if self.axes not in ("source", "model"):
            raise SettingProblem(f"{named('--joint-axes', self.axes)}: choose source or model")
