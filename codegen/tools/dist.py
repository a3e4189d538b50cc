"""Makes the files of a release: `python3 -m tools.dist`, called by `scons dist`.

Everything comes from the checkout and what it has built. Two checkouts of a commit give the same bytes: all dates are
that of the commit, and archives are written again with sorted names.
"""
from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ossicle.base.files.output import write_all
from ossicle.base.places import BUILT, PLATFORMS
from ossicle.base.problem import SettingProblem
from ossicle.base.version import versions
from ossicle.cli.main import guarded
from ossicle.generate.amalgamation import amalgamate
from ossicle.generate.library import as_library
from ossicle.machines.settings import list_platforms

from .game import make_game
from .release.archives import Entry, files_of, read_entry, read_tar, tar_of, zip_of
from .release.components import bill_of_materials, components, licences, sources_of_the_page
from .release.sketch import example

ROOT = Path(__file__).resolve().parents[2]
OUTPUT, SITE, NPM_PACKAGE = "build/dist", "build/site/html", "build/web/ossicle"
SUMS = "SHA256SUMS"
PAGE_SOURCES = "debian/missing-sources/page.html/npm.tar.gz"  # Debian requires the sources of all files


@dataclass(frozen=True)
class Release:
    """root: the checkout; epoch: the date of its commit, in seconds since 1970."""

    root: Path
    version: str
    epoch: int

    @property
    def stem(self) -> str:
        """The beginning of the names of files."""
        return f"ossicle-{self.version}"

    @property
    def environment(self) -> dict[str, str]:
        """The environment of the tools of Python packages."""
        return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "OSSICLE_ENCODER")} | {
            "SOURCE_DATE_EPOCH": str(self.epoch)}


def _git(root: Path, *words: str) -> str:
    try:
        done = subprocess.run(["git", "-C", root, *words], check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SettingProblem(f"{root}: git {words[0]} failed; a release is made in a git checkout") from error
    return done.stdout


def read_release(root: Path) -> Release:
    """Returns the release of a checkout. Raises SettingProblem if it is none, or only a folder in that of another
    project, as an unpacked archive may be."""
    if _git(root, "rev-parse", "--show-prefix").strip():
        raise SettingProblem(f"{root}: is in the git checkout of another project; a release is made in a git checkout")
    return Release(root, versions().library, int(_git(root, "log", "-1", "--format=%ct")))


def sources(root: Path) -> dict[str, Entry]:
    """Returns the files of the checkout that git knows, as they are now, and those that `scons viewer` built."""
    listed = filter(None, _git(root, "ls-files", "-z").split("\0"))
    missing = [name for name in BUILT if not (root / name).is_file()]
    if missing:
        raise SettingProblem(f"{missing[0]}: is missing; run: ./bootstrap viewer")
    return {name: read_entry(root / name) for name in (*listed, *BUILT) if (root / name).is_file()}


@contextmanager
def _scratch(files: Mapping[str, Entry]) -> Iterator[Path]:
    """Writes files to a folder, which is removed afterwards."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for path, entry in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(entry.content)
            (folder / path).chmod(entry.mode)
        yield folder


def _run(release: Release, folder: Path, *words: object) -> None:
    done = subprocess.run([sys.executable, *map(str, words)], cwd=folder, env=release.environment, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SettingProblem(f"{' '.join(map(str, words[:4]))} failed:\n{done.stdout.strip()}")


def source_archive(release: Release) -> bytes:
    """Returns the source archive of the Python package, which is that of the Debian package, too."""
    files = sources(release.root)
    files[PAGE_SOURCES] = Entry(tar_of(sources_of_the_page(release.root), release.epoch))
    with _scratch(files) as folder:
        _run(release, folder, "setup.py", "--quiet", "sdist", "--dist-dir", "dist")
        [archive] = (folder / "dist").iterdir()
        return tar_of(read_tar(archive), release.epoch)


def wheel(release: Release, archive: bytes) -> tuple[str, bytes]:
    """Returns the name and the content of the wheel for this computer, built from the source archive."""
    name = f"{release.stem}.tar.gz"
    with _scratch({name: Entry(archive)}) as folder:
        _run(release, folder, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--no-index",
             "--wheel-dir", "wheels", name)
        [path] = (folder / "wheels").iterdir()
        return path.name, path.read_bytes()


def add_on(release: Release) -> bytes:
    """Returns the archive that Blender installs."""
    with tempfile.TemporaryDirectory() as name:
        environment = release.environment | {"PYTHONPATH": str(release.root / "codegen")}
        path = Path(name) / "add_on.zip"
        subprocess.run([sys.executable, "-m", "ossicle", "blender", "--zip", path], env=environment, check=True,
                       stdout=subprocess.DEVNULL)
        return path.read_bytes()


def c_files(release: Release) -> dict[str, Entry]:
    """Returns the runtime as one C file, in a folder for each platform."""
    licence = read_entry(release.root / "LICENSE")
    return {f"{release.stem}-c/LICENSE": licence} | {
        f"{release.stem}-c/{platform}/{name}": Entry(content)
        for platform in list_platforms() for name, content in amalgamate(PLATFORMS / platform).items()}


def library(release: Release, prefix: str) -> dict[str, Entry]:
    """Returns the library for Arduino and PlatformIO, in the folder `prefix`."""
    files = as_library(amalgamate(PLATFORMS / "scalar")) | example()
    files["LICENSE"] = (release.root / "LICENSE").read_bytes()
    return {f"{prefix}{name}": Entry(content) for name, content in files.items()}


def release_notes(changes: str, version: str) -> str:
    """Returns the section of a version in CHANGELOG.md, without comments, and with the text of links to files of the
    checkout. Raises SettingProblem if there is none."""
    section = re.search(rf"^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## |\Z)", changes, re.MULTILINE | re.DOTALL)
    if not section:
        raise SettingProblem(f"CHANGELOG.md: has no section for the version {version}")
    text = re.sub(r"<!--.*?-->", "", section[1], flags=re.DOTALL)
    text = re.sub(r"\[([^]]*)\]\((?!https?:)[^)]*\)", r"\1", text)
    return f"# Ossicle {version}\n\n{text.strip()}\n"


def make_release(release: Release, game: Path) -> dict[str, bytes]:
    """Returns the files of the release by name. game: a folder for the game's intermediate files."""
    stem, epoch, root = release.stem, release.epoch, release.root
    archive = source_archive(release)
    files = {f"{stem}.tar.gz": archive, **dict([wheel(release, archive)])}
    files[f"{stem}-c.zip"] = zip_of(c_files(release), epoch)
    files[f"{stem}-blender.zip"] = add_on(release)
    files[f"{stem}-arduino.zip"] = zip_of(library(release, "Ossicle/"), epoch)
    files[f"{stem}-platformio.tar.gz"] = tar_of(library(release, ""), epoch)
    files[f"{stem}-game.gba"] = make_game("gba", game).images[0].read_bytes()
    if (root / NPM_PACKAGE).is_dir():
        files[f"{stem}-npm.tgz"] = tar_of(files_of(root / NPM_PACKAGE, "package/"), epoch)
    has_site = (root / SITE).is_dir()
    if has_site:
        files[f"{stem}-site.zip"] = zip_of(files_of(root / SITE, f"{stem}-site/"), epoch)
    contained = components(root, has_site)
    files["NOTES.md"] = release_notes((root / "CHANGELOG.md").read_text(encoding="utf-8"), release.version).encode()
    files["LICENSES.txt"] = licences(root, contained).encode()
    files[f"{stem}.spdx.json"] = bill_of_materials(root, release.version, epoch, contained, files).encode()
    sums = (f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(files.items()))
    return files | {SUMS: "".join(sums).encode()}


def main(argv: list[str] | None = None) -> int:
    """Runs the command line. Returns 0, or 1 after one line on stderr."""
    argparse.ArgumentParser(prog=f"python3 -m {__spec__.name}",
                            description=f"Makes the files of a release in {OUTPUT}.").parse_args(argv)

    def run() -> int:
        release = read_release(ROOT)
        if _git(ROOT, "status", "--porcelain"):
            print("warning: the checkout has changes that are not committed; a tag would not have them",
                  file=sys.stderr)
        with tempfile.TemporaryDirectory() as game:
            files = make_release(release, Path(game))
        shutil.rmtree(ROOT / OUTPUT, ignore_errors=True)
        write_all({ROOT / OUTPUT / name: content for name, content in files.items()})
        for name, content in files.items():
            print(f"wrote {OUTPUT}/{name}, {len(content):,} bytes")
        return 0

    return guarded(run, argv is None)


if __name__ == "__main__":
    sys.exit(main())
