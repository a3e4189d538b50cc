"""Banks: their content, and their clips as the device plays them."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from ..bank import file
from ..bank.assembling import words_bytes
from ..bank.graph.description import describe_graph
from ..bank.graph.ram import character_bytes
from ..bank.graph.steps import worst_step
from ..base.files.output import check_outputs, write_atomically
from ..base.problem import setting_problems_of
from ..export.played import clip_indices, play, skeleton_of, with_units, without_curves
from ..export.weights import Curve, curves_of
from ..machines import known_step_costs
from ..model.clip import Imported
from ..model.curves.keys import CurveKeys
from .paths import PathName, path_of


class Bank:
    """A bank (.ossb), checked as strictly as on the device. name: in messages, and the source of decoded clips."""

    def __init__(self, content: file.Bank, name: str = "bank") -> None:
        """content: a parsed bank; callers use read, from_bytes or encode."""
        self.content, self.name = content, name

    @classmethod
    def read(cls, path: PathName) -> Bank:
        """Reads a file. Raises Problem if it is not a valid bank."""
        checked = path_of(path)
        return cls(file.read_bank(checked), checked.name)

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview, name: str = "bank") -> Bank:
        """Reads a bank from bytes. Raises Problem if they are not a valid bank."""
        return cls(file.parse_bank(bytes(data), name), name)

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return words_bytes(self.content.words)

    @property
    def joints(self) -> list[str]:
        """The names of its joints, parents before children."""
        return [joint.name for joint in self.content.joints[:self.content.real_joints]]

    @property
    def clips(self) -> list[str]:
        """The names of its clips."""
        return [clip.name for clip in self.content.clips]

    def describe(self) -> dict[str, Any]:
        """Returns its content, as `ossicle inspect --json` prints it."""
        return description_of(self.content)

    def decode(self, *clips: str, midpoints: bool = False) -> Imported:
        """Returns its skeleton and these clips, or all, as the runtime's integer decoder plays them, in the units of
        the source. midpoints: also halfway between frames, at twice the rate. Raises Problem for an unknown clip."""
        with setting_problems_of(self.name):
            played = play(self.content, clip_indices(self.content, clips), self.name, midpoints)
        skeleton = skeleton_of(self.content)
        curves = [_keys_of(curves_of(skeleton, clip), clip.rate) for clip in played]
        smaller, played = with_units(self.content, *without_curves(self.content, skeleton, played))
        return Imported(smaller, [replace(clip, curves=own) for clip, own in zip(played, curves, strict=True)])

    def write(self, path: PathName) -> None:
        """Writes the file, whole or not at all. Raises Problem."""
        out = path_of(path)
        check_outputs({}, [out])
        write_atomically(out, self.data)


def _keys_of(curves: Mapping[str, Curve], rate: float) -> dict[str, CurveKeys]:
    """Returns a key for each frame of curves."""
    return {name: CurveKeys(np.arange(len(curve.values)) / rate, np.array(curve.values))
            for name, curve in curves.items()}


def description_of(bank: file.Bank) -> dict[str, Any]:
    """Returns the content of a bank, as `ossicle inspect --json` prints it."""
    step = worst_step(bank, known_step_costs(None))
    return {**file.describe(bank), "character_bytes": character_bytes(bank), "worst_step": step and asdict(step),
            "graph": describe_graph(bank)}
