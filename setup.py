"""Builds the encoder library and copies what the package reads beside it; the rest of the
configuration is in pyproject.toml."""
from __future__ import annotations

import shutil
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70.1
    from wheel.bdist_wheel import bdist_wheel

ROOT = Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT / "codegen"), str(ROOT / "codegen/encoder")]

from compiling import build_library, find_compiler  # noqa: E402
from ossicle.base.places import BUILT_PAGE, COPIED, COPIES, VIEWER_PAGE, library_name  # noqa: E402


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
        if (ROOT / BUILT_PAGE).is_file():  # by `scons viewer`; without it `ossicle view` says what is missing
            shutil.copyfile(ROOT / BUILT_PAGE, files / VIEWER_PAGE.name)
        objects = Path(self.get_finalized_command("build").build_temp).resolve() / "encoder"
        build_library(find_compiler(), files / library_name(), objects)


class PlatformWheel(bdist_wheel):
    """A wheel for every Python on one kind of computer: it has a library, but no extension module."""

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", super().get_tag()[2]


class PlatformDistribution(Distribution):
    """A package whose files depend on the computer."""

    def has_ext_modules(self) -> bool:
        return True


setup(distclass=PlatformDistribution, cmdclass={"build_py": BuildFiles, "bdist_wheel": PlatformWheel})
