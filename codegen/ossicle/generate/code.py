"""The options of `generate` for the C of a bank."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..model.joint_sets import JointSets
from ..model.masks import Masks
from ..model.sides import Mirror


@dataclass(frozen=True)
class Code:
    """The code to generate. name: the C identifier with which all generated names begin; None: after the bank's file.
    embed: whether to generate the bank, too, or embedding.BASE, the bank without its tiers. unroll: the layout, see
    unrolling.parse_unroll. sets: the joints with functions of their own, as patterns by the name of their set.
    matrices, rigid: the skinning matrices, see skin_plan.plan_skin. fast_rows: whether the header asks for
    OSC_FAST_ROWS if the bank has curve clips, which alone have such rows. cold: the codecs that the header names as
    too large for fast memory, see placement.cold_codecs. masks: see masks.Mask. mirror: see mirror_plan.plan_mirror."""

    name: str | None = None
    embed: bool | str = False
    unroll: Sequence[str] = ()
    sets: JointSets | None = None
    matrices: str | None = None
    rigid: bool = False
    fast_rows: bool = False
    cold: Sequence[str] = ()
    masks: Masks | None = None
    mirror: Mirror | None = None
