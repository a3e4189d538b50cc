"""Reads the nodes and the animations of a .glb file that Blender or `ossicle decode` has written."""
import json
import struct
from bisect import bisect_right

from mathutils import Matrix, Quaternion, Vector

_WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
_REST = {"translation": (0.0, 0.0, 0.0), "rotation": (0.0, 0.0, 0.0, 1.0), "scale": (1.0, 1.0, 1.0)}


class Glb:
    """The nodes of a file, parents first: names, indices of parents in this list, indices in the file, rest poses; and
    its animations: by node and property, times and values."""
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

    def rest(self):
        """Returns the matrices of nodes relative to the scene in the file's own pose, by name."""
        return self._matrices([rest for *_, rest in self.nodes])

    def frames(self, clip, count, rate):
        """Yields the matrices of nodes at each frame of an animation, which has keys at all frames at which a value
        changes."""
        places = {key: place for place, (_, _, key, _) in enumerate(self.nodes)}
        for frame in range(count):
            poses = [dict(rest) for *_, rest in self.nodes]
            for (key, path), (times, values) in self.animations[clip].items():
                poses[places[key]][path] = values[max(bisect_right(times, (frame / rate,)) - 1, 0)]
            yield self._matrices(poses)

    def _matrices(self, poses):
        result = []
        for (_, parent, _, _), pose in zip(self.nodes, poses):
            x, y, z, w = pose["rotation"]
            local = Matrix.LocRotScale(Vector(pose["translation"]), Quaternion((w, x, y, z)), Vector(pose["scale"]))
            result.append(local if parent is None else result[parent] @ local)
        return {name: matrix for (name, *_), matrix in zip(self.nodes, result)}

    def _accessor(self, number):
        accessor = self._document["accessors"][number]
        view = self._document["bufferViews"][accessor["bufferView"]]
        row = struct.Struct(f"<{_WIDTHS[accessor['type']]}f")
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        step = view.get("byteStride", row.size)
        return [row.unpack_from(self._binary, start + step * index) for index in range(accessor["count"])]
