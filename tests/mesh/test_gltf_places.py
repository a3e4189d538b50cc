"""The vertices of glTF files are where the file has them at all times of a clip, as another evaluator finds."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from boxes import (CORNERS, TIMES, TRIANGLES, add_box, add_skin, arm, attributes_of, below, ours, outwards, surfaces_of,
                   theirs)
from gltf_builder import U8, GltfBuilder, turn
from ossicle.generate.mesh_code import make_mesh_plan
from ossicle.importers.importer import read_clips, read_mesh, read_surfaces
from ossicle.model.import_options import ImportOptions
from ossicle.model.curves.curve import with_curves
from mentions import mention_each, mentions

OFF_M = 1e-5


def check(path: Path, nodes: list[int], options: ImportOptions = ImportOptions(), warned: tuple[str, ...] = ()) -> Any:
    """Compares the surfaces with these nodes of the file, and their sides with those of boxes. Returns the surfaces."""
    surfaces, imported, warnings = surfaces_of(path, options)
    assert len(surfaces) == len(nodes)
    assert mention_each(warnings, warned)
    for surface, node in zip(surfaces, nodes):
        places = ours(surface, imported)
        assert np.abs(places - theirs(path, node, imported)).max() <= OFF_M
        assert outwards(places[0], surface.triangles).all()
    return surfaces


@pytest.mark.parametrize(("armature", "upper", "metre"), [
    ({}, {}, 1.0), ({"scale": [100, 100, 100]}, {}, 0.01),
    ({"scale": [0.01] * 3, "rotation": turn("x", -90)}, {}, 100.0),
    ({"scale": [50, 50, 50]}, {"scale": [0.02] * 3}, 0.02),
    ({"matrix": [0, 0, -8, 0, 0, 8, 0, 0, 8, 0, 0, 0, 1, 2, 3, 1]}, {}, 1 / 8),
    ({}, {"scale": [0.01, 0.01, 0.01]}, 1.0)])
def test_rigid_and_skinned_meshes_below_scaled_nodes(tmp_path: Path, armature: dict[str, Any], upper: dict[str, Any],
                                                     metre: float) -> None:
    """Every scale above a mesh counts, also that of nodes that were folded away."""
    g = arm(armature, upper, metre)
    skin = add_skin(g, tmp_path, [1, 2])
    box, skinned = add_box(g), add_box(g, 0)
    unit = metre / (upper.get("scale", [1.0])[0])
    held = below(g, 2, g.node("Held", mesh=box, translation=[0, 0.1 * unit, 0], rotation=turn("y", 30),
                              scale=[unit, unit, 2 * unit]))
    grip = below(g, 1, g.node("Grip", scale=[unit] * 3))
    deep = below(g, grip, g.node("Deep", mesh=box, translation=[0.3, 0, 0]))
    body = g.node("Body", mesh=skinned, skin=skin, translation=[9, 9, 9])  # which counts for nothing
    check(g.write_glb(tmp_path), [held, deep, body])


def test_joints_with_other_axes(tmp_path: Path) -> None:
    g = arm({"scale": [50, 50, 50]}, {"scale": [0.02] * 3}, 0.02)
    skin = add_skin(g, tmp_path, [1, 2])
    box, skinned = add_box(g), add_box(g, 0)
    held = below(g, 2, g.node("Held", mesh=box, rotation=turn("y", 30), scale=[0.02, 0.02, 0.04]))
    body = g.node("Body", mesh=skinned, skin=skin)
    check(g.write_glb(tmp_path), [held, body], ImportOptions(axes="model"))


def test_ancestors_that_were_dropped_do_not_count(tmp_path: Path) -> None:
    files = []
    for armature in ({"scale": [-100, 100, 100], "translation": [5, 0, 0]}, {}):
        g = arm(armature)
        g.skin([1, 2])
        held = below(g, 2, g.node("Held", mesh=add_box(g)))
        files.append(g.write_glb(tmp_path, f"arm{len(files)}.glb"))
    dropped, path = files
    surfaces, imported, warnings = surfaces_of(dropped, ImportOptions(ancestors="drop"))
    places = ours(surfaces[0], imported)
    assert warnings == [] and np.abs(places - theirs(path, held, imported)).max() <= OFF_M
    assert outwards(places[0], surfaces[0].triangles).all()


def test_other_options_than_those_of_the_bank_are_warned_of(tmp_path: Path) -> None:
    g = arm({"scale": [100, 100, 100]}, {}, 0.01)
    g.skin([1, 2])
    below(g, 2, g.node("Held", mesh=add_box(g)))
    path = g.write_glb(tmp_path)
    skeleton = read_clips([path], ImportOptions(ancestors="drop")).skeleton
    (warning,) = read_surfaces(path, skeleton)[2]
    assert mentions(warning, "0.5m") and mentions(warning, "0.005m") and "--ancestors" in warning


@pytest.mark.parametrize("skinned", [False, True])
def test_a_mesh_with_the_name_of_a_joint_follows_its_own_parent(tmp_path: Path, skinned: bool) -> None:
    g = arm()
    box = add_box(g)
    if skinned:
        body = g.node("Body", mesh=add_box(g, 0), skin=add_skin(g, tmp_path, [1, 2]))
    same = below(g, 1, g.node("Lower", mesh=box, translation=[0.4, 0, 0]))
    g.document["nodes"][1]["children"].reverse()  # before the joint
    check(g.write_glb(tmp_path), [body, same] if skinned else [same])


@pytest.mark.parametrize(("armature", "held"), [({}, [-1, 1, 1]), ({}, [-1, -1, 1]), ({}, [-2, -1, -1])])
def test_negative_scales_keep_the_outside(tmp_path: Path, armature: dict[str, Any], held: list[float]) -> None:
    """An odd number of them turns the corners of triangles."""
    g = arm(armature)
    box = add_box(g)
    node = below(g, 2, g.node("Held", mesh=box, scale=held))
    twin = below(g, 1, g.node("Twin", children=[len(g.document["nodes"]) + 1], scale=[1, -1, 1]))
    deep = below(g, twin, g.node("Deep", mesh=box, scale=held))
    g.document["nodes"][twin]["children"] = [deep]
    surfaces = check(g.write_glb(tmp_path), [node, deep])
    normals = surfaces[0].normals[surfaces[0].triangles[:, 0]]
    assert np.isfinite(normals).all()


def test_flat_meshes_are_drawn(tmp_path: Path) -> None:
    g = arm()
    shadow = below(g, 2, g.node("Shadow", mesh=add_box(g), scale=[1, 0, 1]))
    path = g.write_glb(tmp_path)
    surfaces, imported, _ = surfaces_of(path)
    assert np.abs(ours(surfaces[0], imported) - theirs(path, shadow, imported)).max() <= OFF_M


@pytest.mark.parametrize(("rest", "facts"), [(0.4, "30"), (0.01, None)])
def test_influences_that_are_left_out_are_warned_of(tmp_path: Path, rest: float, facts: str | None) -> None:
    """The fifth and the sixth joint have this part of each vertex. The four largest weights are kept."""
    g = GltfBuilder()
    for joint in range(6):
        g.node(f"Joint{joint}", translation=[0, 0.1, 0], **({"children": [joint + 1]} if joint < 5 else {}))
    g.animation("Bend", *((joint, "rotation", TIMES, [turn("z", 0), turn("z", 9), turn("x", 9)], "LINEAR")
                          for joint in range(6)))
    every = np.ones((len(CORNERS), 1))
    weights = np.array([(1 - rest) / 4] * 4), np.array([rest / 2, rest / 2, 0, 0])
    attributes = {f"WEIGHTS_{number}": g.accessor(every * of) for number, of in enumerate(weights)}
    attributes |= {f"JOINTS_{number}": g.accessor(every * of, U8)
                   for number, of in enumerate(([0, 1, 2, 3], [4, 5, 0, 0]))}
    g.node("Body", mesh=add_box(g, **attributes), skin=add_skin(g, tmp_path, list(range(6))))
    (surface,), _, warnings = surfaces_of(g.write_glb(tmp_path))
    shares = sorted([*weights[0], *weights[1]], reverse=True)[:4]
    assert np.allclose(surface.weights, np.array(shares) / sum(shares))
    assert mention_each(warnings, [f"Body {len(CORNERS)} {facts}"] if facts else [])


def test_skins_with_other_inverse_bind_matrices(tmp_path: Path) -> None:
    """The second skin has the transform of its object in its matrices, as exporters write them."""
    g = arm()
    matrix = np.array([[0, 0, 2, 0.5], [0, 2, 0, 0], [-2, 0, 0, 0], [0, 0, 0, 1]])
    skins = [add_skin(g, tmp_path, [1, 2]), add_skin(g, tmp_path, [2, 1], matrix)]
    nodes = [g.node(f"Body{skin}", mesh=add_box(g, 0), skin=skin) for skin in skins]
    path = g.write_glb(tmp_path)
    check(path, nodes)


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_bounds_are_those_of_the_bind_pose(tmp_path: Path, scale: float) -> None:
    """The mesh of a skin may be in centimetres, which its matrices make up for."""
    g = arm()
    skin = add_skin(g, tmp_path, [1, 2], np.diag([scale, scale, scale, 1.0]))
    attributes = attributes_of(g, 0, POSITION=g.accessor(CORNERS / scale))
    g._add("meshes", {"primitives": [{"attributes": attributes, "indices": g.accessor(TRIANGLES.reshape(-1), 5123)}]})
    g.node("Body", mesh=0, skin=skin)
    path = g.write_glb(tmp_path)
    plan = make_mesh_plan(read_mesh(path, read_clips([path]).skeleton)[0], "hero", "hero.glb")
    bounds = np.array([plan.low, plan.high]) / 2**plan.bits
    assert np.abs(bounds - [CORNERS.min(axis=0), CORNERS.max(axis=0)]).max() <= 2.0**-plan.bits


def test_matrices_that_cannot_be_made_up_for_are_warned_of(tmp_path: Path) -> None:
    """The second skin was bound in another pose: right at rest, and elsewhere as far off as the warning says."""
    g = arm()
    skins = [add_skin(g, tmp_path, [1, 2])]
    g.document["nodes"][2]["rotation"] = turn("x", 40)
    skins.append(add_skin(g, tmp_path, [1, 2]))
    g.document["nodes"][2]["rotation"] = turn("x", 10)
    nodes = [g.node(f"Body{skin}", mesh=add_box(g, 0), skin=skin) for skin in skins]
    path = g.write_glb(tmp_path)
    surfaces, imported, warnings = surfaces_of(path)
    assert len(warnings) == 1 and mentions(warnings[0], "mm")
    off = np.abs(ours(surfaces[1], imported) - theirs(path, nodes[1], imported)).max(axis=(1, 2))
    assert off[0] <= OFF_M < off.max()


def test_joints_that_were_left_out_stay_at_rest(tmp_path: Path) -> None:
    g = arm()
    g.document["animations"][0]["channels"] = g.document["animations"][0]["channels"][:1]
    held = below(g, 2, g.node("Held", mesh=add_box(g), translation=[0, 0.1, 0]))
    body = g.node("Body", mesh=add_box(g, 0), skin=add_skin(g, tmp_path, [1, 2]))
    check(g.write_glb(tmp_path), [held, body], ImportOptions(drop=("Lower",)), ("1 2",))


def test_only_the_scene_is_drawn(tmp_path: Path) -> None:
    g = arm()
    held = below(g, 2, g.node("Held", mesh=add_box(g)))
    g.node("Widget", mesh=add_box(g))
    g.document["scenes"] = [{"nodes": [4]}, {"nodes": [0]}]
    g.document["scene"] = 1
    check(g.write_glb(tmp_path), [held])


def test_components_that_no_joint_moves_are_left_out(tmp_path: Path) -> None:
    g = arm()
    held = below(g, 2, g.node("Held", mesh=add_box(g)))
    g.node("Floor", mesh=add_box(g))
    check(g.write_glb(tmp_path), [held], warned=("Floor",))


def test_the_mesh_of_another_character_is_left_out(tmp_path: Path) -> None:
    g = arm()
    other = g.node("Other")
    skins = [add_skin(g, tmp_path, [1, 2]),
             g.skin([other, g.node("OtherTip")], np.repeat(np.eye(4)[None], 2, 0), "other")]
    body, _ = [g.node(f"Body{skin}", mesh=add_box(g, 0), skin=skin) for skin in skins]
    check(g.write_glb(tmp_path), [body], ImportOptions(skin=0), ("Body1",))


def test_copies_are_warned_of(tmp_path: Path) -> None:
    g = arm()
    held = below(g, 2, g.node("Held", mesh=add_box(g), extensions={"EXT_mesh_gpu_instancing": {"attributes": {}}}))
    check(g.write_glb(tmp_path), [held], warned=("Held",))


def test_strips_and_fans_are_triangles(tmp_path: Path) -> None:
    """The corners of a box as a strip and as two fans, against its triangles."""
    g = arm()
    box = add_box(g)
    attributes = attributes_of(g)
    strip = [0, 1, 2, 3, 7, 1, 5, 0, 4, 2, 6, 7, 4, 5]
    fans = [[0, 1, 3, 2, 6, 4, 5, 1], [7, 3, 1, 5, 4, 6, 2, 3]]
    g.document["meshes"][box]["primitives"] += [
        {"attributes": attributes, "mode": mode, "indices": g.accessor(corners, 5123)}
        for mode, corners in ((5, strip), (6, fans[0]), (6, fans[1]))]
    held = below(g, 2, g.node("Held", mesh=box))
    path = g.write_glb(tmp_path)
    surfaces, imported, warnings = surfaces_of(path)
    assert warnings == [] and [len(surface.triangles) for surface in surfaces] == [12, 12, 6, 6]

    def covered(*some: Any) -> list[tuple[float, ...]]:
        """The area and the normal of each side."""
        sides: dict[tuple[int, ...], float] = {}
        for surface in some:
            corners = CORNERS[surface.triangles]
            for area in np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]):
                key = tuple(np.rint(area / np.linalg.norm(area)).astype(int).tolist())
                sides[key] = sides.get(key, 0.0) + float(np.linalg.norm(area))
        return sorted((*key, round(area, 6)) for key, area in sides.items())

    assert all(outwards(CORNERS, surface.triangles).all() for surface in surfaces)
    assert covered(surfaces[1]) == covered(surfaces[2], surfaces[3]) == covered(surfaces[0])
    assert np.abs(ours(surfaces[1], imported) - theirs(path, held, imported, 1)).max() <= OFF_M


def test_primitives_that_are_not_drawn_are_left_out_with_a_warning(tmp_path: Path) -> None:
    g = arm()
    box = add_box(g)
    primitive = g.document["meshes"][box]["primitives"][0]
    g.document["meshes"][box]["primitives"] += [
        primitive | {"mode": mode} for mode in range(4)] + [
        primitive | {"extensions": {"KHR_draco_mesh_compression": {}}}, {"attributes": {"NORMAL": 0}}]
    held = below(g, 2, g.node("Held", mesh=box))
    check(g.write_glb(tmp_path), [held], warned=("1", "2", "3", "4", "5", "6"))


def test_quantised_positions(tmp_path: Path) -> None:
    """KHR_mesh_quantization: whole numbers, which a node scales."""
    g = arm()
    steps = np.rint(CORNERS * 1000.0).astype(int)
    box = add_box(g, POSITION=g.accessor(steps, 5122),
                  NORMAL=g.accessor(np.sign(steps + 0.5) * 73, 5120, normalized=True))
    held = below(g, 2, g.node("Held", mesh=box, scale=[0.001] * 3))
    (surface,) = check(g.write_glb(tmp_path), [held])
    assert not surface.flat and surface.triangles.tolist() == TRIANGLES.tolist()


def test_morph_targets(tmp_path: Path) -> None:
    """A target that a curve moves is kept apart; others are as they are at rest."""
    g = arm()
    offsets = [CORNERS * (factor, 0.0, 0.0) for factor in (1.0, 2.0, 4.0)]
    box = add_box(g)
    mesh = g.document["meshes"][box]
    mesh["primitives"][0]["targets"] = [{"POSITION": g.accessor(offset)} for offset in offsets]
    mesh |= {"weights": [0.5, 0.25, 0.0], "extras": {"targetNames": ["wide", "fixed", "unused"]}}
    held = below(g, 2, g.node("Held", mesh=box, scale=[2, 2, 2]))
    g.animation("Face", (held, "weights", [0.0, 1.0], [[0.0], [0.25], [0.0], [1.0], [0.25], [0.0]], "LINEAR"))
    path = g.write_glb(tmp_path)
    imported = read_clips([path])
    bank = with_curves(imported.skeleton, {"wide": 0.5})
    ((surface,), _, _) = read_surfaces(path, bank)
    turned = np.linalg.lstsq(CORNERS, surface.morphs[0].offsets, rcond=None)[0]
    assert [(morph.curve, morph.weight) for morph in surface.morphs] == [("wide", 0.5)]
    assert np.allclose(np.linalg.svd(turned)[1], [2.0, 0.0, 0.0], atol=1e-6)  # twice as wide along one axis
    ((fixed,), _, _) = read_surfaces(path, imported.skeleton)  # a bank without the curve
    assert fixed.morphs == () and np.allclose(surface.positions + 0.5 * surface.morphs[0].offsets, fixed.positions)
    assert np.allclose(read_mesh(path, bank)[0].positions, fixed.positions)


def test_a_file_without_meshes_has_no_surfaces(tmp_path: Path) -> None:
    surfaces, _, warnings = surfaces_of(arm().write_glb(tmp_path))
    assert surfaces == [] and warnings == []


@pytest.mark.parametrize("armature", [{"scale": [-1, 1, 1]}, {"scale": [-0.5] * 3}, {"scale": [1, 2, 0.5]},
                                      {"scale": [1, -2, 1], "rotation": turn("x", 40)}])
def test_mirrored_and_stretched_armatures(tmp_path: Path, armature: dict[str, Any]) -> None:
    g = arm(armature)
    skin = add_skin(g, tmp_path, [1, 2])
    held = below(g, 2, g.node("Held", mesh=add_box(g)))
    body = below(g, 0, g.node("Body", mesh=add_box(g, 0), skin=skin))
    surfaces, imported, _ = surfaces_of(g.write_glb(tmp_path))
    for surface, node in zip(surfaces, (held, body), strict=True):
        assert np.abs(ours(surface, imported) - theirs(tmp_path / "hero.glb", node, imported)).max() <= OFF_M


@pytest.mark.parametrize("still", [(), (1,), (2,)])
@pytest.mark.parametrize("skinned", [True, False])
def test_meshes_of_joints_of_equal_names(tmp_path: Path, skinned: bool, still: tuple[int, ...]) -> None:
    """Also where the clip moves only one of them. still: joints that it does not move."""
    g = arm()
    for node in g.document["nodes"]:
        node["name"] = "Bone"
    channels = g.document["animations"][0]["channels"]
    channels[:] = [channel for channel in channels if channel["target"]["node"] not in still]
    meshes = [below(g, 1, g.node("Worn", mesh=add_box(g))), below(g, 2, g.node("Held", mesh=add_box(g)))]
    if skinned:
        meshes.append(g.node("Body", mesh=add_box(g, 0), skin=add_skin(g, tmp_path, [1, 2])))
    path = g.write_glb(tmp_path)
    surfaces, imported, warnings = surfaces_of(path)
    assert warnings == [] and imported.skeleton.names[:2] == ("Bone", "Bone.001")
    for surface, node in zip(surfaces, meshes, strict=True):
        assert np.abs(ours(surface, imported) - theirs(path, node, imported)).max() <= OFF_M


def test_meshes_of_two_skins(tmp_path: Path) -> None:
    """And of a joint that no skin lists."""
    g = arm()
    hand = below(g, 2, g.node("Hand", translation=[0, 0.4, 0]))
    finger = below(g, hand, g.node("Finger", translation=[0, 0.2, 0]))
    g.channel(0, hand, "rotation", g.accessor([0, 1]), g.accessor([turn("z", 0), turn("z", 60)]), "LINEAR")
    bodies = [g.node(f"Body{joints}", mesh=add_box(g, 0), skin=add_skin(g, tmp_path, joints))
              for joints in ([1, 2], [2, finger])]
    assert set(check(g.write_glb(tmp_path), bodies)[1].joints.ravel()) == {1, 3}
