"""Runs the installed `ossicle` command, never through a shell."""
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path


class Problem(Exception):
    """A text for the artist, with the remedy, which the panel shows."""


def find(context):
    """Returns the path of the command: that of the preferences, or the first one in PATH."""
    stated = context.preferences.addons[__package__].preferences.command
    found = shutil.which(stated or "ossicle")
    if found is None:
        raise Problem((f"{stated}: cannot be run; correct the path" if stated else
                       "the command ossicle was not found; install it (pip install ossicle), or name its file")
                      + " in Edit > Preferences > Add-ons > Ossicle")
    return found


def start(command, *arguments, output):
    """Starts the command. output: a binary file for both of its outputs."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONHOME"}  # of Blender's Python
    return subprocess.Popen([command, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=output,
                            stderr=subprocess.STDOUT, env=environment,
                            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0))


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


_watch = {}  # the process, and the file of its output


def start_watch(command, file):
    """Starts `ossicle watch` for a TOML file."""
    handle, name = tempfile.mkstemp(prefix="ossicle-", suffix=".log")
    with os.fdopen(handle, "wb") as output:
        _watch.update(log=Path(name), process=start(command, "watch", file, output=output))


def stop_watch():
    if _watch:
        _watch["process"].terminate()
        _watch["process"].wait()
        _watch.pop("log").unlink()
    _watch.clear()


def watched():
    """Returns the last line that the watch has printed, or None if none was started."""
    if not _watch:
        return None
    return ("" if _watch["process"].poll() is None else "ended: ") + _last_line(_watch["log"].read_bytes())
