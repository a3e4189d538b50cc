"""Packs the runtime and targets/stage as a library for Arduino and PlatformIO: a folder with their files in src/ and
the manifests of both, which do not conflict."""
from __future__ import annotations

import json
from collections.abc import Mapping

from ..base.places import TARGETS
from ..base.version import versions

_NAME = "Ossicle"
_SENTENCE = "Plays compressed skeletal animation with integers."
_PARAGRAPH = "The command ossicle encodes the animation of a glTF or BVH file, and generates C for its skeleton."
_HEADER = "ossicle.h"
_AUTHORS = "the Ossicle authors"


def as_library(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Returns the files of amalgamate and targets/stage, and the manifests, by their paths in the library's folder."""
    stage = {path.name: path.read_bytes() for path in sorted((TARGETS / "stage").iterdir())}
    manifests = {"library.properties": _library_properties(), "library.json": _library_json()}
    return {name: text.encode("utf-8") for name, text in manifests.items()} \
        | {f"src/{name}": content for name, content in {**files, **stage}.items()}


def _library_properties() -> str:
    """Returns the manifest of the Arduino library specification, rev. 2.2."""
    fields = {"name": _NAME, "version": versions().library, "author": _AUTHORS, "maintainer": _AUTHORS,
              "sentence": _SENTENCE, "paragraph": _PARAGRAPH, "category": "Data Processing", "url": "",
              "architectures": "*", "includes": _HEADER}
    return "".join(f"{key}={value}\n" for key, value in fields.items())


def _library_json() -> str:
    """Returns the manifest of PlatformIO's library.json schema."""
    fields = {"name": _NAME, "version": versions().library, "description": f"{_SENTENCE} {_PARAGRAPH}",
              "keywords": ["animation", "skeleton", "compression"], "authors": [{"name": _AUTHORS}],
              "license": "MIT", "headers": [_HEADER], "frameworks": "*", "platforms": "*"}
    return json.dumps(fields, indent=2) + "\n"
