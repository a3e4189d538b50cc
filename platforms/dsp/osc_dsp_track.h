/* SPDX-License-Identifier: MIT */
/* A track of a key row on Cortex-M3 and up: rotations without branches between their components,
 * from registers to row and chord. */
#ifndef OSC_DSP_TRACK_H
#define OSC_DSP_TRACK_H

#include "port/osc_port.h"

/* osc_transform_value: uses the whole product of sum and step; the first shift leaves the rounding
 * bit in the carry. */
OSC_INLINE int32_t osc_dsp_value(int32_t start, int32_t sum_q10, int32_t step)
{
    int32_t low, high;
    __asm__("smull %0, %1, %2, %3\n\t"
            "lsrs %0, %0, #10\n\t"
            "adc %0, %0, %1, lsl #22"
            : "=&r"(low), "=&r"(high)
            : "r"(sum_q10), "r"(step)
            : "cc");
    return osc_add(osc_mul(start, step), low);
}

/* Returns the next component, and advances *at. */
OSC_INLINE int32_t osc_dsp_component(const int32_t **at, const int16_t *weights)
{
    const int32_t *component = *at;
    uint32_t word = (uint32_t)component[OSC_COMPONENT_WORD];
    int32_t start = component[OSC_COMPONENT_START];
    int32_t sum_q10 =
        osc_weighed_sum(component + OSC_COMPONENT_CHORD, weights, OSC_TRANSFORM_COUNT(word));
    *at = component + OSC_COMPONENT_WORDS + OSC_TRANSFORM_MOST(word);
    return osc_dsp_value(start, sum_q10, osc_transform_step(OSC_TRANSFORM_STEP(word)));
}

OSC_INLINE const int32_t *osc_fill_row_track(const int32_t *at, const osc_rows *rows)
{
    uint32_t track = (uint32_t)*at, packing = OSC_TRANSFORM_TRACK_PACKING(track);
    uint32_t offset = OSC_TRANSFORM_TRACK_OFFSET(track), chord_q20;
    int32_t *row = rows->row + offset;
    const int32_t *previous = rows->previous + offset;
    if (OSC_UNLIKELY(packing == OSC_TRANSFORM_FOUR || OSC_TRANSFORM_TRACK_DIRECT(track) != 0u))
        return osc_fill_track(at, rows);
    at++;
    int32_t a = osc_dsp_component(&at, rows->weights);
    int32_t b = osc_dsp_component(&at, rows->weights);
    int32_t c = osc_dsp_component(&at, rows->weights);
    if (packing == OSC_TRANSFORM_VECTOR) {
        row[0] = a;
        row[1] = b;
        row[2] = c;
        return at;
    }
    int32_t d = osc_rebuild_here_q20(a, b, c);
    switch (packing) {
    case 0:
        chord_q20 = osc_store_rotation(row, previous, d, a, b, c);
        break;
    case 1:
        chord_q20 = osc_store_rotation(row, previous, a, d, b, c);
        break;
    case 2:
        chord_q20 = osc_store_rotation(row, previous, a, b, d, c);
        break;
    case 3:
        chord_q20 = osc_store_rotation(row, previous, a, b, c, d);
        break;
    default:
        row[0] = (packing & 3u) == 0u ? d : a;
        row[1] = (packing & 3u) == 1u ? d : (packing & 3u) == 0u ? a : b;
        row[2] = (packing & 3u) == 2u ? d : (packing & 3u) == 3u ? c : b;
        row[3] = (packing & 3u) == 3u ? d : c;
        osc_turn(row, packing >= 8u);
        chord_q20 = osc_chord_q20(previous, row);
    }
    rows->chords[offset >> 2] = chord_q20;
    return at;
}

#endif
