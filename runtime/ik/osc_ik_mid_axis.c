/* SPDX-License-Identifier: MIT */
/* The axis of a limb's middle joint, from a pose in which the limb is bent. */
#include "ik/osc_ik_turn.h"

#include "arithmetic/osc_unit.h"

#define LEAST_SINE_Q20 9151u /* of 0.5 degrees */

bool osc_ik_find_mid_axis(osc_ik_limb *limb, const osc_matrix *model)
{
    const int32_t *start = model[limb->start].m, *mid = model[limb->mid].m;
    const int32_t *end = model[limb->end].m;
    int32_t to_start[3], to_end[3], axis[3], axes[9];
    for (uint32_t i = 0; i < 3u; i++) {
        to_start[i] = osc_sub(start[4u * i + 3u], mid[4u * i + 3u]);
        to_end[i] = osc_sub(end[4u * i + 3u], mid[4u * i + 3u]);
    }
    if (osc_make_unit(to_start) == 0u || osc_make_unit(to_end) == 0u)
        return false;
    osc_cross_q20(to_start, to_end, axis);
    if (osc_make_unit(axis) < LEAST_SINE_Q20)
        return false;
    osc_ik_axes(&model[limb->mid], true, axes);
    limb->mid_axis.x = osc_ik_dot(axes, 1u, axis);
    limb->mid_axis.y = osc_ik_dot(axes + 3, 1u, axis);
    limb->mid_axis.z = osc_ik_dot(axes + 6, 1u, axis);
    return true;
}
