"""Where the files lie that the package reads. They are the checkout around the package or, once it is
installed, copies of the same folders inside it, which setup.py makes."""
from __future__ import annotations

import sys
from pathlib import Path

COPIES = "files"  # the folder of the copies in the installed package
# What is copied, by its path in the checkout.
COPIED = ("runtime", "platforms", "targets", "codegen/templates", "codegen/rules", "codegen/encoder/encoder.h",
          "codegen/demo/hero.glb", "codegen/demo/hero.toml", "codegen/meshopt/decode.mjs")
PACKAGE = Path(__file__).resolve().parents[1]
IS_INSTALLED = (PACKAGE / COPIES).is_dir()
ROOT = PACKAGE / COPIES if IS_INSTALLED else PACKAGE.parents[1]
RUNTIME = ROOT / "runtime"
PLATFORMS = ROOT / "platforms"
TARGETS = ROOT / "targets"
TESTING = TARGETS / "testing"
TEMPLATES = ROOT / "codegen/templates"
RULES = ROOT / "codegen/rules"
ENCODER_HEADER = ROOT / "codegen/encoder/encoder.h"
MESHOPT_SCRIPT = ROOT / "codegen/meshopt/decode.mjs"
# In a checkout, by `scons viewer`: the page, and the decoder of meshoptimizer, from packages of npm.
BUILT = ("build/viewer/page.html", "build/viewer/meshopt_decoder.mjs")
VIEWER_PAGE, MESHOPT_DECODER = (ROOT / Path(name).name if IS_INSTALLED else ROOT / name for name in BUILT)
# What build rules ask for, by name.
FOLDERS = {"runtime": RUNTIME, "platforms": PLATFORMS, "targets": TARGETS, "testing": TESTING, "rules": RULES}


def library_name(system: str = sys.platform) -> str:
    """The file name of the encoder library on a system, as sys.platform names it."""
    suffix = {"darwin": ".dylib", "win32": ".dll"}.get(system, ".so")
    return f"libossicle_encoder{suffix}"


ENCODER_LIBRARY = (ROOT if IS_INSTALLED else ROOT / "build/host") / library_name()
