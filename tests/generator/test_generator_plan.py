"""Decisions of the plan: offsets of subtracks, format of bind values, counts."""
from __future__ import annotations

from bank_builder import ONE_Q20, SkeletonSpec, bank_bytes, biped, random_skeleton

from ossicle.bank.file import parse_bank
from ossicle.generate.code import Code
from ossicle.generate.plan import Plan, make_plan

REST = (0, 0, 0, ONE_Q20)


def plan_of(spec: SkeletonSpec) -> Plan:
    return make_plan(parse_bank(bank_bytes(spec, [])), Code("hero"))


def translations(lengths: list[int], subtracks: set[int]) -> Plan:
    """A chain whose joint j stands at (lengths[j], 0, 0)."""
    count = len(lengths)
    return plan_of(SkeletonSpec([f"J{j}" for j in range(count)], list(range(-1, count - 1)),
                                [(*REST, length, 0, 0) for length in lengths], (set(range(count)), subtracks, set())))


def test_subtracks_lie_in_the_row_as_the_format_says() -> None:
    spec = random_skeleton(8, 1, has_scale=True)
    spec.subtracks = ({1, 4, 7}, {0, 4}, {2})
    spec.max_held = 4
    plan = plan_of(spec)
    assert [(step.joint, step.subtrack, step.offset) for step in plan.subtracks["rotation"]] == [
        ("HERO_JOINT_BONE001", 0, 0), ("HERO_JOINT_BONE004", 1, 4), ("HERO_JOINT_BONE007", 2, 8)]
    assert [(step.joint, step.offset) for step in plan.subtracks["translation"]] == [
        ("HERO_JOINT_BONE000", 12), ("HERO_JOINT_BONE004", 15)]
    assert [(step.joint, step.offset) for step in plan.subtracks["scale"]] == [("HERO_JOINT_BONE002", 18)]
    assert (plan.row_words, plan.player_words) == (21, 2 * 21 + 3 + 5 * 4)
    assert (plan.pose_bytes, plan.model_bytes) == (8 * 40, 8 * 48)


def test_a_player_of_nothing_still_has_an_array() -> None:
    plan = plan_of(random_skeleton(3, 1, density=0.0))
    assert (plan.row_words, plan.player_words, plan.memory_words) == (0, 0, 1)
    assert plan.helpers == {"compose_child"}


def test_different_values_are_copied_in_runs() -> None:
    plan = translations([1, 2, 3, 4, 5, 6, 7], subtracks={3})
    assert [(step.how, step.joint, step.count, step.entry) for step in plan.bind_steps] == [
        ("copy", "HERO_JOINT_J0", 3, 0), ("copy", "HERO_JOINT_J4", 3, 3)]
    assert [entry.values[0] for entry in plan.bind_vectors] == [1, 2, 3, 5, 6, 7]


def test_equal_values_are_filled_from_one_entry() -> None:
    plan = translations([9, 9, 9, 9, 1, 2, 3, 5, 5, 5], subtracks=set())
    assert [(step.how, step.count, step.entry) for step in plan.bind_steps] == [
        ("fill", 4, 0), ("copy", 3, 1), ("fill", 3, 4)]
    assert len(plan.bind_vectors) == 5
    assert plan.bind_steps[0].comment == "J0 to J3"


def test_short_runs_are_assigned_and_share_entries() -> None:
    plan = translations([7, 8, 0, 7, 0, 8], subtracks={2, 4})
    assert [(step.how, step.joint, step.entry) for step in plan.bind_steps] == [
        ("assign", "HERO_JOINT_J0", 0), ("assign", "HERO_JOINT_J1", 1),
        ("assign", "HERO_JOINT_J3", 0), ("assign", "HERO_JOINT_J5", 1)]
    assert plan.helpers == {"compose_child"}


def test_two_equal_values_are_no_run() -> None:
    plan = translations([7, 7, 0, 8, 8, 0, 9, 9, 9], subtracks={2, 5})
    assert [(step.how, step.count) for step in plan.bind_steps] == [
        ("assign", 1), ("assign", 1), ("assign", 1), ("assign", 1), ("fill", 3)]


def test_every_joint_is_composed_after_its_parent() -> None:
    plan = plan_of(biped())
    done: set[str] = set()
    for step in plan.compose:
        assert step.parent is None or step.parent in done
        done.add(step.joint)
    assert len(done) == 18 and [step.joint for step in plan.compose if step.parent is None] == ["HERO_JOINT_HIPS"]
