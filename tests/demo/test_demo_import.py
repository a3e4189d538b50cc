"""The demo character goes through the project's own importer unchanged."""
from __future__ import annotations

from pathlib import Path

import demo_glb
import numpy as np

from ossicle.importers.importer import read_clips
from ossicle.model.clip import ROTATION, TRANSLATION

HERO = Path(__file__).resolve().parents[2] / "codegen" / "demo" / "hero.glb"
RATE_HZ = 30


def test_the_importer_reads_the_skeleton_without_a_warning() -> None:
    hero, imported = demo_glb.Glb(HERO), read_clips([HERO])
    assert imported.warnings == []
    assert list(imported.skeleton.names) == hero.names
    inverse = hero.array(hero.document["skins"][0]["inverseBindMatrices"])
    assert np.allclose(imported.skeleton.inverse_bind, inverse.reshape(-1, 4, 4).transpose(0, 2, 1), atol=1e-6)


def test_the_importer_samples_every_clip_as_the_specification_does() -> None:
    hero, imported = demo_glb.Glb(HERO), read_clips([HERO])
    assert [clip.name for clip in imported.clips] == [clip["name"] for clip in hero.document["animations"]]
    for clip in imported.clips:
        assert clip.rate == RATE_HZ
        for frame in range(0, len(clip.frames), 4):
            pose = hero.pose(hero.clip(clip.name), frame / RATE_HZ)
            for joint, row in zip(imported.skeleton.names, clip.frames[frame]):
                rotation, translation = pose[joint]
                where = f"{clip.name}, frame {frame}, {joint}"
                assert abs(abs(row[ROTATION] @ rotation) - 1) < 1e-6, where
                assert np.allclose(row[TRANSLATION], translation, atol=1e-6), where


def test_only_the_semaphore_arms_step() -> None:
    imported = read_clips([HERO])
    for clip in imported.clips:
        frames, joints, kinds = np.nonzero(clip.steps)
        stepping = {imported.skeleton.names[j] for j in joints}
        if clip.name != "Signal":
            assert not stepping, clip.name
            continue
        assert stepping == {"left_upper_arm", "right_upper_arm"}
        assert set(kinds) == {0} and set(frames) <= {15, 30, 45, 60, 75}
        assert len(set(frames)) >= 4
