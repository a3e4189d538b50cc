"""Reads the nodes and the animations of a .glb file that Blender or `ossicle decode` has written."""
import json
import struct
from bisect import bisect_right

from mathutils import Matrix, Quaternion, Vector

_WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
_REST = {"translation": (0.0, 0.0, 0.0), "rotation": (0.0, 0.0, 0.0, 1.0), "scale": (1.0, 1.0, 1.0)}


class Glb:
    """The nodes, parents first: name, place of the parent, number, rest pose; animations: times and values of each."""
    def __init__(self, path):
        content = path.read_bytes()
        length, = struct.unpack_from("<I", content, 12)
        self._document = json.loads(content[20:20 + length])
        self._binary = content[28 + length:]
        self.nodes, waiting = [], [(key, None) for scene in self._document["scenes"] for key in scene["nodes"]]
        while waiting:
            key, parent = waiting.pop()
            node = self._document["nodes"][key]
            waiting += [(child, len(self.nodes)) for child in node.get("children", ())]
            rest = {path: node.get(path, default) for path, default in _REST.items()}
            self.nodes.append((node.get("name", ""), parent, key, rest))
        self.animations = {animation["name"]: {
            (channel["target"]["node"], channel["target"]["path"]):
            [self._accessor(animation["samplers"][channel["sampler"]][part]) for part in ("input", "output")]
            for channel in animation["channels"]} for animation in self._document.get("animations", ())}

    def frames(self, clip, count, rate):
        """Yields the matrices of nodes at each frame of an animation that has keys wherever a value changes."""
        for frame in range(count):
            poses = {}
            for (key, path), (times, values) in self.animations[clip].items():
                poses.setdefault(key, {})[path] = values[max(bisect_right(times, (frame / rate,)) - 1, 0)]
            yield self.matrices(poses)

    def matrices(self, poses):
        """Returns the matrices of nodes relative to the scene, by name. poses: what differs from the file's pose."""
        result = []
        for _, parent, key, rest in self.nodes:
            pose = rest | poses.get(key, {})
            x, y, z, w = pose["rotation"]
            local = Matrix.LocRotScale(Vector(pose["translation"]), Quaternion((w, x, y, z)), Vector(pose["scale"]))
            result.append(local if parent is None else result[parent] @ local)
        return {name: matrix for (name, *_), matrix in zip(self.nodes, result)}

    def _accessor(self, number):
        accessor = self._document["accessors"][number]
        view = self._document["bufferViews"][accessor["bufferView"]]
        row = struct.Struct(f"<{_WIDTHS[accessor['type']]}f")
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        return [row.unpack_from(self._binary, start + row.size * index) for index in range(accessor["count"])]
