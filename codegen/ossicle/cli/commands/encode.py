"""`ossicle encode`: writes a bank from source files."""
from __future__ import annotations

import argparse

from ...base import signals
from ...base.files.output import check_outputs
from ...generate.identifiers import name_of_stem
from ...encoding.results import report_json
from ...encoding.sources import source_files
from ...config.overlay import settings_of
from ...building.options import EncodeOptions
from ...interface.encode import encode_files
from ..json_output import STDOUT, write_and_print
from ..printing import show, show_next
from ...config.project import Project, read_project
from ...reporting.messages import warn


def encode(arguments: argparse.Namespace) -> None:
    quiet = arguments.quiet or arguments.json == STDOUT
    project = read_project(arguments.config) if arguments.config else Project()
    settings = settings_of(project.settings, arguments)
    outputs = [path for path in (arguments.output, arguments.json, arguments.html) if path not in (None, STDOUT)]
    read = source_files(arguments.inputs, settings)
    if arguments.config:
        read[arguments.config] = arguments.config
    check_outputs(read, outputs)
    if project.build_keys:
        warn([f"{arguments.config}: {', '.join(project.build_keys)}: only `ossicle build` uses these; encode ignores "
              "them"])
    result, imported = encode_files(arguments.inputs, settings, EncodeOptions.of(arguments), arguments.config)
    contents = {arguments.output: result.bank}
    if arguments.json is not None:
        contents[arguments.json] = report_json(result)
    if arguments.html is not None:
        with signals.deferred():
            from ...analysis.analysis import analyse  # imported here: slow, and seldom needed
            from ...analysis.subject import encoded_subject
            from ...reporting.page import page
        subject = encoded_subject(arguments.output.stem, result, imported, settings, arguments.inputs)
        contents[arguments.html] = page(analyse(subject))
    write_and_print(contents)
    show(result, arguments.output, quiet)
    if not quiet:
        folder = arguments.output.parent / name_of_stem(arguments.output.stem)
        if folder == arguments.output:  # a bank without a suffix
            folder = folder.with_name(f"{folder.name}_code")
        show_next("generate", arguments.output, "-o", folder)
