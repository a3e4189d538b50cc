/* SPDX-License-Identifier: MIT */
/* Operations on the four components of a rotation. */
#include "arithmetic/osc_quaternion.h"

#include "arithmetic/osc_unit.h"
#include "port/osc_port.h"

OSC_HOT void osc_rebuild(int32_t q[4], uint32_t dropped, bool negative)
{
    int32_t kept = osc_rebuild_here_q20(q[(dropped + 1u) & 3u], q[(dropped + 2u) & 3u],
                                        q[(dropped + 3u) & 3u]);
    q[dropped] = negative ? -kept : kept;
}

OSC_HOT void osc_turn(int32_t q[4], bool back)
{
    int32_t x = q[0], y = q[1], z = q[2], w = q[3], even = osc_add(osc_add(x, y), z);
    if (back) {
        int32_t half = osc_sub(w, 1); /* (v + 1) >> 1 of every sum below */
        q[0] = osc_sub(osc_add(x, y), osc_add(z, half)) >> 1;
        q[1] = osc_sub(osc_add(y, z), osc_add(x, half)) >> 1;
        q[2] = osc_sub(osc_add(z, x), osc_add(y, half)) >> 1;
        q[3] = osc_add(osc_add(w, even), 1) >> 1;
    } else {
        int32_t half = osc_add(w, 1);
        q[0] = osc_add(osc_sub(osc_add(x, z), y), half) >> 1;
        q[1] = osc_add(osc_sub(osc_add(y, x), z), half) >> 1;
        q[2] = osc_add(osc_sub(osc_add(z, y), x), half) >> 1;
        q[3] = osc_sub(half, even) >> 1;
    }
}

OSC_HOT uint32_t osc_largest_component(const int32_t q[4])
{
    uint32_t x = osc_size_of(q[0]), y = osc_size_of(q[1]), z = osc_size_of(q[2]),
             w = osc_size_of(q[3]);
    uint32_t low = y > x ? 1u : 0u, high = w > z ? 3u : 2u;
    uint32_t low_size = y > x ? y : x, high_size = w > z ? w : z;
    return high_size > low_size ? high : low;
}
