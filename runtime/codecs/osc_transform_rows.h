/* SPDX-License-Identifier: MIT */
/* Fills a row from a parsed segment of the transform codec. This is the definition; a platform may
 * process several tracks together. */
#ifndef OSC_TRANSFORM_ROWS_H
#define OSC_TRANSFORM_ROWS_H

#include "arithmetic/osc_count.h"
#include "arithmetic/osc_unit.h"
#include "codecs/osc_transform_arithmetic.h"
#include "port/osc_port.h"

/* The destination of a row. */
typedef struct osc_rows {
    int32_t *row;
    const int32_t *previous; /* the row at the left of the chords */
    uint32_t *chords;
    const int16_t *weights; /* of the frame; eight may be read */
    uint32_t frame, length; /* counted in the segment */
} osc_rows;

/* The weighted sum of a chord and the `count` coefficients after it, Q10. All eight cases exist, so
 * that compilers need not check the range of the jump. */
OSC_INLINE int32_t osc_weighed_sum(const int32_t *values, const int16_t *weights, uint32_t count)
{
    int32_t sum = osc_mul(values[0], weights[0]);
    switch (count & 7u) {
    case 7:
        sum = osc_add(sum, osc_mul(values[7], weights[7])); /* fall through */
    case 6:
        sum = osc_add(sum, osc_mul(values[6], weights[6])); /* fall through */
    case 5:
        sum = osc_add(sum, osc_mul(values[5], weights[5])); /* fall through */
    case 4:
        sum = osc_add(sum, osc_mul(values[4], weights[4])); /* fall through */
    case 3:
        sum = osc_add(sum, osc_mul(values[3], weights[3])); /* fall through */
    case 2:
        sum = osc_add(sum, osc_mul(values[2], weights[2])); /* fall through */
    case 1:
        sum = osc_add(sum, osc_mul(values[1], weights[1])); /* fall through */
    case 0:
    default:
        return sum;
    }
}

/* A component of a direct track. */
static inline int32_t osc_direct_value(const int32_t *component, uint32_t frame, uint32_t length)
{
    uint32_t word = (uint32_t)component[OSC_COMPONENT_WORD];
    int32_t steps = component[OSC_COMPONENT_START];
    if (frame != 0u && frame == length)
        steps = osc_add(steps, component[OSC_COMPONENT_CHORD]);
    else if (frame != 0u && frame <= OSC_TRANSFORM_COUNT(word))
        steps = osc_add(steps, component[OSC_COMPONENT_CHORD + frame]);
    return osc_shl(steps, osc_transform_direct_shift(OSC_TRANSFORM_STEP(word)));
}

/* Fills one track. Returns the next track. */
static inline const int32_t *osc_fill_track(const int32_t *at, const osc_rows *rows)
{
    /* the coded components, by packing */
    static const uint8_t components[OSC_TRANSFORM_VECTOR + 1u][4] = {
        {1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}, {1, 2, 3}, {0, 2, 3},    {0, 1, 3},
        {0, 1, 2}, {1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}, {0, 1, 2, 3}, {0, 1, 2}};
    uint32_t track = (uint32_t)*at++, packing = OSC_TRANSFORM_TRACK_PACKING(track);
    int32_t *row = rows->row + OSC_TRANSFORM_TRACK_OFFSET(track);
    const uint8_t *coded = components[packing];
    const uint8_t *const end = coded + osc_transform_component_count(packing);
    for (; coded != end; coded++) {
        uint32_t word = (uint32_t)at[OSC_COMPONENT_WORD];
        if (OSC_UNLIKELY(OSC_TRANSFORM_TRACK_DIRECT(track) != 0u)) {
            row[*coded] = osc_direct_value(at, rows->frame, rows->length);
        } else {
            int32_t sum_q10 =
                osc_weighed_sum(at + OSC_COMPONENT_CHORD, rows->weights, OSC_TRANSFORM_COUNT(word));
            row[*coded] = osc_transform_value(at[OSC_COMPONENT_START], sum_q10,
                                              osc_transform_step(OSC_TRANSFORM_STEP(word)));
        }
        at += OSC_COMPONENT_WORDS + OSC_TRANSFORM_MOST(word);
    }
    if (packing == OSC_TRANSFORM_VECTOR)
        return at;
    if (packing == OSC_TRANSFORM_FOUR) {
        osc_near_unit(row);
    } else {
        coded -= 3;
        row[packing & 3u] = osc_rebuild_here_q20(row[coded[0]], row[coded[1]], row[coded[2]]);
        if (packing >= 4u)
            osc_turn(row, packing >= 8u);
    }
    rows->chords[OSC_TRANSFORM_TRACK_OFFSET(track) >> 2] =
        osc_chord_q20(rows->previous + OSC_TRANSFORM_TRACK_OFFSET(track), row);
    return at;
}

#endif
