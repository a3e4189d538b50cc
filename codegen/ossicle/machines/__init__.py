"""Builds generated characters and runs them on the machines in the folder targets/.

    names = list_targets()
    firmware = build("microbit", generated_dir, build_dir)
    result = run(firmware)          # pose hashes, instructions, stack
    sizes = footprint(firmware)     # flash, RAM, worst-case stack

Every problem raises TargetError, whose text is one line; a character that is too large for a target raises its subclass
DoesNotFit.
"""
from __future__ import annotations

from .firmware import Firmware, as_requested, build, compile_object
from .footprint import Footprint, footprint, linked_bytes, section_bytes
from .row_costs import ClipCost, CodecCost, codec_costs
from .runner import RunResult, run
from .settings import (
    Target,
    known_costs,
    known_step_costs,
    list_supported_targets,
    list_targets,
    load_target,
    target_names,
)
from .tools import DoesNotFit, TargetError

__all__ = [
    "ClipCost", "CodecCost", "DoesNotFit", "Firmware", "Footprint", "RunResult", "Target",
    "TargetError", "as_requested", "build", "codec_costs", "compile_object", "footprint",
    "known_costs", "known_step_costs", "linked_bytes", "list_supported_targets", "list_targets", "load_target", "run",
    "section_bytes", "target_names",
]
