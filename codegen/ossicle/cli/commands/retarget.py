"""`ossicle retarget`: writes the clips of other skeletons for a character, as glTF."""
from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from ...base.files.output import check_outputs, write_all
from ...base.problem import SettingProblem
from ...config.overlay import settings_of
from ...encoding.settings import Settings
from ...export import gltf
from ...importers.importer import files_of
from ...interface.retarget import Transfers, clips_of
from ...model.clip import Clip, Imported, problems_of
from ..json_output import print_json
from ...model.import_options import ImportOptions
from ..printing import show_next
from ...reporting.body_parts import MappedFile, body_tables
from ...reporting.console import counted
from ...reporting.tables import console
from ...reporting.messages import warn
from ...reporting.transfers import transfer_tables
from ...retargeting.mapping import find_humanoid
from ...retargeting.joints.table import CHARACTER_MAP
from ...retargeting.retarget import Retargeted
from ...retargeting.rules import RetargetRule


def retarget(arguments: argparse.Namespace) -> None:
    """Writes the clips, or prints the maps of joints, or both."""
    rule = _rule_of(arguments)
    importing = settings_of(Settings(), arguments).importing
    outputs = _outputs_of(arguments)
    check_outputs(files_of([*rule.files, arguments.onto], importing.outside), dict.fromkeys(outputs.values()))
    read = Transfers.read(rule, arguments.onto, importing, arguments.character_skin)
    character, sources = read.character, read.sources
    maps = _maps(rule, sources, arguments.onto, character) if arguments.table else []
    if not outputs:
        _print_maps(arguments, maps)
        return
    results = read.transferred()
    contents = {output: gltf.pack(character.skeleton, _clips_in(output, outputs, results))
                for output in dict.fromkeys(outputs[path] for path in results)}
    write_all(contents)
    for path, source in zip(rule.inputs, sources, strict=True):
        more = results[path].warnings if path in results else ()
        warn(f"{path.name}: {warning}" for warning in (*source.warnings, *more, *_left_out(source)))
    _print_maps(arguments, maps, [clip for result in results.values() for clip in result.imported.clips])
    if not arguments.json and not arguments.quiet:
        _print(results, list(contents))
        if importing == ImportOptions() and arguments.character_skin is None:
            show_next("encode", arguments.onto, *contents, "-o", Path(arguments.onto.with_suffix(".ossb").name))


def _rule_of(arguments: argparse.Namespace) -> RetargetRule:
    """Returns the command line as the rule of its files."""
    return RetargetRule(tuple(dict.fromkeys(arguments.inputs)), dict(arguments.map), dict(arguments.character_map),
                        arguments.rest, arguments.scale, arguments.free_feet, arguments.join_hands,
                        arguments.plant_hands, arguments.skin)


def _outputs_of(arguments: argparse.Namespace) -> dict[Path, Path]:
    """Returns the output of each source; none if only the maps are printed. Raises SettingProblem."""
    out: Path | None = arguments.output
    if out is None:
        if not arguments.table:
            raise SettingProblem("retarget: the command names no output; add -o walk.glb, or --table to print "
                                 "only the maps of joints")
        return {}
    suffix = out.suffix.lower()
    if out.is_dir() or not suffix:
        outputs = {path: out / f"{path.stem}{gltf.SUFFIX}" for path in arguments.inputs}
        first = {output: path for path, output in reversed(outputs.items())}
        for path, output in outputs.items():
            if first[output] != path:
                raise SettingProblem(f"{first[output]} and {path} would both become {output}; rename one, or retarget "
                                     "them into different folders")
        return outputs
    if suffix != gltf.SUFFIX:
        raise SettingProblem(f"{out}: files of type '{suffix}' cannot be written; give a {gltf.SUFFIX} file, "
                             "or a folder, which must exist if its name contains a dot")
    return dict.fromkeys(arguments.inputs, out)


def _left_out(source: Imported) -> Iterator[str]:
    """Yields warnings about what a .glb file does not get."""
    for clip in source.clips:
        found = [counted(len(more), what) for more, what in ((clip.events, "event"), (clip.curves, "curve")) if more]
        if found:
            yield (f"clip {clip.name}: its {' and '.join(found)} are not written; [[retarget]] in a configuration file "
                   "keeps them")


def _clips_in(output: Path, outputs: Mapping[Path, Path], results: Mapping[Path, Retargeted]) -> list[Clip]:
    """Returns the clips of an output."""
    return clips_of({path: result for path, result in results.items() if outputs[path] == output},
                    "add --rename 'FILE:OLD=NEW', or write to a folder")


def _maps(rule: RetargetRule, sources: Sequence[Imported], onto: Path, character: Imported) -> list[MappedFile]:
    """Returns the maps of the character and of each source with other joints than the sources before it."""
    with problems_of(f"{onto} (the character)"):
        maps = [MappedFile(onto, character.skeleton, find_humanoid(
            character.skeleton, character.clips, rule.character_map, character.carrying, CHARACTER_MAP))]
    shown: set[tuple[str, ...]] = set()
    for path, source in zip(rule.inputs, sources, strict=True):
        if source.skeleton.names not in shown:
            shown.add(source.skeleton.names)
            with problems_of(str(path)):
                maps.append(MappedFile(path, source.skeleton, find_humanoid(
                    source.skeleton, source.clips, rule.map, source.carrying)))
    return maps


def _print_maps(arguments: argparse.Namespace, maps: Sequence[MappedFile], clips: Sequence[Clip] = ()) -> None:
    """Prints the maps, that of the character first, as tables, or with the clips as JSON."""
    if arguments.json:
        bodies = {"character": maps[0].facts(), "sources": [source.facts() for source in maps[1:]]} if maps else {}
        print_json({"clips": [_facts(clip) for clip in clips], **bodies})
        return
    for source in maps[1:]:
        for part in body_tables(source, maps[0]):
            console().print(part)


def _print(results: Mapping[Path, Retargeted], written: Sequence[Path]) -> None:
    """Prints the measures of all clips, and the files."""
    for part in transfer_tables((clip.name, clip.measure) for result in results.values()
                                for clip in result.imported.clips):
        console().print(part)
    for path in written:
        print(f"wrote {path}")


def _facts(clip: Clip) -> dict[str, object]:
    return {"name": clip.name, "source": clip.source, "frames": len(clip.frames), "rate": clip.rate,
            "measure": clip.measure and asdict(clip.measure)}
