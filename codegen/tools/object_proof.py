"""The object proof as a step of the build: `python3 -m tools.object_proof TARGET FOLDER SOURCE...`."""
from __future__ import annotations

import sys
from pathlib import Path

from ossicle.machines.firmware import compile_object
from ossicle.machines.settings import load_target
from ossicle.machines.symbols import check_objects
from ossicle.machines.tools import TargetError


def main(arguments: list[str]) -> int:
    """Compiles SOURCE... for TARGET into FOLDER and checks the objects by the target's rules.

    Prints one line for each offence. Returns the exit status, which is 1 if there are any.
    """
    if len(arguments) < 3:
        offences = ["usage: python3 -m tools.object_proof TARGET FOLDER SOURCE..."]
    else:
        try:
            target, folder = load_target(arguments[0]), Path(arguments[1])
            folder.mkdir(parents=True, exist_ok=True)
            objects = [compile_object(target, Path(source).resolve(), folder)
                       for source in arguments[2:]]
            offences = check_objects(target.tools, objects, target.float_instructions)
        except TargetError as error:
            offences = [str(error)]
    for offence in offences:
        print(f"object proof: {offence}", file=sys.stderr)
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
