"""`ossicle blender`: installs or removes the Blender add-on, or writes its archive."""
from __future__ import annotations

import argparse
import io
import os
import re
import sys
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from ...base.files.output import check_outputs, write_all
from ...base.places import BLENDER_ADDON
from ...base.problem import SettingProblem

_NAME = "ossicle_blender"  # Blender's name for the add-on
_MANIFEST = "blender_manifest.toml"
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
    files = _files()
    if archive is not None:
        if archive.suffix.lower() != ".zip":
            raise SettingProblem(f"{archive}: is not named as an archive; give a name that ends with .zip")
        check_outputs({path: path for path in map(BLENDER_ADDON.joinpath, files)}, [archive])
        write_all({archive: _zip(files)})
        print(f"wrote {archive}")
        print(f"next: in Blender, Edit > Preferences > Add-ons, install {archive} and enable Ossicle")
        return
    folders = [into] if into is not None else _addon_folders()
    places = [folder / _NAME for folder in folders]
    installed = [place for place in places if _has_addon(place)]
    if arguments.install:
        write_all({place / name: content for place in places for name, content in files.items()})
        for place in places:
            print(f"wrote {place}")
        print(_NEXT)
        return
    removed = {place: _files_to_remove(place, files) for place in installed}
    for place, paths in removed.items():
        _remove(place, paths)
        print(f"removed {place}" if not place.exists() else f"removed the add-on from {place}, and kept other files")
    if not installed:
        raise SettingProblem(f"{', '.join(map(str, folders))}: the add-on is not installed there; name its folder with "
                             "--into")


def _files() -> dict[str, bytes]:
    """Returns the files of the add-on by name."""
    return {path.name: path.read_bytes() for path in sorted(BLENDER_ADDON.iterdir()) if path.suffix in (".py", ".toml")}


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


def _has_addon(place: Path) -> bool:
    """Returns whether a folder has the add-on, and not if it is empty or does not exist. Raises SettingProblem if it is
    a link or has another content."""
    if not os.path.lexists(place) or not place.is_symlink() and place.is_dir() and not any(place.iterdir()):
        return False
    manifest = place / _MANIFEST
    if place.is_symlink() or not manifest.is_file() or f'id = "{_NAME}"'.encode() not in manifest.read_bytes():
        raise SettingProblem(f"{place}: is not a folder of this add-on; move it away")
    return True


def _files_to_remove(place: Path, names: Iterable[str]) -> list[Path]:
    """Returns the add-on's files in its folder, with those that Python has compiled. Raises SettingProblem if something
    else has the name of one."""
    paths = [place / name for name in names if os.path.lexists(place / name)]
    paths += [path for name in names for path in place.glob(f"__pycache__/{Path(name).stem}.*.pyc")]
    for path in paths:
        if path.is_symlink() or not path.is_file():
            raise SettingProblem(f"{path}: is not a file of this add-on; move it away")
    return paths


def _remove(place: Path, paths: Iterable[Path]) -> None:
    """Removes the files, then the folder of the add-on if it is empty. Raises SettingProblem."""
    try:
        for path in paths:
            path.unlink()
        for folder in (place / "__pycache__", place):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
    except OSError as error:
        raise SettingProblem(f"{place}: cannot be removed ({error.strerror}); close Blender, or check the "
                             "permissions") from error


def _zip(files: Mapping[str, bytes]) -> bytes:
    """Returns the archive that Blender installs: uncompressed, because compressors differ in their bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(f"{_NAME}/{name}", _DATE)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, data)
    return content.getvalue()
