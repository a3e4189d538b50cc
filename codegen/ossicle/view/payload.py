"""Collects the data of a page about a bank: its bytes, its clips, their sources and errors, and the mesh."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis.bits import bits_of
from ..analysis.errors import errors_m
from ..analysis.subject import Source, Subject
from ..analysis.tier_errors import without_its_tiers
from ..bank.file import TRACK_KINDS, Bank
from ..base.arrays import Array
from ..base.curve_names import is_curve, curve_components, title_of
from ..base.version import versions
from ..encoding import native
from ..encoding.derived.mirrored import breaks_of
from ..importers.importer import has_meshes, read_surfaces
from ..model.editing.additive import poses
from ..model.clip import ImportProblem
from ..model.mesh.mesh import Material, Surface, Texture
from ..model.shell import metres_along_axes
from ..model.mesh.skinning import ONE_Q20, skinning_of
from .container import Container, differences
from .graph import graph_description
from .actor import actor_of
from .tier_files import TierFiles

ERROR_STEPS = 127  # of an error that equals the joint's tolerance; 255 is twice the tolerance or more
_MOST_STEP = 255
_ALL_Q16 = 65535
_NORMAL = 127


@dataclass(frozen=True)
class Pixels:
    """The size of the device's picture."""

    width: int
    height: int


def payload(subjects: Sequence[Subject], screen: Pixels, tiers: TierFiles | None = None) -> tuple[str, list[str]]:
    """Returns the data of a page as text, and warnings. subjects: banks of the same skeleton, in the order of the page;
    tiers: those of the first bank if the page reads them from files."""
    container, first = Container(), subjects[0]
    idle = first.source.idle if first.source is not None else None
    document: dict[str, Any] = {
        "name": first.name, "version": versions().library,
        "screen": {"width": screen.width, "height": screen.height},
        "joints": [{"name": title_of(joint.name), "parent": -1 if joint.parent is None else joint.parent,
                    "curves": is_curve(joint.name), "idle": idle is not None and joint.name in idle, "metre": metre}
                   for joint, metre in zip(first.bank.joints, _metres(first.bank))],
        "banks": [_bank(container, first, tiers), *(_bank(container, subject, None) for subject in subjects[1:])],
        "sources": [] if first.source is None
        else [_source(container, first.source.clips[shown]) for shown in _shown(first.bank)],
        "actors": [] if first.source is None
        else [actor_of(container, first.source.clips[shown]) for shown in _shown(first.bank)],
        "graph": graph_description(first.bank), "mesh": None,
    }
    warnings: list[str] = []
    if first.source is not None:
        document["mesh"], warnings = _mesh(container, first.source)
    return container.text(document), warnings


def _metres(bank: Bank) -> list[list[float]]:
    """Returns metres_along_axes of the joints of a bank."""
    parents = [-1 if joint.parent is None else joint.parent for joint in bank.joints]
    metres: list[list[float]] = metres_along_axes(parents, np.array(bank.bind, np.float64) / ONE_Q20).tolist()
    return metres


def _bank(container: Container, subject: Subject, tiers: TierFiles | None) -> dict[str, Any]:
    bank = subject.bank
    stripped = [] if subject.source is None else without_its_tiers(subject)
    return {
        "name": subject.name, "bytes": bank.size_bytes, "tiers": sum(tier.there for tier in bank.tiers),
        "data": container.add(subject.words.astype("<u4") if tiers is None else tiers.base),
        "stream": None if tiers is None else tiers.description(), "hash": f"{native.pose_hash(subject.words):08x}",
        "bits": _bits(bank),
        "clips": [{"name": clip.name + (f", as {bank.clips[shown].name}" if clip.mirrored else ""), "codec": clip.codec,
                   "frames": clip.frame_count, "rate": clip.rate_q16 / 65536,
                   "loop": clip.loop, "layer": clip.layer, "additive": bank.additive_text(index),
                   "bytes": clip.size_bytes, "restart": clip.restart_frames,
                   "breaks": breaks_of(bank, shown), **_errors(container, subject, stripped, shown)}
                  for index, (clip, shown) in enumerate(zip(bank.clips, _shown(bank)))],
    }


def _shown(bank: Bank) -> list[int]:
    """Returns for each clip the one to show: the clip, or the original of a mirror image."""
    return [index - 1 if clip.mirrored else index for index, clip in enumerate(bank.clips)]


def _bits(bank: Bank) -> dict[str, Any]:
    """Returns the counts of bits as lists in the order of the fields of JointBits and TrackBits; kinds by number."""
    bits = bits_of(bank)
    return {
        "header": bits.header, "other": bits.other,
        "joints": [[joint.bind, joint.skin, joint.name] for joint in bits.joints],
        "clips": [{"entry": clip.entry, "shared": clip.shared,
                   "tracks": [[track.joint, TRACK_KINDS.index(track.kind), track.header, track.keys, track.values]
                              for track in clip.tracks]} for clip in bits.clips],
    }


def _errors(container: Container, subject: Subject, stripped: Sequence[Subject], clip: int) -> dict[str, Any]:
    """Returns the errors of a clip, in steps of its joints' tolerances, with all tiers and with fewer. stripped: the
    subject with no tier, with the first one, and so on. In the list for these, `factor` is the size of a step relative
    to that with all tiers; the entry is None if it equals the previous one or that with all tiers."""
    if subject.source is None:
        return {"errors": None, "coarser": []}
    errors, limits = errors_m(subject, clip), subject.source.limits_m[clip]
    units = np.where(np.isfinite(limits), limits, errors.max() or 1.0)
    finest = {"units_mm": [float(unit) * 1e3 for unit in units], "limited": bool(np.isfinite(limits).all()),
              **_map(container, errors / units, units, 1, subject.bank.real_joints)}
    has = [any(chunk.clip == clip for chunk in tier.chunks) for tier in subject.bank.tiers]
    coarser: list[dict[str, Any] | None] = []
    for tier, coarser_subject in enumerate(stripped):
        if not any(has[tier:]) or tier and not has[tier - 1]:
            coarser.append(None)
            continue
        shares, factor = errors_m(coarser_subject, clip) / units, 2
        while shares.max() * ERROR_STEPS > _MOST_STEP * factor:
            factor *= 2
        coarser.append({"factor": factor, **_map(container, shares, units, factor, subject.bank.real_joints)})
    return {"errors": finest, "coarser": coarser}


def _map(container: Container, shares: Array, units: Array, factor: int, real: int) -> dict[str, Any]:
    """Returns the error of the first `real` joints that is the largest fraction of its unit, and all errors in
    steps."""
    steps = np.minimum(np.rint(shares * (ERROR_STEPS / factor)), _MOST_STEP).astype(np.uint8)
    sample, joint = divmod(int(np.argmax(shares[:, :real])), real)
    return {"largest_mm": float(shares[sample, joint] * units[joint]) * 1e3, "sample": sample, "joint": joint,
            "map": container.add(steps)}


def _source(container: Container, clip: Any) -> dict[str, Any]:
    """Returns the source of a clip: local transforms in Q20, in the order of the joints; of additive clips, poses and
    the reference."""
    frames = _q20(poses(clip, clip.frames)).reshape(len(clip.frames), -1)
    over = None if clip.reference is None else container.add(_q20(clip.reference.pose).astype(np.int32))
    return {"file": clip.source, "frames": container.add(differences(frames)), "over": over}


def _q20(transforms: Array) -> Array:
    limit = np.iinfo(np.int32).max
    return np.clip(np.rint(transforms * ONE_Q20).astype(np.int64), -limit, limit)


def _mesh(container: Container, source: Source) -> tuple[dict[str, Any] | None, list[str]]:
    """Returns the mesh of the first source file that has one, or None, and warnings."""
    skeleton, warnings = source.skeleton, []
    for path in filter(has_meshes, source.files):
        try:
            surfaces, materials, mesh_warnings = read_surfaces(path, skeleton, source.settings.importing)
        except ImportProblem as problem:
            warnings.append(f"{problem}; its mesh is not shown")
            continue
        warnings += [f"{path}: {warning}" for warning in mesh_warnings]
        if surfaces:
            pictures: dict[int, dict[str, int]] = {}
            return {
                "inverse_bind": container.add(skinning_of(skeleton)[:, :3].astype(np.float32)),
                "surfaces": [_surface(container, surface, skeleton.names) for surface in surfaces],
                "materials": [_material(container, material, pictures) for material in materials],
            }, warnings
    return None, warnings


def _material(container: Container, material: Material, pictures: dict[int, dict[str, int]]) -> dict[str, Any]:
    """Returns a material. pictures: those already in the container, by number."""
    def reference(texture: Texture | None) -> dict[str, Any] | None:
        if texture is None:
            return None
        if texture.picture.number not in pictures:
            pictures[texture.picture.number] = container.add(texture.picture.data)
        return {"picture": pictures[texture.picture.number], "wraps": texture.wraps,
                "filters": texture.filters}

    return {"name": material.name, "colour": material.colour, "alpha": material.alpha,
            "texture": reference(material.texture),
            "glow": material.glow, "glow_texture": reference(material.glow_texture), "mode": material.mode,
            "cutoff": material.cutoff, "double_sided": material.double_sided, "unlit": material.unlit}


def _surface(container: Container, surface: Surface, joints: Sequence[str]) -> dict[str, Any]:
    def floats(values: Array | None) -> dict[str, int] | None:
        return None if values is None else container.add(values.astype(np.float32))

    curves = {curve.name: curve for curve in curve_components(joints)}
    morphs = [(curves[morph.curve], morph) for morph in surface.morphs if morph.curve is not None]
    return {
        "positions": floats(surface.positions),
        "normals": container.add(np.rint(surface.normals * _NORMAL).astype(np.int8)),
        "joints": container.add(surface.joints.astype(np.uint16)),
        "weights": container.add(np.rint(surface.weights * _ALL_Q16).astype(np.uint16)),
        "triangles": container.add(surface.triangles.astype(np.uint32)),
        "places": floats(surface.places), "glow_places": floats(surface.glow_places),
        "colours": floats(surface.colours),
        "material": surface.material, "flat": surface.flat,
        "morphs": [{"joint": curve.joint, "axis": curve.axis, "offsets": floats(morph.offsets)}
                   for curve, morph in morphs],
    }
