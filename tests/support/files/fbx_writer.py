"""Writes small .fbx files (7.4, text)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

TICKS = 46186158000  # a second
VECTORS = {"T": "Lcl Translation", "R": "Lcl Rotation", "S": "Lcl Scaling"}
WEIGHT = "DeformPercent"

# of a curve: (seconds, value)
Keys = Sequence[tuple[float, float]]
# of a clip: keys by joint, "T", "R" or "S", and "X", "Y" or "Z"; or by blend shape and two times WEIGHT, per cent
Curves = Mapping[tuple[str, str, str], Keys]


@dataclass(frozen=True)
class FbxJoint:
    """A joint. properties: vectors such as PreRotation, in degrees, and Lcl Translation."""

    name: str
    parent: str = ""
    properties: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    order: int = 0  # of the rotations: 0 is XYZ
    inherit: int = 1


@dataclass(frozen=True)
class FbxMesh:
    """A skinned triangle per joint, of which the first vertex is at `points[joint]`. Each blend shape moves that of
    the first joint."""

    name: str
    points: Mapping[str, tuple[float, float, float]]
    bind: Mapping[str, Sequence[float]]  # inverse bind matrices, column by column
    properties: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    shapes: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)


def write_fbx(path: Path, joints: Sequence[FbxJoint], clips: Mapping[str, Curves], unit: float = 1.0,
              axes: tuple[tuple[int, int], ...] = ((1, 1), (2, 1), (0, 1)), meshes: Sequence[FbxMesh] = ()) -> None:
    """unit: in centimetres; axes: up, front, right, with signs."""
    objects: list[str] = []
    links: list[str] = []
    number = {joint.name: 1000 + index for index, joint in enumerate(joints)}
    for joint in joints:
        objects.append(_model(number[joint.name], joint.name, "LimbNode", joint.properties, joint.order, joint.inherit))
        links.append(f'C: "OO",{number[joint.name]},{number.get(joint.parent, 0)}')
    for index, mesh in enumerate(meshes):
        _add_mesh(mesh, 5000 + 100 * index, number, objects, links)
    free = 10000
    for name, curves in clips.items():
        stack, layer = free, free + 1
        free += 2
        ends = [time for keys in curves.values() for time, _ in keys]
        objects.append(f'AnimationStack: {stack}, "AnimStack::{name}", "" {{\n Properties70: {{\n'
                       f'  P: "LocalStart", "KTime", "Time", "",{round(min(ends) * TICKS)}\n'
                       f'  P: "LocalStop", "KTime", "Time", "",{round(max(ends) * TICKS)}\n }}\n}}')
        objects.append(f'AnimationLayer: {layer}, "AnimLayer::{name}", "" {{\n}}')
        links.append(f'C: "OO",{layer},{stack}')
        nodes: dict[tuple[str, str], int] = {}
        for (joint_name, kind, axis), keys in curves.items():
            if (joint_name, kind) not in nodes:
                nodes[joint_name, kind] = free
                objects.append(f'AnimationCurveNode: {free}, "AnimCurveNode::{kind}", "" {{\n}}')
                links += [f'C: "OO",{free},{layer}',
                          f'C: "OP",{free},{number[joint_name]}, "{VECTORS.get(kind, kind)}"']
                free += 1
            objects.append(f'AnimationCurve: {free}, "AnimCurve::", "" {{\n Default: 0\n KeyVer: 4008\n'
                           f' KeyTime: *{len(keys)} {{\n  a: {_list(round(time * TICKS) for time, _ in keys)}\n }}\n'
                           f' KeyValueFloat: *{len(keys)} {{\n  a: {_list(value for _, value in keys)}\n }}\n}}')
            links.append(f'C: "OP",{free},{nodes[joint_name, kind]}, "d|{axis}"')
            free += 1
    stated = "".join(f'  P: "{name}Axis", "int", "Integer", "",{axis}\n'
                     f'  P: "{name}AxisSign", "int", "Integer", "",{sign}\n'
                     for name, (axis, sign) in zip(("Up", "Front", "Coord"), axes))
    path.write_text(
        "; FBX 7.4.0 project file\nFBXHeaderExtension: {\n FBXHeaderVersion: 1003\n FBXVersion: 7400\n}\n"
        f'GlobalSettings: {{\n Version: 1000\n Properties70: {{\n{stated}'
        f'  P: "UnitScaleFactor", "double", "Number", "",{unit}\n }}\n}}\n'
        f"Objects: {{\n" + "\n".join(objects) + "\n}\nConnections: {\n" + "\n".join(links) + "\n}\n", encoding="utf-8")


def _list(values: object) -> str:
    return ",".join(f"{value:.9g}" if isinstance(value, float) else str(value) for value in values)  # type: ignore


def _model(number: int, name: str, kind: str, properties: Mapping[str, tuple[float, float, float]], order: int,
           inherit: int) -> str:
    vectors = "".join(f'  P: "{key}", "{key if key.startswith("Lcl") else "Vector3D"}", "", "A",{_list(value)}\n'
                      for key, value in properties.items())
    return (f'Model: {number}, "Model::{name}", "{kind}" {{\n Version: 232\n Properties70: {{\n'
            f'  P: "RotationActive", "bool", "", "",1\n  P: "RotationOrder", "enum", "", "",{order}\n'
            f'  P: "InheritType", "enum", "", "",{inherit}\n{vectors} }}\n}}')


def _add_mesh(mesh: FbxMesh, first: int, number: dict[str, int], objects: list[str], links: list[str]) -> None:
    points = [value for point in mesh.points.values() for corner in range(3)
              for value in (point[0] + 0.1 * (corner == 1), point[1] + 0.1 * (corner == 2), point[2])]
    triangles = [value for index in range(len(mesh.points)) for value in (3 * index, 3 * index + 1, -3 * index - 3)]
    objects += [
        _model(first, mesh.name, "Mesh", mesh.properties, 0, 1),
        f'Geometry: {first + 1}, "Geometry::{mesh.name}", "Mesh" {{\n Vertices: *{len(points)} {{\n  a: {_list(points)}'
        f'\n }}\n PolygonVertexIndex: *{len(triangles)} {{\n  a: {_list(triangles)}\n }}\n GeometryVersion: 124\n}}',
        f'Deformer: {first + 2}, "Deformer::", "Skin" {{\n Version: 101\n}}']
    links += [f'C: "OO",{first},0', f'C: "OO",{first + 1},{first}', f'C: "OO",{first + 2},{first + 1}']
    for index, joint in enumerate(mesh.points):
        objects.append(f'Deformer: {first + 3 + index}, "SubDeformer::", "Cluster" {{\n Version: 100\n'
                       f' Indexes: *3 {{\n  a: {_list(range(3 * index, 3 * index + 3))}\n }}\n'
                       f' Weights: *3 {{\n  a: 1,1,1\n }}\n Transform: *16 {{\n  a: {_list(mesh.bind[joint])}\n }}\n'
                       f' TransformLink: *16 {{\n  a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n }}\n}}')
        links += [f'C: "OO",{first + 3 + index},{first + 2}', f'C: "OO",{number[joint]},{first + 3 + index}']
    for index, (name, offset) in enumerate(mesh.shapes.items()):
        shape, channel, blend = (first + 40 + 3 * index + part for part in range(3))
        number[name] = channel
        objects += [
            f'Geometry: {shape}, "Geometry::{name}", "Shape" {{\n Version: 100\n Indexes: *1 {{\n  a: 0\n }}\n'
            f' Vertices: *3 {{\n  a: {_list(offset)}\n }}\n Normals: *3 {{\n  a: 0,0,0\n }}\n}}',
            f'Deformer: {channel}, "SubDeformer::{name}", "BlendShapeChannel" {{\n Version: 100\n DeformPercent: 0\n'
            f' FullWeights: *1 {{\n  a: 100\n }}\n}}',
            f'Deformer: {blend}, "Deformer::", "BlendShape" {{\n Version: 100\n}}']
        links += [f'C: "OO",{shape},{channel}', f'C: "OO",{channel},{blend}', f'C: "OO",{blend},{first + 1}']
