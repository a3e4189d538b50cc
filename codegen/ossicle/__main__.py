"""`python3 -m ossicle`, and the installed command."""
import sys

from .base import signals


def main() -> int:
    """Runs the command of sys.argv and returns its exit status. Imports packages only here, after
    signals are set up."""
    signals.exit_on_signal()
    from .cli.main import main as run
    return run()


if __name__ == "__main__":
    sys.exit(main())
