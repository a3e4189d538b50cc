/* SPDX-License-Identifier: MIT */
/* Sorts triangles by depth and fills them. A pixel belongs to a triangle if its middle does, so
 * that triangles with a common edge share no pixel and leave none out. */
#include "stage.h"

#include "stage_divide.h"
#include "stage_light.h"
#include "stage_sort.h"

#define HALF (1 << (STAGE_PIXEL_BITS - 1u))

/* A value that changes evenly over a triangle: at a corner of it, and by how much from pixel to
 * pixel. 16 bits of fraction. */
typedef struct plane {
    int32_t corner, by_x, by_y;
    int32_t most;
} plane;

/* One side of a triangle: x at the middle of a row, and its change to the next. 16 bits of
 * fraction. */
typedef struct side {
    int32_t x, by_row;
} side;

uint16_t stage_colour(stage_format format, uint16_t rgb555)
{
    if (format != STAGE_RGB565)
        return rgb555;
    uint32_t green = (rgb555 >> 5) & 31u;
    return (uint16_t)((rgb555 & 31u) << 11 | green << 6 | (green >> 4) << 5 | rgb555 >> 10);
}

void stage_clear(const stage_picture *picture, uint16_t colour)
{
    uint32_t pixels = (uint32_t)picture->width * picture->height;
    uint32_t halfwords = picture->format == STAGE_PALETTE ? pixels / 2u : pixels;
    for (uint32_t i = 0; i < halfwords; i++)
        picture->pixels[i] = colour;
    for (uint32_t i = 0; picture->depths != 0 && i < pixels; i++)
        picture->depths[i] = 0xffffu;
}

/* The first row, or column, whose middle is not before a place. */
static STAGE_INLINE int32_t first_middle(int32_t place)
{
    return (place + HALF - 1) >> STAGE_PIXEL_BITS;
}

/* The side from `top` down to `bottom`, at the middle of a row. */
static STAGE_INLINE side side_of(const stage_vertex *top, const stage_vertex *bottom, int32_t row)
{
    int32_t shift;
    int32_t one_by_height = (int32_t)stage_reciprocal((uint32_t)(bottom->y - top->y), &shift);
    int32_t product = (bottom->x - top->x) * one_by_height;
    side made = {0, shift > 15 ? product * (1 << (shift - 15)) : product >> (15 - shift)};
    int32_t down = row * (1 << STAGE_PIXEL_BITS) + HALF - top->y;
    made.x = top->x * (1 << (16u - STAGE_PIXEL_BITS)) + (made.by_row >> STAGE_PIXEL_BITS) * down;
    return made;
}

/* The change from pixel to pixel: difference / area, the difference with eight more bits of
 * fraction. */
static int32_t slope(int64_t difference, uint32_t one_by_area, int32_t shift)
{
    int64_t product = difference * (int32_t)one_by_area;
    product = shift > 19 ? product * (1 << (shift - 19)) : product >> (19 - shift);
    const int32_t steepest = 1 << 21;
    return product > steepest ? steepest : product < -steepest ? -steepest : (int32_t)product;
}

/* values: at the three corners, with eight bits of fraction. area: as stage_area says, negative. */
static plane plane_of(const stage_vertex *const corners[3], const int32_t values[3], int32_t area,
                      int32_t most)
{
    const stage_vertex *a = corners[0], *b = corners[1], *c = corners[2];
    int64_t to_b = values[1] - values[0], to_c = values[2] - values[0];
    int32_t shift;
    uint32_t one_by_area = stage_reciprocal((uint32_t)-area, &shift);
    plane made;
    made.by_x = slope(to_c * (b->y - a->y) - to_b * (c->y - a->y), one_by_area, shift);
    made.by_y = slope(to_b * (c->x - a->x) - to_c * (b->x - a->x), one_by_area, shift);
    made.corner = values[0] * 256;
    made.most = most * 256;
    return made;
}

/* The value at the middle of a pixel. */
static int32_t value_at(const plane *of, const stage_vertex *corner, int32_t x, int32_t y)
{
    int32_t right = (x * (1 << STAGE_PIXEL_BITS) + HALF - corner->x),
            down = (y * (1 << STAGE_PIXEL_BITS) + HALF - corner->y);
    int64_t value =
        of->corner + (((int64_t)of->by_x * right + (int64_t)of->by_y * down) >> STAGE_PIXEL_BITS);
    return value < 0 ? 0 : value > of->most ? of->most : (int32_t)value;
}

/* The fill of a triangle. */
typedef struct filling {
    const stage_picture *picture;
    const uint16_t *ramp; /* halfwords of the colour's shades; null for STAGE_PALETTE */
    uint32_t colour;
    const stage_vertex *corner;
    plane shade, depth;
    uint32_t pixel; /* where the shade is the same everywhere */
    bool smooth;
} filling;

static STAGE_INLINE uint32_t pixel_of(const filling *with, uint32_t shade)
{
    return with->ramp != 0 ? stage_colour(with->picture->format, with->ramp[shade])
                           : with->colour << 4 | shade;
}

/* Pixels left..right - 1 of a row with one colour. */
static STAGE_INLINE void fill_flat(const filling *with, uint32_t row, int32_t left, int32_t right)
{
    const stage_picture *picture = with->picture;
    uint32_t pixel = with->pixel, place = row + (uint32_t)left, end = row + (uint32_t)right;
    if (picture->format != STAGE_PALETTE) {
        for (; place != end; place++)
            picture->pixels[place] = (uint16_t)pixel;
        return;
    }
    if ((place & 1u) != 0u)
        stage_put(picture, place++, pixel);
    uint16_t *pair = picture->pixels + (place >> 1), *last = picture->pixels + (end >> 1);
    const uint16_t both = (uint16_t)(pixel << 8 | pixel);
    while (pair < last)
        *pair++ = both;
    if ((end & 1u) != 0u && end > place)
        stage_put(picture, end - 1u, pixel);
}

/* The same with shades and depths that change. */
static void fill_changing(const filling *with, int32_t y, int32_t left, int32_t right)
{
    const stage_picture *picture = with->picture;
    uint32_t place = (uint32_t)(y * picture->width + left), end = place + (uint32_t)(right - left);
    int32_t shift, steps = right - 1 - left;
    uint32_t one_by_steps = stage_reciprocal((uint32_t)(steps != 0 ? steps : 1), &shift);
    int32_t shade = 0, by_shade = 0, depth = 0, by_depth = 0;
    if (with->smooth) {
        shade = value_at(&with->shade, with->corner, left, y);
        by_shade = value_at(&with->shade, with->corner, right - 1, y) - shade;
        by_shade = (int32_t)((int64_t)by_shade * (int32_t)one_by_steps >> (31 - shift));
    }
    if (picture->depths != 0) {
        depth = value_at(&with->depth, with->corner, left, y);
        by_depth = value_at(&with->depth, with->corner, right - 1, y) - depth;
        by_depth = (int32_t)((int64_t)by_depth * (int32_t)one_by_steps >> (31 - shift));
    }
    for (; place != end; place++, shade += by_shade, depth += by_depth) {
        if (picture->depths != 0) {
            uint16_t near = (uint16_t)(depth >> 8);
            if (near >= picture->depths[place])
                continue;
            picture->depths[place] = near;
        }
        stage_put(picture, place,
                  with->smooth ? pixel_of(with, (uint32_t)shade >> 16) : with->pixel);
    }
}

/* flat: one colour, and no depths; known when this is compiled, as in all callers. */
static STAGE_INLINE void fill_rows(const filling *with, bool flat, int32_t row, int32_t end,
                                   side *left, side *right)
{
    const stage_picture *picture = with->picture;
    for (; row < end; row++, left->x += left->by_row, right->x += right->by_row) {
        int32_t from = (left->x + 0x7fff) >> 16, to = (right->x + 0x7fff) >> 16;
        if (row < 0)
            continue;
        from = from < 0 ? 0 : from;
        to = to > picture->width ? picture->width : to;
        if (from >= to)
            continue;
        if (!flat)
            fill_changing(with, row, from, to);
        else
            fill_flat(with, (uint32_t)row * picture->width, from, to);
    }
}

static STAGE_INLINE void fill(const filling *with, bool flat, const stage_vertex *top,
                              const stage_vertex *middle, const stage_vertex *bottom)
{
    const stage_vertex *swapped;
#define ORDER(upper, lower)                                                                        \
    if ((lower)->y < (upper)->y) {                                                                 \
        swapped = upper;                                                                           \
        upper = lower;                                                                             \
        lower = swapped;                                                                           \
    }
    ORDER(top, middle)
    ORDER(middle, bottom)
    ORDER(top, middle)
#undef ORDER
    int32_t first = first_middle(top->y), second = first_middle(middle->y),
            end = first_middle(bottom->y);
    const int32_t height = with->picture->height;
    if (first >= end || end <= 0 || first >= height)
        return;
    side longest = side_of(top, bottom, first);
    /* the middle corner lies left of the longest side, or right of it */
    bool leftwards = stage_area(top, middle, bottom) < 0;
    if (second > first) {
        side upper = side_of(top, middle, first);
        fill_rows(with, flat, first, second < height ? second : height,
                  leftwards ? &upper : &longest, leftwards ? &longest : &upper);
    }
    if (end > second && second < height) {
        side lower = side_of(middle, bottom, second);
        fill_rows(with, flat, second, end < height ? end : height, leftwards ? &lower : &longest,
                  leftwards ? &longest : &lower);
    }
}

static STAGE_INLINE void draw_face(const stage_mesh *mesh, const stage_picture *picture, bool flat,
                                   bool smooth, const stage_work *work, const stage_face *face)
{
    const stage_vertex *corners[3];
    for (uint32_t i = 0; i < 3u; i++)
        corners[i] = work->vertices + face->corners[i];
    filling with;
    with.picture = picture;
    with.colour = face->colour;
    with.ramp = picture->format == STAGE_PALETTE ? 0 : mesh->ramps[face->colour - 1u];
    with.corner = corners[0];
    with.smooth = smooth;
    with.pixel = 0;
    int32_t area = stage_area(corners[0], corners[1], corners[2]);
    if (smooth) {
        const int32_t shades[3] = {corners[0]->shade, corners[1]->shade, corners[2]->shade};
        with.shade = plane_of(corners, shades, area, STAGE_BRIGHTEST);
    } else {
        int32_t shade = stage_shade(face->normal, work->joints[face->joint].light);
        with.pixel = pixel_of(&with, (uint32_t)shade >> 8);
    }
    if (!flat && picture->depths != 0) {
        const int32_t depths[3] = {corners[0]->z, corners[1]->z, corners[2]->z};
        with.depth = plane_of(corners, depths, area, 0xffff);
    }
    fill(&with, flat, corners[0], corners[1], corners[2]);
}

/* Draws the faces that stage_draw has sorted, with shades or depths that change: rarer, and too
 * large for fast memory. */
__attribute__((noinline)) static void draw_changing(const stage_mesh *mesh,
                                                    const stage_picture *picture, bool smooth,
                                                    const stage_work *work)
{
    for (uint32_t bucket = STAGE_BUCKETS; bucket-- > 0u;)
        for (uint32_t i = work->heads[bucket]; i != STAGE_NONE; i = work->next[i])
            draw_face(mesh, picture, false, smooth, work, mesh->faces + i);
}

OSC_HOT uint32_t stage_draw(const stage_mesh *mesh, const stage_picture *picture, bool smooth,
                            stage_work *work)
{
    uint32_t seen = stage_sort(mesh, work);
    if (smooth || picture->depths != 0) {
        draw_changing(mesh, picture, smooth, work);
        return seen;
    }
    for (uint32_t bucket = STAGE_BUCKETS; bucket-- > 0u;)
        for (uint32_t i = work->heads[bucket]; i != STAGE_NONE; i = work->next[i])
            draw_face(mesh, picture, true, false, work, mesh->faces + i);
    return seen;
}
