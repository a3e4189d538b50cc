/* Planted feet: the lowest point of the soles stays where it is, and the character moves. */
#include "osc_plant.h"

#include "arithmetic/osc_mix_arithmetic.h"
#include "arithmetic/osc_unit.h"

void osc_plant_start(osc_plant *plant, const osc_plant_point *points, uint32_t count,
                     int32_t height_q20)
{
    OSC_ASSERT(plant != 0 && points != 0 && count != 0u && count <= OSC_PLANT_POINTS);
    OSC_ASSERT(height_q20 > 0);
    plant->points = points;
    plant->count = count;
    plant->height_q20 = height_q20;
    plant->followed = false;
}

/* How much of a move counts at a height: all of it up to half of height_q20, nothing from there
 * on. */
static int32_t weight_at(const osc_plant *plant, int32_t height)
{
    uint32_t most = (uint32_t)plant->height_q20, half = most >> 1;
    if (height <= (int32_t)half)
        return (int32_t)OSC_ONE_Q15;
    if (height >= plant->height_q20)
        return 0;
    int32_t weight = (osc_ratio(most - (uint32_t)height, most - half) + 16) >> 5;
    return weight < (int32_t)OSC_ONE_Q15 ? weight : (int32_t)OSC_ONE_Q15;
}

void osc_plant_follow(osc_plant *plant, const osc_matrix *model, osc_placement *here)
{
    OSC_ASSERT(plant != 0 && model != 0 && here != 0);
    osc_matrix world;
    osc_vector moved = {0, 0, 0};
    int32_t lowest = INT32_MAX;
    osc_placement_matrix(here, &world);
    for (uint32_t i = 0; i < plant->count; i++) {
        const osc_plant_point *point = &plant->points[i];
        osc_vector now, *last = &plant->last[i];
        osc_matrix_point(&model[point->joint], &point->at, &now);
        int32_t height = now.y;
        osc_matrix_point(&world, &now, &now);
        if (plant->followed && height < lowest) {
            lowest = height;
            moved.x = osc_sub(now.x, last->x);
            moved.z = osc_sub(now.z, last->z);
        }
        *last = now;
    }
    int32_t weight = plant->followed ? weight_at(plant, lowest) : 0;
    moved.x = osc_weighted(moved.x, weight);
    moved.z = osc_weighted(moved.z, weight);
    here->x = osc_sub(here->x, moved.x);
    here->z = osc_sub(here->z, moved.z);
    for (uint32_t i = 0; i < plant->count; i++) {
        plant->last[i].x = osc_sub(plant->last[i].x, moved.x);
        plant->last[i].z = osc_sub(plant->last[i].z, moved.z);
    }
    plant->followed = true;
}
