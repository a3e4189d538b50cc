/* SPDX-License-Identifier: MIT */
/* Transforms vertices to the screen by skinning matrices. */
#include "stage.h"

#include "stage_divide.h"
#include "stage_light.h"

/* Metres with 14 bits of fraction. What is nearer, farther or more to the side is drawn as if it
 * were there. */
#define NEAR (1 << 13)
#define FAR ((1 << 18) - 1)
#define SIDE ((1 << 16) - 1)
/* Pixels with STAGE_PIXEL_BITS of fraction: products of differences have 31 bits. */
#define MOST_OUTSIDE 8191

/* camera * skinning. */
static STAGE_INLINE void turn_to_view(const stage_camera *camera, const osc_matrix_q14 *skinning,
                                      uint32_t bits, osc_matrix_q14 *view)
{
    const int16_t *b = skinning->turn;
    for (uint32_t row = 0; row < 3u; row++) {
        const int16_t *a = camera->turn + 3u * row;
        int32_t place = camera->place[row];
        for (uint32_t column = 0; column < 3u; column++) {
            view->turn[3u * row + column] =
                (int16_t)((a[0] * b[column] + a[1] * b[3u + column] + a[2] * b[6u + column]) >> 14);
            /* translations below 8 m: 18 bits with a sign, in two parts */
            int32_t t = skinning->translation[column];
            t = bits >= 14u ? t >> (bits - 14u) : t * (1 << (14u - bits));
            place += (a[column] * (t >> 8) + ((a[column] * (t & 255)) >> 8)) >> 6;
        }
        view->translation[row] = place;
    }
    view->unused = 0;
}

OSC_HOT void stage_look(const stage_camera *camera, const osc_matrix_q14 *skinning, uint32_t count,
                        uint32_t bits, stage_joint *joints)
{
    for (; count != 0u; count--, skinning++, joints++) {
        turn_to_view(camera, skinning, bits, &joints->to_view);
        const int16_t *turn = joints->to_view.turn, *light = camera->light;
        for (uint32_t axis = 0; axis < 3u; axis++)
            joints->light[axis] = (int16_t)((turn[axis] * light[0] + turn[3u + axis] * light[1] +
                                             turn[6u + axis] * light[2]) >>
                                            14);
    }
}

static int32_t clamped(int32_t value, int32_t most)
{
    return value < -most ? -most : value > most ? most : value;
}

/* The place on the picture of a vertex in view space, metres with 14 bits of fraction. */
static STAGE_INLINE void project(const stage_camera *camera, const stage_picture *picture,
                                 int32_t x, int32_t y, int32_t z, stage_vertex *out)
{
    int32_t shift;
    z = z < NEAR ? NEAR : z > FAR ? FAR : z;
    /* focal / z, with so many bits that its products with x and y have 31 */
    int32_t scale = (int32_t)((camera->focal * stage_reciprocal((uint32_t)z, &shift)) >> 10);
    x = (clamped(x, SIDE) * scale) >> (21 - (int32_t)STAGE_PIXEL_BITS - shift);
    y = (clamped(y, SIDE) * scale) >> (21 - (int32_t)STAGE_PIXEL_BITS - shift);
    out->x = (int16_t)clamped(x + (picture->width << (STAGE_PIXEL_BITS - 1u)), MOST_OUTSIDE);
    out->y = (int16_t)clamped((picture->height << (STAGE_PIXEL_BITS - 1u)) - y, MOST_OUTSIDE);
    out->z = (uint16_t)(z >> 2);
}

/* matrix * position, with 14 bits of fraction; `up`: bits that the position lacks. */
static STAGE_INLINE void move(const osc_matrix_q14 *matrix, const int16_t *at, uint32_t up,
                              int32_t out[3])
{
    const int16_t *m = matrix->turn;
    int32_t x = at[0], y = at[1], z = at[2];
    out[0] = ((m[0] * x + m[1] * y + m[2] * z) >> (14u - up)) + matrix->translation[0];
    out[1] = ((m[3] * x + m[4] * y + m[5] * z) >> (14u - up)) + matrix->translation[1];
    out[2] = ((m[6] * x + m[7] * y + m[8] * z) >> (14u - up)) + matrix->translation[2];
}

OSC_HOT void stage_skin(const stage_mesh *mesh, const stage_camera *camera,
                        const stage_picture *picture, bool smooth, stage_work *work)
{
    const int16_t(*at)[3] = mesh->positions;
    const int8_t(*normal)[3] = mesh->normals;
    stage_vertex *vertex = work->vertices, *end = vertex + mesh->vertex_count;
    uint32_t up = 14u - mesh->bits;
    int32_t place[3], part[3];
    for (const stage_run *run = mesh->runs; run != mesh->runs + mesh->run_count; run++) {
        const stage_joint *joint = work->joints + run->joint;
        for (const stage_vertex *last = vertex + run->count; vertex != last; vertex++) {
            if (smooth)
                vertex->shade = stage_shade(*normal++, joint->light);
            move(&joint->to_view, *at++, up, place);
            project(camera, picture, place[0], place[1], place[2], vertex);
        }
    }
    for (const stage_blend *blend = mesh->blends; vertex != end; blend++, vertex++) {
        if (smooth)
            vertex->shade = stage_shade(*normal++, work->joints[blend->joints[0]].light);
        place[0] = place[1] = place[2] = 0;
        for (uint32_t i = 0; i < 4u && blend->weights[i] != 0u; i++) {
            move(&work->joints[blend->joints[i]].to_view, *at, up, part);
            place[0] += part[0] * blend->weights[i];
            place[1] += part[1] * blend->weights[i];
            place[2] += part[2] * blend->weights[i];
        }
        at++;
        project(camera, picture, place[0] >> STAGE_WEIGHT_BITS, place[1] >> STAGE_WEIGHT_BITS,
                place[2] >> STAGE_WEIGHT_BITS, vertex);
    }
}
