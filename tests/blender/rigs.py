"""Makes rigs in Blender: bones in arbitrary orientations, with a mesh and actions."""
import random

import bpy
from mathutils import Euler, Matrix, Vector

BONES = 40


def make_rig(seed=1, name="Rig", bones=BONES):
    """Returns an armature whose bones have arbitrary directions and rolls; some are connected, some do not deform, and
    some inherit their parent's scale in another way. The armature object is moved, rotated and scaled."""
    chance = random.Random(seed)
    armature = bpy.data.armatures.new(name)
    rig = bpy.data.objects.new(name, armature)
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    made = []
    for number in range(bones):
        bone = armature.edit_bones.new(f"bone.{number:02}")
        parent = chance.choice(made[-6:]) if made else None
        bone.parent = parent
        connected = parent is not None and number % 3 == 0
        bone.head = parent.tail if connected else (parent.tail if parent else Vector()) + _vector(chance, 0.05)
        bone.tail = bone.head + _vector(chance, 0.12) + Vector((0, 0, 0.02))
        bone.roll = chance.uniform(-3, 3)
        bone.use_connect = connected
        bone.use_deform = number % 9 != 4
        bone.inherit_scale = ("FULL", "FULL", "NONE", "AVERAGE", "ALIGNED")[number % 5]
        bone.use_local_location = number % 7 != 3
        bone.use_inherit_rotation = number % 11 != 10
        made.append(bone)
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.matrix_world = Matrix.LocRotScale(Vector((1.5, -2.0, 0.3)), Euler((0.3, -0.8, 2.1)), Vector((1.5, 1.5, 1.5)))
    add_mesh(rig, [bone.name for bone in armature.bones if bone.use_deform])
    return rig


def add_mesh(rig, names):
    mesh = bpy.data.meshes.new("Body")
    mesh.from_pydata([(0.1 * x, 0, 0.1 * z) for z in range(len(names)) for x in range(3)], [],
                     [(3 * z, 3 * z + 1, 3 * z + 2) for z in range(len(names))])
    body = bpy.data.objects.new("Body", mesh)
    bpy.context.scene.collection.objects.link(body)
    body.parent = rig
    for row, name in enumerate(names):
        body.vertex_groups.new(name=name).add(range(3 * row, 3 * row + 3), 1.0, "REPLACE")
    body.modifiers.new("Armature", "ARMATURE").object = rig


def add_action(rig, name, length, seed, scales=True):
    """Adds an action with keys at its ends and in its middle."""
    chance = random.Random(seed)
    rig.animation_data_create()
    action = rig.animation_data.action = bpy.data.actions.new(name)
    action.use_fake_user = True
    for bone in rig.pose.bones:
        bone.rotation_mode = "XYZ" if len(bone.name) % 2 else "QUATERNION"
        rest = Euler((0, 0, 0))
        for frame, size in ((0, 0.0), (length // 2, 1.0), (length, 0.0)):
            turn = Euler([size * chance.uniform(-0.5, 0.5) for axis in range(3)]) if size else rest
            if bone.rotation_mode == "XYZ":
                bone.rotation_euler = turn
                bone.keyframe_insert("rotation_euler", frame=frame)
            else:
                bone.rotation_quaternion = turn.to_quaternion()
                bone.keyframe_insert("rotation_quaternion", frame=frame)
            bone.location = size * _vector(chance, 0.02)
            bone.keyframe_insert("location", frame=frame)
            if scales and bone.name.endswith(("2", "7")):
                scale = 1.0 + size * chance.uniform(-0.2, 0.3)
                bone.scale = (scale, scale, scale)
                bone.keyframe_insert("scale", frame=frame)
    return action


def _vector(chance, size):
    return Vector([chance.uniform(-size, size) for axis in range(3)])
