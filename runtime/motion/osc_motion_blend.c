/* SPDX-License-Identifier: MIT */
/* Blends the displacements of clips. */
#include "arithmetic/osc_direction.h"
#include "arithmetic/osc_mix_arithmetic.h"
#include "arithmetic/osc_unit.h"
#include "osc_mix.h"
#include "osc_motion.h"

#define LEAST_Q20 32u /* smaller sums of directions are rounding errors */

/* Computes the direction over the ground, Q20, and the length: zeros for zeros. */
static int32_t direction_of(const osc_placement *moved, int32_t direction[3])
{
    direction[0] = moved->x;
    direction[1] = 0;
    direction[2] = moved->z;
    uint32_t length = osc_make_unit(direction);
    return (int32_t)(length < INT32_MAX ? length : INT32_MAX);
}

static int32_t between(int32_t a, int32_t b, int32_t weight_q15)
{
    return osc_add(a, osc_weighted(osc_sub(b, a), weight_q15));
}

void osc_placement_blend(const osc_placement *a, const osc_placement *b, uint32_t weight_q15,
                         osc_placement *blended)
{
    OSC_ASSERT(a != 0 && b != 0 && blended != 0);
    int32_t weight = (int32_t)(weight_q15 < OSC_ONE_Q15 ? weight_q15 : OSC_ONE_Q15);
    osc_placement made = weight != (int32_t)OSC_ONE_Q15 ? *a : *b;
    if (weight != 0 && weight != (int32_t)OSC_ONE_Q15) {
        made.y = between(a->y, b->y, weight);
        made.yaw_q24 = between(a->yaw_q24, b->yaw_q24, weight);
        if (a->x != b->x || a->z != b->z) {
            int32_t from[3], to[3];
            int32_t length = between(direction_of(a, from), direction_of(b, to), weight);
            for (uint32_t i = 0; i < 3u; i++)
                from[i] = between(from[i], to[i], weight);
            if ((osc_size_of(from[0]) | osc_size_of(from[2])) < LEAST_Q20)
                length = 0;
            (void)osc_make_direction(from);
            made.x = osc_mul_q20(from[0], length);
            made.z = osc_mul_q20(from[2], length);
        }
    }
    *blended = made;
}

void osc_motion_blend(osc_motion *motions, const osc_step *steps, const uint32_t *weights,
                      uint32_t count, osc_placement *here)
{
    OSC_ASSERT((count == 0u || (motions != 0 && steps != 0 && weights != 0)) && here != 0);
    osc_placement blended = {0, 0, 0, 0};
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        osc_placement moved = motions[i].now;
        osc_motion_follow(&motions[i], &steps[i]);
        osc_placement_seen(&moved, &motions[i].now, &moved);
        total += weights[i];
        osc_placement_blend(&blended, &moved, osc_mix_share(weights[i], total), &blended);
    }
    osc_placement_join(here, &blended, here);
}
