"""`ossicle diff`: compares two banks."""
from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from ...analysis.apart import Apart
from ...analysis.difference import Change, ClipChange, Difference, difference
from ...bank.file import read_bank
from ...encoding.settings import SHELL_M
from ...reporting.tables import console
from ...reporting.differences import apart_text, clip_table, joint_table, percent
from ..json_output import print_json
from .inspect import in_order
from ...reporting.messages import say

TOO_LARGE = 3  # the exit status for --fail-above


def diff(arguments: argparse.Namespace) -> int:
    """Prints the differences of two banks. Returns the exit status: TOO_LARGE if the second bank has grown too much."""
    changes = difference(read_bank(arguments.before), read_bank(arguments.after), SHELL_M)
    changes = replace(changes, **{name: in_order(getattr(changes, name), arguments.sort,
                                                 lambda part: abs(part.growth_bits), lambda part: part.name)
                                  for name in ("clips", "joints")})
    if arguments.json:
        print_json(_as_json(changes))
    else:
        _show(changes)
    return _status(changes.whole, arguments)


def _show(changes: Difference) -> None:
    screen = console()
    for part in (clip_table(changes), joint_table(changes)):
        screen.print(part)
        screen.print()
    if poses := apart_text(changes.clips):
        print(poses)


def _status(whole: Change, arguments: argparse.Namespace) -> int:
    grown, limit = percent(whole) or 0.0, arguments.fail_above
    if limit is None or grown <= limit:
        return 0
    say(f"{arguments.after}: is {grown:.2f} % larger than {arguments.before}; --fail-above permits {limit:g} %")
    return TOO_LARGE


def _as_json(changes: Difference) -> dict[str, Any]:
    return {"bank": asdict(changes.whole), "shell_mm": 1e3 * SHELL_M,
            "clips": [_clip_json(clip) for clip in changes.clips], "beside_clips": _all(changes.beside_clips),
            "joints": _all(changes.joints), "beside_joints": _all(changes.beside_joints)}


def _all(changes: Sequence[Change]) -> list[dict[str, Any]]:
    return [asdict(change) for change in changes]


def _clip_json(clip: ClipChange) -> dict[str, Any]:
    """Returns the JSON of a clip. A clip that was not compared has a reason instead of a distance."""
    apart = clip.apart if isinstance(clip.apart, Apart) else None
    return {"name": clip.name, "before_bits": clip.before_bits, "after_bits": clip.after_bits, "codecs": clip.codecs,
            "apart_mm": apart and round(1e3 * apart.metres, 6), "joint": apart and apart.joint,
            "frame": apart and apart.frame, "curves_apart": apart and round(apart.value, 9),
            "curve": (apart and apart.curve) or None,
            "not_compared": clip.apart if isinstance(clip.apart, str) else None}
