"""Exports a small rig as an artist would: `blender -b --python make_rig.py -- FOLDER`, Blender 3.4.

A leg with IK, controls that do not deform, and three actions: Walk from frame 0, on an NLA track that is named Stroll;
Idle from frame 1, on a track of its own; Spare on no track. all_bones.glb has the exporter's defaults, deform_bones.glb
only what deforms, not_sampled.glb only the bones' own keys, small.glb an armature with a scale of 0.01, moving.glb an
armature object that moves."""
import math
import sys
from pathlib import Path

import bpy

BONES = (  # name, head, tail, parent, deforms
    ("root", (0, 0, 0), (0, 0.2, 0), None, False),
    ("hips", (0, 0, 1), (0, 0, 1.2), "root", True),
    ("spine", (0, 0, 1.2), (0, 0, 1.6), "hips", True),
    ("thigh.L", (0.1, 0, 1), (0.1, -0.02, 0.5), "hips", True),
    ("shin.L", (0.1, -0.02, 0.5), (0.1, 0, 0.1), "thigh.L", True),
    ("foot.L", (0.1, 0, 0.1), (0.1, -0.2, 0), "shin.L", True),
    ("IK_foot.L", (0.1, 0, 0.1), (0.1, 0.2, 0.1), "root", False),
)


def make_rig():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature = bpy.data.armatures.new("Rig")
    rig = bpy.data.objects.new("Rig", armature)
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, head, tail, parent, deforms in BONES:
        bone = armature.edit_bones.new(name)
        bone.head, bone.tail, bone.use_deform = head, tail, deforms
        bone.parent = armature.edit_bones[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    follow = rig.pose.bones["shin.L"].constraints.new("IK")
    follow.target, follow.subtarget, follow.chain_count = rig, "IK_foot.L", 2
    names = [name for name, *_, deforms in BONES if deforms]
    mesh = bpy.data.meshes.new("Body")
    mesh.from_pydata([(0, x, z) for z in range(len(names)) for x in range(3)], [],
                     [(3 * z, 3 * z + 1, 3 * z + 2) for z in range(len(names))])
    body = bpy.data.objects.new("Body", mesh)
    bpy.context.scene.collection.objects.link(body)
    body.parent = rig
    for row, name in enumerate(names):
        body.vertex_groups.new(name=name).add(range(3 * row, 3 * row + 3), 1.0, "REPLACE")
    body.modifiers.new("Armature", "ARMATURE").object = rig
    rig.animation_data_create()
    return rig


def make_action(rig, name, first, length):
    action = rig.animation_data.action = bpy.data.actions.new(name)
    foot, spine = rig.pose.bones["IK_foot.L"], rig.pose.bones["spine"]
    spine.rotation_mode = "XYZ"
    for frame in (first, first + length // 2, first + length):
        middle = frame == first + length // 2
        foot.location = (0, 0.2 * math.cos(2 * math.pi * (frame - first) / length), 0.1 if middle else 0)
        foot.keyframe_insert("location", frame=frame)
        spine.rotation_euler = (0, 0.3 if middle else 0, 0)
        spine.keyframe_insert("rotation_euler", frame=frame)
    return action


def main(folder):
    rig = make_rig()
    actions = [make_action(rig, "Walk", 0, 12), make_action(rig, "Idle", 1, 16)]
    make_action(rig, "Spare", 0, 8).use_fake_user = True
    rig.animation_data.action = None
    for action, name in zip(actions, ("Stroll", "NlaTrack")):
        track = rig.animation_data.nla_tracks.new()
        track.strips.new(action.name, int(action.frame_range[0]), action)
        track.name = name

    def export(name, **choices):
        bpy.ops.export_scene.gltf(filepath=str(folder / name), export_materials="NONE", **choices)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 0, 20
    export("all_bones.glb")
    export("deform_bones.glb", export_def_bones=True)
    export("not_sampled.glb", export_force_sampling=False)
    rig.scale = (0.01, 0.01, 0.01)
    export("small.glb", export_def_bones=True)
    rig.scale = (1, 1, 1)
    rig.animation_data.action = actions[0]
    for frame in (0, 12):
        rig.location = (0, frame / 12, 0)
        rig.keyframe_insert("location", frame=frame)
    export("moving.glb", export_def_bones=True)


main(Path(sys.argv[sys.argv.index("--") + 1]))
