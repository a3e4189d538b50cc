/* SPDX-License-Identifier: MIT */
/* Four rotations, one vector each. */
#ifndef OSC_VECTOR_BLEND_4_H
#define OSC_VECTOR_BLEND_4_H

#include "osc_vector_blend.h"

static inline void osc_blend_4_rotations(const int32_t *left, const int32_t *right,
                                         const uint32_t *chords_q20, osc_blend blend,
                                         osc_quaternion *out0, osc_quaternion *out1,
                                         osc_quaternion *out2, osc_quaternion *out3)
{
    osc_v4 r = osc_v4_renormalisers(osc_v4_load((const int32_t *)chords_q20), blend);
    osc_v4_rotation(left, right, osc_v4_lane(r, 0), blend, out0);
    osc_v4_rotation(left + 4, right + 4, osc_v4_lane(r, 1), blend, out1);
    osc_v4_rotation(left + 8, right + 8, osc_v4_lane(r, 2), blend, out2);
    osc_v4_rotation(left + 12, right + 12, osc_v4_lane(r, 3), blend, out3);
}

#endif
