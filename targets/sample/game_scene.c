/* SPDX-License-Identifier: MIT */
#include "game_scene.h"

/* The camera looks down by an angle whose sine is 0.28 and whose cosine is 0.96, Q14. */
#define SINE 4588
#define COSINE 15729
#define METRE (1 << 14) /* lengths have 14 bits of fraction */
#define AWAY (8 * METRE)
#define AIMED_AT (METRE * 9 / 10) /* height above the ground */
#define GRID METRE
#define ROWS 6    /* of the grid, before and behind the character */
#define COLUMNS 5 /* to its left and right */

static int32_t times(int32_t a, int32_t b_q14)
{
    return a * b_q14 >> 14;
}

void scene_follow(stage_camera *camera, const stage_picture *picture, const osc_placement *place)
{
    osc_matrix world;
    osc_placement_matrix(place, &world);
    const int32_t cosine = world.m[0] >> 6, sine = world.m[2] >> 6;
    const int32_t up = (place->y >> 6) - AIMED_AT;
    const int32_t turn[9] = {cosine,
                             0,
                             sine,
                             times(SINE, sine),
                             COSINE,
                             -times(SINE, cosine),
                             times(COSINE, sine),
                             -SINE,
                             -times(COSINE, cosine)};
    for (int i = 0; i < 9; i++)
        camera->turn[i] = (int16_t)turn[i];
    camera->place[0] = 0;
    camera->place[1] = times(up, COSINE);
    camera->place[2] = AWAY - times(up, SINE);
    camera->focal = (uint16_t)(picture->height * 2u);
    camera->light[0] = 90; /* from above, from the left and from behind the camera */
    camera->light[1] = 160;
    camera->light[2] = -180;
}

/* Where a point is on the picture, which is `behind` and `above` the character's feet. Returns the
 * scale there: four times the pixels of a metre. */
static int32_t project(const stage_camera *camera, const stage_picture *picture, int32_t behind,
                       int32_t above, int32_t *row)
{
    const int32_t up = above - AIMED_AT;
    const int32_t away = AWAY - times(up, SINE) + times(behind, COSINE);
    const int32_t scale = away > METRE ? ((int32_t)camera->focal << 16) / away : 0;
    *row = picture->height / 2 - times(times(up, COSINE) + times(behind, SINE), scale) / 4;
    return scale;
}

/* Fills a square of 2 * half + 1 pixels, if all of it is in the picture. */
static void draw_square(const stage_picture *picture, int32_t x, int32_t y, int32_t half,
                        uint32_t pixel)
{
    if (x < half || x + half >= picture->width || y < half || y + half >= picture->height)
        return;
    for (int32_t row = y - half; row <= y + half; row++)
        for (int32_t column = x - half; column <= x + half; column++)
            stage_put(picture, (uint32_t)(row * picture->width + column), pixel);
}

static void draw_shadow(const stage_camera *camera, const stage_picture *picture, uint32_t pixel)
{
    static const uint8_t halves[] = {7, 11, 13, 14, 14, 13, 11, 7}; /* pixels of each row */
    const int32_t rows = sizeof halves, away = AWAY + times(AIMED_AT, SINE);
    const int32_t down = times(AIMED_AT, COSINE) * camera->focal / away;
    for (int32_t i = 0; i < rows; i++) {
        int32_t at = (picture->height / 2 + down - rows / 2 + i) * picture->width;
        for (int32_t x = -halves[i]; x < halves[i]; x++)
            stage_put(picture, (uint32_t)(at + picture->width / 2 + x), pixel);
    }
}

void scene_ground(const stage_camera *camera, const stage_picture *picture,
                  const osc_placement *place, uint32_t dot, uint32_t shadow)
{
    const int32_t left = (place->x >> 6) & (GRID - 1), behind = (place->z >> 6) & (GRID - 1);
    for (int32_t row = -ROWS; row <= ROWS; row++) {
        int32_t y, scale = project(camera, picture, row * GRID + behind, 0, &y);
        for (int32_t column = -COLUMNS; column <= COLUMNS; column++)
            draw_square(picture, picture->width / 2 + times(column * GRID - left, scale) / 4, y, 0,
                        dot);
    }
    draw_shadow(camera, picture, shadow);
}

void scene_lamp(const stage_camera *camera, const stage_picture *picture,
                const osc_placement *place, const osc_vector *lamp, uint32_t pixel)
{
    int32_t y, scale = project(camera, picture, (place->z - lamp->z) >> 6, lamp->y >> 6, &y);
    int32_t x = picture->width / 2 + times((lamp->x - place->x) >> 6, scale) / 4;
    draw_square(picture, x, y, 2, pixel);
}
