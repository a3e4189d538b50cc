"""Packs the table for mirrored poses, for characters that play without generated code."""
from __future__ import annotations

from ..bank.file import Bank
from .plans.mirror import plan_mirror


def mirror_words(bank: Bank) -> list[int]:
    """Returns the words for enc_character_open (encoder.h), none for a bank without mirror images. Raises
    SettingProblem."""
    plan = plan_mirror(bank, [str(joint) for joint in range(len(bank.joints))], None)
    if plan is None:
        return []
    pairs = [pair for group in plan.groups for pair in (*group.pairs, *((joint, joint) for joint in group.middle))]
    return [len(plan.groups), len(pairs), len(plan.turned), len(plan.turns),
            *(word for group in plan.groups for word in (group.axis, len(group.pairs), len(group.middle))),
            *(int(joint) for pair in pairs for joint in pair),
            *(word for one in plan.turned for word in (int(one.joint), int(one.partner), one.turn, one.back)),
            *(word for rotation, translation in plan.turns for word in (*rotation, *translation))]
