"""`ossicle clips`, `ossicle targets` and `ossicle presets`: print tables."""
from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from ...encoding.presets import PRESETS
from ...encoding.settings import Settings
from ...importers.importer import read_separately
from ...model.clip import Imported
from ...model.import_options import ImportOptions
from ...model.clip_facts import clip_facts
from ...model.standing_still import still_warnings
from ..json_output import print_json
from ..printing import show_next
from ...reporting import console as report
from ...reporting.tables import console
from ...reporting.body_parts import skeleton_line
from ...machines import list_targets, load_target
from ...config.overlay import settings_of
from ...reporting.messages import warn
from ...retargeting.skeleton_facts import PERSON, SkeletonFacts, skeleton_facts


def clips(arguments: argparse.Namespace) -> None:
    settings = settings_of(Settings(), arguments)
    files = read_separately(arguments.inputs, settings.importing)
    facts = [clip_facts(clip, file.skeleton, settings.tolerance.on(settings.screen), settings.shell_m)
             for file in files for clip in file.clips]
    skeletons = [skeleton_facts(file, path.name) for path, file in zip(arguments.inputs, files, strict=True)]
    warn(warning for file in files for warning in (*file.warnings, *still_warnings(
        file.clips, file.skeleton, settings.shell_m)))
    if arguments.json:
        print_json({"clips": [asdict(clip) for clip in facts],
                    "skeletons": [asdict(skeleton) for skeleton in skeletons]})
    else:
        console().print(report.facts_table(facts))
        for skeleton in skeletons:
            if line := skeleton_line(skeleton):
                print(line)
        if settings.importing == ImportOptions():  # the next command would need the same options
            _show_next(arguments.inputs, files, skeletons)


def _show_next(paths: Sequence[Path], files: Sequence[Imported], skeletons: Sequence[SkeletonFacts]) -> None:
    """Prints what usually follows: captures of people are retargeted, and files with one skeleton are encoded."""
    first = paths[0]
    if all(file.carrying is None and facts.body == PERSON for file, facts in zip(files, skeletons)):
        show_next("retarget", *paths, "--onto", "CHARACTER.glb", "-o", Path(f"{first.stem}_retargeted.glb"))
    elif len({file.skeleton.names for file in files}) == 1 and _have_own_names(files):
        show_next("encode", *paths, "-o", Path(first.with_suffix(".ossb").name))


def _have_own_names(files: Sequence[Imported]) -> bool:
    """Returns whether all clips can be in one bank."""
    names = [clip.name for file in files for clip in file.clips]
    return len(set(names)) == len(names)


def targets(arguments: argparse.Namespace) -> None:
    machines = [load_target(name) for name in list_targets()]
    if arguments.json:
        print_json([report.target_facts(machine) for machine in machines])
    else:
        console().print(report.target_table(machines))


def presets(_: argparse.Namespace) -> None:
    console().print(report.preset_table(PRESETS.values()))
