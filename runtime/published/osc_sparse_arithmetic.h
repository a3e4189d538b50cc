/* SPDX-License-Identifier: MIT */
/* Interpolation between the keys of the sparse codec, shared with the encoder: SPEC.md 13.3. Keys
 * and rows have three or four components. */
#ifndef OSC_SPARSE_ARITHMETIC_H
#define OSC_SPARSE_ARITHMETIC_H

#include "arithmetic/osc_unit.h"
#include "published/osc_published_format.h"
#include <stdbool.h>

/* A section lies between two keys: from `left` at frame `from` to `right` at frame `to`. Bases from
 * OSC_SPARSE_UNIFORM on have tangents, for the length of the whole section. */
typedef struct osc_sparse_section {
    const int32_t *left, *right, *left_tangent, *right_tangent;
    uint32_t from, to;
} osc_sparse_section;

/* Words of state: of a clip; of a track without its keys, with a key on every frame and with keys
 * at times of their own; and the number of copies of its components. */
#define OSC_SPARSE_STATE_WORDS 1u
#define OSC_SPARSE_EVERY_WORDS 3u
#define OSC_SPARSE_TRACK_WORDS 7u

static inline uint32_t osc_sparse_kept(uint32_t basis)
{
    return basis >= OSC_SPARSE_UNIFORM ? 4u : basis;
}

static inline uint32_t osc_sparse_track_words(uint32_t basis, uint32_t components)
{
    return basis == OSC_SPARSE_EVERY ? OSC_SPARSE_EVERY_WORDS
                                     : OSC_SPARSE_TRACK_WORDS + osc_sparse_kept(basis) * components;
}

/* Returns whether the tangents follow from the keys around a section. */
static inline bool osc_sparse_looks_ahead(uint32_t basis)
{
    return basis >= OSC_SPARSE_UNIFORM && basis != OSC_SPARSE_HERMITE;
}

/* The distance between two keys in 2^-5 of a unit, 1 .. 2^29. */
static inline uint32_t osc_sparse_chord(const int32_t *a, const int32_t *b, uint32_t components)
{
    uint32_t largest = 0, squares = 0;
    for (uint32_t i = 0; i < components; i++)
        largest |= osc_size_of(osc_sub(b[i], a[i]));
    uint32_t size = osc_log2(largest), down = size > 13u ? size - 13u : 0u;
    if (down > 9u) /* more than eight metres */
        return 1u << 29;
    for (uint32_t i = 0; i < components; i++) {
        int32_t part = osc_sub(b[i], a[i]) >> down;
        squares += (uint32_t)osc_mul(part, part);
    }
    uint32_t chord = osc_root_q20(squares >> 2) << down;
    return chord != 0u ? chord : 1u;
}

/* The length of a section, in the measure of the basis. frames: from one key to the other */
static inline uint32_t osc_sparse_length(uint32_t basis, const int32_t *a, const int32_t *b,
                                         uint32_t components, uint32_t frames)
{
    if (basis == OSC_SPARSE_UNIFORM)
        return 1u;
    if (basis == OSC_SPARSE_TIMED)
        return frames;
    uint32_t chord = osc_sparse_chord(a, b, components);
    if (basis == OSC_SPARSE_CHORDAL)
        return chord;
    uint32_t root = osc_root_q20(chord >> 1);
    return root != 0u ? root : 1u;
}

/* The tangent at b, for the section from b to c, of the parabola through the keys a, b and c. back,
 * ahead: the lengths from a to b and from b to c. A section's left tangent follows from the
 * previous key and its own two; its right tangent, negated, from the next key and its own two. */
OSC_HOT_SPARSE static inline void osc_sparse_tangent(const int32_t *a, const int32_t *b,
                                                     const int32_t *c, uint32_t components,
                                                     uint32_t back, uint32_t ahead,
                                                     int32_t *tangent)
{
    int32_t near = osc_ratio(ahead, back), far = osc_ratio(ahead, back + ahead);
    for (uint32_t i = 0; i < components; i++)
        tangent[i] = osc_add(
            osc_sub(osc_mul_q20(osc_sub(b[i], a[i]), near), osc_mul_q20(osc_sub(c[i], a[i]), far)),
            osc_sub(c[i], b[i]));
}

/* A row inside a section or at its start. */
static inline void osc_sparse_row(uint32_t basis, const osc_sparse_section *span,
                                  uint32_t components, uint32_t frame, int32_t *row)
{
    int32_t u = osc_ratio(frame - span->from, span->to - span->from);
    for (uint32_t i = 0; i < components; i++) {
        int32_t p = span->left[i], e = osc_sub(span->right[i], p);
        int32_t slope = e;
        if (basis != OSC_SPARSE_LINEAR) {
            int32_t l = span->left_tangent[i], r = span->right_tangent[i];
            int32_t l_e = osc_sub(l, e), r_e = osc_sub(r, e);
            slope = osc_mul_q20(osc_add(l_e, r_e), u);               /* l + r - 2e */
            slope = osc_sub(slope, osc_add(osc_add(l_e, l_e), r_e)); /* 3e - 2l - r */
            slope = osc_add(osc_mul_q20(slope, u), l);
        }
        row[i] = osc_add(p, osc_mul_q20(slope, u));
    }
    if (components == 4u)
        osc_unit(row);
}

#endif
