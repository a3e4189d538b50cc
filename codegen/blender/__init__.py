# SPDX-License-Identifier: MIT
"""Ossicle in Blender: an add-on, or an extension with blender_manifest.toml, for the installed `ossicle` command."""
import bpy

from . import command, ghost, panel

bl_info = {"name": "Ossicle", "author": "The Ossicle authors", "version": (0, 1, 0), "blender": (3, 4, 0),
           "description": "Compress the clips of an armature, and show them as the device plays them",
           "location": "3D View > Sidebar > Ossicle, and Properties > Armature", "category": "Animation"}


def register():
    for kind in panel.CLASSES:
        bpy.utils.register_class(kind)
    bpy.types.Object.ossicle = bpy.props.PointerProperty(type=panel.OssicleSettings)


def unregister():
    """Stops the watch, and removes everything that the add-on has added to the open file."""
    command.stop_watch()
    ghost.remove()
    for item in bpy.data.objects:
        item.property_unset("ossicle")  # otherwise Blender stores it as a custom property
    del bpy.types.Object.ossicle
    for kind in reversed(panel.CLASSES):
        bpy.utils.unregister_class(kind)
