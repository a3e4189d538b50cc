"""The limit of the evaluator (runtime/SPEC.md section 5): squared chords of rows that blend are below it.
As in chord_limit.h."""
from __future__ import annotations

CHORD_LIMIT_Q20 = 3 << 18
_HALF = 1 << 19
# Steps of x y z w whose squared chord is one below the limit, the limit, and one above.
CHORD_LIMIT_STEPS = {-1: (_HALF - 32, _HALF, _HALF, 180 << 5), 0: (_HALF, _HALF, _HALF, 0),
                     1: (_HALF, _HALF, _HALF, 32 << 5)}
