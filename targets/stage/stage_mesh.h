/* SPDX-License-Identifier: MIT */
/* A mesh as `ossicle mesh` writes it: vertices in integers, the joints that move them, triangles,
 * and the colours of these in sixteen shades. */
#ifndef STAGE_MESH_H
#define STAGE_MESH_H

#include <stdint.h>

#define STAGE_SHADES 16u
#define STAGE_WEIGHT_BITS 8u /* the weights of a vertex are 256 together */

/* `count` vertices that follow each other and have one joint. */
typedef struct stage_run {
    uint16_t count;
    uint8_t joint;
} stage_run;

/* The joints of a vertex that has several, and their weights: the largest first, then zeros. */
typedef struct stage_blend {
    uint8_t joints[4], weights[4];
} stage_blend;

/* corners: vertices, counter-clockwise from outside. normal: 127 is 1. joint: what the normal turns
 * with. colour: from 1. */
typedef struct stage_face {
    uint16_t corners[3];
    int8_t normal[3];
    uint8_t joint, colour, unused;
} stage_face;

/* low, high: the least and the greatest place of a vertex in the bind pose. positions: metres with
 * `bits` bits of fraction, as skinning matrices take them; those of the runs, and after these those
 * of the blends. normals: of each vertex, 127 is 1. ramps: the shades of each colour, the darkest
 * first, with red in bits 0..4, green in 5..9 and blue in 10..14. */
typedef struct stage_mesh {
    uint16_t vertex_count, run_count, face_count;
    uint8_t bits, colour_count;
    int16_t low[3], high[3];
    const int16_t (*positions)[3];
    const int8_t (*normals)[3];
    const stage_run *runs;
    const stage_blend *blends;
    const stage_face *faces;
    const uint16_t (*ramps)[STAGE_SHADES];
} stage_mesh;

#endif
