"""The operations on poses that `scons bench` measures: one row each."""
from __future__ import annotations

import re
from dataclasses import dataclass

_CALLED = re.compile(r"\b((?:osc|character)_\w+)\(")


@dataclass(frozen=True)
class Operation:
    """A row of toolbox.csv.

    call: the statements in C that are measured, with what toolbox.h declares and the generated code of
    a skeleton of 41 joints, whose prefix is `character`. include: the headers that it needs. declare: what
    stands before it, outside of functions, such as states. prepare: statements that run before it and are
    not measured.
    """

    name: str
    call: str
    include: tuple[str, ...] = ()
    declare: str = ""
    prepare: str = ""

    @property
    def functions(self) -> list[str]:
        """The functions that it calls, whose bytes are its bytes."""
        return list(dict.fromkeys(_CALLED.findall(self.call)))


OPERATIONS = (
    Operation("compose", "character_compose(&pose_a, &model);"),
)
