"""Costs of joints, tracks and clips sum to the bank; joints that carry nothing are found."""
from __future__ import annotations

import pytest
from bank_writer import Clip, Constant, Skeleton, write_bank
from samples.sample_banks import IDENTITY, Sample
from test_bits import SAMPLES

from ossicle.analysis.bits import bits_of
from ossicle.analysis.costs import beside_clips, beside_joints, beside_tracks, idle_joints, joint_costs, track_costs
from ossicle.bank.file import Bank, parse_bank

# hips carry, spine does not, hand does; the control and its tip do not; nothing is known of the sword
PARENTS = {"hips": -1, "spine": 0, "hand": 1, "control": 0, "tip": 3, "mount": 0, "sword": 5}
CARRYING = {"hips": True, "spine": False, "hand": True, "control": False, "tip": False, "mount": False}


@pytest.fixture
def bank() -> Bank:
    """Two clips in which the hand is turned, and one in which the tip is."""
    skeleton = Skeleton(list(PARENTS.values()), [[*IDENTITY, 0, 0, 0]] * len(PARENTS), ([2, 4], [], []),
                        names=list(PARENTS))
    return parse_bank(write_bank(skeleton, [
        Clip(2, name=name, constants=[Constant(subtrack, 10, (1, 2, 3))])
        for name, subtrack in (("one", 0), ("two", 0), ("three", 1))]))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_lists_sum_to_the_bank(sample: Sample) -> None:
    bank = parse_bank(sample.bank)
    bits = bits_of(bank)
    for parts, beside in ((joint_costs(bank, bits, {}), beside_joints(bits)),
                          (track_costs(bank, bits), beside_tracks(bits))):
        assert sum(part.bits for part in parts) + sum(beside.values()) == 8 * bank.size_bytes
    assert sum(clip.total for clip in bits.clips) + sum(beside_clips(bits).values()) == 8 * bank.size_bytes


def test_joints_sum_up_their_tracks(bank: Bank) -> None:
    bits = bits_of(bank)
    costs = {cost.name: cost for cost in joint_costs(bank, bits, CARRYING)}
    tracks = track_costs(bank, bits)
    assert [(track.clip, track.joint, track.kind) for track in tracks] == [
        ("one", "hand", "rotation"), ("two", "hand", "rotation"), ("three", "tip", "rotation")]
    assert costs["hand"].bits == bits.joints[2].total + sum(track.bits for track in tracks[:2])
    assert costs["hand"].clips == {"rotation": 2, "translation": 0, "scale": 0}
    assert costs["control"].with_below_bits == costs["control"].bits + costs["tip"].bits
    assert costs["hips"].with_below_bits == sum(cost.bits for cost in costs.values())
    assert costs["sword"].carries is None and costs["spine"].carries is False


def test_a_joint_is_idle_where_nothing_below_may_carry_something(bank: Bank) -> None:
    bits = bits_of(bank)
    idle = idle_joints(bank, joint_costs(bank, bits, CARRYING))
    assert [cost.name for cost in idle] == ["control", "tip"]
    assert idle_joints(bank, joint_costs(bank, bits, {})) == []
