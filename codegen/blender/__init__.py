# SPDX-License-Identifier: MIT
"""Ossicle in Blender: an add-on, or an extension with blender_manifest.toml, for the installed `ossicle` command."""
import bpy

from . import command, ghost, panel

bl_info = {"name": "Ossicle", "author": "The Ossicle authors", "version": (0, 1, 0), "blender": (3, 4, 0),
           "description": "Compress the clips of an armature, and show them as the device plays them",
           "location": "3D View > Sidebar > Ossicle, and Properties > Armature", "category": "Animation"}
_register, _unregister = bpy.utils.register_classes_factory(panel.CLASSES)


def register():
    _register()
    bpy.types.Object.ossicle = bpy.props.PointerProperty(type=panel.OssicleSettings)


def unregister():
    """Stops the watch, and removes everything that the add-on has added to the open file."""
    command.stop_watch()
    ghost.remove()
    for item in bpy.data.objects:
        item.property_unset("ossicle")  # otherwise Blender stores it as a custom property
    del bpy.types.Object.ossicle
    _unregister()
