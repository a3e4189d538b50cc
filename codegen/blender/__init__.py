"""Ossicle in Blender: measures the clips of an armature, and plays what the device plays as a ghost beside it.

An add-on, or an extension with blender_manifest.toml. It needs only Blender's Python: the `ossicle` command does the
work.
"""
from . import command, ghost, panel

bl_info = {
    "name": "Ossicle",
    "author": "The Ossicle project",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > Ossicle, and Properties > Armature",
    "description": "Compress the clips of an armature, and show them as the device plays them",
    "category": "Animation",
}


def register() -> None:
    panel.register()


def unregister() -> None:
    """Stops the watch, and removes everything that the add-on has added to the open file."""
    command.stop_watch()
    ghost.remove()
    panel.unregister()
