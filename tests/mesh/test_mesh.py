"""`ossicle mesh`: vertices lie where the source has them, and follow the joints that it names."""
from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import U8, U16, GltfBuilder, turn
from ossicle.bank.file import read_bank
from ossicle.base.problem import SettingProblem
from ossicle.export.played import skeleton_of
from ossicle.generate.mesh_code import COLOURS, MOST_VERTICES, make_mesh_plan
from ossicle.importers.importer import read_mesh
from ossicle.model.mesh.mesh import SHOWN, Mesh, framed
from pages import ROOT
from rescaled import rescale
from running import run_inside
from mentions import mention_each, mentioning, mentions

HERO = ROOT / "codegen/demo/hero.glb"
CORNERS = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.1, 0.1, 0.0]]
TRIANGLES = [0, 1, 2, 2, 1, 3]
HALF_STEP = 2.0**-15  # metres


def character(**changes: Any) -> GltfBuilder:
    """A Leg below Hips with two triangles between them, and a Shoe of its own mesh that hangs on the leg.
    changes: attributes of the first primitive to add or, if None, to leave out."""
    g = GltfBuilder()
    g.node("Hips", translation=[0, 1, 0], children=[1])
    g.node("Leg", translation=[0, -0.5, 0], rotation=turn("x", 90), children=[3])
    g.node("body", mesh=0, skin=0)
    g.node("Shoe", translation=[0, 0, 0.25], scale=[2, 2, 2], mesh=1)
    inverse = np.linalg.inv([[[1, 0, 0, 0], [0, 1, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]],
                             [[1, 0, 0, 0], [0, 0, -1, 0.5], [0, 1, 0, 0], [0, 0, 0, 1]]])
    g.skin([0, 1], inverse)
    attributes = {"POSITION": g.accessor(CORNERS), "JOINTS_0": g.accessor([[0, 1, 0, 0]] * 4, U8),
                  "WEIGHTS_0": g.accessor([[1, 0, 0, 0], [0.75, 0.25, 0, 0], [0, 1, 0, 0], [0.2, 0.8, 0, 0]])}
    attributes = {name: value for name, value in (attributes | changes).items() if value is not None}
    indices = g.accessor(TRIANGLES, U16)
    material = g._add("materials", {"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}})
    g._add("meshes", {"primitives": [{"attributes": attributes, "indices": indices, "material": material}]})
    g._add("meshes", {"primitives": [{"attributes": {"POSITION": g.accessor(CORNERS[:3])}}]})
    g.animation("Walk", (1, "rotation", [0, 1], [turn("x", 90), turn("x", 60)], "LINEAR"))
    return g


def encoded(folder: Path, builder: GltfBuilder, *options: str) -> tuple[Path, Path]:
    source, bank = builder.write_glb(folder), folder / "hero.ossb"
    assert run_inside("encode", source, "-o", bank, "--skin-matrices", "--quiet", *options).status == 0
    return source, bank


def mesh_of(source: Path, bank: Path) -> Any:
    return read_mesh(source, skeleton_of(read_bank(bank)))


def test_vertices_and_joints(tmp_path: Path) -> None:
    mesh, warnings = mesh_of(*encoded(tmp_path, character()))
    assert warnings == []
    assert np.allclose(mesh.positions[:4], CORNERS)
    assert mesh.joints[:4, :2].tolist() == [[0, 0], [0, 1], [1, 1], [1, 0]]
    assert np.allclose(mesh.weights[:4, :2], [[1, 0], [0.75, 0.25], [1, 0], [0.8, 0.2]])
    # the shoe: 0.25 m along the leg's z, which points down, twice as large
    assert np.allclose(mesh.positions[4:], [[0, 0.25, 0], [0.2, 0.25, 0], [0, 0.25, 0.2]], atol=1e-5)
    assert mesh.joints[4:, 0].tolist() == [1, 1, 1]
    assert mesh.triangles.tolist() == [[0, 1, 2], [2, 1, 3], [4, 5, 6]]
    assert mesh.palette[mesh.colours].tolist() == [[1, 0, 0], [1, 0, 0], [1, 1, 1]]
    assert np.allclose(mesh.normals[:4], [0, 0, 1]) and np.allclose(mesh.normals[4:], [0, -1, 0], atol=1e-5)


@pytest.mark.parametrize("units", [
    {"at": {"Hips": 0.01, "Shoe": 100.0}}, {"at": {"Hips": 100.0, "Leg": 0.1, "Shoe": 0.1}},
    {"above": {"Hips": 100.0}, "at": {"Shoe": 0.01}}, {"above": {"Leg": 0.01}, "at": {"Hips": 10.0, "Shoe": 10.0}}])
def test_a_rig_in_other_units_has_the_same_mesh(units: dict[str, dict[str, float]], tmp_path: Path) -> None:
    plain, _ = mesh_of(*encoded(tmp_path, character()))
    source = rescale(tmp_path / "hero.glb", tmp_path / "scaled.gltf", **units)
    assert run_inside("encode", source, "-o", tmp_path / "s.ossb", "--skin-matrices", "--quiet").status == 0
    mesh, _ = mesh_of(source, tmp_path / "s.ossb")
    assert np.allclose(mesh.positions, plain.positions, atol=1e-5) and np.allclose(mesh.normals, plain.normals,
                                                                                   atol=1e-5)


def test_a_joint_that_the_bank_lacks_is_the_one_above(tmp_path: Path) -> None:
    mesh, warnings = mesh_of(*encoded(tmp_path, character(), "--drop", "Leg"))
    assert mention_each(warnings, ["1 2 Leg"])
    assert not mesh.joints.any() and mesh.weights[:, 0].tolist() == [1.0] * 7
    assert np.allclose(mesh.positions[4], [0, 0.25, 0], atol=1e-5)


def test_the_c_has_the_geometry_of_the_source(tmp_path: Path) -> None:
    source, bank = encoded(tmp_path, character())
    plan = make_mesh_plan(mesh_of(source, bank)[0], "hero", "hero.glb")
    assert plan.bits == 14 and [(run.joint, run.count) for run in plan.runs] == [(0, 1), (1, 4)]
    assert plan.blends == [([0, 1, 0, 0], [192, 64, 0, 0]), ([1, 0, 1, 1], [205, 51, 0, 0])]
    placed = np.array(plan.positions) / 2**plan.bits
    corners = [placed[face[0]] for face in plan.faces]
    assert np.allclose(corners[0], CORNERS[:3], atol=HALF_STEP)
    assert np.allclose(corners[1], [CORNERS[2], CORNERS[1], CORNERS[3]], atol=HALF_STEP)
    assert [face[1] for face in plan.faces] == [[0, 0, 127], [0, 0, 127], [0, -127, 0]]
    light = np.linspace(0.35, 1.0, 16)
    shades = np.rint(31 * (1.055 * light ** (1 / 2.4) - 0.055)).astype(int)
    assert plan.ramps == [(shades * channels).tolist() for channels in (1, 1 | 1 << 5 | 1 << 10)]  # red, white
    ran = run_inside("mesh", source, "--bank", bank, "-o", tmp_path / "made")
    assert (ran.status, ran.err) == (0, "")
    assert mention_each(ran.out.splitlines(), [tmp_path / f"made/hero_mesh{suffix}" for suffix in (".h", ".c")])
    text = (tmp_path / "made/hero_mesh.c").read_text(encoding="utf-8")
    assert "{192, 64, 0, 0}" in text and "const stage_mesh hero_mesh = {" in text


def test_the_demo_character_keeps_every_triangle(tmp_path: Path) -> None:
    bank = tmp_path / "hero.ossb"
    assert run_inside("encode", HERO, "-o", bank, "--skin-matrices", "--quiet", "--clips", "Idle").status == 0
    mesh, _ = mesh_of(HERO, bank)
    plan = make_mesh_plan(mesh, "hero", HERO.name)
    assert len(mesh.positions) == 2 * 1233 and len(plan.faces) == 647 and len(plan.ramps) == 2
    whole = np.array(plan.positions)[[corner for face in plan.faces for corner in face[0]]] / 2**plan.bits
    assert np.abs(whole - mesh.positions[mesh.triangles.reshape(-1)]).max() <= HALF_STEP
    assert all(sum(weights) == 256 and weights == sorted(weights, reverse=True) for _, weights in plan.blends)
    assert make_mesh_plan(mesh, "hero", HERO.name) == plan


def test_whole_weights_add_up() -> None:
    """Three thirds of 256 are 85 each; one is left over, and the first joint takes it."""
    thirds = Mesh(np.array(CORNERS), np.ones((4, 3)), np.tile([2, 1, 0, 0], (4, 1)),
                  np.tile([1 / 3, 1 / 3, 1 / 3, 0], (4, 1)),
                  np.array(TRIANGLES).reshape(2, 3), np.zeros(2, np.int64), np.ones((1, 3)), np.zeros((1, 3)))
    plan = make_mesh_plan(thirds, "hero", "hero.glb")
    assert plan.blends == [([2, 1, 0, 2], [86, 85, 85, 0])] * 4


def test_a_texture_gives_each_triangle_its_colour(tmp_path: Path) -> None:
    from PIL import Image

    g = character()
    picture = io.BytesIO()
    pixels = Image.new("RGB", (2, 1))
    pixels.putpixel((0, 0), (255, 0, 0))
    pixels.putpixel((1, 0), (0, 0, 255))
    pixels.save(picture, "PNG")
    g._add("images", {"bufferView": g.view(picture.getvalue()), "mimeType": "image/png"})
    g._add("textures", {"source": 0})
    g.document["materials"][0]["pbrMetallicRoughness"] = {"baseColorTexture": {"index": 0}}
    places = g.raw_accessor(bufferView=g.view(np.array(
        [[0.1, 0], [0.2, 0], [0.3, 0], [1.9, 0]], "<f4").tobytes()), componentType=5126, type="VEC2", count=4)
    g.document["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = places
    mesh, _ = mesh_of(*encoded(tmp_path, g))
    assert mesh.palette[mesh.colours].tolist() == [[1, 0, 0], [0, 0, 1], [1, 1, 1]]


def test_many_colours_become_few(tmp_path: Path) -> None:
    mesh, _ = mesh_of(*encoded(tmp_path, character()))
    many = np.random.default_rng(1).uniform(size=(200, 3))
    wide = replace(mesh, palette=many, glow=np.zeros_like(many), colours=np.arange(200),
                   triangles=np.tile(mesh.triangles[:1], (200, 1)))
    plan = make_mesh_plan(wide, "hero", "x")
    assert len(plan.ramps) == COLOURS and {face[3] for face in plan.faces} == set(range(1, COLOURS + 1))


def test_names_that_c_cannot_hold_are_errors(tmp_path: Path) -> None:
    """Joints have eight bits, and counts sixteen."""
    mesh, _ = mesh_of(*encoded(tmp_path, character()))
    with pytest.raises(SettingProblem, match=mentioning("256")):
        make_mesh_plan(replace(mesh, joints=mesh.joints + 255), "hero", "x")
    assert make_mesh_plan(replace(mesh, joints=mesh.joints + 254), "hero", "x").runs[-1].joint == 255
    count = MOST_VERTICES // 3 + 1
    corners = np.arange(3 * count)
    spread = np.stack([corners % 256, corners // 256, 7 * corners % 3], axis=1) / 1024.0
    many = Mesh(spread, np.ones((3 * count, 3)), np.zeros((3 * count, 4), np.int64),
                np.tile([1.0, 0, 0, 0], (3 * count, 1)),
                corners.reshape(-1, 3), np.zeros(count, np.int64), np.ones((1, 3)), np.zeros((1, 3)))
    with pytest.raises(SettingProblem, match=mentioning("65536")):
        make_mesh_plan(replace(many, **{name: getattr(many, name)[:MOST_VERTICES] for name in (
            "positions", "normals", "joints", "weights")}, triangles=many.triangles[:-1], colours=many.colours[:-1]),
                       "hero", "x")


def without(name: str) -> GltfBuilder:
    return character(**{name: None})


def broken(edit: Any) -> GltfBuilder:
    g = character()
    edit(g.document["meshes"][0]["primitives"][0], g)
    return g


@pytest.mark.parametrize(("builder", "facts"), [
    (lambda: without("JOINTS_0"), "0 4"),
    (lambda: broken(lambda primitive, g: primitive.update(indices=g.accessor([0, 1, 4], U16))),
     "0 3 4"),
    (lambda: broken(lambda primitive, g: primitive.update(indices=g.accessor([0, 1], U16))), "2"),
    (lambda: broken(lambda primitive, g: primitive["attributes"].update(JOINTS_0=g.accessor([[7, 0, 0, 0]] * 4, U8))),
     "0 7 2"),
    (lambda: broken(lambda primitive, g: primitive["attributes"].update(NORMAL=g.accessor([[0, 0, 1]] * 3))),
     "0 4 3"),
])
def test_mistakes_are_named(tmp_path: Path, builder: Any, facts: str) -> None:
    _, bank = encoded(tmp_path, character())
    source = builder().write_glb(tmp_path, "other.glb")
    ran = run_inside("mesh", source, "--bank", bank, "-o", tmp_path / "made")
    assert ran.status == 1 and mentions(ran.line, facts) and mentions(ran.line, "other.glb")
    assert not (tmp_path / "made").exists()


def test_what_a_mesh_needs(tmp_path: Path) -> None:
    source = character().write_glb(tmp_path)
    assert run_inside("encode", source, "-o", tmp_path / "bare.ossb", "--quiet").status == 0
    assert mentions(run_inside(
        "mesh", source, "--bank", tmp_path / "bare.ossb", "-o", tmp_path / "made").line, "bare.ossb --skin-matrices")
    _, bank = encoded(tmp_path, character())
    (tmp_path / "walk.bvh").write_text("HIERARCHY\n", encoding="utf-8")
    assert mentions(run_inside("mesh", tmp_path / "walk.bvh", "--bank", bank, "-o", tmp_path / "made").line, ".bvh")
    g = GltfBuilder()
    g.node("Other", mesh=0)
    g._add("meshes", {"primitives": [{"attributes": {"POSITION": g.accessor(CORNERS[:3])}}]})
    assert mentions(run_inside(
        "mesh", g.write_glb(tmp_path, "other.glb"), "--bank", bank, "-o", tmp_path / "made").line, "other.glb")
    lines = character()
    for mesh in lines.document["meshes"]:
        for primitive in mesh["primitives"]:
            primitive["mode"] = 1
    source = lines.write_glb(tmp_path, "lines.glb")
    ran = run_inside("mesh", source, "--bank", bank, "-o", tmp_path / "made")
    assert ran.status == 1 and mentions(ran.line, "lines.glb 0")
    g = GltfBuilder()
    g.node("Other")
    assert mentions(run_inside(
        "mesh", g.write_glb(tmp_path, "bare.glb"), "--bank", bank, "-o", tmp_path / "made").line, "bare.glb")


def test_the_camera_frames_clips_that_leave_the_bind_pose() -> None:
    """A character 1.8 m high stays as large as it is for a jump of 0.3 m, shrinks until it fits when it lies, and no
    further than to a third when it travels far."""
    corners = np.array([[-0.3, 0.0, -0.2], [0.3, 1.8, 0.2]])
    mesh = Mesh(corners, *(np.zeros((2, n)) for n in (3, 4, 4)), np.zeros((0, 3), int), *(np.zeros((0, 3)),) * 3)
    head, feet = [0.0, 1.7, 0.0], [0.0, 0.1, 0.0]
    assert framed(mesh, np.array([head, feet, [0.0, 2.0, 0.0]])).bounds is None
    lying = framed(mesh, np.array([head, feet, [1.8, 0.1, 0.0]]))
    assert lying.bounds is not None and lying.bounds[1, 0] * SHOWN == pytest.approx(1.8)
    assert np.array_equal(lying.bounds[:, 1:], corners[:, 1:])
    far = framed(replace(mesh, bounds=corners), np.array([head, [0.0, 0.0, -50.0]]))
    assert far.bounds is not None and np.allclose(far.bounds[:, 2], [-2.7, 0.2])
