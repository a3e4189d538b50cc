"""Rules for Make and Ninja, as compilers write them with -MD."""
from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ..base.problem import SettingProblem

# Make or Ninja cannot read these in a name, even if they are escaped; `;`, for example, begins a command.
_UNREADABLE = re.compile(r"""["&'*;<=>?\[\\^`|]|^~|[:)]$""")
_UNREADABLE_TARGET = re.compile(r"%")  # makes the rule a pattern
_DRIVE = re.compile(r"[A-Za-z]:(?=/)")


def rule_of(targets: Iterable[Path], needed: Iterable[Path]) -> bytes:
    """Returns the rule "targets: needed". Raises SettingProblem for a path that Make or Ninja cannot read."""
    written = [_written(path, _UNREADABLE, _UNREADABLE_TARGET) for path in targets]
    rule = f"{' '.join(written)}: {' '.join(_written(path, _UNREADABLE) for path in needed)}\n"
    return rule.encode(errors="surrogateescape")


def _written(path: Path, *unreadable: re.Pattern[str]) -> str:
    """Escapes a path for Make and Ninja. If they cannot read it, tries the path relative to the current folder, which
    omits the names of the folders above."""
    names = [path.as_posix()]
    with suppress(ValueError):  # on another drive
        names.append(Path(os.path.relpath(path)).as_posix())
    for name in names:
        if not any(pattern.search(name) for pattern in unreadable):
            drive = match[0] if (match := _DRIVE.match(name)) else ""
            return drive + re.sub("[ #:]", r"\\\g<0>", name[len(drive):].replace("$", "$$"))
    bad = next(match[0] for pattern in unreadable if (match := pattern.search(names[-1])))
    raise SettingProblem(f"--depfile: {path}: Make and Ninja cannot read {bad!r} in this position of a name; rename "
                         "the file or folder, or leave out --depfile")
