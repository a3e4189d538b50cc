/* SPDX-License-Identifier: MIT */
/* Placements on the ground, and characters that clips move. */
#include "osc_motion.h"
#include "arithmetic/osc_fixed.h"

/* The low 32 bits of floor((a * b + 2^29) / 2^30). */
static int32_t mul_q30(int32_t a, int32_t b)
{
    uint32_t x = (uint32_t)a, y = (uint32_t)b, low = x * y;
    uint32_t high = osc_mulhi_u32(x, y) - (a < 0 ? y : 0u) - (b < 0 ? x : 0u);
    uint32_t rounded = low + (1u << 29);
    high += rounded < low ? 1u : 0u;
    return (int32_t)(high << 2 | rounded >> 30);
}

osc_direction osc_direction_of(int32_t yaw_q24)
{
    /* the nearest quarter turn, and the rest in half quarters: -1 .. 1 */
    uint32_t turned = (uint32_t)yaw_q24 + (1u << 21), quarter = turned >> 22 & 3u;
    int32_t x = ((int32_t)(turned & 0x3fffffu) - (1 << 21)) * (1 << 9), y = mul_q30(x, x);
    int32_t cosine = mul_q30(3792, y), sine = mul_q30(332, y);
    cosine = mul_q30(cosine - 349978, y);
    cosine = mul_q30(cosine + 17023455, y);
    cosine = mul_q30(cosine - 331168968, y) + (1 << 30);
    sine = mul_q30(sine - 39269, y);
    sine = mul_q30(sine + 2674039, y);
    sine = mul_q30(sine - 86699833, y);
    sine = mul_q30(sine + 843314857, x);
    osc_direction direction = {cosine, sine};
    if ((quarter & 1u) != 0u) {
        direction.cos_q30 = -sine;
        direction.sin_q30 = cosine;
    }
    if ((quarter & 2u) != 0u) {
        direction.cos_q30 = -direction.cos_q30;
        direction.sin_q30 = -direction.sin_q30;
    }
    return direction;
}

/* Rotates a displacement by a yaw. */
static osc_placement turned_by(int32_t yaw_q24, const osc_placement *moved)
{
    osc_placement turned = *moved;
    if (yaw_q24 == 0)
        return turned;
    osc_direction facing = osc_direction_of(yaw_q24);
    turned.x = osc_add(mul_q30(moved->x, facing.cos_q30), mul_q30(moved->z, facing.sin_q30));
    turned.z = osc_sub(mul_q30(moved->z, facing.cos_q30), mul_q30(moved->x, facing.sin_q30));
    return turned;
}

void osc_placement_join(const osc_placement *a, const osc_placement *b, osc_placement *joined)
{
    osc_placement turned = turned_by(a->yaw_q24, b);
    joined->x = osc_add(a->x, turned.x);
    joined->y = osc_add(a->y, turned.y);
    joined->z = osc_add(a->z, turned.z);
    joined->yaw_q24 = osc_add(a->yaw_q24, turned.yaw_q24);
}

void osc_placement_seen(const osc_placement *from, const osc_placement *at, osc_placement *seen)
{
    const osc_placement apart = {osc_sub(at->x, from->x), osc_sub(at->y, from->y),
                                 osc_sub(at->z, from->z), osc_sub(at->yaw_q24, from->yaw_q24)};
    *seen = turned_by(osc_sub(0, from->yaw_q24), &apart);
}

void osc_placement_inverse(const osc_placement *placement, osc_placement *inverse)
{
    const osc_placement nowhere = {0, 0, 0, 0};
    osc_placement_seen(placement, &nowhere, inverse);
}

/* The placement from which `moved` leads to `at`: osc_placement_join of both gives `at`. */
static osc_placement before(const osc_placement *at, const osc_placement *moved)
{
    int32_t yaw_q24 = osc_sub(at->yaw_q24, moved->yaw_q24);
    osc_placement turned = turned_by(yaw_q24, moved);
    osc_placement placement = {osc_sub(at->x, turned.x), osc_sub(at->y, turned.y),
                               osc_sub(at->z, turned.z), yaw_q24};
    return placement;
}

void osc_placement_matrix(const osc_placement *placement, osc_matrix *matrix)
{
    osc_direction facing = osc_direction_of(placement->yaw_q24);
    int32_t cosine = osc_half_up(facing.cos_q30, 10), sine = osc_half_up(facing.sin_q30, 10);
    const osc_matrix made = {{cosine, 0, sine, placement->x, 0, OSC_ONE_Q20, 0, placement->y,
                              osc_sub(0, sine), 0, cosine, placement->z}};
    *matrix = made;
}

void osc_motion_start(osc_motion *motion, const osc_trajectories *trajectories, uint32_t clip,
                      uint32_t position_q11, const osc_placement *at)
{
    OSC_ASSERT(motion != 0 && trajectories != 0 && at != 0);
    osc_placement moved;
    osc_trajectory_at(trajectories, clip, position_q11, &moved);
    motion->trajectories = trajectories;
    motion->clip = clip;
    motion->now = *at;
    motion->origin = before(at, &moved);
}

void osc_motion_follow(osc_motion *motion, const osc_step *step)
{
    OSC_ASSERT(motion != 0 && step != 0);
    osc_placement moved;
    if (step->wraps != 0) {
        int32_t wraps = step->wraps;
        wraps = wraps < OSC_STEP_MOST_LOOPS ? wraps : OSC_STEP_MOST_LOOPS;
        wraps = wraps > -OSC_STEP_MOST_LOOPS ? wraps : -OSC_STEP_MOST_LOOPS;
        osc_trajectory_at(motion->trajectories, motion->clip, ~0u, &moved);
        for (; wraps > 0; wraps--)
            osc_placement_join(&motion->origin, &moved, &motion->origin);
        for (; wraps < 0; wraps++)
            motion->origin = before(&motion->origin, &moved);
    }
    osc_trajectory_at(motion->trajectories, motion->clip, step->to_q11, &moved);
    osc_placement_join(&motion->origin, &moved, &motion->now);
}
