"""Sources with first poses, events, curves, bones without length, another up axis, or names that occur twice."""
from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from captures import HERO, hero, write_capture
from mentions import mention_each, mentions
from ossicle.importers.importer import Transfer, read_clips
from ossicle.model.clip import TRANSLATION, Imported
from ossicle.model.curves.keys import CurveKeys
from ossicle.model.events import Event
from ossicle.model.import_options import ImportOptions
from ossicle.retargeting.humanoid import RetargetProblem
from ossicle.retargeting.retarget import retarget
from running import run_inside
from schemes import SCHEMES
from walkers import over_ground, stocky

FAR_M = 5.0


def starting_elsewhere(frames: int) -> Imported:
    """Returns a walk whose first frame is in another place, with events and a curve."""
    source = over_ground("Walk")
    clip, = source.clips
    moved = np.array(clip.frames[:frames])
    moved[0, 0, TRANSLATION] += FAR_M
    last = (frames - 1) / clip.rate
    events = (Event("first", 0.0), Event("middle", 1.0 / clip.rate), Event("end", last))
    curves = {"smile": CurveKeys(np.array([0.0, last]), np.array([0.0, 1.0]))}
    return replace(source, clips=[replace(clip, frames=moved, steps=clip.steps[:frames], events=events, curves=curves)])


def test_events_and_curves_move_with_a_dropped_first_pose() -> None:
    source = starting_elsewhere(31)
    result = retarget(source, stocky())
    clip, = result.imported.clips
    assert len(clip.frames) == 30 and mention_each(result.warnings, ["first frame"])
    assert [event.name for event in clip.events] == ["middle", "end"]
    assert np.allclose([event.seconds for event in clip.events], [0.0, 29 / clip.rate])
    assert np.allclose(clip.curves["smile"].at(np.array([29 / clip.rate])), 1.0)
    assert np.allclose(clip.curves["smile"].at(np.array([14 / clip.rate])), 0.5)


def test_a_clip_of_few_frames_keeps_its_first_pose() -> None:
    clip, = retarget(starting_elsewhere(3), stocky()).imported.clips
    assert len(clip.frames) == 3


@pytest.mark.parametrize("joint", ["LeftLeg", "RightFoot"])
@pytest.mark.parametrize("is_source", [True, False])
def test_legs_have_two_bones(joint: str, is_source: bool) -> None:
    skeleton = SCHEMES["Mixamo"].skeleton()
    number = next(number for number, name in enumerate(skeleton.names) if name.endswith(joint))
    bind = skeleton.bind.copy()
    bind[number, TRANSLATION] = 0.0
    flat = Imported(replace(skeleton, bind=bind), [])
    still = replace(hero().clips[0], frames=bind[None].repeat(3, axis=0), steps=np.zeros((3, len(bind), 3), bool),
                    curve=None)
    with pytest.raises(RetargetProblem) as refused:
        retarget(replace(flat, clips=[still]) if is_source else over_ground("Walk"), stocky() if is_source else flat)
    assert mentions(str(refused.value), f"{joint} map")


def test_curves_of_the_source_have_their_rest(tmp_path: Path) -> None:
    def apply(source: Imported, character: Imported) -> Imported:
        return replace(source, clips=[replace(source.clips[0], name="other")], curves={"smile": 0.25})

    source = Path(shutil.copy(HERO, tmp_path / "source.glb"))
    found = read_clips([HERO], ImportOptions(), [Transfer([source], ImportOptions(only=("Idle",)), apply)])
    assert found.curves["smile"] == 0.25 and "other" in [clip.name for clip in found.clips]


def test_two_sources_of_one_name_need_two_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_capture(Path("walk.bvh"))
    shutil.copy(HERO, "walk.glb")
    Path("out").mkdir()
    ran = run_inside("retarget", "walk.bvh", "walk.glb", "--onto", HERO, "-o", "out")
    assert ran.status != 0 and mentions(ran.err, "walk.bvh walk.glb out/walk.glb") and not list(Path("out").iterdir())


@pytest.mark.parametrize("scale", ["0", "1e-4", "1e5", "nan"])
def test_scales_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scale: str) -> None:
    monkeypatch.chdir(tmp_path)
    write_capture(Path("walk.bvh"))
    ran = run_inside("retarget", "walk.bvh", "--onto", HERO, "-o", "x.glb", "--scale", scale)
    assert ran.status != 0 and mentions(ran.err, "--scale 0.001 1000") and not Path("x.glb").exists()


def test_a_motion_with_another_up_axis_is_a_warning() -> None:
    """The bind pose stands, and the motion lies."""
    quarter = np.array([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])
    assert any("Y up" in line for line in retarget(over_ground("Walk", turn=quarter), stocky()).warnings)
    assert not retarget(over_ground("Walk"), stocky()).warnings
