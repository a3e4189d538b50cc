"""One run of Blender, in which an artist uses the add-on, for all tests of this folder."""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KEEPS = """#!{python}
import os, shutil, subprocess, sys
status = subprocess.call([{command!r}, *sys.argv[1:]])
for word in sys.argv[1:]:
    if word.startswith(("--output=", "--json=")) and status == 0:
        shutil.copy(word.partition("=")[2], os.environ["OSSICLE_KEPT"])
sys.exit(status)
"""


@pytest.fixture(scope="session")
def artist(tmp_path_factory):
    """Returns the folder of the run, and its results."""
    if shutil.which("blender") is None:
        pytest.skip("Blender is not installed (Debian: apt install blender)")
    folder = tmp_path_factory.mktemp("blender")
    ossicle = str(ROOT / "build/bin/ossicle")
    subprocess.run([ossicle, "blender", "--install", "--into", folder / "mods"], check=True)
    keeps = folder / "ossicle"
    keeps.write_text(KEEPS.format(python=sys.executable, command=ossicle))
    keeps.chmod(0o755)
    temporary = folder / "tmp"  # for files that other tests do not make
    temporary.mkdir()
    run = subprocess.run(["blender", "-b", "--factory-startup", "--python-exit-code", "3", "--python",
                          Path(__file__).with_name("artist.py"), "--", folder, keeps], capture_output=True, text=True,
                         env={**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config"),
                              "TMPDIR": str(temporary)})
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    subprocess.run([ossicle, "blender", "--uninstall", "--into", folder / "mods"], check=True)
    return folder, json.loads((folder / "results.json").read_text())
