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
    not measured. functions: those whose bytes are its bytes, with what they call; by default what the
    statements call directly.
    """

    name: str
    call: str
    include: tuple[str, ...] = ()
    declare: str = ""
    prepare: str = ""
    functions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.functions:
            object.__setattr__(self, "functions", tuple(dict.fromkeys(_CALLED.findall(self.call))))


_MIX = ("osc_mix.h",)
_DIFFERENCE = """static character_pose difference;

static void make_difference(void)
{
    osc_pose view = character_pose_view(&difference);
    osc_mix_difference(&bank, &view, &view_b, &view_a);
}"""

# Names that differ in ", generic" alone are the same operation, and have the same bits.
OPERATIONS = (
    Operation("compose", "character_compose(&pose_a, &model);"),
    Operation("blend of two", "character_blend(&pose_out, &pose_b, 16384, 0);"),
    Operation("blend of two, generic", "osc_mix_blend(&bank, &view_out, &view_b, 16384, 0);", _MIX),
    Operation("blend of two, masked", "character_blend(&pose_out, &pose_b, 32768, character_mask_upper);"),
    Operation("blend of two, masked, generic",
              "osc_mix_blend(&bank, &view_out, &view_b, 32768, character_mask_upper);", _MIX),
    Operation("each further pose", "character_mix(&pose_out, &pose_b, 10923, 0);"),
    Operation("each further pose, generic", "osc_mix_toward(&bank, &view_out, &view_b, 10923, 0);", _MIX),
    Operation("finish", "character_mix_finish(&pose_out);", prepare="character_mix(&pose_out, &pose_b, 16384, 0);"),
    Operation("finish, generic", "osc_mix_finish(&bank, &view_out);", _MIX,
              prepare="character_mix(&pose_out, &pose_b, 16384, 0);"),
    Operation("additive", "character_add(&pose_out, &difference, 16384, 0);", _MIX, _DIFFERENCE,
              "make_difference();"),
    Operation("additive, generic", """osc_pose view = character_pose_view(&difference);
    osc_mix_add(&bank, &view_out, &view, 16384, 0);""", _MIX, prepare="make_difference();"),
    Operation("difference", "osc_mix_difference(&bank, &view_out, &view_b, &view_a);", _MIX),
)
