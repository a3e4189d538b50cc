/* SPDX-License-Identifier: MIT */
/* Draws a skinned mesh with SDL2 (2.0.18 or later): stage_look and stage_skin place the vertices,
 * SDL_RenderGeometry fills the triangles. The renderer's picture has at most 512 x 512 pixels;
 * SDL_RenderSetLogicalSize enlarges it. */
#ifndef STAGE_SDL_H
#define STAGE_SDL_H

#include "stage_light.h"
#include "stage_sort.h"
#include <SDL.h>

/* Returns the colour of a ramp. shade: 0..15 with 8 bits of fraction. */
static inline SDL_Color stage_sdl_colour(const uint16_t ramp[STAGE_SHADES], int32_t shade)
{
    Uint8 channels[3];
    for (int i = 0; i < 3; i++) {
        uint32_t channel = ((uint32_t)ramp[shade >> 8] >> 5 * i) & 31u;
        channels[i] = (Uint8)(channel << 3 | channel >> 2);
    }
    SDL_Color colour = {channels[0], channels[1], channels[2], SDL_ALPHA_OPAQUE};
    return colour;
}

/* Writes the corners of a face. smooth: as stage_skin takes it. */
static inline void stage_sdl_face(const stage_mesh *mesh, const stage_face *face, bool smooth,
                                  const stage_work *work, SDL_Vertex *corners)
{
    const float pixel = 1.0f / (1 << STAGE_PIXEL_BITS);
    const uint16_t *ramp = mesh->ramps[face->colour - 1u];
    int32_t shade = stage_shade(face->normal, work->joints[face->joint].light);
    for (int i = 0; i < 3; i++) {
        const stage_vertex *vertex = &work->vertices[face->corners[i]];
        const SDL_Vertex corner = {{vertex->x * pixel, vertex->y * pixel},
                                   stage_sdl_colour(ramp, smooth ? vertex->shade : shade),
                                   {0.0f, 0.0f}};
        corners[i] = corner;
    }
}

/* Draws the triangles that face the camera, the furthest first. smooth: as stage_skin took it.
 * corners: memory for three elements for each face. Returns what SDL_RenderGeometry returns. */
static inline int stage_sdl_draw(SDL_Renderer *renderer, const stage_mesh *mesh, bool smooth,
                                 stage_work *work, SDL_Vertex *corners)
{
    int count = 0;
    (void)stage_sort(mesh, work);
    for (uint32_t bucket = STAGE_BUCKETS; bucket-- > 0u;)
        for (uint32_t i = work->heads[bucket]; i != STAGE_NONE; i = work->next[i], count += 3)
            stage_sdl_face(mesh, &mesh->faces[i], smooth, work, &corners[count]);
    return SDL_RenderGeometry(renderer, NULL, corners, count, NULL, 0);
}

#endif
