"""Runs the installed `ossicle` command, never through a shell."""
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

_WHERE = "Edit > Preferences > Add-ons > Ossicle"


class Problem(Exception):
    """A text for the artist, with the remedy, which the panel shows."""


def find(stated):
    """Returns the path of the command. stated: that of the preferences, empty for the first one in PATH."""
    found = shutil.which(stated or "ossicle")
    if found is None:
        raise Problem(f"{stated}: cannot be run; correct the path in {_WHERE}" if stated else
                      f"the command ossicle was not found; install it (pip install ossicle), or name its file in {_WHERE}")
    return found


def start(command, *arguments, output):
    """Starts the command. output: a binary file for both of its outputs."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONHOME"}  # that of Blender's Python
    try:
        return subprocess.Popen([command, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=output,
                                stderr=subprocess.STDOUT, env=environment,
                                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0))
    except OSError as error:
        raise Problem(f"{command}: cannot be run ({error.strerror}); correct the path in {_WHERE}") from error


@contextmanager
def running(command, *arguments):
    """Yields the process of a command, and ends it if it still runs afterwards. Raises Problem with the last line that
    the command prints if it fails."""
    with tempfile.TemporaryFile() as output:
        process = start(command, *arguments, output=output)
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
        output.seek(0)
        if process.returncode != 0:
            raise Problem(_last_line(output.read()) or f"ossicle {arguments[0]} ended without a message")


def _last_line(text):
    return (text.decode("utf-8", "replace").split("\n")[-2:] + [""])[0]


class _Watch:
    process = log = file = None


def start_watch(command, file):
    """Starts `ossicle watch` for a TOML file, instead of the one before."""
    stop_watch()
    handle, name = tempfile.mkstemp(prefix="ossicle-", suffix=".log")
    _Watch.log, _Watch.file = Path(name), file
    with os.fdopen(handle, "wb") as output:
        _Watch.process = start(command, "watch", file, output=output)


def stop_watch():
    if _Watch.process is not None:
        _Watch.process.terminate()
        _Watch.process.wait()
    if _Watch.log is not None:
        _Watch.log.unlink()
    _Watch.process = _Watch.log = None


def watched():
    """Returns the last line that the watch has printed, or None if none was started."""
    if _Watch.process is None:
        return None
    ended = "" if _Watch.process.poll() is None else "ended: "
    return f"{ended}{_last_line(_Watch.log.read_bytes())}"
