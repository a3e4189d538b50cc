"""The properties, operators and panels of the add-on."""
import tempfile
import textwrap
import time
from pathlib import Path

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, IntProperty, PointerProperty, StringProperty

from . import command, ghost, measuring
from .command import Problem

_POLL_S = 0.1  # between looks at a command that runs


class OssicleItem(bpy.types.PropertyGroup):
    """A clip, with its actions; or a joint, which may be dropped."""
    bytes: IntProperty()
    error_mm: FloatProperty()
    tolerance_mm: FloatProperty()
    action: PointerProperty(type=bpy.types.Action)
    played: PointerProperty(type=bpy.types.Action)
    used: StringProperty()
    drop: BoolProperty(name="Drop", description="Leave this joint out of the bank")


class OssicleSettings(bpy.types.PropertyGroup):
    tolerance: StringProperty(name="Tolerance", default="1mm", description="Largest error allowed, such as 0.5mm")
    target: StringProperty(name="Target", description="A machine, such as gba or m4; ossicle targets lists them")
    config: StringProperty(name="TOML File", subtype="FILE_PATH", description="The file that ossicle build reads")
    flash: StringProperty()
    problem: StringProperty()
    warning: StringProperty()
    clips: CollectionProperty(type=OssicleItem)
    clip: IntProperty(update=lambda settings, context: measuring.show(settings.id_data))
    joints: CollectionProperty(type=OssicleItem)
    joint: IntProperty()
    ghost: PointerProperty(type=bpy.types.Object)


class OssiclePreferences(bpy.types.AddonPreferences):
    bl_idname = __package__
    command: StringProperty(name="Command", subtype="FILE_PATH", description="The file of ossicle; empty: that in PATH")

    def draw(self, context):
        self.layout.prop(self, "command")


class _OfRig:
    """Applies to the active armature."""
    @classmethod
    def poll(cls, context):
        item = context.object
        return item is not None and item.type == "ARMATURE" and ghost.TAG not in item


class _Operator(_OfRig):
    """Shows problems in the panel."""
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        return self.attempt(context.object, lambda: self.run(context, context.object))

    def attempt(self, rig, action):
        try:
            rig.ossicle.problem = ""  # a reference to rig.ossicle itself would not notice that rig is gone
            action()
            return {"FINISHED"}
        except ReferenceError:
            self.report({"ERROR"}, "the armature was removed or undone; measure it again")
        except (Problem, OSError, RuntimeError) as problem:
            rig.ossicle.problem = str(problem)
            self.report({"ERROR"}, rig.ossicle.problem)
        return {"CANCELLED"}


class OSSICLE_OT_measure(_Operator, bpy.types.Operator):
    """Export and encode the armature, and show the result as a ghost. Esc cancels"""
    bl_idname, bl_label = "ossicle.measure", "Measure"

    def run(self, context, rig):
        for _ in self.steps(context, rig):
            time.sleep(_POLL_S)

    def steps(self, context, rig):
        """Yields whenever there is time for something else."""
        with tempfile.TemporaryDirectory(prefix="ossicle-") as folder:
            for arguments in measuring.measure(context, rig, Path(folder)):
                with command.running(command.find(context), *arguments) as process:
                    while process.poll() is None:
                        yield

    def invoke(self, context, event):
        self.rig, self.remaining = context.object, self.steps(context, context.object)
        self.timer = context.window_manager.event_timer_add(_POLL_S, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type not in ("TIMER", "ESC"):
            return {"PASS_THROUGH"}
        result = {"CANCELLED"} if event.type == "ESC" else self.attempt(self.rig, lambda: next(self.remaining, None))
        if result == {"FINISHED"} and self.remaining.gi_frame is not None:
            return {"RUNNING_MODAL"}
        self.cancel(context)
        return result

    def cancel(self, context):
        """Ends the command and the timer. Blender calls it, too, if it opens another file."""
        self.remaining.close()
        context.window_manager.event_timer_remove(self.timer)


def _watch(rig):
    if command.watched() is None:
        command.start_watch(command.find(bpy.context), measuring.config_path(rig))
    else:
        command.stop_watch()


def _operator(name, tip, run):
    """Returns a class. tip: what its button does; run: a function of the armature."""
    return type(f"OSSICLE_OT_{name}", (_Operator, bpy.types.Operator), {
        "__doc__": tip, "bl_idname": f"ossicle.{name}", "bl_label": name.title(), "run": lambda self, _, rig: run(rig)})


_OPERATORS = (
    _operator("clear", "Remove the ghost and the figures", lambda rig: measuring.clear(rig.ossicle)),
    _operator("read", "Read tolerance, target and dropped joints from the TOML file", measuring.read_settings),
    _operator("write", "Write tolerance, target and dropped joints to the TOML file", measuring.write_settings),
    _operator("export", "Write the TOML file, and export the armature to its first input", measuring.export_source),
    _operator("watch", "Start or stop ossicle watch, which builds the TOML file whenever an input changes", _watch))


class OSSICLE_UL_items(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, owner, name):
        row = layout.row(align=True)
        row.label(text=item.name, icon="ACTION" if item.action else "NONE")
        limit = f" of {item.tolerance_mm:.3g}" if item.tolerance_mm else ""
        row.label(text=f"{item.bytes:,} B, {item.error_mm:.3g}{limit} mm" if item.bytes else "")
        if name == "joint":
            row.prop(item, "drop", text="")


class _Panel(_OfRig):
    """The settings, the buttons, the clips and the joints of an armature."""
    def draw(self, context):
        layout, settings = self.layout, context.object.ossicle
        for name in ("tolerance", "target", "config"):
            layout.prop(settings, name)
        row, watched = layout.row(align=True), command.watched()
        for name in ("read", "write", "export", "watch"):
            row.operator(f"ossicle.{name}", depress=name == "watch" and watched is not None)
        row = layout.row(align=True)
        row.operator("ossicle.measure", icon="DRIVER_DISTANCE")
        row.operator("ossicle.clear", text="", icon="TRASH")
        width = max(int(context.region.width / context.preferences.system.ui_scale / 7), 20)  # of texts, in letters
        for text, icon in ((settings.problem, "ERROR"), (settings.warning, "INFO"), (watched, "INFO")):
            if text:
                column = layout.box().column(align=True)
                for number, line in enumerate(sum((textwrap.wrap(line, width) for line in text.splitlines()), [])):
                    column.label(text=line, icon="NONE" if number else icon)
        if settings.clips:
            layout.label(text=settings.flash)
            layout.template_list("OSSICLE_UL_items", "clips", settings, "clips", settings, "clip")
        if settings.joints:
            layout.template_list("OSSICLE_UL_items", "joints", settings, "joints", settings, "joint")


class OSSICLE_PT_sidebar(_Panel, bpy.types.Panel):
    bl_label, bl_category, bl_space_type, bl_region_type = "Ossicle", "Ossicle", "VIEW_3D", "UI"


class OSSICLE_PT_data(_Panel, bpy.types.Panel):
    bl_label, bl_context, bl_space_type, bl_region_type = "Ossicle", "data", "PROPERTIES", "WINDOW"


CLASSES = (OssicleItem, OssicleSettings, OssiclePreferences, OSSICLE_OT_measure, *_OPERATORS, OSSICLE_UL_items,
           OSSICLE_PT_sidebar, OSSICLE_PT_data)
