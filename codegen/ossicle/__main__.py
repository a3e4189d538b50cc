"""`python3 -m ossicle`, and the installed command."""
import sys

from .base import signals
from .base.problem import SettingProblem


def _at_once(words: list[str]) -> bool:
    """Runs a command of build rules, if that takes none of the packages that encoding needs. Returns
    whether it did; leaves every problem to the whole command, which explains it."""
    from .base.places import FOLDERS
    from .build.manifest import finish_unchanged
    try:
        if words[0] == "build":
            return finish_unchanged(words)
        print(FOLDERS[words[1]], flush=True)
        return True
    except (OSError, LookupError, ValueError, RuntimeError, SettingProblem):
        return False


def main() -> int:
    """Runs the command of sys.argv and returns its exit status. Imports packages only here, after
    signals are set up."""
    signals.exit_on_signal()
    if sys.argv[1:2] == ["build"] or sys.argv[1:2] == ["paths"] and len(sys.argv) == 3:
        if _at_once(sys.argv[1:]):
            return 0
    from .cli.main import main as run
    return run()


if __name__ == "__main__":
    sys.exit(main())
