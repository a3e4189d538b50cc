/* The console's 3D hardware: it holds a matrix for each joint and moves the vertices of a mesh
 * itself. The processor sends matrices; the triangles are a list that is made once.
 *
 * A picture: gx_camera; for each character gx_place, gx_joints and gx_draw; gx_show. */
#ifndef NDS_GX_H
#define NDS_GX_H

#include "debug.h"
#include "stage/stage.h"

/* The hardware's stack has 31 matrices, two of which are the camera's. */
#define GX_MOST_JOINTS 29u
#define GX_WORDS_OF_A_FACE 16u /* of a list, at most */
#define GX_BITS 14u            /* of fraction, in metres */

/* Turns the display on. background: RGB555. */
void gx_open(uint16_t background);

/* Makes the list of a mesh whose positions have GX_BITS of fraction: triangles by joints and by
 * colours. Each vertex moves with the joint of its largest weight. words: room for
 * GX_WORDS_OF_A_FACE times the faces. Returns how many words it has. */
uint32_t gx_list(const stage_mesh *mesh, uint32_t *words);

/* What the camera sees from now on. */
void gx_camera(const stage_camera *camera);

/* Where the next character stands: metres with GX_BITS of fraction. */
void gx_place(int32_t x, int32_t y, int32_t z);

/* Sends the skinning matrices of a character, at most GX_MOST_JOINTS. bits: fraction of their
 * translations (HERO_SKIN_BITS), at least GX_BITS. Waits until the last list is sent. */
void gx_joints(const osc_matrix_q14 *skinning, uint32_t count, uint32_t bits);

/* Begins to send a list; the processor goes on meanwhile. */
void gx_draw(const uint32_t *words, uint32_t count);

/* Shows what was drawn, from the next picture of the display on. */
void gx_show(void);

/* Keeps the picture of the 3D hardware under a name, where a program that runs this one collects
 * pictures. */
void gx_keep(const char *name);

#endif
