/* SPDX-License-Identifier: MIT */
/* The position of the camera. */
#include "stage.h"

#define QUARTER 16384         /* of a turn, and 1 as a Q14 number */
#define FILLED_BY_TEN 7       /* tenths of the picture that the bind pose fills */
#define HEIGHTS_AWAY_BY_TWO 5 /* the distance to the middle, in halves of what is seen */

/* A parabola in the place of a sine, Q14: off by 0.06. The camera makes a unit vector of two of
 * them, which are then off by 0.05. */
static int32_t bow(int32_t angle)
{
    int32_t x = angle & (2 * QUARTER - 1), high = (x * (2 * QUARTER - x)) >> 14;
    return (angle & (2 * QUARTER)) == 0 ? high : -high;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

void stage_aim(stage_camera *camera, const stage_mesh *mesh, const stage_picture *picture,
               int32_t angle)
{
    int32_t sine = bow(angle), cosine = bow(angle + QUARTER);
    for (int i = 0; i < 4; i++) { /* Newton's method for the length 1 */
        int32_t excess = (sine * sine + cosine * cosine - (1 << 28)) >> 15;
        sine -= (sine * excess) >> 14;
        cosine -= (cosine * excess) >> 14;
    }
    const int32_t turn[9] = {cosine, 0, -sine, 0, QUARTER, 0, -sine, 0, -cosine};
    int32_t middle[3], size[3];
    for (int i = 0; i < 3; i++) {
        int32_t up = 1 << (14u - mesh->bits);
        middle[i] = (mesh->low[i] + mesh->high[i]) * up / 2;
        size[i] = (mesh->high[i] - mesh->low[i]) * up;
    }
    /* what is seen is as high as the character, or as wide as it in the picture's proportions */
    int32_t wide = larger(size[0], size[2]) / picture->width * picture->height;
    int32_t seen = larger(larger(size[1], wide), 1 << 8);
    int32_t away = seen * HEIGHTS_AWAY_BY_TWO / 2;
    for (int i = 0; i < 3; i++) {
        int32_t off = 0;
        for (int k = 0; k < 3; k++) {
            camera->turn[3 * i + k] = (int16_t)turn[3 * i + k];
            off += turn[3 * i + k] * (middle[k] >> 2) >> 12;
        }
        camera->place[i] = (i == 2 ? away : 0) - off;
    }
    camera->focal = (uint16_t)(picture->height * FILLED_BY_TEN * HEIGHTS_AWAY_BY_TWO / 20);
    camera->light[0] = 90; /* from above, from the left and from behind the camera */
    camera->light[1] = 160;
    camera->light[2] = -180;
}
