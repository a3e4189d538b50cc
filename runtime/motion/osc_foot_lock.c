/* SPDX-License-Identifier: MIT */
/* Foot lock: moves the character so that the lowest point of the soles stays in place. */
#include "osc_motion.h"

#include "arithmetic/osc_mix_arithmetic.h"
#include "arithmetic/osc_unit.h"

void osc_foot_lock_start(osc_foot_lock *lock, const osc_foot_lock_point *points, uint32_t count,
                         int32_t height_q20)
{
    OSC_ASSERT(lock != 0 && points != 0 && count != 0u && count <= OSC_FOOT_LOCK_POINTS);
    OSC_ASSERT(height_q20 > 0);
    lock->points = points;
    lock->count = count;
    lock->height_q20 = height_q20;
    lock->followed = false;
}

/* The weight of a point's motion at a height, Q15: 1 up to half of height_q20, falling to 0 at
 * height_q20. */
static int32_t weight_at(const osc_foot_lock *lock, int32_t height)
{
    uint32_t most = (uint32_t)lock->height_q20, half = most >> 1;
    if (height <= (int32_t)half)
        return (int32_t)OSC_ONE_Q15;
    if (height >= lock->height_q20)
        return 0;
    int32_t weight = (osc_ratio(most - (uint32_t)height, most - half) + 16) >> 5;
    return weight < (int32_t)OSC_ONE_Q15 ? weight : (int32_t)OSC_ONE_Q15;
}

void osc_foot_lock_follow(osc_foot_lock *lock, const osc_matrix *model, osc_placement *here)
{
    OSC_ASSERT(lock != 0 && model != 0 && here != 0);
    osc_matrix world;
    osc_vector moved = {0, 0, 0};
    int32_t lowest = INT32_MAX;
    osc_placement_matrix(here, &world);
    for (uint32_t i = 0; i < lock->count; i++) {
        const osc_foot_lock_point *point = &lock->points[i];
        osc_vector now, *last = &lock->last[i];
        osc_matrix_point(&model[point->joint], &point->at, &now);
        int32_t height = now.y;
        osc_matrix_point(&world, &now, &now);
        if (lock->followed && height < lowest) {
            lowest = height;
            moved.x = osc_sub(now.x, last->x);
            moved.z = osc_sub(now.z, last->z);
        }
        *last = now;
    }
    int32_t weight = lock->followed ? weight_at(lock, lowest) : 0;
    moved.x = osc_weighted(moved.x, weight);
    moved.z = osc_weighted(moved.z, weight);
    here->x = osc_sub(here->x, moved.x);
    here->z = osc_sub(here->z, moved.z);
    for (uint32_t i = 0; i < lock->count; i++) {
        lock->last[i].x = osc_sub(lock->last[i].x, moved.x);
        lock->last[i].z = osc_sub(lock->last[i].z, moved.z);
    }
    lock->followed = true;
}
