"""Uses the add-on as an artist would. Run it in Blender:

    blender -b --factory-startup --python artist.py -- FOLDER COMMAND

FOLDER has `mods/ossicle_blender`, as `ossicle blender --install` writes it. COMMAND keeps copies of its outputs in the
folder that OSSICLE_KEPT names. Writes results.json: what tests compare with what the device plays.
"""
import json
import os
import sys
import tempfile
import time
import types
from pathlib import Path

import addon_utils
import bpy
from mathutils import Euler, Matrix, Vector

sys.path.insert(0, str(Path(__file__).parent))
import rigs  # noqa: E402

FOLDER, COMMAND = (Path(word) for word in sys.argv[sys.argv.index("--") + 1:])
NAME = "ossicle_blender"
RESULTS = {}


def state_of_blender():
    """Returns everything that an add-on can leave behind."""
    blocks = {kind: sorted(block.name for block in getattr(bpy.data, kind)) for kind in
              ("actions", "armatures", "collections", "meshes", "objects", "texts", "materials", "scenes")}
    return {
        "blocks": blocks,
        "users": {f"{kind} {block.name}": block.users for kind in blocks for block in getattr(bpy.data, kind)},
        "properties": {block.name: [key for key in block.keys() if key != "_RNA_UI"] for kind in blocks
                       for block in getattr(bpy.data, kind)},
        "classes": sorted(name for name in dir(bpy.types) if "ossicle" in name.lower()),
        "operators": sorted(name for name in dir(bpy.ops) if "ossicle" in name.lower()),
        "handlers": {name: len(getattr(bpy.app.handlers, name)) for name in dir(bpy.app.handlers)
                     if isinstance(getattr(bpy.app.handlers, name), list)},
        "of objects": hasattr(bpy.types.Object, "ossicle"),
        "rig": {bone.name: [list(map(list, bone.matrix_local)), bone.use_connect, bone.inherit_scale]
                for armature in bpy.data.armatures for bone in armature.bones},
        "selected": [item.name for item in bpy.context.selected_objects],
        "active": bpy.context.object.name,
    }


def measure(rig, kept):
    """Measures an armature. The command keeps its outputs."""
    os.environ["OSSICLE_KEPT"] = str(FOLDER / kept)
    (FOLDER / kept).mkdir()
    bpy.context.view_layer.objects.active = rig
    result = bpy.ops.ossicle.measure()
    assert result == {"FINISHED"}, rig.ossicle.problem


def matrices(item):
    """Returns the matrices of bones in the world, as Blender evaluates them."""
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return {bone.name: [list(row) for row in evaluated.matrix_world @ bone.matrix] for bone in evaluated.pose.bones}


def played(rig):
    """Returns the poses of an armature and of its ghost at each frame of each clip."""
    result = {}
    for number, clip in enumerate(rig.ossicle.clips):
        rig.ossicle.clip = number
        frames = []
        for frame in range(int(clip.action.frame_range[1]) + 1):
            bpy.context.scene.frame_set(frame)
            frames.append({"rig": matrices(rig), "ghost": matrices(rig.ossicle.ghost)})
        keys = {len(curve.keyframe_points) for curve in clip.played.fcurves}
        result[clip.name] = {"frames": frames, "keys": sorted(keys), "bytes": clip.bytes, "error_mm": clip.error_mm,
                             "markers": [(mark.frame, mark.name) for mark in clip.played.pose_markers],
                             "groups": {bone.name: bone.bone_group and list(bone.bone_group.colors.normal)
                                        for bone in rig.ossicle.ghost.pose.bones},
                             "used": json.loads(clip.used)}
    return result


def arbitrary_rig():
    """A rig in arbitrary orientations with three actions, one of them without scales. Another rig is in the scene."""
    rigs.make_rig(seed=8, name="Other", bones=2)
    rig = rigs.make_rig()
    for seed, (name, length) in enumerate((("Walk", 16), ("Idle", 20), ("Wave", 10))):
        rigs.add_action(rig, name, length, seed, scales=name != "Wave")
    rig.animation_data.action = bpy.data.actions["Walk"]
    before = state_of_blender()
    measure(rig, "arbitrary")
    settings = rig.ossicle
    RESULTS["arbitrary"] = {
        "clips": played(rig), "joints": [(joint.name, joint.bytes) for joint in settings.joints],
        "flash": settings.flash, "warning": settings.warning, "problem": settings.problem,
        "deforms": [bone.name for bone in rig.data.bones if bone.use_deform],
        "ghost rendered": not settings.ghost.users_collection[0].hide_render}
    settings.clip = list(settings.clips.keys()).index("Walk")
    bpy.data.objects.remove(settings.ghost)  # as with the key X, which leaves the rest of it
    bpy.ops.ossicle.clear()
    RESULTS["cleared"] = [before["blocks"], state_of_blender()["blocks"]]
    return rig


def other_settings():
    """Rigs with settings that move the model or turn the axes of joints, or with an object that becomes a joint."""
    rig = rigs.make_rig(seed=3, name="Small", bones=8)
    rigs.add_action(rig, "Small", 8, 3, scales=False)
    for name, text in (("turned", '[import]\njoint_axes = "model"\n'),
                       ("moved", '[import]\nancestors = "drop"\nscale = 2.5\n'), ("uneven", "")):
        path = FOLDER / f"{name}.toml"
        path.write_text(f'inputs = ["{name}.glb"]\n{text}')
        rig.ossicle.config = str(path)
        if name == "uneven":
            rig.matrix_world = Matrix.LocRotScale(Vector((1, 2, 3)), Euler((0.2, 0.3, 0.4)),
                                                  Vector((1, 0.7, 1.4)))
        bpy.ops.ossicle.read()
        measure(rig, name)
        RESULTS[name] = {"clips": played(rig), "deforms": [bone.name for bone in rig.data.bones if bone.use_deform],
                         "world": [list(row) for row in rig.matrix_world]}
    return rig


def toml(rig):
    """Writes settings, changes them in the file as a programmer would, and reads them again."""
    settings, path = rig.ossicle, FOLDER / "artist.toml"
    settings.config, settings.tolerance, settings.target = str(path), "0.7mm", "m4"
    bpy.ops.ossicle.write()
    RESULTS["new toml"] = path.read_text()
    path.write_text("# the artist's\ninputs = ['artist.glb']\ntolerance = '2mm' # coarse\noutput = \"out/a.ossb\"\n"
                    '[clips."Small"] # [import]\nloop = false\n[import]\n'
                    'drop = [\n  "*IK*",\n  "bone.07"] # "bone.01"\n[joints."bone.*"]\ntolerance = "1.5mm"\n')
    bpy.ops.ossicle.read()
    RESULTS["read"] = [settings.tolerance, settings.target, [joint.name for joint in settings.joints if joint.drop]]
    settings.joints["bone.07"].drop, settings.joints["bone.06"].drop, settings.target = False, True, "gba"
    bpy.ops.ossicle.export()
    RESULTS["changed toml"] = path.read_text()
    RESULTS["bones"] = len(rig.data.bones)


def problems(rig):
    """Collects the texts that the panel shows if something is wrong."""
    settings, texts = rig.ossicle, {}

    def attempt(name, run):
        try:
            texts[name] = [run() == {"FINISHED"}, settings.problem]
        except RuntimeError:  # operators report errors to scripts as exceptions
            texts[name] = [False, settings.problem]
    settings.config, settings.tolerance = "", "a lot"
    attempt("tolerance", bpy.ops.ossicle.measure)
    attempt("no file", bpy.ops.ossicle.write)
    (FOLDER / "several.toml").write_text("[character.hero]\n")
    settings.config = str(FOLDER / "several.toml")
    attempt("several", bpy.ops.ossicle.write)
    path = FOLDER / "changed.toml"
    path.write_text('tolerance = "3mm"\n')
    settings.config, settings.tolerance = str(path), "1mm"
    settings["seen"] = path.read_text()  # as somebody else's .blend file may claim
    attempt("changed", bpy.ops.ossicle.write)
    for name in ("../../.bashrc", "../a.glb", "walk.bvh", "*.glb"):
        path.write_text(f'inputs = ["{name}"]\n')
        bpy.ops.ossicle.read()
        attempt(f"export {name}", bpy.ops.ossicle.export)
    preferences = bpy.context.preferences.addons[NAME].preferences
    preferences.command, settings.config = os.path.relpath(COMMAND), ""
    attempt("relative", bpy.ops.ossicle.measure)
    bpy.context.preferences.addons[NAME].preferences.command = str(FOLDER / "nowhere")
    settings.config = ""
    attempt("command", bpy.ops.ossicle.measure)
    RESULTS["problems"] = texts


class Layout:
    """A layout that records texts, properties and operators, because Blender draws nothing without a window."""

    def __init__(self, drawn):
        self.drawn = drawn

    def row(self, **settings):
        return self

    box = column = row

    def label(self, text="", icon="NONE"):
        self.drawn.append(text)

    def prop(self, owner, name, text=None):
        self.drawn.append(f"{name} {getattr(owner, name)}")

    def operator(self, name, **settings):
        self.drawn.append(f"{name} {settings.get('text', '')}")
        return types.SimpleNamespace()

    def template_list(self, kind, identifier, owner, name, active_owner, active):
        for item in getattr(owner, name):
            sys.modules[f"{NAME}.panel"].OSSICLE_UL_items.draw_item(None, None, self, owner, item, 0, owner, active)


def draw(rig):
    """Draws the panel, with the figures of the last measurement and a problem."""
    settings, drawn = rig.ossicle, []
    settings.problem = "a text that is longer than a line of the panel, which has to be wrapped: it has the remedy"
    context = types.SimpleNamespace(object=rig, region=types.SimpleNamespace(width=210),
                                    preferences=types.SimpleNamespace(system=types.SimpleNamespace(ui_scale=1.0)))
    panel = sys.modules[f"{NAME}.panel"].OSSICLE_PT_sidebar
    panel.draw(types.SimpleNamespace(layout=Layout(drawn)), context)
    RESULTS["drawn"] = {"texts": drawn, "problem": settings.problem, "clips": {
        clip.name: clip.bytes for clip in settings.clips}, "joints": settings.joints.keys(),
        "polls": [panel.poll(types.SimpleNamespace(object=item)) for item in (rig, settings.ghost, None)]}


def cancel(rig):
    """Cancels a measurement while its first command runs."""
    folders = set(Path(tempfile.gettempdir()).glob("ossicle-*"))
    steps = sys.modules[f"{NAME}.panel"].OSSICLE_OT_measure.steps(None, bpy.context, rig)
    next(steps)
    steps.close()
    RESULTS["cancelled"] = [steps.gi_frame is None, len(rig.ossicle.clips), rig.ossicle.ghost is None,
                            len(set(Path(tempfile.gettempdir()).glob("ossicle-*")) - folders)]


def several_inputs(rig):
    """Collects the sources of a measurement with patterns in `inputs`."""
    clips = FOLDER / "several/clips"
    clips.mkdir(parents=True)
    for name in ("b.glb", "a.glb", "a.bvh"):
        (clips / name).touch()
    path = clips.parent / "hero.toml"
    path.write_text('inputs = ["clips/a.glb", "clips/*.glb", "clips/a.bvh", "clips/a.*", "gone.glb"]\n')
    rig.ossicle.config = str(path)
    bpy.ops.ossicle.read()
    words = next(sys.modules[f"{NAME}.measuring"].measure(bpy.context, rig, FOLDER))
    RESULTS["sources"] = [str(word.relative_to(FOLDER)) for word in words if isinstance(word, Path)]


def modal(active):
    """Measures as with a window, which this Blender lacks: with events, but without the operator's instance."""
    panel, removed = sys.modules[f"{NAME}.panel"], []
    kind = panel.OSSICLE_OT_measure

    class Operator:
        attempt, modal, cancel = kind.attempt, kind.modal, kind.cancel

        def report(self, level, text):
            removed.append(text)
    context = types.SimpleNamespace(window_manager=types.SimpleNamespace(event_timer_remove=removed.append))
    RESULTS["modal"] = {}
    for name, steps, event in (("runs", 2, "TIMER"), ("ends", 0, "TIMER"), ("esc", 2, "ESC"), ("gone", 2, "TIMER")):
        rig = rigs.make_rig(seed=4, name=name, bones=2)
        operator = Operator()
        operator.rig, operator.remaining, operator.timer = rig, (step for step in range(steps)), "timer"
        if name == "gone":
            bpy.data.objects.remove(rig)
        [result] = operator.modal(context, types.SimpleNamespace(type=event))
        RESULTS["modal"][name] = [result, operator.remaining.gi_frame is None, removed[:]]
        removed.clear()
    bpy.context.view_layer.objects.active = active


def hard_watches():
    """A watch that cannot be started, and one that does not end when it is asked to."""
    command = sys.modules[f"{NAME}.command"]
    folders = set(Path(tempfile.gettempdir()).glob("ossicle-*"))
    try:
        command.start_watch(str(FOLDER / "nowhere"), "a.toml")
    except OSError:
        RESULTS["no watch"] = command.watched()
    stubborn = FOLDER / "stubborn"
    stubborn.write_text("#!/bin/sh\ntrap '' TERM\necho ready\nwhile :; do sleep 0.1; done\n")
    stubborn.chmod(0o755)
    command._PATIENCE_S = 0.1
    command.start_watch(str(stubborn), "a.toml")
    while not command.watched():
        time.sleep(0.01)
    process = command._watch["process"]
    command.stop_watch()
    RESULTS["stubborn"] = process.returncode
    RESULTS["left by watches"] = len(set(Path(tempfile.gettempdir()).glob("ossicle-*")) - folders)


def watch(rig):
    command = sys.modules[f"{NAME}.command"]
    rig.ossicle.config = str(FOLDER / "artist.toml")
    bpy.ops.ossicle.watch()
    process = command._watch["process"]
    RESULTS["watching"] = process.poll() is None
    addon_utils.disable(NAME, default_set=True)
    RESULTS["watch ended"] = process.poll() is not None


def main():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    addon_utils.enable("io_scene_gltf2")
    sys.path.insert(0, str(FOLDER / "mods"))
    rig = rigs.make_rig(seed=5, name="Traces", bones=4)
    rigs.add_action(rig, "Traces", 4, 5)
    before = state_of_blender()
    addon_utils.enable(NAME, default_set=True)
    bpy.context.preferences.addons[NAME].preferences.command = str(COMMAND)
    measure(rig, "traces")
    RESULTS["with add-on"] = state_of_blender()
    addon_utils.disable(NAME, default_set=True)
    RESULTS["traces"] = [before, state_of_blender()]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    addon_utils.enable("io_scene_gltf2")
    addon_utils.enable(NAME, default_set=True)
    bpy.context.preferences.addons[NAME].preferences.command = str(COMMAND)
    arbitrary_rig()
    rig = other_settings()
    rig.ossicle.config = ""
    draw(rig)
    cancel(rig)
    toml(rig)
    watch_command = bpy.context.preferences.addons[NAME].preferences.command
    problems(rig)
    bpy.context.preferences.addons[NAME].preferences.command = watch_command
    several_inputs(rig)
    modal(rig)
    hard_watches()
    watch(rig)
    (FOLDER / "results.json").write_text(json.dumps(RESULTS))


main()
