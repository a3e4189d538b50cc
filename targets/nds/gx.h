/* SPDX-License-Identifier: MIT */
/* Draws skinned meshes with the console's 3D hardware, which transforms and lights the vertices.
 * The processor sends a matrix for each joint; the triangles are in a display list that is made
 * once.
 *
 * The order of calls for a picture: gx_place, gx_joints and gx_draw for each character, gx_show. */
#ifndef NDS_GX_H
#define NDS_GX_H

#include "debug.h"
#include "stage/stage.h"

/* The hardware's matrix stack has room for 31; one is the camera's, one the place's. */
#define GX_MOST_JOINTS 29u
#define GX_WORDS_OF_A_FACE 16u /* of a list, at most */
#define GX_BITS 14u            /* of fraction, in metres */

/* Turns on the 3D picture on the upper display. background: RGB555. */
void gx_open(uint16_t background);

/* Writes the display list of a mesh whose positions have GX_BITS of fraction, its triangles sorted
 * by joints. A vertex follows the joint with its largest weight. words: GX_WORDS_OF_A_FACE elements
 * for each face. Returns the number of words that were written. */
uint32_t gx_list(const stage_mesh *mesh, uint32_t *words);

/* Sets the camera and its light for all pictures that follow. */
void gx_camera(const stage_camera *camera);

/* Places the next character: metres with GX_BITS of fraction. */
void gx_place(int32_t x, int32_t y, int32_t z);

/* Sends the skinning matrices of a character. count: at most GX_MOST_JOINTS. bits: fraction bits of
 * the translations (HERO_SKIN_BITS), at least GX_BITS. Waits while a list is being sent. */
void gx_joints(const osc_matrix_q14 *skinning, uint32_t count, uint32_t bits);

/* Starts to send a list by DMA, and returns. */
void gx_draw(const uint32_t *words, uint32_t count);

/* Shows what was sent, from the display's next picture on. */
void gx_show(void);

/* Sends the picture on the display to run_rom.py, under a name. */
void gx_keep(const char *name);

#endif
