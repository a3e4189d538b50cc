"""Builds the image of the characters of a file, after the characters."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from ..bank.file import read_bank
from ..bank.image import make_image
from ..base.problem import SettingProblem
from ..generate.image_header import c_names_of, image_header
from .job import project_of
from .manifest import HEADER_FILE, IMAGE, Manifest, Request
from .problems import PROBLEMS


def planned_image(request: Request, manifests: Mapping[Request, Manifest], faulty: Collection[Request]) -> Manifest:
    """Returns the manifest of an image without the digests of its outputs. manifests: of characters; faulty: those that
    cannot be built. Raises SettingProblem if the image cannot be built."""
    own = [other for other in manifests if other.is_beside(request) and other not in faulty]
    if not own or any(other.is_beside(request) and _may_have_tiers(other) for other in faulty):
        raise SettingProblem("the image needs all characters that have tiers, but some cannot be built; correct their "
                             "errors")
    packing = project_of(own[0]).packing
    assert packing is not None
    some = [manifests[other] for other in own]
    inputs = {path: known for manifest in some for path, known in manifest.inputs.items()}
    return replace(some[0], inputs=inputs, cold=(),
                   outputs={path: (HEADER_FILE if path == packing.header else IMAGE, "") for path in packing.outputs},
                   patterns={name: found for manifest in some for name, found in manifest.patterns.items()})


def _may_have_tiers(request: Request) -> bool:
    """Returns whether a character may belong to the image. True if its settings cannot be read."""
    try:
        return project_of(request).settings.may_have_tiers
    except PROBLEMS:
        return True


def image_files(request: Request, known: Iterable[Request], faulty: Collection[Request]) -> dict[Path, bytes]:
    """Returns the image and its header. known: requests that are written or faulty. Raises SettingProblem."""
    projects = [project_of(other) for other in known if other.is_beside(request) and other not in faulty]
    packing = projects[0].packing
    assert packing is not None
    names = {project.output: project.name for project in projects}
    banks = [(path, name, read_bank(path)) for path, name in zip(names, c_names_of(names))]
    tiered = [entry for entry in banks if entry[2].tiers]
    if not tiered:
        raise SettingProblem('no character has streaming tiers; add tiers = ["8mm"], or remove the table')
    image = make_image(tiered, packing.unit, packing.at, from_files=False)
    return {packing.output: image.content} | (
        {packing.header: image_header(image, packing.output)} if packing.header else {})
