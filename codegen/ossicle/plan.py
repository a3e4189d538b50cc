"""Decides everything about the C that is generated for a bank; the templates only lay it out."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from .bank_file import LANE_KINDS, Bank
from .bank_words import BankProblem
from .codec import codec_bits
from .identifiers import c_comment, c_name_problem, c_string, unique_identifiers
from .unrolling import parse_unroll
from .version import versions

# A loop over a run of bind values costs a Cortex-M0 about as much flash as two assignments.
MIN_RUN = 3
WORDS_PER_LINE = 6
# Bytes that compilers copy in place, without a call, on all our targets.
COPY_BYTES = 64

_MEMBERS = dict(zip(LANE_KINDS, ("rotations", "translations", "scales")))
_WIDTHS = dict(zip(LANE_KINDS, (4, 3, 3)))
_BIND_PARTS = dict(zip(LANE_KINDS, (slice(0, 4), slice(4, 7), slice(7, 10))))


@dataclass(frozen=True)
class Named:
    """A joint or a clip: its enumeration constant, its name for a comment and as a C string."""

    identifier: str
    comment: str
    string: str


@dataclass(frozen=True)
class LaneStep:
    """Blend one lane: offset is where it begins in a key row, in words; lane counts the lanes of
    its kind; member is the array of the pose that takes the result."""

    joint: str
    member: str
    lane: int
    offset: int


@dataclass(frozen=True)
class BindStep:
    """Write bind values to `count` joints from `joint` on: how is 'assign' (one joint), 'copy'
    (from `count` entries of the table) or 'fill' (all from one entry)."""

    how: str
    kind: str
    joint: str
    member: str
    count: int
    table: str
    entry: int
    comment: str

    @property
    def chunks(self) -> list[tuple[int, int]]:
        """The run in pieces that a compiler copies in place: (first, count)."""
        most = COPY_BYTES // (4 * _WIDTHS[self.kind])
        return [(first, min(most, self.count - first)) for first in range(0, self.count, most)]


@dataclass(frozen=True)
class BindEntry:
    """One constant of a bind table, Q20 components, and whose it is."""

    values: tuple[int, ...]
    comment: str

    @property
    def text(self) -> str:
        """The initialiser of the entry, with its comma."""
        return "{" + ", ".join(map(str, self.values)) + "},"


@dataclass(frozen=True)
class ComposeStep:
    """Compose one joint with its parent; None for a root."""

    joint: str
    parent: str | None


@dataclass(frozen=True)
class Plan:
    """Everything the templates print. Counts in words of 4 bytes or in bytes, as named."""

    name: str
    prefix: str
    library: str
    major: int
    minor: int
    bank_format: int
    bank_crc: str
    layout_crc: str
    bank_bytes: int
    bank_words: int
    row_words: int
    player_words: int
    memory_words: int
    pose_bytes: int
    model_bytes: int
    codecs: int
    codec_names: str
    has_scale: bool
    joints: tuple[Named, ...]
    clips: tuple[Named, ...]
    lanes: dict[str, tuple[LaneStep, ...]]
    bind_steps: tuple[BindStep, ...]
    bind_rotations: tuple[BindEntry, ...]
    bind_vectors: tuple[BindEntry, ...]
    compose: tuple[ComposeStep, ...]
    unroll: dict[str, str]
    embed: bool
    bank_lines: tuple[tuple[str, ...], ...]

    @property
    def joint_type(self) -> str:
        """The smallest C type that holds every joint's number."""
        return "uint8_t" if len(self.joints) <= 256 else "uint16_t"

    @property
    def helpers(self) -> frozenset[str]:
        """The static functions that the generated code needs; others would be unused and warn."""
        in_place = {"assign"} if self.unroll["evaluate"] == "loop" else {"assign", "copy"}
        needed = {f"{step.how}_{'rotations' if step.kind == 'rotation' else 'vectors'}"
                  for step in self.bind_steps if step.how not in in_place}
        if any(step.parent for step in self.compose):
            needed.add("compose_child")
        return frozenset(needed)


def make_plan(bank: Bank, name: str, embed: bool = False, unroll: Sequence[str] = ()) -> Plan:
    """The plan for a bank under the prefix `name` (a C identifier such as hero).

    unroll: see unrolling.parse_unroll, which may raise its SettingProblem. BankProblem if the name
    cannot be used.
    """
    problem = c_name_problem(name)
    if problem is not None:
        raise BankProblem(f"the name {name!r} {problem}; choose another with --name")
    prefix = name.upper()
    joints, clips = _name_joints(bank, prefix), _name_clips(bank, prefix)
    identifiers = [joint.identifier for joint in joints]
    lanes = _plan_lanes(bank, identifiers)
    binds = _BindPlanner(bank, joints)
    version = versions()
    return Plan(
        name=name, prefix=prefix, library=version.library, major=version.major,
        minor=version.minor, bank_format=bank.format, bank_crc=f"0x{bank.crc:08x}",
        layout_crc=f"0x{bank.layout_crc:08x}u", bank_bytes=bank.size_bytes,
        bank_words=len(bank.words), row_words=bank.row_words, player_words=bank.player_words,
        # C has no arrays of nothing; a bank where nothing moves still gets a player.
        memory_words=max(bank.player_words, 1),
        pose_bytes=4 * len(joints) * (10 if bank.has_scale else 7),
        model_bytes=48 * len(joints), codecs=codec_bits(bank.codecs),
        codec_names=", ".join(bank.codecs), has_scale=bank.has_scale, joints=joints, clips=clips,
        lanes=lanes, bind_steps=tuple(binds.steps), bind_rotations=tuple(binds.rotations),
        bind_vectors=tuple(binds.vectors),
        compose=tuple(
            ComposeStep(identifier,
                        None if joint.parent is None else identifiers[joint.parent])
            for identifier, joint in zip(identifiers, bank.joints)),
        unroll=parse_unroll(unroll), embed=embed, bank_lines=_lines_of(bank) if embed else ())


def _name_joints(bank: Bank, prefix: str) -> tuple[Named, ...]:
    numbers = [str(j) for j in range(len(bank.joints))]
    names = [joint.name for joint in bank.joints]
    identifiers = unique_identifiers(names if bank.named else [""] * len(names), numbers,
                                     frozenset({"COUNT"}))
    return tuple(Named(f"{prefix}_JOINT_{identifier}", c_comment(name), c_string(name))
                 for identifier, name in zip(identifiers, names))


def _name_clips(bank: Bank, prefix: str) -> tuple[Named, ...]:
    hashes = [f"{clip.name_hash:08X}" for clip in bank.clips]
    names = [clip.name for clip in bank.clips]
    identifiers = unique_identifiers(names if bank.named else [""] * len(names), hashes,
                                     frozenset({"COUNT"}))
    return tuple(
        Named(f"{prefix}_CLIP_{identifier}",
              f"{c_comment(clip.name)}: {clip.frame_count} frame{'s'[:clip.frame_count > 1]} at "
              f"{clip.rate_q16 / 65536:g} Hz{', loop' if clip.loop else ''}{', layer' if clip.layer else ''}",
              c_string(clip.name))
        for identifier, clip in zip(identifiers, bank.clips))


def _plan_lanes(bank: Bank, identifiers: list[str]) -> dict[str, tuple[LaneStep, ...]]:
    """The lanes of each kind in row order."""
    lanes: dict[str, list[LaneStep]] = {kind: [] for kind in LANE_KINDS}
    offset = 0
    for kind, joint in bank.lanes:
        lanes[kind].append(LaneStep(identifiers[joint], _MEMBERS[kind], len(lanes[kind]), offset))
        offset += _WIDTHS[kind]
    return {kind: tuple(steps) for kind, steps in lanes.items()}


class _BindPlanner:
    """Groups what has no lane into runs of neighbouring joints, and fills the constant tables.

    Equal values in a run become one entry (scales are mostly 1), different ones a copy.
    """

    def __init__(self, bank: Bank, joints: tuple[Named, ...]):
        self.steps: list[BindStep] = []
        self.rotations: list[BindEntry] = []
        self.vectors: list[BindEntry] = []
        self._bank = bank
        self._joints = joints
        kinds = LANE_KINDS if bank.has_scale else LANE_KINDS[:2]
        for index, kind in enumerate(kinds):
            still = [j for j, joint in enumerate(bank.joints) if not joint.lanes[index]]
            for _, run in groupby(enumerate(still), key=lambda pair: pair[1] - pair[0]):
                self._plan_run(kind, [joint for _, joint in run])

    def _value(self, kind: str, joint: int) -> tuple[int, ...]:
        return self._bank.joints[joint].bind[_BIND_PARTS[kind]]

    def _plan_run(self, kind: str, run: list[int]) -> None:
        different: list[int] = []
        for _, group in groupby(run, key=lambda joint: self._value(kind, joint)):
            equal = list(group)
            if len(equal) < MIN_RUN:
                different += equal
                continue
            self._plan_different(kind, different)
            different = []
            self._add("fill", kind, equal, self._shared_entry(kind, equal[0]))
        self._plan_different(kind, different)

    def _plan_different(self, kind: str, joints: list[int]) -> None:
        if len(joints) >= MIN_RUN:
            table = self._table(kind)
            first = len(table)
            table.extend(self._entry(kind, joint) for joint in joints)
            self._add("copy", kind, joints, first)
            return
        for joint in joints:
            self._add("assign", kind, [joint], self._shared_entry(kind, joint))

    def _table(self, kind: str) -> list[BindEntry]:
        return self.rotations if kind == "rotation" else self.vectors

    def _entry(self, kind: str, joint: int) -> BindEntry:
        return BindEntry(self._value(kind, joint), f"{self._joints[joint].comment}, {kind}")

    def _shared_entry(self, kind: str, joint: int) -> int:
        """The index of an entry with this value, the first one or a new one."""
        table = self._table(kind)
        value = self._value(kind, joint)
        for index, entry in enumerate(table):
            if entry.values == value:
                return index
        table.append(self._entry(kind, joint))
        return len(table) - 1

    def _add(self, how: str, kind: str, joints: list[int], entry: int) -> None:
        table = "bind_rotations" if kind == "rotation" else "bind_vectors"
        self.steps.append(BindStep(how, kind, self._joints[joints[0]].identifier, _MEMBERS[kind],
                                   len(joints), table, entry,
                                   f"{self._joints[joints[0]].comment} to "
                                   f"{self._joints[joints[-1]].comment}"))


def _lines_of(bank: Bank) -> tuple[tuple[str, ...], ...]:
    words = [f"0x{word:08x}u" for word in bank.words]
    return tuple(tuple(words[i:i + WORDS_PER_LINE]) for i in range(0, len(words), WORDS_PER_LINE))
