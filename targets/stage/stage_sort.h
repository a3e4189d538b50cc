/* SPDX-License-Identifier: MIT */
/* The order in which triangles are drawn. */
#ifndef STAGE_SORT_H
#define STAGE_SORT_H

#include "stage.h"

#define STAGE_NONE 0xffffu /* the end of a list of faces */

/* Twice the area, positive for a triangle that shows its back. */
static STAGE_INLINE int32_t stage_area(const stage_vertex *a, const stage_vertex *b,
                                       const stage_vertex *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* Lists the faces that show their front by their depth. Returns how many these are. */
static STAGE_INLINE uint32_t stage_sort(const stage_mesh *mesh, stage_work *work)
{
    uint32_t nearest = 0xffffu, farthest = 0, seen = 0;
    for (const stage_vertex *one = work->vertices; one != work->vertices + mesh->vertex_count;
         one++) {
        nearest = one->z < nearest ? one->z : nearest;
        farthest = one->z > farthest ? one->z : farthest;
    }
    uint32_t scale = ((STAGE_BUCKETS - 1u) << 16) / (3u * (farthest - nearest) + 1u);
    for (uint32_t i = 0; i < STAGE_BUCKETS; i++)
        work->heads[i] = STAGE_NONE;
    for (uint32_t i = 0; i < mesh->face_count; i++) {
        const uint16_t *corners = mesh->faces[i].corners;
        const stage_vertex *a = work->vertices + corners[0], *b = work->vertices + corners[1];
        const stage_vertex *c = work->vertices + corners[2];
        if (stage_area(a, b, c) >= 0)
            continue;
        uint16_t *head =
            &work->heads[((uint32_t)(a->z + b->z + c->z) - 3u * nearest) * scale >> 16];
        work->next[i] = *head;
        *head = (uint16_t)i;
        seen++;
    }
    return seen;
}

#endif
