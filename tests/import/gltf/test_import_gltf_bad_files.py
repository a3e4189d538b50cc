"""Every kind of broken glTF gives one line that names file, clip, joint and remedy."""
from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import FLOAT, U8, GltfBuilder, simple
from ossicle.importers.importer import read_clips
from ossicle.model.clip import ImportProblem
from mentions import mentions

INF = float("inf")
NAN = float("nan")


def refused(path: Path, message: str) -> None:
    with pytest.raises(ImportProblem) as caught:
        read_clips([path])
    text = str(caught.value)
    assert mentions(text, f"{path.name} {message}"), text
    assert "\n" not in text
    assert ";" in text, "no remedy"


def with_bytes(change: Callable[[bytearray], bytes | None]) -> Callable[[GltfBuilder], bytes]:
    def build(g: GltfBuilder) -> bytes:
        data = bytearray(g.glb_bytes())
        changed = change(data)
        return bytes(data if changed is None else changed)

    return build


def put(layout: str, offset: int, value: Any) -> Callable[[GltfBuilder], bytes]:
    return with_bytes(lambda data: struct.pack_into(layout, data, offset, value))


def json_text(text: bytes) -> Callable[[GltfBuilder], bytes]:
    """A .glb with this JSON chunk."""

    def build(_: GltfBuilder) -> bytes:
        padded = text + b" " * (-len(text) % 4)
        chunk = struct.pack("<II", len(padded), 0x4E4F534A) + padded
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunk)) + chunk

    return build


def last_chunk(data: bytes) -> int:
    """Offset of the second chunk of a .glb."""
    return 20 + struct.unpack_from("<I", data, 12)[0]


CONTAINER = {
    "empty file": (with_bytes(lambda d: b""), "is empty"),
    "bad magic": (put("4s", 0, b"gltf"), "glTF"),
    "version 1": (put("<I", 4, 1), "glTF 1 2"),
    "short header": (with_bytes(lambda d: d[:9]), "is truncated: 9 bytes"),
    "truncated": (with_bytes(lambda d: d[:-4]), "is truncated: "),
    "length one byte beyond": (with_bytes(lambda d: struct.pack_into("<I", d, 8, len(d) + 1)),
                               "is truncated: "),
    "last chunk four bytes beyond": (
        with_bytes(lambda d: struct.pack_into("<I", d, last_chunk(d), len(d) - last_chunk(d) - 4)),
        "chunk of "),
    "length too small": (put("<I", 8, 14), "12"),
    "no chunks": (put("<I", 8, 12), "JSON"),
    "chunk too long": (put("<I", 12, 1 << 30), "1073741824 20"),
    "first chunk not JSON": (put("<I", 16, 7), "JSON"),
    "no JSON": (json_text(b"{oops"), "1 2"),
    "not UTF-8": (json_text(b'{"asset":"\xff\xfe"}'), "UTF-8 10"),
    "list": (json_text(b"[]"), "JSON"),
    "NaN": (json_text(b'{"a":NaN}'), "NaN"),
    "deep": (json_text(b"[" * 100_000), "JSON error: "),
    "long number": (json_text(b'{"a":' + b"9" * 5000 + b"}"), "JSON error: "),
    "no asset": (json_text(b"{}"), "glTF 2.0"),
    "glTF 1": (json_text(b'{"asset":{"version":"1.0"}}'), "glTF 1.0 2.0"),
    "glTF 1 as a number": (json_text(b'{"asset":{"version":1}}'), "glTF 1"),
    "version a list": (json_text(b'{"asset":{"version":[2]}}'), "glTF [2]"),
    "glTF 2.1": (
        json_text(b'{"asset":{"version":"2.1","minVersion":"2.1"}}'),
        "glTF 2.1",
    ),
    "no animations": (json_text(b'{"asset":{"version":"2.0"}}'), "animations"),
    "no binary chunk": (
        lambda g: json_text(g.json_bytes())(g),
        "Walk Leg 0",
    ),
}


@pytest.mark.parametrize("case", CONTAINER)
def test_container(tmp_path: Path, case: str) -> None:
    build, message = CONTAINER[case]
    path = tmp_path / "hero.glb"
    path.write_bytes(build(simple()))
    refused(path, message)


def at(*keys: Any, value: Any) -> Callable[[dict[str, Any]], None]:
    """Sets document[k0][k1]... ; a value of None removes the entry."""

    def change(document: dict[str, Any]) -> None:
        owner: Any = document
        for key in keys[:-1]:
            owner = owner[key]
        if value is None:
            del owner[keys[-1]]
        else:
            owner[keys[-1]] = value

    return change


TIMES = "Walk Leg "
VALUES = "Walk Leg "
DOCUMENT = {
    # what simple() builds: accessor and view 0 hold the key times, 1 the rotations
    "views no list": (at("bufferViews", value=3), "bufferViews"),
    "node no object": (at("nodes", 1, value=[]), "1"),
    "child too high": (at("nodes", 0, "children", 0, value=2), "node 0: child is 2, expected 0"),
    "child negative": (at("nodes", 0, "children", 0, value=-1), "node 0: child is -1, expected 0"),
    "child no number": (at("nodes", 0, "children", 0, value="1"), "node 0: child is a string"),
    "child fraction": (at("nodes", 0, "children", 0, value=0.5), "node 0: child is a number"),
    "child a truth value": (at("nodes", 0, "children", 0, value=True), "node 0: child is a truth"),
    "child huge": (at("nodes", 0, "children", 0, value=10**4000), "node 0: child is huge"),
    "child infinite": (at("nodes", 0, "children", 0, value=1e308), "node 0: child is huge"),
    "own child": (at("nodes", 0, "children", 0, value=0), "Hips"),
    "cycle": (at("nodes", 1, "children", value=[0]), "Hips"),
    "two parents": (
        at("nodes", 0, "children", value=[1, 1]),
        "1 0",
    ),
    "name no string": (at("nodes", 1, "name", value=7), "Walk 1"),
    "name with line feed": (at("nodes", 1, "name", value="a\nb"), "clip Walk: node 1: 'a\\nb' has"),
    "name half a surrogate": (at("nodes", 1, "name", value="\ud800"), "clip Walk: node 1: "),
    "rotation too short": (
        at("nodes", 1, "rotation", value=[0, 0, 1]),
        "Leg 4",
    ),
    "zero rotation": (
        at("nodes", 1, "rotation", value=[0, 0, 0, 0]),
        "Leg",
    ),
    "translation holds text": (
        at("nodes", 1, "translation", value=[0, "1", 0]),
        "bind pose: node Leg: translation holds a string",
    ),
    "translation too large": (
        at("nodes", 1, "translation", value=[0, 1e300, 0]),
        "Leg",
    ),
    "skin joint out of range": (at("skins", 0, "joints", 1, value=9), "skin 0: joint is 9"),
    "skin joint twice": (at("skins", 0, "joints", 1, value=0), "0"),
    "skin without joints": (at("skins", 0, "joints", value=[]), "0"),
    "skin without nodes": (at("skins", 0, "joints", value=[0]), "--skin"),
    "nothing moves": (
        lambda d: (d.pop("skins"), d["animations"][0]["channels"].clear()),
        "animations",
    ),
    "own child, no name": (
        lambda d: d["nodes"].__setitem__(1, {"children": [1]}),
        "1 0",
    ),
    "inverse bind out of range": (
        at("skins", 0, "inverseBindMatrices", value=2),
        "skin 0: inverseBindMatrices is 2, expected 0 to 1",
    ),
    "inverse bind of the wrong type": (
        at("skins", 0, "inverseBindMatrices", value=1),
        "0 1 VEC4 MAT4",
    ),
    "target out of range": (
        at("animations", 0, "channels", 0, "target", "node", value=2),
        "clip Walk: channel 0: node is 2, expected 0 to 1",
    ),
    "target missing": (
        at("animations", 0, "channels", 0, "target", value=None),
        "clip Walk: channel 0: path is missing",
    ),
    "sampler out of range": (
        at("animations", 0, "channels", 0, "sampler", value=1),
        "clip Walk: channel 0: sampler is 1, expected 0 to 0",
    ),
    "no sampler": (
        at("animations", 0, "samplers", value=[]),
        "Walk 0 sampler",
    ),
    "input out of range": (
        at("animations", 0, "samplers", 0, "input", value=2),
        "clip Walk: sampler 0: input is 2",
    ),
    "output out of range": (
        at("animations", 0, "samplers", 0, "output", value=-1),
        "clip Walk: sampler 0: output is -1",
    ),
    "unknown interpolation": (
        at("animations", 0, "samplers", 0, "interpolation", value="BEZIER"),
        "clip Walk: node Leg: rotation: interpolation BEZIER is unknown",
    ),
    "output of the wrong type": (
        at("animations", 0, "channels", 0, "target", "path", value="translation"),
        "clip Walk: joint Leg: translation: accessor 1: is VEC4, expected VEC3",
    ),
    "input of the wrong type": (
        at("animations", 0, "samplers", 0, "input", value=1),
        TIMES + "accessor 1: is VEC4, expected SCALAR",
    ),
    "cubic needs three values a key": (
        at("animations", 0, "samplers", 0, "interpolation", value="CUBICSPLINE"),
        VALUES + "2 values for 2 CUBICSPLINE keys, expected 6",
    ),
    "key count differs": (
        at("accessors", 0, "count", value=1),
        VALUES + "2 values for 1 LINEAR keys, expected 1",
    ),
    "no keys": (at("accessors", 0, "count", value=0), TIMES + "accessor 0: count is 0"),
    "too many keys": (
        at("accessors", 0, "count", value=3),
        TIMES + "0 3 12 8",
    ),
    "gigantic count": (
        at("accessors", 0, value={"componentType": FLOAT, "type": "SCALAR", "count": 1 << 60}),
        TIMES + "accessor 0: count is huge",
    ),
    "offset beyond the view": (
        at("accessors", 0, "byteOffset", value=4),
        TIMES + "0 2 12",
    ),
    "negative offset": (at("accessors", 0, "byteOffset", value=-4), TIMES + "0 byteOffset -4"),
    "component type": (
        at("accessors", 0, "componentType", value=5124),
        TIMES + "0 5124",
    ),
    "integer times": (
        at("accessors", 0, "componentType", value=U8),
        TIMES + "accessor 0 uint8 integers floats",
    ),
    "plain integer rotations": (
        at("accessors", 1, "componentType", value=U8),
        VALUES + "1 uint8",
    ),
    "view out of range": (at("accessors", 1, "bufferView", value=2), VALUES + "1 bufferView"),
    "view beyond the buffer": (
        at("bufferViews", 1, "byteLength", value=1000),
        VALUES + "1 8 1008 40 0",
    ),
    "view that begins within the buffer": (
        at("bufferViews", 1, "byteLength", value=33),
        VALUES + "1 8 41 40 0",
    ),
    "buffer out of range": (
        at("bufferViews", 1, "buffer", value=1),
        VALUES + "accessor 1: buffer view 1: buffer is 1, expected 0 to 0",
    ),
    "overlapping stride": (
        at("bufferViews", 1, "byteStride", value=8),
        VALUES + "1 16 8",
    ),
    "two clips of one name": (
        lambda d: d["animations"].append(d["animations"][0]),
        "Walk 0 1",
    ),
    "two channels of one track": (
        lambda d: d["animations"][0]["channels"].append(d["animations"][0]["channels"][0]),
        "Walk Leg",
    ),
    "clip name with a tab": (
        at("animations", 0, "name", value="a\tb"),
        "0 a\\tb",
    ),
    "sparse index type": (
        at("accessors", 1, "sparse", value={"count": 1, "indices": {"componentType": FLOAT}}),
        VALUES + "accessor 1: sparse: index type 5126, expected unsigned",
    ),
    "sparse count": (
        at("accessors", 1, "sparse", value={"count": 3}),
        VALUES + "accessor 1: sparse: count is 3, expected 1 to 2",
    ),
    "sparse index beyond": (
        at(
            "accessors", 1, "sparse",
            value={
                "count": 1,
                "indices": {"componentType": U8, "bufferView": 1, "byteOffset": 15},
                "values": {"bufferView": 1},
            }, ),
        VALUES + "1 sparse 2",
    ),
}


@pytest.mark.parametrize("case", DOCUMENT)
def test_document(tmp_path: Path, case: str) -> None:
    change, message = DOCUMENT[case]
    g = simple()
    change(g.document)
    refused(g.write_glb(tmp_path), message)


def test_a_sparse_index_just_beyond(tmp_path: Path) -> None:
    g = simple()
    indices, values = g.view(bytes([2])), g.view(struct.pack("<4f", 0, 0, 0, 1))
    g.document["accessors"][1]["sparse"] = {
        "count": 1, "indices": {"componentType": U8, "bufferView": indices},
        "values": {"bufferView": values}}
    refused(g.write_glb(tmp_path), VALUES + "1 sparse 2")


def test_one_inverse_bind_matrix_too_few(tmp_path: Path) -> None:
    g = simple()
    g.document["skins"].clear()
    g.skin([0, 1], [np.eye(4)])
    refused(g.write_glb(tmp_path), "0 1 2")


UNIT = [0, 0, 0, 1]
KEYS = {
    "NaN time": ([0, NAN], [UNIT, UNIT], TIMES + "2 1"),
    "infinite value": ([0, 1], [UNIT, [INF, 0, 0, 0]], VALUES + "3 1"),
    "falling times": ([0, 2, 1], [UNIT] * 3, TIMES + "2 1s 1"),
    "negative time": ([-1, 1], [UNIT] * 2, TIMES + "-1s"),
    "zero quaternion": ([0, 1], [UNIT, [0] * 4], VALUES + "1"),
    "endless": ([0, 1e9], [UNIT] * 2, "Walk 1e+09s 30 2"),
}


@pytest.mark.parametrize("case", KEYS)
def test_keys(tmp_path: Path, case: str) -> None:
    times, values, message = KEYS[case]
    g = simple()
    g.document["animations"].clear()
    g.animation("Walk", (1, "rotation", times, values, "LINEAR"))
    refused(g.write_glb(tmp_path), message)


def test_the_zero_quaternion_is_found_in_any_channel(tmp_path: Path) -> None:
    g = simple()
    g.document["animations"].clear()
    g.animation("Walk", (0, "rotation", [0, 1, 2], [UNIT] * 3, "LINEAR"),
                (1, "rotation", [0, 1], [UNIT, [0] * 4], "LINEAR"))
    refused(g.write_glb(tmp_path), VALUES + "1")


def test_clips_together_over_the_memory_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    g = simple()
    g.animation("Run", (1, "translation", [0, 1], [[0, 0, 0]] * 2, "LINEAR"))
    path = g.write_glb(tmp_path)
    monkeypatch.setattr("ossicle.model.clip.MAX_JOINT_FRAMES", 4 * 31)
    assert len(read_clips([path]).clips) == 2
    monkeypatch.setattr("ossicle.model.clip.MAX_JOINT_FRAMES", 4 * 31 - 1)
    refused(path, "Run 1s 30 2 123")


def test_overflow_of_folded_lengths(tmp_path: Path) -> None:
    g = simple()
    for level in range(30):
        g.node(f"Level{level}", scale=[1e12] * 3, children=[0 if level == 0 else level + 1])
    refused(g.write_glb(tmp_path), "hero.glb")


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("missing.bin", "0 missing.bin .gltf"),
        ("", "0"),
        ("a%00b.bin", "0 U+0000"),
        ("https://example.org/a.bin", "0 https"),
        ("data:;base64", "0"),
        ("data:;base64,####", "0 base64"),
        ("data:;base64,AAAA", "buffer 0: has 3 of 40 bytes"),
        (7, "0 uri"),
    ],
)
def test_buffer_addresses(tmp_path: Path, uri: Any, message: str) -> None:
    path = tmp_path / "hero.gltf"
    path.write_bytes(simple().json_bytes(uri=uri))
    refused(path, TIMES + message)


def test_an_address_with_a_scheme_is_no_file(tmp_path: Path) -> None:
    """Even if there is one of this name."""
    (tmp_path / "ftp:host").mkdir()
    refused(simple().write_external(tmp_path, "ftp:host/hero.bin", "ftp:host/hero.bin"), TIMES + "0 ftp")


def test_short_external_buffer(tmp_path: Path) -> None:
    path = simple().write_external(tmp_path, "hero.bin", "hero.bin")
    (tmp_path / "hero.bin").write_bytes(b"1234")
    refused(path, TIMES + "0 4 40")


def test_a_problem_stays_one_short_line() -> None:
    problem = ImportProblem("a\nb\r\t\ud800" + "x" * 10_000)
    assert str(problem).startswith("a b  ?xxx")
    assert len(str(problem)) < 700
    assert json.dumps(str(problem))
