"""Rules for Make and Ninja, as compilers write them with -MD: which files depend on which."""
from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ..base.problem import SettingProblem

# Make or Ninja reads them as something other than a part of a name, however they are written: `;` begins a command.
_UNREADABLE = re.compile(r"""["&'*;<=>?\[\\^`|]|^~|[:)]$""")
_UNREADABLE_TARGET = re.compile(r"%")  # makes the rule a pattern
_DRIVE = re.compile(r"[A-Za-z]:(?=/)")


def rule_of(targets: Iterable[Path], needed: Iterable[Path]) -> bytes:
    """The rule "targets: needed". Raises SettingProblem for a path that Make or Ninja cannot read."""
    written = [_written(path, _UNREADABLE, _UNREADABLE_TARGET) for path in targets]
    return f"{' '.join(written)}: {' '.join(_written(path, _UNREADABLE) for path in needed)}\n".encode(errors="surrogateescape")


def _written(path: Path, *unreadable: re.Pattern[str]) -> str:
    """A path as Make and Ninja read it. One that they cannot read is made relative to the current folder, for what is
    unreadable in names above both."""
    names = [path.as_posix()]
    with suppress(ValueError):  # on another drive
        names.append(Path(os.path.relpath(path)).as_posix())
    for name in names:
        if not any(pattern.search(name) for pattern in unreadable):
            drive = match[0] if (match := _DRIVE.match(name)) else ""
            return drive + re.sub("[ #:]", r"\\\g<0>", name[len(drive):].replace("$", "$$"))
    bad = next(match[0] for pattern in unreadable if (match := pattern.search(names[-1])))
    raise SettingProblem(f"--depfile: {path}: Make and Ninja cannot read {bad!r} at this place of a name; rename the file or "
                         "folder, or leave out --depfile")
