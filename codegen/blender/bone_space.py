"""Converts poses of joints, as the device plays them, to poses of the bones of an armature.

A joint's matrix in the model is  A C W P D:  P is the bone's matrix in the space of the armature, W the armature
object's matrix in the world, and C turns Blender's Z up into glTF's Y up. D, a constant of each bone, changes from the
bone's axes to those of the joint. A, a constant of the model, is not the identity if the settings drop the objects
above the root or scale lengths. A and D follow from the rest pose: in Blender, in the exported file and in the bank. A
bone's own transform is derived from its parent's matrix as Blender computes it, so that rounding does not accumulate.
"""
from mathutils import Matrix

from .command import Problem

Y_UP = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))
_TURNED = 0.01  # share of an axis's length; rounding in a bank is smaller
_NEAR = 1e-4  # share of the model's size; a bank rounds to 0.001 mm


class BoneSpace:
    """Converts for one armature. exported, bind: rest poses of the file and the bank; Problem if they do not agree."""
    def __init__(self, rig, exported, bind):
        self.bones = sorted(rig.data.bones, key=lambda bone: len(bone.parent_recursive))  # parents first
        names = [bone.name for bone in self.bones if bone.name in exported and bone.name in bind]
        if not names:
            raise Problem("no bone of the armature is a joint of the bank; turn on Deform for the bones to export, "
                          "or remove patterns from drop")
        world = Y_UP @ rig.matrix_world
        start, scale = _change(exported, bind, names, world @ Y_UP.inverted())
        self._to_armature = (Matrix.Scale(scale, 4) @ start @ world).inverted()
        rest = {name: _rescaled(start @ exported[name], scale, bind[name]) for name in names}
        if any((rest[name].col[axis] - bind[name].col[axis]).length > _TURNED * bind[name].col[axis].length
               for name in names for axis in range(3)):
            rest = bind  # has other axes; it is rounded to the device's steps, but the exported file is not
        self._to_bone = {name: (self._to_armature @ rest[name]).inverted() @ rig.data.bones[name].matrix_local
                         for name in names}
        self._offsets = {bone.name: bone.matrix_local if bone.parent is None else
                         bone.parent.matrix_local.inverted() @ bone.matrix_local for bone in self.bones}

    def transforms(self, joints):
        """Returns location, rotation and scale of each bone that is a joint. joints: a pose in the model."""
        actual, result = {}, {}
        for bone in self.bones:
            name, base = bone.name, self._offsets[bone.name]
            if bone.parent is not None:
                base = actual[bone.parent.name] @ base
            actual[name] = base
            if name in self._to_bone:
                posed = self._to_armature @ joints[name] @ self._to_bone[name]
                result[name] = (base.inverted_safe() @ posed).decompose()
                actual[name] = base @ Matrix.LocRotScale(*result[name])
        return result


def _rescaled(matrix, scale, bind):
    """Multiplies a position by a scale. Axes get the lengths of those in the bank, which may store scales as units."""
    columns = [matrix.col[axis] * (bind.col[axis].length / matrix.col[axis].length) for axis in range(3)]
    return Matrix((*columns, (*matrix.translation * scale, 1.0))).transposed()


def _change(exported, bind, names, world):
    """Returns the matrix and the factor of lengths from the exported model to that of the bank, which may lack the
    objects above the root. world: the matrix of the armature object in the exported file."""
    for start in (Matrix.Identity(4), world.inverted_safe()):
        old = [(start @ exported[name]).translation for name in names]
        new = [bind[name].translation for name in names]
        sizes = [max((point - points[0]).length for point in points) for points in (old, new)]
        scale = float(f"{sizes[1] / sizes[0]:.6g}") if sizes[0] > 0.0 else 1.0
        scale = 1.0 if abs(scale - 1.0) < _NEAR else scale
        limit = _NEAR * max(sizes[1], max(point.length for point in new), 1e-3)
        if all((scale * before - after).length <= limit for before, after in zip(old, new)):
            return start, scale
    raise Problem("the bank has another rest pose than the armature; remove up from the settings")
