"""Places of a glTF file's bytes: binary chunk, external file, data URI, odd accessors."""
from __future__ import annotations

import base64
import json
import os
from pathlib import Path

import numpy as np
import pytest
from gltf_builder import FLOAT, I8, I16, U8, U16, U32, GltfBuilder, simple, turn
from ossicle.importers.importer import files_of, read_clips
from ossicle.model.clip import ROTATION, TRANSLATION, Imported, ImportProblem
from mentions import mention_each, mentioning

HALF = np.sqrt(0.5)


def check_walk(imported: Imported) -> None:
    assert imported.skeleton.names == ("Hips", "Leg")
    assert imported.skeleton.parents.dtype == np.int32
    (clip,) = imported.clips
    assert (clip.name, clip.rate, clip.frames.shape) == ("Walk", 30.0, (31, 2, 10))
    np.testing.assert_allclose(clip.frames[-1, 1, ROTATION], [0, 0, HALF, HALF], atol=1e-7)
    np.testing.assert_allclose(clip.frames[:, 0, TRANSLATION], [[0, 1, 0]] * 31)


def test_glb(tmp_path: Path) -> None:
    imported = read_clips([simple().write_glb(tmp_path)])
    check_walk(imported)
    assert imported.clips[0].source == "hero.glb"
    assert imported.warnings == []


def test_base64_buffer(tmp_path: Path) -> None:
    check_walk(read_clips([simple().write_embedded(tmp_path)]))


def test_percent_encoded_data_uri(tmp_path: Path) -> None:
    g = simple()
    payload = "".join(f"%{byte:02X}" for byte in g.binary)
    path = tmp_path / "hero.gltf"
    path.write_bytes(g.json_bytes(uri="data:application/octet-stream," + payload))
    check_walk(read_clips([path]))


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("hero.bin", "hero.bin"),
        ("my hero.bin", "my%20hero.bin"),
        ("my hero.bin", "my hero.bin"),
        ("bücher.bin", "b%C3%BCcher.bin"),
        ("sub/hero.bin", "sub/hero.bin"),
    ],
)
def test_external_buffer(tmp_path: Path, file: str, uri: str) -> None:
    check_walk(read_clips([simple().write_external(tmp_path, file, uri)]))


def test_byte_order_mark_is_tolerated(tmp_path: Path) -> None:
    path = simple().write_embedded(tmp_path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    check_walk(read_clips([path]))


def test_suffix_case_and_binary_content_in_gltf(tmp_path: Path) -> None:
    check_walk(read_clips([simple().write_glb(tmp_path, "HERO.GLB")]))
    check_walk(read_clips([simple().write_glb(tmp_path, "hero.gltf")]))


def test_bytes_after_the_end_are_a_warning(tmp_path: Path) -> None:
    path = simple().write_glb(tmp_path)
    path.write_bytes(path.read_bytes() + b"junk")
    imported = read_clips([path])
    check_walk(imported)
    assert mention_each(imported.warnings, ["hero.glb 4"])


def test_version_as_a_number(tmp_path: Path) -> None:
    g = simple()
    g.document["asset"]["version"] = 2
    check_walk(read_clips([g.write_glb(tmp_path)]))


def test_unused_broken_parts_do_no_harm(tmp_path: Path) -> None:
    """A missing texture file or compressed mesh does not matter to the importer."""
    g = simple()
    g.document["buffers"] = [
        {
            "byteLength": len(g.binary),
            "uri": "data:;base64," + base64.b64encode(bytes(g.binary)).decode(),
        },
        {"byteLength": 100, "uri": "missing.bin"},
    ]
    g.document["bufferViews"].append({"buffer": 1, "byteLength": 9, "extensions": {"EXT_meshopt_compression": {}}})
    g.document["extensionsRequired"] = ["EXT_meshopt_compression", "KHR_draco_mesh_compression"]
    path = tmp_path / "hero.gltf"
    path.write_bytes(g.json_bytes())
    imported = read_clips([path])
    check_walk(imported)
    assert imported.warnings == []


def test_unknown_required_extension_is_a_warning(tmp_path: Path) -> None:
    g = simple()
    g.document["extensionsRequired"] = ["ACME_bones"]
    imported = read_clips([g.write_glb(tmp_path)])
    check_walk(imported)
    assert mention_each(imported.warnings, ["hero.glb ACME_bones"])


def with_rotation_accessor(values: object, **properties: object) -> GltfBuilder:
    g = GltfBuilder()
    g.node("Leg")
    index = g.accessor(values, **properties)
    g.animation("Walk")
    g.channel(0, 0, "rotation", g.accessor([0.0, 1.0]), index, "LINEAR")
    return g


@pytest.mark.parametrize(("component", "largest"), [(I8, 127), (U8, 255), (I16, 32767), (U16, 65535)])
def test_normalised_integers(tmp_path: Path, component: int, largest: int) -> None:
    g = with_rotation_accessor([[0, 0, 0, largest], [0, largest, 0, 0]], component=component, normalized=True)
    frames = read_clips([g.write_glb(tmp_path)]).clips[0].frames
    np.testing.assert_allclose(frames[0, 0, ROTATION], [0, 0, 0, 1], atol=1e-12)
    np.testing.assert_allclose(frames[-1, 0, ROTATION], [0, 1, 0, 0], atol=1e-12)


def test_most_negative_integer_is_minus_one(tmp_path: Path) -> None:
    g = with_rotation_accessor([[-128, 0, 0, 127], [-128, 0, 0, 127]], component=I8, normalized=True)
    frames = read_clips([g.write_glb(tmp_path)]).clips[0].frames
    np.testing.assert_allclose(frames[0, 0, ROTATION], [-HALF, 0, 0, HALF], atol=1e-12)


def sparse_translation(base: dict[str, object], g: GltfBuilder) -> np.ndarray:
    base["sparse"] = {
        "count": 2,
        "indices": {"bufferView": g.view(b"\x01\x00\x03\x00"), "componentType": U16},
        "values": {"bufferView": g.view(np.array([7, 8, 9, 1, 2, 3], "<f4").tobytes())},
    }
    return np.array([[7, 8, 9], [1, 2, 3]])


@pytest.mark.parametrize("dense", [True, False])
def test_sparse_accessor(tmp_path: Path, dense: bool) -> None:
    g = GltfBuilder()
    g.node("Leg")
    keys = g.accessor(np.arange(4) / 30)
    if dense:
        values = g.accessor([[1, 1, 1]] * 4)
        expected = np.ones((4, 3))
    else:
        values = g.raw_accessor(componentType=FLOAT, type="VEC3", count=4)
        expected = np.zeros((4, 3))
    expected[[1, 3]] = sparse_translation(g.document["accessors"][values], g)
    g.animation("Walk")
    g.channel(0, 0, "translation", keys, values, "LINEAR")
    frames = read_clips([g.write_glb(tmp_path)]).clips[0].frames
    np.testing.assert_allclose(frames[:, 0, TRANSLATION], expected, atol=1e-4)


@pytest.mark.parametrize(("component", "dtype"), [(U8, "u1"), (U32, "<u4")])
def test_sparse_index_types(tmp_path: Path, component: int, dtype: str) -> None:
    g = GltfBuilder()
    g.node("Leg")
    values = g.accessor([[1, 1, 1]] * 2)
    g.document["accessors"][values]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": g.view(np.ones(1, dtype).tobytes()), "componentType": component},
        "values": {"bufferView": g.view(np.array([4, 5, 6], "<f4").tobytes())},
    }
    g.animation("Walk")
    g.channel(0, 0, "translation", g.accessor([0, 1]), values, "LINEAR")
    frames = read_clips([g.write_glb(tmp_path)]).clips[0].frames
    np.testing.assert_allclose(frames[[0, -1], 0, TRANSLATION], [[1, 1, 1], [4, 5, 6]])


def test_a_view_without_an_offset_begins_with_the_buffer(tmp_path: Path) -> None:
    """Also when another accessor has read the buffer."""
    g = GltfBuilder()
    g.node("Leg")
    places, keys = g.accessor([[1, 2, 3], [4, 5, 6]]), g.accessor([0, 1])
    sizes = g.accessor([[1, 1, 1], [2, 2, 2]])
    assert g.document["bufferViews"][places].pop("byteOffset") == 0
    g.animation("Walk")
    g.channel(0, 0, "scale", keys, sizes, "LINEAR")
    g.channel(0, 0, "translation", keys, places, "LINEAR")
    frames = read_clips([g.write_glb(tmp_path)]).clips[0].frames
    np.testing.assert_allclose(frames[[0, -1], 0, TRANSLATION], [[1, 2, 3], [4, 5, 6]])


def test_interleaved_accessors(tmp_path: Path) -> None:
    """Translation and rotation keys alternate in one buffer view."""
    g = GltfBuilder()
    g.node("Leg")
    rows = np.array([[1, 2, 3, *turn("x", 0)], [4, 5, 6, *turn("x", 180)]], "<f4")
    view = g.view(rows.tobytes(), byteStride=28)
    common = {"bufferView": view, "componentType": FLOAT, "count": 2}
    translation = g.raw_accessor(type="VEC3", **common)
    rotation = g.raw_accessor(type="VEC4", byteOffset=12, **common)
    keys = g.accessor([0, 1])
    g.animation("Walk")
    g.channel(0, 0, "translation", keys, translation, "LINEAR")
    g.channel(0, 0, "rotation", keys, rotation, "LINEAR")
    frames = read_clips([g.write_glb(tmp_path)]).clips[0].frames
    np.testing.assert_allclose(frames[[0, -1], 0, TRANSLATION], [[1, 2, 3], [4, 5, 6]])
    np.testing.assert_allclose(frames[-1, 0, ROTATION], [1, 0, 0, 0], atol=1e-7)


def test_unused_compression_fallback_is_read_when_not_required(tmp_path: Path) -> None:
    g = simple()
    for view in g.document["bufferViews"]:
        view["extensions"] = {"MESHOPT_compression": {"buffer": 0}}
    check_walk(read_clips([g.write_glb(tmp_path)]))
    g.document["extensionsRequired"] = ["MESHOPT_compression"]
    with pytest.raises(ImportProblem, match=mentioning("MESHOPT_compression")):
        read_clips([g.write_glb(tmp_path)])


def test_files_that_belong_to_others_are_listed_without_reading_them(tmp_path: Path) -> None:
    """Buffers, images and files of extensions; nothing that is not a file name."""
    path = tmp_path / "hero.gltf"
    deep: list[object] = [{"uri": "deep.bin"}]
    for _ in range(400):
        deep = [deep]
    path.write_text(json.dumps({
        "asset": {"version": "2.0"},
        "buffers": [{"uri": "a%20b.bin"}, {"uri": "data:;base64,AAAA"}, {"uri": 7}, {}],
        "images": [{"uri": "sub/../skin.png"}, {"uri": f"file://{tmp_path}/far%2b.png"}, {"uri": "../out.png"},
                   {"uri": "zero%00.png"}, {"uri": "half\ud800.png"}, {"bufferView": 0}],
        "extensions": {"X": {"uri": {"uri": "inner.wav"}, "deep": deep}},
        "extras": "uri"}), encoding="utf-8")
    (tmp_path / "bad.glb").write_bytes(b"glTF")
    paths = [path, tmp_path / "bad.glb", tmp_path / "missing.gltf", tmp_path / "walk.bvh"]
    files = files_of(paths)
    named = {os.path.relpath(file, tmp_path) for file, owner in files.items() if owner == path}
    assert {"hero.gltf", "a b.bin", "skin.png", "far+.png", "inner.wav", "deep.bin"} <= named
    assert not [name for name in named if "zero\0" in name or "half" in name or "AAAA" in name]
    assert [file for file, owner in files.items() if owner != path] == paths[1:]
