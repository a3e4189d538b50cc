"""Writes the curves of a decoded clip as a CSV file, as `curves` in `[clips."NAME"]` reads it."""
from __future__ import annotations

import csv
import io

from ..base.curve_names import places_of
from ..base.problem import SettingProblem
from ..model.clip import Clip, Skeleton
from ..model.curves.curve import AXIS

_TIME = "time"


def pack(skeleton: Skeleton, clip: Clip) -> bytes:
    """Returns the bytes of a .csv file: a row for each frame, with a column for each curve. Raises SettingProblem for
    a bank without curves."""
    places = places_of(skeleton.names)
    if not places:
        raise SettingProblem(f"clip {clip.name}: the bank has no curves to write; write a .glb, .bvh or .rawclip")
    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow([_TIME, *(place.name for place in places)])
    for frame, transforms in enumerate(clip.frames):
        rows.writerow([f"{frame / clip.rate:.9g}", *(f"{transforms[place.joint, AXIS + place.axis]:.9g}"
                                                     for place in places)])
    return text.getvalue().encode()
