"""`ossicle diff`: two banks compared."""
from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from ...analysis.apart import Apart
from ...analysis.difference import Change, ClipChange, Difference, difference
from ...bank.file import read_bank
from ...encode.settings import SHELL_M
from ...report import console as report
from ...report.differences import apart_text, clip_table, joint_table, percent
from .inspect import in_order, print_json
from ...report.messages import say

TOO_LARGE = 3  # the exit status for --fail-above


def diff(arguments: argparse.Namespace) -> int:
    """Prints how two banks differ. Returns the exit status: TOO_LARGE if the second one has grown too much."""
    said = difference(read_bank(arguments.before), read_bank(arguments.after), SHELL_M)
    said = replace(said, **{name: in_order(getattr(said, name), arguments.sort, lambda part: abs(part.growth_bits),
                                           lambda part: part.name) for name in ("clips", "joints")})
    if arguments.json:
        print_json(_as_json(said))
    else:
        _show(said)
    return _status(said.whole, arguments)


def _show(said: Difference) -> None:
    screen = report.console()
    for part in (clip_table(said), joint_table(said)):
        screen.print(part)
        screen.print()
    if poses := apart_text(said.clips):
        print(poses)


def _status(whole: Change, arguments: argparse.Namespace) -> int:
    grown, limit = percent(whole) or 0.0, arguments.fail_above
    if limit is None or grown <= limit:
        return 0
    say(f"{arguments.after}: has {grown:.2f} % more bytes than {arguments.before}, --fail-above permits {limit:g} %")
    return TOO_LARGE


def _as_json(said: Difference) -> dict[str, Any]:
    return {"bank": asdict(said.whole), "shell_mm": 1e3 * SHELL_M,
            "clips": [_clip_json(clip) for clip in said.clips], "beside_clips": _all(said.beside_clips),
            "joints": _all(said.joints), "beside_joints": _all(said.beside_joints)}


def _all(changes: Sequence[Change]) -> list[dict[str, Any]]:
    return [asdict(change) for change in changes]


def _clip_json(clip: ClipChange) -> dict[str, Any]:
    """A clip that was not compared has no distance, but a reason if both banks have it."""
    apart = clip.apart if isinstance(clip.apart, Apart) else None
    return {"name": clip.name, "before_bits": clip.before_bits, "after_bits": clip.after_bits, "codecs": clip.codecs,
            "apart_mm": apart and round(1e3 * apart.metres, 6), "joint": apart and apart.joint,
            "frame": apart and apart.frame, "curves_apart": apart and round(apart.value, 9),
            "curve": (apart and apart.curve) or None,
            "not_compared": clip.apart if isinstance(clip.apart, str) else None}
