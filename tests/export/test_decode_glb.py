"""`ossicle decode BANK -o OUT.glb`: other programs read the poses that the runtime plays."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from exported import ARM, BEAT, HAND, HIPS, REST, ROUND_TRIP_M, Encoded, encoded, models_of, off_m, times_of
from gltf_builder import GltfBuilder, simple, turn
from gltf_reader import Gltf
from ossicle.importers.importer import read_clips
from ossicle.model.shell import shell_errors
from running import run_inside
from mentions import mentions

LINEAR, STEP = "LINEAR", "STEP"
BEFORE = 1.0 / 512.0  # of a frame: the value of the frame before holds until then at least


def check_container(path: Path) -> Gltf:
    """Reads a file. AssertionError where its parts do not fit each other."""
    data, file = path.read_bytes(), Gltf(path)
    document = file.document
    assert int.from_bytes(data[8:12], "little") == len(data) and len(data) % 4 == 0
    assert [kind for kind, _ in file.chunks] == [b"JSON", b"BIN\0"]
    assert all(len(content) % 4 == 0 for _, content in file.chunks)
    buffer, = document["buffers"]
    assert "uri" not in buffer and 0 <= len(file.chunks[1][1]) - buffer["byteLength"] < 4
    for view in document["bufferViews"]:
        assert view["byteOffset"] + view["byteLength"] <= buffer["byteLength"]
    for number, accessor in enumerate(document["accessors"]):
        view = document["bufferViews"][accessor["bufferView"]]
        assert accessor["byteOffset"] % 4 == 0
        assert accessor["byteOffset"] + file.array(number).nbytes <= view["byteLength"]
    for animation in file.animations:
        for sampler in animation["samplers"]:
            keys, times = document["accessors"][sampler["input"]], file.array(sampler["input"])[:, 0]
            assert keys["min"] == [times[0]] == [0.0] and keys["max"] == [times[-1]]
            assert (np.diff(times) > 0).all() and len(file.array(sampler["output"])) == len(times)
        targets = [(c["target"]["node"], c["target"]["path"]) for c in animation["channels"]]
        assert targets and len(set(targets)) == len(targets)
    return file


@pytest.mark.parametrize("name", ["hero", "actions", "odd"])
@pytest.mark.parametrize("extra", [(), ("--midpoints",)])
def test_every_pose_is_the_one_that_is_played(request: pytest.FixtureRequest, tmp_path: Path, name: str,
                                              extra: tuple[str, ...]) -> None:
    case: Encoded = request.getfixturevalue(name)
    file = check_container(case.decoded(tmp_path / "out.glb", *extra))
    assert [animation["name"] for animation in file.animations] == [clip["name"] for clip in case.summary["clips"]]
    for clip in case.summary["clips"]:
        played = case.played(tmp_path, clip["name"], *extra)
        models = models_of(file, played.names, clip["name"], times_of(played))
        assert off_m(played, models) <= ROUND_TRIP_M


def test_nodes_are_the_joints_in_their_bind_pose(actions: Encoded, tmp_path: Path) -> None:
    file = check_container(actions.decoded(tmp_path / "out.glb"))
    played = actions.played(tmp_path, "Action_0")
    assert [node["name"] for node in file.nodes] == played.names
    assert [file.parents.get(number, -1) for number in range(len(file.nodes))] == played.parents
    rest = [[*node["rotation"], *node["translation"], *node["scale"]] for node in file.nodes]
    assert np.array_equal(np.array(rest, np.float32), played.bind)
    skin, = file.document["skins"]
    assert skin["joints"] == list(range(len(file.nodes)))
    undone = file.values(skin["inverseBindMatrices"]).reshape(-1, 4, 4).swapaxes(1, 2)
    at_rest = np.stack(file.models(None, np.zeros(1)), 1)[0]
    assert np.abs(at_rest @ undone - np.eye(4)).max() < 1e-5


def test_skin_matrices_are_those_of_the_bank(hero: Encoded, tmp_path: Path) -> None:
    case = encoded(tmp_path, hero.source, "--clips", "Walk", "--skin-matrices")
    file, source = Gltf(case.decoded(tmp_path / "out.glb")), Gltf(hero.source)
    ours, theirs = ({f.nodes[joint]["name"]: matrix for joint, matrix in zip(
        f.document["skins"][0]["joints"], f.values(f.document["skins"][0]["inverseBindMatrices"]))}
        for f in (file, source))
    assert all(np.abs(ours[name] - theirs[name]).max() < 1e-6 for name in theirs)


@pytest.mark.parametrize("extra", [(), ("--midpoints",)])
@pytest.mark.parametrize("name", ["hero", "actions", "odd"])
def test_breaks_are_not_smeared(request: pytest.FixtureRequest, tmp_path: Path, name: str,
                                extra: tuple[str, ...]) -> None:
    """Just before a break a track has the value of the frame before, at it the new one."""
    case: Encoded = request.getfixturevalue(name)
    file, seen = Gltf(case.decoded(tmp_path / "out.glb", *extra)), 0
    samples = 2 if extra else 1
    for clip in case.summary["clips"]:
        played = case.played(tmp_path, clip["name"], *extra)
        animation, = [item for item in file.animations if item["name"] == clip["name"]]
        for broken in clip["breaks"]:
            frame, joint = samples * broken["frame"], played.names.index(broken["joint"])
            part = {"rotation": slice(0, 4), "translation": slice(4, 7), "scale": slice(7, 10)}[broken["kind"]]
            at = file.locals(animation, np.array([frame - 1, frame - BEFORE, frame]) / played.rate)[joint]
            found, wanted = at[broken["kind"]], played.frames[[frame - 1, frame - 1, frame], joint, part]
            sign = np.where((found * wanted).sum(1) < 0, -1, 1)[:, None] if broken["kind"] == "rotation" else 1
            assert np.abs(found - sign * wanted).max() < 2e-6
            seen += 1
    assert seen > 0


def test_a_track_that_only_steps_has_keys_where_it_steps(odd: Encoded, tmp_path: Path) -> None:
    file = Gltf(odd.decoded(tmp_path / "out.glb", "--clip", BEAT))
    keys = {(file.nodes[node]["name"], path): (mode, times * 30) for node, path, mode, times, _
            in file.samplers(file.animations[0])}
    assert set(keys) == {(HIPS, "translation"), (ARM, "rotation"), (HAND, "scale")}
    mode, frames = keys[ARM, "rotation"]
    assert mode == STEP and frames == pytest.approx([0, 4, 9, 12])
    mode, frames = keys[HIPS, "translation"]
    assert mode == LINEAR and len(frames) == 13 + 1 and 5 - BEFORE < frames[5] < 5 == round(frames[6])
    mode, frames = keys[HAND, "scale"]
    assert mode == LINEAR and frames == pytest.approx(range(13))


def test_a_motionless_clip_states_the_joints_that_others_move(odd: Encoded, tmp_path: Path) -> None:
    """For programs that keep the last pose when another clip is chosen. It lasts as long as in the bank."""
    file = Gltf(odd.decoded(tmp_path / "out.glb"))
    still = [len(times) for _, _, _, times, _ in file.samplers(file.animations[1])]
    assert sorted(still) == [2, 2, 13]  # the longest tells the rate
    assert file.duration_s(file.animations[1]) == pytest.approx(12 / 30)
    alone = Gltf(odd.decoded(tmp_path / "still.glb", "--clip", REST))
    (node, path, _, times, rows), = alone.samplers(alone.animations[0])
    assert (node, path, len(times)) == (0, "rotation", 13) and np.array_equal(rows, [alone.nodes[0]["rotation"]] * 13)


def test_names_survive(odd: Encoded, tmp_path: Path) -> None:
    again = read_clips([odd.decoded(tmp_path / "out.glb")])
    assert again.skeleton.names == (HIPS, ARM, HAND)
    assert [clip.name for clip in again.clips] == [BEAT, REST]


@pytest.mark.parametrize(("name", "loops"), [("hero", ("--loop", "Walk")), ("actions", ()), ("odd", ())])
def test_encoding_again_gives_the_same_clips(request: pytest.FixtureRequest, tmp_path: Path, name: str,
                                             loops: tuple[str, ...]) -> None:
    case: Encoded = request.getfixturevalue(name)
    out = case.decoded(tmp_path / "again.glb")
    imported = read_clips([out])
    assert not imported.warnings
    for clip in imported.clips:
        played = case.played(tmp_path, clip.name)
        assert clip.rate == pytest.approx(played.rate) and len(clip.frames) == len(played.frames)
        assert shell_errors(imported.skeleton.parents, played.frames.astype(float), clip.frames,
                            0.03).max() <= ROUND_TRIP_M
    again = encoded(tmp_path, out, *loops, "--tolerance", "0.1mm")
    alike = ("name", "frames", "rate", "loop", "breaks")
    assert [[clip[key] for key in alike] for clip in again.summary["clips"]] == [
        [clip[key] for key in alike] for clip in case.summary["clips"]]


def test_clips_are_chosen(hero: Encoded, tmp_path: Path) -> None:
    out = tmp_path / "two.GLB"
    ran = hero.decode(out, "--clip", "Spin", "--clip", "Walk", "--clip", "Spin")
    assert mentions(ran.out, f"{out} 2 104")
    assert [animation["name"] for animation in Gltf(out).animations] == ["Spin", "Walk"]
    first = out.read_bytes()
    hero.decoded(out, "--clip", "Spin", "--clip", "Walk")
    assert out.read_bytes() == first


def test_several_roots_have_a_node_above(tmp_path: Path) -> None:
    g = GltfBuilder()
    for name, place in (("a", 0.0), ("b", 0.5)):
        g.node(name, translation=[place, 0, 0])
    g.animation("two", *((node, "rotation", [0, 0.04], [turn("z", 0), turn("z", 10)], "LINEAR") for node in (0, 1)))
    case = encoded(tmp_path, g.write_glb(tmp_path))
    file = check_container(case.decoded(tmp_path / "out.glb"))
    top, = file.document["scenes"][0]["nodes"]
    assert file.nodes[top]["children"] == [0, 1] and file.document["skins"][0]["joints"] == [0, 1]
    played = case.played(tmp_path, "two")
    assert off_m(played, models_of(file, ["a", "b"], "two", times_of(played))) <= ROUND_TRIP_M


def test_a_bind_pose_without_an_inverse(tmp_path: Path) -> None:
    g = simple()
    g.document["nodes"][1]["scale"] = [0, 0, 0]
    case = encoded(tmp_path, g.write_glb(tmp_path))
    file = check_container(case.decoded(tmp_path / "out.glb"))
    assert "inverseBindMatrices" not in file.document["skins"][0]


@pytest.mark.parametrize(("out", "arguments", "facts"), [
    ("x.fbx", (), "x.fbx .fbx .bvh"),
    ("x.bvh", (), "bank.ossb 3 {out} --clip .glb"),
    ("x.rawclip", ("--clip", "Walk", "--clip", "Spin"), "bank.ossb 2 {out}"),
    ("x.glb", ("--clip", "Wlk"), "bank.ossb Wlk Walk"),
    ("x.glb", ("--scale", "0.01"), "--config --scale --up --ancestors --socket --outside --source"),
    ("x.bvh", ("--clip", "Walk", "--source", "hero.glb"), "--source glTF .glb"),
    ("x.glb", ("--source", "walk.bvh"), "--source walk.bvh .glb .gltf .vrm .vrma"),
    ("x.glb", ("--source", "nowhere.glb"), "nowhere.glb No such file or directory"),
])
def test_what_cannot_be_written(hero: Encoded, tmp_path: Path, out: str, arguments: tuple[str, ...],
                                facts: str) -> None:
    ran = hero.decode(tmp_path / out, *arguments)
    assert ran.status == 1 and mentions(ran.line, facts.format(out=tmp_path / out))
    assert not list(tmp_path.iterdir())


def test_the_only_clip_needs_no_name(odd: Encoded, tmp_path: Path) -> None:
    case = encoded(tmp_path, odd.source, "--clips", REST)
    assert mentions(case.decode(tmp_path / "a.rawclip").out, "a.rawclip 13")
    assert run_inside("inspect", tmp_path / "a.rawclip").status == 1
