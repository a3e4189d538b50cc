/* SPDX-License-Identifier: MIT */
/* Draws a skinned mesh with integers, for demos and tests: from skinning matrices to pixels. It is
 * not part of the runtime. All memory is passed to it; it allocates nothing.
 *
 * For each frame, stage_look transforms the skinning matrices to the camera, stage_skin moves the
 * vertices with them, and stage_draw shades, sorts and fills the triangles. */
#ifndef STAGE_H
#define STAGE_H

#include "ossicle.h"
#include "stage_mesh.h"

#if defined(__GNUC__)
#define STAGE_INLINE inline __attribute__((always_inline))
#else
#define STAGE_INLINE inline
#endif

#define STAGE_BUCKETS 128u  /* of depth, in which triangles are sorted */
#define STAGE_PIXEL_BITS 4u /* of fraction in a place on the screen */

/* The camera: view = turn * model + place. x goes right, y up, z away from it.
 * turn: Q14, by rows. place: metres with 14 bits of fraction. focal: pixels; what is 1 m wide at a
 * distance of 1 m is as wide as that. light: the direction that light comes from, in view space,
 * 256 is 1. */
typedef struct stage_camera {
    int16_t turn[9], light[3];
    int32_t place[3];
    uint16_t focal;
} stage_camera;

typedef enum stage_format {
    STAGE_PALETTE, /* 8 bits: colour * 16 + shade; two in a halfword, the left one in its low byte
                    */
    STAGE_RGB555,  /* 16 bits, as stage_mesh.ramps has them */
    STAGE_RGB565   /* 16 bits, red in bits 11..15, the format of displays on a serial bus */
} stage_format;

/* A picture. pixels: rows from the top, without gaps; written in halfwords, as video memory wants
 * it. width: even. depths: null, or a halfword a pixel: a buffer for depths, with which triangles
 * that pass through each other are drawn right; without it they are sorted by their middle. */
typedef struct stage_picture {
    uint16_t *pixels, *depths;
    uint16_t width, height;
    stage_format format;
} stage_picture;

/* A vertex on the screen. x, y: pixels with STAGE_PIXEL_BITS of fraction. z: distance from the
 * camera, metres with 14 bits of fraction, at most 65535 * 4; kept in units of four. shade: 0..15
 * with 8 bits of fraction, for smooth shading. */
typedef struct stage_vertex {
    int16_t x, y;
    uint16_t z;
    int16_t shade;
} stage_vertex;

/* A joint as the camera sees it. to_view: from the bind pose to view space, translations with 14
 * bits of fraction. light: the direction of the light in the bind pose. */
typedef struct stage_joint {
    osc_matrix_q14 to_view;
    int16_t light[3];
} stage_joint;

/* Memory for a frame: as many elements as the mesh has joints, vertices and faces. heads: lists of
 * faces by depth. */
typedef struct stage_work {
    stage_joint *joints;
    stage_vertex *vertices;
    uint16_t *next;
    uint16_t heads[STAGE_BUCKETS];
} stage_work;

#ifdef __cplusplus
extern "C" {
#endif

/* One pixel: a number of the palette, or a halfword of the format. place: row * width + column. */
static STAGE_INLINE void stage_put(const stage_picture *picture, uint32_t place, uint32_t pixel)
{
    if (picture->format != STAGE_PALETTE)
        picture->pixels[place] = (uint16_t)pixel;
    else {
        uint16_t *pair = picture->pixels + (place >> 1);
        *pair = (uint16_t)((place & 1u) != 0u ? (*pair & 0xffu) | pixel << 8
                                              : (*pair & 0xff00u) | pixel);
    }
}

/* Fills the whole picture with a colour. shade: a halfword of the picture's format; two pixels of
 * STAGE_PALETTE. */
void stage_clear(const stage_picture *picture, uint16_t colour);

/* Aims a camera at the middle of a mesh, from where all of it is in the picture, also with its arms
 * raised. angle: 65536 is a whole turn; from 0 the camera sees what faces +z. */
void stage_aim(stage_camera *camera, const stage_mesh *mesh, const stage_picture *picture,
               int32_t angle);

/* Turns `count` skinning matrices to the camera. bits: fraction of their translations
 * (HERO_SKIN_BITS). */
void stage_look(const stage_camera *camera, const osc_matrix_q14 *skinning, uint32_t count,
                uint32_t bits, stage_joint *joints);

/* Moves a vertex of each run with one joint and of each blend with up to four, and places it on a
 * picture. smooth: whether to shade the vertices, for stage_draw. */
void stage_skin(const stage_mesh *mesh, const stage_camera *camera, const stage_picture *picture,
                bool smooth, stage_work *work);

/* Fills the triangles that face the camera, the furthest first. Returns their number. */
uint32_t stage_draw(const stage_mesh *mesh, const stage_picture *picture, bool smooth,
                    stage_work *work);

/* Writes text in letters of three by five pixels, clipped to the picture. pixel: as stage_put takes
 * it. Returns x behind the last letter. */
uint32_t stage_write(const stage_picture *picture, uint32_t x, uint32_t y, const char *text,
                     uint32_t pixel);
#define STAGE_LETTER_WIDTH 4u
#define STAGE_LINE_HEIGHT 6u

/* The halfword of a format for a colour of stage_mesh.ramps. */
uint16_t stage_colour(stage_format format, uint16_t rgb555);

#ifdef __cplusplus
}
#endif

#endif
