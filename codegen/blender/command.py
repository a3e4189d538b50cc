"""Runs the installed `ossicle` command, never through a shell."""
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path


class Problem(Exception):
    """A text for the artist, with the remedy, which the panel shows."""


def find(context):
    """Returns the path of the command: that of the preferences, or the first one in PATH."""
    name = context.preferences.addons[__package__].preferences.command or "ossicle"
    found = shutil.which(name)
    if found is None or not os.path.isabs(found):  # Windows looks first in the current folder
        raise Problem(f"{name}: not found; pip install ossicle, or enter its path in Edit > Preferences > Add-ons")
    return found


def start(command, *arguments, output):
    """Starts the command. output: a binary file for both of its outputs."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONHOME"}  # of Blender's Python
    return subprocess.Popen([command, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=output,
                            stderr=output, env=environment, creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0))


@contextmanager
def running(command, *arguments):
    """Yields the process of a command, and ends it afterwards. Raises Problem with its last line if it fails."""
    with tempfile.TemporaryFile() as output:
        with start(command, *arguments, output=output) as process:
            try:
                yield process
            finally:
                process.kill()
        output.seek(0)
        if process.returncode != 0:
            raise Problem(_last_line(output.read()) or f"ossicle {arguments[0]} ended without a message")


def _last_line(text):
    return (text.decode("utf-8", "replace").split("\n")[-2:] + [""])[0]


_PATIENCE_S = 5  # for a process that was asked to end
_watch = {}  # the process, and the file of its output with its folder


def start_watch(command, file):
    """Starts `ossicle watch` for a TOML file."""
    folder = tempfile.TemporaryDirectory(prefix="ossicle-")  # also removes itself, if the command cannot be started
    with open(Path(folder.name, "watch.log"), "wb") as output:
        _watch.update(process=start(command, "watch", file, output=output), log=Path(output.name), folder=folder)


def stop_watch():
    if _watch:
        _watch["process"].terminate()
        with suppress(subprocess.TimeoutExpired):
            _watch["process"].wait(_PATIENCE_S)
        _watch["process"].kill()
        _watch["process"].wait()
        _watch["folder"].cleanup()
    _watch.clear()


def watched():
    """Returns the last line that the watch has printed, or None if none was started."""
    if not _watch:
        return None
    return ("" if _watch["process"].poll() is None else "ended: ") + _last_line(_watch["log"].read_bytes())
