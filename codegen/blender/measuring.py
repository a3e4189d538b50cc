"""Measures an armature: exports it, encodes it with `ossicle`, and fills the panel and the ghost with the result."""
import json
from contextlib import contextmanager
from glob import escape, glob, has_magic
from pathlib import Path

import bpy

from . import ghost
from .bone_space import BoneSpace
from .command import Problem
from .glb import Glb
from .settings_file import SettingsFile

_MARKS = 3  # frames of a clip that are marked
_seen = {}  # the TOML files as this Blender has read or written them, by armature and path
# What codegen/ARTISTS.md recommends, by the names of several versions of Blender; names that one lacks are left out.
_EXPORT = {"export_format": "GLB", "export_animation_mode": "ACTIONS", **dict.fromkeys((
    "use_selection", "export_yup", "export_skins", "export_def_bones", "export_force_sampling", "export_animations",
    "export_anim_single_armature", "export_rest_position_armature"), True), **dict.fromkeys((
        "check_existing", "export_frame_range", "export_anim_slide_to_zero", "export_optimize_animation_size",
        "export_current_frame"), False)}


def config_path(rig):
    path = Path(bpy.path.abspath(rig.ossicle.config))  # which may come from somebody else's .blend file
    if path.suffix != ".toml" or not path.is_absolute():
        raise Problem("no TOML file is named; choose one, or state its path, ending with .toml (// in a saved .blend)")
    return path


def read_settings(rig):
    """Fills the panel from the TOML file."""
    settings, path = rig.ossicle, config_path(rig)
    if not path.is_file():
        raise Problem(f"{path}: the file does not exist; write it first, or correct the path")
    file = SettingsFile(path)
    for name in ("tolerance", "target"):
        settings.property_unset(name)
        for value in file.strings(name):
            setattr(settings, name, value)
    dropped = {bone for pattern, bone in _patterns(rig).items() if pattern in file.dropped()}
    for name in dropped - set(settings.joints.keys()):
        settings.joints.add().name = name
    for joint in settings.joints:
        joint.drop = joint.name in dropped
    _seen[rig.name, path] = file.text


def write_settings(rig, path=None, source=""):
    """Writes the panel to a TOML file, and returns it. source: the input of a new file, by default beside it."""
    path, settings = path or config_path(rig), rig.ossicle
    file = SettingsFile(path)
    before = file.text
    if not file.strings("inputs"):
        file.change("inputs", [source or f"{path.stem}.glb"])
    file.change("tolerance", settings.tolerance)
    file.change("target", settings.target)
    patterns = [pattern for pattern in file.dropped() if pattern not in _patterns(rig)]
    patterns += [escape(joint.name) for joint in settings.joints if joint.drop]
    file.change("drop", patterns, "" if file.strings("drop") else "import")
    if before and file.text != before != _seen.get((rig.name, path)):
        raise Problem(f"{path}: has other settings than the panel; press Read first")
    file.write()
    _seen[rig.name, path] = file.text
    return file


def _patterns(rig):
    """Returns the patterns that match a single bone, each with the bone's name."""
    return {pattern: name for name in rig.data.bones.keys() for pattern in (escape(name), name)}


@contextmanager
def _selected(context, items):
    """Selects objects in object mode, and afterwards what was selected before."""
    layer = context.view_layer
    active, before = layer.objects.active, [item for item in layer.objects if item.select_get()]
    if active is not None and active.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    try:
        for item in layer.objects:
            item.select_set(item in items)
        yield layer
    finally:
        for item in layer.objects:
            item.select_set(item in before)
        layer.objects.active = active


def export(context, rig, path):
    """Exports an armature and its meshes as glTF."""
    known = bpy.ops.export_scene.gltf.get_rna_type().properties.keys()
    with _selected(context, [rig, *ghost.meshes_of(rig)]) as layer:
        layer.objects.active = rig
        bpy.ops.export_scene.gltf(filepath=str(path), **{key: _EXPORT[key] for key in _EXPORT if key in known})


def export_source(rig):
    """Writes the TOML file, and exports to its first input. Somebody else may have chosen either name."""
    path = config_path(rig)
    folder, name = path.parent.resolve(), (SettingsFile(path).strings("inputs") or [f"{path.stem}.glb"])[0]
    output = (folder / name).resolve()
    if has_magic(name) or output.suffix.lower() != ".glb" or not output.is_relative_to(folder):
        raise Problem(f"{path}: the first of inputs is {name}; name a .glb file in the folder of the TOML file")
    write_settings(rig)
    export(bpy.context, rig, output)


def measure(context, rig, folder):
    """Yields the command lines to run, one after another, and shows their result at the end."""
    clear(rig.ossicle)
    source, bank = folder / "rig.glb", folder / "character.ossb"
    file = write_settings(rig, None if rig.ossicle.config else folder / "settings.toml", source.name)
    export(context, rig, source)
    base, (first, *names) = file.path.parent, file.strings("inputs")
    found = [base / path for name in names for path in sorted(glob(name, root_dir=base, recursive=True)) or [name]]
    sources = [source, *(path for path in dict.fromkeys(found) if path != base / first)]
    built, figures, decoded = folder / "encoded.json", folder / "figures.json", folder / "decoded.glb"
    yield "encode", *sources, f"--config={file.path}", f"--output={bank}", f"--json={built}", "--quiet"
    yield "report", bank, *(f"--source={path}" for path in sources), f"--config={file.path}", f"--json={figures}"
    yield "decode", bank, f"--output={decoded}"
    figures = json.loads(figures.read_text("utf-8"))
    _show_figures(rig, figures, json.loads(built.read_text("utf-8")))
    with _selected(context, []):
        _show_ghost(context, rig, figures, Glb(source), Glb(decoded))


def clear(settings):
    """Removes the ghost and the figures. Keeps the settings."""
    blocks = [settings.ghost, *(item.played for item in settings.clips)]  # the artist may have removed some of them
    for tag in {block[ghost.TAG] for block in blocks if block is not None and ghost.TAG in block}:
        ghost.remove(tag)
    for name in ("ghost", "clips", "flash", "warning"):
        settings.property_unset(name)


def _show_figures(rig, figures, built):
    settings = rig.ossicle
    dropped = [joint.name for joint in settings.joints if joint.drop]
    settings.joints.clear()
    for joint in sorted(figures["joints"], key=lambda joint: -joint["bytes"]):
        item = settings.joints.add()
        item.name, item.bytes = joint["name"], round(joint["bytes"])
        item.error_mm = joint["worst"]["error_mm"] if joint["worst"] else 0.0
    for name in dropped:
        item = settings.joints.get(name) or settings.joints.add()
        item.name, item.drop = name, True
    tracks = rig.animation_data.nla_tracks if rig.animation_data else ()
    of_tracks = {track.name: track.strips[0].action for track in tracks if track.strips}
    for clip in figures["clips"]:
        item, worst = settings.clips.add(), clip["worst"]
        item.name, item.bytes = clip["name"], clip["bytes"]
        item.action = of_tracks.get(item.name) or bpy.data.actions.get(item.name)  # the exporter's name of the clip
        item.error_mm, item.tolerance_mm = worst["error_mm"], worst["tolerance_mm"] or 0.0
        item.used = json.dumps(_used(figures, clip))
    bank = built["bytes"]
    code = [choice["code_bytes"] for choice in built["codec_choices"] if choice["bank_bytes"] == bank][:1]
    settings.flash = f"{bank + sum(code):,} bytes of flash" + "".join(f": bank {bank:,}, decoder {n:,}" for n in code)
    settings.warning = "\n".join(built["warnings"])


def _used(figures, clip):
    """Returns the part of the tolerance that each joint uses in a clip."""
    result = {}
    for joint, error in zip(figures["joints"], clip["joint_errors_mm"]):
        nearest = joint["nearest"]
        own = nearest["tolerance_mm"] != figures["clips"][nearest["clip"]]["tolerance_mm"]  # the joint's tolerance
        result[joint["name"]] = error / ((nearest if own else clip)["tolerance_mm"] or float("inf"))
    return result


def _show_ghost(context, rig, figures, exported, decoded):
    settings, render = rig.ossicle, context.scene.render
    space = BoneSpace(rig, exported.matrices({}), decoded.matrices({}))
    settings.ghost = ghost.make(context, rig)
    for item, clip in zip(settings.clips, figures["clips"]):
        if not clip["additive"]:
            step = render.fps / render.fps_base / clip["rate"]
            item.played = ghost.add_action(settings.ghost, clip["name"], space, decoded.frames(
                clip["name"], clip["frames"], clip["rate"]), step)
            for frame, error in _worst(clip["over_time_mm"]):
                item.played.pose_markers.new(f"{error:.3g} mm").frame = round(frame * step)
    current = rig.animation_data.action if rig.animation_data else None
    settings.clip = next((number for number, item in enumerate(settings.clips) if item.action == current), 0)


def _worst(errors):
    """Returns the frames at which the error is largest, and not smaller than half a frame before and after."""
    peaks = [index for index, error in enumerate(errors) if error == max(errors[max(index - 1, 0):index + 2])]
    return [(index / 2, errors[index]) for index in sorted(peaks, key=lambda index: -errors[index])[:_MARKS]]


def show(rig):
    """Lets an armature and its ghost play the chosen clip, and colours the ghost by the errors of this clip."""
    settings = rig.ossicle
    for item in settings.clips[settings.clip:settings.clip + 1]:
        if item.action is not None:
            ghost.play(rig, item.action)
        if item.played is not None and settings.ghost is not None:
            ghost.play(settings.ghost, item.played)
            ghost.colour(settings.ghost, json.loads(item.used))
