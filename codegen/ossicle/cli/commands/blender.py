"""`ossicle blender`: installs or removes the Blender add-on, or writes its archive."""
from __future__ import annotations

import argparse
import io
import os
import re
import shutil
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

from ...base.output import check_outputs, write_all
from ...base.places import BLENDER_ADDON
from ...base.problem import SettingProblem

_NAME = "ossicle_blender"  # Blender's name for the add-on
_OLDEST = (3, 4)
_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest of a .zip, so that archives do not depend on the time
_NEXT = "next: in Blender, Edit > Preferences > Add-ons, enable Ossicle"


def blender(arguments: argparse.Namespace) -> None:
    """Carries out the action of the command line. Raises SettingProblem."""
    into, archive = arguments.into, arguments.zip
    if sum((arguments.install, arguments.uninstall, archive is not None)) != 1:
        raise SettingProblem("give one of --install, --uninstall and --zip FILE")
    if into is not None and archive is not None:
        raise SettingProblem("--into applies only with --install and --uninstall; leave it out")
    files = {path.name: path.read_bytes() for path in sorted(BLENDER_ADDON.glob("*.*")) if path.is_file()}
    if archive is not None:
        check_outputs({}, [archive])
        write_all({archive: _zip(files)})
        print(f"wrote {archive}")
        print(f"next: in Blender, Edit > Preferences > Add-ons, install {archive} and enable Ossicle")
        return
    folders = [into] if into is not None else _addon_folders()
    if arguments.install:
        for folder in folders:
            _remove(folder)
            write_all({folder / _NAME / name: content for name, content in files.items()})
            print(f"wrote {folder / _NAME}")
        print(_NEXT)
        return
    removed = [folder / _NAME for folder in folders if _remove(folder)]
    for path in removed:
        print(f"removed {path}")
    if not removed:
        raise SettingProblem(f"{', '.join(map(str, folders))}: the add-on is not installed there; name its folder with "
                             "--into")


def _addon_folders() -> list[Path]:
    """Returns the user's folders for add-ons, of each version of Blender that has run. Raises SettingProblem."""
    environment = os.environ
    if scripts := environment.get("BLENDER_USER_SCRIPTS"):
        return [Path(scripts) / "addons"]
    if resources := environment.get("BLENDER_USER_RESOURCES"):
        return [Path(resources) / "scripts/addons"]
    if sys.platform == "win32":
        home = Path(environment.get("APPDATA") or Path.home() / "AppData/Roaming") / "Blender Foundation/Blender"
    elif sys.platform == "darwin":
        home = Path.home() / "Library/Application Support/Blender"
    else:
        home = Path(environment.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "blender"
    found = {tuple(map(int, path.name.split("."))): path for path in home.glob("*.*")
             if re.fullmatch(r"\d+\.\d+", path.name) and path.is_dir()}
    versions = sorted(version for version in found if version >= _OLDEST)
    if not versions:
        raise SettingProblem(f"{home}: has no folder of Blender {'.'.join(map(str, _OLDEST))} or later; save Blender's "
                             "preferences once, or name the folder of its add-ons with --into")
    return [found[version] / "scripts/addons" for version in versions]


def _remove(folder: Path) -> bool:
    """Removes the add-on from a folder, and returns whether it was there. Raises SettingProblem if the folder of its
    name has another content."""
    place = folder / _NAME
    if not place.is_dir():
        return False
    known = {path.name for path in BLENDER_ADDON.glob("*.*")} | {"__pycache__"}
    others = sorted(path.name for path in place.iterdir() if path.name not in known and path.suffix != ".py")
    if place.is_symlink() or others:
        raise SettingProblem(f"{place}: is not a folder of this add-on" + f" ({', '.join(others)})" * bool(others)
                             + "; move it away")
    try:
        shutil.rmtree(place)
    except OSError as error:
        raise SettingProblem(f"{place}: cannot be removed ({error.strerror}); close Blender, or check the "
                             "permissions") from error
    return True


def _zip(files: Mapping[str, bytes]) -> bytes:
    """Returns the archive that Blender installs: uncompressed, because compressors differ in their bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(f"{_NAME}/{name}", _DATE)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, data)
    return content.getvalue()
