"""The track records of a delta clip: one word a track (osc_delta_valid, SPEC.md section 3.2)."""
from __future__ import annotations

from collections.abc import Sequence

from ..base.format import field, number
from .words import BankProblem, Track

PACKING_MOVING = number("PACKING_MOVING")
PACKING_VECTOR = number("PACKING_VECTOR")
PACKING_SKIP = number("PACKING_SKIP")
ROTATION_SHIFT_MAX = number("ROTATION_SHIFT_MAX")


def parse_delta(stream: Sequence[int], header_bits: int, lanes: int, rotation_lanes: int
                ) -> tuple[tuple[Track, ...], int]:
    """The tracks by lane and the words of state that they need: none. stream: the words of a clip,
    which begins with the records. BankProblem."""
    if header_bits % 32:
        raise BankProblem(f"has {header_bits} bits of track records, which are no whole words")
    tracks = []
    lane = 0
    for record in stream[:header_bits // 32]:
        shift, packing = field("TRACK_SHIFT", record), field("TRACK_PACKING", record)
        lane += field("TRACK_GAP", record)
        if packing == PACKING_SKIP:
            continue
        if lane >= lanes or packing > PACKING_VECTOR:
            raise BankProblem(f"has a track on lane {lane} of {lanes} with packing {packing}")
        rotation = lane < rotation_lanes
        if rotation != (packing <= PACKING_MOVING) or rotation and shift > ROTATION_SHIFT_MAX:
            raise BankProblem(f"has packing {packing} and shift {shift} on lane {lane}, "
                              f"a {'rotation' if rotation else 'vector'}")
        tracks.append(Track(lane, packing))
        lane += 1
    return tuple(tracks), 0
