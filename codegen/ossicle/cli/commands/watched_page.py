"""`ossicle watch --view`: shows the latest build of a character in the browser."""
from __future__ import annotations

import argparse
from collections.abc import Sequence

from ...base.problem import SettingProblem, nearest
from ...view.server import PageServer, served
from ...config.project import Project
from ...reporting.messages import warn
from ...interface.subjects import built_subject
from .view import open_in_browser, page_of
from .watch import watch as watch_files


def watch(arguments: argparse.Namespace) -> None:
    """Watches files, and with --view shows a character in the browser after each build."""
    if not arguments.view:
        watch_files(arguments)
        return
    server, opened = PageServer(), False
    with served(server) as address:
        def show(projects: Sequence[Project]) -> None:
            nonlocal opened
            content, warnings = page_of([built_subject(_chosen(projects, arguments.character))])
            server.show(content)
            if not opened:
                opened = True
                warn(warnings)
                print(f"{address} shows the latest build", flush=True)
                if not arguments.stays_closed:
                    open_in_browser(address)
        watch_files(arguments, [show])


def _chosen(projects: Sequence[Project], character: str | None) -> Project:
    """Returns the project whose bank has this stem; without a name, the only project. Raises SettingProblem."""
    known = {project.output.stem: project for project in projects}
    if character is None and len(projects) > 1:
        raise SettingProblem("--view shows only one character; add --character" + nearest("", known))
    if character is not None and character not in known:
        raise SettingProblem(f"--character {character!r} does not exist" + nearest(character, known))
    return projects[0] if character is None else known[character]
