"""Writes the curves of a decoded clip as a CSV file in the format of `curves` in `[clips."NAME"]`."""
from __future__ import annotations

import csv
import io

from ..base.curve_names import curve_components
from ..base.problem import SettingProblem
from ..model.clip import Clip, Skeleton
from ..model.curves.curve import AXIS

_TIME = "time"


def pack(skeleton: Skeleton, clip: Clip) -> bytes:
    """Returns the bytes of a .csv file with a row per frame and a column per curve. Raises SettingProblem for a bank
    without curves."""
    curves = curve_components(skeleton.names)
    if not curves:
        raise SettingProblem(f"clip {clip.name}: the bank has no curves to write; write a .glb, .bvh or .rawclip")
    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow([_TIME, *(curve.name for curve in curves)])
    for frame, transforms in enumerate(clip.frames):
        rows.writerow([f"{frame / clip.rate:.9g}", *(f"{transforms[curve.joint, AXIS + curve.axis]:.9g}"
                                                     for curve in curves)])
    return text.getvalue().encode()
