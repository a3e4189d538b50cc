"""Makes all decisions about the C of a bank; the templates only lay it out."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from ..bank.file import TRACK_KINDS, Bank, parse_bank
from ..bank.strip import without_tiers
from ..bank.transform import most_transposed_words, transposed_words
from ..base.codec import CODECS
from ..base.option_values import EMBED_BASE
from ..base.option_names import named
from ..base.problem import SettingProblem
from ..base.unrolling import parse_unroll
from ..base.version import versions
from .code import Code
from .plans.curve import CurvePlan, plan_curves
from .plans.graph import GraphPlan, plan_graph
from .identifiers import check_c_name
from ..model.joint_sets import joints_of, with_ancestors
from .masks import MaskPlan, plan_masks
from .plans.mirror import MirrorPlan, plan_mirror
from .plans.mix import MixPlan, plan_mix
from .named import Named, name_clips, name_events, name_joints
from .open_bank import Field, open_bank, open_events, open_trajectories
from .plans.shared import SharedWords, plan_shared
from .plans.skin import SkinPlan, plan_skin
from .plans.tier import TierPlan, plan_tiers


# On a Cortex-M0, a loop over a run of bind values takes as much flash as about two assignments.
MIN_RUN = 3
WORDS_PER_LINE = 6
# The bytes that compilers copy inline, without a call, on all targets.
COPY_BYTES = 64
# The number of joints that the comment of a set lists.
MAX_LISTED = 12

_MEMBERS = dict(zip(TRACK_KINDS, ("rotations", "translations", "scales")))
_WIDTHS = dict(zip(TRACK_KINDS, (4, 3, 3)))
_BIND_PARTS = dict(zip(TRACK_KINDS, (slice(0, 4), slice(4, 7), slice(7, 10))))


@dataclass(frozen=True)
class SubtrackStep:
    """Blends a sub-track. offset: its first word in a key row; subtrack: its number within its kind; number: its number
    among all sub-tracks; member: the array of the pose that receives the result."""

    joint: str
    member: str
    subtrack: int
    number: int
    offset: int


def in_fours(steps: Sequence[SubtrackStep]) -> list[tuple[SubtrackStep, ...]]:
    """Splits steps in row order into groups of four that are consecutive in the row, and single steps."""
    groups: list[tuple[SubtrackStep, ...]] = []
    for _, run in groupby(enumerate(steps), key=lambda pair: pair[1].number - pair[0]):
        neighbours = [step for _, step in run]
        whole = len(neighbours) - len(neighbours) % 4
        groups += [tuple(neighbours[first:first + 4]) for first in range(0, whole, 4)]
        groups += [(step,) for step in neighbours[whole:]]
    return groups


@dataclass(frozen=True)
class BindStep:
    """Writes bind values to `count` joints from `joint` on. how: 'assign' (one joint), 'copy' (from
    `count` entries of the table) or 'fill' (all from one entry)."""

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
        """The run in parts that a compiler copies inline: (first, count)."""
        most = COPY_BYTES // (4 * _WIDTHS[self.kind])
        return [(first, min(most, self.count - first)) for first in range(0, self.count, most)]


@dataclass(frozen=True)
class BindEntry:
    """A constant of a bind table, with Q20 components, and the joint and kind of track for a comment."""

    values: tuple[int, ...]
    comment: str

    @property
    def text(self) -> str:
        """The initialiser of the entry, with its comma."""
        return "{" + ", ".join(map(str, self.values)) + "},"


@dataclass(frozen=True)
class ComposeStep:
    """Composes a joint with its parent, which is None for a root."""

    joint: str
    parent: str | None


@dataclass(frozen=True)
class JointSet:
    """The content of the functions for a set of joints: sub-tracks, bind values and compositions as in the plan.
    joints, ancestors: the set, and the joints above that are composed with it, as text for a comment."""

    name: str
    joints: str
    ancestors: str
    subtracks: dict[str, tuple[SubtrackStep, ...]]
    bind_steps: tuple[BindStep, ...]
    compose: tuple[ComposeStep, ...]


@dataclass(frozen=True)
class Plan:
    """The data of the templates. Counts are in words of 4 bytes or in bytes, according to their names."""

    name: str
    prefix: str
    library: str
    major: int
    minor: int
    bank_format: int
    source_bytes: int
    bank_crc: str
    layout_crc: str
    bank_bytes: int
    bank_words: int
    row_words: int
    player_words: int
    transposed_words: int
    memory_words: int
    pose_bytes: int
    model_bytes: int
    codecs: tuple[str, ...]
    base_row: bool
    has_scale: bool
    joints: tuple[Named, ...]
    clips: tuple[Named, ...]
    shared: tuple[SharedWords, ...]
    events: tuple[Named, ...]
    graph: GraphPlan | None
    curves: CurvePlan | None
    matrix_count: int
    subtracks: dict[str, tuple[SubtrackStep, ...]]
    bind_steps: tuple[BindStep, ...]
    bind_rotations: tuple[BindEntry, ...]
    bind_vectors: tuple[BindEntry, ...]
    compose: tuple[ComposeStep, ...]
    sets: tuple[JointSet, ...]
    masks: tuple[MaskPlan, ...]
    mix: MixPlan
    unroll: dict[str, str]
    skin: SkinPlan | None
    mirror: MirrorPlan | None
    skin_joints: tuple[str, ...]
    fast_rows: bool
    cold: tuple[str, ...]
    embed: bool
    base: bool
    tiers: TierPlan | None
    bank_lines: tuple[tuple[str, ...], ...]
    opened: tuple[Field, ...]
    opened_events: tuple[Field, ...]
    opened_trajectories: tuple[Field, ...]

    @property
    def base_row_symbol(self) -> str:
        """The address in C of the code that reads the base row, or 0."""
        return "&osc_base_row_codec.entry" if self.base_row else "0"

    def codec_table(self, missing: str, symbol: str, first: str = "0") -> str:
        """Returns the initialiser of a table of symbols by the codec's number, with `missing` for codecs that the bank
        lacks. symbol: with %s for the codec's name; first: entry 0, which is no codec's."""
        entries = [symbol % codec if codec in self.codecs else missing for codec in CODECS]
        return ", ".join([first, *entries])

    @property
    def matrices(self) -> str:
        """The number of joints with matrices, in C."""
        return f"{self.prefix}_{'MATRIX' if self.curves else 'JOINT'}_COUNT"

    @property
    def joint_type(self) -> str:
        """The smallest C type for the number of any joint."""
        return "uint8_t" if len(self.joints) <= 256 else "uint16_t"

    @property
    def helpers(self) -> frozenset[str]:
        """The static functions that the generated code needs. Unused ones would cause warnings."""
        in_place = {"assign"} if self.unroll["evaluate"] == "loop" else {"assign", "copy"}
        needed = {f"{step.how}_{'rotations' if step.kind == 'rotation' else 'vectors'}"
                  for steps in (self.bind_steps, *(part.bind_steps for part in self.sets)) for step in steps
                  if step.how not in in_place}
        if any(step.parent for step in self.compose):
            needed.add("compose_child")
        return frozenset(needed)


def _transposed_words(bank: Bank) -> int:
    """Returns the words in addition to those of the state with which vector units transpose all clips. For a bank with
    tiers, whose contents may come later, they suffice for any coefficients."""
    if bank.tiers and "transform" in bank.codecs:
        return most_transposed_words(kind for kind, _ in bank.subtracks)
    most = max((transposed_words(clip.state_words, clip.tracks) for clip in bank.clips), default=0)
    return max(0, most - bank.state_words)


def make_plan(bank: Bank, code: Code) -> Plan:
    """Makes the plan for a bank. Raises SettingProblem for an unusable name, impossible skinning matrices, an unknown
    unrolling, a pattern that matches no joint or an impossible mask."""
    name, embed = code.name or "", code.embed
    check_c_name(name)
    prefix = name.upper()
    joints, clips = name_joints(bank, prefix), name_clips(bank, prefix)
    identifiers = [joint.identifier for joint in joints]
    subtracks = _plan_subtracks(bank, identifiers)
    binds = _BindPlanner(bank, joints)
    bind_steps = binds.plan(range(len(joints)))
    compose = tuple(
        ComposeStep(identifier, None if joint.parent is None else identifiers[joint.parent])
        for identifier, joint in zip(identifiers, bank.joints[:bank.real_joints]))
    planned_sets = tuple(
        _plan_set(set_name, patterns, subtracks, compose, binds)
        for set_name, patterns in (code.sets or {}).items())
    version, layout = versions(), parse_unroll(code.unroll)
    embedded = parse_bank(without_tiers(bank, 0)[0]) if embed == EMBED_BASE else bank
    shared, events, curves = plan_shared(bank, prefix, clips), name_events(bank, prefix), plan_curves(bank, prefix)
    taken = [*(item.identifier for item in (*joints, *clips, *events)), *(words.identifier for words in shared),
             *(curve.identifier for curve in (curves.curves if curves else ()))]
    return Plan(
        name=name, prefix=prefix, library=version.library, major=version.major,
        minor=version.minor, bank_format=bank.format, source_bytes=bank.size_bytes, bank_crc=f"0x{bank.crc:08x}",
        layout_crc=f"0x{bank.layout_crc:08x}u", bank_bytes=embedded.size_bytes,
        bank_words=len(embedded.words), row_words=bank.row_words, player_words=bank.player_words,
        transposed_words=_transposed_words(bank),
        # C has no empty arrays, and a bank without moving tracks also gets a player.
        memory_words=max(bank.player_words, 1),
        pose_bytes=4 * len(joints) * (10 if bank.has_scale else 7),
        model_bytes=48 * len(joints), codecs=bank.codecs,
        base_row=bank.has_base_row, has_scale=bank.has_scale, joints=joints, clips=clips,
        shared=shared, events=events, curves=curves,
        graph=plan_graph(bank, name, taken, embedded if embed else None), matrix_count=bank.real_joints,
        subtracks=subtracks, bind_steps=bind_steps, bind_rotations=tuple(binds.rotations),
        bind_vectors=tuple(binds.vectors), compose=compose, sets=planned_sets,
        masks=plan_masks(bank, code.sets or {}, code.masks or {}),
        mix=plan_mix(bank, identifiers, layout["evaluate"] == "loop"), unroll=layout,
        skin=plan_skin(bank, identifiers, code.matrices, code.rigid),
        mirror=plan_mirror(bank, identifiers, code.mirror),
        skin_joints=tuple(identifiers[joint] for joint in bank.skin_joints),
        fast_rows=code.fast_rows and "curve" in bank.codecs, cold=tuple(code.cold), embed=bool(embed),
        base=embed == EMBED_BASE and bool(bank.tiers), tiers=plan_tiers(bank),
        bank_lines=_lines_of(embedded) if embed else (), opened=open_bank(embedded, name) if embed else (),
        opened_events=open_events(embedded, name) if embed else (),
        opened_trajectories=open_trajectories(embedded, name) if embed else ())


def _plan_subtracks(bank: Bank, identifiers: list[str]) -> dict[str, tuple[SubtrackStep, ...]]:
    """Returns the sub-tracks of each kind in row order."""
    subtracks: dict[str, list[SubtrackStep]] = {kind: [] for kind in TRACK_KINDS}
    offset = 0
    for number, (kind, joint) in enumerate(bank.subtracks):
        subtracks[kind].append(SubtrackStep(identifiers[joint], _MEMBERS[kind],
                                            len(subtracks[kind]), number, offset))
        offset += _WIDTHS[kind]
    return {kind: tuple(steps) for kind, steps in subtracks.items()}


def _plan_set(name: str, patterns: Sequence[str], subtracks: dict[str, tuple[SubtrackStep, ...]],
              compose: tuple[ComposeStep, ...], binds: _BindPlanner) -> JointSet:
    bank, joints = binds.bank, binds.joints
    try:
        chosen = joints_of(patterns, [joint.name for joint in bank.joints])
    except SettingProblem as problem:
        raise SettingProblem(f"{named('--joints')} {name}: {problem}") from problem
    closed = with_ancestors(chosen, [joint.parent for joint in bank.joints])
    identifiers = {joints[joint].identifier for joint in chosen}
    return JointSet(
        name, _listed(joints, chosen), _listed(joints, sorted(set(closed) - set(chosen))),
        {kind: tuple(step for step in steps if step.joint in identifiers)
         for kind, steps in subtracks.items()},
        binds.plan(chosen), tuple(compose[joint] for joint in closed if joint < len(compose)))


def _listed(joints: tuple[Named, ...], chosen: Sequence[int]) -> str:
    names = [joints[joint].comment for joint in chosen[:MAX_LISTED]]
    more = len(chosen) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


class _BindPlanner:
    """Groups the tracks that are not sub-tracks into runs of neighbouring joints, and fills the constant
    tables that all plans share.

    Equal values in a run become one entry (scales are mostly 1); different values are copied.
    """

    def __init__(self, bank: Bank, joints: tuple[Named, ...]):
        self.rotations: list[BindEntry] = []
        self.vectors: list[BindEntry] = []
        self._steps: list[BindStep] = []
        self.bank = bank
        self.joints = joints

    def plan(self, joints: Sequence[int]) -> tuple[BindStep, ...]:
        """Returns the steps that write the constant tracks of these joints, ascending."""
        self._steps = []
        for index, kind in enumerate(TRACK_KINDS if self.bank.has_scale else TRACK_KINDS[:2]):
            still = [j for j in joints if not self.bank.joints[j].subtracks[index]]
            for _, run in groupby(enumerate(still), key=lambda pair: pair[1] - pair[0]):
                self._plan_run(kind, [joint for _, joint in run])
        return tuple(self._steps)

    def _value(self, kind: str, joint: int) -> tuple[int, ...]:
        return self.bank.joints[joint].bind[_BIND_PARTS[kind]]

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
            self._add("copy", kind, joints, self._shared_entries(kind, joints))
            return
        for joint in joints:
            self._add("assign", kind, [joint], self._shared_entry(kind, joint))

    def _table(self, kind: str) -> list[BindEntry]:
        return self.rotations if kind == "rotation" else self.vectors

    def _entry(self, kind: str, joint: int) -> BindEntry:
        return BindEntry(self._value(kind, joint), f"{self.joints[joint].comment}, {kind}")

    def _shared_entry(self, kind: str, joint: int) -> int:
        return self._shared_entries(kind, [joint])

    def _shared_entries(self, kind: str, joints: list[int]) -> int:
        """Returns the index of the first consecutive entries with these values, or appends them."""
        table = self._table(kind)
        values = [self._value(kind, joint) for joint in joints]
        for index in range(len(table) - len(values) + 1):
            if [entry.values for entry in table[index:index + len(values)]] == values:
                return index
        table.extend(self._entry(kind, joint) for joint in joints)
        return len(table) - len(values)

    def _add(self, how: str, kind: str, joints: list[int], entry: int) -> None:
        table = "bind_rotations" if kind == "rotation" else "bind_vectors"
        self._steps.append(BindStep(how, kind, self.joints[joints[0]].identifier, _MEMBERS[kind],
                                    len(joints), table, entry,
                                    f"{self.joints[joints[0]].comment} to "
                                    f"{self.joints[joints[-1]].comment}"))


def _lines_of(bank: Bank) -> tuple[tuple[str, ...], ...]:
    words = [f"0x{word:08x}u" for word in bank.words]
    return tuple(tuple(words[i:i + WORDS_PER_LINE]) for i in range(0, len(words), WORDS_PER_LINE))
