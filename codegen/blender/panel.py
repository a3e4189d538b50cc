"""The properties, operators and panels of the add-on."""
import tempfile
import textwrap
import time
from pathlib import Path

import bpy
from bpy.props import (BoolProperty, CollectionProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty,
                       StringProperty)

from . import command, ghost, measuring
from .command import Problem

_PERIOD = 0.1  # seconds between looks at a command that runs
_ACTIONS = (
    ("CLEAR", "", "Remove the ghost and the figures"),
    ("READ", "Read", "Read tolerance, target and dropped joints from the TOML file"),
    ("WRITE", "Write", "Write tolerance, target and dropped joints to the TOML file, and keep the rest of it"),
    ("EXPORT", "Export", "Write the TOML file, and export the armature to its first input"),
    ("WATCH", "Watch", "Start or stop ossicle watch, which builds the TOML file whenever an input changes"))


class OssicleClip(bpy.types.PropertyGroup):
    bytes: IntProperty()
    error_mm: FloatProperty()
    tolerance_mm: FloatProperty()
    action: PointerProperty(type=bpy.types.Action)
    played: PointerProperty(type=bpy.types.Action)
    used: StringProperty()


class OssicleJoint(bpy.types.PropertyGroup):
    bytes: IntProperty()
    error_mm: FloatProperty()
    drop: BoolProperty(name="Drop", description="Leave this joint out of the bank")


class OssicleSettings(bpy.types.PropertyGroup):
    tolerance: StringProperty(name="Tolerance", default="1mm", description="Largest error allowed, such as 0.5mm")
    target: StringProperty(name="Target", description="A machine, such as gba or m4; ossicle targets lists them")
    config: StringProperty(name="TOML File", subtype="FILE_PATH", description="The file that ossicle build reads")
    flash: StringProperty()
    problem: StringProperty()
    warning: StringProperty()
    clips: CollectionProperty(type=OssicleClip)
    clip: IntProperty(update=lambda settings, context: measuring.show(settings.id_data))
    joints: CollectionProperty(type=OssicleJoint)
    joint: IntProperty()
    ghost: PointerProperty(type=bpy.types.Object)


class OssiclePreferences(bpy.types.AddonPreferences):
    bl_idname = __package__
    command: StringProperty(name="Command", subtype="FILE_PATH",
                            description="The file of the command ossicle; empty: the first one in PATH")

    def draw(self, context):
        self.layout.prop(self, "command")


def _command(context):
    return command.find(context.preferences.addons[__package__].preferences.command)


class _OfRig:
    """Applies to the active armature."""

    @classmethod
    def poll(cls, context):
        item = context.object
        return item is not None and item.type == "ARMATURE" and ghost.TAG not in item


class _Operator(_OfRig):
    """Shows problems in the panel."""

    def execute(self, context):
        return self.attempt(context.object.ossicle, lambda: self.run(context, context.object))

    def attempt(self, settings, action):
        settings.problem = ""
        try:
            action()
        except StopIteration:  # the last step of a measurement
            pass
        except Problem as problem:
            settings.problem = str(problem)
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        return {"FINISHED"}


class OSSICLE_OT_measure(_Operator, bpy.types.Operator):
    """Export and encode the armature, and show the result as a ghost. Esc cancels"""
    bl_idname, bl_label, bl_options = "ossicle.measure", "Measure", {"REGISTER", "UNDO"}

    def run(self, context, rig):
        for _ in self.steps(context, rig):
            time.sleep(_PERIOD)

    def steps(self, context, rig):
        """Yields whenever there is time for something else."""
        with tempfile.TemporaryDirectory(prefix="ossicle-") as folder:
            for arguments in measuring.measure(context, rig, Path(folder)):
                with command.running(_command(context), *arguments) as process:
                    while process.poll() is None:
                        yield

    def invoke(self, context, event):
        self.settings, self.left = context.object.ossicle, self.steps(context, context.object)
        self.timer = context.window_manager.event_timer_add(_PERIOD, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type not in ("TIMER", "ESC"):
            return {"PASS_THROUGH"}
        if event.type == "ESC":
            self.left.close()
        result = self.attempt(self.settings, lambda: next(self.left))
        if self.left.gi_frame is not None:
            return {"RUNNING_MODAL"}
        context.window_manager.event_timer_remove(self.timer)
        return result


class OSSICLE_OT_do(_Operator, bpy.types.Operator):
    bl_idname, bl_label, bl_options = "ossicle.do", "Ossicle", {"REGISTER", "UNDO"}
    action: EnumProperty(items=_ACTIONS)

    @classmethod
    def description(cls, context, properties):
        return next(text for name, _, text in _ACTIONS if name == properties.action)

    def run(self, context, rig):
        if self.action == "CLEAR":
            measuring.clear(rig.ossicle)
        elif self.action == "READ":
            measuring.read_settings(rig)
        elif self.action == "WATCH" and command.watched() is not None:
            command.stop_watch()
        elif self.action == "WATCH":
            command.start_watch(_command(context), measuring.config_path(rig))
        else:
            file = measuring.write_settings(rig, measuring.config_path(rig))
            if self.action == "EXPORT":
                measuring.export(context, rig, measuring.inputs_of(file)[0])


class OSSICLE_UL_clips(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, owner, name):
        row = layout.row(align=True)
        row.label(text=item.name, icon="ACTION" if item.action else "NONE")
        row.label(text=f"{item.bytes:,} B")
        row.label(text=f"{item.error_mm:.3g} of {item.tolerance_mm:.3g} mm" if item.tolerance_mm else
                  f"{item.error_mm:.3g} mm")


class OSSICLE_UL_joints(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, owner, name):
        row = layout.row(align=True)
        row.label(text=item.name)
        row.label(text=f"{item.bytes:,} B, {item.error_mm:.3g} mm" if item.bytes else "")
        row.prop(item, "drop", text="")


class _Panel(_OfRig):
    bl_label, bl_category = "Ossicle", "Ossicle"

    def draw(self, context):
        layout, settings = self.layout, context.object.ossicle
        for name in ("tolerance", "target", "config"):
            layout.prop(settings, name)
        row, watched = layout.row(align=True), command.watched()
        for name, label, _ in _ACTIONS[1:]:
            row.operator("ossicle.do", text=label, depress=name == "WATCH" and watched is not None).action = name
        row = layout.row(align=True)
        row.operator("ossicle.measure", icon="DRIVER_DISTANCE")
        row.operator("ossicle.do", text="", icon="TRASH").action = "CLEAR"
        for text, icon in ((settings.problem, "ERROR"), (settings.warning, "INFO"), (watched, "INFO")):
            if text:
                _show_text(context, layout.box().column(align=True), text, icon)
        if settings.clips:
            layout.label(text=settings.flash)
            layout.template_list("OSSICLE_UL_clips", "", settings, "clips", settings, "clip")
        if settings.joints:
            layout.template_list("OSSICLE_UL_joints", "", settings, "joints", settings, "joint")


class OSSICLE_PT_sidebar(_Panel, bpy.types.Panel):
    bl_space_type, bl_region_type = "VIEW_3D", "UI"


class OSSICLE_PT_data(_Panel, bpy.types.Panel):
    bl_space_type, bl_region_type, bl_context, bl_options = "PROPERTIES", "WINDOW", "data", {"DEFAULT_CLOSED"}


def _show_text(context, column, text, icon):
    """Shows a text of any length in lines of the panel's width."""
    width = max(int(context.region.width / context.preferences.system.ui_scale / 7), 20)
    for paragraph in text.splitlines():
        for number, line in enumerate(textwrap.wrap(paragraph, width)):
            column.label(text=line, icon="NONE" if number else icon)


_CLASSES = (OssicleClip, OssicleJoint, OssicleSettings, OssiclePreferences, OSSICLE_OT_measure, OSSICLE_OT_do,
            OSSICLE_UL_clips, OSSICLE_UL_joints, OSSICLE_PT_sidebar, OSSICLE_PT_data)


def register():
    for kind in _CLASSES:
        bpy.utils.register_class(kind)
    bpy.types.Object.ossicle = PointerProperty(type=OssicleSettings)


def unregister():
    """Also removes the settings from all armatures: Blender would store them as custom properties."""
    for item in bpy.data.objects:
        item.property_unset("ossicle")
    del bpy.types.Object.ossicle
    for kind in reversed(_CLASSES):
        bpy.utils.unregister_class(kind)
