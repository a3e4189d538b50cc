"""The ghost: a second armature that plays what the device plays, in a collection that is not rendered."""
import uuid

import bpy

TAG = "ossicle_ghost"  # a custom property of everything that belongs to a ghost
LIMITS = (0.25, 0.5, 0.75, 1.0)  # between colours (distinct with red-green blindness), as shares of the tolerance
COLOURS = ((0.20, 0.40, 0.80), (0.30, 0.70, 0.90), (0.95, 0.90, 0.45), (0.95, 0.55, 0.15), (0.80, 0.05, 0.10))


def make(context, rig):
    """Returns a new ghost of an armature: a copy of its bones without constraints, and its meshes as wires."""
    ghost = bpy.data.objects.new(f"{rig.name} (device)", rig.data.copy())
    collection = bpy.data.collections.new(ghost.name)
    context.scene.collection.children.link(collection)
    ghost.data.animation_data_clear()
    ghost.data.pose_position = "POSE"
    ghost.matrix_world, ghost.show_in_front = rig.matrix_world, True
    copies = [(mesh, mesh.copy()) for mesh in meshes_of(rig)]
    tag = uuid.uuid4().hex
    for block in (ghost, ghost.data, collection, *(copy for _, copy in copies)):
        block[TAG] = tag
    collection.objects.link(ghost)
    _free_bones(context, ghost)
    for mesh, copy in copies:
        collection.objects.link(copy)
        copy.display_type, copy.parent = "WIRE", ghost if mesh.parent == rig else mesh.parent
        for modifier in copy.modifiers:
            if modifier.type == "ARMATURE" and modifier.object == rig:
                modifier.object = ghost
    for block in (collection, *collection.objects):
        block.hide_render = block.hide_select = True
    return ghost


def meshes_of(rig):
    """Returns the meshes that an armature moves."""
    return [item for item in bpy.data.objects if item.type == "MESH" and TAG not in item and rig in (
        item.parent, *(modifier.object for modifier in item.modifiers if modifier.type == "ARMATURE"))]


def _free_bones(context, ghost):
    """Lets bones take any transform relative to their parents."""
    context.view_layer.objects.active = ghost
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in ghost.data.edit_bones:
        bone.use_connect, bone.bbone_segments = False, 1  # a connected bone ignores its location
        bone.inherit_scale, bone.use_inherit_rotation, bone.use_local_location = "FULL", True, True
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in ghost.pose.bones:
        bone.rotation_mode = "QUATERNION"


def add_action(ghost, name, space, frames, step):
    """Returns a new action of the ghost. frames: poses of joints, a key each; step: from one to the next."""
    action = bpy.data.actions.new(f"{name} (device)")
    action[TAG], action.use_fake_user = ghost[TAG], True
    curves = action.fcurves if not hasattr(action, "slots") else action.layers.new("Device").strips.new(
        type="KEYFRAME").channelbag(action.slots.new(id_type="OBJECT", name=ghost.name), ensure=True).fcurves
    poses = [space.transforms(joints) for joints in frames]
    for bone in poses[0]:
        for before, after in zip(poses, poses[1:]):  # so that Blender blends neighbours along the shorter arc
            after[bone][1].make_compatible(before[bone][1])
        for part, path in enumerate(("location", "rotation_quaternion", "scale")):
            for index, values in enumerate(zip(*(pose[bone][part] for pose in poses))):
                values = values[:1] if min(values) == max(values) else values
                curve = curves.new(f"{ghost.pose.bones[bone].path_from_id()}.{path}", index=index)
                curve.keyframe_points.add(len(values))
                curve.keyframe_points.foreach_set(
                    "co", [number for frame, value in enumerate(values) for number in (step * frame, value)])
                curve.keyframe_points.foreach_set("interpolation", [1] * len(values))  # linear
                curve.update()
    return action


def play(item, action):
    """Lets an object play an action. Since 4.4 an object plays a slot of it."""
    data = item.animation_data or item.animation_data_create()
    data.action = action
    if hasattr(data, "action_slot") and data.action_slot is None and action.slots:
        data.action_slot = action.slots[0]


def colour(ghost, used):
    """Colours bones by the part of the tolerance that they use. Bones that are not joints keep those of the theme."""
    for bone in ghost.pose.bones:
        level = sum(used.get(bone.name, 0.0) > limit for limit in LIMITS)
        if hasattr(bone, "color"):
            bone.color.palette = "CUSTOM" if bone.name in used else "DEFAULT"
            colours = bone.color.custom
        else:  # before 4.0
            name = f"over {LIMITS[level - 1]:.0%} of the tolerance" if level else "of small errors"
            group = ghost.pose.bone_groups.get(name) or ghost.pose.bone_groups.new(name=name)
            bone.bone_group = group if bone.name in used else None
            group.color_set, colours = "CUSTOM", group.colors
        colours.normal = COLOURS[level]
        colours.select = colours.active = [0.5 + channel / 2 for channel in COLOURS[level]]


def remove(tag=None):
    """Removes a ghost, or by default all ghosts of the open file, with everything that belongs to them."""
    for blocks in (bpy.data.actions, bpy.data.objects, bpy.data.armatures, bpy.data.collections):
        for block in [block for block in blocks if TAG in block and tag in (None, block[TAG])]:
            blocks.remove(block)
