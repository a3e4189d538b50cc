"""Parses the components of a joint's motion that become the trajectories of clips."""
from __future__ import annotations

from ..base.problem import SettingProblem, nearest
from ..model.trajectory.components import COMPONENTS

NONE = "none"
WORDS = 'components such as "xz yaw", of x, y, z and yaw, or "none"'


def parse_root_motion(value: object, what: str) -> tuple[str, ...]:
    """Parses a text such as "xz yaw". Raises SettingProblem."""
    if not isinstance(value, str):
        raise SettingProblem(f"{what} = {value!r}: give {WORDS}")
    if value == NONE:
        return ()
    found = [part for word in value.split() for part in ([word] if word in COMPONENTS else word)]
    for part in found:
        if part not in COMPONENTS or found.count(part) > 1:
            raise SettingProblem(f"{what} = {value!r}: {part!r} is " + ("named twice" if part in COMPONENTS else
                                 f"no component{nearest(part, COMPONENTS)}") + f"; give {WORDS}")
    if not found:
        raise SettingProblem(f"{what} = {value!r}: give {WORDS}")
    return tuple(component for component in COMPONENTS if component in found)
