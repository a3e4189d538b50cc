"""Encodes the same clips with every scheme and compares sizes, errors, memory and time (`ossicle compare`)."""
from __future__ import annotations

import math
import operator
import os
import stat
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path


from ..base.arrays import Array
from ..base.problem import SettingProblem
from ..encoding import native
from ..encoding.encoder import encode_clips
from ..encoding.playing import played
from ..encoding.problems import EncodeProblem
from ..encoding.presets import PRESETS
from ..encoding.results import BankResult
from ..encoding.settings import ClipOptions, Settings
from ..generate.code import Code
from ..generate.emit import generate
from ..importers.importer import read_groups
from ..importers.suffixes import SUFFIXES, listed
from ..model.editing.additive import poses
from ..model.clip import Clip, Imported
from ..model.import_options import ImportOptions
from ..model.lengths import Tolerance
from ..model.shell import shell_errors, with_midpoints
from ..machines import TargetError, build, codec_costs, known_costs, run

ROW_TARGET = "mps2_an386"  # a Cortex-M4
_RUN_SECONDS = 1200.0
_ROUNDING = 1.0 + 1e-9  # relative tolerance for rounded errors in millimetres


@dataclass(frozen=True)
class Group:
    """Clips of one skeleton, and the name of the group."""

    label: str
    imported: Imported


@dataclass(frozen=True)
class ClipFigures:
    """The result of a scheme for a clip. holds: whether its error is within the tolerance."""

    clip: str
    frames: int
    bytes: int
    worst_mm: float
    mean_mm: float
    holds: bool


@dataclass(frozen=True)
class Figures:
    """The result of a scheme for a group at a tolerance. bytes: the whole bank; ratio: compared with ten floats per
    joint and frame; errors: over all joints, frames and midpoints; row_m4: average instructions per row on a Cortex-M4,
    or None if they were not counted. Without a bank, all of these are None, `clips` is empty and `problem` states the
    reason; otherwise `problem` concerns row_m4."""

    group: str
    clip_count: int
    tolerance_mm: float
    scheme: str
    bytes: int | None = None
    ratio: float | None = None
    worst_mm: float | None = None
    mean_mm: float | None = None
    ram_bytes: int | None = None
    row_m4: int | None = None
    clips: tuple[ClipFigures, ...] = ()
    problem: str = ""

    @property
    def holding(self) -> int:
        """The number of clips that hold the tolerance."""
        return sum(clip.holds for clip in self.clips)


def source_files(paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Returns the named files and all files in and below named folders, in order, and the list of the latter. Raises
    SettingProblem for a folder without source files."""
    files: list[Path] = []
    found: list[Path] = []
    for path in paths:
        try:
            is_folder = stat.S_ISDIR(os.stat(path).st_mode)
        except OSError as error:
            raise SettingProblem(f"{path}: cannot be read ({error.strerror}); check the path") from error
        if not is_folder:
            files.append(path)
            continue
        inside = sorted(file for file in path.rglob("*")
                        if file.suffix.lower() in SUFFIXES and file.is_file())
        if not inside:
            raise SettingProblem(f"{path}: holds no {listed(SUFFIXES)} file; name another folder")
        files += inside
        found += inside
    unique = list(dict.fromkeys(files))
    return unique, [path for path in found if path not in paths]


def read_sources(paths: Sequence[Path], options: ImportOptions) -> tuple[list[Group], list[str]]:
    """Returns the selected clips of files and folders, in a group for each skeleton, and warnings. Raises ImportProblem
    or SettingProblem."""
    files, found = source_files(paths)
    groups, warnings = read_groups(files, options, found)
    labelled: list[Group] = []
    for group in groups:
        warnings += group.warnings
        labelled.append(Group(_label(files, group.clips, {other.label for other in labelled}), group))
    if not labelled:
        raise SettingProblem(f"{paths[0]}: no clip in the input; check that the files have "
                             "animations")
    return labelled, warnings


def _label(files: Sequence[Path], clips: Sequence[Clip], taken: set[str]) -> str:
    """Returns the stem of the file that contains the clips, or the folder's name if there are several files."""
    sources = dict.fromkeys(clip.source for clip in clips)
    first = next(path for path in files if path.name in sources)
    label = first.stem if len(sources) == 1 else first.resolve().parent.name or first.stem
    number = 2
    while label in taken:
        label = f"{label.rpartition('-')[0] if number > 2 else label}-{number}"
        number += 1
    return label


Progress = Callable[[int, int, str], None]


@dataclass
class Comparison:
    """The settings of a comparison. jobs: the number of threads; rows: whether to count the cost of
    rows, which needs the compiler and emulator of the target."""

    settings: Settings
    schemes: Sequence[str]
    tolerances: Sequence[Tolerance]
    jobs: int | None = None
    rows: bool = False

    def run(self, groups: Sequence[Group], progress: Progress | None = None) -> list[Figures]:
        """Returns figures by group, tolerance and scheme. Raises EncodeProblem if all schemes fail. progress(done,
        total, item) counts frames, once for each scheme and tolerance."""
        frames = [sum(len(clip.frames) for clip in group.imported.clips) for group in groups]
        total = len(self.tolerances) * len(self.schemes) * sum(frames)
        done = 0
        figures = []
        for group, count in zip(groups, frames):
            once: dict[str, _Bank] = {}
            for tolerance in self.tolerances:
                for scheme in self.schemes:
                    def step(part: int, whole: int, name: str, scheme: str = scheme) -> None:
                        if progress:
                            progress(done + count * part // whole, total, f"{group.label}: {scheme}: {name}")
                    figures.append(self._figures(group, tolerance, scheme, once, step))
                    done += count
        if all(row.bytes is None for row in figures):
            raise EncodeProblem(figures[0].problem)
        return figures

    def _figures(self, group: Group, tolerance: Tolerance, scheme: str, once: dict[str, _Bank],
                 progress: Progress) -> Figures:
        """Returns the figures of a scheme. once: caches banks that do not depend on the tolerance."""
        settings = self.settings_of(scheme, tolerance)
        millimetres = tolerance.on(settings.screen) * 1e3
        count = len(group.imported.clips)
        try:
            bank = once.get(scheme) or self._bank(group, settings, progress)
        except EncodeProblem as problem:
            return Figures(group.label, count, millimetres, scheme, problem=str(problem))
        if math.isinf(settings.tolerance.on(settings.screen)):
            once[scheme] = bank
        clips = tuple(ClipFigures(clip.name, clip.frames, clip.bytes, clip.error_mm, mean,
                                  clip.error_mm <= millimetres * _ROUNDING)
                      for clip, mean in zip(bank.result.clips, bank.means_mm, strict=True))
        means = [clip.mean_mm for clip in clips]
        samples = [2 * clip.frames - 1 for clip in clips]
        size = len(bank.result.bank)
        return Figures(
            group.label, count, millimetres, scheme, bytes=size,
            ratio=sum(clip.raw_bytes for clip in bank.result.clips) / size,
            worst_mm=max(clip.worst_mm for clip in clips),
            mean_mm=math.fsum(map(operator.mul, means, samples)) / sum(samples),
            ram_bytes=bank.result.player_bytes, row_m4=bank.row, clips=clips, problem=bank.problem)

    def settings_of(self, scheme: str, tolerance: Tolerance) -> Settings:
        """Returns the settings of a scheme. Those of a preset with a single fixed scheme do not depend on the
        tolerance."""
        settings = replace(self.settings, tolerance=tolerance)
        if scheme not in PRESETS:
            restart = ClipOptions.restart_log2 if settings.restart_log2 is None else settings.restart_log2
            return replace(settings, codec=scheme, optimise="bank", restart_log2=restart, costs=known_costs(None))
        preset = PRESETS[scheme]
        if preset.fixed and len(preset.schemes) == 1:
            settings = replace(settings, tolerance=Tolerance(metres=math.inf))
        return settings.with_preset(scheme, "--presets")

    def _bank(self, group: Group, settings: Settings, progress: Progress) -> _Bank:
        result = encode_clips(group.imported, settings, self.jobs, progress, loosen=True)
        bank, words = result.parsed, native.bank_words(result.bank)
        means = [_mean_mm(result, played(bank, words, index), index, settings.shell_m)
                 for index in range(len(result.clips))]
        row, problem = _row_cost(result) if self.rows else (None, "")
        return _Bank(result, means, row, problem)


@dataclass(frozen=True)
class _Bank:
    result: BankResult
    means_mm: list[float]
    row: int | None
    problem: str


def _mean_mm(result: BankResult, transforms: Array, index: int, shell_m: float) -> float:
    """Returns the mean shell error of a clip. transforms: decoded by the runtime."""
    joints = {name: joint for joint, name in enumerate(result.skeleton.names)}
    breaks = [(frame, joints[name], kind) for frame, name, kind in result.clips[index].breaks]
    source = result.sources[index]
    reference = with_midpoints(source, breaks)
    errors = shell_errors(result.skeleton.parents, poses(source, reference), poses(source, transforms), shell_m,
                          result.skeleton.bind)
    return math.fsum(errors.ravel()) / errors.size * 1e3


def _row_cost(result: BankResult) -> tuple[int | None, str]:
    """Returns the instructions per row on the target over all clips, or the reason why they cannot be counted."""
    with tempfile.TemporaryDirectory(prefix="ossicle-") as scratch:
        folder = Path(scratch)
        bank = folder / "character.ossb"
        bank.write_bytes(result.bank)
        try:
            generate(bank, folder / "generated", Code("character", embed=True))
            firmware = build(ROW_TARGET, folder / "generated", folder / "built")
            ran = run(firmware, timeout_s=_RUN_SECONDS)
        except TargetError as problem:
            return None, f"rows: {problem}"
    costs = codec_costs(ran.clip_costs, ["all"] * len(result.clips))
    return (costs[0].average, "") if costs else (None, "")
