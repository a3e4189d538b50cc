"""`ossicle decode --source`: the curves of a bank as weights of the morph targets of its source."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from curve_files import FPS, add_mesh, nod, wave, weighted, weights
from gltf_reader import Gltf, sample

from ossicle.cli.main import main
from ossicle.importers.importer import read_clips
from ossicle.model.import_options import ImportOptions

FRAMES = 31
TOLERANCE = 1 / 256  # of a curve
ROUNDING = 1e-5
CHANGE_S = 0.5 / FPS  # a jump between two frames is at the later one


def run(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    status = main([str(word) for word in words])
    captured = capsys.readouterr()
    assert not status, captured.err
    return captured.err


def weights_at(file: Gltf, animation: str, node: int, times: np.ndarray) -> np.ndarray:
    """The weights [T, targets] of a node, by another reader."""
    found = next(item for item in file.animations if item["name"] == animation)
    (sampler,) = [found["samplers"][channel["sampler"]] for channel in found["channels"]
                  if channel["target"] == {"node": node, "path": "weights"}]
    keys = file.values(sampler["input"])[:, 0]
    rows = file.values(sampler["output"]).reshape(len(keys), -1)
    return sample("weights", sampler.get("interpolation", "LINEAR"), keys, rows, times)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A face whose three targets slide, jump and rest; teeth with other values under the same name; and a prop
    whose target nothing moves."""
    monkeypatch.chdir(tmp_path)
    g, face = weighted(["smile", "blink", "frown"], [0.25, 0.0, 0.5])
    teeth, prop = add_mesh(g, ["smile"], node="Teeth"), add_mesh(g, ["blink"], node="Prop")
    for node in (teeth, prop):
        g.document["nodes"][0]["children"].append(node)
    jumps = (np.arange(FRAMES) >= 12.0) * 1.0
    values = np.stack([wave(FRAMES, 0), jumps, np.full(FRAMES, 0.5)], axis=1)
    keys = np.insert(np.arange(FRAMES) / FPS, 12, 12 / FPS - 1e-4)
    g.animation("Walk", nod(FRAMES), weights(face, np.insert(values, 12, values[11], axis=0), keys.tolist()),
                weights(teeth, wave(FRAMES, 2)))
    g.animation("Still", nod(4))
    g.write_glb(tmp_path)
    (tmp_path / "walk.csv").write_text("time,lamp\n0,0\n1,1\n", encoding="utf-8")
    (tmp_path / "hero.toml").write_text('inputs = ["hero.glb"]\n[clips."Walk"]\ncurves = "walk.csv"\n',
                                        encoding="utf-8")
    return tmp_path


def test_weights_of_decoded_clips(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "encode", "--config", "hero.toml", "hero.glb", "-o", "hero.ossb", "--effort", "fast", "--quiet")
    output = run(capsys, "decode", "hero.ossb", "--source", "hero.glb", "-o", "both.glb")
    assert "lamp" in output and "smile" not in output and "blink" not in output
    file = Gltf(folder / "both.glb")
    face, teeth, prop = 2, 3, 4
    times = np.arange(2 * FRAMES - 1) / (2 * FPS)
    times = times[np.abs(times - 12 / FPS) > CHANGE_S * 1.01]
    for node in (face, teeth):
        theirs, ours = (weights_at(file, name, node, times) for name in ("Walk", "Walk (decoded)"))
        assert np.abs(theirs - ours).max() <= TOLERANCE + ROUNDING
    at = 12 / FPS + np.array([-1e-3, 1e-6])
    assert weights_at(file, "Walk (decoded)", face, at)[:, 1] == pytest.approx([0.0, 1.0], abs=TOLERANCE + 1e-3)
    still = weights_at(file, "Still (decoded)", face, np.array([0.0, 0.1]))
    assert np.allclose(still, [0.25, 0.0, 0.5], atol=TOLERANCE)
    for animation in file.animations:
        assert all(channel["target"]["node"] != prop for channel in animation["channels"])


def test_decoded_weights_are_encoded_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "encode", "hero.glb", "-o", "hero.ossb", "--effort", "fast", "--quiet")
    assert run(capsys, "decode", "hero.ossb", "--source", "hero.glb", "-o", "both.glb") == ""
    curves = read_clips([folder / "both.glb"], ImportOptions(only=("Walk*",))).clips
    first, second = (clip.curves for clip in curves)
    times = np.arange(FRAMES) / FPS
    assert set(first) >= {"Face.smile", "Teeth.smile", "blink"} and set(second) == set(first)
    for name, keys in first.items():
        assert np.abs(second[name].at(times, 1e-4) - keys.at(times, 1e-4)).max() <= TOLERANCE + ROUNDING, name
