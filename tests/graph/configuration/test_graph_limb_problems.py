"""Limbs of a configuration file: what they become, and what is refused, by messages with the key and the remedy."""
from __future__ import annotations

import json
from pathlib import Path

import pytest
from graph_walker import write_walker
from mentions import mentions
from ossicle.bank.file import read_bank
from ossicle.bank.graph.records import ONE_Q15
from running import run_inside

ONE_Q20 = 1 << 20
GRAPH = """\
[graph]
start = "walk"
[graph.parameters]
goal = "world point"
speed = { range = [0.0, 6.0] }
[graph.states]
walk = { play = "Walk" }
"""
LEG = """\
[graph.limbs.leg]
joints = ["thigh_l", "shin_l", "foot_l"]
lock = "foot_l_planted"
"""


@pytest.mark.parametrize(("old", "new", "facts"), [
    ("joints", "joins", "limbs.leg 'joins' 'joints'"),
    ('joints = ["thigh_l", "shin_l", "foot_l"]\n', "", "limbs.leg joints add"),
    ('"thigh_l", ', "", "limbs.leg joints 'shin_l' start middle end"),
    ('"shin_l"', "3", "limbs.leg joints 3 start middle end"),
    ('"shin_l"', '"shim_l"', "limbs.leg joints 'shim_l' 'shin_l'"),
    ('"shin_l"', '"shin_r"', "limbs.leg joints shin_r thigh_l below"),
    ('"thigh_l", "shin_l"', '"shin_l", "thigh_l"', "limbs.leg joints thigh_l shin_l below"),
    ('"foot_l"', '"shin_l"', "limbs.leg joints shin_l below"),
    ('lock = "foot_l_planted"\n', "", "limbs.leg to lock"),
    ("lock", 'to = "goal"\nlock', "limbs.leg to lock"),
    ("foot_l_planted", "foot_l_planned", "limbs.leg lock 'foot_l_planned' 'foot_l_planted'"),
    ('"foot_l_planted"', "7", "limbs.leg lock 7 span"),
    ('lock = "foot_l_planted"', 'to = "gaol"', "limbs.leg to 'gaol' 'goal'"),
    ('lock = "foot_l_planted"', 'to = "speed"', "limbs.leg to 'speed' number point"),
    ("lock", 'pole = "speed"\nlock', "limbs.leg pole 'speed' number point"),
    ("lock", 'bend = "w"\nlock', "limbs.leg bend 'w' axis"),
    ("lock", "soften = 0\nlock", "limbs.leg soften 0 0.95"),
    ("lock", "soften = 1.5\nlock", "limbs.leg soften 1.5 0.95"),
    ("lock", "weight = 2\nlock", "limbs.leg weight 2"),
    ("lock", 'weight = "speed"\nlock', "limbs.leg weight 'speed' [0.0, 1.0]"),
    ("lock", 'fade = "17s"\nlock', "limbs.leg fade '17s' 16.7772"),
    ('["thigh_l", "shin_l", "foot_l"]\nlock = "foot_l_planted"',
     '["upper_arm", "lower_arm", "hand"]\nto = "goal"', "limbs.leg straight bend lower_arm"),
    (LEG, "[graph]\nlimbs = 3\n", "limbs 3"),
    ("[graph.limbs.leg]", '[graph.limbs."a b"]', "limbs 'a b'"),
    (LEG, "".join(LEG.replace(".leg", f".leg{at}") for at in range(9)), "limbs 9 8"),
])
def test_a_limb_that_is_refused(tmp_path: Path, old: str, new: str, facts: str) -> None:
    graph = GRAPH.replace("[graph]\n", "[graph]\nlimbs = 3\n") if "limbs = 3" in new else GRAPH + LEG.replace(old, new)
    ran = run_inside("build", write_walker(tmp_path, graph), "--quiet")
    assert ran.status == 1, ran.err
    assert mentions(ran.err.splitlines()[-1], f"hero.toml [graph] {facts}"), ran.err


def test_a_lock_needs_a_span_of_the_base(tmp_path: Path) -> None:
    """Not a mark, and not nothing at all."""
    path = write_walker(tmp_path, GRAPH + LEG)
    text = path.read_text(encoding="utf-8")
    spans = 'contact_spans = ["foot_l", "foot_r"]\n'
    for other, facts in (('contacts = { foot_l = "foot_l_planted" }\n', "'foot_l_planted' mark contact_spans"),
                         ("", "'foot_l_planted' contact_spans = true")):
        path.write_text(text.replace(spans, other), encoding="utf-8")
        ran = run_inside("build", path, "--quiet")
        assert ran.status == 1 and mentions(ran.err.splitlines()[-1], f"hero.toml [graph] limbs.leg lock {facts}"), \
            ran.err


def test_what_a_limb_becomes(tmp_path: Path) -> None:
    arm = """\
[graph.limbs.arm]
joints = ["upper_arm", "lower_arm", "hand"]
to = "goal"
pole = "goal"
bend = "-y"
soften = 0.5
weight = 0.25
fade = "1s"
"""
    ran = run_inside("build", write_walker(tmp_path, GRAPH + LEG + arm), "--quiet")
    assert ran.status == 0, ran.err
    bank = read_bank(tmp_path / "hero.ossb")
    assert bank.graph is not None
    leg, arm_limb = bank.graph.limbs
    names = [joint.name for joint in bank.joints]
    assert [names[joint] for joint in leg.joints] == ["thigh_l", "shin_l", "foot_l"]
    assert leg.point is None and bank.events.names[leg.span] == "foot_l_planted"
    assert leg.axis_q20 == (-ONE_Q20, 0, 0) or leg.axis_q20 == (ONE_Q20, 0, 0)
    assert leg.most_q20 == pytest.approx(0.45 * ONE_Q20, rel=0.01) and leg.fade_us == 150_000
    assert (leg.soften_q15, leg.weight_q15, leg.weight_parameter, leg.pole) == (ONE_Q15, ONE_Q15, None, None)
    goal = [parameter.name for parameter in bank.graph.parameters].index("goal")
    assert (arm_limb.point, arm_limb.pole, arm_limb.axis_q20) == (goal, goal, (0, -ONE_Q20, 0))
    assert (arm_limb.soften_q15, arm_limb.weight_q15, arm_limb.fade_us) == (ONE_Q15 // 2, ONE_Q15 // 4, 1_000_000)
    shown = run_inside("inspect", tmp_path / "hero.ossb", "--json")
    assert json.loads(shown.out)["graph"]["limbs"] == [
        {"name": "leg", "joints": ["thigh_l", "shin_l", "foot_l"], "lock": "foot_l_planted"},
        {"name": "arm", "joints": ["upper_arm", "lower_arm", "hand"], "to": "goal"}]
