"""`ossicle decode`: writes clips to files as the runtime's integer decoder plays them."""
from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ...bank.file import Bank, read_bank
from ...base.files.output import check_outputs, write_atomically
from ...base.problem import SettingProblem, nearest, setting_problems_of
from ...encoding.playing import taking_part
from ...export import beside, bvh, curves_csv, gltf
from ...export.played import clip_indices, play, skeleton_of, with_units, without_curves
from ...export.weights import curves_of
from ...importers import rawclip
from ...importers.importer import files_of
from ...importers.suffixes import GLTF_SUFFIXES, listed
from ...model.clip import Clip, Skeleton
from ...model.import_options import ImportOptions
from ...reporting.console import counted
from ...reporting.names import printable
from ...config.overlay import settings_of
from ...config.project import Project, read_project
from ...reporting.messages import say, warn


def _rawclip(skeleton: Skeleton, clip: Clip) -> bytes:
    try:
        return rawclip.pack(skeleton, clip.frames, clip.rate)
    except ValueError as error:
        raise SettingProblem(f"clip {clip.name}: {error}") from error


# Formats for a single clip, by suffix; without a suffix a file is a .rawclip.
_SINGLE: dict[str, Callable[[Skeleton, Clip], bytes]] = {".rawclip": _rawclip, "": _rawclip, bvh.SUFFIX: bvh.pack}
_SHOWN = 6
CSV = ".csv"  # contains only the curves of a clip


def decode(arguments: argparse.Namespace) -> None:
    """Writes clips to a file, in the format that its suffix selects."""
    bank_path, out, source = arguments.bank, arguments.output, arguments.source
    read = [path for path in (bank_path, source, arguments.config) if path]
    check_outputs(files_of(read), [out])
    project = read_project(arguments.config) if arguments.config else Project()
    importing = settings_of(project.settings, arguments).importing
    suffix = out.suffix.lower()
    _check(out, suffix, source, importing)
    bank = read_bank(bank_path)
    with setting_problems_of(bank_path):
        indices = clip_indices(bank, arguments.clip)
        if suffix != gltf.SUFFIX and len(indices) != 1:
            raise SettingProblem(f"has {len(indices)} clips, but {out} can hold only one; choose a clip with --clip, "
                                 "or write a .glb")
        clips = play(bank, indices, bank_path.name, arguments.midpoints)
        content, left_out, warnings = _content(bank, clips, suffix, source, importing)
    write_atomically(out, content)
    warn(f"{source}: {warning}" for warning in warnings)
    frames = counted(sum(len(clip.frames) for clip in clips), "frame")
    if left_out:
        shown = ", ".join(map(printable, left_out[:_SHOWN])) + (", ..." if len(left_out) > _SHOWN else "")
        say(f"{bank_path}: curves without morph targets in {out.name} are left out: {shown}; write a {CSV} for them"
            + (", or give a --source with morph targets" if suffix == gltf.SUFFIX and source is None else ""))
    print(f"wrote {out}, " + (f"{counted(len(clips), 'clip')}, {frames}" if suffix == gltf.SUFFIX else frames))
    for index in indices:
        if over := bank.additive_text(index):
            print(f"{printable(bank.clips[index].name)}: {over}; the file contains the differences from that pose")


def _check(out: Path, suffix: str, source: Path | None, importing: ImportOptions) -> None:
    """Raises SettingProblem for an unknown format, and for options without an effect."""
    formats = [*filter(None, _SINGLE), CSV, gltf.SUFFIX]
    if suffix not in ("", *formats):
        raise SettingProblem(f"{out}: files of type '{suffix}' cannot be written" + nearest(suffix, formats))
    if source is None and importing != ImportOptions():
        raise SettingProblem("--config, --scale, --up, --ancestors, --joint-axes, --socket and --outside apply only "
                             "with a source; add --source")
    if source is not None and suffix != gltf.SUFFIX:
        raise SettingProblem(f"{out}: --source adds clips to glTF files only; write a .glb")
    if source is not None and source.suffix.lower() not in GLTF_SUFFIXES:
        raise SettingProblem(f"--source {source}: give a {listed(GLTF_SUFFIXES)} file")


def _taking_part(bank: Bank, clip: Clip) -> Clip:
    number = [other.name for other in bank.clips].index(clip.name)
    return replace(clip, frames=taking_part(bank, number, clip.frames))


def _content(bank: Bank, clips: Sequence[Clip], suffix: str, source: Path | None,
             importing: ImportOptions) -> tuple[bytes, list[str], list[str]]:
    """Returns the content, the names of curves that it lacks, and warnings about the source."""
    skeleton = skeleton_of(bank)
    if suffix == CSV:
        return curves_csv.pack(skeleton, _taking_part(bank, clips[0])), [], []
    curves = [curves_of(skeleton, _taking_part(bank, clip)) for clip in clips]
    left_out = list(dict.fromkeys(name for clip in curves for name in clip))
    skeleton, clips = without_curves(bank, skeleton, clips)
    if source is None and suffix != bvh.SUFFIX:
        skeleton, clips = with_units(bank, skeleton, clips)
    if suffix != gltf.SUFFIX:
        return _SINGLE[suffix](skeleton, clips[0]), left_out, []
    if source is None:
        return gltf.pack(skeleton, clips), left_out, []
    placed = [joint.subtracks[1] for joint in bank.joints[:bank.real_joints]]
    return beside.pack(source, skeleton, clips, placed, importing, curves)
