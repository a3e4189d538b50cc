"""The paths of the files that the package reads: in the checkout around it or, in an installed package, in copies of
the same folders, which setup.py makes."""
from __future__ import annotations

import sys
from pathlib import Path

DECLARATIONS_NAME = "encoder_declarations.py"  # beside the encoder library
COPIES = "files"  # the folder of the copies in the installed package
# The files and folders to copy, by their paths in the checkout.
COPIED = ("runtime", "platforms", "targets", "codegen/templates", "codegen/rules", "codegen/blender",
          "codegen/encoder/encoder.h", "codegen/demo/hero.glb", "codegen/demo/hero.toml",
          "codegen/meshopt/decode.mjs")
PACKAGE = Path(__file__).resolve().parents[1]
IS_INSTALLED = (PACKAGE / COPIES).is_dir()
ROOT = PACKAGE / COPIES if IS_INSTALLED else PACKAGE.parents[1]
RUNTIME = ROOT / "runtime"
PLATFORMS = ROOT / "platforms"
TARGETS = ROOT / "targets"
TESTING = TARGETS / "testing"
TEMPLATES = ROOT / "codegen/templates"
RULES = ROOT / "codegen/rules"
DEMO = ROOT / "codegen/demo"
BLENDER_ADDON = ROOT / "codegen/blender"
ENCODER_HEADER = ROOT / "codegen/encoder/encoder.h"
MESHOPT_SCRIPT = ROOT / "codegen/meshopt/decode.mjs"
# `scons viewer` builds these in a checkout from npm packages: the page, and meshoptimizer's decoder.
BUILT = ("build/viewer/page.html", "build/viewer/meshopt_decoder.mjs")
VIEWER_PAGE, MESHOPT_DECODER = (ROOT / Path(name).name if IS_INSTALLED else ROOT / name for name in BUILT)
# Folders that build rules and users request by name.
FOLDERS = {"runtime": RUNTIME, "platforms": PLATFORMS, "targets": TARGETS, "testing": TESTING, "rules": RULES,
           "demo": DEMO}


def library_name(system: str = sys.platform) -> str:
    """Returns the file name of the encoder library on a system (a value of sys.platform)."""
    suffix = {"darwin": ".dylib", "win32": ".dll"}.get(system, ".so")
    return f"libossicle_encoder{suffix}"


_ENCODER = ROOT if IS_INSTALLED else ROOT / "build/host"
ENCODER_LIBRARY = _ENCODER / library_name()
ENCODER_DECLARATIONS = _ENCODER / DECLARATIONS_NAME
