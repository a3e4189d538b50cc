"""Builds the encoder library and copies what the package reads beside it; the rest of the
configuration is in pyproject.toml."""
from __future__ import annotations

import shutil
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70.1
    from wheel.bdist_wheel import bdist_wheel

ROOT = Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT / "codegen"), str(ROOT / "codegen/encoder")]

from compiling import build_library, find_compiler  # noqa: E402
from ossicle.base.encoder_declarations import write_declarations  # noqa: E402
from ossicle.base.places import BUILT, COPIED, COPIES, DECLARATIONS_NAME, library_name  # noqa: E402


def copy_built(name: str, place: Path) -> None:
    """Copies a file that `scons viewer` builds, if it is there. Without it the command says what is missing."""
    if (ROOT / name).is_file():
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, place)


class SourceArchive(sdist):
    """The sources, with the files of the viewer where the build leaves them: to build them takes other tools."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        for name in BUILT:
            copy_built(name, Path(base_dir) / name)


class BuildFiles(build_py):
    """The package with all that it reads. An editable installation uses the checkout instead."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        files = Path(self.build_lib).resolve() / "ossicle" / COPIES
        shutil.rmtree(files, ignore_errors=True)
        for name in COPIED:
            place = files / name
            place.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, place, ignore=shutil.ignore_patterns("SConscript", "__pycache__"))
            else:
                shutil.copyfile(ROOT / name, place)
        for name in BUILT:
            copy_built(name, files / Path(name).name)
        objects = Path(self.get_finalized_command("build").build_temp).resolve() / "encoder"
        build_library(find_compiler(), files / library_name(), objects)
        write_declarations(files / DECLARATIONS_NAME)


class PlatformWheel(bdist_wheel):
    """A wheel for every Python on one kind of computer: it has a library, but no extension module."""

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", super().get_tag()[2]


class PlatformDistribution(Distribution):
    """A package whose files depend on the computer."""

    def has_ext_modules(self) -> bool:
        return True


setup(distclass=PlatformDistribution,
      cmdclass={"build_py": BuildFiles, "bdist_wheel": PlatformWheel, "sdist": SourceArchive})
