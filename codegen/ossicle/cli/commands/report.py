"""`ossicle report`: writes figures and plots about a bank."""
from __future__ import annotations

import argparse
from pathlib import Path

from ...analysis.analysis import analyse, analysis_json
from ...building.options import EncodeOptions
from ...base.files.output import check_outputs
from ...reporting.page import SVG_FILES, page, svg_files
from ...reporting.summary import summary
from ...reporting.tables import console
from ..json_output import STDOUT, write_and_print
from ..printing import show_next
from ...interface.subjects import SubjectFiles, files_read, read_subjects


def report(arguments: argparse.Namespace) -> None:
    """Writes all outputs of the command line, or none on failure. Prints a summary if there are no outputs."""
    folder: Path | None = arguments.svg
    outputs = [path for path in (arguments.output, arguments.json) if path not in (None, STDOUT)]
    named = SubjectFiles.of(arguments)
    check_outputs(files_read(named), [*outputs, *(folder / name for name in SVG_FILES if folder is not None)])
    document = analyse(read_subjects(named, EncodeOptions.of(arguments))[0])
    contents = {}
    if arguments.output is not None:
        contents[arguments.output] = page(document)
    if arguments.json is not None:
        contents[arguments.json] = analysis_json(document)
    if folder is not None:
        contents |= {folder / name: plot for name, plot in svg_files(document).items()}
    write_and_print(contents)
    if arguments.quiet or arguments.json == STDOUT:
        return
    for path, content in contents.items():
        print(f"wrote {path}, {len(content):,} bytes")
    if not contents:
        for part in summary(document):
            console().print(part)
        if not (named.source or named.config or named.character):
            show_next("report", *arguments.inputs, "-o", Path(arguments.inputs[0].with_suffix(".html").name))
