"""`python3 -m ossicle`, and the installed command."""
import sys

from .base import signals
from .base.problem import SettingProblem


def _unchanged(words: list[str]) -> bool:
    """Whether the build has nothing to do, found without the packages that encoding needs. Leaves every
    problem to the command itself, which explains it."""
    from .cli.manifest import finish_unchanged
    try:
        return finish_unchanged(words)
    except (OSError, ValueError, RuntimeError, SettingProblem):
        return False


def main() -> int:
    """Runs the command of sys.argv and returns its exit status. Imports packages only here, after
    signals are set up."""
    signals.end_at_once()
    if sys.argv[1:2] == ["build"] and _unchanged(sys.argv[1:]):
        return 0
    from .cli.main import main as run
    return run()


if __name__ == "__main__":
    sys.exit(main())
