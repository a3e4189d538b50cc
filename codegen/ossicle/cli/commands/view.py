"""`ossicle view`: writes and opens a page that plays a bank."""
from __future__ import annotations

import argparse
import tempfile
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from ...analysis.subject import Subject
from ...building.options import EncodeOptions
from ...base.files.output import check_outputs, write_all, write_atomically
from ...base.problem import SettingProblem
from ...importers.importer import files_of
from ...model.lengths import Screen
from ...reporting.console import counted
from ...view.page import page
from ...view.payload import Pixels, payload
from ...view.server import PageServer, served
from ...view.tier_files import TierFiles, tier_files
from ...reporting.messages import warn
from ...interface.subjects import SubjectFiles, files_read, read_subjects

_HEIGHT = 160.0  # pixels of a Game Boy Advance
_SHAPE = 1.5  # ratio of width to height
_MOST_PIXELS = 4096
_SUFFIX = ".html"
_INDEX = f"index{_SUFFIX}"


def view(arguments: argparse.Namespace) -> None:
    """Writes and opens the page, or with --stream serves it."""
    if arguments.stream:
        _stream(arguments)
        return
    if arguments.rate:
        raise SettingProblem("--rate applies only with --stream; add --stream")
    if arguments.output is not None:
        if arguments.output.suffix.lower() != _SUFFIX:
            raise SettingProblem(f"{arguments.output}: the name of a page must end with {_SUFFIX}; rename it")
        check_outputs(files_read(SubjectFiles.of(arguments)) | files_of(arguments.compare), [arguments.output])
    content, warnings = page_of(_subjects(arguments), SubjectFiles.of(arguments).settings.screen)
    path = arguments.output or Path(tempfile.mkdtemp(prefix="ossicle-")) / f"page{_SUFFIX}"
    write_atomically(path, content)
    warn(warnings)
    if not arguments.quiet:
        print(f"wrote {path}, {len(content):,} bytes")
    if not arguments.stays_closed:
        open_in_browser(path.resolve().as_uri())


def _subjects(arguments: argparse.Namespace) -> list[Subject]:
    return read_subjects(SubjectFiles.of(arguments), EncodeOptions.of(arguments), arguments.compare)


def _stream(arguments: argparse.Namespace) -> None:
    """Serves a page that contains only the base, and its tiers; or writes them to a folder for another server."""
    folder = arguments.output
    if folder is not None and arguments.rate:
        raise SettingProblem("--rate applies to the server of --stream, which -o replaces; leave out --rate or -o")
    if folder is not None and folder.suffix.lower() == _SUFFIX:
        raise SettingProblem(f"{folder}: --stream needs a folder for the page and its tiers; give a folder")
    subjects = _subjects(arguments)
    tiers = tier_files(subjects[0])
    content, warnings = page_of(subjects, SubjectFiles.of(arguments).settings.screen, tiers)
    warn(warnings)
    if folder is None:
        _serve(arguments, PageServer(tiers.files, arguments.rate or 0.0), content)
        return
    contents = {folder / name: content for name, content in {_INDEX: content, **tiers.files}.items()}
    check_outputs(files_read(SubjectFiles.of(arguments)) | files_of(arguments.compare), contents)
    write_all(contents)
    if not arguments.quiet:
        for path, content in contents.items():
            print(f"wrote {path}, {len(content):,} bytes")


def _serve(arguments: argparse.Namespace, server: PageServer, content: bytes) -> None:
    server.show(content)
    with served(server) as address:
        if not arguments.quiet:
            print(f"{address} streams {counted(len(server.files), 'tier')}; press Ctrl-C to stop", flush=True)
        if not arguments.stays_closed:
            open_in_browser(address)
        threading.Event().wait()


def page_of(subjects: Sequence[Subject], screen: Screen = Screen(),
            tiers: TierFiles | None = None) -> tuple[bytes, list[str]]:
    """Returns the page of banks, which opens with the first one, and warnings. screen: for a bank without a source,
    because a bank does not store the screen. tiers: of the first bank, if they stream."""
    source = subjects[0].source
    data, warnings = payload(subjects, _pixels(screen if source is None else source.settings.screen), tiers)
    return page(subjects[0].name, data), warnings


def open_in_browser(address: str) -> None:
    if not webbrowser.open(address):
        print(f"no browser was found; open {address} manually")


def _pixels(screen: Screen) -> Pixels:
    """Returns the size of the device's picture. Raises SettingProblem if it is too large for the page."""
    height = screen.height or _HEIGHT
    width = screen.width or height * _SHAPE
    if max(width, height) > _MOST_PIXELS:
        raise SettingProblem(f"[screen]: {width:g} x {height:g} pixels are too large for the page; choose at most "
                             f"{_MOST_PIXELS}")
    return Pixels(round(width), round(height))
