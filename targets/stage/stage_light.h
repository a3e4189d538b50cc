/* How bright a surface is that turns with a joint. */
#ifndef STAGE_LIGHT_H
#define STAGE_LIGHT_H

#include "stage.h"

#define STAGE_BRIGHTEST ((int32_t)(STAGE_SHADES - 1u) << 8)

/* The direction of the light as a joint sees it, whose matrix is `view`. */
static STAGE_INLINE void light_of(const stage_camera *camera, const osc_matrix_q14 *view,
                                  int16_t light[3])
{
    for (uint32_t axis = 0; axis < 3u; axis++)
        light[axis] = (int16_t)((view->turn[axis] * camera->light[0] +
                                 view->turn[3u + axis] * camera->light[1] +
                                 view->turn[6u + axis] * camera->light[2]) >>
                                14);
}

/* The brightness of a normal: a shade with 8 bits of fraction. */
static STAGE_INLINE int16_t shade_of(const int8_t normal[3], const int16_t light[3])
{
    int32_t bright = normal[0] * light[0] + normal[1] * light[1] + normal[2] * light[2];
    bright = (bright * 15) >> 7;
    return (int16_t)(bright < 0 ? 0 : bright > STAGE_BRIGHTEST ? STAGE_BRIGHTEST : bright);
}

#endif
