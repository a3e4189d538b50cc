"""The image of the characters of a file, which `ossicle build` writes after them."""
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
    """The manifest of an image, without the digests of its outputs. manifests: of characters; faulty: those that cannot
    be built. Raises SettingProblem if the image cannot be built."""
    own = [one for one in manifests if one.is_beside(request) and one not in faulty]
    if not own or any(one.is_beside(request) and _may_have_tiers(one) for one in faulty):
        raise SettingProblem("needs all characters of the file that have tiers, but some cannot be built; correct "
                             "their faults")
    packing = project_of(own[0]).packing
    assert packing is not None
    some = [manifests[one] for one in own]
    return replace(some[0], inputs={path: known for one in some for path, known in one.inputs.items()}, cold=(),
                   outputs={path: (HEADER_FILE if path == packing.header else IMAGE, "") for path in packing.outputs},
                   patterns={name: found for one in some for name, found in one.patterns.items()})


def _may_have_tiers(request: Request) -> bool:
    """Returns true for a faulty character that may belong to the image, or whose settings cannot be read."""
    try:
        return project_of(request).settings.may_have_tiers
    except PROBLEMS:
        return True


def image_files(request: Request, known: Iterable[Request], faulty: Collection[Request]) -> dict[Path, bytes]:
    """The image and its header. known: requests whose characters are written, or faulty. Raises SettingProblem."""
    projects = [project_of(one) for one in known if one.is_beside(request) and one not in faulty]
    packing = projects[0].packing
    assert packing is not None
    names = {project.output: project.name for project in projects}
    banks = [(path, name, read_bank(path)) for path, name in zip(names, c_names_of(names))]
    tiered = [one for one in banks if one[2].tiers]
    if not tiered:
        raise SettingProblem('no character has streaming tiers; add tiers = ["8mm"], or leave the table out')
    image = make_image(tiered, packing.unit, packing.at, from_files=False)
    return {packing.output: image.content} | (
        {packing.header: image_header(image, packing.output)} if packing.header else {})
