"""Encodes source files into a bank: imports them, encodes all clips in parallel, verifies the bank
and returns it."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..bank.file import Bank, parse_bank
from ..bank.graph.steps import worst_step
from ..base.curve_names import real_count
from ..model.bind_size import bind_size, size_warnings
from ..model.clip import Clip, Imported
from ..model.loops import Closing, moves_at_all
from ..model.standing_still import still_warnings
from . import native
from .bank_draft import BankDraft
from .choice.chosen import Chosen
from .choice.codec_chooser import CodecChooser
from .choice.codec_sets import CodecChoice
from .choice.ram_fitting import RamFitting
from .choice.ram_limit import check_character_ram, check_ram
from .choice.step_limit import check_step
from .clip_encoder import ClipEncoder, Encode, Progress
from .curves.errors import curve_errors
from .derived.mirrored import shown_at
from .edits import Edited, edited
from .problems import EncodeProblem, check_tiers
from .results import (
    BankResult,
    ClipResult,
    Findings,
    base_warnings,
    clip_result,
    rule_tolerances,
    source_warnings,
    unit_warnings,
    versions_of,
)
from .settings import Settings
from .sources import read_sources
from .tiers.choosing import choose_keys, choose_versions

if TYPE_CHECKING:
    from .cache.choice import ChoiceCache


def encode(paths: Sequence[Path], settings: Settings, jobs: int | None = None,
           progress: Progress | None = None) -> BankResult:
    """Encodes all clips of all files into one bank: calls read_sources, then encode_clips.

    Raises ImportProblem, EncodeProblem, SettingProblem or NativeProblem with one line for the user.
    """
    return encode_clips(read_sources(paths, settings), settings, jobs, progress)


def encode_clips(imported: Imported, settings: Settings, jobs: int | None = None,
                 progress: Progress | None = None, loosen: bool = False, encode: Encode | None = None) -> BankResult:
    """Encodes imported clips into one bank: calls edited, then encode_edited."""
    return encode_edited(edited(imported, settings), settings, jobs, progress, loosen, encode)


def encode_edited(character: Edited, settings: Settings, jobs: int | None = None,
                  progress: Progress | None = None, loosen: bool = False, encode: Encode | None = None,
                  memory: ChoiceCache | None = None) -> BankResult:
    """Encodes the clips of a character, edited with these settings, into one bank.

    jobs: the number of threads, or None for one per core; the result does not depend on it.
    progress(done, total, clip) is called from this thread after each clip; it counts frames, once for each codec that
    is tried. The final count may be below the total. loosen: the tolerance of
    a clip that cannot hold it is doubled until it can; the clip's result states the tolerance used.
    encode: a function that encodes a clip, such as that of a cache; memory: the choices of codecs in a cache; the
    result does not depend on them. Raises EncodeProblem, SettingProblem or NativeProblem with one line for the user.
    """
    imported = character.imported
    clip_encoder = ClipEncoder(imported, settings, jobs, progress, loosen, encode or native.encode_clip)
    draft = BankDraft(imported, settings, clip_encoder)
    ram = None if settings.max_ram_bytes is None else RamFitting(draft, settings.max_ram_bytes)
    codecs = CodecChooser(draft, ram)
    clip_encoder.plan(sum(len(imported.clips[index].frames) * (clip_encoder.tries(index) - 1)
                          for index in codecs.free()))
    source = imported.clips[0].source
    check_tiers(source, settings.tiers.errors_m, [options.tolerance_m for options in clip_encoder.options])
    clip_encoder.check_loops()
    known = _encode_as_known(draft, imported, memory) if memory else None
    choices, bank = known or (None, None)
    if choices is None:
        draft.encode()
        if ram:
            ram.keep()
        choices = codecs.choose()
        if memory:
            memory.learn(Chosen(codecs.asked, choices))
    choose_keys(draft)
    choose_versions(draft)
    if bank is None or settings.tiers.count:
        bank = draft.write()
    parsed = parse_bank(bank)
    check_ram(parsed, settings.max_ram_bytes, source)
    check_character_ram(parsed, settings.graph.max_ram_bytes if settings.graph else None, source)
    step = worst_step(parsed, settings.step_costs) if settings.step_costs else None
    check_step(parsed, step, settings.graph.max_step_cycles if settings.graph else None, source)
    draft.verify(bank)
    results = _results(draft, parsed, character.closings)
    warnings = source_warnings(draft.clips, results, imported.skeleton, clip_encoder.limits_m,
                               settings.importing.fps is not None)
    size_m = bind_size(imported.skeleton)
    return BankResult(bank, parsed, size_m, rule_tolerances(settings),
                      imported.skeleton, settings.points, draft.clips, results,
                      imported.warnings + warnings + size_warnings(imported.skeleton, source)
                      + still_warnings(imported.clips, imported.skeleton, settings.shell_m)
                      + unit_warnings(imported.clips, imported.skeleton) + base_warnings(results, settings, size_m),
                      choices, step)


def _encode_as_known(draft: BankDraft, imported: Imported,
                     memory: ChoiceCache) -> tuple[list[CodecChoice], bytes] | None:
    """Encodes all clips with the codecs that a cache knows, and returns the sets that were tried then, and the bank
    without tiers. Returns None if the cache does not know the codecs, or is wrong."""
    known = memory.recalled(imported, draft.settings, draft.clip_encoder.allowed)
    if known is not None:
        draft.clip_encoder.known = dict(enumerate(known.codecs))
        with suppress(EncodeProblem):
            draft.encode()
            if len(bank := draft.write(graph=False)) == known.tried[0].bank_bytes:
                return list(known.tried), bank if draft.settings.graph is None else draft.write()
        draft.clip_encoder.known = {}
    return None


def _results(draft: BankDraft, bank: Bank, closings: Mapping[str, Closing]) -> list[ClipResult]:
    """Returns the result of every clip. closings: the loops that were closed."""
    words = np.array(bank.words, np.uint32)
    results = []
    for index, (clip, read, encoded) in enumerate(zip(draft.clips, draft.clip_encoder.read, draft.finest_clips())):
        source = replace(draft.clip_encoder.sources[draft.origins[index]], clip=clip)
        shown = shown_at(bank, index)
        breaks = [(frame, shown[joint], kind) for frame, joint, kind in encoded.breaks()]
        curves = curve_errors(bank, words, index, clip, breaks, draft.clip_encoder.limits_m[index])
        names = [draft.clip_encoder.skeleton.names[joint] for joint in shown]
        found = Findings(names, draft.clip_encoder.limits_m[index], versions_of(bank, draft.plan, index, encoded),
                         closings.get(read.name), curves, _could_loop(draft, index, clip))
        results.append(clip_result(source, read, encoded, draft.clip_encoder.options[index], found))
    return results


def _could_loop(draft: BankDraft, index: int, clip: Clip) -> bool:
    options = draft.clip_encoder.options[index]
    return not options.loop and options.additive is None and clip.mirror_of is None \
        and _gap_m(draft, clip) <= options.tolerance_m and moves_at_all(clip)


def _gap_m(draft: BankDraft, clip: Clip) -> float:
    """Returns how far any joint is at the end of a clip from its place at the beginning, without curves."""
    ends, real = clip.frames[[0, -1]], real_count(draft.clip_encoder.skeleton.names)
    ends[1, real:] = ends[0, real:]
    return float(draft.clip_encoder.inner.travel(ends, draft.settings.shell_m)[0])
