"""Left and right by the positions of joints."""
from __future__ import annotations

import numpy as np
import pytest
from ossicle.retargeting.joints.facing import agreement

PARTS = ("upper_leg", "lower_leg", "foot")
JOINTS = {f"{side}_{part}": 3 * number + at for number, side in enumerate(("left", "right"))
          for at, part in enumerate(PARTS)} | {"left_upper_arm": 6, "right_upper_arm": 7}


@pytest.mark.parametrize(("knee", "agreed"), [(0.0, 0.0), (0.1, 1.0), (-0.1, -1.0)])
def test_only_a_bent_knee_tells(knee: float, agreed: float) -> None:
    """The legs lean, and are otherwise straight. Left is x, ahead z; knee: how far its joint is ahead."""
    positions = [(x, 1.0 - height, 0.5 * height + (knee if height == 0.5 else 0.0))
                 for x in (0.1, -0.1) for height in (0.0, 0.5, 1.0)] + [(0.1, 1.5, 0.0), (-0.1, 1.5, 0.0)]
    assert agreement(JOINTS, np.array([positions])) == agreed
