"""`ossicle compare`: compares codecs and published schemes on the user's clips."""
from __future__ import annotations

import argparse

from ...base.files.output import check_outputs, check_writable, write_all
from ...compare import report as compare_report
from ...compare.comparison import Comparison, read_sources, source_files
from ...compare.schemes import chosen_schemes
from ...encoding.settings import DEFAULT_TOLERANCE, Settings
from ...importers.importer import files_of
from ...reporting import console as report
from ...reporting.tables import console
from ...config.overlay import settings_of
from ...reporting.messages import warn


def _comparison_of(arguments: argparse.Namespace) -> Comparison:
    """Returns the comparison that a command line requests. Raises SettingProblem."""
    tolerances = [tolerance for group in arguments.tolerances for tolerance in group] or [DEFAULT_TOLERANCE]
    return Comparison(settings_of(Settings(), arguments), chosen_schemes(arguments.presets, "--presets"),
                      list(dict.fromkeys(tolerances)), arguments.jobs, arguments.rows)


def compare(arguments: argparse.Namespace) -> None:
    comparison = _comparison_of(arguments)
    if arguments.output is not None:  # checked before the long work
        check_writable(arguments.output / compare_report.TABLE)
        compare_report.plots()
    groups, warnings = read_sources(arguments.inputs, comparison.settings.importing)
    if arguments.output is not None:
        check_outputs(files_of(source_files(arguments.inputs)[0]), [
            arguments.output / name for name in compare_report.file_names(
                [group.label for group in groups],
                [(tolerance.metres or 0.0) * 1e3 for tolerance in comparison.tolerances])])
    warn(warnings)
    if arguments.quiet:
        figures = comparison.run(groups)
    else:
        with report.progress_bar("comparing", "frames") as progress:
            figures = comparison.run(groups, progress)
    outputs = {} if arguments.output is None else {
        arguments.output / name: content for name, content in compare_report.files(figures).items()}
    write_all(outputs)
    if not arguments.quiet:
        for part in compare_report.tables(figures):
            console().print(part)
        for path in outputs:
            print(f"wrote {path}")
