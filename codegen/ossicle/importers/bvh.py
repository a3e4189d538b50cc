"""Reads motion capture in the BVH format: a text file with a skeleton, of one or several trees, and a clip.

Rotation channels are multiplied in the order of the file. Position channels replace the OFFSET of their joint (an axis
without a channel is 0); the bind pose consists of the OFFSETs without rotation.
"""
from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np

from ..base.arrays import Array
from ..base.option_values import MIN_RATE
from ..base.portable_math import sine_cosine_of_degrees
from ..model.blocks import blocks
from ..model.clip import (
    MAX_JOINT_FRAMES,
    ROTATION,
    SCALE,
    TRANSLATION,
    Clip,
    Imported,
    ImportProblem,
    Skeleton,
    check_name,
    frame_count,
    problems_of,
)
from ..model.samples import TRANSFORM_WIDTH, stored_parts
from ..model.import_options import ImportOptions
from ..model.editing.folding import IDENTITY, Folding, world_of
from ..model.key_rate import stated_rate
from ..model.sampling import FrameCurve, sample
from .bvh_text import Lines, parse_numbers
from .clip_choice import ClipChoice
from .joint_names import distinct_names

CENTIMETRE = 0.01
_AXES = "xyz"
_TOKEN = re.compile(r"[{}]|[^\s{}]+")
_FRAMES = re.compile(r"\s*frames\s*:\s*(\S+)\s*$", re.IGNORECASE)
_FRAME_TIME = re.compile(r"\s*frame\s+time\s*:\s*(\S+)\s*$", re.IGNORECASE)
_COUNTED = 100  # the most surplus values of a line that a message counts
_SLOW_S = 1.0  # seconds of a frame; motion capture is always faster
_TRUNCATED = "the file ends early; export or copy it again"


@dataclass
class _Joint:
    name: str
    parent: int
    line: int
    offset: list[float] | None = None
    channels: list[str] = field(default_factory=list)
    index: int = -1  # among the joints; -1 for an End Site

    @property
    def is_joint(self) -> bool:
        return self.index >= 0


def read_bvh(path: Path, data: bytes, options: ImportOptions, choice: ClipChoice) -> Imported:
    """Returns the skeleton of a BVH file's bytes and, if it is chosen, the clip, named after the file stem. Raises
    ImportProblem, which names the line; the caller prefixes the file name."""
    lines = Lines(data)
    del data
    rig = _rig_of("\n".join(lines.before_motion()), options.up, CENTIMETRE if options.scale is None else options.scale)
    joints, folding = rig.joints, rig.folding
    warnings: list[str] = []
    values, rate = _read_motion(lines, rig.parts, warnings)
    del lines

    name = choice.name_of(path, check_name(path.stem, "clip"), 1)
    with problems_of(f"clip {name}"):
        frame_count((len(values) - 1) / rate, rate, len(joints))
        frames = stored_parts(len(values), len(joints), (folding.apply(_pose(rig, values[block]))
                                                         for block in blocks(len(values), len(joints))))
        if options.fps is None:
            clip = Clip(name, rate, frames, np.zeros((len(frames), len(joints), 3), bool), path.name)
        else:
            clip = sample(name, FrameCurve(np.asarray(frames), 1.0 / rate), float(options.fps), 0, path.name,
                          follows_curve=False)
    warnings = [f"clip {name}: {warning}" for warning in warnings]
    skeleton = Skeleton(
        distinct_names([joint.name for joint in joints], warnings), np.array(rig.parents, np.int32),
        folding.apply(rig.bind))
    if options.skin is not None:
        warnings.append("a BVH file has no skins; the choice of a skin is ignored")
    return Imported(skeleton, [clip] if choice.takes(name, path.stem) else [], warnings)


@dataclass(frozen=True, eq=False)
class _Channels:
    """The joints, axes and columns of some channels."""

    joints: Array
    axes: Array
    columns: Array

    @property
    def parts(self) -> tuple[Array, Array, Array, Array]:
        """The components of a quaternion along the axis, the next and the last axis, and the real one."""
        return self.axes, (self.axes + 1) % 3, (self.axes + 2) % 3, np.full_like(self.axes, 3)


@dataclass(frozen=True, eq=False)
class _Rig:
    """The content of the lines before MOTION. parts: the joints and the End Sites, in order; bind [J, 10]: without the
    folding; positions: the position channels; rotations: the first, second, .. rotation channels of all joints."""

    parts: Sequence[_Joint]
    joints: Sequence[_Joint]
    parents: Sequence[int]
    folding: Folding
    bind: Array
    positions: _Channels
    rotations: Sequence[_Channels]


@lru_cache(maxsize=4)  # the files of a capture session have the same header
def _rig_of(header: str, up: str, metres: float) -> _Rig:
    parts = _Hierarchy(header.split("\n")).parse()
    joints = [part for part in parts if part.is_joint]
    parents = [joint.parent for joint in joints]
    world = world_of(up, metres)
    folding = Folding(parents, [world if p < 0 else IDENTITY for p in parents], np.ones((len(parents), 3)))
    return _Rig(parts, joints, parents, folding, _rest(joints), *_channels_of(joints))


class _Hierarchy:
    """Parses the HIERARCHY section by recursive descent, with its own stack of open blocks."""

    def __init__(self, lines: list[str]):
        self._tokens = [
            (token, number)
            for number, line in enumerate(lines, 1)
            for token in _TOKEN.findall(line)
        ]
        self._at = 0
        self._joints: list[_Joint] = []
        self._blocks: list[_Joint] = []

    def parse(self) -> list[_Joint]:
        """Returns the joints and the End Sites, in order. parent: the number among the joints."""
        token, line = self._next("HIERARCHY")
        if token.upper() != "HIERARCHY":
            raise ImportProblem(f"line {line}: '{token}' instead of HIERARCHY; check that the file is BVH")
        self._read_blocks()
        if not self._joints:
            raise ImportProblem("no ROOT joint; check that the file is BVH and complete")
        self._check_joints()
        return self._blocks

    def _read_blocks(self) -> None:
        open_blocks: list[_Joint] = []
        while self._at < len(self._tokens):
            token, line = self._next("a joint")
            word = token.upper()
            current = open_blocks[-1] if open_blocks else None
            if word == "ROOT" and current is None:
                open_blocks.append(self._open_joint(line, None))
            elif word == "JOINT" and current is not None and current.is_joint:
                open_blocks.append(self._open_joint(line, current))
            elif word == "END" and current is not None and current.is_joint:
                self._name(line)
                self._expect_brace()
                open_blocks.append(_Joint(f"End Site of {current.name}", current.index, line))
                self._blocks.append(open_blocks[-1])
            elif word == "OFFSET" and current is not None:
                current.offset = [self._number("OFFSET") for _ in range(3)]
            elif word == "CHANNELS" and current is not None:
                self._channels(current, line)
            elif token == "}" and open_blocks:
                open_blocks.pop()
            else:
                raise ImportProblem(f"line {line}: unexpected '{token}'; export the file again")
        if open_blocks:
            raise ImportProblem("a '}' is missing before MOTION; export or copy the file again")

    def _open_joint(self, line: int, parent: _Joint | None) -> _Joint:
        name = check_name(self._name(line), f"line {line}: joint")
        if not name:
            raise ImportProblem(f"line {line}: a joint has no name; add one")
        self._expect_brace()
        joint = _Joint(name, -1 if parent is None else parent.index, line, index=len(self._joints))
        self._joints.append(joint)
        self._blocks.append(joint)
        return joint

    def _channels(self, joint: _Joint, line: int) -> None:
        where = f"line {line}: {'joint ' * joint.is_joint}{joint.name}"
        if joint.channels:
            raise ImportProblem(f"{where}: CHANNELS twice; remove one")
        count, _ = self._next("the number of CHANNELS")
        names = self._rest_of_line(line)
        if not count.isdecimal() or len(count) > 6 or int(count) != len(names):
            raise ImportProblem(
                f"{where}: CHANNELS {count} followed by {len(names)} names; correct the count"
            )
        positions = [name.lower() for name in names if name.lower().endswith("position")]
        for name in names:
            if not re.fullmatch("[xyz](rotation|position)", name, re.IGNORECASE):
                raise ImportProblem(
                    f"{where}: channel {name} is not supported, only X/Y/Z rotation and position; export without it"
                )
        if len(set(positions)) != len(positions):
            raise ImportProblem(f"{where}: a position channel occurs twice; remove one")
        joint.channels = [name.lower() for name in names]

    def _check_joints(self) -> None:
        for joint in self._joints:
            if joint.offset is None:
                raise ImportProblem(f"line {joint.line}: joint {joint.name}: no OFFSET; add one")

    def _name(self, line: int) -> str:
        """Reads a name, up to the brace or the end of the line, because names may contain spaces."""
        return " ".join(self._rest_of_line(line))

    def _rest_of_line(self, line: int) -> list[str]:
        words = []
        while self._at < len(self._tokens):
            token, token_line = self._tokens[self._at]
            if token_line != line or token in "{}":
                break
            words.append(token)
            self._at += 1
        return words

    def _expect_brace(self) -> None:
        token, line = self._next("'{'")
        if token != "{":
            raise ImportProblem(f"line {line}: '{token}' instead of '{{'; export the file again")

    def _number(self, what: str) -> float:
        token, line = self._next(what)
        return parse_numbers([token], line)[0]

    def _next(self, what: str) -> tuple[str, int]:
        if self._at >= len(self._tokens):
            raise ImportProblem(f"{what} expected before MOTION; export or copy the file again")
        self._at += 1
        return self._tokens[self._at - 1]


def _read_motion(lines: Lines, parts: Sequence[_Joint], warnings: list[str]) -> tuple[Array, float]:
    """Returns the values of the joints [F, width] and frames per second. Warns about surplus frames, values of End
    Sites, both of which occur in real files, and long frames."""
    of_joints = np.array([part.is_joint for part in parts for _ in part.channels], bool)
    width = np.count_nonzero(of_joints)
    if width == 0:
        raise ImportProblem("no joint has CHANNELS, so nothing moves; export with animation")
    first, second = lines.next_with_content(), lines.next_with_content()
    if first is None or second is None:
        raise ImportProblem(_TRUNCATED)
    count = parse_numbers([_header_value(first, _FRAMES, "Frames: <count>")], first[0])[0]
    if count != int(count) or count < 1:
        raise ImportProblem(f"line {first[0]}: {count:g} frames; export at least one")
    time_digits = _header_value(second, _FRAME_TIME, "Frame Time: <seconds>")
    frame_time = parse_numbers([time_digits], second[0])[0]
    if not 1e-6 <= frame_time <= 1.0 / MIN_RATE:
        raise ImportProblem(f"line {second[0]}: a frame of {frame_time:g} seconds; correct Frame Time")
    if frame_time > _SLOW_S:
        warnings.append(f"line {second[0]}: a frame lasts {frame_time:g} s, the clip {(count - 1) * frame_time:g} s; "
                        f"if {frame_time:g} is the number of frames per second, write Frame Time: "
                        f"{1.0 / frame_time:.6g}, or {frame_time / 1000.0:.6g} if it is in milliseconds")
    joints = sum(part.is_joint for part in parts)
    rows = _read_rows(lines, sorted({width, len(of_joints)}), MAX_JOINT_FRAMES // joints)
    promised = f"{len(rows)} frames, line {first[0]} promises {int(count)}"
    if len(rows) < count:
        raise ImportProblem(f"{promised}; the file ends early, export or copy it again")
    if len(rows) > count:
        warnings.append(f"{promised}; all were taken")
    values = rows
    if values.shape[1] > width:
        tips = [part.name for part in parts if part.channels and not part.is_joint]
        others = f" and {len(tips) - 1} more" if len(tips) > 1 else ""
        warnings.append(f"the values of {tips[0]}{others} are left out, because an End Site is not a joint")
        values = values[:, of_joints]
    return values, stated_rate(frame_time, _decimals(time_digits))


def _decimals(number: str) -> int:
    """Returns the number of decimals that a number is written with."""
    digits, _, exponent = number.lower().partition("e")
    return max(len(digits.partition(".")[2]) - int(exponent or 0), 0)


def _read_rows(lines: Lines, widths: list[int], most: int) -> Array:
    """Returns the values of all frames, which have the first row's width, one of `widths`."""
    values = array("d")  # in one piece, because many small arrays would take twice the memory
    count, width = 0, widths[-1]
    needed = f"{widths[0]}" + "".join(f", or {more} with those of End Sites" for more in widths[1:])
    while (found := lines.next_with_content()) is not None:
        number, line = found
        words = line.split(maxsplit=width + _COUNTED)
        if count == 0 and len(words) in widths:
            width, needed = len(words), f"{len(words)}"
        if len(words) != width:
            raise ImportProblem(
                f"line {number}: {len(words)}{' or more' * (len(words) > width + _COUNTED)} values, the channels need "
                f"{needed}; export or copy the file again"
            )
        values.extend(parse_numbers(words, number))
        count += 1
        if count > most:
            raise ImportProblem(f"line {number}: over {most} frames of this skeleton do not fit ({MAX_JOINT_FRAMES} "
                                "joints times frames in all); shorten or split it")
        while len(rows := lines.rows(width, most - count)) > 0:
            values.frombytes(rows.tobytes())
            count += len(rows)
    return np.frombuffer(values).reshape(count, width)


def _header_value(content: tuple[int, str], pattern: re.Pattern[str], what: str) -> str:
    number, line = content
    match = pattern.match(line)
    if not match:
        raise ImportProblem(f"line {number}: '{line.strip()}' instead of '{what}'; correct it")
    return match[1]


def _rest(joints: list[_Joint]) -> Array:
    bind = np.zeros((len(joints), TRANSFORM_WIDTH))
    bind[:, ROTATION] = IDENTITY.rotation
    bind[:, TRANSLATION] = [joint.offset for joint in joints]
    bind[:, SCALE] = 1.0
    return bind


def _channels_of(joints: list[_Joint]) -> tuple[_Channels, list[_Channels]]:
    """Returns the position channels, and the first, second, .. rotation channels of all joints."""
    positions: list[tuple[int, int, int]] = []
    rotations: list[list[tuple[int, int, int]]] = []
    column = 0
    for j, joint in enumerate(joints):
        number = 0
        for channel in joint.channels:
            entry = j, _AXES.index(channel[0]), column
            if channel.endswith("position"):
                positions.append(entry)
            else:
                if number == len(rotations):
                    rotations.append([])
                rotations[number].append(entry)
                number += 1
            column += 1
    return _columns(positions), [_columns(entries) for entries in rotations]


def _columns(entries: list[tuple[int, int, int]]) -> _Channels:
    return _Channels(*np.array(entries, int).reshape(-1, 3).T)


def _pose(rig: _Rig, values: Array) -> Array:
    """Returns local transforms [F, J, 10] in the file's unit of length."""
    frames = np.repeat(rig.bind[None], len(values), axis=0)
    frames[:, rig.positions.joints, TRANSLATION] = 0.0
    frames[:, rig.positions.joints, rig.positions.axes + TRANSLATION.start] = values[:, rig.positions.columns]
    # [J, 4, F], because NumPy gathers rows several times as fast as single numbers
    turned = np.repeat(rig.bind[:, ROTATION, None], len(values), axis=2)
    for rotation in rig.rotations:  # the same one of all joints at once
        sine, cosine = sine_cosine_of_degrees(values.T[rotation.columns] / 2.0)
        # The quaternion product with a rotation about one axis, half of whose terms are zero.
        along, next_, last, real = (turned[rotation.joints, part] for part in rotation.parts)
        for part, product in zip(rotation.parts, (real * sine + along * cosine, next_ * cosine + last * sine,
                                                  last * cosine - next_ * sine, real * cosine - along * sine)):
            turned[rotation.joints, part] = product
    frames[..., ROTATION] = turned.transpose(2, 0, 1)
    return frames
