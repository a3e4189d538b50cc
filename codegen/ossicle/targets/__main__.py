"""The object proof as a step of the build: `python3 -m ossicle.targets TARGET OBJECT...`."""
from __future__ import annotations

import sys
from pathlib import Path

from .settings import load_target
from .symbols import check_objects
from .tools import TargetError


def main(arguments: list[str]) -> int:
    """Checks OBJECT... by the rules of TARGET.

    Prints one line for each offence; returns the exit status, 1 when there are any.
    """
    if len(arguments) < 2:
        offences = ["usage: python3 -m ossicle.targets TARGET OBJECT..."]
    else:
        try:
            target = load_target(arguments[0])
            offences = check_objects(target.tools, [Path(path) for path in arguments[1:]],
                                     target.float_instructions)
        except TargetError as error:
            offences = [str(error)]
    for offence in offences:
        print(f"object proof: {offence}", file=sys.stderr)
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
