"""EXT_meshopt_compression: buffer views are decoded by meshoptimizer, and only those that are needed."""
from __future__ import annotations

import gc
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from gltf_builder import FLOAT, I16, GltfBuilder, turn
from meshopt_packing import EXT, Packed, exponentials, pack_attributes, quaternions
from ossicle.importers.gltf import meshopt
from ossicle.importers.importer import read_clips
from ossicle.model.clip import ROTATION, TRANSLATION, ImportProblem
from mentions import mentioning, mentions

FRAMES = 301  # more than a block of elements
TIMES = np.arange(FRAMES, dtype="<f4") / np.float32(30.0)
TURNS = [turn("z", 90 * np.sin(frame / 9)) for frame in range(FRAMES)]
PLACES = np.stack([np.linspace(0, 2, FRAMES), np.full(FRAMES, 0.5), -np.arange(FRAMES) / 7], axis=1)


def hero() -> Packed:
    """A chain whose joint turns and travels, with keys as gltfpack writes them."""
    g = Packed()
    g.node("Hips", translation=[0, 1, 0], children=[1])
    g.node("Leg", translation=[0, -0.5, 0])
    g.skin([0, 1])
    keys = g.raw_accessor(bufferView=g.packed(TIMES, 4), componentType=FLOAT, type="SCALAR", count=FRAMES)
    turns = g.raw_accessor(bufferView=g.packed(quaternions(TURNS), 8, filter="QUATERNION"), componentType=I16,
                           normalized=True, type="VEC4", count=FRAMES)
    places = g.raw_accessor(bufferView=g.packed(exponentials(PLACES), 12, filter="EXPONENTIAL"), componentType=FLOAT,
                            type="VEC3", count=FRAMES)
    g.document["animations"] = [{"name": "Walk", "samplers": [], "channels": []}]
    g.channel(0, 1, "rotation", keys, turns, "LINEAR")
    g.channel(0, 0, "translation", keys, places, "LINEAR")
    return g


def test_keys_are_decoded(tmp_path: Path) -> None:
    imported = read_clips([hero().write_glb(tmp_path)])
    (clip,) = imported.clips
    assert (clip.rate, len(clip.frames), imported.warnings) == (30.0, FRAMES, [])
    np.testing.assert_allclose(clip.frames[:, 0, TRANSLATION], PLACES, rtol=2e-7, atol=1e-7)
    signs = np.sign((clip.frames[:, 1, ROTATION] * TURNS).sum(axis=1))
    np.testing.assert_allclose(clip.frames[:, 1, ROTATION] * signs[:, None], TURNS, atol=5e-5)


def test_the_decoder_has_ended_after_the_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    class Recorded(subprocess.Popen):
        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **options)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Recorded)
    read_clips([hero().write_glb(tmp_path)])
    gc.collect()
    assert [process.returncode is not None for process in started] == [True]


def test_weights_of_a_byte_lie_four_bytes_apart(tmp_path: Path) -> None:
    g = hero()
    target = {"POSITION": g.accessor([[0, 0, 0]] * 3)}
    g.document["meshes"] = [{"primitives": [{"attributes": dict(target), "targets": [target]}],
                             "extras": {"targetNames": ["smile"]}}]
    values = np.zeros((FRAMES, 4), np.uint8)
    values[:, 0] = np.arange(FRAMES) % 256
    view = g.packed(values, 4)
    g.document["bufferViews"][view]["byteStride"] = 4
    weights = g.raw_accessor(bufferView=view, componentType=5121, normalized=True, type="SCALAR", count=FRAMES)
    g.channel(0, g.node("Face", mesh=0), "weights", 0, weights, "LINEAR")
    (clip,) = read_clips([g.write_glb(tmp_path)]).clips
    np.testing.assert_allclose(clip.curves["smile"].values, values[:, 0] / 255)


def test_only_needed_joints_are_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    g = hero()
    g.packed(np.zeros((64, 1), "<u4"), 4, mode="NONSENSE")
    asked: list[str] = []
    real = meshopt.MeshoptDecoder.decode
    monkeypatch.setattr(meshopt.MeshoptDecoder, "decode", lambda self, packed, source, here: asked.append(
        packed.get("filter", "")) or real(self, packed, source, here))
    read_clips([g.write_glb(tmp_path)])
    assert asked == ["", "QUATERNION", "EXPONENTIAL"] or sorted(asked) == ["", "EXPONENTIAL", "QUATERNION"]


def test_plain_data_beside_the_compressed_needs_no_decoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    g = GltfBuilder()
    g.node("Root")
    g.animation("Walk", (0, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]], "LINEAR"))
    for view in g.document["bufferViews"]:
        view["extensions"] = {EXT: {"buffer": 7}}
    g.document["extensionsUsed"] = [EXT]
    assert read_clips([g.write_glb(tmp_path)]).clips[0].frames[-1, 0, TRANSLATION.start] == 1.0


def test_a_fallback_that_was_left_behind_is_not_needed(tmp_path: Path) -> None:
    g = hero()
    path = g.write_glb(tmp_path)
    buffers = [{"byteLength": len(g.binary)}, {"byteLength": 1 << 20, "uri": "hero.fallback.bin"}]
    plain = g.json_bytes()
    g.json_bytes = lambda: json.dumps(json.loads(plain) | {"buffers": buffers, "extensionsRequired": []}).encode()
    assert len(read_clips([g.write_glb(tmp_path)]).clips[0].frames) == FRAMES
    (tmp_path / "hero.fallback.bin").write_bytes(bytes(1 << 20))
    with pytest.raises(ImportProblem, match=mentioning("0")):
        read_clips([path])


def test_node_is_named_if_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ImportProblem, match=mentioning("hero.glb Walk Node.js")):
        read_clips([hero().write_glb(tmp_path)])


@pytest.mark.parametrize(("installed", "remedy"), [(False, "./bootstrap"), (True, "wheel")])
def test_a_decoder_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: bool,
                                              remedy: str) -> None:
    monkeypatch.setattr(meshopt, "MESHOPT_DECODER", tmp_path / "none.mjs")
    monkeypatch.setattr(meshopt, "IS_INSTALLED", installed)
    with pytest.raises(ImportProblem, match=mentioning(remedy)):
        read_clips([hero().write_glb(tmp_path)])


def test_a_decoder_without_an_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = tmp_path / "endless.mjs"
    endless.write_text("for (;;);", encoding="utf-8")
    monkeypatch.setattr(meshopt, "MESHOPT_SCRIPT", endless)
    monkeypatch.setattr(meshopt, "_LIMIT_S", 0.2)
    started: list[subprocess.Popen[bytes]] = []
    real = subprocess.Popen
    monkeypatch.setattr(meshopt.subprocess, "Popen",
                        lambda *words, **more: started.append(real(*words, **more)) or started[-1])
    with pytest.raises(ImportProblem, match=mentioning("0.2s")):
        read_clips([hero().write_glb(tmp_path)])
    assert started[0].wait(timeout=30) != 0


CHANGES = {
    "mode": ({"mode": "SHAPES"}, "SHAPES"),
    "filter": ({"filter": "BLUR"}, "ATTRIBUTES BLUR"),
    "filter of indices": ({"mode": "INDICES", "filter": "QUATERNION"}, "INDICES QUATERNION"),
    "stride": ({"byteStride": 12, "filter": "QUATERNION"}, f"{FRAMES} 12 ATTRIBUTES"),
    "no stride": ({"byteStride": 0}, "byteStride 0 1 256"),
    "large": ({"count": 1 << 27}, "536,870,912 268,435,456"),
    "huge": ({"count": 1 << 60}, "huge"),
    "one more": ({"count": FRAMES + 16 * 256}, "hero.glb"),
    "beyond its buffer": ({"byteLength": 1 << 20}, "0 EXT_meshopt_compression"),
    "no such buffer": ({"buffer": 2}, "2 0 1"),
    "of the fallback": ({"buffer": 1}, "1"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_damaged(tmp_path: Path, case: str) -> None:
    change, message = CHANGES[case]
    g = hero()
    g.document["bufferViews"][0]["extensions"][EXT].update(change)
    with pytest.raises(ImportProblem) as problem:
        read_clips([g.write_glb(tmp_path)])
    assert mentions(str(problem.value), "hero.glb Walk Leg")
    assert mentions(str(problem.value), message) and ";" in str(problem.value)


def test_any_bytes_give_values_or_an_error() -> None:
    """One decoder for all, so that it also has to go on after an error."""
    decoder, dice = meshopt.MeshoptDecoder(), np.random.default_rng(1)
    good = pack_attributes(quaternions(TURNS))
    packed = {"mode": "ATTRIBUTES", "filter": "QUATERNION", "byteStride": 8, "count": FRAMES}
    expected = decoder.decode(packed, good, "view")
    refused = 0
    for _ in range(200):
        bad = bytearray(good[:dice.integers(len(good))] if dice.random() < 0.5 else good)
        for at in dice.integers(max(len(bad), 1), size=3)[:len(bad)]:
            bad[at] = dice.integers(256)
        try:
            assert len(decoder.decode(packed, bytes(bad), "view")) == FRAMES * 8
        except ImportProblem:
            refused += 1
    assert refused > 50 and decoder.decode(packed, good, "view") == expected


def test_the_process_ends_with_the_file() -> None:
    decoder = meshopt.MeshoptDecoder()
    decoder.decode({"mode": "INDICES", "byteStride": 4, "count": 1}, bytes([0xD1, 2, 0, 0, 0, 0]), "view")
    process = decoder._process
    del decoder
    assert process.wait(timeout=30) is not None


def test_all_views_of_a_file_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meshopt, "_MOST_IN_ALL", 2 * 8 * FRAMES - 1)
    decoder, good = meshopt.MeshoptDecoder(), pack_attributes(quaternions(TURNS))
    packed = {"mode": "ATTRIBUTES", "filter": "QUATERNION", "byteStride": 8, "count": FRAMES}
    decoder.decode(packed, good, "view")
    with pytest.raises(ImportProblem, match=mentioning("4,815")):
        decoder.decode(packed, good, "view")
