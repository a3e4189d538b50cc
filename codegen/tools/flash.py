"""Flashes a program with a character to a machine: `python3 -m tools.flash FILE`, called by `scons flash`.

Makes the program as `scons rom` does, and runs the command that flashes it, or prints the command.
"""
from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ossicle.base import signals

if __name__ == "__main__":
    signals.exit_on_signal()  # packages are imported below

from ossicle.machines import load_target
from .flashing import flasher
from ossicle.cli.main import guarded
from .rom import add_arguments, make_and_print


def main(argv: list[str] | None = None) -> int:
    """Runs the command line. Returns 0, or 1 after one line on stderr."""
    parser = argparse.ArgumentParser(
        prog=f"python3 -m {__spec__.name}", description="Flashes a program with a character to a machine.")
    add_arguments(parser)
    parser.add_argument("--with", dest="method", default="",
                        help="the target's method of flashing (default: the first)")
    parser.add_argument("--drive", type=Path, help="the folder of the drive or card")
    parser.add_argument("--dry", action="store_true", help="print the command, do not run it")
    arguments = parser.parse_args(argv)

    def run() -> int:
        chosen = flasher(load_target(arguments.target), arguments.method, arguments.drive, arguments.dry)
        images = make_and_print(arguments)
        print(chosen.line(images), flush=True)
        if not arguments.dry:
            chosen.run(images)
        return 0

    return guarded(run, argv is None)


if __name__ == "__main__":
    sys.exit(main())
