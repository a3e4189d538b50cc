"""`ossicle decode --source`: decoded clips beside the originals, in the file that these came from."""
from __future__ import annotations

import base64
import copy
import io
import json
import struct
from pathlib import Path

import numpy as np
import pytest
from exported import ARM, HAND, HIPS, RATE_HZ, ROUND_TRIP_M, Encoded, encoded, models_of, odd_file, off_m, times_of
from gltf_builder import GltfBuilder, simple, turn
from gltf_reader import Gltf
from ossicle.importers.importer import read_clips
from ossicle.model.import_options import ImportOptions
from ossicle.model.shell import shell_errors
from PIL import Image
from mentions import mentions
from running import HERO

TOLERANCE_M = 1e-3
TIGHT_M = 1e-4
KEPT = ("asset", "scene", "scenes", "nodes", "skins", "meshes", "materials", "textures", "images", "samplers")
PIXEL = b"\x89PNG, as far as this test is concerned"


def kept(document: dict) -> dict:
    return {key: document[key] for key in KEPT if key in document}


def decoded(case: Encoded, folder: Path, *arguments: object) -> Gltf:
    return Gltf(case.decoded(folder / "both.glb", "--source", case.source, *arguments))


@pytest.mark.parametrize("name", ["hero", "actions", "odd"])
def test_the_source_stays_as_it_is(request: pytest.FixtureRequest, tmp_path: Path, name: str) -> None:
    case: Encoded = request.getfixturevalue(name)
    before, after = Gltf(case.source), decoded(case, tmp_path)
    assert kept(before.document) == kept(after.document)
    count = len(before.document["accessors"])
    assert before.document["accessors"] == after.document["accessors"][:count]
    assert all(np.array_equal(before.array(number), after.array(number)) for number in range(count))
    assert after.animations[:len(before.animations)] == before.animations
    assert [animation["name"] for animation in after.animations[len(before.animations):]] == [
        f"{clip['name']} (decoded)" for clip in case.summary["clips"]]


def test_other_axes_are_undone(tmp_path: Path) -> None:
    case = encoded(tmp_path, HERO, "--clips", "Walk", "--joint-axes", "model")
    file = decoded(case, tmp_path, "--joint-axes", "model")
    played = case.played(tmp_path, "Walk")
    ours, theirs = (models_of(file, played.names, clip, times_of(played)) for clip in ("Walk (decoded)", "Walk"))
    assert np.abs(ours - theirs)[..., 3].max() <= TOLERANCE_M
    ran = case.decode(tmp_path / "other.glb", "--source", case.source)
    assert ran.status == 1 and mentions(ran.err, "--joint-axes")


@pytest.mark.parametrize("name", ["hero", "actions"])
def test_a_viewer_shows_both_alike(request: pytest.FixtureRequest, tmp_path: Path, name: str) -> None:
    """With all nodes above the joints, at frames and midpoints."""
    case: Encoded = request.getfixturevalue(name)
    file = decoded(case, tmp_path, "--midpoints")
    scale = file.nodes[-1].get("scale", [1.0])[0]  # of the armature
    for clip in case.summary["clips"]:
        if clip["breaks"] and name == "actions":  # some are holes in a blend, between which the source moves on
            continue
        played = case.played(tmp_path, clip["name"], "--midpoints")
        ours, theirs = (models_of(file, played.names, full, times_of(played))
                        for full in (f"{clip['name']} (decoded)", clip["name"]))
        assert np.abs(ours - theirs)[..., 3].max() <= TOLERANCE_M
        assert np.abs(ours - theirs)[..., :3].max() <= 3.0 * TOLERANCE_M / 0.03 * scale


@pytest.mark.parametrize("name", ["hero", "actions", "odd"])
def test_the_importer_reads_the_poses_played(request: pytest.FixtureRequest, tmp_path: Path, name: str) -> None:
    case: Encoded = request.getfixturevalue(name)
    decoded(case, tmp_path)
    imported = read_clips([tmp_path / "both.glb"], ImportOptions(only=("* (decoded)",)))
    for clip, entry in zip(imported.clips, case.summary["clips"], strict=True):
        played = case.played(tmp_path, entry["name"])
        assert list(imported.skeleton.names) == played.names
        assert shell_errors(imported.skeleton.parents, played.frames.astype(float), clip.frames,
                            0.03).max() <= ROUND_TRIP_M


def folded_file() -> GltfBuilder:
    """A chain under turned, moved and scaled nodes, one with a matrix, and with a grip that is no joint."""
    g = GltfBuilder()
    g.node("Grip", translation=[0, 2, 0], rotation=turn("y", 30))
    g.node("Wrist", scale=[2, 2, 2], rotation=turn("x", 15), children=[0])
    g.node("Leg", matrix=[0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 50, 0, 1], children=[1])
    g.node("Hips", translation=[0, 90, 0], children=[2])
    g.node("Armature", rotation=turn("x", 90), scale=[0.5] * 3, translation=[3, 0, 0], children=[3])
    g.node("Leg", translation=[9, 9, 9])  # of the same name, but no joint
    g.skin([3, 2])
    times = np.arange(7) / RATE_HZ
    g.animation("Walk", (3, "translation", times, [[f, 90 - f, 0] for f in range(7)], "LINEAR"),
                (2, "rotation", times, [turn("z", 90 + 5 * f) for f in range(7)], "LINEAR"))
    return g


@pytest.mark.parametrize("reading", [
    ("--scale", "0.01"), ("--scale", "0.01", "--up", "z"), ("--scale", "0.02", "--ancestors", "drop"),
    ("--scale", "0.01", "--socket", "Grip"), ("--scale", "0.01", "--config", "hero.toml")])
def test_changes_by_the_import_are_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                          reading: tuple[str, ...]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hero.toml").write_text('[sockets]\nsword = "Grip"\n', encoding="utf-8")
    case = encoded(tmp_path, folded_file().write_glb(tmp_path), *reading, "--tolerance", f"{TIGHT_M}m")
    file = decoded(case, tmp_path, *reading)
    times = np.arange(7) / RATE_HZ
    for node in (3, 0):
        ours, theirs = (file.models(animation, times)[node] for animation in reversed(file.animations))
        assert np.abs(ours - theirs)[:, :3, 3].max() <= TIGHT_M / float(reading[1])
    assert "matrix" not in file.nodes[2] and file.nodes[2]["translation"] == [0, 50, 0]
    again = encoded(tmp_path, tmp_path / "both.glb", *reading)
    assert [clip["name"] for clip in again.summary["clips"]] == ["Walk", "Walk (decoded)"]


def test_joints_that_were_dropped_stay_at_rest(tmp_path: Path) -> None:
    g = simple()
    g.document["nodes"][1]["children"] = [2]
    g.node("Foot", translation=[0, -0.4, 0])
    g.document["skins"][0]["joints"] = [0, 1, 2]
    g.document["animations"][0]["channels"] += [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]
    case = encoded(tmp_path, g.write_glb(tmp_path), "--drop", "Leg")
    played = case.played(tmp_path, "Walk")
    assert played.names == ["Hips", "Foot"]
    models = models_of(decoded(case, tmp_path), played.names, "Walk (decoded)", times_of(played))
    assert off_m(played, models) <= ROUND_TRIP_M


def test_a_file_in_parts_becomes_one(tmp_path: Path) -> None:
    g = odd_file()
    g.document["images"] = [{"uri": "skin%20a.png"}, {"uri": "data:image/png;base64,AAAA"}]
    (tmp_path / "skin a.png").write_bytes(PIXEL)
    source = g.write_external(tmp_path, "parts/odd.bin", "parts/odd.bin")
    case = encoded(tmp_path, source)
    file = decoded(case, tmp_path)
    for owner in file.document["images"] + file.document["buffers"]:
        assert owner.get("uri", "data:").startswith("data:")
    assert file.document["images"][0]["uri"].startswith("data:image/png;base64,iVBORyw")
    assert file.document["images"][1] == g.document["images"][1]
    (tmp_path / "parts/odd.bin").unlink()
    played = case.played(tmp_path, case.summary["clips"][0]["name"])
    for name in ("Schlag / 1:é", "Schlag / 1:é (decoded)"):
        models = models_of(file, [HIPS, ARM, HAND], name, times_of(played))
        assert off_m(played, models) <= TOLERANCE_M


def test_images_that_cannot_be_read(tmp_path: Path) -> None:
    """A white pixel takes their place, as an image that every reader shows; files outside the folder stay unread."""
    (tmp_path / "secret.png").write_bytes(PIXEL)
    g = simple()
    g.document["images"] = [{"uri": uri} for uri in ("gone.png", "../secret.png", "http://x/y.png", "gone.webp")] + [
        {"uri": "gone.ktx2", "mimeType": "image/ktx2"}, {"uri": "here.png"}]
    g.document["textures"] = [
        {"source": 0}, {"source": 1}, {"source": 5, "extensions": {"EXT_texture_webp": {"source": 3}}},
        {"extensions": {"KHR_texture_basisu": {"source": 4}, "OTHER": {}}}]
    (tmp_path / "models").mkdir()
    source = g.write_embedded(tmp_path / "models")
    (tmp_path / "models/here.png").write_bytes(PIXEL)
    case = encoded(tmp_path, source)
    ran = case.decode(tmp_path / "both.glb", "--source", source)
    assert ran.status == 0 and [line.split(": ")[:4] for line in ran.err.splitlines()] == [
        ["ossicle", "warning", str(source), f"image {number}"] for number in range(5)]
    document = Gltf(tmp_path / "both.glb").document
    *white, here = document["images"]
    assert white == [white[0]] * 5 and white[0]["mimeType"] == "image/png"
    with Image.open(io.BytesIO(base64.b64decode(white[0]["uri"].partition(",")[2]))) as opened:
        assert opened.format == "PNG" and opened.size == (1, 1) and opened.convert("RGB").getpixel((0, 0)) == (255,) * 3
    assert here["uri"].startswith("data:image/png;base64,iVBORyw")
    assert document["textures"] == [{"source": 0}, {"source": 1}, {"source": 5},
                                    {"source": 4, "extensions": {"OTHER": {}}}]


def test_a_binary_file_without_data(tmp_path: Path) -> None:
    """A .glb whose buffers lie elsewhere has no binary chunk of its own."""
    g = simple()
    path = g.write_embedded(tmp_path, "hero.glb")
    text = path.read_bytes() + b" " * (-len(path.read_bytes()) % 4)
    path.write_bytes(struct.pack("<4sIIII", b"glTF", 2, 20 + len(text), len(text), 0x4E4F534A) + text)
    case = encoded(tmp_path, path)
    assert len(decoded(case, tmp_path).document["buffers"]) == 2
    assert [clip.name for clip in read_clips([tmp_path / "both.glb"]).clips] == ["Walk", "Walk (decoded)"]


@pytest.mark.parametrize(("change", "facts"), [
    (lambda d: d["nodes"][1].update(name="Log"), "Leg Log"),
    (lambda d: d["nodes"].append({"name": "Leg"}) or d["nodes"][0]["children"].append(2) or
     d["skins"][0]["joints"].append(2),
     "Leg 1 2"),
    (lambda d: d["nodes"][1].update(translation=[0, -0.6, 0]),
     "Leg 0 -0.6 -0.5"),
    (lambda d: d["nodes"][0].pop("children"), "Leg"),
    (lambda d: d["animations"][0].update(name="Walk (decoded)"),
     "Walk"),
    (lambda d: d["nodes"][0].update(extras=1e999), "JSON"),
    (lambda d: d.update(images={}), "images"),
    (lambda d: d["buffers"].append({"byteLength": 1, "uri": "gone.bin"}), "1 gone.bin"),
])
def test_another_file_is_refused(tmp_path: Path, change: object, facts: str) -> None:
    g = simple()
    case = encoded(tmp_path, g.write_glb(tmp_path))
    g.document = copy.deepcopy(g.document) | {"buffers": []}
    change(g.document)
    buffers = [{"byteLength": len(g.binary)}, *g.document["buffers"]]
    text = json.dumps(g.document | {"buffers": buffers}).replace("Infinity", "1e999").encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(g.binary), b"BIN\0") + g.binary
    other = tmp_path / "other.glb"
    other.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    ran = case.decode(tmp_path / "both.glb", "--source", other)
    assert ran.status == 1 and mentions(ran.line, other) and mentions(ran.line, facts)
    assert not (tmp_path / "both.glb").exists()


def test_the_source_is_not_written_over(tmp_path: Path) -> None:
    case = encoded(tmp_path, simple().write_glb(tmp_path))
    ran = case.decode(case.source, "--source", case.source)
    assert ran.status == 1 and mentions(ran.line, case.source)
